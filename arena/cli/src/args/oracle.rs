//! The grammar of the commands about best play.

use clap::Args;
use farkle::Points;

use super::{Format, RulesArgs};

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
