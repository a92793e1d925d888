//! What the SDK costs an agent: two components that decide alike, side by side.
//!
//! ```sh
//! arena build tests/bare-agent
//! cargo run --release -p arena-tests --example sdk-cost -- \
//!     sample-agents/built/threshold-300.wasm bare-agent.wasm
//! ```
//!
//! Prints the fuel that `start` and each decision of some matches need, which is the same on every
//! machine, and matches a second of each agent against itself, taken in turns. Both must decide
//! alike at every roll, or there is nothing to compare.
//!
//! The fuel needed is the least allowance with which a call is done. The engine looks at it where
//! functions begin and loops repeat, so what follows the last of these is not in the figure, and
//! only large differences mean something.

use std::process::ExitCode;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use arena_core::{
    Agent, AgentError, Allowance, Answer, Contestant, Fault, FaultKind, HostFailure, Limits, Referee, Start, Table,
    Turn,
};
use arena_host::{ComponentAgent, Sandbox};
use farkle::{ScoreTable, presets};

/// Matches whose decisions are weighed.
const WEIGHED: u64 = 5;
/// Rounds, and matches of each agent in a round.
const ROUNDS: usize = 15;
const MATCHES: u64 = 2_000;

fn main() -> ExitCode {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let [with_sdk, bare] = &paths[..] else {
        eprintln!("usage: sdk-cost WITH-SDK.wasm BARE.wasm");
        return ExitCode::from(2);
    };
    match compare(with_sdk, bare) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn compare(with_sdk: &str, bare: &str) -> Result<(), String> {
    let sandbox = Sandbox::new().map_err(|error| error.to_string())?;
    let load = |path: &str| {
        let bytes = std::fs::read(path).map_err(|error| format!("reading {path}: {error}"))?;
        sandbox.load(&bytes).map_err(|refused| format!("{path}: {refused}"))
    };
    let agents = [load(with_sdk)?, load(bare)?];

    let mut situations = Vec::new();
    for seed in 0..WEIGHED {
        let [ours, theirs] = [0, 1].map(|agent| decisions(&agents[agent], seed));
        let (ours, theirs) = (ours?, theirs?);
        if ours != theirs {
            return Err(format!("they decide differently in the match of seed {seed}"));
        }
        situations.extend(ours.into_iter().map(|(turn, _)| turn));
    }
    let fuel = [0, 1].map(|agent| fuel_of(&agents[agent], &situations));
    println!("{} decisions      with the SDK        bare", situations.len());
    let row = |what: &str, of: fn(&Fuel) -> f64| println!("{what:<22}{:>10.1}  {:>10.1}", of(&fuel[0]), of(&fuel[1]));
    row("fuel of start", |fuel| fuel.start as f64);
    row("fuel of a decision", |fuel| fuel.decisions.iter().sum::<u64>() as f64 / fuel.decisions.len() as f64);
    row("the dearest decision", |fuel| fuel.decisions.iter().max().copied().unwrap_or(0) as f64);
    row("fuel of a match", |fuel| 2.0 * fuel.start as f64 + fuel.decisions.iter().sum::<u64>() as f64 / WEIGHED as f64);

    let mut ratios: Vec<f64> = Vec::new();
    for round in 0..ROUNDS {
        // Who goes first changes, so that neither gains from the other's warm machine.
        let mut seconds = [0.0; 2];
        for turn in 0..2 {
            let agent = (round + turn) % 2;
            seconds[agent] = time(&agents[agent]).map_err(|failure| failure.to_string())?;
        }
        ratios.push(seconds[1] / seconds[0]);
        let rate = seconds.map(|seconds| MATCHES as f64 / seconds);
        println!("round {:>2}: {:>6.0} and {:>6.0} matches a second", round + 1, rate[0], rate[1]);
    }
    ratios.sort_by(f64::total_cmp);
    println!("with the SDK / bare, median of {ROUNDS}: {:.3}", ratios[ROUNDS / 2]);
    Ok(())
}

fn limits() -> Limits {
    Allowance::Standard.limits()
}

fn referee(limits: Limits) -> Referee {
    let rules = Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN));
    Referee::new(rules, 2, limits).expect("two seats are allowed")
}

