//! Luck as a control variate: scores of pairs corrected for the dice.
//!
//! Owns the estimator. Refuses to know where luck comes from: a sum over the rolls of a match of what each
//! was worth beyond its expectation, under any values that were fixed before a result was seen, has the
//! expectation 0, whoever plays ([`of_match`] adds it up).
//!
//! # The estimator
//!
//! Of a pair, `X` is the score of the first agent (0 to 2) and `L` the luck of both agents in both matches, by
//! several [measures](Measures). `Y = X - beta L` has the expectation of `X` for every `beta` that was found
//! without this pair, and the least variance for the `beta` of least squares, `Var(L)⁻¹ Cov(L, X)`: what
//! remains is `1 - R²` of it (S. S. Lavenberg, P. D. Welch, *A perspective on the use of control variables to
//! increase the efficiency of Monte Carlo simulations*, Management Science 27, 1981; for games of chance
//! M. White, M. Bowling, *Learning a value analysis tool for agent evaluation*, IJCAI 2009).
//!
//! - **Each pair's beta is fitted on all others** of the same two agents (leaving one out). So it is
//!   independent of the pair's own luck, and the mean of `Y` has exactly the expectation of the mean of `X`.
//! - **Each pairing has its own beta**, since agents waste their luck each in their own way.
//! - **Few pairs fit nothing**: with fewer than [`FEWEST`] others beta is [`FIXED`], which is as good for the
//!   expectation.
//! - **No pairing leaves what is possible**: a corrected total below 0 or above twice the pairs, which comes
//!   about where one agent wins nearly everything, is taken back to that end.

mod measures;
mod of_match;

use std::collections::BTreeMap;

pub use self::measures::{HABITS, Measures, NoValue};
pub use self::of_match::{LuckError, RollValues, of_match};

use crate::ratings::matrix::Square;
use crate::ratings::{Correction, NORMAL_95};

/// By how many measures luck is taken.
pub const MEASURES: usize = 4;

/// The luck of a seat by each measure, in matches won.
pub type Luck = [f64; MEASURES];

/// With fewer other pairs than so many, coefficients are not fitted.
pub const FEWEST: f64 = 63.0;

/// What they are then: a fixed share of the luck by best play. Between agents that think it is best at about
/// 0.9, against one that plays at random at about a half.
pub const FIXED: f64 = 0.6;

/// What one agent took of a pair, and the luck of both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LuckyPair {
    /// The pair's index: pairs of one index share their dice.
    pub pair: u64,
    /// The two agents, by index; the same two always in the same order.
    pub agents: [usize; 2],
    /// What the first took of it: 0 to 2.
    pub score: f64,
    /// The luck of both in both matches.
    pub luck: [Luck; 2],
}

/// What correcting a pairing did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// The two agents.
    pub agents: [usize; 2],
    /// Their pairs.
    pub pairs: u64,
    /// The mean score of a pair, 0 to 2, of the first agent.
    pub score: f64,
    /// Its sample variance over pairs.
    pub variance: f64,
    /// The mean corrected score.
    pub corrected_score: f64,
    /// The sample variance of corrected scores.
    pub corrected_variance: f64,
}

impl Gain {
    /// How many times as many pairs the plain scores would need for the same certainty; `None` where all
    /// pairs ended alike.
    #[must_use]
    pub fn ratio(&self) -> Option<f64> {
        (self.variance > 1e-18 && self.corrected_variance > 1e-18).then(|| self.variance / self.corrected_variance)
    }

    /// Both ends of the 95% interval of the mean corrected score, 0 to 2; none where there is no standard
    /// error.
    #[must_use]
    pub fn corrected_interval(&self) -> Option<(f64, f64)> {
        let half = NORMAL_95 * self.standard_errors()[1]?;
        Some(((self.corrected_score - half).max(0.0), (self.corrected_score + half).min(2.0)))
    }

    /// The standard errors of the mean scores, plain and corrected; none where pairs do not differ, or there
    /// is one alone.
    #[must_use]
    pub fn standard_errors(&self) -> [Option<f64>; 2] {
        let error = |variance: f64| (variance > 1e-18).then(|| (variance / self.pairs as f64).sqrt());
        [self.variance, self.corrected_variance].map(error)
    }
}

/// Scores corrected for luck.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Corrected {
    /// For each pair, in the order given: what is added to the score of its first agent.
    pub corrections: Vec<Correction>,
    /// By pairing.
    pub gains: Vec<Gain>,
}

