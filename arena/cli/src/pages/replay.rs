//! A match played again, as its page shows it.

use arena_core::analysis::{Analysis, BLUNDER, Roll};
use arena_core::{Event, EventKeep, Record, What};
use arena_site::{Group, Replay, Seat, Step, Verdict};
use farkle::{Chart, Faces, Points};

use crate::commands::score;
use crate::harmless::harmless;
use crate::play_by_play;

/// A record's page. `agents` are the numbers of the agents' pages, by seat; `command` plays the match again.
pub(crate) fn replay<'a>(
    record: &'a Record,
    analysis: Option<&Analysis>,
    title: String,
    agents: &[Option<u64>],
    command: String,
    neighbours: [Option<u64>; 2],
) -> Replay<'a> {
    let chart = Chart::new(&record.ruleset);
    let mut scores = vec![0; record.seats.len()];
    let mut rolls = analysis.map_or(&[][..], |analysis| &analysis.rolls).iter().peekable();
    let steps = record.events.iter().enumerate().map(|(index, event)| {
        let roll = rolls.next_if(|roll| roll.moment.event == index);
        step(&chart, event, roll, &mut scores)
    });
    let steps = steps.collect();
    let seats = record.seats.iter().enumerate().map(|(seat, about)| Seat {
        name: harmless(&about.name),
        agent: agents.get(seat).copied().flatten(),
        score: record.result.scores[seat],
        rank: record.result.ranks[seat],
    });
    Replay {
        title,
        ruleset: &record.ruleset,
        seed: record.seed.to_string(),
        seats: seats.collect(),
        steps,
        result: play_by_play::outcome(record).lines().take(1).map(harmless).collect(),
        hash: record.hash.to_string(),
        command,
        neighbours,
        verdict: analysis.map(verdict),
    }
}

fn verdict(analysis: &Analysis) -> Verdict {
    let plays = [analysis.play(0), analysis.play(1)];
    Verdict {
        start: analysis.start,
        seats: plays.map(|play| (play.loss, play.luck)),
        blunders: plays.iter().map(|play| play.blunders).sum(),
    }
}

/// An event; `scores` are those before it, and after it when this is done.
fn step(chart: &Chart, event: &Event, roll: Option<&Roll>, scores: &mut [Points]) -> Step {
    let mut step =
        Step { seat: event.seat, turn: event.turn, text: harmless(&play_by_play::line(event)), ..Step::default() };
    let mut kept = |keep: &EventKeep, next| {
        step.roll = keep.roll.to_string();
        step.keep = keep.keep.to_string();
        step.groups = groups(chart, keep.keep);
        step.at_risk = keep.at_risk;
        step.next = next;
    };
    let own = &mut scores[usize::from(event.seat)];
    match &event.what {
        What::Rolled(keep) => kept(keep, "roll"),
        What::Won(keep) => kept(keep, "win"),
        What::Banked { keep, banked } => {
            kept(keep, "bank");
            step.at_risk = 0;
            *own = *banked;
        }
        What::Farkled { roll, penalty, .. } => {
            step.roll = roll.to_string();
            step.next = "farkle";
            if let Some((_, banked)) = penalty {
                *own = *banked;
            }
        }
        What::Faulted { roll, .. } => {
            step.roll = roll.map_or(String::new(), |roll| roll.to_string());
            step.next = "fault";
        }
    }
    step.scores = scores.to_vec();
    if let Some(roll) = roll {
        judge(&mut step, roll);
    }
    step
}

/// Adds what best play says.
fn judge(step: &mut Step, roll: &Roll) {
    let value = roll.decided.as_ref().map_or(roll.after, |decided| decided.value);
    let of_first = if roll.moment.seat == 0 { value } else { 1.0 - value };
    step.chance = Some((of_first * 1e4).round() / 1e4);
    let Some((decided, mistake)) = roll.decided.as_ref().and_then(|decided| Some((decided, decided.mistake?))) else {
        return;
    };
    // A hundredth of a percent is what is shown.
    if roll.loss() < 5e-5 {
        return;
    }
    step.loss = Some((roll.loss() * 1e4).round() / 1e4);
    step.blunder = roll.loss() >= BLUNDER;
    step.better = Some(format!("lost {:.2}% ({}): better {}", 100.0 * roll.loss(), mistake.name(), decided.best));
}

fn groups(chart: &Chart, keep: Faces) -> Vec<Group> {
    let groups = chart.reading(keep).unwrap_or_default();
    let group = |group: farkle::Group| Group {
        name: score::name(group.combination).to_owned(),
        dice: group.dice.to_string(),
        points: group.points,
    };
    groups.into_iter().map(group).collect()
}
