//! A match to look at, roll by roll.
//!
//! Owns the page of a match: what it shows is in it as data, and in words for readers without scripts.

use std::fmt::Write as _;

use arena_core::rulebook::thousands;
use farkle::{Points, Ruleset};
use maud::{Markup, html};
use serde::Serialize;

use crate::charts::{Frame, across, place};
use crate::shell::{Place, Site, data, percent, scrolling};

/// A match, ready to be shown.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    /// What it is called: `Match 12`.
    pub title: String,
    /// The rules of the table.
    pub ruleset: &'a Ruleset,
    /// The match seed, decimal.
    pub seed: String,
    /// By seat.
    pub seats: Vec<Seat>,
    /// Every event, in order.
    pub steps: Vec<Step>,
    /// How it ended, in words, line by line.
    pub result: Vec<String>,
    /// The record's hash.
    pub hash: String,
    /// The command that plays it again.
    pub command: String,
    /// Matches before and after this one that have pages, by number.
    pub neighbours: [Option<u64>; 2],
    /// What best play says of it, where a solution is at hand.
    pub verdict: Option<Verdict>,
}

/// Who sits somewhere.
#[derive(Clone, Debug, Serialize)]
pub struct Seat {
    /// The agent's name.
    pub name: String,
    /// The number of its page, if it has one.
    pub agent: Option<u64>,
    /// Its points at the end.
    pub score: Points,
    /// Its rank, from 1.
    pub rank: u32,
}

/// One event.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Step {
    /// Whose.
    pub seat: u8,
    /// Which turn of that seat; 0 before the first roll.
    pub turn: u32,
    /// The dice, ascending; empty before the first roll.
    pub roll: String,
    /// Those that were kept.
    pub keep: String,
    /// Why they score.
    pub groups: Vec<Group>,
    /// What happened, in words.
    pub text: String,
    /// What came of it: `roll`, `bank`, `win`, `farkle` or `fault`.
    pub next: &'static str,
    /// Points at risk after it.
    pub at_risk: Points,
    /// Banked points of every seat after it.
    pub scores: Vec<Points>,
    /// The chance of the first seat to win after it, 0 to 1, where best play is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
    /// What the decision lost against the best one, in matches won, if it lost anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loss: Option<f64>,
    /// Whether that is much.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub blunder: bool,
    /// What was wrong and what is better, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub better: Option<String>,
}

/// A combination among kept dice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its dice, ascending.
    pub dice: String,
    /// Its points.
    pub points: Points,
}

/// A match of two beside best play.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The chance of the first seat before the first roll, 0 to 1.
    pub start: f64,
    /// By seat: what decisions lost, and what dice brought, in matches won.
    pub seats: [(f64, f64); 2],
    /// Decisions of both that lost much.
    pub blunders: u64,
}

/// The page of a match.
#[must_use]
pub fn replay_page(site: Site<'_>, replay: &Replay<'_>) -> String {
    let body = html! {
        (neighbours(replay))
        h1 { (replay.title) }
        p.summary {
            @for (index, seat) in replay.seats.iter().enumerate() {
                @if index > 0 { " – " }
                (player(seat))
            }
        }
        @for line in &replay.result { p.result { (line) } }
        noscript { p { "With scripts switched off the match is told below, roll by roll." } }
        div.watch {
            div.stage {
                (board(replay))
                (curve(replay))
            }
            (told(replay))
        }
        (proof(replay))
        (data("match", &in_json(replay)))
    };
    let players: Vec<&str> = replay.seats.iter().map(|seat| seat.name.as_str()).collect();
    let title = format!("{}: {}", replay.title, players.join(" – "));
    site.page(Place::Below, &title, &["replay.js"], body)
}

fn has_blunders(replay: &Replay<'_>) -> bool {
    replay.verdict.as_ref().is_some_and(|verdict| verdict.blunders > 0)
}

fn neighbours(replay: &Replay<'_>) -> Markup {
    html! {
        nav.neighbours aria-label="Other matches" {
            @for (number, name) in replay.neighbours.iter().zip(["Earlier: match ", "Later: match "]) {
                @if let Some(number) = number { a href={ (number) ".html" } { (name) (number) } }
            }
        }
    }
}

fn player(seat: &Seat) -> Markup {
    html! {
        @match seat.agent {
            Some(id) => { a href={ "../agents/" (id) ".html" } { (seat.name) } }
            None => { (seat.name) }
        }
        " " b.number { (thousands(seat.score)) }
    }
}

