//! The grammar of `arena check`.

use std::path::PathBuf;

use arena_core::Allowance;
use clap::Args;

use super::{Format, WasiArgs};

#[derive(Args)]
pub(crate) struct CheckArgs {
    /// The agent: FILE.wasm
    #[arg(value_name = "FILE")]
    pub(crate) agent: PathBuf,
    /// Check it under one ruleset only: the name of a preset, or a TOML file [default: every
    /// preset]
    #[arg(long, value_name = "RULES")]
    pub(crate) rules: Option<String>,
    /// Change one field of that ruleset, as in opening=500; may be repeated
    #[arg(long, value_name = "FIELD=VALUE", requires = "rules")]
    pub(crate) set: Vec<String>,
    /// What agents may spend: blitz, standard or deep
    #[arg(long, value_name = "NAME", default_value = "standard")]
    pub(crate) allowance: Allowance,
    #[command(flatten)]
    pub(crate) wasi: WasiArgs,
    /// How to print what was found
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
}
