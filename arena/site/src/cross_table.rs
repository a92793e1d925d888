//! Who did how well against whom, as a heat map.

use maud::{Markup, html};

use crate::shell::{Place, Site, live, percent, scrolling};
use crate::tournament::Tournament;

/// The cross table.
#[must_use]
pub fn cross_table_page(site: Site<'_>, tournament: &Tournament) -> String {
    let body = html! {
        h1 { "Cross table" }
        p {
            @match tournament.seats {
                1 => { "On how many of their common seeds the agent of a row had the higher total than that of a column" }
                2 => { "How many of its matches against the agent of a column that of a row won" }
                _ => { "How often the agent of a row was placed before that of a column" }
            }
            ", equal ones one half. Columns are in the order of the standings."
        }
        (live("cross-table", table(tournament)))
    };
    let scripts: &[&str] = if site.live { &["live.js"] } else { &[] };
    site.page(Place::CrossTable, "Cross table", scripts, body)
}

/// Of eleven colours the one for a share, 0 to 10.
pub(crate) fn heat(share: f64) -> String {
    format!("h{}", (share.clamp(0.0, 1.0) * 10.0).round() as u8)
}

fn table(tournament: &Tournament) -> Markup {
    let rows = &tournament.standings.standings;
    let cells = &tournament.standings.cross_table;
    if tournament.played == 0 {
        return html! { p { "No match is played yet." } };
    }
    let table = html! {
        table.heat {
            thead {
                tr {
                    th scope="col" { "Agent" }
                    @for row in rows {
                        th.number scope="col" {
                            abbr title=(tournament.agents[row.agent].label) { (row.rank) }
                        }
                    }
                }
            }
            tbody {
                @for own in rows {
                    tr {
                        th scope="row" {
                            span.rank { (own.rank) ". " }
                            a href={ "agents/" (tournament.agents[own.agent].id) ".html" } {
                                (tournament.agents[own.agent].label)
                            }
                        }
                        @for other in rows {
                            @match cells.get(own.agent, other.agent).and_then(|cell| Some((cell, cell.score()?))) {
                                Some((cell, score)) => {
                                    td class=(heat(score))
                                        title={ (cell.wins) " won, " (cell.draws) " drawn, " (cell.losses) " lost" } {
                                        (percent(score))
                                    }
                                }
                                None => td.none { @if own.agent == other.agent { "–" } }
                            }
                        }
                    }
                }
            }
        }
    };
    scrolling("Cross table", table)
}