/// Where the scores' tracks end.
fn track_end(replay: &Replay<'_>) -> Points {
    let most = replay.steps.iter().flat_map(|step| &step.scores).copied().max().unwrap_or(0);
    let target = if replay.ruleset.target > 0 { replay.ruleset.target } else { 0 };
    most.max(target).max(1)
}

/// What scripts fill and move. Hidden where there are none.
fn board(replay: &Replay<'_>) -> Markup {
    let end = f64::from(track_end(replay));
    let target = (replay.ruleset.target > 0).then(|| across(f64::from(replay.ruleset.target) / end));
    html! {
        section #board hidden aria-label="Replay" {
            div.tracks {
                @for (index, seat) in replay.seats.iter().enumerate() {
                    div.track data-seat=(index) {
                        span.name { (seat.name) span.turn-mark { " to play" } }
                        span.score { "0" }
                        svg viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true" {
                            rect.rail x="0" y="4" width="1000" height="12" {}
                            rect.banked x="0" y="4" width="0" height="12" {}
                            rect.risk x="0" y="4" width="0" height="12" {}
                            @if let Some(at) = &target { line.target x1=(at) x2=(at) y1="0" y2="20" {} }
                        }
                    }
                }
            }
            div.table {
                p.heading {}
                div.dice {}
                p.event aria-live="polite" {}
                ul.groups {}
                p.risk-line {}
                p.better {}
                p.outcome aria-live="polite" {}
            }
            div.controls role="group" aria-label="Steps" {
                button type="button" data-do="first" { span aria-hidden="true" { "|‹ " } "First" }
                button type="button" data-do="turn-back" aria-label="Turn back" { span aria-hidden="true" { "« " } "Turn" }
                button type="button" data-do="back" { span aria-hidden="true" { "‹ " } "Back" }
                button type="button" data-do="play" aria-pressed="false" { "Play" }
                button type="button" data-do="next" { "Next" span aria-hidden="true" { " ›" } }
                button type="button" data-do="turn-next" aria-label="Turn on" { "Turn" span aria-hidden="true" { " »" } }
                button type="button" data-do="last" { "Last" span aria-hidden="true" { " ›|" } }
                @if has_blunders(replay) {
                    button type="button" data-do="blunder" { "Next blunder" }
                }
            }
            div.sliders {
                label { "Roll " input.at type="range" min="0" max=(replay.steps.len()) value="0"; }
                output.position {}
                label { "Speed " select.speed {
                    option value="2000" { "slow" }
                    option value="1000" selected { "normal" }
                    option value="400" { "fast" }
                    option value="120" { "very fast" }
                } }
                a.moment href="#0" { "Link to this moment" }
            }
            p.note {
                "Keys: " kbd { "→" } " and " kbd { "←" } " a roll, " kbd { "PageDown" } " and " kbd { "PageUp" } " a turn, "
                kbd { "Home" } " and " kbd { "End" } ", " kbd { "P" } " plays"
                @if has_blunders(replay) { ", " kbd { "B" } " the next blunder" }
                "."
            }
        }
    }
}

