//! Measures what correcting scores for luck is worth, and that it shifts nothing; docs/ratings.md has the
//! figures.
//!
//! ```sh
//! cargo run --release -p arena-tests --example luck
//! cargo run --release -p arena-tests --example luck -- 1000
//! ```
//!
//! First every pairing of the sample agents, and two thresholds, over so many pairs (20,000 if nothing is
//! said): plain and corrected means, and the gain. Then five pairings in 200 repetitions of 100 pairs on
//! other seeds: the mean of all corrected means against the plain mean of the first part. Fails where they
//! are four standard errors apart, or a gain is below 0.95.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arena_core::luck::{LuckyPair, MEASURES, Measures, correct, of_match};
use arena_core::oracle::Oracle;
use arena_core::seeds::TournamentSecret;
use arena_core::{Agent, AgentError, Allowance, Answer, Contestant, Referee, Start, Table, Turn};
use arena_host::Sandbox;
use farkle::{Chart, Next, Points, ScoreTable, presets};

const REPETITIONS: u64 = 200;
const PAIRS_OF_ONE: u64 = 100;
/// Pairs that a thread takes at a time.
const CHUNK: u64 = 25;

/// Those of the second part.
const NAMED: [[&str; 2]; 5] = [
    ["threshold 300", "threshold 500"],
    ["keep-choice", "max-ev"],
    ["bank-asap", "dice-count"],
    ["max-ev", "threshold-300"],
    ["random", "threshold-300"],
];

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("luck: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool, Box<dyn Error>> {
    let pairs: u64 = std::env::args().nth(1).map_or(Ok(20_000), |pairs| pairs.parse())?;
    let sandbox = Sandbox::new()?;
    let mut agents: BTreeMap<String, Box<dyn Contestant>> = BTreeMap::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sample-agents/built");
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "wasm") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            agents.insert(name, Box::new(sandbox.load(&std::fs::read(&path)?)?));
        }
    }
    let samples: Vec<String> = agents.keys().cloned().collect();
    for enough in [300, 500] {
        agents.insert(format!("threshold {enough}"), Box::new(Threshold { enough }));
    }
    let measures = Measures::new(Arc::new(Oracle::solve(&presets::IMMEDIATE_WIN, |_| ())?));
    let play = |names: [&str; 2], secret: u64, from: u64, count: u64| {
        let seats = names.map(|name| &*agents[name]);
        play(&measures, seats, &TournamentSecret::from_seed(secret), from, count)
    };

    let mut good = true;
    let mut pairings: Vec<[&str; 2]> = vec![NAMED[0]];
    for (place, first) in samples.iter().enumerate() {
        pairings.extend(samples[place + 1..].iter().map(|second| [first.as_str(), second.as_str()]));
    }
    println!("{pairs} pairs each, immediate-win: mean score of a match, in percent, and its standard error");
    println!("{:<32} {:>15} {:>15} {:>6}", "", "plain", "corrected", "gain");
    let mut long_run = BTreeMap::new();
    for names in pairings {
        let gain = correct(&play(names, 1, 0, pairs)).gains[0];
        let [plain, corrected] = gain.standard_errors().map(|error| 50.0 * error.unwrap_or(0.0));
        let ratio = gain.ratio();
        println!(
            "{:<32} {:>7.3} ± {:>5.3} {:>7.3} ± {:>5.3} {:>6}",
            format!("{}, {}", names[0], names[1]),
            50.0 * gain.score,
            plain,
            50.0 * gain.corrected_score,
            corrected,
            ratio.map_or("–".to_owned(), |ratio| format!("{ratio:.2}"))
        );
        good &= ratio.is_none_or(|ratio| ratio >= 0.95);
        long_run.insert(names, gain);
    }

    println!("\n{REPETITIONS} repetitions of {PAIRS_OF_ONE} pairs on other seeds: the mean of corrected means");
    for names in NAMED {
        let all = play(names, 2, 0, REPETITIONS * PAIRS_OF_ONE);
        let mut means = Vec::new();
        for repetition in all.chunks(PAIRS_OF_ONE as usize) {
            means.push(correct(repetition).gains[0].corrected_score / 2.0);
        }
        let count = means.len() as f64;
        let mean = means.iter().sum::<f64>() / count;
        let variance = means.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (count - 1.0);
        let plain = long_run[&names];
        let error = (variance / count + plain.standard_errors()[0].unwrap_or(0.0).powi(2) / 4.0).sqrt();
        let away = (mean - plain.score / 2.0) / error;
        println!(
            "{:<32} {:>7.3}, plain {:>7.3}: {away:+.2} standard errors of {:.3} apart",
            format!("{}, {}", names[0], names[1]),
            100.0 * mean,
            50.0 * plain.score,
            100.0 * error
        );
        good &= away.abs() < 4.0;
    }
    Ok(good)
}

/// Pairs of two contestants, on all threads.
fn play(
    measures: &Measures,
    seats: [&dyn Contestant; 2],
    secret: &TournamentSecret,
    from: u64,
    count: u64,
) -> Vec<LuckyPair> {
    let rules = Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN));
    let next = AtomicU64::new(from);
    let one = |referee: &mut Referee, pair: u64| {
        let mut lucky = LuckyPair { pair, agents: [0, 1], score: 0.0, luck: [[0.0; MEASURES]; 2] };
        for first in 0..2 {
            let table = [seats[first], seats[1 - first]];
            let result = referee.play_in_place(secret.match_seed(pair), &table).expect("no match is void");
            lucky.score += match result.ranks[..] {
                [a, b] if a == b => 0.5,
                _ => f64::from(u8::from(result.ranks[first] == 1)),
            };
            let luck = of_match(measures, &presets::IMMEDIATE_WIN, 2, &referee.events()).expect("it is solved");
            for (agent, sums) in lucky.luck.iter_mut().enumerate() {
                sums.iter_mut().zip(luck[agent ^ first]).for_each(|(sum, luck)| *sum += luck);
            }
        }
        lucky
    };
    let work = || {
        let mut referee = Referee::new(rules.clone(), 2, Allowance::Standard.limits()).expect("two seats");
        let mut played = Vec::new();
        loop {
            let begin = next.fetch_add(CHUNK, Ordering::Relaxed);
            if begin >= from + count {
                return played;
            }
            played.extend((begin..(begin + CHUNK).min(from + count)).map(|pair| one(&mut referee, pair)));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut all: Vec<LuckyPair> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("it does not panic")).collect()
    });
    all.sort_by_key(|pair| pair.pair);
    all
}

/// Keeps what scores most, and banks from so many points on, or when that wins.
#[derive(Clone, Copy)]
struct Threshold {
    enough: Points,
}

thread_local! {
    static CHART: Chart = const { Chart::new(&presets::IMMEDIATE_WIN) };
}

impl Contestant for Threshold {
    fn sha256(&self) -> [u8; 32] {
        [(self.enough / 50) as u8; 32]
    }

    fn seat(&self, _: &Rc<Table>) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(*self))
    }
}

impl Agent for Threshold {
    fn start(&mut self, _: &Start) -> Result<(), AgentError> {
        Ok(())
    }

    fn decide(&mut self, turn: &Turn) -> Result<Answer, AgentError> {
        let keep = CHART.with(|chart| chart.best_keep(turn.roll)).expect("who is asked has a keep");
        let at_risk = turn.at_risk + keep.points;
        let banks = at_risk >= self.enough || turn.score + at_risk >= presets::IMMEDIATE_WIN.target;
        Ok(Answer::from_decision(keep.dice, if banks { Next::Bank } else { Next::Roll }))
    }
}
