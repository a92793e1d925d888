//! Why a request is not answered as it was asked to be.
//!
//! Owns the one shape of all errors of the API. Refuses to tell the world where files lie: what is wrong
//! with them goes to the standard error stream.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::failure::Failure;
use crate::harmless::{harmless, harmless_json};
use crate::output;
use crate::store::NoRoom;

/// An error, as it is told.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    /// For programs.
    pub(crate) code: &'static str,
    /// For people.
    pub(crate) message: String,
    /// In seconds.
    pub(crate) retry_after: Option<u64>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Problem {
        Problem { status, code, message: message.into(), retry_after: None }
    }

    /// A value that is not allowed.
    pub(crate) fn bad_value(message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, "bad-value", message)
    }

    /// Something that there is not.
    pub(crate) fn unknown(message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "not-found", message)
    }

    /// Too many requests, for now.
    pub(crate) fn too_often(message: impl Into<String>, seconds: u64) -> Problem {
        let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many-requests", message);
        Problem { retry_after: Some(seconds), ..problem }
    }

    /// More than the server does at one time.
    pub(crate) fn busy(message: impl Into<String>) -> Problem {
        let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message);
        Problem { retry_after: Some(5), ..problem }
    }

    /// What came of a thread that broke down.
    pub(crate) fn broken() -> Problem {
        let message = "the arena broke down over this request; this is a fault of the arena";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", message)
    }
}

/// What went wrong with the file is the organiser's to know.
impl From<Failure> for Problem {
    fn from(failure: Failure) -> Problem {
        output::tell(&format!("arena: {failure}"));
        let no_room = matches!(&failure, Failure::Failed(error) if error.is::<NoRoom>());
        match no_room {
            true => Problem::new(
                StatusCode::INSUFFICIENT_STORAGE,
                "no-room",
                "the arena's disk is full, or fails: what was stored stays, and this was not stored; try again later",
            ),
            false => Problem::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "failed",
                "the tournament file cannot be worked with at the moment; the organiser was told why",
            ),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = json!({"error": {"code": self.code, "message": harmless(&self.message)}});
        let mut response = in_json(self.status, &format!("{body}\n"));
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// An answer of JSON, in which strangers' text commands nothing.
pub(crate) fn in_json(status: StatusCode, json: &str) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (status, kind, harmless_json(json)).into_response()
}