/// Corrects scores. The order of the pairs does not matter, but for that of the corrections.
///
/// ```
/// # use arena_core::luck::{LuckyPair, MEASURES, correct};
/// // Where luck is all there is, nothing is left of it.
/// let pairs: Vec<_> = [(0.0, -0.9), (1.0, 0.1), (2.0, 1.1), (1.0, 0.1)]
///     .iter()
///     .cycle()
///     .zip(0..100)
///     .map(|(&(score, luck), pair)| {
///         let luck = [[luck; MEASURES], [0.0; MEASURES]];
///         LuckyPair { pair, agents: [0, 1], score, luck }
///     })
///     .collect();
/// let corrected = correct(&pairs);
/// assert!(corrected.gains[0].corrected_variance < 1e-9);
/// ```
pub fn correct(pairs: &[LuckyPair]) -> Corrected {
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    order.sort_by_key(|&place| (pairs[place].pair, pairs[place].agents));
    let mut totals: BTreeMap<[usize; 2], Sums> = BTreeMap::new();
    for &place in &order {
        totals.entry(pairs[place].agents).or_default().add(&pairs[place], 1.0);
    }
    let amount = |pair: &LuckyPair| {
        let mut others = totals[&pair.agents];
        others.add(pair, -1.0);
        -luck(pair).iter().zip(others.beta()).map(|(luck, beta)| beta * luck).sum::<f64>()
    };
    let mut amounts: Vec<f64> = pairs.iter().map(amount).collect();

    let mut changes: BTreeMap<[usize; 2], f64> = BTreeMap::new();
    for &place in &order {
        *changes.entry(pairs[place].agents).or_default() += amounts[place];
    }
    for &place in &order {
        let (sums, change) = (&totals[&pairs[place].agents], changes[&pairs[place].agents]);
        let possible = change.clamp(-sums.score, 2.0 * sums.pairs - sums.score);
        if possible != change {
            amounts[place] *= possible / change;
        }
    }

    let mut scores: BTreeMap<[usize; 2], [Scores; 2]> = BTreeMap::new();
    for &place in &order {
        let [plain, corrected] = scores.entry(pairs[place].agents).or_default();
        plain.add(pairs[place].score);
        corrected.add(pairs[place].score + amounts[place]);
    }
    let gain = |(agents, [plain, corrected]): ([usize; 2], [Scores; 2])| Gain {
        agents,
        pairs: plain.pairs as u64,
        score: plain.mean(),
        variance: plain.variance(),
        corrected_score: corrected.mean(),
        corrected_variance: corrected.variance(),
    };
    let correction = |(pair, score): (&LuckyPair, f64)| Correction { seed: pair.pair, agents: pair.agents, score };
    Corrected {
        corrections: pairs.iter().zip(amounts).map(correction).collect(),
        gains: scores.into_iter().map(gain).collect(),
    }
}

/// Measures of the first agent, then of the second.
const COLUMNS: usize = 2 * MEASURES;

fn luck(pair: &LuckyPair) -> [f64; COLUMNS] {
    std::array::from_fn(|column| pair.luck[column / MEASURES][column % MEASURES])
}

/// Mean and variance of scores.
#[derive(Clone, Copy, Default)]
struct Scores {
    pairs: f64,
    sum: f64,
    squares: f64,
}

impl Scores {
    fn add(&mut self, score: f64) {
        // About the middle, for the digits' sake.
        let score = score - 1.0;
        self.pairs += 1.0;
        self.sum += score;
        self.squares += score * score;
    }

    fn mean(&self) -> f64 {
        1.0 + self.sum / self.pairs
    }

    fn variance(&self) -> f64 {
        if self.pairs < 1.5 {
            return 0.0;
        }
        ((self.squares - self.sum * self.sum / self.pairs) / (self.pairs - 1.0)).max(0.0)
    }
}

/// Sums over pairs of one pairing.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    pairs: f64,
    score: f64,
    luck: [f64; COLUMNS],
    score_by_luck: [f64; COLUMNS],
    luck_by_luck: [[f64; COLUMNS]; COLUMNS],
}

impl Sums {
    fn add(&mut self, pair: &LuckyPair, times: f64) {
        let luck = luck(pair);
        self.pairs += times;
        self.score += times * pair.score;
        for row in 0..COLUMNS {
            self.luck[row] += times * luck[row];
            self.score_by_luck[row] += times * pair.score * luck[row];
            for column in 0..COLUMNS {
                self.luck_by_luck[row][column] += times * luck[row] * luck[column];
            }
        }
    }

