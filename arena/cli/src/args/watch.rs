//! The grammar of `arena watch`.
//!
//! Refuses defaults that could not be told from what somebody asked for: a record and a tournament file say
//! themselves what was played, so that options of a match beside them are an error.

use arena_core::{Allowance, Limits};
use clap::Args;

use super::{DEFAULT_RULES, DEFAULT_TURN_LIMIT, RulesArgs, WasiArgs};
use crate::watch::SPEEDS;

#[derive(Args)]
pub(crate) struct WatchArgs {
    /// The agents, in seat order: FILE.wasm or NAME=FILE.wasm; or the record of a match; or a tournament file
    /// and the number of a match
    #[arg(required = true, value_name = "AGENT|RECORD|FILE MATCH")]
    pub(crate) what: Vec<String>,
    /// Events shown in a second, 0.1 to 100
    #[arg(long, value_name = "EVENTS_PER_SECOND", default_value = "1", value_parser = speed, allow_negative_numbers = true)]
    pub(crate) speed: f64,
    /// Leave out the chances to win and what decisions gave away
    #[arg(long)]
    pub(crate) no_analysis: bool,
    /// The ruleset: the name of a preset (see `arena rules list`), or a TOML file [default: immediate-win]
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
    /// Change one field of the ruleset, as in opening=500; may be repeated, and all changes are made before
    /// the result is judged
    #[arg(long, value_name = "FIELD=VALUE")]
    set: Vec<String>,
    /// What agents may spend: blitz, standard or deep [default: standard]
    #[arg(long, value_name = "NAME")]
    allowance: Option<Allowance>,
    /// Turns of each seat after which a match ends, closing turns aside [default: 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    turn_limit: Option<u32>,
    #[command(flatten)]
    pub(crate) wasi: WasiArgs,
    /// The match seed, 64 bits in decimal; drawn at random when not given
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

impl WatchArgs {
    pub(crate) fn rules(&self) -> RulesArgs {
        let rules = self.rules.as_deref().unwrap_or(DEFAULT_RULES).to_owned();
        RulesArgs { rules, set: self.set.clone() }
    }

    pub(crate) fn limits(&self) -> Limits {
        let limits = self.allowance.unwrap_or(Allowance::Standard).limits();
        Limits { turns: self.turn_limit.unwrap_or(DEFAULT_TURN_LIMIT), ..limits }
    }

    /// The first option that is given and only says something about a match to be played.
    pub(crate) fn option_of_a_match(&self) -> Option<&'static str> {
        let given = [
            (self.rules.is_some(), "--rules"),
            (!self.set.is_empty(), "--set"),
            (self.allowance.is_some(), "--allowance"),
            (self.turn_limit.is_some(), "--turn-limit"),
            (self.wasi.allow_wasi, "--allow-wasi"),
            (self.seed.is_some(), "--seed"),
        ];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, option)| option)
    }
}

fn speed(text: &str) -> Result<f64, String> {
    let allowed = || format!("allowed are {} to {} events a second", SPEEDS.start(), SPEEDS.end());
    text.parse().ok().filter(|speed| SPEEDS.contains(speed)).ok_or_else(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_have_bounds() {
        for (text, parsed) in [("0.1", Some(0.1)), ("2", Some(2.0)), ("100", Some(100.0))] {
            assert_eq!(speed(text).ok(), parsed);
        }
        for text in ["0", "0.09", "100.1", "-1", "inf", "NaN", "fast", ""] {
            assert_eq!(speed(text), Err("allowed are 0.1 to 100 events a second".to_owned()), "{text}");
        }
    }
}
