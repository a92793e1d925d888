//! Owns the joint rating fit: from the finishes of matches to ratings on the Elo scale, with 95%
//! intervals, seat advantages, ties, and the likelihood that one agent is truly stronger.
//!
//! Refuses: updating ratings match by match (a rating here never depends on the order of the
//! matches), tables of different sizes in one fit, names, files, clocks. Nothing it returns is NaN
//! or infinite, whatever the finishes were: lost everything, won everything, never played, never
//! met.
//!
//! # Model
//!
//! Plackett–Luce with ties (Turner, van Etten, Firth, Kosmidis 2020, after Davidson 1970): the
//! agents that share the next place are a set `C` of those still without a place, with probability
//! proportional to `delta(|C|) * exp(mean over C of strength + seat effect)`, `delta(1) = 1`. For
//! two seats this is Davidson's model with an order effect: win, tie and loss are as
//! `x : delta * sqrt(x) : 1` with `x` = exp(difference of log worths).
//!
//! - **Ties**: every size of tie that was seen has its own delta, fitted; sizes never seen have
//!   delta 0, their maximum-likelihood value. So without ties there is no tie parameter.
//! - **Seats**: one effect per seat. All tables of a fit have the same number of seats.
//! - **Prior** ([`PRIOR`]): each strength and each seat effect gets one virtual win and one
//!   virtual loss against a fixed reference at 0; each delta(k) one virtual k-way tie and one
//!   virtual decision among k equal agents. With it the maximum exists, is unique (the log
//!   likelihood is concave in strengths, effects and log deltas) and is finite.
//! - **Scale**: `400 / ln 10` Elo for one unit of strength, then shifted to mean
//!   [`MEAN_ELO`] or to the anchor. Seat effects are shifted to mean 0.
//! - **Intervals**: a sandwich estimator over clusters of matches that share dice (Liang, Zeger
//!   1986), the shift to the mean or the anchor included: an anchored agent has an interval of
//!   width 0. See [`Seen`] for what a cluster is. An agent of whom little is known widens all
//!   intervals, since it moves the mean; differences and an anchored scale do not suffer from it.
//!
//! Exponentials and logarithms come from `libm` and the linear algebra is plain loops, so the
//! result is the same on every machine.

mod clusters;
mod input;
mod likelihood;
pub(crate) mod matrix;
mod newton;
mod result;
mod seeds;
mod spread;
mod symmetric;

pub use input::{Correction, Finish, Pair, Seen};
pub use result::{Difference, Rating, Ratings, Tie};
pub use seeds::Seeds;

pub(crate) use result::NORMAL_95;

use input::Data;
use newton::MAX_STEPS;

/// The name of the prior, for people and for the `prior` field of standings.
pub const PRIOR: &str = "one virtual win and one virtual loss per agent, seat and tie size";

/// The mean of the ratings when no agent is anchored, in Elo.
pub const MEAN_ELO: f64 = 1500.0;

/// Elo for one unit of strength (a natural logarithm of odds): 400 / ln 10.
pub const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The most matches in one fit. Beyond it, rounding in the sums would drown the prior.
pub const MAX_MATCHES: u64 = 1_000_000_000_000;

/// Settings of a fit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Hold one agent at a given rating instead of the mean at [`MEAN_ELO`].
    pub anchor: Option<Anchor>,
}

/// An agent whose rating is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// Index of the agent.
    pub agent: usize,
    /// Its rating in Elo.
    pub elo: f64,
}

/// Why a fit was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RatingError {
    /// No agents to rate.
    #[error("no agents to rate")]
    NoAgents,
    /// An index at or past the number of agents.
    #[error("unknown agent {agent}: indices are below {agents}")]
    UnknownAgent {
        /// The index.
        agent: usize,
        /// The number of agents.
        agents: usize,
    },
    /// A pair without matches.
    #[error("pair {pair} has no matches")]
    EmptyPair {
        /// Index of the pair in the input.
        pair: usize,
    },
    /// A match of fewer than two seats compares nothing.
    #[error("pair {pair} has a match of {seats} seats: a comparison takes at least 2")]
    TooFewSeats {
        /// Index of the pair in the input.
        pair: usize,
        /// Seats of the match.
        seats: usize,
    },
    /// Tables of different sizes in one fit.
    #[error("pair {pair} has a match of {seats} seats among matches of {expected}")]
    MixedSeats {
        /// Index of the pair in the input.
        pair: usize,
        /// Seats of the match.
        seats: usize,
        /// Seats of the first match of the input.
        expected: usize,
    },
    /// Ranks that are not one per seat, from 1, shared ones skipping the ones after (1, 1, 3).
    #[error("pair {pair} has ranks {ranks:?}, which are no ranking of {seats} seats")]
    BadRanks {
        /// Index of the pair in the input.
        pair: usize,
        /// The ranks.
        ranks: Vec<u32>,
        /// Seats of the match.
        seats: usize,
    },
    /// More than [`MAX_MATCHES`].
    #[error("more than {MAX_MATCHES} matches")]
    TooManyMatches,
    /// A correction that corrects nothing: an infinite one, or one at another number of seats than two.
    #[error("a correction of {score} at {seats} seats: corrections are finite, and at two seats")]
    Correction {
        /// The correction.
        score: f64,
        /// Seats of the matches.
        seats: usize,
    },
    /// The anchor's rating is NaN or infinite.
    #[error("the anchor's rating {0} is not a finite number")]
    BadAnchor(f64),
    /// The fit did not settle. Nothing a tournament could produce is known to cause this; a few
    /// contrived finishes with several sizes of tie, each a million times over, can.
    #[error("the fit did not settle within {MAX_STEPS} steps")]
    NotSettled,
}

