//! The grammar of `arena play`.

use std::path::PathBuf;

use clap::Args;

use super::GameArgs;

#[derive(Args)]
pub(crate) struct PersonArgs {
    /// The agents to play against, in seat order: FILE.wasm or NAME=FILE.wasm
    ///
    /// Without any, you play alone where the ruleset allows that, and else against max-ev, the
    /// sample agent that is part of this program.
    #[arg(value_name = "AGENT")]
    pub(crate) agents: Vec<String>,
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// The match seed, 64 bits in decimal; drawn at random when not given
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Your seat, counted from 0; agents take the others
    #[arg(long, value_name = "N", default_value = "0")]
    pub(crate) seat: u8,
    /// People at this keyboard, who take seats from --seat on
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u8).range(1..=12))]
    pub(crate) people: u8,
    /// What you are called; once for each person
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Vec<String>,
    /// Where the match is saved after every decision [default: farkle-SEED.save.json]
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
    /// Go on with a saved match; without FILE, with the only one in the current folder
    #[arg(
        long,
        value_name = "FILE",
        num_args = 0..=1,
        conflicts_with_all = ["agents", "rules", "set", "allowance", "turn_limit", "allow_wasi", "seed", "seat", "people", "name", "save"]
    )]
    pub(crate) resume: Option<Option<PathBuf>>,
    /// Write the match record to a file when the match is over
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
}
