//! Luck as a control variate: scores of pairs corrected for the dice.
//!
//! Owns the estimator. Refuses to know where luck comes from: a sum over the rolls of a match of what each
//! was worth beyond its expectation, under any values that were fixed before a result was seen, has the
//! expectation 0, whoever plays ([`of_match`] adds it up).
//!
//! # The estimator
//!
//! Of a pair, `X` is the score of the first agent (0 to 2) and `L` its luck in both matches. `Y = X - beta L`
//! has the expectation of `X` for every `beta` that was found without this pair, and the least variance for
//! `beta = Cov(X, L) / Var(L)`: what remains is `1 - r²` of it, with `r` the correlation of score and luck
//! (S. S. Lavenberg, P. D. Welch, *A perspective on the use of control variables*, Management Science 27,
//! 1981; in games D. Wolfe, 2002, and M. White, M. Bowling, *Learning a value analysis tool for agent
//! evaluation*, IJCAI 2009).
//!
//! - **Each pair's beta is fitted on all others** (leaving one out), without those of other agents on the
//!   same seed, with which it shares dice. So it is independent of the pair's own luck, and the mean of `Y`
//!   has exactly the expectation of the mean of `X`, with few pairs as well.
//! - **Each pairing has its own beta**, since weak agents waste their luck. Where there are few pairs, it is
//!   drawn to that of all pairings together, as if [`DRAW`] pairs had shown the latter.
//! - **No pairing leaves what is possible**: a corrected total below 0 or above twice the pairs, which comes
//!   about where one agent wins nearly everything, is taken back to that end.

mod of_match;
mod optimal_values;

use std::collections::BTreeMap;

pub use self::of_match::{LuckError, RollValues, of_match};
pub use self::optimal_values::NoValue;
use crate::ratings::Correction;

/// How many pairs' weight all pairings together have in the coefficient of each.
pub const DRAW: f64 = 8.0;

/// What one agent took of a pair, and its luck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LuckyPair {
    /// The pair's index: pairs of one index share their dice.
    pub pair: u64,
    /// The two agents, by index; the same two always in the same order.
    pub agents: [usize; 2],
    /// What the first took of it: 0 to 2.
    pub score: f64,
    /// How much luck it had in both matches, in matches won; that of the other is the opposite.
    pub luck: f64,
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
/// # use arena_core::luck::{LuckyPair, correct};
/// // Where luck is all there is, nothing is left of it.
/// let pairs: Vec<_> = [(0.0, -0.9), (1.0, 0.1), (2.0, 1.1), (1.0, 0.1), (0.0, -0.9), (2.0, 1.1), (1.0, 0.1)]
///     .iter()
///     .zip(0..)
///     .map(|(&(score, luck), pair)| LuckyPair { pair, agents: [0, 1], score, luck })
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
            amounts[place] = -rest[&pairs[place].agents].spread().beta(&others) * pairs[place].luck;
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

    let mut corrected: BTreeMap<[usize; 2], Sums> = BTreeMap::new();
    for &place in &order {
        let pair = LuckyPair { luck: pairs[place].score + amounts[place], ..pairs[place] };
        corrected.entry(pair.agents).or_default().add(&pair, 1.0);
    }
    let gains = corrected.into_iter().map(|(agents, sums)| sums.gain(agents)).collect();
    let correction = |(pair, score): (&LuckyPair, f64)| Correction { seed: pair.pair, agents: pair.agents, score };
    Corrected { corrections: pairs.iter().zip(amounts).map(correction).collect(), gains }
}

/// Sums over pairs of one pairing.
#[derive(Clone, Copy, Default)]
struct Sums {
    pairs: f64,
    score: f64,
    luck: f64,
    score_squared: f64,
    product: f64,
    luck_squared: f64,
}

impl Sums {
    fn add(&mut self, pair: &LuckyPair, times: f64) {
        self.pairs += times;
        self.score += times * pair.score;
        self.luck += times * pair.luck;
        self.score_squared += times * pair.score * pair.score;
        self.product += times * pair.score * pair.luck;
        self.luck_squared += times * pair.luck * pair.luck;
    }

