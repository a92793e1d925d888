//! The command line's grammar.
//!
//! Owns names, defaults and help of all commands and options. Refuses values outside their range
//! before anything is done.

use std::path::PathBuf;

use arena_core::Allowance;
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
}

/// What is played, under which limits.
#[derive(Args)]
pub(crate) struct GameArgs {
    /// The ruleset: the name of a preset
    #[arg(long, value_name = "RULES", default_value = "immediate-win")]
    pub(crate) rules: String,
    /// What agents may spend: blitz, standard or deep
    #[arg(long, value_name = "NAME", default_value = "standard")]
    pub(crate) allowance: Allowance,
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
