//! Two agents compared by pairs: how often the first took 0, ½, 1, 1½ or 2 points of a pair, and
//! what that says about the two.
//!
//! Owns the counts and the figures made of them. Refuses tables of more than two seats and pairs
//! that are not complete: both matches on one seed with the seats swapped. Nothing it returns is
//! NaN or infinite.
//!
//! The two matches of a pair share their dice, so the pair is the observation, not the match: the
//! spread of the five counts already holds whatever the shared dice do to it. The word
//! *pentanomial*, the figures and their definitions are those of the chess programs' testing tools,
//! fishtest (`server/fishtest/stats/stat_util.py`, `get_elo`) and fastchess
//! (`app/src/elo/elo_pentanomial.cpp`), so that they can be compared:
//!
//! - the score `s` of a match is the mean over pairs of a pair's points over 2, its variance `v` that
//!   of these over the pairs (divided by their number `n`), the standard error of `s` is `√(v/n)`;
//! - Elo is logistic: `400 log10(s / (1 - s))`; the ends of its interval are those of `s ± 1.96 √(v/n)`,
//!   taken to the Elo scale one by one;
//! - normalised Elo is `(s - ½) / √(2v) · 800 / ln 10` (M. Van den Bergh, *Comments on normalized
//!   Elo*, <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>): the advantage in standard
//!   deviations of one match. It tells how many matches it takes to see a difference, where Elo
//!   tells how large it is.
//!
//! Where these definitions have no answer, [`Figures`] says what is given instead.

use std::cmp::Ordering;

use serde::Serialize;

use crate::ratings::{ELO_PER_UNIT, NORMAL_95};
use crate::standings::Outcome;

/// What the first of two agents took of a pair: 0 to 2 points in steps of a half.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PairScore(u8);

/// Why outcomes are no pair of two agents.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PairError {
    /// Not two matches.
    #[error("a pair is two matches, and {0} were given")]
    Matches(usize),
    /// A match of more or fewer than two seats.
    #[error("match {place} of the pair has {seats} seats: a pair of two agents takes 2")]
    Seats {
        /// Which of the two, from 1.
        place: usize,
        /// Its seats.
        seats: usize,
    },
    /// The seats were not swapped, or others played.
    #[error(
        "the matches of agents {first:?} and {second:?} are no pair: it takes two agents, both in both seats, \
         and agent {of} among them"
    )]
    NotSwapped {
        /// The agents of the first match, in seat order.
        first: Vec<usize>,
        /// Those of the second.
        second: Vec<usize>,
        /// The agent whose points were asked for.
        of: usize,
    },
    /// More half points than a pair has.
    #[error("{0} half points: a pair has 0 to 4")]
    HalfPoints(u8),
}

impl PairScore {
    /// So many half points, 0 to 4.
    ///
    /// # Errors
    ///
    /// [`PairError::HalfPoints`] above 4.
    pub fn from_half_points(half_points: u8) -> Result<PairScore, PairError> {
        if half_points <= 4 { Ok(PairScore(half_points)) } else { Err(PairError::HalfPoints(half_points)) }
    }

    /// What agent `agent` took of the pair whose two matches `outcomes` are, in any order: a point
    /// for the better rank, half a point for an equal one.
    ///
    /// # Errors
    ///
    /// [`PairError`]: not two matches of two seats, with the same two agents, seats swapped, `agent` one
    /// of them.
    pub fn of(agent: usize, outcomes: &[Outcome]) -> Result<PairScore, PairError> {
        let [first, second] = outcomes else { return Err(PairError::Matches(outcomes.len())) };
        for (place, outcome) in (1..).zip(outcomes) {
            if outcome.agents.len() != 2 || outcome.ranks.len() != 2 {
                return Err(PairError::Seats { place, seats: outcome.agents.len() });
            }
        }
        let (a, b) = (first.agents[0], first.agents[1]);
        if a == b || second.agents != [b, a] || (agent != a && agent != b) {
            let (first, second) = (first.agents.clone(), second.agents.clone());
            return Err(PairError::NotSwapped { first, second, of: agent });
        }
        let mut half_points = 0;
        for outcome in outcomes {
            let own_seat = usize::from(outcome.agents[1] == agent);
            half_points += match outcome.ranks[own_seat].cmp(&outcome.ranks[1 - own_seat]) {
                Ordering::Less => 2,
                Ordering::Equal => 1,
                Ordering::Greater => 0,
            };
        }
        Ok(PairScore(half_points))
    }

