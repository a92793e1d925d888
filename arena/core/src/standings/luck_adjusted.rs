//! Standings corrected for luck, beside the plain ones.
//!
//! Owns what both say of each agent, and how many matches the correction is worth. Refuses to rank: the
//! plain standings are the official ones.

use crate::luck::{Gain, LuckyPair, correct};
use crate::ratings::{Options, Rating, RatingError, Ratings};
use crate::standings::Tally;

/// The ratings of all agents, plain and corrected for luck.
#[derive(Clone, Debug, PartialEq)]
pub struct LuckAdjusted {
    /// By agent.
    pub agents: Vec<Adjusted>,
    /// By pairing: the first agent is that of the lower index.
    pub pairings: Vec<Gain>,
    corrected: Ratings,
}

/// One agent's rating, plain and corrected for luck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adjusted {
    /// From scores alone.
    pub plain: Rating,
    /// From scores corrected for luck.
    pub corrected: Rating,
}

impl Adjusted {
    /// How many times as many matches the plain rating would take to be as certain: the ratio of the
    /// squared widths of the intervals. `None` where an interval has no width.
    #[must_use]
    pub fn gain(&self) -> Option<f64> {
        let width = |rating: &Rating| rating.elo_high - rating.elo_low;
        let (plain, corrected) = (width(&self.plain), width(&self.corrected));
        (plain > 0.0 && corrected > 0.0).then(|| (plain / corrected) * (plain / corrected))
    }
}

impl LuckAdjusted {
    /// Corrects the pairs of a tally, all of which are given with their luck.
    ///
    /// # Errors
    ///
    /// [`RatingError`] when the outcomes cannot be fitted.
    pub fn new(tally: &Tally, pairs: &[LuckyPair], options: &Options) -> Result<LuckAdjusted, RatingError> {
        let correction = correct(pairs);
        let plain = tally.ratings(options)?;
        let corrected = tally.corrected_ratings(&correction.corrections, options)?;
        let agents =
            plain.ratings().zip(corrected.ratings()).map(|(plain, corrected)| Adjusted { plain, corrected }).collect();
        Ok(LuckAdjusted { agents, pairings: correction.gains, corrected })
    }

    /// The likelihood that agent `a` is truly stronger than agent `b`, by corrected scores.
    ///
    /// # Errors
    ///
    /// [`RatingError::UnknownAgent`].
    pub fn los(&self, a: usize, b: usize) -> Result<f64, RatingError> {
        self.corrected.los(a, b)
    }
}