/// Fits ratings of agents `0..agents` to `pairs`, jointly.
///
/// The same pairs in any order, aggregated or not, give the same bits; renumbered agents give the
/// same ratings up to rounding. 50 agents with 1,225 pairings of nine patterns each take some tens
/// of milliseconds.
///
/// # Errors
///
/// Every [`RatingError`]; all but `NotSettled` name something wrong with the input.
///
/// # Example
///
/// ```
/// # use arena_core::ratings::{Finish, Options, Pair, RatingError, Seen, fit};
/// // Agents 0 and 1 played both seatings of 100 seeds; agent 0 won both matches of 40 seeds and
/// // lost both of 10; on 50 seeds each won from seat 0.
/// let pair = |first: [u32; 2], second: [u32; 2], times| Pair {
///     finishes: vec![
///         Finish { agents: vec![0, 1], ranks: first.to_vec() },
///         Finish { agents: vec![1, 0], ranks: second.to_vec() },
///     ],
///     seen: Seen::Times(times),
/// };
/// let ratings = fit(
///     2,
///     &[pair([1, 2], [2, 1], 40), pair([2, 1], [1, 2], 10), pair([1, 2], [1, 2], 50)],
///     &Options::default(),
/// )?;
/// let first = ratings.ratings().next().unwrap();
/// assert!(first.elo_low > 1500.0);
/// assert!(ratings.los(0, 1)? > 0.999);
/// assert!(ratings.seat_advantage().elo > 0.0);
/// # Ok::<(), RatingError>(())
/// ```
pub fn fit(agents: usize, pairs: &[Pair], options: &Options) -> Result<Ratings, RatingError> {
    fit_corrected(agents, pairs, &[], options)
}

/// The same with corrected scores of pairs at two seats.
///
/// At the maximum of the likelihood, what an agent scored, ties one half, is what the model expects it to
/// score, but for the prior. A correction adds to what it scored, and to the spread of what one seed says,
/// and changes nothing else: corrections of expectation 0 leave estimates where they were in the mean.
///
/// # Errors
///
/// Every [`RatingError`], among them [`Correction`](RatingError::Correction).
pub fn fit_corrected(
    agents: usize,
    pairs: &[Pair],
    corrections: &[Correction],
    options: &Options,
) -> Result<Ratings, RatingError> {
    check(agents, pairs, options)?;
    check_corrections(agents, pairs, corrections)?;
    let seats = pairs.first().map_or(0, |pair| pair.finishes[0].agents.len());
    let data = Data::collect(agents, seats, pairs, corrections);
    let (point, information, inverse) = newton::settle(&data)?;
    let covariance = spread::covariance(
        &data.layout,
        &data.outcomes,
        &data.clusters,
        &data.corrections,
        &point,
        &information,
        &inverse,
    );
    let all_finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
    if !all_finite(&point) || !(0..point.len()).all(|row| all_finite(covariance.row(row))) {
        return Err(RatingError::NotSettled);
    }
    Ok(result::scale(&data.layout, &point, &covariance, options.anchor))
}

fn check(agents: usize, pairs: &[Pair], options: &Options) -> Result<(), RatingError> {
    if agents == 0 {
        return Err(RatingError::NoAgents);
    }
    let known = |agent: usize| {
        if agent < agents { Ok(()) } else { Err(RatingError::UnknownAgent { agent, agents }) }
    };
    if let Some(anchor) = options.anchor {
        known(anchor.agent)?;
        if !anchor.elo.is_finite() {
            return Err(RatingError::BadAnchor(anchor.elo));
        }
    }
    let mut matches = 0_u64;
    let mut expected = None;
    for (pair, Pair { finishes, seen }) in pairs.iter().enumerate() {
        if finishes.is_empty() {
            return Err(RatingError::EmptyPair { pair });
        }
        for finish in finishes {
            let seats = finish.agents.len();
            if seats < 2 {
                return Err(RatingError::TooFewSeats { pair, seats });
            }
            let expected = *expected.get_or_insert(seats);
            if seats != expected {
                return Err(RatingError::MixedSeats { pair, seats, expected });
            }
            if !is_ranking(&finish.ranks, seats) {
                return Err(RatingError::BadRanks { pair, ranks: finish.ranks.clone(), seats });
            }
            finish.agents.iter().try_for_each(|&agent| known(agent))?;
        }
        matches = seen
            .times()
            .checked_mul(finishes.len() as u64)
            .and_then(|more| matches.checked_add(more))
            .filter(|&sum| sum <= MAX_MATCHES)
            .ok_or(RatingError::TooManyMatches)?;
    }
    Ok(())
}

fn check_corrections(agents: usize, pairs: &[Pair], corrections: &[Correction]) -> Result<(), RatingError> {
    let seats = pairs.first().map_or(0, |pair| pair.finishes[0].agents.len());
    for correction in corrections {
        if let Some(&agent) = correction.agents.iter().find(|agent| **agent >= agents) {
            return Err(RatingError::UnknownAgent { agent, agents });
        }
        if seats != 2 || !correction.score.is_finite() {
            return Err(RatingError::Correction { score: correction.score, seats });
        }
    }
    Ok(())
}

fn is_ranking(ranks: &[u32], seats: usize) -> bool {
    ranks.len() == seats
        && ranks.iter().all(|&own| {
            let better = ranks.iter().filter(|&&other| other < own).count();
            usize::try_from(own) == Ok(better + 1)
        })
}
