//! What results cost: counting outcomes, fitting ratings, standings, and the figures of two agents alone.
//!
//! Run with `cargo bench -p arena-core --bench standings`. A figure is the time of everything that is named:
//! all 10,000 pairs, one fit, one table of standings, one step of a test. Outcomes are made up, the same
//! ones every time. How long a million matches take: tests/standings_speed.rs.

use std::fmt;
use std::hint::black_box;

use arena_core::pentanomial::{PairScore, Pentanomial};
use arena_core::ratings::Options;
use arena_core::sprt::{Hypotheses, Sprt, Verdict};
use arena_core::standings::{Outcome, Tally};
use divan::Bencher;
use divan::counter::ItemsCount;
use farkle::Ending;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

fn main() {
    divan::main();
}

/// A tournament that was played.
#[derive(Clone, Copy)]
struct Played {
    agents: usize,
    seats: usize,
    pairs: usize,
    /// Totals are multiples of it: the larger, the more are equal.
    step: i32,
}

const TWO_SEATS: [Played; 2] =
    [Played { agents: 6, seats: 2, pairs: 10_000, step: 50 }, Played { agents: 50, seats: 2, pairs: 10_000, step: 50 }];

/// Two seeds for each of the 495 tables of four. With totals in whole thousands half of the matches have ties.
const FOUR_SEATS: Played = Played { agents: 12, seats: 4, pairs: 990, step: 1_000 };

const ALL: [Played; 3] = [TWO_SEATS[0], TWO_SEATS[1], FOUR_SEATS];

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} agents, {} seats, {} pairs", self.agents, self.seats, self.pairs)
    }
}

impl Played {
    /// The pairs, seed by seed: on each seed every table.
    fn outcomes(self) -> Vec<(u64, Vec<Outcome>)> {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let tables = tables(self.agents, self.seats);
        let mut pairs = Vec::with_capacity(self.pairs);
        for pair in 0..self.pairs {
            let mut table = tables[pair % tables.len()].clone();
            let mut matches = Vec::with_capacity(self.seats);
            for _ in 0..self.seats {
                matches.push(outcome(&mut random, table.clone(), self.step));
                table.rotate_left(1);
            }
            pairs.push(((pair / tables.len()) as u64, matches));
        }
        pairs
    }

    fn tally(self) -> Tally {
        tally(self.agents, &self.outcomes())
    }
}

/// Every choice of so many agents.
fn tables(agents: usize, seats: usize) -> Vec<Vec<usize>> {
    (0..seats).fold(vec![Vec::new()], |tables, _| {
        let longer = |table: &Vec<usize>| {
            let first = table.last().map_or(0, |last| last + 1);
            (first..agents).map(|agent| [&table[..], &[agent]].concat()).collect::<Vec<_>>()
        };
        tables.iter().flat_map(longer).collect()
    })
}

/// A match of `agents`, of which those with low indices tend to have higher totals.
fn outcome(random: &mut ChaCha8Rng, agents: Vec<usize>, step: i32) -> Outcome {
    let mut total = |agent: &usize| ((random.next_u32() % 10_000) as i32 - 20 * *agent as i32) / step * step;
    let scores: Vec<i32> = agents.iter().map(&mut total).collect();
    let ranks = scores.iter().map(|own| 1 + scores.iter().filter(|other| *other > own).count() as u32).collect();
    Outcome { agents, ranks, scores, faults: Vec::new(), ending: Ending::FinalRound, turns: Vec::new() }
}

fn tally(agents: usize, pairs: &[(u64, Vec<Outcome>)]) -> Tally {
    let mut tally = Tally::new(agents);
    for (pair, outcomes) in pairs {
        tally.add_pair(*pair, outcomes);
    }
    tally
}

#[divan::bench(args = TWO_SEATS)]
fn tally_of_pairs(bencher: Bencher<'_, '_>, played: Played) {
    let pairs = played.outcomes();
    bencher.counter(ItemsCount::new(pairs.len())).bench_local(|| tally(played.agents, black_box(&pairs)));
}

#[divan::bench(args = ALL)]
fn ratings(bencher: Bencher<'_, '_>, played: Played) {
    let tally = played.tally();
    bencher.bench_local(|| black_box(&tally).ratings(&Options::default()).expect("they can be fitted"));
}

/// The ratings with ranks, likelihoods and cross table.
#[divan::bench(args = ALL)]
fn standings(bencher: Bencher<'_, '_>, played: Played) {
    let tally = played.tally();
    bencher.bench_local(|| black_box(&tally).standings().expect("they can be fitted"));
}

/// From outcomes to the five counts.
#[divan::bench]
fn pentanomial_of_10_000_pairs(bencher: Bencher<'_, '_>) {
    let pairs = Played { agents: 2, ..TWO_SEATS[0] }.outcomes();
    bencher.counter(ItemsCount::new(pairs.len())).bench_local(|| {
        let mut counts = Pentanomial::default();
        for (_, outcomes) in black_box(&pairs) {
            counts.add(PairScore::of(0, outcomes).expect("a pair of two agents"));
        }
        counts
    });
}

#[divan::bench(sample_size = 1000)]
fn pentanomial_figures(bencher: Bencher<'_, '_>) {
    let counts = Pentanomial::from_counts([1_800, 300, 5_500, 300, 2_100]);
    bencher.bench_local(|| black_box(counts).figures());
}

/// One more pair after a thousand that decided nothing.
#[divan::bench]
fn sprt_step(bencher: Bencher<'_, '_>) {
    let mut test = Sprt::new(Hypotheses::new(0.0, 2.0, 0.05, 0.05).expect("hypotheses"));
    let score = |half_points| PairScore::from_half_points(half_points).expect("0 to 4");
    for pair in 0..1_000 {
        test.add(score([0, 2, 2, 4, 1, 3, 2][pair % 7]));
    }
    assert_eq!(test.state().verdict, Verdict::Continue);
    bencher.with_inputs(|| test.clone()).bench_local_refs(|test| test.add(black_box(score(2))));
}
