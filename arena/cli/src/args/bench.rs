//! The grammar of `arena bench`.

use std::time::Duration;

use clap::Args;

use super::{Format, GameArgs, JobsArgs};
use crate::failure::Failure;

#[derive(Args)]
pub(crate) struct BenchArgs {
    /// The agents: FILE.wasm or NAME=FILE.wasm; one plays against copies of itself [default: the
    /// sample agent threshold-300, which is part of this program]
    #[arg(value_name = "AGENT")]
    pub(crate) agents: Vec<String>,
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// Seats at a table [default: 2, or else the fewest that the ruleset allows]
    #[arg(long, value_name = "K")]
    pub(crate) seats: Option<u8>,
    /// The tournament seed, 64 bits in decimal: the same seed gives the same matches
    #[arg(long, value_name = "N", default_value = "1")]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    /// How long each of three measurements takes, at least: one match at a time, as many as --jobs
    /// says, and the parts of a match
    #[arg(long, value_name = "S", default_value = "3", allow_negative_numbers = true)]
    seconds: f64,
    /// How to print the figures
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

/// What is counted of longer runs does not fit into memory everywhere.
const MOST_SECONDS: f64 = 600.0;
const FEWEST_SECONDS: f64 = 0.01;

impl BenchArgs {
    /// Refuses what is no time to measure in.
    pub(crate) fn time(&self) -> Result<Duration, Failure> {
        match self.seconds {
            seconds if (FEWEST_SECONDS..=MOST_SECONDS).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
            seconds => {
                Err(Failure::usage(format!("--seconds is {seconds}: allowed are {FEWEST_SECONDS} to {MOST_SECONDS}")))
            }
        }
    }
}