fn time(agent: &ComponentAgent) -> Result<f64, HostFailure> {
    let mut referee = referee(limits());
    let started = Instant::now();
    for seed in 0..MATCHES {
        referee.play(seed, &[agent, agent])?;
    }
    Ok(started.elapsed().as_secs_f64())
}

/// What an agent was asked in a match against itself, and what it answered.
fn decisions(agent: &ComponentAgent, seed: u64) -> Result<Vec<(Turn, Answer)>, String> {
    let noted = Arc::new(Mutex::new(Vec::new()));
    let seats = Wrapped { agent, what: What::Note(noted.clone()) };
    referee(limits()).play(seed, &[&seats, &seats]).map_err(|failure| failure.to_string())?;
    let noted = noted.lock().map_err(|_| "an agent panicked")?.clone();
    Ok(noted)
}

/// The fuel that calls take: the least with which they are done.
struct Fuel {
    start: u64,
    decisions: Vec<u64>,
}

fn fuel_of(agent: &ComponentAgent, situations: &[Turn]) -> Fuel {
    let done = |limits, what: fn(Arc<AtomicBool>, Turn) -> What, turn: &Turn| {
        let done = Arc::new(AtomicBool::new(false));
        let seats = Wrapped { agent, what: what(done.clone(), *turn) };
        referee(limits).play(0, &[&seats, &seats]).is_ok() && done.load(Ordering::Relaxed)
    };
    let starts = |fuel| done(Limits { start_fuel: fuel, ..limits() }, |done, _| What::Start(done), &situations[0]);
    let decides = |turn: &Turn, fuel| done(Limits { decide_fuel: fuel, ..limits() }, What::Decide, turn);
    Fuel { start: least(starts), decisions: situations.iter().map(|turn| least(|fuel| decides(turn, fuel))).collect() }
}

/// The least fuel with which it is done, by halves.
fn least(done: impl Fn(u64) -> bool) -> u64 {
    let (mut too_little, mut enough) = (0, 1 << 20);
    while enough - too_little > 1 {
        let half = (too_little + enough) / 2;
        if done(half) { enough = half } else { too_little = half }
    }
    enough
}

/// An agent, and what is done with it instead of playing on.
struct Wrapped<'a> {
    agent: &'a ComponentAgent,
    what: What,
}

#[derive(Clone)]
enum What {
    /// Writes down what it decides.
    Note(Arc<Mutex<Vec<(Turn, Answer)>>>),
    /// Says whether it starts.
    Start(Arc<AtomicBool>),
    /// Says whether it decides on this turn.
    Decide(Arc<AtomicBool>, Turn),
}

impl Contestant for Wrapped<'_> {
    fn sha256(&self) -> [u8; 32] {
        self.agent.sha256()
    }

    fn seat(&self, table: &Rc<Table>) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(Watched { agent: self.agent.seat(table)?, what: self.what.clone() }))
    }
}

struct Watched {
    agent: Box<dyn Agent>,
    what: What,
}

impl Agent for Watched {
    fn start(&mut self, start: &Start) -> Result<(), AgentError> {
        self.agent.start(start)?;
        if let What::Start(done) = &self.what {
            done.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    fn decide(&mut self, turn: &Turn) -> Result<Answer, AgentError> {
        if let What::Decide(done, turn) = &self.what {
            done.store(self.agent.decide(turn).is_ok(), Ordering::Relaxed);
        }
        if let What::Note(noted) = &self.what {
            let answer = self.agent.decide(turn)?;
            noted.lock().expect("nobody panics while noting").push((*turn, answer));
            return Ok(answer);
        }
        // All is known: no need to play on.
        Err(Fault { kind: FaultKind::CannotStart, message: String::new() }.into())
    }
}
