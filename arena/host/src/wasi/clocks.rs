//! Clocks that only calls move on.
//!
//! Owns `wasi:clocks` and the time of a seat: every look at a clock takes a microsecond, and
//! waiting for a moment makes it come. Refuses to know the machine's time.

use wasmtime::component::LinkerInstance;
use wasmtime::{Result, StoreContextMut};

use super::io::Pollable;
use super::shapes::Datetime;
use crate::imports::{CALL, charge};
use crate::seat::Seat;

const SECOND: u64 = 1_000_000_000;
/// What a look at a clock takes, in nanoseconds.
const STEP: u64 = 1_000;
/// What the monotonic clock shows first: an hour, so that a program may look back a little.
const FIRST: u64 = 3_600 * SECOND;
/// What the wall clock shows first, in seconds since 1970: 2026-01-01 00:00:00 UTC.
const DATE: u64 = 1_767_225_600;

/// The time of one seat.
#[derive(Default)]
pub(super) struct Clock {
    /// Nanoseconds since the instance was made.
    elapsed: u64,
}

impl Clock {
    fn look(&mut self) -> u64 {
        let now = self.elapsed;
        self.elapsed = now.saturating_add(STEP);
        now
    }

    /// A moment that lies so many nanoseconds ahead.
    fn ahead(&self, duration: u64) -> Pollable {
        Pollable { when: self.elapsed.saturating_add(duration) }
    }

    /// Makes a moment come, unless it has come already.
    pub(super) fn reach(&mut self, pollable: Pollable) {
        self.elapsed = self.elapsed.max(pollable.when);
    }
}

pub(super) fn add_monotonic_clock(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    instance.func_wrap("now", |mut store: StoreContextMut<'_, Seat>, (): ()| {
        charge(&mut store, CALL)?;
        Ok((FIRST.saturating_add(store.data_mut().wasi().clock.look()),))
    })?;
    instance.func_wrap("resolution", |mut store: StoreContextMut<'_, Seat>, (): ()| {
        charge(&mut store, CALL)?;
        Ok((STEP,))
    })?;
    instance.func_wrap("subscribe-instant", |mut store: StoreContextMut<'_, Seat>, (when,): (u64,)| {
        charge(&mut store, CALL)?;
        Ok((store.data_mut().wasi().hold(Pollable { when: when.saturating_sub(FIRST) })?,))
    })?;
    instance.func_wrap("subscribe-duration", |mut store: StoreContextMut<'_, Seat>, (duration,): (u64,)| {
        charge(&mut store, CALL)?;
        let wasi = store.data_mut().wasi();
        Ok((wasi.hold(wasi.clock.ahead(duration))?,))
    })
}

pub(super) fn add_wall_clock(instance: &mut LinkerInstance<'_, Seat>) -> Result<()> {
    instance.func_wrap("now", |mut store: StoreContextMut<'_, Seat>, (): ()| {
        charge(&mut store, CALL)?;
        Ok((date(store.data_mut().wasi().clock.look()),))
    })?;
    instance.func_wrap("resolution", |mut store: StoreContextMut<'_, Seat>, (): ()| {
        charge(&mut store, CALL)?;
        Ok((Datetime { seconds: 0, nanoseconds: STEP as u32 },))
    })
}

fn date(elapsed: u64) -> Datetime {
    Datetime { seconds: DATE + elapsed / SECOND, nanoseconds: (elapsed % SECOND) as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_moves_by_looks_and_by_waiting_and_never_back() {
        let mut clock = Clock::default();
        assert_eq!([clock.look(), clock.look(), clock.look()], [0, 1_000, 2_000]);
        let hour = clock.ahead(3_600_000_000_000);
        clock.reach(hour);
        assert_eq!(clock.look(), 3_600_000_003_000);
        clock.reach(hour);
        assert_eq!(clock.look(), 3_600_000_004_000);
        let end = clock.ahead(u64::MAX);
        clock.reach(end);
        assert_eq!([clock.look(), clock.look()], [u64::MAX, u64::MAX]);
    }

    /// By `date -u -d @1767225600`, and a day and a bit later.
    #[test]
    fn the_wall_clock_begins_in_2026() {
        assert_eq!(date(0), Datetime { seconds: 1_767_225_600, nanoseconds: 0 });
        assert_eq!(date(86_400_000_000_123), Datetime { seconds: 1_767_312_000, nanoseconds: 123 });
        assert_eq!(date(u64::MAX).nanoseconds, 709_551_615);
    }
}
