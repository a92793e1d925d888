//! `arena odds`: what rolling one die to all dice offers, and when to stop.

use arena_core::odds::{DiceOdds, odds};
use arena_core::rulebook::thousands;
use farkle::Ruleset;
use serde::Serialize;

use crate::args::{Format, OddsArgs};
use crate::failure::Failure;
use crate::{lines, output, rules};

pub(crate) fn run(args: &OddsArgs) -> Result<(), Failure> {
    if args.stdin {
        return lines::answer_each(args.format, |line| {
            let ruleset = rules::changed(rules::named(line)?, &args.rules.set)?;
            let odds = of(&ruleset, args.opening)?;
            Ok(match args.format {
                Format::Json => in_json(&ruleset, &odds),
                Format::Text => {
                    let all = odds.last().expect("a ruleset has dice");
                    format!("{}: {:.4} expected from {} dice", ruleset.name, all.expected_turn, all.dice)
                }
            })
        });
    }
    let ruleset = rules::find(&args.rules)?;
    let odds = of(&ruleset, args.opening)?;
    match args.format {
        Format::Json => output::print_json(&format!("{}\n", in_json(&ruleset, &odds))),
        Format::Text => output::print(&told(&ruleset, &odds, args.opening)),
    }
}

fn of(ruleset: &Ruleset, opening: bool) -> Result<Vec<DiceOdds>, Failure> {
    odds(ruleset, opening).map_err(|why| Failure::usage(format!("ruleset `{}` has no such odds: {why}", ruleset.name)))
}

/// The answer for programs, its fields in their pinned order.
#[derive(Serialize)]
struct Answer<'a> {
    ruleset: &'a str,
    dice: &'a [DiceOdds],
}

fn in_json(ruleset: &Ruleset, odds: &[DiceOdds]) -> String {
    let answer = Answer { ruleset: &ruleset.name, dice: odds };
    serde_json::to_string(&answer).expect("an answer is plain data")
}

/// The odds for people.
pub(crate) fn told(ruleset: &Ruleset, odds: &[DiceOdds], opening: bool) -> String {
    let mut text = format!("{}, one turn played for the most points", ruleset.name);
    text += &match (opening, ruleset.opening) {
        (true, least) if least > 0 => format!(", the opening of {} still due\n", thousands(least)),
        (false, least) if least > 0 => ", the opening aside\n".to_owned(),
        _ => "\n".to_owned(),
    };
    let head = ["dice", "farkles", "of", "chance", "scoring rolls", "best keep", "expected turn", "bank at"];
    text += &format!(
        "  {:>4} {:>8} {:>7} {:>8} {:>14} {:>10} {:>14} {:>8}\n",
        head[0], head[1], head[2], head[3], head[4], head[5], head[6], head[7]
    );
    for row in odds {
        text += &format!(
            "  {:>4} {:>8} {:>7} {:>7.2}% {:>14} {:>10.4} {:>14.4} {:>8}\n",
            row.dice,
            thousands(row.farkle.count),
            thousands(row.farkle.of),
            100.0 * f64::from(row.farkle.count) / f64::from(row.farkle.of),
            row.scoring_rolls,
            row.best_keep_mean,
            row.expected_turn,
            row.bank_at.map_or("never".to_owned(), thousands)
        );
    }
    text + "Best keep: mean points of the most valuable keep of a roll. Expected turn: points banked from\n\
            these dice with none at risk. Bank at: with so many points at risk, banking is at least as\n\
            good as rolling these dice. Rivals, target and penalties are not looked at.\n"
}