/// The chance of the first seat to win, roll by roll.
fn curve(replay: &Replay<'_>) -> Markup {
    let Some(verdict) = &replay.verdict else { return html! {} };
    let [first, second] = &replay.seats[..] else { return html! {} };
    let steps = replay.steps.len().max(1) as f64;
    let chances = std::iter::once((0.0, verdict.start))
        .chain(replay.steps.iter().enumerate().filter_map(|(i, step)| Some(((i + 1) as f64 / steps, step.chance?))));
    let mut path = String::new();
    for (index, (at, chance)) in chances.enumerate() {
        let step = if index == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{step}{} {}", across(at), place(chance));
    }
    let blunders = replay.steps.iter().enumerate().filter(|(_, step)| step.blunder);
    let picture = html! {
        path.line.c0 d=(path) {}
        line.half x1="0" x2="1000" y1="500" y2="500" {}
        @for (index, step) in blunders {
            @let at = across((index + 1) as f64 / steps);
            line.blunder x1=(at) x2=(at) y1="0" y2="1000" {
                title { (replay.seats[usize::from(step.seat)].name) ": " (step.better.as_deref().unwrap_or_default()) }
            }
        }
        line #cursor x1="0" x2="0" y1="0" y2="1000" {}
    };
    let told = format!(
        "The chance of {} to win: {} before the first roll, {} of all decisions are blunders",
        first.name,
        percent(verdict.start),
        verdict.blunders
    );
    let frame = Frame {
        title: "Who wins, if both go on with best play",
        told: &told,
        x_name: "roll",
        x_labels: rolls(replay.steps.len()),
        y_name: &format!("chance of {}", first.name),
        y_labels: ["0%", "25%", "50%", "75%", "100%"].map(str::to_owned).to_vec(),
    };
    let table = html! {
        table {
            thead { tr {
                th scope="col" { "Agent" }
                th.number scope="col" { "Lost by decisions" }
                th.number scope="col" { "Luck of the dice" }
            } }
            tbody {
                @for (seat, (loss, luck)) in [first, second].into_iter().zip(verdict.seats) {
                    tr {
                        th scope="row" { (seat.name) }
                        td.number { (percent(loss)) }
                        td.number { (format!("{:+.1}%", 100.0 * luck)) }
                    }
                }
            }
        }
    };
    html! {
        section.curve aria-label="Analysis" {
            (frame.around(picture, None))
            (scrolling("What decisions lost", table))
            p.note { "In percent of a match. A dashed line marks a blunder: a decision that lost 2% or more." }
        }
    }
}

/// Labels of an axis that ends with the last roll: evenly spaced, as many as fall on a roll.
fn rolls(last: usize) -> Vec<String> {
    let parts = (1..=last.clamp(1, 6)).rev().find(|parts| last.is_multiple_of(*parts)).unwrap_or(1);
    (0..=parts).map(|part| (last * part / parts).to_string()).collect()
}

/// The match in words.
fn told(replay: &Replay<'_>) -> Markup {
    let mut turns: Vec<(&Step, Vec<(usize, &Step)>)> = Vec::new();
    for (index, step) in replay.steps.iter().enumerate() {
        match turns.last_mut() {
            Some((first, steps)) if (first.seat, first.turn) == (step.seat, step.turn) => steps.push((index, step)),
            _ => turns.push((step, vec![(index, step)])),
        }
    }
    html! {
        section.told aria-label="Roll by roll" {
            h2 { "Roll by roll" }
            ol {
                @for (first, steps) in turns {
                    li {
                        h3 { (heading(&replay.seats[usize::from(first.seat)].name, first.turn)) }
                        ol {
                            @for (index, step) in steps {
                                li {
                                    a href={ "#" (index + 1) } id={ "s" (index + 1) } { (step.text) }
                                    @if let Some(better) = &step.better {
                                        " " span class=(if step.blunder { "blunder" } else { "slip" }) { (better) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn heading(name: &str, turn: u32) -> String {
    match turn {
        0 => format!("{name}, before the first roll"),
        turn => format!("{name}, turn {turn}"),
    }
}

fn proof(replay: &Replay<'_>) -> Markup {
    html! {
        section.proof aria-label="Proof" {
            h2 { "Play it again" }
            p { "Rules " (replay.ruleset.name) ", match seed " code { (replay.seed) } ", hash " code.hash { (replay.hash) } "." }
            pre { code { (replay.command) } }
        }
    }
}

fn in_json(replay: &Replay<'_>) -> String {
    let whole = serde_json::json!({
        "seats": replay.seats,
        "end": track_end(replay),
        "dice": replay.ruleset.dice,
        "steps": replay.steps,
        "result": replay.result,
    });
    whole.to_string()
}

#[cfg(test)]
mod tests {
    use super::rolls;

    /// Labels stand evenly, so each has to be the roll that is drawn where it stands.
    #[test]
    fn labels_are_where_their_rolls_are() {
        assert_eq!(rolls(10), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(rolls(12), ["0", "2", "4", "6", "8", "10", "12"]);
        assert_eq!(rolls(74), ["0", "37", "74"]);
        assert_eq!(rolls(73), ["0", "73"]);
        for last in 1..200 {
            let labels: Vec<usize> = rolls(last).iter().map(|label| label.parse().unwrap()).collect();
            let apart: Vec<usize> = labels.windows(2).map(|two| two[1] - two[0]).collect();
            assert!(apart.iter().all(|gap| *gap == apart[0]) && apart[0] > 0, "{labels:?}");
            assert_eq!((labels[0], labels[labels.len() - 1]), (0, last));
        }
    }
}
