//! How often the sequential test errs, on simulated pairs whose two matches share their dice.

use arena_core::pentanomial::PairScore;
use arena_core::sprt::{Hypotheses, Sprt, Verdict};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// What the dice that a pair shares do to its two matches.
#[derive(Clone, Copy, Debug)]
enum Luck {
    /// They win for a seat: in so many of 100 pairs both matches go to the same seat.
    Seat(u64),
    /// They win for an agent: in so many of 100 pairs both matches go to the same agent.
    Agent(u64),
}

/// Pairs of two agents of which the first has a given expected score; 2 of 100 matches that the dice
/// do not settle are draws.
struct Pairs {
    random: ChaCha8Rng,
    luck: Luck,
    score: f64,
}

impl Pairs {
    fn chance(&mut self, of: f64) -> bool {
        ((self.random.next_u64() >> 11) as f64) < of * (1_u64 << 53) as f64
    }

    fn next(&mut self) -> PairScore {
        let half_points = match self.luck {
            Luck::Seat(share) => {
                let share = share as f64 / 100.0;
                if self.chance(share) {
                    2
                } else {
                    // The others make up for it: share / 2 + (1 - share) own = score.
                    let own = (self.score - share / 2.0) / (1.0 - share);
                    self.single(own) + self.single(own)
                }
            }
            Luck::Agent(share) => {
                if self.chance(share as f64 / 100.0) {
                    4 * u8::from(self.chance(self.score))
                } else {
                    self.single(self.score) + self.single(self.score)
                }
            }
        };
        PairScore::from_half_points(half_points).unwrap()
    }

    /// Half points of a match with that expected score.
    fn single(&mut self, score: f64) -> u8 {
        if self.chance(0.02) { 1 } else { 2 * u8::from(self.chance((score - 0.01) / 0.98)) }
    }
}

/// The share of tests that accept the wrong hypothesis, and the mean number of pairs, where the truth is
/// `elo`.
fn errors(tests: u64, luck: Luck, hypotheses: Hypotheses, elo: f64, wrong: Verdict) -> (f64, f64) {
    let (mut errors, mut pairs) = (0_u64, 0);
    for seed in 0..tests {
        let score = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
        let mut truth = Pairs { random: ChaCha8Rng::seed_from_u64(seed), luck, score };
        let mut test = Sprt::new(hypotheses);
        let state = loop {
            let state = test.add(truth.next());
            if state.verdict != Verdict::Continue {
                break state;
            }
        };
        errors += u64::from(state.verdict == wrong);
        pairs += state.pairs;
    }
    (errors as f64 / tests as f64, pairs as f64 / tests as f64)
}

/// Both kinds of error, held against `allowed` times the risks and three standard errors of the
/// simulation.
fn check(tests: u64, luck: Luck, [elo0, elo1]: [f64; 2], [alpha, beta]: [f64; 2], allowed: f64) {
    let hypotheses = Hypotheses::new(elo0, elo1, alpha, beta).unwrap();
    let (false_h1, pairs0) = errors(tests, luck, hypotheses, elo0, Verdict::AcceptH1);
    let (false_h0, pairs1) = errors(tests, luck, hypotheses, elo1, Verdict::AcceptH0);
    println!(
        "{luck:?}, {elo0} against {elo1}, {tests} tests each: H1 accepted under H0 {false_h1:.4} (alpha {alpha}) \
         after {pairs0:.0} pairs, H0 under H1 {false_h0:.4} (beta {beta}) after {pairs1:.0}"
    );
    for (found, risk) in [(false_h1, alpha), (false_h0, beta)] {
        let error = (risk * (1.0 - risk) / tests as f64).sqrt();
        assert!(found <= allowed * risk + 3.0 * error, "{luck:?}: {found} is above {risk}");
        // A test that hardly ever errs is slower than it need be.
        assert!(found >= risk / 5.0, "{luck:?}: {found}");
    }
}

#[test]
fn errors_are_as_rare_as_promised() {
    for luck in [Luck::Seat(50), Luck::Agent(30)] {
        check(1_000, luck, [0.0, 40.0], [0.05, 0.05], 1.0);
    }
    check(1_000, Luck::Seat(20), [-20.0, 30.0], [0.1, 0.02], 1.0);
}

/// Tests of a few hundred pairs go by five probabilities that they know but roughly, and err up to a tenth
/// more often than they should.
#[test]
#[ignore = "a measurement for docs/ratings.md; takes minutes in a release build"]
fn errors_of_20000_tests() {
    for luck in [Luck::Seat(70), Luck::Seat(50), Luck::Agent(0), Luck::Agent(30)] {
        for elos in [[0.0, 20.0], [-10.0, 10.0], [0.0, 50.0], [0.0, 100.0]] {
            check(20_000, luck, elos, [0.05, 0.05], 1.1);
        }
    }
    check(20_000, Luck::Seat(50), [0.0, 50.0], [0.1, 0.01], 1.1);
    check(5_000, Luck::Seat(70), [0.0, 8.0], [0.05, 0.05], 1.0);
}
