//! The grammar of the commands about best play.

use std::path::PathBuf;

use clap::Args;
use farkle::Points;

use super::{Format, JobsArgs, RulesArgs};

#[derive(Args)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// Solve it although its solution is kept
    #[arg(long)]
    pub(crate) anew: bool,
    /// How to print the answer
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Args)]
pub(crate) struct HintArgs {
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// The banked scores: that of the seat to move, then the other's
    #[arg(long, value_name = "OWN,RIVAL", required = true, allow_hyphen_values = true)]
    pub(crate) scores: String,
    /// Points kept in this turn before this roll
    #[arg(long, value_name = "POINTS", default_value = "0", allow_negative_numbers = true)]
    pub(crate) at_risk: Points,
    /// The dice on the table: 1 1 3 4 6 6 or 113466
    #[arg(long, value_name = "DICE", required = true, num_args = 1..)]
    pub(crate) roll: Vec<String>,
    /// This is the closing turn of a final round: the other seat has reached the target
    #[arg(long)]
    pub(crate) closing: bool,
    /// Farkles in a row, own and rival's; they count where a row costs points
    #[arg(long, value_name = "OWN,RIVAL", default_value = "0,0")]
    pub(crate) farkles: String,
    /// How to print the answer
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}

#[derive(Args)]
pub(crate) struct AnalyzeArgs {
    /// The record of a match, or a tournament file
    #[arg(value_name = "RECORD|FILE")]
    pub(crate) file: PathBuf,
    /// The number of the match, in a tournament file
    #[arg(value_name = "MATCH", conflicts_with = "agent")]
    pub(crate) number: Option<u64>,
    /// All matches of this agent of a tournament file, and its worst decisions of each kind
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// So many decisions of each kind [default: 3]
    #[arg(long, value_name = "N", requires = "agent")]
    pub(crate) worst: Option<usize>,
    #[command(flatten)]
    pub(crate) jobs: JobsArgs,
    /// How to print it
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}
