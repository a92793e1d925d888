//! One agent: results, style, faults, matches worth seeing.

use arena_core::rulebook::{counted, thousands};
use arena_core::style::Style;
use maud::{Markup, html};

use crate::charts::{Bar, bars};
use crate::cross_table::heat;
use crate::matches_page;
use crate::shell::{Place, Site, live, percent, scrolling};
use crate::standings_page::history;
use crate::tournament::{Agent, Tournament};

/// Bars of a distribution, about.
const BARS: i32 = 24;

/// The page of an agent, counted as in [`Tournament::agents`].
///
/// # Panics
///
/// When there is no such agent.
#[must_use]
pub fn agent_page(site: Site<'_>, tournament: &Tournament, agent: usize) -> String {
    let about = &tournament.agents[agent];
    let body = html! {
        h1 { (about.label) }
        (live("facts", facts(tournament, agent)))
        (live("opponents", opponents(tournament, agent)))
        (live("history", history(tournament, Some(agent))))
        (live("scores", scores(about)))
        (live("style", style(tournament, about)))
        (live("faults", faults(site, tournament, agent)))
        (live("replays", replays(site, tournament, agent)))
    };
    let scripts: &[&str] = if site.live { &["live.js"] } else { &[] };
    site.page(Place::Below, &about.label, scripts, body)
}

fn facts(tournament: &Tournament, agent: usize) -> Markup {
    let about = &tournament.agents[agent];
    html! {
        @if let Some(left) = &about.left { p.warning { (left) } }
        dl.facts {
            @if let Some(row) = tournament.row(agent) {
                div {
                    dt { @if tournament.order.is_some() { "Rank by rating" } @else { "Rank" } }
                    dd { (row.rank) " of " (tournament.agents.len()) }
                }
                @if tournament.seats > 1 {
                    div {
                        dt { "Rating" }
                        dd { (format!("{:.0}", row.elo)) " (95%: " (format!("{:.0} to {:.0}", row.elo_low, row.elo_high)) ")" }
                    }
                    div {
                        dt { "Matches" }
                        dd {
                            (thousands(row.matches as i64)) ": " (thousands(row.wins as i64)) " won, "
                            (thousands(row.draws as i64)) " drawn, " (thousands(row.losses as i64)) " lost"
                        }
                    }
                } @else if let Some(solo) = &row.solo {
                    div { dt { "Mean total" } dd { (format!("{:.1}", solo.total_mean)) } }
                    div { dt { "Matches" } dd { (thousands(row.matches as i64)) } }
                }
            }
            @if let Some(author) = &about.author { div { dt { "Author" } dd { (author) } } }
            div { dt { "Version" } dd { (about.version) } }
            div { dt { "Says it is" } dd { (about.claim) } }
            div { dt { "Component" } dd { code.hash { (about.sha256.to_string()) } } }
        }
    }
}

fn opponents(tournament: &Tournament, agent: usize) -> Markup {
    let cells = &tournament.standings.cross_table;
    let others = tournament.standings.standings.iter().filter(|row| row.agent != agent);
    let met: Vec<_> = others
        .filter_map(|row| {
            let cell = cells.get(agent, row.agent)?;
            Some((row, cell, cell.score()?))
        })
        .collect();
    if met.is_empty() {
        return html! {};
    }
    let table = html! {
        table {
            thead {
                tr {
                    th.number scope="col" { "Rank" }
                    th scope="col" { "Opponent" }
                    th.number scope="col" { "Score" }
                    th.number scope="col" { "Won" }
                    th.number scope="col" { "Drawn" }
                    th.number scope="col" { "Lost" }
                    th.number scope="col" { "Likely stronger" }
                }
            }
            tbody {
                @for (row, cell, score) in met {
                    @let other = &tournament.agents[row.agent];
                    tr {
                        td.number { (row.rank) }
                        th scope="row" { a href={ (other.id) ".html" } { (other.label) } }
                        td class={ "number " (heat(score)) } { (percent(score)) }
                        td.number { (thousands(cell.wins as i64)) }
                        td.number { (thousands(cell.draws as i64)) }
                        td.number { (thousands(cell.losses as i64)) }
                        td.number { (percent(tournament.standings.los[agent][row.agent])) }
                    }
                }
            }
        }
    };
    html! {
        h2 { "By opponent" }
        (scrolling("Results by opponent", table))
        p.note { "Likely stronger: how likely it is that this agent is truly the stronger of the two." }
    }
}

/// Sums counts of values into bars of one width, the first of which begins at a multiple of it.
fn binned(counts: impl Iterator<Item = (i32, u64)> + Clone) -> Vec<(i32, i32, u64)> {
    let ends = counts.clone().map(|(value, _)| value);
    let (Some(low), Some(high)) = (ends.clone().min(), ends.max()) else { return Vec::new() };
    let widths = [50, 100, 200, 250, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000, 1_000_000];
    let span = i64::from(high) - i64::from(low);
    let width = widths.into_iter().find(|width| span / i64::from(*width) < i64::from(BARS)).unwrap_or(i32::MAX / 2);
    let first = low.div_euclid(width);
    let mut bins: Vec<(i32, i32, u64)> =
        (first..=high.div_euclid(width)).map(|bin| (bin.saturating_mul(width), width, 0)).collect();
    for (value, times) in counts {
        bins[(value.div_euclid(width) - first) as usize].2 += times;
    }
    bins
}

