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
//! - **Each pair's beta is fitted on all others** (leaving one out), without those of other agents on the
//!   same seed, with which it shares dice. So it is independent of the pair's own luck, and the mean of `Y`
//!   has exactly the expectation of the mean of `X`, with few pairs as well.
//! - **Each pairing has its own beta**, since agents waste their luck each in their own way. Where there are
//!   few pairs, it is drawn to that of all pairings together, as if [`DRAW`] pairs had shown the latter.
//! - **No pairing leaves what is possible**: a corrected total below 0 or above twice the pairs, which comes
//!   about where one agent wins nearly everything, is taken back to that end.

mod measures;
mod of_match;

use std::collections::BTreeMap;

pub use self::measures::{HABITS, Measures, NoValue};
pub use self::of_match::{LuckError, RollValues, of_match};

use crate::ratings::Correction;
use crate::ratings::matrix::Square;

/// By how many measures luck is taken.
pub const MEASURES: usize = 4;

/// The luck of a seat by each measure, in matches won.
pub type Luck = [f64; MEASURES];

/// How many pairs' weight all pairings together have in the coefficients of each.
pub const DRAW: f64 = 20.0;

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
        (self.variance > 0.0 && self.corrected_variance > 0.0).then(|| self.variance / self.corrected_variance)
    }

    /// The standard errors of the mean scores, plain and corrected.
    #[must_use]
    pub fn standard_errors(&self) -> [f64; 2] {
        [self.variance, self.corrected_variance].map(|variance| (variance / self.pairs.max(1) as f64).sqrt())
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
/// let pairs: Vec<_> = [(0.0, -0.9), (1.0, 0.1), (2.0, 1.1), (1.0, 0.1), (0.0, -0.9), (2.0, 1.1), (1.0, 0.1)]
///     .iter()
///     .zip(0..)
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
    let mut all = Spread::default();
    totals.values().for_each(|sums| all.add(&sums.spread(), 1.0));

    let mut amounts = vec![0.0; pairs.len()];
    for seed in order.chunk_by(|&a, &b| pairs[a].pair == pairs[b].pair) {
        // Everything seen on other seeds.
        let mut others = all;
        let mut rest: BTreeMap<[usize; 2], Sums> = BTreeMap::new();
        for &place in seed {
            let agents = pairs[place].agents;
            rest.entry(agents).or_insert(totals[&agents]).add(&pairs[place], -1.0);
        }
        for (agents, rest) in &rest {
            others.add(&totals[agents].spread(), -1.0);
            others.add(&rest.spread(), 1.0);
        }
        for &place in seed {
            let beta = rest[&pairs[place].agents].spread().beta(&others);
            amounts[place] = -luck(&pairs[place]).iter().zip(beta).map(|(luck, beta)| beta * luck).sum::<f64>();
        }
    }

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

    fn spread(&self) -> Spread {
        // One pair alone says nothing, and what rounding leaves of none is not divided by.
        if self.pairs < 1.5 {
            return Spread::default();
        }
        let mut spread = Spread { pairs: self.pairs, ..Spread::default() };
        for row in 0..COLUMNS {
            spread.score[row] = self.score_by_luck[row] - self.score * self.luck[row] / self.pairs;
            for column in 0..COLUMNS {
                spread.luck[row][column] =
                    self.luck_by_luck[row][column] - self.luck[row] * self.luck[column] / self.pairs;
            }
        }
        spread
    }
}

/// How score and luck vary together, about the means of their pairing.
#[derive(Clone, Copy, Default)]
struct Spread {
    pairs: f64,
    score: [f64; COLUMNS],
    luck: [[f64; COLUMNS]; COLUMNS],
}

impl Spread {
    fn add(&mut self, other: &Spread, times: f64) {
        self.pairs += times * other.pairs;
        for row in 0..COLUMNS {
            self.score[row] += times * other.score[row];
            for column in 0..COLUMNS {
                self.luck[row][column] += times * other.luck[row][column];
            }
        }
    }

