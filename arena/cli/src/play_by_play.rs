//! A match told to people, roll by roll.
//!
//! Owns the wording. Refuses to decide anything: it reads events and the result.

use std::fmt::Write;

use arena_core::{Event, Note, Record, What};
use farkle::{Ending, Faces};

use crate::output::{harmless, thousands};

/// The whole match, with the notes of its agents.
pub(crate) fn tell(record: &Record, notes: &[Note]) -> String {
    let mut text = format!("{}, seed {}\n", record.ruleset.name, record.seed);
    for (seat, agent) in record.seats.iter().enumerate() {
        let _ = writeln!(text, "  seat {seat}: {}", agent.name);
    }
    let mut turn = None;
    for (index, event) in record.events.iter().enumerate() {
        if turn != Some((event.seat, event.turn)) {
            turn = Some((event.seat, event.turn));
            let name = &record.seats[usize::from(event.seat)].name;
            let _ = match event.turn {
                0 => writeln!(text, "\n{name}, before the first roll"),
                n => writeln!(text, "\n{name}, turn {n}"),
            };
        }
        for note in notes.iter().filter(|note| note.event == index && !is_told(event, note)) {
            let name = &record.seats[usize::from(note.seat)].name;
            let said = harmless(note.text.trim_end()).replace('\n', "\n      ");
            let _ = writeln!(text, "    {name} notes: {said}");
        }
        let _ = writeln!(text, "  {}", line(event));
    }
    let _ = write!(text, "\n{}\nhash {}\n", outcome(record), record.hash);
    text
}

/// Whether a note is the text of the panic that the event tells anyway, or a line of it.
fn is_told(event: &Event, note: &Note) -> bool {
    let is_in = |message: &str| message.starts_with(&note.text) || message.lines().any(|line| line == note.text);
    matches!(&event.what, What::Faulted { fault, .. } if is_in(&fault.message))
}

fn line(event: &Event) -> String {
    let roll = |roll: Faces| format!("{:<11}", dice(roll));
    match &event.what {
        What::Rolled(k) => {
            let left = k.roll.len() - k.keep.len();
            let next = match left {
                0 => "hot dice, rolls them all".to_owned(),
                1 => "rolls 1 die".to_owned(),
                n => format!("rolls {n} dice"),
            };
            let risk = thousands(k.at_risk);
            format!("{}  keeps {} for {}, {next} with {risk} at risk", roll(k.roll), dice(k.keep), thousands(k.points))
        }
        What::Banked { keep: k, banked } => {
            let (points, risk) = (thousands(k.points), thousands(k.at_risk));
            format!("{}  keeps {} for {points}, banks {risk}: now {}", roll(k.roll), dice(k.keep), thousands(*banked))
        }
        What::Won(k) => format!("{}  keeps {}, which wins the match", roll(k.roll), dice(k.keep)),
        What::Farkled { roll: r, lost, penalty } => {
            let mut text = format!("{}  farkle", roll(*r));
            if *lost > 0 {
                let _ = write!(text, ", {} lost", thousands(*lost));
            }
            if let Some((penalty, banked)) = penalty {
                let _ = write!(text, ", a penalty of {}: now {}", thousands(*penalty), thousands(*banked));
            }
            text
        }
        What::Faulted { roll: r, fault } => {
            let dice = r.map(roll).unwrap_or_default();
            let message = harmless(&fault.message).replace('\n', "\n    ");
            format!("{dice}  forfeits: {}: {message}", fault.kind).trim_start().to_owned()
        }
    }
}

fn outcome(record: &Record) -> String {
    let result = &record.result;
    let ending = match result.ending {
        Ending::ImmediateWin => "by reaching the target",
        Ending::FinalRound => "after the final round",
        Ending::Turns => "after all turns",
        Ending::TurnLimit => "at the turn limit",
        Ending::OutrightWin => "outright, with six of a kind",
        Ending::Forfeit => "by forfeit",
    };
    let mut order: Vec<usize> = (0..record.seats.len()).collect();
    order.sort_by_key(|seat| result.ranks[*seat]);
    let firsts: Vec<&str> =
        order.iter().filter(|s| result.ranks[**s] == 1).map(|s| record.seats[*s].name.as_str()).collect();
    if let ([seat], [score]) = (&record.seats[..], &result.scores[..])
        && result.faults.is_empty()
    {
        // Nobody to win against.
        return format!("{} ends with {} {ending}", seat.name, thousands(*score));
    }
    let verb = if firsts.len() == 1 { "wins" } else { "share the win" };
    let mut text = format!("{} {verb} {ending}\n", firsts.join(" and "));
    for seat in order {
        let name = &record.seats[seat].name;
        let _ = writeln!(text, "  {}. {name}  {}", result.ranks[seat], thousands(result.scores[seat]));
    }
    text.pop();
    text
}

/// `1-1-5`.
pub(crate) fn dice(faces: Faces) -> String {
    faces.dice().map(|die| die.to_string()).collect::<Vec<_>>().join("-")
}
