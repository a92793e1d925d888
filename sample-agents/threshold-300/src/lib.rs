//! Keeps all that scores, and banks once a turn is worth 300 points or wins the match.

use agent_sdk::{Agent, Decision, Turn};

/// The agent. It has no memory.
#[derive(Default)]
pub struct Threshold300;

impl Agent for Threshold300 {
    fn decide(&mut self, turn: &Turn) -> Decision {
        match turn.best_bank() {
            Some(keep) if turn.at_risk_with(&keep) >= 300 || turn.wins_by_banking(&keep) => keep.bank(),
            _ => turn.best_keep().roll(),
        }
    }
}

agent_sdk::export!(Threshold300);

#[cfg(test)]
mod tests {
    use agent_sdk::farkle::presets;
    use agent_sdk::testing::{Situation, assert_always_legal};

    use super::*;

    /// Rule case c34: who banks keeps all that scores first.
    #[test]
    fn c34_banks_every_scorer() {
        let situation = Situation::new(&presets::PLAY_TABLE).roll("123445").at_risk(500);
        assert_eq!(situation.decide::<Threshold300>().to_string(), "keep 1-5, bank");
    }

    #[test]
    fn banks_at_300_or_when_it_wins() {
        let situation = Situation::new(&presets::IMMEDIATE_WIN).roll("123446");
        assert_eq!(situation.at_risk(200).decide::<Threshold300>().to_string(), "keep 1, bank");
        assert_eq!(situation.at_risk(150).decide::<Threshold300>().to_string(), "keep 1, roll");
        assert_eq!(situation.scores(&[9_900, 0]).decide::<Threshold300>().to_string(), "keep 1, bank");
    }

    #[test]
    fn is_always_legal() {
        assert_always_legal::<Threshold300>(20_000);
    }
}
