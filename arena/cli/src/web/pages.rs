//! Pages for people.
//!
//! Owns what is served outside of `/api`. Refuses to know anything that the API does not tell: it shows
//! the same snapshot.

use axum::Router;

use super::state::State;

/// The routes of the pages: none yet.
pub(super) fn router() -> Router<State> {
    Router::new()
}
