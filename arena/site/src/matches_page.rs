//! Matches in a list.

use arena_core::rulebook::thousands;
use maud::{Markup, html};

use crate::shell::{Place, Site, scrolling};
use crate::tournament::{Listed, Tournament};

/// The matches to list, and what leads to others.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The matches.
    pub matches: Vec<Listed>,
    /// In words: whose they are.
    pub of: String,
    /// The address of those after these, if there are any.
    pub next: Option<String>,
    /// What was asked for, on a live site.
    pub asked: Asked,
}

/// What a list of matches was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Agents that both are to play in it, by the numbers of their pages.
    pub agents: [Option<u64>; 2],
    /// Whether only those with a fault.
    pub faults: bool,
    /// From this number on; 0 is from the first.
    pub from: u64,
}

/// Matches that have a replay; of a live site those that were asked for.
#[must_use]
pub fn matches_page(site: Site<'_>, tournament: &Tournament, listing: &Listing) -> String {
    let listed: Vec<&Listed> = listing.matches.iter().collect();
    let body = html! {
        h1 { "Matches" }
        p { (listing.of) }
        @if site.live { (search(tournament, &listing.asked)) }
        @if listed.is_empty() {
            p { "There is none." }
        } @else {
            (table(tournament, &listed, ""))
        }
        @if let Some(next) = &listing.next { p { a href=(next) { "Later matches" } } }
    };
    site.page(Place::Matches, "Matches", &[], body)
}

/// The form, filled in as it was sent.
fn search(tournament: &Tournament, asked: &Asked) -> Markup {
    html! {
        form.search method="get" action="matches.html" {
            @for (label, name, chosen) in [("Agent ", "agent", asked.agents[0]), ("Against ", "against", asked.agents[1])] {
                label { (label) select name=(name) {
                    option value="" { "any" }
                    @for agent in &tournament.agents {
                        option value=(agent.id) selected[chosen == Some(agent.id)] { (agent.label) }
                    }
                } }
            }
            label { "From match " input type="number" name="from" min="1" value=(asked.from.max(1)); }
            label { input type="checkbox" name="faults" value="true" checked[asked.faults]; " with a fault" }
            button { "List" }
        }
    }
}

/// A link to a match, where there is a page of it.
pub(crate) fn link(site: Site<'_>, tournament: &Tournament, number: u64, up: &str) -> Markup {
    html! {
        @if site.live || tournament.has_replay(number) {
            a href={ (up) "matches/" (number) ".html" } { "match " (number) }
        } @else { "match " (number) }
    }
}

pub(crate) fn table(tournament: &Tournament, listed: &[&Listed], up: &str) -> Markup {
    let seats = listed.first().map_or(0, |listed| listed.agents.len());
    let has_why = listed.iter().any(|listed| !listed.why.is_empty());
    let table = html! {
        table {
            thead {
                tr {
                    th.number scope="col" { "Match" }
                    @for seat in 0..seats { th scope="col" { "Seat " (seat) } }
                    th scope="col" { "Ending" }
                    @if has_why { th scope="col" { "Seen for" } }
                }
            }
            tbody {
                @for listed in listed {
                    tr {
                        th.number scope="row" { a href={ (up) "matches/" (listed.number) ".html" } { (listed.number) } }
                        @for (seat, agent) in listed.agents.iter().enumerate() {
                            td {
                                (tournament.agents.get(*agent).map_or("(left)", |agent| &agent.label))
                                " " b.number { (thousands(listed.scores[seat])) }
                                @if listed.ranks[seat] == 1 && seats > 1 { " " span.won { "won" } }
                            }
                        }
                        td {
                            (listed.ending)
                            @for (seat, kind) in &listed.faults { ", " (kind.name()) " in seat " (seat) }
                        }
                        @if has_why { td { (listed.why.join(", ")) } }
                    }
                }
            }
        }
    };
    scrolling("Matches", table)
}
