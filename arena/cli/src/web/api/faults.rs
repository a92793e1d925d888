//! `GET /api/faults`: what own agents did wrong, with what they said.

use axum::extract::State as Shared;
use axum::http::Uri;
use axum::response::Response;
use serde_json::{Value, json};

use super::asker::Author;
use super::query::Query;
use crate::failure::Failure;
use crate::harmless::shell_word;
use crate::store::{Store, StoredMatch};
use crate::web::problem::Problem;
use crate::web::replays;
use crate::web::state::State;

/// Matches with a fault that one answer looks at, at most.
const LOOKED_AT: u64 = 100_000;

pub(super) async fn get(Shared(state): Shared<State>, author: Author, uri: Uri) -> Result<Response, Problem> {
    let query = Query::read(&uri, &["from", "limit"])?;
    let from = query.number("from", 1..=i64::MAX as u64, 1)?;
    let limit = query.number("limit", 1..=20, 10)?;
    state.limits.costly(author.address)?;
    let name = author.name.clone();
    let (mut faults, next) = state.read(move |_, store| Ok(find(store, &name, from, limit)?)).await?;
    for fault in &mut faults {
        tell_message(&state, &author, fault).await?;
    }
    Ok(super::answer(&json!({"faults": faults, "next": next})))
}

/// The faults of an author's agents, and the match to look at next.
fn find(store: &Store, author: &str, from: u64, limit: usize) -> Result<(Vec<Value>, Option<u64>), Failure> {
    let (entries, planned) = (store.entries()?, store.planned()?);
    let (mut faults, mut next, mut looked_at) = (Vec::new(), None, 0);
    store.each_faulty_match(&planned, from, |stored: StoredMatch| {
        if faults.len() >= limit || looked_at == LOOKED_AT {
            next = Some(stored.number);
            return Ok(false);
        }
        looked_at += 1;
        for (seat, kind) in &stored.outcome.faults {
            let entry = &entries[stored.outcome.agents[usize::from(*seat)]];
            if entry.author.as_deref() == Some(author) {
                faults.push(json!({
                    "match": stored.number, "seat": seat, "agent": entry.name, "version": entry.version,
                    "kind": kind.name(),
                }));
            }
        }
        Ok(true)
    })?;
    Ok((faults, next))
}

/// Adds what the agent said, for which its match is played again, and how to see it.
async fn tell_message(state: &State, author: &Author, fault: &mut Value) -> Result<(), Problem> {
    let number = fault["match"].as_u64().unwrap_or_default();
    let replay = replays::of(state, author.address, true, number).await?;
    let of_seat = replay.record.result.faults.iter().find(|told| fault["seat"] == u64::from(told.seat));
    fault["message"] = of_seat.map(|told| told.message.as_str()).into();
    fault["command"] = format!("arena show {} {number}", shell_word(&state.file_name())).into();
    Ok(())
}
