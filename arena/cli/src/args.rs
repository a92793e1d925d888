//! The command line's grammar.
//!
//! Owns names, defaults and help of all commands and options. Refuses values outside their range
//! before anything is done.

use std::path::PathBuf;
use std::time::Duration;

use arena_core::{Allowance, Limits};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::play::PlayKind;

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
    /// Play a recorded match, or one of a tournament file, again from its seed and compare
    Replay(ReplayArgs),
    /// Build an agent's crate, or a core WebAssembly module, into a component
    Build(BuildArgs),
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
}

/// A ruleset and changes of its fields.
#[derive(Args)]
pub(crate) struct RulesArgs {
    /// The ruleset: the name of a preset (see `arena rules list`), or a TOML file
    ///
    /// A preset's name always means the preset. Anything else is the path of a file; a file that
    /// is named like a preset is reached as ./NAME.
    #[arg(long, value_name = "RULES", default_value = "immediate-win")]
    pub(crate) rules: String,
    /// Change one field of the ruleset, as in opening=500; may be repeated, and all changes are
    /// made before the result is judged
    #[arg(long, value_name = "FIELD=VALUE")]
    pub(crate) set: Vec<String>,
}

#[derive(Subcommand)]
pub(crate) enum RulesCommand {
    /// List the presets
    List {
        /// How to print them; json is one complete ruleset a line
        #[arg(long, value_enum, default_value = "text")]
        format: Format,
    },
    /// Print a ruleset: its chart and its rules in words, or all its fields
    Show {
        /// The name of a preset, or a TOML file
        #[arg(value_name = "RULES")]
        rules: String,
        /// Change one field, as in opening=500; may be repeated
        #[arg(long, value_name = "FIELD=VALUE")]
        set: Vec<String>,
        /// How to print it; toml is a complete ruleset file, to start a house table from
        #[arg(long, value_enum, default_value = "text")]
        format: ShowFormat,
    },
    /// Check a ruleset file
    Check {
        /// The TOML file
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Print the JSON Schema of ruleset files, for editors
    Schema,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ShowFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// A ruleset file
    Toml,
}

#[derive(Args)]
pub(crate) struct DiceArgs {
    /// The dice: 1 1 5 or 115
    #[arg(required_unless_present = "stdin", conflicts_with = "stdin", value_name = "DICE")]
    pub(crate) dice: Vec<String>,
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// Read dice from the standard input, a line each, and answer each with a line
    #[arg(long)]
    pub(crate) stdin: bool,
    /// How to print the answer
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Args)]
pub(crate) struct OddsArgs {
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// Play the turn of a player who must still open: it banks only from the opening on
    #[arg(long)]
    pub(crate) opening: bool,
    /// Read rulesets (presets or files) from the standard input, a line each, and answer each
    #[arg(long, conflicts_with = "rules")]
    pub(crate) stdin: bool,
    /// How to print the odds
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
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
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) turn_limit: u32,
}

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
    /// Also print what the agents noted for their authors, before the roll that it belongs to
    #[arg(long)]
    pub(crate) logs: bool,
    /// How to print the match; json is the record
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
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

#[derive(Args)]
pub(crate) struct TournamentArgs {
    /// The agents, as many as a table has seats or more: FILE.wasm or NAME=FILE.wasm
    #[arg(required = true, value_name = "AGENT")]
    pub(crate) agents: Vec<String>,
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// Seats at a table [default: 2, or else the fewest that the ruleset allows]
    #[arg(long, value_name = "K")]
    pub(crate) seats: Option<u8>,
    /// Seeds that every table plays, in every rotation of its seats
    #[arg(long, value_name = "N", default_value = "500", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) pairs: u64,
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
pub(crate) struct CreateArgs {
    /// The file to make
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) game: GameArgs,
    #[command(flatten)]
    pub(crate) play: PlayArgs,
    /// Seats at a table [default: 2, or else the fewest that the ruleset allows]
    #[arg(long, value_name = "K")]
    pub(crate) seats: Option<u8>,
    /// Seeds that every table plays, in every rotation of its seats
    #[arg(long, value_name = "N", default_value = "500", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) pairs: u64,
    /// A tournament seed, to repeat a tournament by; without one the secret of the dice is drawn at
    /// random, which nobody can guess
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

/// How matches are chosen.
#[derive(Args)]
pub(crate) struct PlayArgs {
    /// How matches are chosen
    #[arg(long, value_enum, default_value = "round-robin")]
    pub(crate) play: PlayKind,
    /// Rounds of --play swiss [default: 7]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) rounds: Option<u32>,
    /// Pairs that --play ladder plays at a time [default: 50]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(crate) batch: Option<u64>,
    /// Pairs that --play ladder plays in all [default: 5000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) budget: Option<u64>,
}

#[derive(Args)]
pub(crate) struct SubmitArgs {
    /// The agent: FILE.wasm or NAME=FILE.wasm
    #[arg(value_name = "AGENT")]
    pub(crate) agent: String,
    /// The tournament file
    #[arg(long, value_name = "FILE")]
    pub(crate) to: PathBuf,
    /// Its name [default: what the file is called]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Who wrote it
    #[arg(long, value_name = "NAME")]
    pub(crate) author: Option<String>,
}

#[derive(Args)]
pub(crate) struct RunArgs {
    /// The tournament file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    /// Stop after a time, as in 90s, 10m or 2h
    #[arg(long = "for", value_name = "TIME", value_parser = time)]
    pub(crate) time: Option<Duration>,
    /// Stop after so many matches; pairs are always finished
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) matches: Option<u64>,
    /// Play and throw away, to measure what storing costs
    #[arg(long)]
    pub(crate) no_store: bool,
}

