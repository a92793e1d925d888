//! A whole match between two sandboxed agents beside its floor: what no sandbox of this engine
//! could do without.
//!
//! floor = decisions × a bare no-argument component call + seats × a bare instantiate-and-drop of
//! the same component + the same match between the same strategy, native.
//!
//! And one decision of a trivial agent beside the bare call: what the border itself costs.
//!
//! `cargo bench -p arena-host --bench floor`. Rounds of all parts take turns, so that a machine
//! that changes its speed changes them alike; the median round is printed, and the figures of
//! docs/performance.md are from it. `-- --json` prints them as one JSON object instead. Without `--bench`,
//! which cargo adds, there is one tiny round, whose figures mean nothing.

mod trivial;

use std::hint::black_box;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use arena_core::{Agent, AgentError, Allowance, Answer, Contestant, Referee, Start, Table, Turn};
use arena_host::Sandbox;
use farkle::{Chart, Next, ScoreTable, presets};

use trivial::{BareCall, BareInstance, THRESHOLD};

/// How much is done.
struct Work {
    rounds: u64,
    /// Of each part, in a round.
    matches: u64,
    calls: u64,
    instances: u64,
    /// Matches that are compared decision by decision, and counted.
    checked: u64,
    /// Matches that show whether fuel is enough.
    fuelled: u64,
}

// Short rounds, many of them: a machine that is busy for a while is so for all parts of a round.
const MEASURED: Work = Work { rounds: 101, matches: 200, calls: 15_000, instances: 600, checked: 500, fuelled: 50 };
const TRIED: Work = Work { rounds: 1, matches: 2, calls: 10, instances: 2, checked: 2, fuelled: 1 };

/// The strategy of the sample agent `threshold-300`, native.
struct Threshold {
    chart: Chart,
    target: i32,
}

struct NativeContestant;

impl Contestant for NativeContestant {
    fn sha256(&self) -> [u8; 32] {
        [0; 32]
    }

    fn seat(&self, table: &Rc<Table>) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(Threshold { chart: Chart::new(table.ruleset()), target: table.ruleset().target }))
    }
}

impl Agent for Threshold {
    fn start(&mut self, _: &Start) -> Result<(), AgentError> {
        Ok(())
    }

