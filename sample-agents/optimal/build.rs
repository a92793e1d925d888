//! Writes out what rolling so many dice offers under `immediate-win`, as code: one function by number of
//! dice, a line for all rolls that offer the same, those of the same chance together.
//!
//! As code, and not as data that is gone through: so the compiler knows all places, and reads each once.
//!
//! Of the keeps of a roll, left out is whatever another one beats by points that leaves as many dice, or all
//! six of them. More dice are not better elsewhere: who needs a miracle wants the last die, and then six.
//! That six are never worse is no law of the game, but so in every turn under these rules: the agent's tests
//! ask the exact solution.

use std::fmt::Write as _;

use farkle::{Chart, Faces, presets};

/// Points of one step: all scores are multiples of it.
const STEP: i32 = 50;

/// By dice - 1: how many rows above the others' a block of that column begins, so that all it reads was
/// made before. `src/sweep.rs` says how the blocks go.
const LEADS: [usize; 6] = [3, 2, 1, 0, 0, 0];
/// How many rows are swept at once.
const LANES: usize = 4;

/// What standing behind a keep is: steps of points, and dice to roll next - 1.
type Offer = (usize, usize);

fn main() {
    let chart = Chart::new(&presets::IMMEDIATE_WIN);
    let mut source = String::new();
    let mut most_steps = 0;
    for dice in 1..=6u8 {
        let column = usize::from(dice) - 1;
        let all = 6f64.powi(dice.into());
        let mut farkle = 0;
        let mut kinds: Vec<(u32, Vec<Offer>)> = Vec::new();
        for roll in Faces::all(dice) {
            let offers = offers(&chart, roll);
            if offers.is_empty() {
                farkle += roll.ways();
            } else if let Some(kind) = kinds.iter_mut().find(|kind| kind.1 == offers) {
                kind.0 += roll.ways();
            } else {
                kinds.push((roll.ways(), offers));
            }
        }
        kinds.sort_unstable();
        writeln!(source, "\n/// The mean worth of rolling {dice} dice.").expect("a string takes text");
        writeln!(source, "#[inline(always)]\nfn roll_{dice}(farkle: f32, rows: &Window) -> Lanes {{")
            .expect("as above");
        let chance = |ways: u32| (f64::from(ways) / all) as f32;
        writeln!(source, "    let mut mean = Lanes::all({:?} * farkle);", chance(farkle)).expect("as above");
        for alike in kinds.chunk_by(|a, b| a.0 == b.0) {
            let mut place = |&(steps, next): &Offer| {
                most_steps = most_steps.max(steps);
                // Lower columns of this round, higher ones of the round before.
                let made = LEADS[next] + if next < column { 0 } else { LANES };
                assert!(LEADS[column] + steps >= made, "{dice} dice read {steps} steps above what is not made yet");
                format!("kept(rows, {next}, {})", LEADS[column] + steps)
            };
            for (kind, (_, offers)) in alike.iter().enumerate() {
                let best = offers.iter().map(&mut place).reduce(|best, other| format!("{best}.or({other})"));
                let best = best.unwrap_or_default();
                if kind == 0 {
                    writeln!(source, "    let sum = {best};").expect("as above");
                } else {
                    writeln!(source, "    let sum = sum.plus({best});").expect("as above");
                }
            }
            writeln!(source, "    mean = mean.plus(sum.times({:?}));", chance(alike[0].0)).expect("as above");
        }
        source.push_str("    mean\n}\n");
    }
    let head = format!(
        "/// The most steps of one keep.\nconst MOST_STEPS: usize = {most_steps};\n\n\
         /// By dice - 1: the rows by which a column is ahead.\nconst LEADS: [usize; 6] = {LEADS:?};\n"
    );
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(std::path::Path::new(&out).join("rolls.rs"), head + &source).expect("OUT_DIR can be written to");
    println!("cargo::rerun-if-changed=build.rs");
}

/// The keeps of a roll that are worth looking at, each once, in order.
fn offers(chart: &Chart, roll: Faces) -> Vec<Offer> {
    let offer = |keep: farkle::Keep| {
        let left = roll.len() - keep.dice.len();
        ((keep.points / STEP) as usize, if left == 0 { 5 } else { usize::from(left) - 1 })
    };
    let all: Vec<Offer> = chart.legal_keeps(roll).map(offer).collect();
    let beaten = |a: &Offer| all.iter().any(|b| b != a && b.0 >= a.0 && (b.1 == a.1 || b.1 == 5));
    let mut best: Vec<Offer> = all.iter().copied().filter(|offer| !beaten(offer)).collect();
    best.sort_unstable();
    best.dedup();
    best
}
