//! Keeps all that scores, and banks the sooner the fewer dice are left to roll.

use agent_sdk::{Agent, Decision, Points, Turn};

/// By dice left, from one: the points at risk that are enough. A rule of thumb.
const ENOUGH: [Points; 6] = [250, 250, 400, 900, 2_000, 5_000];

/// The agent. It has no memory.
#[derive(Default)]
pub struct DiceCount;

impl Agent for DiceCount {
    fn decide(&mut self, turn: &Turn) -> Decision {
        let Some(keep) = turn.best_bank() else { return turn.best_keep().roll() };
        let enough = ENOUGH[usize::from(turn.dice_left(&keep)) - 1];
        if turn.at_risk_with(&keep) >= enough || turn.wins_by_banking(&keep) { keep.bank() } else { keep.roll() }
    }
}

agent_sdk::export!(DiceCount);

#[cfg(test)]
mod tests {
    use agent_sdk::farkle::presets;
    use agent_sdk::testing::{Situation, assert_always_legal};

    use super::*;

    /// Rule case c34, at the 1,000 points where this agent banks with four dice left.
    #[test]
    fn c34_banks_every_scorer() {
        let situation = Situation::new(&presets::PLAY_TABLE).roll("123445");
        assert_eq!(situation.at_risk(500).decide::<DiceCount>().to_string(), "keep 1-5, roll");
        assert_eq!(situation.at_risk(850).decide::<DiceCount>().to_string(), "keep 1-5, bank");
    }

    #[test]
    fn is_always_legal() {
        assert_always_legal::<DiceCount>(20_000);
    }
}