    /// In half points: 0 to 4.
    #[must_use]
    pub fn half_points(self) -> u8 {
        self.0
    }

    /// The same pair as the other agent sees it.
    #[must_use]
    pub fn of_the_other(self) -> PairScore {
        PairScore(4 - self.0)
    }
}

/// How many pairs gave the first of two agents 0, ½, 1, 1½ and 2 points.
///
/// ```
/// # use arena_core::pentanomial::{PairError, PairScore, Pentanomial};
/// let mut pairs = Pentanomial::default();
/// for half_points in [4, 2, 2, 4, 0, 2, 4, 2] {
///     pairs.add(PairScore::from_half_points(half_points)?);
/// }
/// assert_eq!(pairs.counts(), [1, 0, 4, 0, 3]);
/// let figures = pairs.figures();
/// assert_eq!((figures.score, figures.draw_ratio), (0.625, Some(0.5)));
/// // 400 log10(0.625 / 0.375) = 88.74.
/// assert!((figures.elo.unwrap() - 88.74).abs() < 0.01);
/// // Eight pairs tell little.
/// assert!(figures.elo_low.unwrap() < 0.0);
/// # Ok::<(), PairError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Pentanomial([u64; 5]);

/// What the counts say about the first agent against the second.
///
/// **Where the definitions have no answer.** A score of 0 or 1 has no finite Elo: `elo` is `None`,
/// and so is an end of its interval whose score is 0 or 1, which says that on this side the pairs set no
/// bound. Ends of the score's interval stay within 0 and 1. When *all pairs are alike* (or there is one
/// alone), their spread is 0 and says nothing; then
///
/// - the interval is exact instead: with 95% confidence at least the share `q = 0.05^(1/n)` of all
///   pairs are such pairs, since otherwise `n` in a row would have a probability below 5%; the rest
///   may bring the first agent anything from 0 to 2 points. It holds the truth in at least 95% of
///   cases;
/// - `los` is the posterior probability, after a uniform prior, that of the pairs which the two do
///   not share evenly more than half go to the first agent: `1 - ½^(n+1)` after `n` such pairs and
///   none for the other; one half when all were shared evenly;
/// - `normalised_elo` is `None`.
///
/// Without pairs the score is one half, Elo 0, `los` one half, and everything else unknown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Pairs counted.
    pub pairs: u64,
    /// Mean score of a match, 0 to 1.
    pub score: f64,
    /// Lower end of its 95% interval, 0 to 1.
    pub score_low: f64,
    /// Its upper end, 0 to 1.
    pub score_high: f64,
    /// How much stronger the first agent is, in Elo; `None` for a score of 0 or 1.
    pub elo: Option<f64>,
    /// Lower end of its 95% interval; `None` when there is no bound.
    pub elo_low: Option<f64>,
    /// Its upper end; `None` when there is no bound.
    pub elo_high: Option<f64>,
    /// Likelihood that the first agent is truly stronger, 0 to 1: the normal distribution function
    /// at the lead in standard errors.
    pub los: f64,
    /// Normalised Elo; `None` when all pairs are alike.
    pub normalised_elo: Option<f64>,
    /// Lower end of its 95% interval, the spread taken as known.
    pub normalised_elo_low: Option<f64>,
    /// Its upper end.
    pub normalised_elo_high: Option<f64>,
    /// The share of pairs with one point for each, be it by a win each or by two draws: what
    /// fastchess calls so. `None` without pairs.
    pub draw_ratio: Option<f64>,
}

