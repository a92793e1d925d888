//! `arena keeps`: every legal keep of a roll.

use std::cmp::Reverse;

use arena_core::rulebook::{dashed, thousands};
use farkle::{Chart, Faces, Keep, Points, Ruleset};
use serde::Serialize;

use crate::args::{DiceArgs, Format};
use crate::commands::score::parse;
use crate::failure::Failure;
use crate::{lines, output, rules};

pub(crate) fn run(args: &DiceArgs) -> Result<(), Failure> {
    let ruleset = rules::find(&args.rules)?;
    let chart = Chart::new(&ruleset);
    if args.stdin {
        return lines::answer_each(args.format, |line| {
            let roll = rolled(&ruleset, line)?;
            let keeps = keeps(&chart, roll);
            Ok(match args.format {
                Format::Json => in_json(&ruleset, roll, &keeps),
                Format::Text => in_line(roll, &keeps),
            })
        });
    }
    let roll = rolled(&ruleset, &args.dice.join(" "))?;
    let keeps = keeps(&chart, roll);
    match args.format {
        Format::Json => output::print_json(&format!("{}\n", in_json(&ruleset, roll, &keeps))),
        Format::Text => output::print(&told(&ruleset, roll, &keeps)),
    }
}

fn rolled(ruleset: &Ruleset, text: &str) -> Result<Faces, Failure> {
    let roll = parse(ruleset, text)?;
    if roll.is_empty() {
        return Err(Failure::usage("no dice were rolled: a roll is 1 die or more"));
    }
    Ok(roll)
}

/// Most points first, then fewest dice, then the lowest faces.
pub(crate) fn keeps(chart: &Chart, roll: Faces) -> Vec<Keep> {
    let mut keeps: Vec<Keep> = chart.legal_keeps(roll).collect();
    keeps.sort_by_cached_key(|keep| (Reverse(keep.points), keep.dice.len(), keep.dice.to_string()));
    keeps
}

/// The dice of the next roll: on hot dice all of them.
fn dice_left(ruleset: &Ruleset, roll: Faces, keep: &Keep) -> u8 {
    match roll.len() - keep.dice.len() {
        0 => ruleset.dice,
        left => left,
    }
}

fn wins(ruleset: &Ruleset, keep: &Keep) -> bool {
    ruleset.six_wins && keep.dice.counts().contains(&6)
}

/// The answer for programs, its fields in their pinned order.
#[derive(Serialize)]
struct Answer {
    roll: String,
    farkle: bool,
    keeps: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    dice: String,
    points: Points,
    dice_left: u8,
    /// Only where it is so.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    wins: bool,
}

fn in_json(ruleset: &Ruleset, roll: Faces, keeps: &[Keep]) -> String {
    let listed = |keep: &Keep| Listed {
        dice: keep.dice.to_string(),
        points: keep.points,
        dice_left: dice_left(ruleset, roll, keep),
        wins: wins(ruleset, keep),
    };
    let answer = Answer { roll: roll.to_string(), farkle: keeps.is_empty(), keeps: keeps.iter().map(listed).collect() };
    serde_json::to_string(&answer).expect("an answer is plain data")
}

/// On one line, for an answer to one of many.
fn in_line(roll: Faces, keeps: &[Keep]) -> String {
    if keeps.is_empty() {
        return format!("{}: farkle", dashed(roll));
    }
    let listed: Vec<String> =
        keeps.iter().map(|keep| format!("{} {}", dashed(keep.dice), thousands(keep.points))).collect();
    format!("{}: {}", dashed(roll), listed.join(", "))
}

fn told(ruleset: &Ruleset, roll: Faces, keeps: &[Keep]) -> String {
    if keeps.is_empty() {
        return format!("{} is a farkle under {}\n", dashed(roll), ruleset.name);
    }
    let mut text = format!("{} under {}\n  {:<11} {:>6}  then\n", dashed(roll), ruleset.name, "keep", "points");
    for keep in keeps {
        let then = match (wins(ruleset, keep), roll.len() - keep.dice.len()) {
            (true, _) => "wins the match".to_owned(),
            (_, 0) if ruleset.must_roll_hot_dice => format!("hot dice: must roll all {}", ruleset.dice),
            (_, 0) => format!("hot dice: {} to roll", ruleset.dice),
            (_, 1) => "1 die to roll".to_owned(),
            (_, left) => format!("{left} dice to roll"),
        };
        text += &format!("  {:<11} {:>6}  {then}\n", dashed(keep.dice), thousands(keep.points));
    }
    text
}
