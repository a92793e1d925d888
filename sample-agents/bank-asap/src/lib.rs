//! Takes what is on the table: the most valuable keep, banked as soon as the rules allow.

use agent_sdk::{Agent, Decision, Turn};

/// The agent. It has no memory.
#[derive(Default)]
pub struct BankAsap;

impl Agent for BankAsap {
    fn decide(&mut self, turn: &Turn) -> Decision {
        match turn.best_bank() {
            Some(keep) => keep.bank(),
            None => turn.best_keep().roll(),
        }
    }
}

agent_sdk::export!(BankAsap);

#[cfg(test)]
mod tests {
    use agent_sdk::farkle::presets;
    use agent_sdk::testing::{Situation, assert_always_legal};

    use super::*;

    /// Rule case c34: who banks keeps all that scores first.
    #[test]
    fn c34_banks_every_scorer() {
        let situation = Situation::new(&presets::PLAY_TABLE).roll("123445").at_risk(500);
        assert_eq!(situation.decide::<BankAsap>().to_string(), "keep 1-5, bank");
    }

    #[test]
    fn is_always_legal() {
        assert_always_legal::<BankAsap>(20_000);
    }
}
