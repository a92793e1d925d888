//! What rolls are worth under best play.
//!
//! Owns the way from a moment of a match to the solved turn. Refuses situations that the solution does not
//! have, such as dice that are not those of the ruleset.

use crate::luck::RollValues;
use crate::moments::Moment;
use crate::oracle::{Impossible, Oracle};

/// Why a roll has no value under best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoValue {
    /// There is no such position.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// Points off the step, or dice that are not there.
    #[error("{at_risk} points at risk and a roll of {dice} dice do not come about under this ruleset")]
    Turn {
        /// The points at risk.
        at_risk: farkle::Points,
        /// The dice.
        dice: u8,
    },
}

impl RollValues for Oracle {
    type Error = NoValue;

    fn luck(&self, moment: &Moment) -> Result<f64, NoValue> {
        let turn = self.kept_turn(&moment.position())?;
        let (at_risk, dice) = (moment.at_risk, moment.roll.len());
        match (turn.before_roll(at_risk, dice), turn.after_roll(at_risk, moment.roll)) {
            (Some(before), Some(after)) => Ok(after - before),
            _ => Err(NoValue::Turn { at_risk, dice }),
        }
    }
}
