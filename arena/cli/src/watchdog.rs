//! The watchdog: counts seconds for the sandbox.
//!
//! Owns the clock that may stop a match, and never decides one: what it stops is void. Refuses to count
//! seconds in which this process did not run: after a pause, time goes on with the next second.

use std::time::Duration;

use arena_host::Sandbox;

/// Ticks for as long as this process lives.
pub(crate) fn watch(sandbox: &Sandbox) {
    let clock = sandbox.clock();
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            clock.tick();
        }
    });
}
