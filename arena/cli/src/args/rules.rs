//! The grammar of the commands about rulesets and dice.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::{Format, RulesArgs};

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
