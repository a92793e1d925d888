//! The same test on scores corrected for luck.
//!
//! Owns when such a test looks at its pairs. Refuses to be anything but a function of the pairs so far, in
//! the order of their seeds.
//!
//! Corrected scores are no longer one of five, so the LLR is that of a normal distribution of unknown
//! variance: `n/2 ln((v + (m - s0)²) / (v + (m - s1)²))`, with `m` the mean and `v` the variance about it of
//! the corrected scores of `n` pairs (a generalised likelihood ratio as in X. Li, J. Liu, Z. Ying, 2014).
//! The coefficients are [fitted](crate::luck) to the pairs so far, each pair's to all the others. That is
//! done at looks, the first after [`LEAST_PAIRS`], then whenever there are a twentieth more: so few looks make
//! errors rarer, not more frequent.

use super::{Hypotheses, State, Verdict, expected_score};
use crate::luck::{Gain, LuckyPair, correct};

/// The test looks at its pairs for the first time after so many.
pub const LEAST_PAIRS: u64 = 64;

/// A test in progress, on scores corrected for luck.
///
/// ```
/// # use arena_core::luck::{LuckyPair, MEASURES};
/// # use arena_core::sprt::{Hypotheses, LuckAdjustedSprt, Verdict};
/// let mut test = LuckAdjustedSprt::new(Hypotheses::new(0.0, 30.0, 0.05, 0.05)?);
/// // Luck decides every pair, and is even; but the first agent scores a little more.
/// let state = loop {
///     let pair = test.state().pairs;
///     let luck = if pair % 2 == 0 { 0.9 } else { -0.9 };
///     let noise = if pair % 3 == 0 { 0.1 } else { -0.05 };
///     let score = 1.1 + luck + noise;
///     let state = test.add(&LuckyPair { pair, agents: [0, 1], score, luck: [[luck; MEASURES], [0.0; MEASURES]] });
///     if state.verdict != Verdict::Continue {
///         break state;
///     }
/// };
/// assert_eq!(state.verdict, Verdict::AcceptH1);
/// assert_eq!(state.pairs, 64, "at the first look");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LuckAdjustedSprt {
    hypotheses: Hypotheses,
    state: State,
    pairs: Vec<LuckyPair>,
    next_look: u64,
}

impl LuckAdjustedSprt {
    /// A test without pairs.
    #[must_use]
    pub fn new(hypotheses: Hypotheses) -> LuckAdjustedSprt {
        let state = State { pairs: 0, llr: 0.0, verdict: Verdict::Continue };
        LuckAdjustedSprt { hypotheses, state, pairs: Vec::new(), next_look: LEAST_PAIRS }
    }

    /// Takes the next pair in seed order, of the same two agents; says where the test stands after it, by its
    /// last look. After the verdict pairs are no longer taken.
    pub fn add(&mut self, pair: &LuckyPair) -> State {
        if self.state.verdict != Verdict::Continue {
            return self.state;
        }
        self.pairs.push(*pair);
        self.state.pairs += 1;
        if self.state.pairs >= self.next_look {
            self.look();
            self.next_look = self.state.pairs + (self.state.pairs / 20).max(1);
        }
        self.state
    }

    fn look(&mut self) {
        let Some(gain) = self.gain() else { return };
        let pairs = gain.pairs as f64;
        // Of a match, and about the mean, not as a sample's.
        let (mean, variance) = (gain.corrected_score / 2.0, gain.corrected_variance / 4.0 * (pairs - 1.0) / pairs);
        let away = |elo: f64| {
            let distance = mean - expected_score(elo);
            // Scores that never vary would be certain after the first look.
            variance.max(1e-9) + distance * distance
        };
        let llr = 0.5 * pairs * libm::log(away(self.hypotheses.elo0) / away(self.hypotheses.elo1));
        self.state.llr = llr;
        if llr <= self.hypotheses.lower_bound() {
            self.state.verdict = Verdict::AcceptH0;
        } else if llr >= self.hypotheses.upper_bound() {
            self.state.verdict = Verdict::AcceptH1;
        }
    }

    /// Where the test stands.
    #[must_use]
    pub fn state(&self) -> State {
        self.state
    }

    /// What is tested.
    #[must_use]
    pub fn hypotheses(&self) -> &Hypotheses {
        &self.hypotheses
    }

    /// What correcting all pairs used so far does; `None` without any.
    #[must_use]
    pub fn gain(&self) -> Option<Gain> {
        correct(&self.pairs).gains.first().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::luck::MEASURES;
    use rand_chacha::ChaCha8Rng;
    use rand_core::{Rng, SeedableRng};

    /// A pair of two agents of which the first scores so much more than one half a match; most of what
    /// happens is luck that measures see.
    fn pair(dice: &mut ChaCha8Rng, pair: u64, more: f64) -> LuckyPair {
        let mut unit = || f64::from(dice.next_u32()) / f64::from(u32::MAX);
        let luck: [[f64; MEASURES]; 2] = std::array::from_fn(|_| {
            let own = unit() - 0.5;
            std::array::from_fn(|_| own + 0.2 * (unit() - 0.5))
        });
        let chance = 0.5 + more + 0.45 * (luck[0][0] - luck[1][0]);
        let matches = [unit(), unit()].map(|drawn| f64::from(u8::from(drawn < chance)));
        LuckyPair { pair, agents: [0, 1], score: matches[0] + matches[1], luck }
    }

    fn run(seed: u64, more: f64, hypotheses: Hypotheses) -> State {
        let (mut dice, mut test) = (ChaCha8Rng::seed_from_u64(seed), LuckAdjustedSprt::new(hypotheses));
        loop {
            let number = test.state().pairs;
            let state = test.add(&pair(&mut dice, number, more));
            if state.verdict != Verdict::Continue {
                return state;
            }
        }
    }

    /// Each error has a probability of 0.05 or little more; of 200 tests, 21 or more would have one of
    /// 0.001 (binomial).
    #[test]
    fn errors_are_as_rare_as_was_asked_for() {
        let hypotheses = Hypotheses::new(0.0, 60.0, 0.05, 0.05).unwrap();
        let wrong = |more: f64, verdict: Verdict| {
            (0..200).filter(|seed| run(*seed, more, hypotheses).verdict == verdict).count()
        };
        let (first, second) = (wrong(0.0, Verdict::AcceptH1), wrong(expected_score(60.0) - 0.5, Verdict::AcceptH0));
        assert!((1..21).contains(&first) && (1..21).contains(&second), "{first} {second}");
    }

    #[test]
    fn nothing_after_the_verdict_changes_it() {
        let hypotheses = Hypotheses::new(0.0, 60.0, 0.05, 0.05).unwrap();
        let (mut dice, mut test) = (ChaCha8Rng::seed_from_u64(1), LuckAdjustedSprt::new(hypotheses));
        let mut states = Vec::new();
        for number in 0..2_000 {
            states.push(test.add(&pair(&mut dice, number, 0.1)));
        }
        let end = states.iter().position(|state| state.verdict == Verdict::AcceptH1).expect("it is stronger");
        assert!(end as u64 + 1 >= LEAST_PAIRS && states[end..].iter().all(|state| *state == states[end]));
    }
}
