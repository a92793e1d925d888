//! `GET /api/matches/{number}` and its logs: a match, played again.
//!
//! Owns who is told what of it. Messages of faults and what agents noted are their authors' alone; a
//! record's hash covers neither.

use arena_core::{Record, What};
use axum::extract::{Path, State as Shared};
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::Response;
use serde_json::{Value, json};

use super::asker::{Asker, Author};
use super::query::Query;
use crate::store::Entry;
use crate::web::problem::{Problem, in_json};
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
    let replay = replays::of(&state, asker.address, asker.author.is_some(), number).await?;
    let snapshot = state.now();
    let seats = seats_of(asker.author.as_deref(), &replay, &snapshot.entries);
    let record = without_words(&replay.record, &seats).to_json();
    let mut response = in_json(StatusCode::OK, &record);
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
    let replay = replays::of(&state, author.address, true, number).await?;
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
fn without_words(record: &Record, own: &[u8]) -> Record {
    let mut record = record.clone();
    for event in &mut record.events {
        if let What::Faulted { fault, .. } = &mut event.what
            && !own.contains(&event.seat)
        {
            fault.message.clear();
        }
    }
    for fault in record.result.faults.iter_mut().filter(|fault| !own.contains(&fault.seat)) {
        fault.message.clear();
    }
    record
}
