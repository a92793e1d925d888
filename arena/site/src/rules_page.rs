//! The rules of the table, in words.

use arena_core::rulebook;
use farkle::Ruleset;
use maud::html;

use crate::shell::{Place, Site, scrolling};

/// The ruleset: its chart and everything else.
#[must_use]
pub fn rules_page(site: Site<'_>, rules: &Ruleset) -> String {
    let chart = html! {
        table {
            thead { tr { th scope="col" { "Dice" } th.number scope="col" { "Points" } } }
            tbody {
                @for row in rulebook::chart(rules) {
                    tr { th scope="row" { (row.label) } td.number { (row.worth) } }
                }
            }
        }
    };
    let body = html! {
        h1 { "Rules: " (rules.name) }
        p { (rulebook::summary(rules)) }
        (scrolling("Chart", chart))
        @for section in rulebook::sections(rules) {
            h2 { (section.title) }
            ul { @for rule in &section.rules { li { (rule) } } }
        }
    };
    site.page(Place::Rules, "Rules", &[], body)
}