impl Pentanomial {
    /// From counts of pairs with 0, ½, 1, 1½ and 2 points for the first agent.
    #[must_use]
    pub fn from_counts(counts: [u64; 5]) -> Pentanomial {
        Pentanomial(counts)
    }

    /// Counts one pair.
    pub fn add(&mut self, score: PairScore) {
        self.0[usize::from(score.0)] += 1;
    }

    /// Pairs with 0, ½, 1, 1½ and 2 points for the first agent.
    #[must_use]
    pub fn counts(&self) -> [u64; 5] {
        self.0
    }

    /// How many pairs were counted.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean score of a match over the pairs, 0 to 1; one half without pairs.
    #[must_use]
    pub fn score(&self) -> f64 {
        let pairs = self.pairs();
        let quarters: u64 = self.0.iter().zip(0..).map(|(count, quarters)| count * quarters).sum();
        if pairs == 0 { 0.5 } else { quarters as f64 / (4 * pairs) as f64 }
    }

    /// The variance of the score over the pairs; 0 without pairs.
    fn variance(&self) -> f64 {
        let (score, pairs) = (self.score(), self.pairs().max(1) as f64);
        self.0.iter().zip(SCORES).map(|(count, value)| *count as f64 * (value - score) * (value - score)).sum::<f64>()
            / pairs
    }

    /// Everything the counts say.
    #[must_use]
    pub fn figures(&self) -> Figures {
        let pairs = self.pairs();
        let score = self.score();
        let alike = self.0.iter().filter(|count| **count > 0).count() < 2;
        let (score_low, score_high, los, normalised) = if alike {
            let (low, high, los) = alike_figures(score, pairs);
            (low, high, los, [None; 3])
        } else {
            let variance = self.variance();
            let error = (variance / pairs as f64).sqrt();
            let (low, high) = (score - NORMAL_95 * error, score + NORMAL_95 * error);
            let los = 0.5 * libm::erfc(-(score - 0.5) / error * std::f64::consts::FRAC_1_SQRT_2);
            // 800 / ln 10 for one standard deviation of a match.
            let normalised = |score: f64| (score - 0.5) / (2.0 * variance).sqrt() * 2.0 * ELO_PER_UNIT;
            (low.max(0.0), high.min(1.0), los, [score, low, high].map(|score| Some(normalised(score))))
        };
        let [normalised_elo, normalised_elo_low, normalised_elo_high] = normalised;
        Figures {
            pairs,
            score,
            score_low,
            score_high,
            elo: elo(score),
            elo_low: elo(score_low),
            elo_high: elo(score_high),
            los,
            normalised_elo,
            normalised_elo_low,
            normalised_elo_high,
            draw_ratio: (pairs > 0).then(|| self.0[2] as f64 / pairs as f64),
        }
    }
}

/// The score of a match that each number of half points in a pair stands for.
pub(crate) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Ends of the score's interval and the likelihood of superiority from `pairs` pairs that all gave
/// `score`.
fn alike_figures(score: f64, pairs: u64) -> (f64, f64, f64) {
    let n = pairs as f64;
    let share = if pairs == 0 { 0.0 } else { libm::exp(libm::log(0.05) / n) };
    let unlikely = 0.5 * libm::exp2(-n);
    let los = match score.total_cmp(&0.5) {
        Ordering::Less => unlikely,
        Ordering::Equal => 0.5,
        Ordering::Greater => 1.0 - unlikely,
    };
    (share * score, share * score + (1.0 - share), los)
}

