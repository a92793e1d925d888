//! The luck in one match.
//!
//! Owns its sum and sign. Refuses to know what a roll is worth, and matches of other numbers of seats than
//! two.

use farkle::Ruleset;

use super::{Luck, MEASURES};
use crate::event::Event;
use crate::moments::{Moment, go_through};

/// What rolls are worth to the seat that rolls: any values that were fixed before a result was seen.
pub trait RollValues {
    /// Why there is no value.
    type Error;

    /// What the roll was worth, its best use or any other, beyond the mean of that over all rolls of as
    /// many dice; by several measures.
    ///
    /// # Errors
    ///
    /// A situation without a value.
    fn luck(&self, moment: &Moment) -> Result<Luck, Self::Error>;
}

/// Why the luck of a match is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LuckError<E> {
    /// Not two seats.
    #[error("luck is that of two seats, and the match has {0}")]
    Seats(usize),
    /// A situation without a value.
    #[error("the roll of event {event} has no value: {why}")]
    NoValue {
        /// Which, from 1.
        event: usize,
        /// Why.
        why: E,
    },
}

/// The luck of both seats in a match, each its own: what its rolls were worth beyond their expectation. Before
/// a match the expectation of both is 0, whoever plays.
///
/// # Errors
///
/// [`LuckError`] for other numbers of seats than two, and where a roll has no value.
pub fn of_match<V: RollValues>(
    values: &V,
    rules: &Ruleset,
    seats: usize,
    events: &[Event],
) -> Result<[Luck; 2], LuckError<V::Error>> {
    if seats != 2 {
        return Err(LuckError::Seats(seats));
    }
    let mut sums = [[0.0; MEASURES]; 2];
    go_through(rules, events, |moment, _| {
        let luck = values.luck(moment).map_err(|why| LuckError::NoValue { event: moment.event + 1, why })?;
        for (sum, luck) in sums[usize::from(moment.seat)].iter_mut().zip(luck) {
            *sum += luck;
        }
        Ok(())
    })?;
    Ok(sums)
}
