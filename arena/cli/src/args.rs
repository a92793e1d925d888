//! The command line's grammar.
//!
//! Owns names, defaults and help of all commands and options. Refuses values outside their range
//! before anything is done.

mod bench;
mod check;
mod oracle;
mod play;
mod projects;
mod rules;
mod tournament_file;
mod wasi;
mod watch;
mod web;

use std::path::PathBuf;

use arena_core::{Allowance, Limits};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::failure::Failure;
use crate::play_by_play::Inside;

pub(crate) use self::bench::BenchArgs;
pub(crate) use self::check::CheckArgs;
pub(crate) use self::oracle::{AnalyzeArgs, HintArgs, SolveArgs};
pub(crate) use self::play::PersonArgs;
pub(crate) use self::projects::{BuildArgs, Language, NewArgs};
pub(crate) use self::rules::{DiceArgs, OddsArgs, RulesCommand, ShowFormat};
pub(crate) use self::tournament_file::{
    CreateArgs, ExportArgs, ExportFormat, ListFormat, MatchesArgs, PlayArgs, ReportArgs, RunArgs, ShowArgs,
    StandingsArgs, SubmitArgs, TableFormat, VerifyArgs,
};
pub(crate) use self::wasi::WasiArgs;
pub(crate) use self::watch::WatchArgs;
pub(crate) use self::web::{DiceFor, ServeArgs, TokenArgs};

