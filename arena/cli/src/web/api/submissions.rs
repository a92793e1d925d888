//! `/api/submissions`: components that authors send, and what came of them.
//!
//! Owns the way of a component from the network into the file: bounded while it comes, stored before it is
//! said to be. Refuses to show anybody another author's.

use std::pin::Pin;
use std::time::Duration;

use arena_host::COMPONENT_BYTES;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Path, State as Shared};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::Response;
use hyper::body::Frame;
use serde_json::{Value, json};

use super::asker::Author;
use super::query::Query;
use crate::store::{By, Door, Received, Store, Unwelcome, Upload, Uploaded};
use crate::web::problem::{Problem, in_json};
use crate::web::state::State;
use crate::{agents, failure::Failure};

/// What may wait to be checked.
const DOOR: Door = Door { of_author: 4, in_all: 400 };
/// How long the rest of a component that is too large is listened to.
const LINGERING: Duration = Duration::from_secs(2);
/// Submissions that are listed.
const LISTED: u64 = 100;

pub(super) async fn submit(
    Shared(state): Shared<State>,
    author: Author,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    let author = author.name;
    // Before anything is taken in.
    let name = match may_send(&state, &author, &uri, &headers).await {
        Ok(name) => name,
        Err(problem) => {
            // What is too large by its own word is not waited for.
            let patience = if problem.status == StatusCode::PAYLOAD_TOO_LARGE { LINGERING } else { Duration::MAX };
            let _ = tokio::time::timeout(patience, listen_to_the_end(&headers, body)).await;
            return Err(problem);
        }
    };
    let received = {
        let Ok(_slot) = state.uploads.acquire().await else { return Err(Problem::broken()) };
        let bytes = read(body).await?;
        state
            .with_store(move |_, store| {
                let upload = Upload { author: &author, name: &name, bytes: &bytes };
                match store.receive(&upload, DOOR)? {
                    Uploaded::Stored(received) => Ok(received),
                    Uploaded::AuthorWaits(waiting) => Err(Problem::too_often(
                        format!("{waiting} submissions of {author} wait to be checked: submit more when they are"),
                        10,
                    )),
                    Uploaded::AllWait(waiting) => {
                        Err(Problem::busy(format!("{waiting} submissions wait to be checked: try again later")))
                    }
                }
            })
            .await?
    };
    state.submitted.notify_one();
    let mut response = in_json(StatusCode::ACCEPTED, &format!("{}\n", told(&received)));
    let place = HeaderValue::from_str(&format!("/api/submissions/{}", received.id));
    response.headers_mut().insert(header::LOCATION, place.map_err(|_| Problem::broken())?);
    Ok(response)
}

/// The name under which an author may send a component.
async fn may_send(state: &State, author: &str, uri: &Uri, headers: &HeaderMap) -> Result<String, Problem> {
    let query = Query::read(uri, &["name"])?;
    let name =
        query.text("name").ok_or_else(|| Problem::bad_value("`name` is missing: what the agent is to be called"))?;
    agents::check_name(name).map_err(|refused| Problem::bad_value(refused.to_string()))?;
    check_headers(headers)?;
    state.limits.submission(author)?;
    let (wanted, by) = (name.to_owned(), author.to_owned());
    state.read(move |state, store| welcome(state, store, &wanted, &by)).await?;
    Ok(name.to_owned())
}

/// Lets a client that sends without asking say all that it has: most of them, browsers too, read no answer
/// before they have sent everything, and take a connection that is closed meanwhile for a server that is gone.
async fn listen_to_the_end(headers: &HeaderMap, mut body: Body) {
    let mut sent = 0;
    while !headers.contains_key(header::EXPECT)
        && sent <= 2 * COMPONENT_BYTES
        && let Some(Ok(frame)) = next_frame(&mut body).await
    {
        sent += frame.data_ref().map_or(0, Bytes::len);
    }
}

pub(super) async fn list(Shared(state): Shared<State>, author: Author, uri: Uri) -> Result<Response, Problem> {
    Query::read(&uri, &[])?;
    let of = author.name.clone();
    let own = state.read(move |_, store| Ok(store.submissions_of(&of, LISTED)?)).await?;
    Ok(super::answer(&json!({"author": author.name, "submissions": own.iter().map(told).collect::<Vec<Value>>()})))
}

pub(super) async fn get(
    Shared(state): Shared<State>,
    Path(text): Path<String>,
    author: Author,
    uri: Uri,
) -> Result<Response, Problem> {
    Query::read(&uri, &[])?;
    let id = super::number(&text, "submission")?;
    let of = author.name.clone();
    let found = state.read(move |_, store| Ok(store.submission_of(&of, id)?)).await?;
    let found = found.ok_or_else(|| Problem::unknown(format!("{} has no submission {id}", author.name)))?;
    Ok(super::answer(&told(&found)))
}

/// A submission, as its author sees it.
fn told(received: &Received) -> Value {
    let report: Option<Value> = received.report.as_deref().and_then(|report| serde_json::from_str(report).ok());
    json!({"id": received.id, "name": received.name, "sha256": received.sha256, "bytes": received.size,
           "received": received.received, "state": received.state.name(), "message": received.message,
           "report": report})
}

/// Refuses a name that is somebody else's, and more agents than an author may have.
fn welcome(state: &State, store: &Store, name: &str, author: &str) -> Result<(), Problem> {
    let refused = |code: &'static str| {
        move |failure: Failure| match failure {
            Failure::Usage(why) if why.is::<Unwelcome>() => {
                Problem::new(StatusCode::CONFLICT, code, format!("{why:#}"))
            }
            other => other.into(),
        }
    };
    store.check_owner(name, By::Author(author)).map_err(refused("name-taken"))?;
    store.check_share(author, name, state.agents_of_author).map_err(refused("too-many-agents"))
}

fn check_headers(headers: &HeaderMap) -> Result<(), Problem> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.eq_ignore_ascii_case("application/wasm") {
        let message = format!("the body is `{kind}`: a component is sent as `Content-Type: application/wasm`");
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "wrong-type", message));
    }
    if headers.contains_key(header::CONTENT_ENCODING) {
        let message = "a component is sent as it is, without Content-Encoding";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "wrong-type", message));
    }
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    match announced.and_then(|length| length.parse::<u64>().ok()) {
        Some(length) if length > COMPONENT_BYTES as u64 => Err(too_large()),
        _ => Ok(()),
    }
}

fn too_large() -> Problem {
    let message = format!("components have at most {COMPONENT_BYTES} bytes");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", message)
}

async fn next_frame(body: &mut Body) -> Option<Result<Frame<Bytes>, axum::Error>> {
    std::future::poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await
}

/// A body, up to what a component may have.
async fn read(mut body: Body) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    while let Some(frame) = next_frame(&mut body).await {
        let broken =
            |_| Problem::new(StatusCode::BAD_REQUEST, "broken-upload", "the upload broke off: nothing was stored");
        let Ok(data) = frame.map_err(broken)?.into_data() else { continue };
        if bytes.len() + data.len() > COMPONENT_BYTES {
            return Err(too_large());
        }
        bytes.extend_from_slice(&data);
    }
    match bytes.is_empty() {
        true => Err(Problem::bad_value("the body is empty: it is to be a component")),
        false => Ok(bytes),
    }
}
