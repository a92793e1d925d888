//! Who asks, and by what right.
//!
//! Owns the reading of tokens and of addresses. Refuses a token that it does not know, even where none is
//! needed: whoever sends one should hear that it is good for nothing.

use std::net::{IpAddr, SocketAddr};

use arena_core::Sha256Hex;
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};

use crate::tokens;
use crate::web::guard;
use crate::web::problem::Problem;
use crate::web::state::State;

/// Somebody who asks.
pub(in crate::web) struct Asker {
    pub(in crate::web) address: IpAddr,
    /// The author that the token belongs to, if there is a token.
    pub(in crate::web) author: Option<String>,
}

/// Somebody with a token.
pub(super) struct Author {
    pub(super) name: String,
    pub(super) address: IpAddr,
}

impl FromRequestParts<State> for Asker {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Asker, Problem> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().ok_or_else(Problem::broken)?.0.ip();
        let address = guard::address(state, peer, &parts.headers);
        let Some(header) = parts.headers.get(header::AUTHORIZATION) else {
            return Ok(Asker { address, author: None });
        };
        let unknown = |why: &str| Problem::new(StatusCode::UNAUTHORIZED, "bad-token", why);
        let token = header.to_str().ok().and_then(|value| value.split_once(' '));
        let token = token.filter(|(scheme, token)| scheme.eq_ignore_ascii_case("bearer") && tokens::is_one(token));
        let (_, token) = token.ok_or_else(|| unknown("this is no token: write `Authorization: Bearer farkle_…`"))?;
        let hash = Sha256Hex::of(token.as_bytes()).0;
        let author = state.read(move |_, store| Ok(store.author_of(hash)?)).await?;
        let author = author.ok_or_else(|| unknown("nobody has this token, or it was replaced or revoked"))?;
        Ok(Asker { address, author: Some(author) })
    }
}

impl FromRequestParts<State> for Author {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Author, Problem> {
        let Asker { address, author } = Asker::from_request_parts(parts, state).await?;
        let needed = || {
            let how =
                "this takes the token of an author, as `Authorization: Bearer farkle_…`; the organiser gives them";
            Problem::new(StatusCode::UNAUTHORIZED, "no-token", how)
        };
        Ok(Author { name: author.ok_or_else(needed)?, address })
    }
}
