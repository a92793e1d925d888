//! A match told to people, roll by roll.
//!
//! Owns the wording. Refuses to decide anything: it reads events, calls and the result.

use std::fmt::Write;

use arena_core::{Answer, Call, Event, Record, Spent, Start, Told, What};
use farkle::{Ending, Faces, Next};

use crate::harmless::harmless;
use crate::output::thousands;

/// What is told of agents' calls beside the match itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Inside {
    /// What agents noted for their authors.
    pub(crate) logs: bool,
    /// Every word between arena and agents, with the fuel it took.
    pub(crate) trace: bool,
}

/// The whole match. `calls` may be empty; without them nothing is told of the agents' inside.
pub(crate) fn tell(record: &Record, calls: &[Call], inside: Inside) -> String {
    let name_of = |seat: u8| &record.seats[usize::from(seat)].name;
    let mut text = format!("{}, seed {}\n", record.ruleset.name, record.seed);
    for (seat, agent) in record.seats.iter().enumerate() {
        let _ = writeln!(text, "  seat {seat}: {}", agent.name);
    }
    let fails = |call: &Call| {
        let event = record.events.get(call.event);
        event.is_some_and(|event| {
            event.seat == call.seat && event.turn == 0 && matches!(event.what, What::Faulted { .. })
        })
    };
    let (started, calls): (Vec<&Call>, Vec<&Call>) =
        calls.iter().partition(|call| matches!(call.told, Told::Start(_)) && !fails(call));
    let starts: String = started.iter().map(|call| insides(call, None, name_of(call.seat), inside)).collect();
    if !starts.is_empty() {
        let _ = write!(text, "\nbefore the first roll\n{starts}");
    }
    let mut calls = calls.into_iter().peekable();
    let mut turn = None;
    for (index, event) in record.events.iter().enumerate() {
        if turn != Some((event.seat, event.turn)) {
            turn = Some((event.seat, event.turn));
            let _ = writeln!(text, "\n{}", heading(name_of(event.seat), event.turn));
        }
        let call = calls.next_if(|call| call.event == index);
        if let Some(call) = call {
            text += &insides(call, Some(event), name_of(call.seat), inside);
        }
        let _ = writeln!(text, "  {}", line(event));
        if let (Some(call), What::Faulted { .. }, false) = (call, &event.what, inside.trace) {
            let _ = writeln!(text, "    it was told {}", told(&call.told));
        }
    }
    let _ = write!(text, "\n{}\nhash {}\n", outcome(record), record.hash);
    text
}

/// A call as far as it is wanted, with the event that came of it.
fn insides(call: &Call, event: Option<&Event>, name: &str, inside: Inside) -> String {
    let mut text = String::new();
    if inside.trace {
        let _ = writeln!(text, "    {name} is told {}", told(&call.told));
    }
    if inside.logs || inside.trace {
        for note in call.notes.iter().filter(|note| !event.is_some_and(|event| is_told(event, note))) {
            let said = harmless(note.trim_end()).replace('\n', "\n      ");
            let _ = writeln!(text, "    {name} notes: {said}");
        }
    }
    if inside.trace {
        let _ = writeln!(text, "    {name} answers {}", answered(call));
    }
    text
}

/// Whether a note is the text of the panic that the event tells anyway, or a line of it.
fn is_told(event: &Event, note: &str) -> bool {
    let is_in = |message: &str| message.starts_with(note) || message.lines().any(|line| line == note);
    matches!(&event.what, What::Faulted { fault, .. } if is_in(&fault.message))
}

/// The call and its arguments, by the contract's names.
fn told(told: &Told) -> String {
    match told {
        Told::Start(Start { seat, seats, agent_seed, turn_limit, ruleset_id }) => format!(
            "start: seat {seat}, seats {seats}, agent-seed {agent_seed}, turn-limit {turn_limit}, \
             ruleset-id {ruleset_id:#018x}"
        ),
        Told::Turn(turn) => format!(
            "decide: roll {}, at-risk {}, score {}, best-rival {}, opening-due {}, turns {}, rolls {}, \
             farkles-in-a-row {}, closing {}",
            dice(turn.roll),
            turn.at_risk,
            turn.score,
            turn.best_rival,
            turn.opening_due,
            turn.turns,
            turn.rolls,
            turn.farkles_in_a_row,
            turn.closing
        ),
    }
}

