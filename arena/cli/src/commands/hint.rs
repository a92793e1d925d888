//! `arena hint`: every legal decision on a roll, with how often it wins under best play from then on.

use std::fmt::Display;
use std::str::FromStr;

use arena_core::oracle::{Impossible, Position, TurnValues, comes_to, step};
use arena_core::rulebook::{dashed, thousands};
use farkle::{Chart, Decision, Faces, Next, Points, Ruleset};
use serde::Serialize;

use crate::args::{Format, HintArgs};
use crate::commands::keeps::keeps;
use crate::commands::score::parse;
use crate::failure::Failure;
use crate::oracles::solved;
use crate::{output, rules};

pub(crate) fn run(args: &HintArgs) -> Result<(), Failure> {
    let ruleset = rules::find(&args.rules)?;
    let position = position(args, &ruleset)?;
    let roll = roll(args, &ruleset)?;
    let solved = solved(&ruleset, false)?;
    let turn = solved.oracle.turn(&position).map_err(Failure::usage)?;
    let hint = Hint::new(&ruleset, &turn, position, args.at_risk, roll);
    match args.format {
        Format::Json => {
            let json = serde_json::to_string(&hint).expect("a hint is plain data");
            output::print_json(&format!("{json}\n"))
        }
        Format::Text => output::print(&hint.told()),
    }
}

/// Where the turn began, as far as it can be without the ruleset being solved.
fn position(args: &HintArgs, ruleset: &Ruleset) -> Result<Position, Failure> {
    let [own, rival] = two::<Points>("--scores", "points", &args.scores)?;
    let [own_farkles, rival_farkles] = two::<u32>("--farkles", "farkles", &args.farkles)?;
    if ruleset.penalty == 0 && (own_farkles, rival_farkles) != (0, 0) {
        return Err(Failure::usage(format!(
            "--farkles {}: rows of farkles cost nothing under this ruleset, so allowed is 0,0",
            args.farkles
        )));
    }
    let position = Position { own, rival, own_farkles, rival_farkles, closing: args.closing };
    position.check(ruleset).map_err(|why| {
        let place = match why {
            Impossible::Solo => format!("ruleset `{}`", ruleset.name),
            Impossible::NoClosing => "--closing".to_owned(),
            Impossible::Row { .. } => "--farkles".to_owned(),
            _ => "--scores".to_owned(),
        };
        let more = match why {
            Impossible::PastTarget { .. } if !args.closing && rival >= ruleset.target && own < ruleset.target => {
                match ruleset.ending {
                    farkle::EndingRule::FinalRound => " (--closing)",
                    _ => "",
                }
            }
            _ => "",
        };
        Failure::usage(format!("{place}: {why}{more}"))
    })?;
    Ok(position)
}

fn roll(args: &HintArgs, ruleset: &Ruleset) -> Result<Faces, Failure> {
    let roll = parse(ruleset, &args.roll.join(" "))?;
    let at_risk = args.at_risk;
    if roll.is_empty() {
        return Err(Failure::usage("--roll: no dice were rolled: a roll is 1 die or more"));
    }
    if at_risk == 0 && roll.len() < ruleset.dice {
        return Err(Failure::usage(format!(
            "--roll: the first roll of a turn has {} dice, and this one has {}; after a keep, --at-risk says what it scored",
            ruleset.dice,
            roll.len()
        )));
    }
    let step = step(ruleset);
    if at_risk < 0 || at_risk % step != 0 {
        return Err(Failure::usage(format!(
            "--at-risk is {at_risk}: under this ruleset it is 0 or a multiple of {step}"
        )));
    }
    if !comes_to(ruleset, at_risk, roll.len()) {
        return Err(Failure::usage(format!(
            "--at-risk: no turn under this ruleset comes to roll {} with {at_risk} at risk",
            dice(roll.len())
        )));
    }
    Ok(roll)
}

/// Two numbers with a comma between them.
fn two<T: FromStr<Err: Display>>(option: &str, what: &str, text: &str) -> Result<[T; 2], Failure> {
    let parts: Vec<&str> = text.split(',').collect();
    let [own, rival] = parts[..] else {
        let found = parts.len();
        return Err(Failure::usage(format!(
            "{option} {text}: {found} of two numbers of {what}: write OWN,RIVAL, that of the seat to move first"
        )));
    };
    let number = |part: &str| {
        part.trim()
            .parse()
            .map_err(|why| Failure::usage(format!("{option} {text}: `{part}` is no number of {what}: {why}")))
    };
    Ok([number(own)?, number(rival)?])
}

