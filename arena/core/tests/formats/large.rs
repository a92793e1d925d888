//! What planning costs in large fields.

use std::time::Instant;

use arena_core::formats::{Format, Next};
use arena_core::seeds::TournamentSecret;

use crate::driving::{Blocks, dice, entries, next, plan};

/// `cargo test -p arena-core --test formats large -- --ignored --nocapture`
#[test]
#[ignore = "prints times"]
fn steps_of_large_fields() {
    let secret = TournamentSecret::from_seed(1);
    for (format, count, steps) in [
        (Format::RoundRobin, 500, 1),
        (Format::Swiss { rounds: 9 }, 501, 9),
        (Format::Swiss { rounds: 31 }, 30, 31),
        (Format::Knockout, 501, 20),
        (Format::Ladder { batch: 20, budget: 100_000 }, 50, 300),
    ] {
        let plan = plan(format, 2, 20, &secret);
        let mut blocks = Blocks::new();
        let mut slowest = 0.0;
        let mut taken = 0;
        while taken < steps {
            let start = Instant::now();
            let Next::Play(more) = next(&plan, &entries(count), &blocks) else { break };
            slowest = f64::max(slowest, start.elapsed().as_secs_f64());
            taken += 1;
            blocks.extend(more.into_iter().map(|block| {
                let scored = (!block.is_bye()).then(|| dice(1)(&block));
                (block, scored)
            }));
        }
        let (blocks, slowest) = (blocks.len(), 1e3 * slowest);
        println!("{}, {count} agents: {taken} steps, {blocks} blocks, slowest step {slowest:.1} ms", format.name());
    }
}
