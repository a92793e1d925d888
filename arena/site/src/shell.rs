//! What every page has around it.
//!
//! Owns head, navigation and links between pages. Refuses content.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The site that pages belong to.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// What the tournament is called.
    pub name: &'a str,
    /// Whether a server answers with the pages; else they are files.
    pub live: bool,
}

/// The pages that every page leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Standings,
    CrossTable,
    Matches,
    Faults,
    Rules,
    Submit,
    /// One below the top: an agent, a match.
    Below,
    /// At any address, as a message is: links are from the server's root.
    Anywhere,
}

impl Place {
    /// The way to the top of the site.
    fn up(self) -> &'static str {
        match self {
            Place::Below => "../",
            Place::Anywhere => "/",
            _ => "",
        }
    }
}

const PLACES: [(Place, &str, &str); 6] = [
    (Place::Standings, "index.html", "Standings"),
    (Place::CrossTable, "cross-table.html", "Cross table"),
    (Place::Matches, "matches.html", "Matches"),
    (Place::Faults, "faults.html", "Faults"),
    (Place::Rules, "rules.html", "Rules"),
    (Place::Submit, "submit.html", "Submit"),
];

impl Site<'_> {
    /// A whole page.
    pub(crate) fn page(&self, place: Place, title: &str, scripts: &[&str], body: Markup) -> String {
        let up = place.up();
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (title) " – " (self.name) }
                    link rel="icon" href={ (up) "assets/icon.svg" } type="image/svg+xml";
                    link rel="stylesheet" href={ (up) "assets/style.css" };
                    @for script in scripts {
                        script src={ (up) "assets/" (script) } defer {}
                    }
                }
                body {
                    a.skip href="#main" { "Skip to the content" }
                    header.top {
                        a.site href={ (up) "index.html" } { (self.name) }
                        nav aria-label="Pages" {
                            @for (other, file, name) in PLACES {
                                @if self.live || other != Place::Submit {
                                    @if other == place {
                                        a href={ (up) (file) } aria-current="page" { (name) }
                                    } @else {
                                        a href={ (up) (file) } { (name) }
                                    }
                                }
                            }
                        }
                        @if self.live {
                            p #live-state role="status" {}
                        }
                    }
                    main #main tabindex="-1" { (body) }
                    footer {
                        p { "Made by Farkle Arena. Every match can be played again from its seed." }
                    }
                }
            }
        }
        .into_string()
    }
}

/// A page that says something: that a page is not there, that the server cannot.
#[must_use]
pub fn message_page(site: Site<'_>, title: &str, message: &str) -> String {
    let body = html! {
        h1 { (title) }
        p { (message) }
        p { a href="/index.html" { "To the standings" } }
    };
    site.page(Place::Anywhere, title, &[], body)
}

/// The standings as long as too few take part to play: who has come so far.
#[must_use]
pub fn waiting_page(site: Site<'_>, agents: &[String], seats: usize) -> String {
    let come = html! {
        @if agents.is_empty() {
            p { "No agent takes part yet." }
        } @else {
            p { "Taking part: " (agents.join(", ")) "." }
        }
        p { "Play begins with " (seats) " agents. " a href="/submit.html" { "Submit one" } "." }
    };
    let body = html! {
        h1 { "Standings" }
        (live("waiting", come))
    };
    site.page(Place::Anywhere, "Standings", &["live.js"], body)
}

/// A table that scrolls by itself where it is too wide.
pub(crate) fn scrolling(label: &str, table: Markup) -> Markup {
    html! {
        div.scroll role="region" aria-label=(label) tabindex="0" { (table) }
    }
}

/// A part of a page that a live one keeps up to date.
pub(crate) fn live(id: &str, content: Markup) -> Markup {
    html! { div id=(id) data-live { (content) } }
}

/// JSON in a page: data that no browser runs. Nothing in it ends the element that it is in.
pub(crate) fn data(id: &str, json: &str) -> Markup {
    let json = json.replace('<', "\\u003c");
    html! { script type="application/json" id=(id) { (PreEscaped(json)) } }
}

/// `61.2%`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}
