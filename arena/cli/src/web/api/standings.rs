//! `GET /api/standings`: what `arena standings --format json` prints, from memory.

use axum::extract::State as Shared;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use super::query::Query;
use crate::web::problem::{Problem, in_json};
use crate::web::state::State;

pub(super) async fn get(Shared(state): Shared<State>, uri: Uri, headers: HeaderMap) -> Result<Response, Problem> {
    Query::read(&uri, &[])?;
    let snapshot = state.standings()?;
    let mut response = match has(&headers, &snapshot.etag) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => in_json(StatusCode::OK, &snapshot.standings),
    };
    let headers = response.headers_mut();
    headers.insert(header::ETAG, HeaderValue::from_str(&snapshot.etag).map_err(|_| Problem::broken())?);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Ok(response)
}

/// Whether who asks has this very version already.
pub(in crate::web) fn has(headers: &HeaderMap, etag: &str) -> bool {
    let known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    known
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|tag| tag == "*" || tag.trim_start_matches("W/") == etag)
}
