//! The command that plays a match again, as a person types it.
//!
//! Owns which options it needs. Refuses to leave out what could change the
//! match.

use std::fmt::Write;

use arena_core::Allowance;

use crate::args::{DEFAULT_TURN_LIMIT, GameArgs};
use crate::harmless::shell_word;

/// `arena match` between agents, each as it is given on a command line.
pub(crate) fn match_command(agents: impl IntoIterator<Item = String>, game: &GameArgs, seed: u64) -> String {
    let mut command = "arena match".to_owned();
    for agent in agents {
        let _ = write!(command, " {}", shell_word(&agent));
    }
    let _ = write!(command, " --rules {}", shell_word(&game.rules.rules));
    for change in &game.rules.set {
        let _ = write!(command, " --set {}", shell_word(change));
    }
    if game.allowance != Allowance::default() {
        let _ = write!(command, " --allowance {}", game.allowance.name());
    }
    if game.turn_limit != DEFAULT_TURN_LIMIT {
        let _ = write!(command, " --turn-limit {}", game.turn_limit);
    }
    if game.wasi.allow_wasi {
        command += " --allow-wasi";
    }
    let _ = write!(command, " --seed {seed}");
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{RulesArgs, WasiArgs};

    #[test]
    fn whatever_could_change_the_match_is_in_the_command() {
        let rules = RulesArgs { rules: "house rules.toml".into(), set: vec!["target=500".into()] };
        let game = GameArgs { rules, allowance: Allowance::Blitz, turn_limit: 7, wasi: WasiArgs { allow_wasi: true } };
        assert_eq!(
            match_command(["a=it's.wasm".into(), "bots/b-1.wasm".into()], &game, 9),
            "arena match 'a=it'\\''s.wasm' bots/b-1.wasm --rules 'house rules.toml' --set target=500 \
             --allowance blitz --turn-limit 7 --allow-wasi --seed 9"
        );
        let rules = RulesArgs { rules: "duel".into(), set: vec![] };
        let game =
            GameArgs { rules, allowance: Allowance::Standard, turn_limit: 1_000, wasi: WasiArgs { allow_wasi: false } };
        assert_eq!(match_command([], &game, 9), "arena match --rules duel --seed 9");
    }
}
