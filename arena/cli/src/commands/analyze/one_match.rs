//! One match, judged, in print.
//!
//! Owns how it is told. Refuses to compute.

use std::fmt::Write as _;

use arena_core::Record;
use arena_core::analysis::{Analysis, BLUNDER, Decided, MATTERS, Play, Roll};
use arena_core::rulebook::{dashed, thousands};
use farkle::{Decision, Ending, Next};
use serde_json::{Value, json};
use tabled::builder::Builder;
use tabled::settings::object::Columns;
use tabled::settings::{Alignment, Style};

use crate::args::Format;
use crate::failure::Failure;
use crate::output;
use crate::play_by_play::{self, heading};

pub(super) fn print(format: Format, record: &Record, analysis: &Analysis) -> Result<(), Failure> {
    match format {
        Format::Text => output::print(&told(record, analysis)),
        Format::Json => output::print_json(&in_json(record, analysis)),
    }
}

fn told(record: &Record, analysis: &Analysis) -> String {
    let names: Vec<&str> = record.seats.iter().map(|seat| seat.name.as_str()).collect();
    let mut text = format!("{}, seed {}\n", record.ruleset.name, record.seed);
    for (seat, name) in names.iter().enumerate() {
        let _ = writeln!(text, "  seat {seat}: {name}");
    }
    let _ = writeln!(text, "before the first roll, {} wins {}", names[0], percent(analysis.start));
    let mut turn = None;
    for roll in &analysis.rolls {
        let moment = &roll.moment;
        if turn != Some((moment.seat, moment.turn)) {
            turn = Some((moment.seat, moment.turn));
            let own = usize::from(moment.seat);
            let (score, rival) = (thousands(moment.scores[own]), thousands(moment.scores[1 - own]));
            let wins = percent(roll.before);
            let _ = writeln!(text, "\n{}: {score} to {rival}, wins {wins}", heading(names[own], moment.turn));
        }
        let line = play_by_play::line(&record.events[moment.event]);
        let _ = writeln!(text, "  {line}");
        let _ = write!(text, "    luck {}", signed(roll.luck()));
        match roll.decided {
            Some(decided) if decided.mistake.is_some() => {
                let _ = writeln!(text, ", lost {}", lost(roll, &decided));
            }
            _ => text.push('\n'),
        }
    }
    text += &format!("\n{}\n", play_by_play::outcome(record));
    if let Some((seat, left)) = forfeited(record, analysis) {
        let _ = writeln!(text, "by its fault {} lost what chance it had left: {}", names[seat], percent(left));
    }
    if record.result.ending == Ending::TurnLimit {
        text +=
            "the limit of turns ended the match; it is judged as if there were none, so that the parts do not add up\n";
    }
    text.push('\n');
    let plays = [analysis.play(0), analysis.play(1)];
    text += &summary(names.iter().zip(plays).map(|(name, play)| (*name, play, play.rating())));
    let _ = writeln!(
        text,
        "a decision mattered where the worst one loses {} or more; a blunder loses {} or more",
        percent(MATTERS),
        percent(BLUNDER)
    );
    let mut blunders: Vec<&Roll> = analysis.rolls.iter().filter(|roll| roll.loss() >= BLUNDER).collect();
    blunders.sort_by(|a, b| b.loss().total_cmp(&a.loss()));
    if !blunders.is_empty() {
        text += "\nblunders, the worst first:\n";
    }
    for roll in blunders {
        let moment = &roll.moment;
        let name = names[usize::from(moment.seat)];
        let decided = roll.decided.expect("only decisions lose anything");
        let _ = writeln!(text, "  {}, {}: lost {}", heading(name, moment.turn), situation(roll), lost(roll, &decided));
    }
    text
}

