//! `GET /api/matches`: stored matches, as `arena matches --format json` lists them.

use arena_core::schedule::Planned;
use axum::extract::State as Shared;
use axum::http::Uri;
use axum::response::Response;
use serde_json::{Value, json};

use super::asker::Asker;
use super::query::Query;
use crate::commands::matches;
use crate::failure::Failure;
use crate::store::{Store, StoredMatch};
use crate::web::problem::Problem;
use crate::web::state::State;

/// Rows that one answer looks at, at most.
const LOOKED_AT: u64 = 100_000;

/// Which matches are wanted.
pub(super) struct Wanted {
    pub(super) agent: Option<String>,
    pub(super) against: Option<String>,
    pub(super) faults: bool,
    pub(super) from: u64,
    pub(super) limit: usize,
}

pub(super) async fn get(Shared(state): Shared<State>, asker: Asker, uri: Uri) -> Result<Response, Problem> {
    let query = Query::read(&uri, &["agent", "against", "faults", "from", "limit"])?;
    let wanted = Wanted {
        agent: named(&state, &query, "agent")?,
        against: named(&state, &query, "against")?,
        faults: query.is("faults")?,
        from: query.number("from", 1..=i64::MAX as u64, 1)?,
        limit: query.number("limit", 1..=1_000, 50)?,
    };
    state.limits.costly(asker.address)?;
    let found = state.read(move |_, store| Ok(find(store, &wanted)?)).await?;
    Ok(super::answer(&found))
}

/// The agent that a field names.
fn named(state: &State, query: &Query, field: &str) -> Result<Option<String>, Problem> {
    let Some(name) = query.text(field) else { return Ok(None) };
    let snapshot = state.now();
    let names = || snapshot.entries.iter().map(|entry| entry.name.as_str());
    if names().any(|known| known == name) {
        return Ok(Some(name.to_owned()));
    }
    let guess = arena_core::nearest(name, names()).map_or(String::new(), |guess| format!(" (did you mean `{guess}`?)"));
    Err(Problem::bad_value(format!("`{field}` is `{name}`: no agent has that name{guess}; /api/agents lists them")))
}

fn find(store: &Store, wanted: &Wanted) -> Result<Value, Failure> {
    let (entries, planned) = (store.entries()?, store.planned()?);
    let Wanted { faults, from, limit, .. } = *wanted;
    let of = Part { faults, from, limit };
    let (rows, next) = go_through(store, &planned, &of, |stored| {
        let pair = planned[stored.block].encounter_of(stored.number).expect("it is a match of its block").pair;
        matches::is_between(stored, &entries, [&wanted.agent, &wanted.against])
            .then(|| matches::in_json(stored, pair, &entries))
    })?;
    Ok(json!({"matches": rows, "next": next}))
}

/// A part of all stored matches.
pub(in crate::web) struct Part {
    /// Only those with a fault.
    pub(in crate::web) faults: bool,
    /// From this number on.
    pub(in crate::web) from: u64,
    /// So many rows.
    pub(in crate::web) limit: usize,
}

/// Rows of those matches that have one, and the number to go on with, if there may be more.
pub(in crate::web) fn go_through<T>(
    store: &Store,
    planned: &[Planned],
    part: &Part,
    row: impl Fn(&StoredMatch) -> Option<T>,
) -> Result<(Vec<T>, Option<u64>), Failure> {
    let (mut rows, mut next, mut looked_at) = (Vec::new(), None, 0);
    let take = |stored: StoredMatch| {
        if rows.len() == part.limit || looked_at == LOOKED_AT {
            next = Some(stored.number);
            return Ok(false);
        }
        looked_at += 1;
        rows.extend(row(&stored));
        Ok(true)
    };
    match part.faults {
        true => store.each_faulty_match(planned, part.from, take)?,
        false => store.each_match(planned, part.from, take)?,
    }
    Ok((rows, next))
}