    fn spread(&self) -> Spread {
        // One pair alone says nothing, and what rounding leaves of none is not divided by.
        if self.pairs < 1.5 {
            return Spread::default();
        }
        Spread {
            pairs: self.pairs,
            product: self.product - self.score * self.luck / self.pairs,
            luck: (self.luck_squared - self.luck * self.luck / self.pairs).max(0.0),
        }
    }

    /// Of sums whose luck is the corrected score.
    fn gain(&self, agents: [usize; 2]) -> Gain {
        let variance = |squared: f64, sum: f64| {
            if self.pairs < 1.5 { 0.0 } else { ((squared - sum * sum / self.pairs) / (self.pairs - 1.0)).max(0.0) }
        };
        Gain {
            agents,
            pairs: self.pairs as u64,
            score: self.score / self.pairs,
            variance: variance(self.score_squared, self.score),
            corrected_score: self.luck / self.pairs,
            corrected_variance: variance(self.luck_squared, self.luck),
        }
    }
}

/// How score and luck vary, about the means of their pairing.
#[derive(Clone, Copy, Default)]
struct Spread {
    pairs: f64,
    product: f64,
    luck: f64,
}

impl Spread {
    fn add(&mut self, other: &Spread, times: f64) {
        self.pairs += times * other.pairs;
        self.product += times * other.product;
        self.luck += times * other.luck;
    }

    /// The coefficient, drawn to that of all.
    fn beta(&self, all: &Spread) -> f64 {
        let weight = if all.pairs > 1.5 { DRAW / all.pairs } else { 0.0 };
        let luck = self.luck + weight * all.luck;
        if luck > 1e-12 { (self.product + weight * all.product) / luck } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A second implementation, from the definition: every coefficient anew from a list of the others.
    fn slowly(pairs: &[LuckyPair]) -> Vec<f64> {
        let spread = |of: &[&LuckyPair]| {
            let n = of.len() as f64;
            if of.len() < 2 {
                return (0.0, 0.0, 0.0);
            }
            let (x, l) = (of.iter().map(|p| p.score).sum::<f64>() / n, of.iter().map(|p| p.luck).sum::<f64>() / n);
            let product: f64 = of.iter().map(|p| (p.score - x) * (p.luck - l)).sum();
            (n, product, of.iter().map(|p| (p.luck - l) * (p.luck - l)).sum())
        };
        let amount = |pair: &LuckyPair| {
            let others: Vec<&LuckyPair> = pairs.iter().filter(|p| p.pair != pair.pair).collect();
            let mut pairings: Vec<[usize; 2]> = pairs.iter().map(|p| p.agents).collect();
            pairings.sort_unstable();
            pairings.dedup();
            let of = |agents| others.iter().copied().filter(|p| p.agents == agents).collect::<Vec<_>>();
            let all = pairings.iter().map(|agents| spread(&of(*agents)));
            let all = all.fold((0.0, 0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1, sum.2 + one.2));
            let own = spread(&of(pair.agents));
            -(own.1 + DRAW * all.1 / all.0) / (own.2 + DRAW * all.2 / all.0) * pair.luck
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
        for pair in 0..60 {
            for agents in [[0, 1], [0, 2], [1, 2]] {
                let luck = draw() * (1 + agents[1]) as f64;
                let score = (1.0 + 0.4 * agents[0] as f64 + luck + draw()).round().clamp(0.0, 2.0);
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
            assert!((correction.score - expected).abs() < 1e-9, "{} {expected}", correction.score);
        }
        for gain in &corrected.gains {
            let ratio = gain.ratio().unwrap();
            assert!(ratio > 1.2, "{gain:?}");
        }
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
            .map(|pair| LuckyPair { pair, agents: [0, 1], score: 2.0, luck: pair as f64 / 10.0 - 1.0 })
            .collect();
        pairs[0].score = 1.0;
        pairs[1].luck = -3.0;
        let gain = correct(&pairs).gains[0];
        assert!((0.0..=2.0).contains(&gain.corrected_score), "{gain:?}");
    }

    #[test]
    fn a_pair_alone_is_left_as_it_is() {
        let pairs = [LuckyPair { pair: 7, agents: [0, 1], score: 2.0, luck: 0.4 }];
        let corrected = correct(&pairs);
        assert_eq!(corrected.corrections[0].score, 0.0);
        assert_eq!(corrected.gains[0].ratio(), None);
        assert_eq!(correct(&[]), Corrected::default());
    }
}
