//! The first page: who stands where, and how sure that is.
//!
//! Owns its table and the ratings over time.

use arena_core::rulebook::{counted, thousands};
use arena_core::standings::{Estimate, Row};
use maud::{Markup, html};

use crate::charts::{Line, Scale, across, lines};
use crate::shell::{Place, Site, live, percent, scrolling};
use crate::tournament::{Order, Tournament};

/// Lines of the ratings' history that have a colour.
const MARKED: usize = 8;

/// How far a tournament is: matches that are played, and those that are left of what is planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Matches that are played.
    pub played: u64,
    /// Matches that are left.
    pub left: u64,
}

/// The standings; `now` may know of later matches than they do.
#[must_use]
pub fn standings_page(site: Site<'_>, tournament: &Tournament, now: Progress) -> String {
    let Progress { played, left } = now;
    let body = html! {
        h1 { "Standings" }
        (live("summary", html! { p.summary { (summary(tournament, now)) } }))
        (live("standings", html! {
            @if tournament.played == 0 {
                p { "No match is played yet." }
                @if tournament.waiting.is_empty() { p { "Taking part: " (labels(tournament)) "." } }
            } @else {
                @if tournament.played < played {
                    p.note { "Of the first " (counted(tournament.played as i64, "match")) "; those after them are being counted." }
                }
                @if let Some(order) = &tournament.order {
                    h2 { "By the format: " (order.title) }
                    (order_table(tournament, order))
                    h2 { "By rating" }
                }
                (table(tournament))
                (notes(tournament))
            }
            @if !tournament.waiting.is_empty() {
                p { "Not played yet: " (tournament.waiting.join(", ")) "." }
            }
            @if left == 0 && played > 0 { p { "Everything that was planned is played." } }
        }))
        (live("history", history(tournament, None)))
    };
    let scripts: &[&str] = if site.live { &["live.js"] } else { &[] };
    site.page(Place::Standings, "Standings", scripts, body)
}

fn labels(tournament: &Tournament) -> String {
    tournament.agents.iter().map(|agent| agent.label.as_str()).collect::<Vec<_>>().join(", ")
}

fn summary(tournament: &Tournament, Progress { played, left }: Progress) -> String {
    let Tournament { ruleset, format, seats, agents, .. } = tournament;
    let seats = match seats {
        1 => "each alone".to_owned(),
        n => format!("tables of {n}"),
    };
    let played_of = if left > 0 { format!(" of {}", thousands((played + left) as i64)) } else { String::new() };
    format!(
        "{}, {format}, {seats}, {}: {}{played_of} matches played.",
        ruleset.name,
        counted(agents.len() as i64, "agent"),
        thousands(played as i64),
    )
}

fn order_table(tournament: &Tournament, order: &Order) -> Markup {
    // Who has played nothing has no page.
    let page = |label: &String| tournament.agents.iter().find(|agent| agent.label == *label).map(|agent| agent.id);
    let table = html! {
        table {
            thead { tr { th.number scope="col" { "Place" } th scope="col" { "Agent" } th scope="col" { "How" } } }
            tbody {
                @for (place, agent, how) in &order.rows {
                    tr {
                        td.number { (place) }
                        th scope="row" {
                            @match page(agent) {
                                Some(id) => { a href={ "agents/" (id) ".html" } { (agent) } }
                                None => { (agent) }
                            }
                        }
                        td { (how) }
                    }
                }
            }
        }
    };
    scrolling(&order.title, table)
}

fn table(tournament: &Tournament) -> Markup {
    let rows = &tournament.standings.standings;
    let alone = tournament.seats == 1;
    let scale = Scale::around(rows.iter().map(Row::estimate).flat_map(|e| [e.low, e.high]), 4);
    let ends = scale.labels();
    let measure = if alone { "Mean total" } else { "Rating" };
    let table = html! {
        table.standings {
            thead {
                tr {
                    th.number scope="col" { "Rank" }
                    th scope="col" { "Agent" }
                    th.number scope="col" { (measure) }
                    th.interval scope="col" {
                        "95% interval"
                        span.ends aria-hidden="true" {
                            span { (ends.first().map_or("", |end| end)) }
                            span { (ends.last().map_or("", |end| end)) }
                        }
                    }
                    th.number.extra scope="col" { "Matches" }
                    @if alone {
                        th.number scope="col" { "Best turn" }
                        th.number scope="col" { "Farkles" }
                    } @else {
                        th.number.extra scope="col" { "Won" }
                        @if tournament.seats == 2 { th.number.extra scope="col" { "Drawn" } }
                        th.number scope="col" { "Score" }
                    }
                    @if !alone { th.number.extra scope="col" { "Mean points" } }
                    th.number scope="col" { "Faults" }
                }
            }
            tbody {
                @for row in rows {
                    (table_row(tournament, row, &scale, alone))
                }
            }
        }
    };
    scrolling("Standings", table)
}

