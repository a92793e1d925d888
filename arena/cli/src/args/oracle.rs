//! The grammar of the commands about best play.

use clap::Args;

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
