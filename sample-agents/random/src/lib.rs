//! Chance decides: tosses a coin to bank, else rolls on with any of the legal keeps.

use agent_sdk::{Agent, Decision, Turn};

/// The agent. It has no memory.
#[derive(Default)]
pub struct RandomAgent;

impl Agent for RandomAgent {
    fn decide(&mut self, turn: &Turn) -> Decision {
        let random = turn.game().random();
        if random.coin()
            && let Some(keep) = turn.best_bank()
        {
            return keep.bank();
        }
        let keeps = turn.legal_keeps();
        random.pick(&keeps).unwrap_or(&keeps[0]).roll()
    }
}

agent_sdk::export!(RandomAgent);

#[cfg(test)]
mod tests {
    use agent_sdk::farkle::presets;
    use agent_sdk::testing::{Situation, assert_always_legal};

    use super::*;

    /// Rule case c34, and that each keep and the bank come up as often as they should.
    #[test]
    fn c34_banks_every_scorer_and_rolls_with_any_keep() {
        let situation = Situation::new(&presets::PLAY_TABLE).roll("123445").at_risk(500);
        let answers = ["keep 1-5, bank", "keep 1-5, roll", "keep 1, roll", "keep 5, roll"];
        let mut seen = [0; 4];
        for seed in 0..6_000 {
            let answer = situation.agent_seed(seed).decide::<RandomAgent>().to_string();
            seen[answers.iter().position(|a| *a == answer).expect("one of these four")] += 1;
        }
        // A coin, then one of three: 1/2 and 1/6 each; five standard deviations are 194 and 144.
        assert!((3_000i32 - seen[0]).abs() < 194, "{seen:?}");
        assert!(seen[1..].iter().all(|n| (1_000 - n).abs() < 144), "{seen:?}");
    }

    #[test]
    fn is_always_legal() {
        assert_always_legal::<RandomAgent>(20_000);
    }
}
