//! The API: JSON for programs, under `/api`.
//!
//! Owns the table of its routes, which `openapi.json` describes one by one. Refuses fields of a query that
//! it does not know, and values that it would have to guess at.

mod agents;
pub(super) mod asker;
mod faults;
pub(super) mod matches;
pub(super) mod query;
mod records;
pub(super) mod standings;
mod status;
mod submissions;

use axum::Router;
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};

use super::problem::{Problem, in_json};
use super::state::State;

/// What the API is, for programs: OpenAPI 3.1.
const OPENAPI: &str = include_str!("openapi.json");

/// All of it: path, methods, and who answers.
fn routes() -> Vec<(&'static str, &'static [&'static str], MethodRouter<State>)> {
    vec![
        ("/api/openapi.json", &["get"], get(openapi)),
        ("/api/status", &["get"], get(status::get)),
        ("/api/standings", &["get"], get(standings::get)),
        ("/api/agents", &["get"], get(agents::get)),
        ("/api/matches", &["get"], get(matches::get)),
        ("/api/matches/{number}", &["get"], get(records::get)),
        ("/api/matches/{number}/logs", &["get"], get(records::logs)),
        ("/api/faults", &["get"], get(faults::get)),
        ("/api/submissions", &["get", "post"], get(submissions::list).merge(post(submissions::submit))),
        ("/api/submissions/{id}", &["get"], get(submissions::get)),
    ]
}

/// The routes.
pub(super) fn router() -> Router<State> {
    let routed = |router: Router<State>, (path, _, answer)| router.route(path, answer);
    routes().into_iter().fold(Router::new(), routed)
}

async fn openapi(uri: Uri) -> Result<Response, Problem> {
    query::Query::read(&uri, &[])?;
    Ok(([(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-cache")], OPENAPI).into_response())
}

/// What is said where there is nothing.
pub(super) async fn nowhere(uri: Uri) -> Problem {
    Problem::unknown(format!("there is nothing at {}; /api/openapi.json says what there is", uri.path()))
}

/// What is said where something takes no such method.
pub(super) async fn not_so(method: Method, uri: Uri) -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method-not-allowed",
        format!("{} takes no {method}; /api/openapi.json says what it takes", uri.path()),
    )
}

/// A good answer.
fn answer(value: &serde_json::Value) -> Response {
    in_json(StatusCode::OK, &format!("{value}\n"))
}

/// What a path must have where a number stands in it.
pub(super) fn number(text: &str, what: &str) -> Result<u64, Problem> {
    let number = text.parse().ok().filter(|number| (1..=i64::MAX as u64).contains(number));
    number.ok_or_else(|| Problem::unknown(format!("there is no {what} `{text}`: they are counted from 1")))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    /// Everything that is served is described, and nothing else.
    #[test]
    fn the_description_has_the_routes_that_there_are() {
        let description: Value = serde_json::from_str(super::OPENAPI).unwrap();
        let described: BTreeSet<(String, String)> = description["paths"]
            .as_object()
            .unwrap()
            .iter()
            .flat_map(|(path, item)| {
                let methods = item.as_object().unwrap().keys().filter(|key| *key != "parameters");
                methods.map(|method| (path.clone(), method.clone())).collect::<Vec<_>>()
            })
            .collect();
        let served: BTreeSet<(String, String)> = super::routes()
            .into_iter()
            .flat_map(|(path, methods, _)| methods.iter().map(move |method| (path.to_owned(), (*method).to_owned())))
            .collect();
        assert_eq!(described, served);
    }
}
