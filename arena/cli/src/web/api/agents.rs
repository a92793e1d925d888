//! `GET /api/agents`: everybody who takes part or did.

use axum::extract::State as Shared;
use axum::http::Uri;
use axum::response::Response;
use serde_json::{Value, json};

use super::query::Query;
use crate::store::Entry;
use crate::web::problem::Problem;
use crate::web::state::State;

pub(super) async fn get(Shared(state): Shared<State>, uri: Uri) -> Result<Response, Problem> {
    Query::read(&uri, &[])?;
    let agents: Vec<Value> = state.now().entries.iter().map(in_json).collect();
    Ok(super::answer(&json!({ "agents": agents })))
}

fn in_json(entry: &Entry) -> Value {
    json!({"name": entry.name, "version": entry.version, "author": entry.author, "claim": entry.claim,
           "sha256": entry.sha256, "fresh_from": entry.fresh_from, "withdrawn": entry.withdrawn,
           "suspended": entry.suspended})
}
