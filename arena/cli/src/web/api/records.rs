//! `GET /api/matches/{number}` and its logs: a match, played again.
//!
//! Owns who is told what of it. Messages of faults and what agents noted are their authors' alone; a
//! record's hash covers neither.

use axum::extract::{Path, State as Shared};
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::Response;
use serde_json::{Value, json};

use super::asker::{Asker, Author};
use super::query::Query;
use crate::store::Entry;
use crate::web::problem::Problem;
use crate::web::replays::{self, Replay};
use crate::web::state::State;

pub(super) async fn get(
    Shared(state): Shared<State>,
    Path(text): Path<String>,
    asker: Asker,
    uri: Uri,
) -> Result<Response, Problem> {
    Query::read(&uri, &[])?;
    let number = super::number(&text, "match")?;
    let replay = replays::of(&state, asker.address, number).await?;
    let snapshot = state.now();
    let seats = seats_of(asker.author.as_deref(), &replay, &snapshot.entries);
    let mut response = super::answer(&without_words(&replay, &seats));
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("authorization"));
    Ok(response)
}

/// What own agents noted.
pub(super) async fn logs(
    Shared(state): Shared<State>,
    Path(text): Path<String>,
    author: Author,
    uri: Uri,
) -> Result<Response, Problem> {
    Query::read(&uri, &[])?;
    let number = super::number(&text, "match")?;
    let replay = replays::of(&state, author.address, number).await?;
    let snapshot = state.now();
    let seats = seats_of(Some(&author.name), &replay, &snapshot.entries);
    if seats.is_empty() {
        let message = format!("no agent of {} plays in match {number}", author.name);
        return Err(Problem::new(StatusCode::FORBIDDEN, "not-yours", message));
    }
    let own = replay.notes.iter().filter(|(seat, ..)| seats.contains(seat));
    let notes: Vec<Value> =
        own.map(|(seat, event, lines)| json!({"seat": seat, "event": event, "lines": lines})).collect();
    Ok(super::answer(&json!({"match": number, "seats": seats, "notes": notes})))
}

/// The seats of an author's agents.
pub(super) fn seats_of(author: Option<&str>, replay: &Replay, entries: &[Entry]) -> Vec<u8> {
    let Some(author) = author else { return Vec::new() };
    let is_own = |agent: usize| entries.get(agent).is_some_and(|entry| entry.author.as_deref() == Some(author));
    (0u8..).zip(&replay.agents).filter(|(_, agent)| is_own(**agent)).map(|(seat, _)| seat).collect()
}

/// The record, without what only authors of other seats should read.
fn without_words(replay: &Replay, own: &[u8]) -> Value {
    let mut record: Value = serde_json::from_str(&replay.record.to_json()).unwrap_or_default();
    let is_own =
        |value: &Value| value["seat"].as_u64().is_some_and(|seat| own.iter().any(|own| u64::from(*own) == seat));
    for event in record["events"].as_array_mut().into_iter().flatten() {
        if !is_own(event) && event["fault"].is_object() {
            event["fault"]["message"] = "".into();
        }
    }
    for fault in record["result"]["faults"].as_array_mut().into_iter().flatten() {
        if !is_own(fault) {
            fault["message"] = "".into();
        }
    }
    record
}
