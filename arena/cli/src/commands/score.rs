//! `arena score`: what a selection is worth, and as what.

use arena_core::rulebook::{dashed, thousands};
use farkle::{Chart, Combination, Faces, Group, NotScoring, Points, Ruleset};
use serde::Serialize;

use crate::args::{DiceArgs, Format};
use crate::failure::Failure;
use crate::{lines, output, rules};

pub(crate) fn run(args: &DiceArgs) -> Result<(), Failure> {
    let ruleset = rules::find(&args.rules)?;
    let chart = Chart::new(&ruleset);
    if args.stdin {
        return lines::answer_each(args.format, |line| {
            let dice = parse(&ruleset, line)?;
            let reading = chart.reading(dice);
            Ok(match args.format {
                Format::Json => in_json(dice, &reading),
                Format::Text => in_line(dice, &reading),
            })
        });
    }
    let dice = parse(&ruleset, &args.dice.join(" "))?;
    let reading = chart.reading(dice);
    match args.format {
        Format::Json => output::print_json(&format!("{}\n", in_json(dice, &reading)))?,
        Format::Text => output::print(&told(dice, &reading, &ruleset))?,
    }
    reading.map(|_| ()).map_err(|_| Failure::No)
}

/// Dice as somebody typed them, no more than the ruleset has.
pub(crate) fn parse(ruleset: &Ruleset, text: &str) -> Result<Faces, Failure> {
    let dice: Faces = text.parse().map_err(Failure::usage)?;
    if dice.len() > ruleset.dice {
        let error = NotScoring::TooManyDice { selected: dice.len(), dice: ruleset.dice };
        return Err(Failure::usage(error));
    }
    Ok(dice)
}

/// The answer for programs, its fields in their pinned order.
#[derive(Serialize)]
struct Answer {
    dice: String,
    legal: bool,
    points: Points,
    reading: Vec<Part>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Serialize)]
struct Part {
    combination: Combination,
    dice: String,
    points: Points,
}

fn in_json(dice: Faces, reading: &Result<Vec<Group>, NotScoring>) -> String {
    let groups = reading.as_deref().unwrap_or_default();
    let part = |g: &Group| Part { combination: g.combination, dice: g.dice.to_string(), points: g.points };
    let answer = Answer {
        dice: dice.to_string(),
        legal: reading.is_ok(),
        points: sum(groups),
        reading: groups.iter().map(part).collect(),
        reason: reading.as_ref().err().map(NotScoring::to_string),
    };
    serde_json::to_string(&answer).expect("an answer is plain data")
}

/// On one line, for an answer to one of many.
fn in_line(dice: Faces, reading: &Result<Vec<Group>, NotScoring>) -> String {
    match reading {
        Ok(groups) => {
            let parts: Vec<String> =
                groups.iter().map(|g| format!("{} {}", name(g.combination), dashed(g.dice))).collect();
            format!("{}: {} ({})", dashed(dice), thousands(sum(groups)), parts.join(", "))
        }
        Err(why) => format!("{}: not legal: {why}", dashed(dice)),
    }
}

fn told(dice: Faces, reading: &Result<Vec<Group>, NotScoring>, ruleset: &Ruleset) -> String {
    let groups = match reading {
        Ok(groups) => groups,
        Err(why) => return format!("{} may not be set aside under {}: {why}\n", dashed(dice), ruleset.name),
    };
    let wins = if ruleset.six_wins && dice.counts().contains(&6) { ", and wins the match" } else { "" };
    let mut text = format!("{} scores {} under {}{wins}\n", dashed(dice), thousands(sum(groups)), ruleset.name);
    for group in groups {
        text +=
            &format!("  {:<20} {:<11} {:>6}\n", name(group.combination), dashed(group.dice), thousands(group.points));
    }
    text
}

fn sum(groups: &[Group]) -> Points {
    groups.iter().map(|group| group.points).sum()
}

/// For people.
pub(crate) fn name(combination: Combination) -> &'static str {
    match combination {
        Combination::Single => "single",
        Combination::Triple => "three of a kind",
        Combination::FourOfAKind => "four of a kind",
        Combination::FiveOfAKind => "five of a kind",
        Combination::SixOfAKind => "six of a kind",
        Combination::Straight => "straight",
        Combination::ThreePairs => "three pairs",
        Combination::FourAndPair => "four and a pair",
        Combination::TwoTriplets => "two triplets",
        Combination::FiveRun => "run of five",
        Combination::FullHouse => "full house",
        Combination::NoScore => "nothing else scores",
    }
}
