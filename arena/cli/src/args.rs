//! The command line's grammar.
//!
//! Owns names, defaults and help of all commands and options. Refuses values outside their range
//! before anything is done.

use std::path::PathBuf;

use arena_core::{Allowance, Limits};
use clap::{Args, Parser, Subcommand, ValueEnum};

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
    /// Play a recorded match again from its seed and compare
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
    /// How to print the match; json is the record
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
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
    /// Matches played at one time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=128))]
    pub(crate) jobs: Option<u16>,
    /// Write a record of every match to a new folder
    #[arg(long, value_name = "DIR")]
    pub(crate) records: Option<PathBuf>,
    /// How to print the standings
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Args)]
pub(crate) struct ReplayArgs {
    /// The record of the match
    #[arg(value_name = "RECORD")]
    pub(crate) record: PathBuf,
    /// Where the agents' components are: files, or folders with .wasm files; found by their hash
    #[arg(long, required = true, num_args = 1.., value_name = "FILE|DIR")]
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
