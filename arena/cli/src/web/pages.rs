//! Pages for people.
//!
//! Owns what is served outside of `/api`. Refuses to know anything that the API does not tell: it shows
//! the same snapshot, and the same matches played again.

mod analysis;
mod replay;

use arena_core::Sha256Hex;
use arena_site::{ASSETS, Asked, Listing, Progress, Site, Tournament};
use axum::Router;
use axum::extract::{Path, State as Shared};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::api;
use super::api::matches::Part;
use super::api::query::Query;
use super::problem::Problem;
use super::snapshot::Snapshot;
use super::state::State;
use crate::commands::report::name_of;
use crate::harmless::harmless;
use crate::pages;

pub(super) use self::analysis::solve;

/// Matches on a page of their list.
const LISTED: usize = 100;

/// The routes of the pages.
pub(super) fn router() -> Router<State> {
    Router::new()
        .route("/", get(standings))
        .route("/index.html", get(standings))
        .route("/cross-table.html", get(|state, headers| shown(state, headers, arena_site::cross_table_page)))
        .route("/faults.html", get(|state, headers| shown(state, headers, arena_site::faults_page)))
        .route("/rules.html", get(rules))
        .route("/submit.html", get(submit))
        .route("/matches.html", get(matches))
        .route("/agents/{page}", get(agent))
        .route("/matches/{page}", get(replay::get))
        .route("/assets/{file}", get(asset))
}

/// What is said where nothing is: a page to browsers, in JSON to programs and below `/api`.
pub(super) async fn nowhere(Shared(state): Shared<State>, uri: Uri, headers: HeaderMap) -> Response {
    let of_api = uri.path() == "/api" || uri.path().starts_with("/api/");
    let accepted = headers.get(header::ACCEPT).and_then(|kinds| kinds.to_str().ok()).unwrap_or_default();
    if of_api || !accepted.contains("text/html") {
        return api::nowhere(uri).await.into_response();
    }
    problem_page(&state, Problem::unknown(format!("There is no page {}.", uri.path())))
}

async fn standings(Shared(state): Shared<State>, headers: HeaderMap) -> Response {
    let snapshot = state.now();
    let now = Progress { played: snapshot.played, left: snapshot.left };
    with_tournament(&state, &headers, |site, tournament| Ok(arena_site::standings_page(site, tournament, now)))
}

