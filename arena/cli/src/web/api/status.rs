//! `GET /api/status`: what is served, and how far it is.

use axum::extract::State as Shared;
use axum::http::Uri;
use axum::response::Response;
use serde_json::{Value, json};

use super::query::Query;
use crate::store::Entry;
use crate::web::problem::Problem;
use crate::web::state::State;
use arena_host::{COMPONENT_BYTES, Sandbox, Wasi};

pub(super) async fn get(Shared(state): Shared<State>, uri: Uri) -> Result<Response, Problem> {
    Query::read(&uri, &[])?;
    let (snapshot, settings) = (state.now(), &state.settings);
    let (entries, playing) = (&snapshot.entries, state.playing.borrow().clone());
    let unread = state.unread.borrow().clone();
    let commitment = |(first_pair, commitment): &(u64, arena_core::Sha256Hex)| json!({"first_pair": first_pair, "commitment": commitment.to_string()});
    Ok(super::answer(&json!({
        "format": 1,
        "name": state.file_name(),
        "engine": Sandbox::id(settings.wasi),
        "ruleset": settings.ruleset.name,
        "play": settings.play,
        "seats": settings.seats,
        "pairs": settings.pairs,
        "limits": settings.limits,
        "wasi": settings.wasi != Wasi::None,
        "component_bytes": COMPONENT_BYTES,
        "commitments": snapshot.commitments.iter().map(commitment).collect::<Vec<Value>>(),
        "agents": entries.iter().filter(|entry: &&Entry| !entry.withdrawn).count(),
        "matches": {"played": snapshot.played, "left": snapshot.left, "per_second": snapshot.rate.round()},
        "waiting": snapshot.waiting,
        "playing": {"state": playing.name(), "message": playing.message()},
        "unread": unread.map(|why| state.in_public(&why)),
    })))
}
