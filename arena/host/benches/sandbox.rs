//! What the sandbox costs, part by part: a call, a decision, an instance, a match.
//!
//! Run with `cargo bench -p arena-host --bench sandbox`. A figure is the time of one of what is named. The
//! first of each kind is the engine's alone. The same match without a sandbox:
//! `cargo bench -p arena-core --bench referee`. Ratios are from the benchmark `floor`, whose rounds take
//! turns.

mod trivial;

use std::hint::black_box;
use std::sync::Arc;

use arena_core::{Allowance, Contestant, Referee};
use arena_host::{ComponentAgent, Sandbox};
use divan::Bencher;
use farkle::{ScoreTable, presets};

use trivial::{BareCall, BareInstance, THRESHOLD};

fn main() {
    divan::main();
}

fn sandbox() -> Sandbox {
    Sandbox::new().expect("the engine starts")
}

fn load(sandbox: &Sandbox, component: &[u8]) -> ComponentAgent {
    sandbox.load(component).expect("a contestant")
}

#[divan::bench(sample_size = 1000)]
fn call_bare(bencher: Bencher<'_, '_>) {
    let mut bare = BareCall::new(sandbox().engine());
    bencher.bench_local(|| bare.call());
}

/// Across the border and back: fuel, arguments, result, and nothing decided.
#[divan::bench(sample_size = 1000)]
fn decide_trivial(bencher: Bencher<'_, '_>) {
    decide(bencher, &trivial::component());
}

#[divan::bench(sample_size = 1000)]
fn decide_threshold(bencher: Bencher<'_, '_>) {
    decide(bencher, THRESHOLD);
}

fn decide(bencher: Bencher<'_, '_>, component: &[u8]) {
    let sandbox = sandbox();
    let contestant = load(&sandbox, component);
    let mut agent = trivial::seated(&contestant, &trivial::table(&presets::IMMEDIATE_WIN));
    let turns = trivial::turns(&presets::IMMEDIATE_WIN);
    let mut turns = turns.iter().cycle();
    bencher.bench_local(|| agent.decide(black_box(turns.next().expect("a turn"))).expect("decided"));
}

#[divan::bench]
fn instance_bare(bencher: Bencher<'_, '_>) {
    let instance = BareInstance::new(sandbox().engine(), THRESHOLD);
    bencher.bench_local(|| instance.make_and_drop());
}

/// As every match does for every seat, but for `start`.
#[divan::bench]
fn instance_threshold(bencher: Bencher<'_, '_>) {
    let sandbox = sandbox();
    let contestant = load(&sandbox, THRESHOLD);
    let table = trivial::table(&presets::IMMEDIATE_WIN);
    // Dropped at once: the pool has only so many places.
    bencher.bench_local(|| drop(black_box(contestant.seat(&table).expect("seated"))));
}

/// Both seats, from `seat` to the result; a thousand seeds take turns.
#[divan::bench]
fn match_threshold(bencher: Bencher<'_, '_>) {
    let sandbox = sandbox();
    let contestant = load(&sandbox, THRESHOLD);
    let rules = Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN));
    let mut referee = Referee::new(rules, 2, Allowance::Standard.limits()).expect("two seats");
    let seats: [&dyn Contestant; 2] = [&contestant, &contestant];
    let mut seed = 0;
    bencher.bench_local(|| {
        seed = (seed + 1) % 1_000;
        black_box(referee.play_in_place(seed, &seats).expect("played"));
    });
}