    fn decide(&mut self, turn: &Turn) -> Result<Answer, AgentError> {
        let keep = self.chart.best_keep(turn.roll).expect("there is a legal keep");
        let at_risk = turn.at_risk + keep.points;
        let bank = at_risk >= turn.opening_due && (at_risk >= 300 || turn.score + at_risk >= self.target);
        Ok(Answer::from_decision(keep.dice, if bank { Next::Bank } else { Next::Roll }))
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let work = if has("--bench") { MEASURED } else { TRIED };
    let sandbox = Sandbox::new().expect("the engine starts");
    let agent = sandbox.load(THRESHOLD).expect("the sample agent is a contestant");
    let rules = Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN));
    let limits = Allowance::Standard.limits();
    let mut referee = Referee::new(rules, 2, limits).expect("two seats");

    // The same strategy must make the same decisions, or the comparison means nothing.
    let wasm: [&dyn Contestant; 2] = [&agent, &agent];
    let native: [&dyn Contestant; 2] = [&NativeContestant, &NativeContestant];
    let mut decisions = 0;
    for seed in 0..work.checked {
        let played = referee.play(seed, &wasm).expect("played");
        let events = referee.events().to_vec();
        assert_eq!(played.faults, []);
        assert_eq!(referee.play(seed, &native).expect("played").result, played.result);
        assert!(*referee.events() == events[..], "native and wasm agents decide differently");
        decisions += events.iter().filter(|e| !matches!(e.what, arena_core::What::Farkled { .. })).count();
    }
    let decisions = decisions as f64 / work.checked as f64;

    // `floor native 1000` or `floor wasm 1000` only plays, to be counted by a profiler.
    if let [_, kind, matches, ..] = &arguments[..]
        && let Ok(matches) = matches.parse::<u64>()
    {
        let seats = if kind == "native" { &native } else { &wasm };
        for seed in 0..matches {
            black_box(referee.play(seed, seats).expect("played"));
        }
        return;
    }

    let least = |fits: &dyn Fn(u64) -> arena_core::Limits| {
        let rules = Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN));
        let (mut low, mut high) = (0, limits.start_fuel);
        while low + 1 < high {
            let middle = (low + high) / 2;
            let mut referee = Referee::new(rules.clone(), 2, fits(middle)).expect("two seats");
            let enough = (0..work.fuelled).all(|seed| referee.play(seed, &wasm).expect("played").faults.is_empty());
            (low, high) = if enough { (low, middle) } else { (middle, high) };
        }
        high
    };
    let start_fuel = least(&|fuel| arena_core::Limits { start_fuel: fuel, ..limits });
    let decide_fuel = least(&|fuel| arena_core::Limits { decide_fuel: fuel, ..limits });

    let mut bare_call = BareCall::new(sandbox.engine());
    let bare_instance = BareInstance::new(sandbox.engine(), THRESHOLD);
    let trivial_agent = sandbox.load(&trivial::component()).expect("the trivial agent is a contestant");
    let mut trivial_agent = trivial::seated(&trivial_agent, &trivial::table(&presets::IMMEDIATE_WIN));
    let turns = trivial::turns(&presets::IMMEDIATE_WIN);
    let mut turns = turns.iter().cycle();

    let mut parts: [Vec<f64>; 5] = Default::default();
    let (mut whole_to_floor, mut decide_to_call) = (Vec::new(), Vec::new());
    for round in 0..work.rounds {
        let first = round * work.matches;
        let mut play = |seats: &[&dyn Contestant; 2]| {
            timed(work.matches, |number| drop(black_box(referee.play(first + number, seats).expect("played"))))
        };
        let whole = play(&wasm);
        let native = play(&native);
        let instance = timed(work.instances, |_| bare_instance.make_and_drop());
        let call = timed(work.calls, |_| bare_call.call());
        let decide = timed(work.calls, |_| {
            let turn = turns.next().expect("a turn");
            black_box(trivial_agent.decide(turn).expect("decided"));
        });
        whole_to_floor.push(whole / (decisions * call + 2.0 * instance + native));
        decide_to_call.push(decide / call);
        for (part, value) in parts.iter_mut().zip([whole, call, instance, native, decide]) {
            part.push(value);
        }
    }
    let [whole, call, instance, native, decide] = parts.map(median);
    let floor = decisions * call + 2.0 * instance + native;
    let (whole_to_floor, decide_to_call) = (median(whole_to_floor), median(decide_to_call));
    if has("--json") {
        let figures = serde_json::json!({
            "rounds": work.rounds,
            "pooled": sandbox.is_pooled(),
            "start_fuel": start_fuel,
            "decide_fuel": decide_fuel,
            "decisions_per_match": decisions,
            "whole_ns": whole,
            "matches_per_s": 1e9 / whole,
            "bare_call_ns": call,
            "bare_instance_ns": instance,
            "native_ns": native,
            "floor_ns": floor,
            "ratio_whole_to_floor": whole_to_floor,
            "decide_ns": decide,
            "ratio_decide_to_bare_call": decide_to_call,
        });
        println!("{figures}");
        return;
    }
    println!("fuel to start                  {start_fuel:>10}");
    println!("fuel a decision, at most       {decide_fuel:>10}");
    println!("pooled instances               {:>10}", sandbox.is_pooled());
    println!("decisions a match              {decisions:>10.1}");
    println!("whole match, two wasm seats    {whole:>10.0} ns  ({:.0} matches/s)", 1e9 / whole);
    println!("bare component call            {call:>10.1} ns");
    println!("bare instantiate and drop      {instance:>10.0} ns");
    println!("same match, native             {native:>10.0} ns");
    println!("floor                          {floor:>10.0} ns");
    println!("whole / floor, median of {:<5} {whole_to_floor:>10.2}", work.rounds);
    println!("decide, trivial agent          {decide:>10.1} ns");
    println!("decide / call, median of {:<5} {decide_to_call:>10.2}", work.rounds);
}

/// The time of one in nanoseconds, of so many.
fn timed(times: u64, part: impl FnMut(u64)) -> f64 {
    let start = Instant::now();
    (0..times).for_each(part);
    start.elapsed().as_nanos() as f64 / times as f64
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