/// The answer, its fields in their pinned order.
#[derive(Serialize)]
struct Hint<'a> {
    ruleset: &'a str,
    scores: [Points; 2],
    at_risk: Points,
    roll: String,
    farkle: bool,
    /// The chance to win before this roll was made, with so many dice.
    before_roll: f64,
    /// After it: that of the best decision, or of the farkle.
    after_roll: f64,
    decisions: Vec<Listed>,
    #[serde(skip)]
    shown: String,
    #[serde(skip)]
    closing: bool,
}

#[derive(Serialize)]
struct Listed {
    keep: String,
    points: Points,
    next: &'static str,
    /// After the keep.
    at_risk: i64,
    /// To roll; none to who banks.
    dice: u8,
    win: f64,
    /// Against the best decision.
    loss: f64,
    #[serde(skip)]
    shown: String,
    #[serde(skip)]
    banked: i64,
}

impl<'a> Hint<'a> {
    fn new(ruleset: &'a Ruleset, turn: &TurnValues, position: Position, at_risk: Points, roll: Faces) -> Hint<'a> {
        let chart = Chart::new(ruleset);
        let mut decisions = Vec::new();
        for keep in keeps(&chart, roll) {
            let left = roll.len() - keep.dice.len();
            let wins = ruleset.six_wins && keep.dice.counts().contains(&6);
            for next in [Next::Bank, Next::Roll] {
                let next_dice = match (next, left) {
                    (Next::Bank, _) => 0,
                    (Next::Roll, 0) => ruleset.dice,
                    (Next::Roll, left) => left,
                };
                let Some(win) = turn.decision(at_risk, roll, Decision { keep: keep.dice, next }) else { continue };
                let at_risk = i64::from(at_risk) + i64::from(keep.points);
                decisions.push(Listed {
                    keep: keep.dice.to_string(),
                    points: keep.points,
                    next: if wins { "win" } else { name(next) },
                    at_risk,
                    dice: if wins { 0 } else { next_dice },
                    win,
                    loss: 0.0,
                    shown: dashed(keep.dice),
                    banked: i64::from(position.own) + at_risk,
                });
                // Six alike end the match, whatever was to follow.
                if wins {
                    break;
                }
            }
        }
        // Equal ones stay in the order of keeps, and a bank before a roll.
        decisions.sort_by(|a, b| b.win.total_cmp(&a.win));
        let best = decisions.first().map_or(turn.farkle(), |best| best.win);
        for decision in &mut decisions {
            decision.loss = best - decision.win;
        }
        Hint {
            ruleset: &ruleset.name,
            scores: [position.own, position.rival],
            at_risk,
            roll: roll.to_string(),
            shown: dashed(roll),
            farkle: decisions.is_empty(),
            before_roll: turn.before_roll(at_risk, roll.len()).unwrap_or(best),
            after_roll: best,
            decisions,
            closing: position.closing,
        }
    }

    /// For people.
    fn told(&self) -> String {
        let closing = if self.closing { ", closing turn" } else { "" };
        let mut text = format!(
            "{}, {} to {}{closing}, {} at risk, roll {}\n",
            self.ruleset,
            thousands(self.scores[0]),
            thousands(self.scores[1]),
            thousands(self.at_risk),
            self.shown
        );
        text += &format!("  {:<34} {:>8.4}%\n", "before this roll", 100.0 * self.before_roll);
        if self.farkle {
            text += &format!("  {:<34} {:>8.4}%\n", "after it", 100.0 * self.after_roll);
            let lost =
                if self.at_risk > 0 { format!(" the {} at risk and", thousands(self.at_risk)) } else { String::new() };
            let cost = 100.0 * (self.before_roll - self.after_roll);
            return text
                + &format!("It is a farkle, which costs{lost} {cost:.4} percentage points of the chance to win.\n");
        }
        text += &format!("  {:<12} {:>6}  {:<13} {:>9} {:>9}\n", "keep", "points", "then", "wins", "loss");
        for decision in &self.decisions {
            let then = match decision.next {
                "win" => "wins at once".to_owned(),
                "bank" => format!("bank: {}", thousands(decision.banked)),
                _ => format!("roll {}", dice(decision.dice)),
            };
            let loss = if decision.loss == 0.0 { "best".to_owned() } else { format!("{:.4}%", 100.0 * decision.loss) };
            text += &format!(
                "  {:<12} {:>6}  {then:<13} {:>8.4}% {loss:>9}\n",
                decision.shown,
                thousands(decision.points),
                100.0 * decision.win
            );
        }
        text
    }
}

fn name(next: Next) -> &'static str {
    match next {
        Next::Bank => "bank",
        Next::Roll => "roll",
    }
}

fn dice(number: u8) -> String {
    if number == 1 { "1 die".to_owned() } else { format!("{number} dice") }
}
