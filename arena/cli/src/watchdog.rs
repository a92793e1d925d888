//! The watchdog: counts seconds for the sandbox.
//!
//! Owns the clock that may stop a match, and never decides one: what it stops is void. Refuses to count
//! seconds in which this process did not run: after a pause, time goes on with the next second.

use std::time::Duration;

use arena_host::Sandbox;

use crate::failure::Failure;
use crate::harmless::harmless;

/// Microseconds that the watchdog takes for a second: for seeing what it does without waiting for it.
const HURRY: &str = "ARENA_WATCHDOG_HURRY";

/// Ticks for as long as this process lives.
///
/// # Errors
///
/// When what is asked for is no number of microseconds, or there is no thread to be had.
pub(crate) fn watch(sandbox: &Sandbox) -> Result<(), Failure> {
    let second = match std::env::var(HURRY) {
        Err(_) => Duration::from_secs(1),
        Ok(asked) => asked.parse().ok().filter(|microseconds| (1..=1_000_000).contains(microseconds)).map_or_else(
            || Err(Failure::usage(format!("{HURRY} takes 1 to 1000000 microseconds, not `{}`", harmless(&asked)))),
            |microseconds| Ok(Duration::from_micros(microseconds)),
        )?,
    };
    let clock = sandbox.clock();
    let ticking = std::thread::Builder::new().spawn(move || {
        loop {
            std::thread::sleep(second);
            clock.tick();
        }
    });
    ticking.map(drop).map_err(|error| Failure::failed(format!("the watchdog does not start: {error}")))
}
