//! What every request has to pass, and what every answer carries.
//!
//! Owns whose address a request has, by which names the server may be reached, and the headers that bind
//! browsers. Refuses requests by other names: a page of somebody else could make a browser send them here
//! (DNS rebinding).

use std::net::{IpAddr, SocketAddr};

use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Request, StatusCode, header};
use axum::response::Response;

use super::problem::Problem;
use super::state::State;
use crate::args::ServeArgs;

/// For every answer.
const HEADERS: [(HeaderName, &str); 5] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// By which names the server may be reached.
pub(crate) enum Names {
    /// By any, where anybody can reach it anyway.
    Any,
    /// By these, in lower case, with any port.
    These(Vec<String>),
}

impl Names {
    pub(crate) fn new(args: &ServeArgs) -> Names {
        let address = args.bind.ip();
        if !address.is_loopback() && args.host.is_empty() {
            return Names::Any;
        }
        let bound = SocketAddr::new(address, 0).to_string();
        let bound = bound.trim_end_matches(":0").to_owned();
        let own = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned);
        let given = args.host.iter().map(|name| name.to_ascii_lowercase());
        Names::These(own.into_iter().chain([bound]).chain(given).collect())
    }

    fn allow(&self, authority: &str) -> bool {
        let Names::These(names) = self else { return true };
        let Ok(authority) = authority.parse::<Authority>() else { return false };
        !authority.as_str().contains('@') && names.contains(&authority.host().to_ascii_lowercase())
    }
}

/// Lets a request in, from this address.
pub(super) fn admit<B>(state: &State, from: IpAddr, request: &Request<B>) -> Result<(), Problem> {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let of_target = request.uri().authority().map(Authority::as_str);
    if !state.names.allow(host) || of_target.is_some_and(|authority| !state.names.allow(authority)) {
        return Err(Problem::new(
            StatusCode::MISDIRECTED_REQUEST,
            "wrong-host",
            "this arena is not reached by that name: `arena serve --host NAME` allows one",
        ));
    }
    state.limits.request(from)
}

/// Who asks: the other end of the connection, or whom the one proxy before the server names last.
pub(super) fn address(state: &State, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    if !state.behind_proxy {
        return peer;
    }
    let last = headers.get_all("x-forwarded-for").iter().next_back().and_then(|value| value.to_str().ok());
    let last = last.and_then(|value| value.rsplit(',').next()).and_then(|value| value.trim().parse().ok());
    last.unwrap_or(peer)
}

/// Adds what browsers must know.
pub(super) fn dress(response: &mut Response) {
    let headers = response.headers_mut();
    for (name, value) in &HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::DiceFor;

    fn names(bind: &str, host: &[&str]) -> Names {
        let (bind, host) = (bind.parse().unwrap(), host.iter().map(|host| (*host).to_owned()).collect());
        let file = std::path::PathBuf::from("t.db");
        let new_dice_for = DiceFor::Everybody;
        Names::new(&ServeArgs {
            file,
            bind,
            host,
            jobs: 1,
            no_play: false,
            agents: 1,
            new_dice_for,
            behind_proxy: false,
        })
    }

    #[test]
    fn on_loopback_only_its_own_names_are_answered() {
        let own = names("127.0.0.1:8080", &[]);
        for good in ["localhost", "LocalHost:8080", "127.0.0.1:9", "[::1]:8080"] {
            assert!(own.allow(good), "{good}");
        }
        for bad in
            ["", "evil.example", "localhost.evil.example", "evil.example:8080", "a@localhost", "127.0.0.1.x", "::1"]
        {
            assert!(!own.allow(bad), "{bad}");
        }
        assert!(names("127.0.0.2:80", &[]).allow("127.0.0.2"));
        let named = names("[::1]:80", &["Arena.Example"]);
        assert!(named.allow("arena.example:443") && named.allow("[::1]") && !named.allow("other.example"));
    }

    #[test]
    fn elsewhere_a_name_is_asked_for_where_one_is_given() {
        assert!(names("0.0.0.0:80", &[]).allow("anything"));
        let named = names("0.0.0.0:80", &["arena.example"]);
        assert!(named.allow("arena.example") && !named.allow("anything"));
    }
}
