//! Time stops a match and never decides it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arena_core::{Allowance, Contestant, Limits, Referee};
use arena_host::Sandbox;
use arena_tests::Guest;
use arena_tests::zoo::{Attempt, case};
use farkle::{ScoreTable, presets};

const FOREVER: &str = "(loop $again (br $again))";

/// More fuel than anybody waits for, and less than a watchdog's patience can be counted with.
const FUEL: u64 = 1 << 40;

fn referee(limits: Limits) -> Referee {
    Referee::new(Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN)), 2, limits).unwrap()
}

/// Plays while a clock runs as fast as it can.
fn while_time_flies<T>(sandbox: &Sandbox, play: impl FnOnce() -> T) -> T {
    let (clock, done) = (sandbox.clock(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                clock.tick();
            }
        });
        let played = play();
        done.store(true, Ordering::Relaxed);
        played
    })
}

#[test]
fn a_call_without_end_voids_the_match_and_is_nobodys_fault() {
    let sandbox = Sandbox::new().unwrap();
    let rival = sandbox.load(&Guest::banks().component()).unwrap();
    let limits = Limits { start_fuel: FUEL, decide_fuel: FUEL, ..Allowance::Standard.limits() };
    for (name, guest, what) in [
        (
            "in `decide`",
            Guest::new().before_deciding(FOREVER),
            "`decide` of an agent took longer than the watchdog waits",
        ),
        ("in `start`", Guest::new().start(FOREVER), "`start` of an agent took longer"),
        ("in a start function", Guest::new().start_function(FOREVER), "the set-up of an agent took longer"),
    ] {
        let guest = sandbox.load(&guest.component()).unwrap();
        let seats: [&dyn Contestant; 2] = [&guest, &rival];
        case(name);
        let mut attempt = Attempt::expecting(format!("void: \u{2026}{what}"));
        let came_of_it = while_time_flies(&sandbox, || referee(limits).play_or_retry(7, &seats));
        attempt.saw(match &came_of_it {
            Ok(played) => format!("played, with the faults {:?}", played.faults),
            Err(void) => format!("void: {void}"),
        });
        let void = came_of_it.unwrap_err();
        assert!(void.to_string().contains(what), "{void}");
        attempt.held();
    }
}

/// A call's seconds are its own: what passed before it does not count, nor what passes unseen.
#[test]
fn a_clock_that_runs_on_changes_nothing() {
    let sandbox = Sandbox::new().unwrap();
    let guest = sandbox.load(&Guest::banks().component()).unwrap();
    let seats: [&dyn Contestant; 2] = [&guest, &guest];
    let limits = Allowance::Standard.limits();
    let still = referee(limits).play(7, &seats).unwrap();
    let clock = sandbox.clock();
    for _ in 0..1_000_000 {
        clock.tick();
    }
    let mut attempt = Attempt::expecting("the same match as while time stood still");
    let same = referee(limits).play(7, &seats).unwrap().hash == still.hash;
    attempt.saw(if same { "the same match as while time stood still" } else { "another match" });
    assert!(same);
    attempt.held();
}