fn table_row(tournament: &Tournament, row: &Row, scale: &Scale, alone: bool) -> Markup {
    let agent = &tournament.agents[row.agent];
    let estimate = row.estimate();
    let faults: u64 = row.faults.values().sum();
    html! {
        tr {
            td.number { (row.rank) }
            th scope="row" {
                a href={ "agents/" (agent.id) ".html" } { (agent.label) }
                @if let Some(author) = &agent.author { span.author { " by " (author) } }
            }
            td.number { (format!("{:.0}", estimate.at)) }
            td.interval {
                span.text { (format!("{:.0} to {:.0}", estimate.low, estimate.high)) }
                (interval(&estimate, scale))
            }
            td.number.extra { (thousands(row.matches as i64)) }
            @if let (true, Some(solo)) = (alone, &row.solo) {
                td.number { (solo.best_turn.map_or("–".to_owned(), thousands)) }
                td.number { (percent(solo.farkle_rate)) }
            } @else if !alone {
                td.number.extra { (thousands(row.wins as i64)) }
                @if tournament.seats == 2 { td.number.extra { (thousands(row.draws as i64)) } }
                td.number { (percent(row.score)) }
            }
            @if !alone { td.number.extra { (thousands(row.points_mean.round() as i64)) } }
            td.number {
                @if faults == 0 { "none" } @else { a href="faults.html" { (thousands(faults as i64)) } }
            }
        }
    }
}

/// The interval as a bar on the column's common scale.
fn interval(estimate: &Estimate, scale: &Scale) -> Markup {
    let (low, high) = (scale.share(estimate.low), scale.share(estimate.high));
    html! {
        svg.interval viewBox="0 0 1000 20" preserveAspectRatio="none" aria-hidden="true" {
            line.rule x1="0" x2="1000" y1="10" y2="10" {}
            rect.range x=(across(low)) y="5" width=(across((high - low).max(0.002))) height="10" {}
            line.point x1=(across(scale.share(estimate.at))) x2=(across(scale.share(estimate.at))) y1="1" y2="19" {}
        }
    }
}

fn notes(tournament: &Tournament) -> Markup {
    let model = &tournament.standings.model;
    html! {
        @if tournament.seats > 1 {
            p.note {
                "Ratings are on the Elo scale, with a mean of 1500; the bar is where the true one lies with 95% confidence. "
                (format!(
                    "The first seat is worth {:+.1} Elo ({:+.1} to {:+.1}).",
                    // Never a zero below zero.
                    (10.0 * model.seat_advantage).round() / 10.0 + 0.0,
                    model.seat_advantage_low,
                    model.seat_advantage_high,
                ))
            }
        } @else {
            p.note { "Mean totals of all seeds that all of these have played, with their 95% intervals." }
        }
    }
}

/// Ratings over matches, of all; the strongest ones, or one of them, stand out.
pub(crate) fn history(tournament: &Tournament, only: Option<usize>) -> Markup {
    let checkpoints = &tournament.history;
    if checkpoints.len() < 2 {
        return html! {};
    }
    let rows = &tournament.standings.standings;
    let line = |(place, row): (usize, &Row)| {
        let at = |checkpoint: &arena_core::standings::Checkpoint| {
            checkpoint.elo[row.agent].map(|elo| (checkpoint.matches as f64, elo))
        };
        Line {
            name: tournament.agents[row.agent].label.clone(),
            points: checkpoints.iter().filter_map(at).collect(),
            marked: only.map_or(place < MARKED, |only| only == row.agent),
        }
    };
    let all: Vec<Line> = rows.iter().enumerate().map(line).collect();
    let told = match rows.first() {
        Some(first) => format!(
            "Ratings after {} points of time; at the end {} leads with {:.0} Elo",
            checkpoints.len(),
            tournament.agents[first.agent].label,
            first.elo
        ),
        None => String::new(),
    };
    html! {
        h2 { "Ratings over matches" }
        (lines("Rating by matches played", &told, "matches played", "Elo", &all, |x| thousands(x.round() as i64)))
    }
}
