//! A sequential test of two agents: play until the pairs tell which of two Elo differences is nearer
//! the truth, and no longer.
//!
//! Owns the generalised sequential probability ratio test (GSPRT) on pair scores: its log likelihood
//! ratio (LLR), its bounds and its verdict. Refuses to decide by anything but the pairs in the order in
//! which they are given, which must be that of their seeds: the verdict is that of the shortest
//! prefix of pairs that has one, and stays, whatever else was played meanwhile.
//!
//! # The test
//!
//! As fishtest (`server/fishtest/stats/LLRcalc.py`, `LLR_logistic`) and fastchess
//! (`app/src/matchmaking/sprt/sprt.cpp`) do it, after M. Van den Bergh, *A practical introduction to the
//! GSPRT* (<https://www.cantate.be/Fishtest/GSPRT_approximation.pdf>), and X. Li, J. Liu, Z. Ying,
//! *Generalized sequential probability ratio test for separate families of hypotheses*, Sequential
//! Analysis 33, 2014.
//!
//! H0 says that the first agent is `elo0` stronger, H1 that it is `elo1`; on the logistic scale these are
//! expected scores `s = 1 / (1 + 10^(-elo/400))` of a match. Nothing else is assumed of the five
//! probabilities of a pair's scores: the LLR is the log likelihood of the pairs at the most likely five
//! with mean `s1`, less that at the most likely five with mean `s0`. It is compared with A. Wald's bounds
//! (*Sequential tests of statistical hypotheses*, 1945): at or below `ln(beta / (1 - alpha))` H0 is
//! accepted, at or above `ln((1 - beta) / alpha)` H1 is. Then H1 is accepted under H0 with probability
//! `alpha` or less, and H0 under H1 with `beta` or less. Since the five probabilities are fitted, this
//! holds for tests of many pairs; in those of a few hundred an error was up to a tenth more frequent
//! (docs/ratings.md has the measurements).
//!
//! The most likely probabilities of given mean (Van den Bergh,
//! <https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf>, proposition 1.1) are found by
//! convex duality: for counts `n` of scores `a`, the greatest log likelihood is that without the
//! condition, less the maximum over `x` of `Σ n ln(1 + x (a - s))`, where `1 + x (a - s)` may be
//! negative for no possible score. That maximum exists whatever the counts. fishtest and fastchess
//! instead put 0.001 pairs where there are none, which changes LLRs by some thousandths.

mod luck_adjusted;

use serde::Serialize;

pub use self::luck_adjusted::{LEAST_PAIRS, LuckAdjustedSprt};
use crate::pentanomial::{PairScore, Pentanomial, SCORES};

/// The most that a hypothesis may differ from equality, in Elo.
pub const MAX_ELO: f64 = 2000.0;

/// What is tested, with which risks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Hypotheses {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// Why there is no such test.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SprtError {
    /// A hypothesis that is no number or too far out.
    #[error("{name} = {value}: allowed are -{MAX_ELO} to {MAX_ELO}")]
    Elo {
        /// `elo0` or `elo1`.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// Hypotheses in the wrong order, or too near each other ever to be told apart.
    #[error("elo0 = {elo0} is not below elo1 = {elo1}: elo0 must be the smaller, by 0.001 or more")]
    Order {
        /// H0.
        elo0: f64,
        /// H1.
        elo1: f64,
    },
    /// A risk that is none.
    #[error("{name} = {value}: allowed is anything above 0 and below 0.5")]
    Risk {
        /// `alpha` or `beta`.
        name: &'static str,
        /// Its value.
        value: f64,
    },
}

/// What the pairs so far say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// More pairs are needed.
    Continue,
    /// The difference is `elo0` rather than `elo1`.
    AcceptH0,
    /// The difference is `elo1` rather than `elo0`.
    AcceptH1,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct State {
    /// Pairs that the test has used. It uses none after its verdict.
    pub pairs: u64,
    /// The log likelihood ratio after them: positive speaks for H1.
    pub llr: f64,
    /// The verdict.
    pub verdict: Verdict,
}