/// `90`, `90s`, `10m`, `2h`, `1d`.
fn time(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(char::is_alphabetic);
    let unit = match &text[digits.len()..] {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        _ => return Err("a time is a number with s, m, h or d, as in 10m".into()),
    };
    let number: u64 = digits.parse().map_err(|_| "a time is a number with s, m, h or d, as in 10m".to_owned())?;
    match number.checked_mul(unit) {
        Some(seconds) if (1..=365 * 86_400).contains(&seconds) => Ok(Duration::from_secs(seconds)),
        _ => Err("allowed are 1s to 365d".into()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// For spreadsheets
    Csv,
    /// For web pages and issues
    Markdown,
}

#[derive(Args)]
pub(crate) struct StandingsArgs {
    /// The tournament file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// How to print the standings
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: TableFormat,
    /// Hold an agent at a rating, instead of the mean at 1500
    #[arg(long, value_name = "NAME=ELO")]
    pub(crate) anchor: Option<String>,
    /// Also who did how well against whom
    #[arg(long)]
    pub(crate) cross_table: bool,
    /// Also how likely each agent is truly stronger than each other
    #[arg(long)]
    pub(crate) matrix: bool,
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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// For people
    Text,
    /// A JSON object a line
    Json,
    /// A JSON object a line
    Jsonl,
    /// A line for every seat of every match
    Csv,
}

#[derive(Args)]
pub(crate) struct MatchesArgs {
    /// The tournament file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Only matches of this agent
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Only matches in which this agent plays too
    #[arg(long, value_name = "NAME")]
    pub(crate) against: Option<String>,
    /// Only matches with a fault
    #[arg(long)]
    pub(crate) faults: bool,
    /// Begin with this match number
    #[arg(long, value_name = "MATCH", default_value = "1")]
    pub(crate) from: u64,
    /// List at most so many
    #[arg(long, value_name = "N", default_value = "50", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) limit: u64,
    /// How to print them
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: ListFormat,
}

#[derive(Args)]
pub(crate) struct ShowArgs {
    /// The tournament file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The number of the match
    #[arg(value_name = "MATCH")]
    pub(crate) number: u64,
    /// Also print what the agents noted for their authors, before the roll that it belongs to
    #[arg(long)]
    pub(crate) logs: bool,
    /// How to print the match; json is the record
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Args)]
pub(crate) struct VerifyArgs {
    /// The tournament file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Play so many matches again, evenly spread
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) sample: u64,
    /// Play every match again
    #[arg(long, conflicts_with = "sample")]
    pub(crate) all: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// One object: settings, agents, standings, seeds, matches
    Json,
    /// The matches, a JSON object a line
    Jsonl,
    /// The matches, a line for every seat
    Csv,
}

#[derive(Args)]
pub(crate) struct ExportArgs {
    /// The tournament file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// What to print
    #[arg(long, value_enum, default_value = "json")]
    pub(crate) format: ExportFormat,
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
    #[arg(long, required_unless_present = "number", num_args = 1.., value_name = "FILE|DIR")]
    pub(crate) agents: Vec<PathBuf>,
    /// How to print the outcome
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Args)]
pub(crate) struct BuildArgs {
    /// A folder with a Cargo.toml, or a core module
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) path: PathBuf,
    /// Where to write the component [default: NAME.wasm in the current folder]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
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
