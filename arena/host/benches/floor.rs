//! A whole match between two sandboxed agents beside its floor: what no sandbox of this engine
//! could do without.
//!
//! floor = decisions × a bare no-argument component call + seats × a bare instantiate-and-drop of
//! the same component + the same match between the same strategy, native.
//!
//! `cargo bench -p arena-host --bench floor`. Rounds of all parts take turns, so that a machine
//! that changes its speed changes them alike; the median round is printed, and the figures of
//! docs/performance.md are from it.

use std::hint::black_box;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use arena_core::{Agent, AgentError, Allowance, Answer, Contestant, Referee, Start, Table, Turn};
use arena_host::Sandbox;
use farkle::{Chart, Next, ScoreTable, presets};
use wasmtime::component::{Component, Linker};
use wasmtime::{Engine, Store};

const THRESHOLD: &[u8] = include_bytes!("../../../sample-agents/built/threshold-300.wasm");
const ROUNDS: usize = 15;
const MATCHES: u64 = 2_000;
/// Matches that are compared decision by decision, and counted.
const CHECKED: u64 = 500;

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
    let sandbox = Sandbox::new().expect("the engine starts");
    let agent = sandbox.load(THRESHOLD).expect("the sample agent is a contestant");
    let rules = Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN));
    let limits = Allowance::Standard.limits();
    let mut referee = Referee::new(rules, 2, limits).expect("two seats");

    // The same strategy must make the same decisions, or the comparison means nothing.
    let wasm: [&dyn Contestant; 2] = [&agent, &agent];
    let native: [&dyn Contestant; 2] = [&NativeContestant, &NativeContestant];
    let mut decisions = 0;
    for seed in 0..CHECKED {
        let played = referee.play(seed, &wasm).expect("played");
        let events = referee.events().to_vec();
        assert_eq!(played.faults, []);
        assert_eq!(referee.play(seed, &native).expect("played").result, played.result);
        assert!(*referee.events() == events[..], "native and wasm agents decide differently");
        decisions += events.iter().filter(|e| !matches!(e.what, arena_core::What::Farkled { .. })).count();
    }
    let decisions = decisions as f64 / CHECKED as f64;

    // `floor native 1000` or `floor wasm 1000` only plays, to be counted by a profiler.
    let arguments: Vec<String> = std::env::args().collect();
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
            let enough = (0..50).all(|seed| referee.play(seed, &wasm).expect("played").faults.is_empty());
            (low, high) = if enough { (low, middle) } else { (middle, high) };
        }
        high
    };
    println!("fuel to start                  {:>10}", least(&|fuel| arena_core::Limits { start_fuel: fuel, ..limits }));
    println!(
        "fuel a decision, at most       {:>10}",
        least(&|fuel| arena_core::Limits { decide_fuel: fuel, ..limits })
    );

    let mut parts: [Vec<f64>; 4] = Default::default();
    let mut ratios = Vec::new();
    for round in 0..ROUNDS as u64 {
        let seeds = round * MATCHES..(round + 1) * MATCHES;
        let per_match = |referee: &mut Referee, seats: &[&dyn Contestant; 2]| {
            let start = Instant::now();
            for seed in seeds.clone() {
                black_box(referee.play(seed, seats).expect("played"));
            }
            start.elapsed().as_nanos() as f64 / MATCHES as f64
        };
        let whole = per_match(&mut referee, &wasm);
        let bare_call = bare_call(sandbox.engine());
        let bare_instance = bare_instance(sandbox.engine());
        let native = per_match(&mut referee, &native);
        let floor = decisions * bare_call + 2.0 * bare_instance + native;
        ratios.push(whole / floor);
        for (part, value) in parts.iter_mut().zip([whole, bare_call, bare_instance, native]) {
            part.push(value);
        }
    }
    let [whole, call, instance, native] = parts.map(median);
    println!("pooled instances               {:>10}", sandbox.is_pooled());
    println!("decisions a match              {decisions:>10.1}");
    println!("whole match, two wasm seats    {whole:>10.0} ns  ({:.0} matches/s)", 1e9 / whole);
    println!("bare component call            {call:>10.1} ns");
    println!("bare instantiate and drop      {instance:>10.0} ns");
    println!("same match, native             {native:>10.0} ns");
    println!("floor                          {:>10.0} ns", decisions * call + 2.0 * instance + native);
    println!("whole / floor, median of {ROUNDS}    {:>10.2}", median(ratios));
}

/// A component that does nothing, called without arguments.
fn bare_call(engine: &Engine) -> f64 {
    let text = r#"(component (core module $m (func (export "f"))) (core instance $i (instantiate $m))
        (func (export "f") (canon lift (core func $i "f"))))"#;
    let component = Component::new(engine, wat::parse_str(text).expect("text")).expect("component");
    let mut store = Store::new(engine, ());
    store.set_fuel(u64::MAX / 2).expect("fuel");
    let instance = Linker::new(engine).instantiate(&mut store, &component).expect("instance");
    let f = instance.get_typed_func::<(), ()>(&mut store, "f").expect("export");
    let calls = 50_000;
    let start = Instant::now();
    for _ in 0..calls {
        f.call(&mut store, ()).expect("call");
    }
    start.elapsed().as_nanos() as f64 / f64::from(calls)
}

/// The sample agent's component, instantiated in a fresh store and dropped, with imports that are
/// never called.
fn bare_instance(engine: &Engine) -> f64 {
    let component = Component::new(engine, THRESHOLD).expect("component");
    let mut linker = Linker::<()>::new(engine);
    linker.define_unknown_imports_as_traps(&component).expect("imports");
    let pre = linker.instantiate_pre(&component).expect("imports fit");
    let instances = 3_000;
    let start = Instant::now();
    for _ in 0..instances {
        let mut store = Store::new(engine, ());
        store.set_fuel(u64::MAX / 2).expect("fuel");
        black_box(pre.instantiate(&mut store).expect("instance"));
    }
    start.elapsed().as_nanos() as f64 / f64::from(instances)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