/// The answer as it came, legal or not, and what it cost.
fn answered(call: &Call) -> String {
    let answer = match (&call.told, call.answer) {
        (_, Some(Answer { keep, next })) => {
            let dice = (1..).zip(keep).flat_map(|(face, count): (u8, u8)| (0..count).map(move |_| face.to_string()));
            let keep = dice.collect::<Vec<_>>().join("-");
            let keep = if keep.is_empty() { "nothing".to_owned() } else { keep };
            format!("keep {keep}, {}", if next == Next::Bank { "bank" } else { "roll" })
        }
        (Told::Start(_), None) => "nothing".to_owned(),
        (Told::Turn(_), None) => "nothing that can be read".to_owned(),
    };
    let Spent { fuel, memory } = call.spent;
    match memory {
        0 => answer,
        _ => format!("{answer} ({} fuel, {} KiB of memory)", thousands(fuel as i64), thousands((memory / 1024) as i64)),
    }
}

/// Whose turn it is.
pub(crate) fn heading(name: &str, turn: u32) -> String {
    match turn {
        0 => format!("{name}, before the first roll"),
        n => format!("{name}, turn {n}"),
    }
}

/// The dice and what happened, without whose turn it was.
pub(crate) fn line(event: &Event) -> String {
    match event.roll() {
        Some(roll) => format!("{:<11}  {}", dice(roll), happened(event)),
        None => happened(event),
    }
}

/// What happened, without the dice.
pub(crate) fn happened(event: &Event) -> String {
    match &event.what {
        What::Rolled(k) => {
            let left = k.roll.len() - k.keep.len();
            let next = match left {
                0 => "hot dice, rolls them all".to_owned(),
                1 => "rolls 1 die".to_owned(),
                n => format!("rolls {n} dice"),
            };
            let risk = thousands(k.at_risk);
            format!("keeps {} for {}, {next} with {risk} at risk", dice(k.keep), thousands(k.points))
        }
        What::Banked { keep: k, banked } => {
            let (points, risk) = (thousands(k.points), thousands(k.at_risk));
            format!("keeps {} for {points}, banks {risk}: now {}", dice(k.keep), thousands(*banked))
        }
        What::Won(k) => format!("keeps {}, which wins the match", dice(k.keep)),
        What::Farkled { lost, penalty, .. } => {
            let mut text = "farkle".to_owned();
            if *lost > 0 {
                let _ = write!(text, ", {} lost", thousands(*lost));
            }
            if let Some((penalty, banked)) = penalty {
                let _ = write!(text, ", a penalty of {}: now {}", thousands(*penalty), thousands(*banked));
            }
            text
        }
        What::Faulted { fault, .. } => {
            let message = harmless(&fault.message).replace('\n', "\n    ");
            format!("forfeits: {}: {message}", fault.kind)
        }
    }
}

/// How a match ended, after who won.
pub(crate) fn ending(ending: Ending) -> &'static str {
    match ending {
        Ending::ImmediateWin => "by reaching the target",
        Ending::FinalRound => "after the final round",
        Ending::Turns => "after all turns",
        Ending::TurnLimit => "at the turn limit",
        Ending::OutrightWin => "outright, with six of a kind",
        Ending::Forfeit => "by forfeit",
    }
}

/// How the match ended.
pub(crate) fn outcome(record: &Record) -> String {
    let result = &record.result;
    let ending = ending(result.ending);
    let mut order: Vec<usize> = (0..record.seats.len()).collect();
    order.sort_by_key(|seat| result.ranks[*seat]);
    let firsts: Vec<&str> =
        order.iter().filter(|s| result.ranks[**s] == 1).map(|s| record.seats[*s].name.as_str()).collect();
    if let ([seat], [score]) = (&record.seats[..], &result.scores[..])
        && result.faults.is_empty()
    {
        // Nobody to win against.
        return format!("{} {} with {} {ending}", seat.name, verb(&seat.name, "end"), thousands(*score));
    }
    let verb = match firsts[..] {
        [name] => verb(name, "win"),
        _ => "share the win".to_owned(),
    };
    let mut text = format!("{} {verb} {ending}\n", firsts.join(" and "));
    for seat in order {
        let name = &record.seats[seat].name;
        let forfeited = result.faults.iter().any(|fault| usize::from(fault.seat) == seat);
        let forfeited = if forfeited { " (forfeited)" } else { "" };
        let _ = writeln!(text, "  {}. {name}  {}{forfeited}", result.ranks[seat], thousands(result.scores[seat]));
    }
    text.pop();
    text
}

/// What the person at the keyboard does, or another one.
fn verb(name: &str, verb: &str) -> String {
    if name == "you" { verb.to_owned() } else { format!("{verb}s") }
}

/// `1-1-5`.
pub(crate) fn dice(faces: Faces) -> String {
    faces.dice().map(|die| die.to_string()).collect::<Vec<_>>().join("-")
}