/// The Elo difference of an expected score; `None` at 0 and 1.
fn elo(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| ELO_PER_UNIT * libm::log(score / (1.0 - score)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use farkle::Ending;

    fn close(found: Option<f64>, expected: f64, tolerance: f64) {
        assert!((found.unwrap() - expected).abs() <= tolerance, "{found:?} is not {expected}");
    }

    /// The figures that fastchess's own tests expect (`app/tests/elo_test.cpp`): counts of 0, ½, 1 by
    /// a win each, 1 by two draws, 1½, 2 points; normalised Elo, Elo, each with half its interval.
    #[test]
    fn figures_of_fastchess() {
        for (counts, normalised, half_normalised, elo, half, los) in [
            ([34, 54, 31 + 32, 64, 75], 57.94, 28.28, 55.58, 27.65, Some(1.0000)),
            ([332, 433, 457 + 41, 333, 334], -9.17, 10.96, -8.64, 10.33, Some(0.0505)),
            ([7895, 8757, 5485 + 200, 568, 9999], -19.01, 2.65, -21.04, 2.95, None),
        ] {
            let figures = Pentanomial::from_counts(counts).figures();
            close(figures.normalised_elo, normalised, 0.006);
            let both = figures.normalised_elo_high.unwrap() - figures.normalised_elo_low.unwrap();
            close(Some(both / 2.0), half_normalised, 0.006);
            close(figures.elo, elo, 0.006);
            close(Some((figures.elo_high.unwrap() - figures.elo_low.unwrap()) / 2.0), half, 0.006);
            if let Some(los) = los {
                close(Some(figures.los), los, 0.000_06);
            }
        }
    }

    /// By hand: pairs of 0, 2, 2 points: score 2/3, variance 2/9.
    #[test]
    fn figures_by_hand() {
        let pairs = Pentanomial::from_counts([1, 0, 0, 0, 2]);
        let figures = pairs.figures();
        close(Some(figures.score), 2.0 / 3.0, 1e-15);
        close(Some(pairs.variance()), 2.0 / 9.0, 1e-15);
        // 400 log10(2).
        close(figures.elo, 120.411_998, 1e-6);
        // Standard error √(2/27) = 0.2722; 2/3 + 1.96 * 0.2722 is above 1: no bound.
        close(Some(figures.score_low), 0.666_667 - 1.959_964 * 0.272_166, 1e-5);
        assert_eq!((figures.score_high, figures.elo_high), (1.0, None));
        // (1/6) / √(4/9) = 1/4 standard deviation of a match: 800 / (4 ln 10).
        close(figures.normalised_elo, 86.858_896, 1e-6);
        // The normal distribution function at (1/6) / 0.272166 = 0.612372 is 0.72985 (printed tables:
        // 0.7291 at 0.61, 0.7324 at 0.62).
        close(Some(figures.los), 0.7299, 1e-4);
        assert_eq!(figures.draw_ratio, Some(0.0));
    }

    #[test]
    fn no_pair_says_nothing() {
        let figures = Pentanomial::default().figures();
        assert_eq!((figures.pairs, figures.score, figures.los), (0, 0.5, 0.5));
        assert_eq!((figures.score_low, figures.score_high), (0.0, 1.0));
        assert_eq!((figures.elo, figures.elo_low, figures.elo_high), (Some(0.0), None, None));
        assert_eq!((figures.normalised_elo, figures.draw_ratio), (None, None));
    }

    #[test]
    fn pairs_all_alike_have_exact_intervals() {
        // 10 pairs of 2 points. 0.05^(1/10) = 0.741134; 400 log10(0.741134 / 0.258866) = 182.73.
        let won = Pentanomial::from_counts([0, 0, 0, 0, 10]).figures();
        assert_eq!((won.score, won.elo, won.elo_high), (1.0, None, None));
        close(Some(won.score_low), 0.741_134, 1e-6);
        close(won.elo_low, 182.73, 0.01);
        close(Some(won.los), 1.0 - 1.0 / 2048.0, 1e-15);
        let lost = Pentanomial::from_counts([10, 0, 0, 0, 0]).figures();
        close(Some(lost.score_high), 1.0 - 0.741_134, 1e-6);
        close(Some(lost.los), 1.0 / 2048.0, 1e-15);
        // 10 pairs of one point each: half of the share is sure on either side.
        let level = Pentanomial::from_counts([0, 0, 10, 0, 0]).figures();
        assert_eq!((level.elo, level.los, level.draw_ratio), (Some(0.0), 0.5, Some(1.0)));
        close(Some(level.score_low), 0.370_567, 1e-6);
        close(Some(level.score_high), 1.0 - 0.370_567, 1e-6);
        close(level.elo_high, -level.elo_low.unwrap(), 1e-9);
    }

    #[test]
    fn every_small_count_is_finite_and_mirrored() {
        let limits = [0, 1, 2, 1_000_000];
        for code in 0..4_usize.pow(5) {
            let counts: [u64; 5] = std::array::from_fn(|place| limits[code / 4_usize.pow(place as u32) % 4]);
            let figures = Pentanomial::from_counts(counts).figures();
            let mirrored = Pentanomial::from_counts([counts[4], counts[3], counts[2], counts[1], counts[0]]).figures();
            let all = [figures.elo, figures.elo_low, figures.elo_high, figures.normalised_elo];
            assert!(all.into_iter().flatten().all(f64::is_finite), "{figures:?}");
            assert!((0.0..=1.0).contains(&figures.los) && (figures.los + mirrored.los - 1.0).abs() < 1e-9);
            assert!(0.0 <= figures.score_low && figures.score_low <= figures.score, "{figures:?}");
            assert!(figures.score <= figures.score_high && figures.score_high <= 1.0, "{figures:?}");
            assert!((figures.score_low - 1.0 + mirrored.score_high).abs() < 1e-9);
            assert_eq!(figures.elo.is_some(), mirrored.elo.is_some());
        }
    }

    fn outcome(agents: &[usize], ranks: &[u32]) -> Outcome {
        let scores = vec![0; agents.len()];
        let (agents, ranks) = (agents.to_vec(), ranks.to_vec());
        Outcome { agents, ranks, scores, faults: Vec::new(), ending: Ending::FinalRound, turns: Vec::new() }
    }

    #[test]
    fn outcomes_are_counted_for_the_agent_asked_for() {
        let win_and_draw = [outcome(&[3, 7], &[1, 2]), outcome(&[7, 3], &[1, 1])];
        let own = PairScore::of(3, &win_and_draw).unwrap();
        assert_eq!(own.half_points(), 3);
        assert_eq!(PairScore::of(7, &win_and_draw), Ok(own.of_the_other()));
        let seat_1_wins = [outcome(&[7, 3], &[2, 1]), outcome(&[3, 7], &[2, 1])];
        assert_eq!(PairScore::of(3, &seat_1_wins).unwrap().half_points(), 2);
        assert_eq!(PairScore::from_half_points(5), Err(PairError::HalfPoints(5)));
    }

    #[test]
    fn what_is_no_pair_is_refused() {
        let one = outcome(&[0, 1], &[1, 2]);
        let refused = |outcomes: &[Outcome]| PairScore::of(0, outcomes).unwrap_err();
        assert_eq!(refused(std::slice::from_ref(&one)), PairError::Matches(1));
        let three = [one.clone(), outcome(&[1, 0, 2], &[1, 2, 3])];
        assert_eq!(refused(&three), PairError::Seats { place: 2, seats: 3 });
        for other in [outcome(&[0, 1], &[1, 2]), outcome(&[2, 0], &[1, 2]), outcome(&[1, 2], &[1, 2])] {
            assert!(matches!(refused(&[one.clone(), other]), PairError::NotSwapped { .. }));
        }
        let others = [outcome(&[1, 2], &[1, 2]), outcome(&[2, 1], &[1, 2])];
        assert!(refused(&others).to_string().ends_with("and agent 0 among them"));
    }
}