    /// The coefficients of least squares, drawn to those of all.
    fn beta(&self, all: &Spread) -> [f64; COLUMNS] {
        let mut sum = *self;
        if all.pairs > 1.5 {
            sum.add(all, DRAW / all.pairs);
        }
        let largest = (0..COLUMNS).map(|row| sum.luck[row][row]).fold(0.0, f64::max);
        if largest < 1e-12 {
            return [0.0; COLUMNS];
        }
        let mut normal = Square::zero(COLUMNS);
        for row in 0..COLUMNS {
            for column in 0..COLUMNS {
                normal.add(row, column, sum.luck[row][column]);
            }
            // Measures can agree: then any of them will do.
            normal.add(row, row, 1e-9 * largest);
        }
        let mut beta = sum.score;
        match normal.cholesky() {
            Some(factor) => factor.solve(&mut beta),
            None => beta = [0.0; COLUMNS],
        }
        beta
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second implementation, from the definition: every coefficient anew from a list of the others, by
    /// descent along the residuals instead of by a factorisation.
    fn slowly(pairs: &[LuckyPair]) -> Vec<f64> {
        let mut pairings: Vec<[usize; 2]> = pairs.iter().map(|p| p.agents).collect();
        pairings.sort_unstable();
        pairings.dedup();
        let amount = |pair: &LuckyPair| {
            // Centred observations with their weights.
            let mut rows: Vec<(f64, f64, [f64; COLUMNS])> = Vec::new();
            let others: Vec<&LuckyPair> = pairs.iter().filter(|p| p.pair != pair.pair).collect();
            for agents in &pairings {
                let of: Vec<&&LuckyPair> = others.iter().filter(|p| p.agents == *agents).collect();
                let mean = |f: &dyn Fn(&LuckyPair) -> f64| of.iter().map(|p| f(p)).sum::<f64>() / of.len() as f64;
                let score = mean(&|p| p.score);
                let middle: [f64; COLUMNS] = std::array::from_fn(|column| mean(&|p| luck(p)[column]));
                let weight = DRAW / others.len() as f64 + f64::from(u8::from(*agents == pair.agents));
                rows.extend(of.iter().map(|p| {
                    (weight, p.score - score, std::array::from_fn(|column| luck(p)[column] - middle[column]))
                }));
            }
            let mut beta = [0.0; COLUMNS];
            for _ in 0..3_000 {
                for column in 0..COLUMNS {
                    let left = |row: &(f64, f64, [f64; COLUMNS])| {
                        row.1 - row.2.iter().zip(&beta).map(|(l, b)| l * b).sum::<f64>() + row.2[column] * beta[column]
                    };
                    let (up, down) = rows.iter().fold((0.0, 0.0), |(up, down), row| {
                        (up + row.0 * row.2[column] * left(row), down + row.0 * row.2[column] * row.2[column])
                    });
                    beta[column] = up / down;
                }
            }
            -luck(pair).iter().zip(beta).map(|(luck, beta)| luck * beta).sum::<f64>()
        };
        pairs.iter().map(amount).collect()
    }

    fn some_pairs() -> Vec<LuckyPair> {
        let mut state = 1_u64;
        let mut draw = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / (1 << 24) as f64 - 0.5
        };
        let mut pairs = Vec::new();
        for pair in 0..16 {
            for agents in [[0, 1], [0, 2]] {
                let luck: [Luck; 2] = std::array::from_fn(|_| std::array::from_fn(|_| draw() * (1 + agents[1]) as f64));
                let score = (1.0 + luck[0][0] - luck[1][1] + draw()).round().clamp(0.0, 2.0);
                pairs.push(LuckyPair { pair, agents, score, luck });
            }
        }
        pairs
    }

    #[test]
    fn coefficients_are_those_of_all_other_seeds() {
        let pairs = some_pairs();
        let corrected = correct(&pairs);
        for (correction, expected) in corrected.corrections.iter().zip(slowly(&pairs)) {
            assert!((correction.score - expected).abs() < 1e-6, "{} {expected}", correction.score);
        }
        assert!(corrected.gains.iter().all(|gain| gain.ratio().unwrap() > 1.0), "{:?}", corrected.gains);
    }

    #[test]
    fn the_order_of_pairs_does_not_matter() {
        let mut pairs = some_pairs();
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
    fn a_pair_alone_is_left_as_it_is() {
        let pairs = [LuckyPair { pair: 7, agents: [0, 1], score: 2.0, luck: [[0.4; MEASURES], [-0.4; MEASURES]] }];
        let corrected = correct(&pairs);
        assert_eq!(corrected.corrections[0].score, 0.0);
        assert_eq!(corrected.gains[0].ratio(), None);
        assert_eq!(correct(&[]), Corrected::default());
    }
}