    /// The coefficients of least squares; of few pairs the fixed ones.
    fn beta(&self) -> [f64; COLUMNS] {
        if self.pairs < FEWEST {
            let mut beta = [0.0; COLUMNS];
            (beta[0], beta[MEASURES]) = (FIXED, -FIXED);
            return beta;
        }
        let mut normal = Square::zero(COLUMNS);
        let mut beta = [0.0; COLUMNS];
        let mut largest: f64 = 0.0;
        for (row, beta) in beta.iter_mut().enumerate() {
            *beta = self.score_by_luck[row] - self.score * self.luck[row] / self.pairs;
            for column in 0..COLUMNS {
                let product = self.luck_by_luck[row][column] - self.luck[row] * self.luck[column] / self.pairs;
                normal.add(row, column, product);
            }
            largest = largest.max(normal.at(row, row));
        }
        // Measures can agree: then any of them will do.
        (0..COLUMNS).for_each(|row| normal.add(row, row, 1e-9 * largest));
        match normal.cholesky() {
            Some(factor) if largest > 1e-12 => factor.solve(&mut beta),
            _ => beta = [0.0; COLUMNS],
        }
        beta
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second implementation, from the definition: coefficients anew from a list of the others, by descent
    /// along the residuals instead of by a factorisation.
    fn slowly(pairs: &[LuckyPair], place: usize) -> f64 {
        let own = &pairs[place];
        let others: Vec<&LuckyPair> = pairs.iter().filter(|p| p.agents == own.agents && p.pair != own.pair).collect();
        let mean = |f: &dyn Fn(&LuckyPair) -> f64| others.iter().map(|p| f(p)).sum::<f64>() / others.len() as f64;
        let score = mean(&|p| p.score);
        let middle: [f64; COLUMNS] = std::array::from_fn(|column| mean(&|p| luck(p)[column]));
        let rows: Vec<(f64, [f64; COLUMNS])> = others
            .iter()
            .map(|p| (p.score - score, std::array::from_fn(|column| luck(p)[column] - middle[column])))
            .collect();
        let mut beta = [0.0; COLUMNS];
        for _ in 0..300 {
            for column in 0..COLUMNS {
                let left = |row: &(f64, [f64; COLUMNS])| {
                    row.0 - row.1.iter().zip(&beta).map(|(l, b)| l * b).sum::<f64>() + row.1[column] * beta[column]
                };
                let (up, down) = rows.iter().fold((0.0, 0.0), |(up, down), row| {
                    (up + row.1[column] * left(row), down + row.1[column] * row.1[column])
                });
                beta[column] = up / down;
            }
        }
        -luck(own).iter().zip(beta).map(|(luck, beta)| luck * beta).sum::<f64>()
    }

    fn some_pairs(count: u64) -> Vec<LuckyPair> {
        let mut state = 1_u64;
        let mut draw = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / (1 << 24) as f64 - 0.5
        };
        let mut pairs = Vec::new();
        for pair in 0..count {
            for agents in [[0, 1], [0, 2]] {
                let luck: [Luck; 2] = std::array::from_fn(|_| std::array::from_fn(|_| draw() * (1 + agents[1]) as f64));
                let score = (1.0 + luck[0][0] - luck[1][1] + draw()).round().clamp(0.0, 2.0);
                pairs.push(LuckyPair { pair, agents, score, luck });
            }
        }
        pairs
    }

    #[test]
    fn coefficients_are_those_of_all_other_pairs() {
        let pairs = some_pairs(64);
        let corrected = correct(&pairs);
        for place in [0, 1, 50, 77, 127] {
            let (found, expected) = (corrected.corrections[place].score, slowly(&pairs, place));
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
        assert!(corrected.gains.iter().all(|gain| gain.ratio().unwrap() > 1.5), "{:?}", corrected.gains);
    }

    #[test]
    fn of_few_pairs_a_fixed_share_of_best_plays_luck_is_taken() {
        let pairs = some_pairs(63);
        for (pair, correction) in pairs.iter().zip(correct(&pairs).corrections) {
            assert!((correction.score + 0.6 * (pair.luck[0][0] - pair.luck[1][0])).abs() < 1e-12);
        }
    }

    #[test]
    fn the_order_of_pairs_does_not_matter() {
        let mut pairs = some_pairs(70);
        let before = correct(&pairs);
        pairs.reverse();
        let mut after = correct(&pairs);
        after.corrections.reverse();
        assert_eq!(after, before, "to the last bit");
    }

    #[test]
    fn no_corrected_score_is_impossible() {
        // The first wins everything; the second was once nearly lucky enough.
        let mut pairs: Vec<LuckyPair> = (0..20)
            .map(|pair| LuckyPair { pair, agents: [0, 1], score: 2.0, luck: [[pair as f64 / 10.0 - 1.0; MEASURES]; 2] })
            .collect();
        pairs[0].score = 1.0;
        pairs[1].luck = [[-3.0; MEASURES], [0.0; MEASURES]];
        let gain = correct(&pairs).gains[0];
        assert!((0.0..=2.0).contains(&gain.corrected_score), "{gain:?}");
    }

    #[test]
    fn a_pair_alone_has_no_spread() {
        let pairs = [LuckyPair { pair: 7, agents: [0, 1], score: 1.0, luck: [[0.4; MEASURES], [-0.1; MEASURES]] }];
        let corrected = correct(&pairs);
        assert!((corrected.corrections[0].score + 0.3).abs() < 1e-12);
        assert_eq!((corrected.gains[0].ratio(), corrected.gains[0].standard_errors()), (None, [None; 2]));
        assert_eq!(correct(&[]), Corrected::default());
    }
}
