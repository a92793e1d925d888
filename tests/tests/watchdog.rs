//! Time stops a match and never decides it.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use arena_core::{Agent, AgentError, Allowance, Contestant, Limits, Referee, Table};
use arena_host::{ComponentAgent, Sandbox};
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

/// Counts the matches that it is seated for.
struct Counted(ComponentAgent, AtomicU32);

impl Contestant for Counted {
    fn sha256(&self) -> [u8; 32] {
        self.0.sha256()
    }

    fn seat(&self, table: &Rc<Table>) -> Result<Box<dyn Agent>, AgentError> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.seat(table)
    }
}

#[test]
fn a_void_match_is_played_once_more_and_no_more() {
    let sandbox = Sandbox::new().unwrap();
    let limits = Limits { decide_fuel: FUEL, ..Allowance::Standard.limits() };
    let guest = sandbox.load(&Guest::new().before_deciding(FOREVER).component()).unwrap();
    let rival = guest.clone();
    // In the first seat, which every match fills first, however soon time stops it.
    let guest = Counted(guest, AtomicU32::new(0));
    let mut attempt = Attempt::expecting("void after 2 matches");
    let seats: [&dyn Contestant; 2] = [&guest, &rival];
    let void = while_time_flies(&sandbox, || referee(limits).play_or_retry(7, &seats)).is_err();
    let matches = guest.1.into_inner();
    attempt.saw(format!("{} after {matches} matches", if void { "void" } else { "played" }));
    assert_eq!((void, matches), (true, 2));
    attempt.held();
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
