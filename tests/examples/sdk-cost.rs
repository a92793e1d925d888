//! What the SDK costs an agent: two components that decide alike, side by side.
//!
//! ```sh
//! arena build tests/bare-agent
//! cargo run --release -p arena-tests --example sdk-cost -- \
//!     sample-agents/built/threshold-300.wasm bare-agent.wasm
//! ```
//!
//! Prints the fuel that `start` and the decisions of some matches take, which is the same on every
//! machine, and matches a second of each agent against itself, in short turns one after the other:
//! the machine's own speed changes more slowly than that. Both must decide alike at every roll, or
//! there is nothing to compare.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use arena_core::{Allowance, Answer, Referee, Told, Void};
use arena_host::{ComponentAgent, Sandbox};
use farkle::{ScoreTable, presets};

/// Matches whose decisions are weighed.
const WEIGHED: u64 = 50;
/// Rounds, and matches of each agent in a round.
const ROUNDS: usize = 2_000;
const MATCHES: u64 = 40;

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

    let mut weighed = [Weighed::default(), Weighed::default()];
    let mut watching = referee();
    watching.keep_calls();
    for seed in 0..WEIGHED {
        for (agent, weighed) in agents.iter().zip(&mut weighed) {
            watching.play(seed, &[agent, agent]).map_err(|failure| failure.to_string())?;
            weighed.add(&watching);
        }
        if weighed[0].answers != weighed[1].answers {
            return Err(format!("they decide differently in the match of seed {seed}"));
        }
    }
    println!("{WEIGHED} matches             with the SDK        bare");
    let row = |what: &str, of: fn(&Weighed) -> f64| {
        println!("{what:<22}{:>12.1}  {:>10.1}", of(&weighed[0]), of(&weighed[1]));
    };
    row("decisions a match", |weighed| weighed.answers.len() as f64 / WEIGHED as f64);
    row("fuel of start", |weighed| weighed.starting as f64 / (2 * WEIGHED) as f64);
    row("fuel of a decision", |weighed| weighed.deciding as f64 / weighed.answers.len() as f64);
    row("fuel of a match", |weighed| (weighed.starting + weighed.deciding) as f64 / WEIGHED as f64);

    let mut ratios: Vec<f64> = Vec::with_capacity(ROUNDS);
    let mut least = [f64::INFINITY; 2];
    let mut playing = referee();
    for round in 0..ROUNDS {
        // Who goes first changes, so that neither gains from the other's warm machine.
        let mut seconds = [0.0; 2];
        for turn in 0..2 {
            let agent = (round + turn) % 2;
            seconds[agent] = time(&mut playing, &agents[agent]).map_err(|failure| failure.to_string())?;
        }
        ratios.push(seconds[1] / seconds[0]);
        least = [0, 1].map(|agent| least[agent].min(seconds[agent]));
    }
    ratios.sort_by(f64::total_cmp);
    let rate = least.map(|seconds| MATCHES as f64 / seconds);
    println!("{:<22}{:>12.0}  {:>10.0}", "matches a second", rate[0], rate[1]);
    println!(
        "matches a second, with the SDK / bare: {:.3} (median of {ROUNDS} rounds of {MATCHES} matches; of the fastest \
         rounds {:.3})",
        ratios[ROUNDS / 2],
        rate[0] / rate[1]
    );
    Ok(())
}

/// What an agent answered and spent in its matches against itself.
#[derive(Default)]
struct Weighed {
    answers: Vec<Option<Answer>>,
    starting: u64,
    deciding: u64,
}

impl Weighed {
    fn add(&mut self, watching: &Referee) {
        for call in watching.calls() {
            match call.told {
                Told::Start(_) => self.starting += call.spent.fuel,
                Told::Turn(_) => {
                    self.deciding += call.spent.fuel;
                    self.answers.push(call.answer);
                }
            }
        }
    }
}

fn referee() -> Referee {
    let rules = Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN));
    Referee::new(rules, 2, Allowance::Standard.limits()).expect("two seats are allowed")
}

fn time(referee: &mut Referee, agent: &ComponentAgent) -> Result<f64, Void> {
    let started = Instant::now();
    for seed in 0..MATCHES {
        referee.play(seed, &[agent, agent])?;
    }
    Ok(started.elapsed().as_secs_f64())
}