/// A page that shows nothing but the tournament.
async fn shown(
    Shared(state): Shared<State>,
    headers: HeaderMap,
    page: fn(Site<'_>, &Tournament) -> String,
) -> Response {
    with_tournament(&state, &headers, |site, tournament| Ok(page(site, tournament)))
}

async fn rules(Shared(state): Shared<State>, headers: HeaderMap) -> Response {
    let name = name_of(&state.file);
    let page = arena_site::rules_page(Site { name: &name, live: true }, &state.settings.ruleset);
    answer(&headers, page)
}

async fn submit(Shared(state): Shared<State>, headers: HeaderMap) -> Response {
    let name = name_of(&state.file);
    answer(&headers, arena_site::submit_page(Site { name: &name, live: true }))
}

async fn agent(Shared(state): Shared<State>, Path(page): Path<String>, headers: HeaderMap) -> Response {
    with_tournament(&state, &headers, |site, tournament| {
        let id = number_of(&page, "agent")?;
        let place = tournament.agents.iter().position(|agent| agent.id == id);
        let place = place.ok_or_else(|| Problem::unknown(format!("No agent {id} is in the standings.")))?;
        Ok(arena_site::agent_page(site, tournament, place))
    })
}

async fn asset(Shared(state): Shared<State>, Path(file): Path<String>, headers: HeaderMap) -> Response {
    let Some(asset) = ASSETS.iter().find(|asset| asset.path.strip_prefix("assets/") == Some(&*file)) else {
        return problem_page(&state, Problem::unknown("There is no such file."));
    };
    of_kind(&headers, asset.text.to_owned(), asset.media_type)
}

/// A list of matches, as it was asked for.
async fn matches(Shared(state): Shared<State>, uri: Uri, headers: HeaderMap) -> Response {
    match list(&state, &uri).await {
        Ok((snapshot, listing)) => {
            let name = name_of(&state.file);
            let site = Site { name: &name, live: true };
            match &snapshot.tournament {
                Some(tournament) => answer(&headers, arena_site::matches_page(site, tournament, &listing)),
                None => waiting(&state, &headers, &snapshot),
            }
        }
        Err(problem) => problem_page(&state, problem),
    }
}

async fn list(state: &State, uri: &Uri) -> Result<(std::sync::Arc<Snapshot>, Listing), Problem> {
    let query = Query::read(uri, &["agent", "against", "faults", "from"])?;
    let snapshot = state.now();
    let agent = |field: &str| match query.text(field) {
        None | Some("") => Ok(None),
        Some(_) => query.number(field, 1..=snapshot.entries.len().max(1), 1).map(|id| Some(id - 1)),
    };
    let (agent, against) = (agent("agent")?, agent("against")?);
    let faults = query.is("faults")?;
    let from = query.number("from", 1..=i64::MAX as u64, 1)?;
    let shown = snapshot.clone();
    let (matches, next) = state
        .read(move |_, store| {
            let Some(report) = &shown.report else { return Ok((Vec::new(), None)) };
            let part = Part { faults, from, limit: LISTED };
            let plays = |agents: &[usize], wanted: Option<usize>| wanted.is_none_or(|agent| agents.contains(&agent));
            // Nobody plays against itself.
            if agent.is_some() && agent == against {
                return Ok((Vec::new(), None));
            }
            Ok(api::matches::go_through(store, &store.planned()?, &part, |stored| {
                let agents = &stored.outcome.agents;
                (plays(agents, agent) && plays(agents, against)).then(|| pages::listed(report, stored, Vec::new()))
            })?)
        })
        .await?;
    let field =
        |name: &str, agent: Option<usize>| agent.map_or(String::new(), |agent| format!("{name}={}&", agent + 1));
    let same =
        format!("{}{}{}", field("agent", agent), field("against", against), if faults { "faults=true&" } else { "" });
    let label = |agent: usize| snapshot.report.as_ref().map_or(String::new(), |report| harmless(&report.label(agent)));
    let who = match (agent, against) {
        (Some(agent), Some(against)) => format!("of {} against {}", label(agent), label(against)),
        (Some(agent), None) | (None, Some(agent)) => format!("of {}", label(agent)),
        (None, None) => "of all agents".to_owned(),
    };
    let of = format!("Matches {who}{}, from number {from} on.", if faults { " with a fault" } else { "" });
    let next = next.map(|next| format!("matches.html?{same}from={next}"));
    let asked = Asked { agents: [agent, against].map(|agent| agent.map(|agent| agent as u64 + 1)), faults, from };
    Ok((snapshot, Listing { matches, of, next, asked }))
}

/// `12` of `12.html`.
fn number_of(page: &str, what: &str) -> Result<u64, Problem> {
    let text = page.strip_suffix(".html").unwrap_or("");
    let number = text.parse().ok().filter(|number| (1..=i64::MAX as u64).contains(number));
    // One page has one address.
    let number = number.filter(|number| number.to_string() == text);
    number.ok_or_else(|| Problem::unknown(format!("There is no page {page} of any {what}.")))
}

/// A page of the newest snapshot; before there is one, who has come so far.
fn with_tournament(
    state: &State,
    headers: &HeaderMap,
    page: impl FnOnce(Site<'_>, &Tournament) -> Result<String, Problem>,
) -> Response {
    let (snapshot, name) = (state.now(), name_of(&state.file));
    let Some(tournament) = &snapshot.tournament else { return waiting(state, headers, &snapshot) };
    match page(Site { name: &name, live: true }, tournament) {
        Ok(page) => answer(headers, page),
        Err(problem) => problem_page(state, problem),
    }
}

/// As long as too few take part to play.
fn waiting(state: &State, headers: &HeaderMap, snapshot: &Snapshot) -> Response {
    let name = name_of(&state.file);
    let active = snapshot.entries.iter().filter(|entry| !entry.withdrawn);
    let agents: Vec<String> = active.map(|entry| harmless(&entry.name)).collect();
    answer(headers, arena_site::waiting_page(Site { name: &name, live: true }, &agents, state.settings.seats))
}

/// A problem in words, as a page.
fn problem_page(state: &State, problem: Problem) -> Response {
    let name = name_of(&state.file);
    let title = match problem.status {
        StatusCode::NOT_FOUND => "Not here",
        StatusCode::BAD_REQUEST => "Not so",
        _ => "Not now",
    };
    let page = arena_site::message_page(Site { name: &name, live: true }, title, &harmless(&problem.message));
    let (status, after) = (problem.status, problem.retry_after);
    let mut response = of_kind(&HeaderMap::new(), page, HTML);
    *response.status_mut() = status;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(seconds) = after {
        response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    response
}

const HTML: &str = "text/html; charset=utf-8";

/// A page, unless its reader has it.
fn answer(headers: &HeaderMap, page: String) -> Response {
    of_kind(headers, page, HTML)
}

/// The same of any kind.
fn of_kind(headers: &HeaderMap, text: String, kind: &'static str) -> Response {
    let tag = format!("\"{}\"", &Sha256Hex::of(text.as_bytes()).to_string()[..32]);
    let mut response = match api::standings::has(headers, &tag) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => ([(header::CONTENT_TYPE, kind)], text).into_response(),
    };
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}
