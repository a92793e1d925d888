//! Opponents to seat at a test's table.
//!
//! Owns three that decide as the sample agents of these names. Refuses strength: they are there
//! to be beaten.
//!
//! ```
//! use agent_sdk::{farkle::presets, testing::{AtRandom, Table, Threshold}};
//! let table = Table::new(&presets::IMMEDIATE_WIN).seat::<Threshold<300>>().seat::<AtRandom>();
//! let won = (0..50).filter(|seed| table.play(*seed).result.ranks[0] == 1).count();
//! assert!(won > 35);
//! ```

use crate::{Agent, Decision, Points, Turn};

/// Keeps all that scores and banks as soon as the rules allow it; the sample `bank-asap`.
#[derive(Clone, Copy, Debug, Default)]
pub struct BankAsap;

impl Agent for BankAsap {
    fn decide(&mut self, turn: &Turn) -> Decision {
        turn.best_bank().map_or_else(|| turn.best_keep().roll(), |keep| keep.bank())
    }
}

/// Keeps all that scores, and banks once a turn is worth so many points or wins the match;
/// `Threshold<300>` is the sample `threshold-300`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threshold<const POINTS: Points>;

impl<const POINTS: Points> Agent for Threshold<POINTS> {
    fn decide(&mut self, turn: &Turn) -> Decision {
        match turn.best_bank() {
            Some(keep) if turn.at_risk_with(&keep) >= POINTS || turn.wins_by_banking(&keep) => keep.bank(),
            _ => turn.best_keep().roll(),
        }
    }
}

/// Tosses a coin to bank, else rolls on with any of the legal keeps; the sample `random`.
#[derive(Clone, Copy, Debug, Default)]
pub struct AtRandom;

impl Agent for AtRandom {
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
