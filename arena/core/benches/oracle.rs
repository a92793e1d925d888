//! What best play costs: solving a ruleset, solving one turn again, and looking one up.
//!
//! Run with `cargo bench -p arena-core --bench oracle`. Solving takes all processors; the other figures are
//! of one. A look-up is the mean over all rolls of six dice and of four.

use std::hint::black_box;

use arena_core::oracle::{Oracle, Position};
use divan::Bencher;
use divan::counter::ItemsCount;
use farkle::{Faces, presets};

fn main() {
    divan::main();
}

#[divan::bench(args = ["immediate-win", "play-table", "my-turn-yet", "five-dice", "solo-ten"], sample_count = 3, sample_size = 1)]
fn solve(preset: &str) -> f64 {
    let rules = presets::by_name(preset).expect("a preset");
    Oracle::solve(rules, |_| ()).expect("it is solved").first_player()
}

const MIDDLE: Position = Position { own: 4_300, rival: 5_200, own_farkles: 0, rival_farkles: 0, closing: false };

fn solved() -> Oracle {
    Oracle::solve(&presets::IMMEDIATE_WIN, |_| ()).expect("it is solved")
}

#[divan::bench]
fn turn_solved_again(bencher: Bencher) {
    let oracle = solved();
    bencher.bench_local(|| black_box(&oracle).turn(black_box(&MIDDLE)).map(|turn| turn.start()));
}

#[divan::bench]
fn turn_kept(bencher: Bencher) {
    let oracle = solved();
    bencher.bench_local(|| black_box(&oracle).kept_turn(black_box(&MIDDLE)).map(|turn| turn.start()));
}

#[divan::bench]
fn after_roll(bencher: Bencher) {
    let oracle = solved();
    let turn = oracle.kept_turn(&MIDDLE).expect("a position");
    let rolls: Vec<Faces> = Faces::all(6).chain(Faces::all(4)).collect();
    bencher.counter(ItemsCount::new(rolls.len())).bench_local(|| {
        let worth = |roll: &Faces| turn.after_roll(black_box(450), *roll).expect("a roll");
        rolls.iter().map(worth).sum::<f64>()
    });
}

/// What looking at a record takes, of one match of 30 turns and some 70 rolls.
#[divan::bench]
fn match_looked_at(bencher: Bencher) {
    let oracle = solved();
    let turns: Vec<Position> =
        (0..30).map(|turn| Position { own: 300 * turn, rival: 250 * turn, ..Position::default() }).collect();
    let rolls: Vec<Faces> = ["113466", "23455", "1246"].iter().filter_map(|roll| roll.parse().ok()).collect();
    bencher.bench_local(|| {
        let mut sum = 0.0;
        for position in &turns {
            let turn = oracle.kept_turn(position).expect("a position");
            for (roll, at_risk) in rolls.iter().zip([0, 100, 150]) {
                sum += turn.after_roll(at_risk, *roll).unwrap_or(0.0);
                sum -= turn.before_roll(at_risk, roll.len()).unwrap_or(0.0);
            }
        }
        sum
    });
}
