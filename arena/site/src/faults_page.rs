//! What went wrong, and where to see it.

use arena_core::rulebook::thousands;
use maud::{Markup, html};

use crate::matches_page;
use crate::shell::{Place, Site, live, percent, scrolling};
use crate::tournament::Tournament;

/// Faults by agent and kind.
#[must_use]
pub fn faults_page(site: Site<'_>, tournament: &Tournament) -> String {
    let body = html! {
        h1 { "Faults" }
        p { "A fault is what an agent may not do, or could not: it forfeits the match." }
        (live("faults", table(site, tournament)))
    };
    let scripts: &[&str] = if site.live { &["live.js"] } else { &[] };
    site.page(Place::Faults, "Faults", scripts, body)
}

fn table(site: Site<'_>, tournament: &Tournament) -> Markup {
    let rows = tournament.standings.standings.iter();
    let faults: Vec<_> = rows
        .flat_map(|row| row.faults.iter().filter(|(_, times)| **times > 0).map(move |(kind, times)| (row, kind, times)))
        .collect();
    if faults.is_empty() {
        return html! { p { "No agent has faulted." } };
    }
    let table = html! {
        table {
            thead {
                tr {
                    th scope="col" { "Agent" }
                    th scope="col" { "Fault" }
                    th.number scope="col" { "Matches" }
                    th.number scope="col" { "Of its matches" }
                    th scope="col" { "First seen" }
                }
            }
            tbody {
                @for (row, kind, times) in faults {
                    tr {
                        th scope="row" {
                            a href={ "agents/" (tournament.agents[row.agent].id) ".html" } {
                                (tournament.agents[row.agent].label)
                            }
                        }
                        td { (kind.name()) }
                        td.number { (thousands(*times as i64)) }
                        td.number { (percent(*times as f64 / row.matches.max(1) as f64)) }
                        td { @if let Some(first) = row.first_faults.get(kind) { (matches_page::link(site, tournament, *first, "")) } }
                    }
                }
            }
        }
    };
    scrolling("Faults", table)
}
