//! Keeps the most valuable dice, and banks once 350 points are at risk or banking wins.

use agent_sdk::{Agent, Decision, Turn};

#[derive(Default)]
pub struct MyAgent;

impl Agent for MyAgent {
    fn decide(&mut self, turn: &Turn) -> Decision {
        match turn.best_bank() {
            Some(keep) if turn.at_risk_with(&keep) >= 350 || turn.wins_by_banking(&keep) => keep.bank(),
            _ => turn.best_keep().roll(),
        }
    }
}

agent_sdk::export!(MyAgent);

#[cfg(test)]
mod tests {
    use agent_sdk::farkle::presets;
    use agent_sdk::testing::{Situation, assert_always_legal};

    use super::*;

    #[test]
    fn banks_every_scorer() {
        let situation = Situation::new(&presets::PLAY_TABLE).roll("123445").at_risk(500);
        assert_eq!(situation.decide::<MyAgent>().to_string(), "keep 1-5, bank");
    }

    #[test]
    fn never_breaks_the_rules() {
        assert_always_legal::<MyAgent>(1_000);
    }
}
