//! Handing in an agent, and what became of those handed in. Of live sites only.

use maud::html;

use crate::shell::{Place, Site};

/// The form, and what its script fills: what was submitted, faults of one's own agents.
#[must_use]
pub fn submit_page(site: Site<'_>) -> String {
    let body = html! {
        h1 { "Submit an agent" }
        noscript { p.warning { "This page needs scripts; `arena submit AGENT --to` with this address does the same." } }
        form #submit {
            p {
                label for="token" { "Your token" }
                input #token type="password" autocomplete="off" required;
            }
            p.note { "The organiser gives it to you. It stays in this tab, and goes nowhere but to this server." }
            p {
                label for="file" { "The component (.wasm)" }
                input #file type="file" accept=".wasm,application/wasm" required;
            }
            p {
                label for="name" { "Its name in the tournament" }
                input #name type="text" maxlength="40" required;
            }
            p { button type="submit" { "Submit" } }
        }
        p #said role="status" {}
        section #own hidden aria-label="Your agents" {
            h2 { "What you submitted" }
            div #submissions {}
            h2 { "Faults of your agents" }
            div #own-faults {}
            h2 { "Notes of your agents in a match" }
            form #logs-form {
                label { "Match " input #logs-match type="number" min="1" required; }
                " " button type="submit" { "Show its notes" }
            }
            div #logs {}
        }
        p { button type="button" #show-own { "Show what I submitted" } }
    };
    site.page(Place::Submit, "Submit an agent", &["submit.js"], body)
}
