//! Why a format cannot say what comes next.
//!
//! Owns the messages: each names what is wrong and what is allowed. Refuses to know agents' names;
//! they have indices here.

use super::{MAX_BUDGET, MAX_PAIRS};
use crate::ratings::RatingError;
use crate::schedule::ScheduleError;

/// Why a format cannot say what comes next. Entries and blocks are numbered from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// No pairs, or too many.
    #[error("a block of {0} pairs was asked for; allowed are 1 to {MAX_PAIRS}")]
    Pairs(u64),
    /// A format for two seats, used with others.
    #[error("the format {format} takes 2 seats, and {seats} were given; any number of seats takes round-robin")]
    TwoSeats {
        /// The format.
        format: &'static str,
        /// The seats.
        seats: usize,
    },
    /// Too few entries that are not withdrawn.
    #[error("the format {format} at {seats} seats takes at least {needed} agents, and there are {active}")]
    TooFewAgents {
        /// The format.
        format: &'static str,
        /// The seats.
        seats: usize,
        /// How many it takes.
        needed: usize,
        /// How many there are, the withdrawn ones aside.
        active: usize,
    },
    /// A duel of more than two.
    #[error("a duel takes exactly 2 agents, and there are {active}")]
    NotADuel {
        /// How many there are, the withdrawn ones aside.
        active: usize,
    },
    /// A Swiss of no rounds.
    #[error("a Swiss of 0 rounds was asked for; it takes at least 1")]
    NoRounds,
    /// A ladder of nothing, or of too much.
    #[error(
        "a ladder of {budget} pairs by {batch} was asked for; a batch is 1 to all pairs, and those are at most {MAX_BUDGET}"
    )]
    Budget {
        /// Pairs of a block.
        batch: u64,
        /// Pairs of all.
        budget: u64,
    },
    /// An agent that came to a knockout or a duel that had begun.
    #[error("the {format} had begun before agent {number} came; allowed are those that it began with", number = entry + 1)]
    Late {
        /// The format.
        format: &'static str,
        /// Its index.
        entry: usize,
    },
    /// A gauntlet without the one who runs it.
    #[error("a gauntlet is run by the first entry, which is withdrawn")]
    NoRunner,
    /// A block that this format does not plan there.
    #[error("block {number} {why}", number = block + 1)]
    BadBlock {
        /// Its number, from 0.
        block: usize,
        /// What is wrong with it.
        why: &'static str,
    },
    /// No ratings to go by.
    #[error(transparent)]
    Rating(#[from] RatingError),
    /// No tables at which all meet equally often.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
}
