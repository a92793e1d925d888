//! How fast agents are played, and what a match's time goes to.
//!
//! Owns the measuring. Refuses to change what is measured: matches are those of a tournament, and go
//! through the same code.

pub(crate) mod figures;
pub(crate) mod meter;
pub(crate) mod native;
mod parts;
mod recording;
mod sample;
pub(crate) mod speed;
mod storing;

use crate::failure::Failure;
use crate::runner;

pub use self::storing::store_matches;

/// Works on a thread of its own, so that a signal ends the program at once and in order: whoever calls
/// still tidies up.
pub(crate) fn unless_stopped<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::failed(format!("the runtime does not start: {error}")))?;
    let (sender, done) = tokio::sync::oneshot::channel();
    let working = std::thread::Builder::new().spawn(move || drop(sender.send(work())));
    working.map_err(|error| Failure::failed(format!("a measuring thread does not start: {error}")))?;
    runtime.block_on(async {
        tokio::select! {
            () = runner::stop_signal() => Err(stopped()),
            done = done => done.unwrap_or_else(|_| {
                Err(Failure::failed("a measuring thread broke down; this is a fault of the arena, not of an agent"))
            }),
        }
    })
}

fn stopped() -> Failure {
    Failure::failed("stopped: there are no figures yet")
}
