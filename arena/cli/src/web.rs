//! A tournament on the web: standings and matches for everybody, submissions of authors.
//!
//! Owns the order in which a server's parts begin and end: the snapshot that readers get, the desk that
//! checks what is submitted, the player, and the listener. Refuses to compute anything of its own: what it
//! shows is what the commands print.

mod api;
mod desk;
mod examiner;
mod guard;
mod limits;
mod listener;
mod pages;
mod player;
mod problem;
mod replays;
mod snapshot;
mod state;

use std::task::Poll;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;
use tokio::sync::watch;

pub(crate) use self::examiner::run as examine_here;
use self::player::Player;
use self::state::{Shared, State};
use crate::args::ServeArgs;
use crate::failure::Failure;
use crate::output;
use crate::runner::stop_signal;

/// The niceness of threads that give way, from 0 to 19.
#[cfg(target_os = "linux")]
const COURTESY: i32 = 10;
/// How long a stop waits: for requests that are being answered, and again for what is being stored.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// Serves a tournament file until somebody stops it.
pub(crate) fn run(args: &ServeArgs) -> Result<(), Failure> {
    let (state, watching) = Shared::open(args)?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).on_thread_start(give_way).enable_all().build();
    let runtime = runtime.map_err(|error| Failure::failed(format!("the runtime does not start: {error}")))?;
    let served = runtime.block_on(serve(args, state, watching));
    // What readers of the file still do is of no use to anybody.
    runtime.shutdown_timeout(Duration::from_secs(1));
    served
}

async fn serve(args: &ServeArgs, state: State, watching: state::Watching) -> Result<(), Failure> {
    let unbound = |error: std::io::Error| Failure::usage(format!("{} cannot be listened on: {error}", args.bind));
    let listener = TcpListener::bind(args.bind).await.map_err(unbound)?;
    let address = listener.local_addr().map_err(unbound)?;
    let (stop, stopping) = watch::channel(false);
    let player = Player::start(args, &state, watching.playing)?;
    let snapshot = snapshot::keep(&state, watching.snapshot, player.bell(), stopping.clone())?;
    let desk = tokio::spawn(desk::work(state.clone(), player.bell(), stopping.clone()));
    limits::tidy(&state);
    pages::solve(&state)?;
    let mut asked_to_stop = Box::pin(stop_signal());
    // From the first look on, signals end nothing but this. Whoever reads the line may send one.
    std::future::poll_fn(|context| Poll::Ready(asked_to_stop.as_mut().poll(context).is_ready())).await;
    tell(args, &address)?;
    tokio::spawn(async move {
        asked_to_stop.await;
        let _ = stop.send(true);
    });
    listener::listen(listener, state.clone(), router(&state), stopping).await;
    player.stop().await;
    let _ = tokio::time::timeout(LAST_WORDS, desk).await;
    // Whoever closes the file last tidies up beside it.
    let _ = tokio::time::timeout(LAST_WORDS, snapshot).await;
    let unread = state.unread.borrow().clone();
    output::tell(&match unread {
        None => "arena: stopped: what was played and submitted is stored".to_owned(),
        Some(why) => format!("arena: stopped: {why}"),
    });
    Ok(())
}

/// Makes the calling thread give way to those who play: readers take what these leave. On Linux alone a thread
/// has a priority of its own.
fn give_way() {
    #[cfg(target_os = "linux")]
    {
        // Where it is not allowed, nothing is lost but that.
        let _ = rustix::process::setpriority_process(None, COURTESY);
    }
}

/// Everything that is served, and what is said to those who go astray.
fn router(state: &State) -> Router {
    let router = Router::new().merge(api::router()).merge(pages::router());
    router.fallback(pages::nowhere).method_not_allowed_fallback(api::not_so).with_state(state.clone())
}

/// Where it is served, in one line that a script can read.
fn tell(args: &ServeArgs, address: &std::net::SocketAddr) -> Result<(), Failure> {
    if !address.ip().is_loopback() {
        output::tell(
            "arena: note: others on the network can reach this, and tokens travel unencrypted: put a proxy with TLS \
             before it (docs/web.md)",
        );
    }
    output::print(&format!("{} at http://{address}/\n", args.file.display()))
}