fn distribution(title: &str, x_name: &str, counts: impl Iterator<Item = (i32, u64)> + Clone) -> Markup {
    let all: u64 = counts.clone().map(|(_, times)| times).sum();
    let bins = binned(counts.clone());
    if all == 0 {
        return html! {};
    }
    let every = bins.len().div_ceil(6).max(1);
    let drawn: Vec<Bar> = bins
        .iter()
        .enumerate()
        .map(|(index, (from, width, times))| Bar {
            label: if index % every == 0 { thousands(*from) } else { String::new() },
            value: 100.0 * *times as f64 / all as f64,
            told: format!(
                "{} to {}: {}",
                thousands(*from),
                thousands(from + width - 1),
                percent(*times as f64 / all as f64)
            ),
        })
        .collect();
    let median = median(counts, all);
    let told = format!("{title}: half of them are at most {}", thousands(median));
    bars(title, &told, x_name, "percent", &drawn)
}

fn median(counts: impl Iterator<Item = (i32, u64)>, all: u64) -> i32 {
    let mut seen = 0;
    for (value, times) in counts {
        seen += times;
        if 2 * seen >= all {
            return value;
        }
    }
    0
}

fn scores(about: &Agent) -> Markup {
    html! {
        @if !about.scores.is_empty() {
            h2 { "Scores" }
            (distribution("Banked at the end of a match", "points", about.scores.iter().map(|(p, n)| (*p, *n))))
        }
    }
}

fn style(tournament: &Tournament, about: &Agent) -> Markup {
    let Some(style) = about.style.as_ref().filter(|style| style.turns > 0) else { return html! {} };
    let figure = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.2}"));
    html! {
        h2 { "Style" }
        dl.facts {
            div { dt { "Mean points banked" } dd { (style.mean_banked().map_or("–".to_owned(), |mean| thousands(mean.round() as i64))) } }
            div { dt { "Turns that farkle" } dd { (style.farkle_rate().map_or("–".to_owned(), percent)) } }
            div { dt { "Dice left when banking" } dd { (figure(style.mean_left())) } }
            div { dt { "Rolls a turn" } dd { (figure(style.mean_rolls())) } }
            div {
                dt { "Hot dice in 100 turns" }
                dd { (figure(Some(100.0 * style.hot_dice as f64 / style.turns as f64))) }
            }
        }
        (left(style))
        (distribution("Points banked at a time", "points", style.banked.iter().map(|(p, n)| (*p, *n))))
        p.note {
            "From " (counted(style.turns as i64, "turn")) ", of "
            @if tournament.looked_at < tournament.played { "a sample of " } @else { "all " }
            (counted(tournament.looked_at as i64, "match")) " of the tournament."
        }
    }
}

/// How often it banks with so many dice left.
fn left(style: &Style) -> Markup {
    let banks = style.banks().max(1) as f64;
    let bar = |(left, times): (usize, &u64)| Bar {
        label: left.to_string(),
        value: 100.0 * *times as f64 / banks,
        told: format!("{}: {}", counted(left as i64, "die"), percent(*times as f64 / banks)),
    };
    let drawn: Vec<Bar> = style.left.iter().enumerate().map(bar).collect();
    let often = (0..7).max_by_key(|left| style.left[*left]).unwrap_or(0);
    let told = format!("Dice left when banking: most often {often}, in {}", percent(style.left[often] as f64 / banks));
    bars("Dice left when banking", &told, "dice that could have been rolled", "percent", &drawn)
}

fn faults(site: Site<'_>, tournament: &Tournament, agent: usize) -> Markup {
    let Some(row) = tournament.row(agent).filter(|row| row.faults.values().any(|n| *n > 0)) else {
        return html! {};
    };
    html! {
        h2 { "Faults" }
        ul {
            @for (kind, times) in row.faults.iter().filter(|(_, times)| **times > 0) {
                li {
                    (kind.name()) ": " (counted(*times as i64, "match"))
                    @if let Some(first) = row.first_faults.get(kind) {
                        ", first in " (matches_page::link(site, tournament, *first, "../"))
                    }
                }
            }
        }
    }
}

fn replays(site: Site<'_>, tournament: &Tournament, agent: usize) -> Markup {
    let listed: Vec<_> = tournament.replays_of(agent).collect();
    html! {
        @if !listed.is_empty() {
            h2 { "Matches worth seeing" }
            (matches_page::table(tournament, &listed, "../"))
        }
        @if site.live {
            p { a href={ "../matches.html?agent=" (tournament.agents[agent].id) } { "All matches of this agent" } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_hold_every_value_once() {
        for values in [
            vec![0],
            vec![-350, 10_050, 9_999],
            vec![5, 5, 5],
            vec![i32::MIN / 2, i32::MAX / 2],
            (0..500).map(|n| n * 50).collect(),
        ] {
            let bins = binned(values.iter().map(|value| (*value, 2)));
            assert!(bins.len() <= BARS as usize + 1, "{} bars for {values:?}", bins.len());
            assert_eq!(bins.iter().map(|bin| bin.2).sum::<u64>(), 2 * values.len() as u64);
            for (from, width, times) in &bins {
                let inside = values.iter().filter(|v| {
                    i64::from(**v) >= i64::from(*from) && i64::from(**v) < i64::from(*from) + i64::from(*width)
                });
                assert_eq!(*times, 2 * inside.count() as u64, "{from} of {values:?}");
            }
        }
        assert!(binned(std::iter::empty()).is_empty());
    }
}
