//! How long standings of large tournaments take, from stored outcomes. Measurements; run them in a
//! release build:
//!
//! ```text
//! cargo test --release -p arena-core --test standings_speed -- --ignored --nocapture
//! ```

use std::time::Instant;

use arena_core::standings::{Outcome, Tally};
use farkle::Ending;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// A match of `agents`, of which those with low indices tend to have higher totals. Totals are multiples of
/// `step`: the larger, the more are equal.
fn outcome(random: &mut ChaCha8Rng, agents: Vec<usize>, step: i32) -> Outcome {
    let mut total =
        |agent: &usize| (random.next_u32() % 10_000) as i32 / step * step - 20 * *agent as i32 / step * step;
    let totals: Vec<i32> = agents.iter().map(&mut total).collect();
    let ranks = totals.iter().map(|own| 1 + totals.iter().filter(|other| *other > own).count() as u32).collect();
    Outcome { agents, ranks, scores: totals, faults: Vec::new(), ending: Ending::FinalRound, turns: Vec::new() }
}

fn measure(name: &str, agents: usize, pairs: &[(u64, Vec<Outcome>)]) -> f64 {
    let matches: usize = pairs.iter().map(|(_, outcomes)| outcomes.len()).sum();
    let start = Instant::now();
    let mut tally = Tally::new(agents);
    for (pair, outcomes) in pairs {
        tally.add_pair(*pair, outcomes);
    }
    let fed = start.elapsed();
    let standings = tally.standings().unwrap();
    let all = start.elapsed();
    assert_eq!(standings.standings.len(), agents);
    println!("{name}: {matches} matches of {agents} agents: {fed:.2?} to count, {all:.2?} with standings");
    all.as_secs_f64()
}

#[test]
#[ignore = "a measurement; run it in a release build"]
fn a_million_matches_of_two_seats() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut pairs = Vec::new();
    // 408 seeds, 1,225 pairings, two matches each: 999,600.
    for pair in 0..408 {
        for a in 0..50 {
            for b in a + 1..50 {
                pairs.push((pair, vec![outcome(&mut random, vec![a, b], 50), outcome(&mut random, vec![b, a], 50)]));
            }
        }
    }
    let seconds = measure("two seats", 50, &pairs);
    assert!(seconds < 2.0, "{seconds} s");
}

#[test]
#[ignore = "a measurement; run it in a release build"]
fn thirteen_thousand_matches_of_ten_seats() {
    for (name, step) in [("ten seats, few ties", 50), ("ten seats, ties of many sizes", 1_000)] {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        let mut pairs = Vec::new();
        // 20 seeds, every 10 of 12 agents, 10 rotations: 13,200.
        for pair in 0..20 {
            for left_out in 0..12 {
                for also in 0..left_out {
                    let mut table: Vec<usize> = (0..12).filter(|agent| *agent != left_out && *agent != also).collect();
                    let outcomes = (0..10)
                        .map(|_| {
                            table.rotate_left(1);
                            outcome(&mut random, table.clone(), step)
                        })
                        .collect();
                    pairs.push((pair, outcomes));
                }
            }
        }
        measure(name, 12, &pairs);
    }
}
