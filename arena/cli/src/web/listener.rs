//! Who connects, and how long anybody may take.
//!
//! Owns connections and their bounds. Refuses to wait for who does not send, read or leave.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request, StatusCode};
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tower::ServiceExt as _;

use super::problem::Problem;
use super::state::State;
use super::{LAST_WORDS, guard};

/// Connections at one time. Further ones wait with the operating system.
const CONNECTIONS: usize = 512;
/// Of these, those of one address: one alone cannot take all. Behind a proxy every address is the proxy's.
const OF_ONE_ADDRESS: usize = 256;
/// How long a connection lasts, whatever it is used for.
const LIFETIME: Duration = Duration::from_secs(900);
/// How long the head of a request may take, or a connection may be silent.
const HEAD: Duration = Duration::from_secs(10);
/// How long a request may take, its body included.
const REQUEST: Duration = Duration::from_secs(60);
/// The same for one with a component.
const UPLOAD: Duration = Duration::from_secs(300);
/// The longest head of a request.
const HEAD_BYTES: usize = 16 << 10;
/// After a connection could not be taken, as where there are no more files.
const PAUSE: Duration = Duration::from_millis(200);

/// Takes connections until it is told to stop, and then lets requests that are being answered end.
pub(super) async fn listen(listener: TcpListener, state: State, router: Router, mut stopping: watch::Receiver<bool>) {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    let peers = Peers::default();
    let graceful = GracefulShutdown::new();
    loop {
        let next = async {
            let permit = room.clone().acquire_owned().await;
            (listener.accept().await, permit)
        };
        let next = tokio::select! {
            next = next => next,
            _ = stopping.wait_for(|stop| *stop) => break,
        };
        match next {
            (Ok((stream, peer)), Ok(permit)) => {
                // One too many is closed at once.
                if let Some(place) = peers.come(peer.ip(), state.behind_proxy) {
                    converse(stream, peer, &state, &router, &graceful, (permit, place));
                }
            }
            _ => tokio::time::sleep(PAUSE).await,
        }
    }
    drop(listener);
    let _ = tokio::time::timeout(LAST_WORDS, graceful.shutdown()).await;
}

/// Answers the requests of one connection, in a task of its own.
fn converse(
    stream: TcpStream,
    peer: SocketAddr,
    state: &State,
    router: &Router,
    graceful: &GracefulShutdown,
    held: (OwnedSemaphorePermit, Place),
) {
    let (state, router) = (state.clone(), router.clone());
    let service = service_fn(move |request| {
        let (state, router) = (state.clone(), router.clone());
        async move { Ok::<_, Infallible>(answer(&state, router, peer, request).await) }
    });
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        // Whoever breaks off a connection knows it.
        let _ = tokio::time::timeout(LIFETIME, connection).await;
        drop(held);
    });
}

/// Who is connected, and how often.
#[derive(Clone, Default)]
struct Peers(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// A connection of an address, as long as it is held.
struct Place {
    peers: Peers,
    address: IpAddr,
}

impl Peers {
    /// One connection more, if it may be.
    fn come(&self, address: IpAddr, any: bool) -> Option<Place> {
        let mut peers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let connected = peers.entry(address).or_default();
        if *connected >= OF_ONE_ADDRESS && !any {
            return None;
        }
        *connected += 1;
        Some(Place { peers: self.clone(), address })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut peers = self.peers.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(connected) = peers.get_mut(&self.address) {
            *connected -= 1;
            if *connected == 0 {
                peers.remove(&self.address);
            }
        }
    }
}

async fn answer(state: &State, router: Router, peer: SocketAddr, mut request: Request<Incoming>) -> Response {
    request.extensions_mut().insert(ConnectInfo(peer));
    let from = guard::address(state, peer.ip(), request.headers());
    let patience = if request.method() == Method::POST { UPLOAD } else { REQUEST };
    let mut response = match guard::admit(state, from, &request) {
        Err(problem) => problem.into_response(),
        Ok(()) => match tokio::time::timeout(patience, router.oneshot(request.map(Body::new))).await {
            Ok(Ok(response)) => response,
            Ok(Err(never)) => match never {},
            Err(_) => {
                let message = format!("this was not done within {} s", patience.as_secs());
                Problem::new(StatusCode::REQUEST_TIMEOUT, "too-slow", message).into_response()
            }
        },
    };
    guard::dress(&mut response);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_cannot_take_every_connection() {
        let (peers, one, other) = (Peers::default(), [10, 0, 0, 1].into(), [10, 0, 0, 2].into());
        let mut held: Vec<Place> = (0..OF_ONE_ADDRESS).map(|_| peers.come(one, false).unwrap()).collect();
        assert!(peers.come(one, false).is_none() && peers.come(other, false).is_some());
        assert!(peers.come(one, true).is_some(), "a proxy has as many as it likes");
        held.pop();
        assert!(peers.come(one, false).is_some());
        held.clear();
        assert!(peers.0.lock().unwrap().is_empty(), "nobody is remembered who has gone");
    }
}
