//! `arena solve`: best play of a ruleset, and how often the first player wins by it.

use arena_core::rulebook::thousands;
use serde::Serialize;

use crate::args::{Format, SolveArgs};
use crate::failure::Failure;
use crate::oracles::{Solved, solved};
use crate::{output, rules};

pub(crate) fn run(args: &SolveArgs) -> Result<(), Failure> {
    let ruleset = rules::find(&args.rules)?;
    let solved = solved(&ruleset, args.anew)?;
    match args.format {
        Format::Json => output::print_json(&format!("{}\n", in_json(&solved))),
        Format::Text => output::print(&told(&solved)),
    }
}

/// The answer for programs, its fields in their pinned order.
#[derive(Serialize)]
struct Answer<'a> {
    ruleset: &'a str,
    /// The chance of the first player to win, a shared win counting one half.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_player: Option<f64>,
    /// Of one seat alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_total: Option<f64>,
    seconds: f64,
    kept: bool,
    positions: usize,
    step: farkle::Points,
    file: Option<String>,
}

fn in_json(solved: &Solved) -> String {
    let oracle = &solved.oracle;
    let value = oracle.first_player();
    let answer = Answer {
        ruleset: &oracle.rules().name,
        first_player: (!oracle.is_solo()).then_some(value),
        expected_total: oracle.is_solo().then_some(value),
        seconds: solved.seconds,
        kept: solved.was_kept,
        positions: oracle.positions(),
        step: oracle.step(),
        file: solved.file.as_ref().map(|file| file.display().to_string()),
    };
    serde_json::to_string(&answer).expect("an answer is plain data")
}

fn told(solved: &Solved) -> String {
    let oracle = &solved.oracle;
    let rules = oracle.rules();
    let mut text = if oracle.is_solo() {
        format!(
            "{}, one seat, {} turns for the most points\n  expected total     {:.4}\n",
            rules.name,
            thousands(i64::from(rules.turns)),
            oracle.first_player()
        )
    } else {
        format!(
            "{}, two seats, to {}: {} positions, scores in steps of {}\n  first player wins  {:.6}%\n",
            rules.name,
            thousands(i64::from(rules.target)),
            thousands(oracle.positions() as i64),
            oracle.step(),
            100.0 * oracle.first_player()
        )
    };
    let how = if solved.was_kept { "read" } else { "solved" };
    text += &format!("  {:<18} {:.2} s\n", format!("{how} in"), solved.seconds);
    match &solved.file {
        Some(file) => text += &format!("  kept in            {}\n", file.display()),
        None => text += "  not kept\n",
    }
    text
}