/// Who forfeited the match, and what chance to win it had left.
fn forfeited(record: &Record, analysis: &Analysis) -> Option<(usize, f64)> {
    let event = record.events.iter().position(|event| event.fault().is_some())?;
    let seat = usize::from(record.events[event].seat);
    let before_the_match = if seat == 0 { analysis.start } else { 1.0 - analysis.start };
    let roll = analysis.rolls.iter().find(|roll| roll.moment.event == event);
    Some((seat, roll.map_or(before_the_match, |roll| roll.after)))
}

/// What each did, as a table, with its rating of play.
pub(super) fn summary<'a>(plays: impl Iterator<Item = (&'a str, Play, Option<f64>)>) -> String {
    let mut table = Builder::default();
    table.push_record(["agent", "decisions", "mattered", "lost", "lost by each that mattered", "blunders", "luck"]);
    for (name, play, rating) in plays {
        table.push_record([
            name.to_owned(),
            thousands(play.decisions as i64),
            thousands(play.mattered as i64),
            percent(play.loss),
            rating.map_or("–".to_owned(), |rating| format!("{rating:.3}%")),
            thousands(play.blunders as i64),
            signed(play.luck),
        ]);
    }
    let mut table = table.build();
    table.with(Style::sharp()).modify(Columns::new(1..), Alignment::right());
    format!("{table}\n")
}

/// Where a roll was made, but for the scores.
pub(super) fn situation(roll: &Roll) -> String {
    let moment = &roll.moment;
    let at_risk =
        if moment.at_risk > 0 { format!(" with {} at risk", thousands(moment.at_risk)) } else { String::new() };
    format!("{}{at_risk}", dashed(moment.roll))
}

/// What was lost, by what, and what is better.
pub(crate) fn lost(roll: &Roll, decided: &Decided) -> String {
    let mistake = decided.mistake.map_or("", |mistake| mistake.name());
    format!("{} ({mistake}): {}, better {}", percent(roll.loss()), decided.decision, decided.best)
}

/// A share, for people.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.2}%", 100.0 * share)
}

/// A share that is won or lost, for people.
pub(crate) fn signed(share: f64) -> String {
    format!("{:+.2}%", 100.0 * share)
}

fn in_json(record: &Record, analysis: &Analysis) -> String {
    let seat = |seat: u8| {
        let mut play = play_in_json(&analysis.play(seat));
        play["name"] = record.seats[usize::from(seat)].name.as_str().into();
        play
    };
    let whole = json!({
        "format": 1,
        "ruleset": record.ruleset.name,
        "seed": record.seed.to_string(),
        "hash": record.hash,
        "start": analysis.start,
        "ending": record.result.ending,
        "seats": [seat(0), seat(1)],
        "forfeited": forfeited(record, analysis).map(|(seat, left)| json!({"seat": seat, "lost": left})),
        "rolls": analysis.rolls.iter().map(roll_in_json).collect::<Vec<_>>(),
    });
    format!("{whole}\n")
}

pub(super) fn play_in_json(play: &Play) -> Value {
    let mut json = serde_json::to_value(play).expect("figures are plain data");
    json["loss_per_decision_that_mattered"] = play.rating().map(|rating| rating / 100.0).into();
    json
}

pub(super) fn roll_in_json(roll: &Roll) -> Value {
    let moment = &roll.moment;
    let mut json = json!({
        "event": moment.event + 1,
        "seat": moment.seat,
        "turn": moment.turn,
        "scores": moment.scores,
        "closing": moment.closing,
        "at_risk": moment.at_risk,
        "roll": moment.roll.to_string(),
        "before": roll.before,
        "after": roll.after,
        "luck": roll.luck(),
    });
    if let Some(decided) = &roll.decided {
        let of = |decision: Decision| {
            let next = if decision.next == Next::Bank { "bank" } else { "roll" };
            json!({"keep": decision.keep.to_string(), "next": next})
        };
        json["decision"] = of(decided.decision);
        json["value"] = decided.value.into();
        json["loss"] = roll.loss().into();
        json["best"] = of(decided.best);
        json["mattered"] = roll.mattered().into();
        json["mistake"] = json!(decided.mistake);
    }
    json
}