/// Seeded, refereed Farkle between WebAssembly agents.
#[derive(Parser)]
#[command(name = "arena", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Play one match and print it roll by roll
    Match(MatchArgs),
    /// Watch a match in the terminal as it unfolds: between agents, a recorded one, or one of a
    /// tournament file
    Watch(WatchArgs),
    /// Play a match yourself, at the terminal, against agents, others or alone
    Play(PersonArgs),
    /// Play agents against each other on the same seeds, in all rotations of the seats, and print
    /// standings
    Tournament(TournamentArgs),
    /// Play two agents until it is sure enough whether the first is stronger
    Sprt(SprtArgs),
    /// Make a tournament file, to which agents are submitted and whose matches are played bit by bit
    Create(CreateArgs),
    /// Enter an agent in a tournament file
    Submit(SubmitArgs),
    /// Play what is left of a tournament file
    Run(RunArgs),
    /// Print the standings of a tournament file
    Standings(StandingsArgs),
    /// Write a tournament file's standings, agents and replays as web pages, which open from disk
    Report(ReportArgs),
    /// List the matches of a tournament file
    Matches(MatchesArgs),
    /// Play a match of a tournament file again and print it roll by roll
    Show(ShowArgs),
    /// Play matches of a tournament file again and compare them with what is stored
    Verify(VerifyArgs),
    /// Print everything that a tournament file holds, for other programs
    Export(ExportArgs),
    /// Let an agent of a tournament file play no further matches
    Withdraw {
        /// The tournament file
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// The agent's name
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Publish the secret that the dice of a tournament file come from
    Close {
        /// The tournament file
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Serve a tournament file: standings and matches for everybody, submissions of authors, and the
    /// playing of what is left
    Serve(ServeArgs),
    /// Give an author a token to submit with over the network, take it back, or list authors
    Token(TokenArgs),
    /// Play a recorded match, or one of a tournament file, again from its seed and compare
    Replay(ReplayArgs),
    /// Make an agent's project: a working agent with tests, in a new folder
    New(NewArgs),
    /// Build an agent's project, or a core WebAssembly module, into a component
    Build(BuildArgs),
    /// Say whether a component is a contestant: trial matches, faults, fuel and memory
    Check(CheckArgs),
    /// Say how fast agents are played here, and what a match's time goes to
    Bench(BenchArgs),
    /// List, show and check rulesets
    Rules {
        #[command(subcommand)]
        command: RulesCommand,
    },
    /// Say what dice score when they are set aside together, and how
    Score(DiceArgs),
    /// List what may be set aside from a roll, the most valuable first
    Keeps(DiceArgs),
    /// Print the odds of rolling one die to all dice, and when to stop
    Odds(OddsArgs),
    /// Solve a ruleset for two seats: how often the first player wins under best play of both
    Solve(SolveArgs),
    /// Say how often every decision on a roll wins under best play of both, the best first
    Hint(HintArgs),
    /// Say what decisions of a match, or of all matches of an agent, gave away against best play
    Analyze(AnalyzeArgs),
    /// Compile the component on the standard input: what this program runs itself with
    #[command(hide = true)]
    CompileComponent(crate::apart::Bounds),
    /// Examine the component on the standard input: what this program runs itself with
    #[command(hide = true)]
    ExamineComponent(crate::apart::Bounds),
}

/// A ruleset and changes of its fields.
#[derive(Args)]
pub(crate) struct RulesArgs {
    /// The ruleset: the name of a preset (see `arena rules list`), or a TOML file
    ///
    /// A preset's name always means the preset. Anything else is the path of a file; a file that
    /// is named like a preset is reached as ./NAME.
    #[arg(long, value_name = "RULES", default_value = DEFAULT_RULES)]
    pub(crate) rules: String,
    /// Change one field of the ruleset, as in opening=500; may be repeated, and all changes are
    /// made before the result is judged
    #[arg(long, value_name = "FIELD=VALUE")]
    pub(crate) set: Vec<String>,
}

/// What is played, under which limits.
#[derive(Args)]
pub(crate) struct GameArgs {
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// What agents may spend: blitz, standard or deep
    #[arg(long, value_name = "NAME", default_value = "standard")]
    pub(crate) allowance: Allowance,
    /// Turns of each seat after which a match ends, closing turns aside
    #[arg(long, value_name = "N", default_value_t = DEFAULT_TURN_LIMIT, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) turn_limit: u32,
    #[command(flatten)]
    pub(crate) wasi: WasiArgs,
}

/// The ruleset where none is named.
pub(crate) const DEFAULT_RULES: &str = "immediate-win";

/// The turn limit where none is given.
pub(crate) const DEFAULT_TURN_LIMIT: u32 = 1_000;

impl GameArgs {
    pub(crate) fn limits(&self) -> Limits {
        Limits { turns: self.turn_limit, ..self.allowance.limits() }
    }
}

#[derive(Args)]
pub(crate) struct MatchArgs {
    /// The agents, in seat order: FILE.wasm or NAME=FILE.wasm
    #[arg(required = true, value_name = "AGENT")]
    pub(crate) agents: Vec<String>,
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// The match seed, 64 bits in decimal; drawn at random and printed when not given
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Write the match record to a file
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Play seeds one after another, from --seed or 1 on, until an agent faults, and print that
    /// match; give up after N matches [default: 100000]. Exits with 1 when a fault was found
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "100000",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) until_fault: Option<u64>,
    #[command(flatten)]
    pub(crate) inside: InsideArgs,
    /// How to print the match; json is the record
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

/// What is told of agents' calls.
#[derive(Args)]
pub(crate) struct InsideArgs {
    /// Also print what the agents noted for their authors, before the roll that it belongs to
    #[arg(long)]
    logs: bool,
    /// Also print every word between the arena and the agents, and the fuel that it took
    #[arg(long)]
    trace: bool,
}

impl InsideArgs {
    /// Refuses what a record, printed as JSON, has no place for.
    pub(crate) fn of(&self, format: Format) -> Result<Inside, Failure> {
        match (format, self.logs, self.trace) {
            (Format::Json, true, _) => Err(Failure::usage("--logs is for text: a record has no place for notes")),
            (Format::Json, _, true) => Err(Failure::usage("--trace is for text: a record has no place for calls")),
            _ => Ok(Inside { logs: self.logs, trace: self.trace }),
        }
    }
}

/// How many matches are played at one time.
#[derive(Args)]
pub(crate) struct JobsArgs {
    /// Matches played at one time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=128))]
    jobs: Option<u16>,
}

impl JobsArgs {
    pub(crate) fn count(&self) -> usize {
        self.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
    }
}

/// How large tables are, and how many seeds they play.
#[derive(Args)]
pub(crate) struct TablesArgs {
    /// Seats at a table [default: 2, or else the fewest that the ruleset allows]
    #[arg(long, value_name = "K")]
    pub(crate) seats: Option<u8>,
    /// Seeds that every table plays, in every rotation of its seats
    #[arg(long, value_name = "N", default_value = "500", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) pairs: u64,
}

#[derive(Args)]
pub(crate) struct TournamentArgs {
    /// The agents, as many as a table has seats or more: FILE.wasm or NAME=FILE.wasm
    #[arg(required = true, value_name = "AGENT")]
    pub(crate) agents: Vec<String>,
    #[command(flatten)]
    pub(crate) game: GameArgs,
    #[command(flatten)]
    pub(crate) tables: TablesArgs,
    /// The tournament seed, 64 bits in decimal; drawn at random and printed when not given
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    /// Write a record of every match to a new folder
    #[arg(long, value_name = "DIR", conflicts_with = "db")]
    pub(crate) records: Option<PathBuf>,
    /// Keep the tournament in a new file, for `arena run`, `standings`, `show` and the others
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,
    /// How to print the standings
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Args)]
pub(crate) struct SprtArgs {
    /// The agent that is tested: FILE.wasm or NAME=FILE.wasm
    #[arg(value_name = "AGENT")]
    pub(crate) agent: String,
    /// The agent that it is tested against
    #[arg(value_name = "AGAINST")]
    pub(crate) against: String,
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// H0: the first agent is so much stronger, in Elo
    #[arg(long, value_name = "ELO", default_value = "0", allow_negative_numbers = true)]
    pub(crate) elo0: f64,
    /// H1: the first agent is so much stronger, in Elo
    #[arg(long, value_name = "ELO", default_value = "10", allow_negative_numbers = true)]
    pub(crate) elo1: f64,
    /// The risk to accept H1 when H0 is true
    #[arg(long, value_name = "RISK", default_value = "0.05")]
    pub(crate) alpha: f64,
    /// The risk to accept H0 when H1 is true
    #[arg(long, value_name = "RISK", default_value = "0.05")]
    pub(crate) beta: f64,
    /// Test scores corrected for the luck of the dice, which takes fewer pairs
    #[arg(long)]
    pub(crate) luck_adjusted: bool,
    /// Give up after so many pairs
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) most_pairs: u64,
    /// The seed of the test, 64 bits in decimal; drawn at random and printed when not given
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    /// How to print the verdict
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Args)]
pub(crate) struct ReplayArgs {
    /// The record of the match, or a tournament file
    #[arg(value_name = "RECORD|FILE")]
    pub(crate) record: PathBuf,
    /// The number of the match, in a tournament file
    #[arg(value_name = "MATCH", conflicts_with = "agents")]
    pub(crate) number: Option<u64>,
    /// Where the agents' components are: files, or folders with .wasm files; found by their hash
    #[arg(long, num_args = 1.., value_name = "FILE|DIR")]
    pub(crate) agents: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) wasi: WasiArgs,
    /// How to print the outcome
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_grammar_is_sound() {
        super::Cli::command().debug_assert();
    }
}
