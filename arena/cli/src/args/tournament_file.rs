//! The grammar of the commands that work on a tournament file.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::{Format, GameArgs, InsideArgs, JobsArgs, TablesArgs};
use crate::play::PlayKind;

#[derive(Args)]
pub(crate) struct CreateArgs {
    /// The file to make
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) game: GameArgs,
    #[command(flatten)]
    pub(crate) play: PlayArgs,
    #[command(flatten)]
    pub(crate) tables: TablesArgs,
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
    /// The tournament file, or the address of one that is served: http://HOST:PORT
    #[arg(long, value_name = "FILE|ADDRESS")]
    pub(crate) to: PathBuf,
    /// Its name [default: what the file is called]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Who wrote it; a server knows by the token
    #[arg(long, value_name = "NAME")]
    pub(crate) author: Option<String>,
    /// The file with the token for a server [default: the variable ARENA_TOKEN]
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
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

#[derive(Args)]
pub(crate) struct ReportArgs {
    /// The tournament file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The folder to make; an earlier report in its place is replaced
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Choose so many matches for replays, at most: faults, close wins and heavy defeats of every agent; of
    /// no more matches than that all
    #[arg(long, value_name = "N", default_value = "200", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub(crate) replays: u32,
    /// A match that is to have a replay in any case, by its number; may be repeated
    #[arg(long = "match", value_name = "MATCH")]
    pub(crate) matches: Vec<u64>,
    /// Leave out what best play says of the replays
    #[arg(long)]
    pub(crate) no_analysis: bool,
    /// Play nothing again: no replays, nothing about how agents play
    #[arg(long, conflicts_with_all = ["replays", "matches"])]
    pub(crate) figures_only: bool,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
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
    /// A figure for papers: ratings with their intervals
    Svg,
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
    /// Also ratings corrected for the luck of the dice, for which all matches are played again (two seats)
    #[arg(long)]
    pub(crate) luck_adjusted: bool,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
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
    #[command(flatten)]
    pub(crate) inside: InsideArgs,
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