/// A test in progress.
///
/// ```
/// # use arena_core::{pentanomial::PairScore, sprt::{Hypotheses, Sprt, Verdict}};
/// // Is the new version 30 Elo stronger rather than not at all?
/// let mut test = Sprt::new(Hypotheses::new(0.0, 30.0, 0.05, 0.05)?);
/// // Of every three pairs the first agent wins one 2:0 and shares two.
/// let mut seen = [4, 2, 2].iter().cycle();
/// let state = loop {
///     let state = test.add(PairScore::from_half_points(*seen.next().unwrap())?);
///     if state.verdict != Verdict::Continue {
///         break state;
///     }
/// };
/// assert_eq!(state.verdict, Verdict::AcceptH1);
/// assert!(state.pairs < 100);
/// // Pairs played beyond the verdict do not change it.
/// assert_eq!(test.add(PairScore::from_half_points(0)?), state);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sprt {
    hypotheses: Hypotheses,
    counts: Pentanomial,
    state: State,
}

impl Hypotheses {
    /// H0: the first agent is `elo0` stronger, against H1: `elo1`, both in logistic Elo and from
    /// -[`MAX_ELO`] to [`MAX_ELO`]. `alpha` is the risk to accept H1 when H0 is true, `beta` the risk to
    /// accept H0 when H1 is true, both above 0 and below ½.
    ///
    /// # Errors
    ///
    /// [`SprtError`] names the value and what is allowed.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Hypotheses, SprtError> {
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            // Also false for NaN.
            if !(-MAX_ELO..=MAX_ELO).contains(&value) {
                return Err(SprtError::Elo { name, value });
            }
        }
        if elo1 - elo0 < 0.001 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::Risk { name, value });
            }
        }
        Ok(Hypotheses { elo0, elo1, alpha, beta })
    }

    /// The LLR at or below which H0 is accepted: `ln(beta / (1 - alpha))`.
    #[must_use]
    pub fn lower_bound(&self) -> f64 {
        libm::log(self.beta) - libm::log1p(-self.alpha)
    }

    /// The LLR at or above which H1 is accepted: `ln((1 - beta) / alpha)`.
    #[must_use]
    pub fn upper_bound(&self) -> f64 {
        libm::log1p(-self.beta) - libm::log(self.alpha)
    }

    /// The LLR of these pairs, whatever their order; 0 without pairs.
    #[must_use]
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        let counts = pairs.counts().map(|count| count as f64);
        let cost = |elo| cost_of_mean(&counts, expected_score(elo));
        cost(self.elo0) - cost(self.elo1)
    }
}

impl Sprt {
    /// A test without pairs.
    #[must_use]
    pub fn new(hypotheses: Hypotheses) -> Sprt {
        let state = State { pairs: 0, llr: 0.0, verdict: Verdict::Continue };
        Sprt { hypotheses, counts: Pentanomial::default(), state }
    }

    /// Takes the next pair in seed order; says where the test stands after it. After the verdict
    /// pairs are no longer taken.
    pub fn add(&mut self, score: PairScore) -> State {
        if self.state.verdict == Verdict::Continue {
            self.counts.add(score);
            let llr = self.hypotheses.llr(&self.counts);
            let verdict = if llr <= self.hypotheses.lower_bound() {
                Verdict::AcceptH0
            } else if llr >= self.hypotheses.upper_bound() {
                Verdict::AcceptH1
            } else {
                Verdict::Continue
            };
            self.state = State { pairs: self.state.pairs + 1, llr, verdict };
        }
        self.state
    }

    /// Where the test stands.
    #[must_use]
    pub fn state(&self) -> State {
        self.state
    }

    /// The pairs that the test has used.
    #[must_use]
    pub fn pairs(&self) -> &Pentanomial {
        &self.counts
    }

    /// What is tested.
    #[must_use]
    pub fn hypotheses(&self) -> &Hypotheses {
        &self.hypotheses
    }
}

/// The expected score of a match at a difference in Elo.
fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-elo / crate::ratings::ELO_PER_UNIT))
}

