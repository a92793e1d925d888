//! What a match costs without a sandbox: the referee, beside a loop that plays the same game with the same
//! strategies and dice and does nothing else.
//!
//! Run with `cargo bench -p arena-core --bench referee`. A figure is the time of one match, and what it
//! allocates. `cargo bench -p arena-core --bench referee -- --json` times them in rounds that take turns,
//! so that a machine that changes its speed changes them alike, and prints the medians as one JSON object.
//! Without `--bench`, which cargo adds, everything runs once and its figures mean nothing.
//!
//! `referee minimal 1000` and `referee native 1000`, as arguments of the built benchmark, only
//! play so many matches, to be counted by a profiler.

use std::hint::black_box;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use arena_core::dice::MatchDice;
use arena_core::{Agent, AgentError, Allowance, Answer, Contestant, Referee, Start, Table, Turn};
use divan::{AllocProfiler, Bencher};
use farkle::{Chart, Faces, Next, Points, ScoreTable, presets};

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

/// Seeds that take turns.
const SEEDS: u64 = 1_000;

/// Rounds of `--json`, and the matches of each.
const ROUNDS: u64 = 31;
const MATCHES: u64 = 5_000;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let measures = has("--bench");
    let chart = Chart::new(&presets::IMMEDIATE_WIN);
    let (mut referee, seats) = (referee(2), [&Threshold as &dyn Contestant; 2]);
    for seed in 0..if measures { SEEDS } else { 10 } {
        let played = referee.play(seed, &seats).expect("played");
        assert_eq!(minimal(&mut MatchDice::new(seed, 2), &chart)[..], played.result.scores[..]);
    }
    if let [_, kind, matches, ..] = &arguments[..]
        && let Ok(matches) = matches.parse::<u64>()
    {
        let mut dice = MatchDice::new(0, 2);
        let mut rolls = 0;
        for seed in 0..matches {
            if kind == "minimal" {
                dice.reset(seed);
                black_box(minimal(&mut dice, &chart));
            } else {
                black_box(referee.play_in_place(seed, &seats).expect("played"));
            }
            rolls += referee.events().len();
        }
        println!("{rolls}");
        return;
    }
    let json = has("--json");
    if json || !measures {
        let (rounds, matches) = if measures { (ROUNDS, MATCHES) } else { (1, 1) };
        println!("{}", side_by_side(rounds, matches));
    }
    if json {
        return;
    }
    divan::main();
}

/// All in every round, with the same seeds.
fn side_by_side(rounds: u64, matches: u64) -> serde_json::Value {
    let chart = Chart::new(&presets::IMMEDIATE_WIN);
    let (mut referee, seats) = (referee(2), [&Threshold as &dyn Contestant; 2]);
    let mut dice = MatchDice::new(0, 2);
    let (mut natives, mut by_hands, mut ratios, mut hashes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for round in 0..rounds {
        let per_match = |play: &mut dyn FnMut(u64)| {
            let start = Instant::now();
            (round * matches..(round + 1) * matches).for_each(play);
            start.elapsed().as_nanos() as f64 / matches as f64
        };
        let native = per_match(&mut |seed| {
            black_box(referee.play_in_place(seed, &seats).expect("played"));
        });
        let by_hand = per_match(&mut |seed| {
            dice.reset(seed);
            black_box(minimal(&mut dice, &chart));
        });
        let hashed = per_match(&mut |seed| {
            black_box(referee.play_in_place(seed, &seats).expect("played"));
            black_box(referee.hash());
        });
        hashes.push(hashed / by_hand);
        natives.push(native);
        by_hands.push(by_hand);
        ratios.push(native / by_hand);
    }
    serde_json::json!({ "native_ns": median(natives), "by_hand_ns": median(by_hands), "ratio": median(ratios), "ratio_with_hash": median(hashes) })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The strategy of the sample agent `threshold-300`: keeps what scores most, and banks 300.
struct Threshold;

thread_local! {
    static CHART: Chart = const { Chart::new(&presets::IMMEDIATE_WIN) };
}

impl Contestant for Threshold {
    fn sha256(&self) -> [u8; 32] {
        [0; 32]
    }

    fn seat(&self, _: &Rc<Table>) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(Threshold))
    }
}

impl Agent for Threshold {
    fn start(&mut self, _: &Start) -> Result<(), AgentError> {
        Ok(())
    }

    fn decide(&mut self, turn: &Turn) -> Result<Answer, AgentError> {
        CHART.with(|chart| {
            let keep = chart.best_keep(turn.roll).expect("who is asked has a keep");
            let banks = banks(turn.at_risk + keep.points, turn.score);
            Ok(Answer::from_decision(keep.dice, if banks { Next::Bank } else { Next::Roll }))
        })
    }
}

fn banks(at_risk: Points, score: Points) -> bool {
    at_risk >= 300 || score + at_risk >= presets::IMMEDIATE_WIN.target
}

/// The same match, by hand: no rules but these, no records, no faults.
fn minimal(dice: &mut MatchDice, chart: &Chart) -> [Points; 2] {
    let mut scores = [0; 2];
    let mut turn = 0;
    loop {
        for seat in 0..2 {
            let (mut at_risk, mut left, mut roll) = (0, 6, 0);
            loop {
                let faces: Faces = dice.roll(seat as u8, turn, roll, left).expect("inside the scheme");
                let Some(keep) = chart.best_keep(faces) else { break };
                at_risk += keep.points;
                left -= keep.dice.len();
                if banks(at_risk, scores[seat]) {
                    scores[seat] += at_risk;
                    break;
                }
                left = if left == 0 { 6 } else { left };
                roll += 1;
            }
            if scores[seat] >= presets::IMMEDIATE_WIN.target {
                return scores;
            }
        }
        turn += 1;
    }
}

fn referee(seats: usize) -> Referee {
    let rules = Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN));
    Referee::new(rules, seats, Allowance::Standard.limits()).expect("so many may sit")
}

/// The referee: rules and events, as for outcomes alone.
#[divan::bench(args = [2])]
fn native(bencher: Bencher<'_, '_>, seats: usize) {
    bench_matches(bencher, seats, |_| ());
}

/// With the hash, as for a tournament in a file.
#[divan::bench(args = [2])]
fn native_and_hash(bencher: Bencher<'_, '_>, seats: usize) {
    bench_matches(bencher, seats, |referee| {
        black_box(referee.hash());
    });
}

/// Matches, and what is wanted of each.
fn bench_matches(bencher: Bencher<'_, '_>, seats: usize, wanted: impl Fn(&mut Referee)) {
    let mut referee = referee(seats);
    let contestants: Vec<&dyn Contestant> = vec![&Threshold; seats];
    let mut seed = 0;
    bencher.bench_local(|| {
        seed = (seed + 1) % SEEDS;
        black_box(referee.play_in_place(seed, &contestants).expect("played"));
        wanted(&mut referee);
    });
}

/// The hand-written loop at two seats.
#[divan::bench]
fn by_hand(bencher: Bencher<'_, '_>) {
    let chart = Chart::new(&presets::IMMEDIATE_WIN);
    let mut dice = MatchDice::new(0, 2);
    let mut seed = 0;
    bencher.bench_local(|| {
        seed = (seed + 1) % SEEDS;
        dice.reset(seed);
        black_box(minimal(&mut dice, &chart));
    });
}