/// How much log likelihood it costs to hold the mean score at `mean`: the maximum over `x` of
/// `Σ counts ln(1 + x (score - mean))`.
fn cost_of_mean(counts: &[f64; 5], mean: f64) -> f64 {
    let away = SCORES.map(|score| score - mean);
    let seen = || counts.iter().zip(away).filter(|(count, _)| **count > 0.0);
    // The first derivative, and minus the second.
    let slopes = |x: f64| -> (f64, f64) {
        let (mut slope, mut bend) = (0.0, 0.0);
        for (count, away) in seen() {
            let term = away / (1.0 + x * away);
            slope += count * term;
            bend += count * term * term;
        }
        (slope, bend)
    };
    // At each end the term of the greatest or the least score vanishes. If that was seen, the
    // maximum is inside; the end itself can be the maximum only where it was not.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let x = if counts[4] == 0.0 && slopes(low).0 <= 0.0 {
        low
    } else if counts[0] == 0.0 && slopes(high).0 >= 0.0 {
        high
    } else {
        // The slope falls from left to right: Newton's method, with a bisection wherever it would
        // leave the interval that is known to hold the maximum.
        let mut x = 0.0;
        for _ in 0..200 {
            let (slope, bend) = slopes(x);
            if slope > 0.0 {
                low = x;
            } else {
                high = x;
            }
            let newton = x + slope / bend;
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if slope == 0.0 || (next - x).abs() <= 1e-13 * (1.0 + x.abs()) {
                break;
            }
            x = next;
        }
        x
    };
    seen().map(|(count, away)| count * libm::log1p(x * away)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn llr(elo0: f64, elo1: f64, counts: [u64; 5]) -> f64 {
        Hypotheses::new(elo0, elo1, 0.05, 0.05).unwrap().llr(&Pentanomial::from_counts(counts))
    }

    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
    }

    /// What fastchess's own tests expect (`app/tests/sprt_test.cpp`, "logistic pentanomial"), to
    /// their two digits.
    #[test]
    fn ratios_of_fastchess() {
        close(llr(0.5, 2.5, [223, 9863, 20279 + 1000, 10037, 246]), -3.07, 0.005);
        close(llr(0.0, 2.0, [871, 26175, 55003 + 980, 26678, 821]), -4.98, 0.005);
    }

    /// Printed by fishtest's `LLRcalc.LLR_logistic` (scipy's Brent), for data in fishtest's
    /// `stat_util.py` and for some with few pairs.
    #[test]
    fn ratios_of_fishtest() {
        close(llr(-3.0, 1.0, [10789, 19328, 33806, 19402, 10543]), 2.131068, 2e-6);
        close(llr(0.2, 0.9, [39, 2226, 31451, 2412, 40]), 2.162543, 2e-6);
        close(llr(0.5, 2.5, [223, 9863, 21279, 10037, 246]), -3.074126, 2e-6);
        close(llr(0.0, 50.0, [10, 2, 30, 3, 18]), 1.247032, 2e-6);
        // With scores that were never seen it adds 0.001 pairs of each; the figures in the second
        // column are of the same program with 0.0000001 instead.
        for (elo0, elo1, counts, fishtest, nearly_none) in [
            (0.0, 50.0, [3, 0, 40, 0, 9], 1.480560, 1.480656),
            (0.0, 5.0, [0, 0, 0, 0, 104], 1.485940, 1.485911),
            (0.0, 50.0, [0, 0, 25, 0, 0], -3.847469, -3.855781),
            (-20.0, 20.0, [0, 1, 25, 0, 6], 3.681663, 3.684136),
            (0.0, 100.0, [1, 0, 0, 0, 0], -0.329422, -0.328685),
            (-400.0, -100.0, [5, 0, 2, 1, 0], 0.293333, 0.289647),
        ] {
            close(llr(elo0, elo1, counts), fishtest, 0.01);
            close(llr(elo0, elo1, counts), nearly_none, 1e-5);
        }
    }

    /// The greatest log likelihood at a mean by trying: the middle three probabilities are moved in
    /// ever smaller steps, the outer two follow from the sum and the mean.
    fn tried(counts: [f64; 5], mean: f64) -> f64 {
        let value = |middle: [f64; 3]| {
            let [a, b, c] = middle;
            let last = mean - 0.25 * a - 0.5 * b - 0.75 * c;
            let all = [1.0 - a - b - c - last, a, b, c, last];
            if all.iter().any(|p| *p < 0.0) {
                return f64::NEG_INFINITY;
            }
            counts.iter().zip(all).filter(|(n, _)| **n > 0.0).map(|(n, p)| n * libm::log(p)).sum()
        };
        let mut best = [0.1 * (1.0 - (2.0 * mean - 1.0).abs()); 3];
        let mut step = 0.1;
        while step > 1e-9 {
            let mut moved = false;
            // Steps of up to two, so that some go along every face of what is allowed.
            for code in 0..125 {
                let change = [code % 5, code / 5 % 5, code / 25].map(|by| (f64::from(by) - 2.0) * step);
                let next = [0, 1, 2].map(|i| best[i] + change[i]);
                if next.iter().all(|p| *p >= 0.0) && value(next) > value(best) {
                    (best, moved) = (next, true);
                }
            }
            if !moved {
                step *= 0.5;
            }
        }
        value(best)
    }

    #[test]
    fn ratios_by_trying_all_distributions() {
        for counts in [[10, 2, 30, 3, 18], [1, 1, 1, 1, 1], [40, 10, 20, 5, 2], [3, 0, 40, 0, 9], [0, 7, 9, 2, 0]] {
            for (elo0, elo1) in [(0.0, 50.0), (-100.0, 30.0), (100.0, 300.0)] {
                let [at0, at1] = [elo0, elo1].map(|elo| {
                    let mean = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
                    tried(counts.map(|count| count as f64), mean)
                });
                close(llr(elo0, elo1, counts), at1 - at0, 1e-5);
            }
        }
    }

    /// Where all pairs are alike the most likely distributions are those of two scores.
    #[test]
    fn ratios_by_hand() {
        // Won 2:0 each time: probability s of it. s(0) = 1/2, s(190.8485) = 3/4.
        close(llr(0.0, 190.848_501_9, [0, 0, 0, 0, 7]), 7.0 * 1.5_f64.ln(), 1e-8);
        // One point each: with mean 3/4 half of all pairs, and the other half 2 points.
        close(llr(0.0, 190.848_501_9, [0, 0, 7, 0, 0]), 7.0 * 0.5_f64.ln(), 1e-8);
        assert_eq!(llr(0.0, 50.0, [0; 5]), 0.0);
    }

    #[test]
    fn every_small_count_is_finite_and_mirrored() {
        let some = [0, 1, 2, 1_000_000];
        for code in 0..4_usize.pow(5) {
            let counts: [u64; 5] = std::array::from_fn(|place| some[code / 4_usize.pow(place as u32) % 4]);
            let mirrored = [counts[4], counts[3], counts[2], counts[1], counts[0]];
            let size: u64 = counts.iter().sum();
            for (elo0, elo1) in [(0.0, 10.0), (-2000.0, 2000.0), (1999.0, 2000.0), (0.0, 0.001)] {
                let found = llr(elo0, elo1, counts);
                assert!(found.is_finite(), "{counts:?}");
                close(found, -llr(-elo1, -elo0, mirrored), 1e-6 + 1e-10 * size as f64);
            }
        }
    }

    #[test]
    fn bounds_are_walds() {
        let hypotheses = Hypotheses::new(0.0, 5.0, 0.05, 0.1).unwrap();
        // ln(0.1 / 0.95) and ln(0.9 / 0.05).
        close(hypotheses.lower_bound(), -2.251_292, 1e-6);
        close(hypotheses.upper_bound(), 2.890_372, 1e-6);
    }

    #[test]
    fn a_verdict_stays() {
        let mut test = Sprt::new(Hypotheses::new(0.0, 100.0, 0.05, 0.05).unwrap());
        let lost = PairScore::from_half_points(0).unwrap();
        let mut state = test.state();
        assert_eq!(state, State { pairs: 0, llr: 0.0, verdict: Verdict::Continue });
        while state.verdict == Verdict::Continue {
            state = test.add(lost);
        }
        assert_eq!(state.verdict, Verdict::AcceptH0);
        assert!(state.llr <= test.hypotheses().lower_bound());
        for _ in 0..100 {
            assert_eq!(test.add(PairScore::from_half_points(4).unwrap()), state);
        }
        assert_eq!(test.pairs().counts(), [state.pairs, 0, 0, 0, 0]);
        assert_eq!(serde_json::to_value(state).unwrap()["verdict"], "accept-h0");
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        let refused = |elo0, elo1, alpha, beta| Hypotheses::new(elo0, elo1, alpha, beta).unwrap_err().to_string();
        assert_eq!(refused(f64::NAN, 5.0, 0.05, 0.05), "elo0 = NaN: allowed are -2000 to 2000");
        assert_eq!(refused(0.0, 2001.0, 0.05, 0.05), "elo1 = 2001: allowed are -2000 to 2000");
        assert_eq!(
            refused(5.0, 5.0, 0.05, 0.05),
            "elo0 = 5 is not below elo1 = 5: elo0 must be the smaller, by 0.001 or more"
        );
        assert_eq!(refused(0.0, 5.0, 0.0, 0.05), "alpha = 0: allowed is anything above 0 and below 0.5");
        assert_eq!(refused(0.0, 5.0, 0.05, 0.5), "beta = 0.5: allowed is anything above 0 and below 0.5");
        assert!(Hypotheses::new(0.0, 5.0, 0.05, f64::NAN).is_err());
    }
}
