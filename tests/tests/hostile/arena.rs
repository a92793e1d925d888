//! The arena that is attacked, with a pool of instances and without, and a match of two guests by the
//! rules before and after: it must stay the same.

use std::sync::Arc;

use arena_core::{Allowance, Contestant, FaultKind, Limits, Played, Referee};
use arena_host::{ComponentAgent, Refused, Sandbox, Wasi};
use arena_tests::Guest;
use arena_tests::zoo::{self, Attempt};
use farkle::{Ending, ScoreTable, presets};

pub(crate) const FOREVER: &str = "(loop $again (br $again))";
pub(crate) const LOG: &str = r#"(import "farkle:arena/logging@0.1.0" "log" (func $log (param i32 i32)))"#;
pub(crate) const TABLE: &str = r#"
    (import "farkle:arena/table@0.1.0" "scores" (func $scores (param i32)))
    (import "farkle:arena/table@0.1.0" "history" (func $history (param i32 i32)))"#;
pub(crate) const NOTE: &str = r#"(import "farkle:arena/scalars@0.1.0" "note" (func $note (param i64 i32)))"#;

/// Enough for every guest here, and soon spent by those that never stop.
pub(crate) fn limits() -> Limits {
    Limits { start_fuel: 1_000_000, decide_fuel: 1_000_000, ..Allowance::Standard.limits() }
}

/// What came of an attack, and what seat 0 noted.
pub(crate) struct Attack {
    pub(crate) played: Played,
    pub(crate) notes: Vec<String>,
    pub(crate) fuel: Vec<u64>,
}

/// Makes no fault: its match ends as matches do.
const LEGAL: &str = "plays by the rules";

impl Attack {
    /// In a line, for the table.
    fn seen(&self) -> String {
        match &self.played.faults[..] {
            [] => LEGAL.to_owned(),
            [(0, fault)] if self.played.result.ranks == [2, 1] => format!("forfeits: {fault}"),
            faults => format!("faults and ranks: {faults:?}, {:?}", self.played.result.ranks),
        }
    }

    /// The fault of seat 0, which is the only one and forfeits the match.
    #[track_caller]
    fn fault(&self) -> (FaultKind, &str) {
        let [(0, fault)] = &self.played.faults[..] else { panic!("one fault, of seat 0: {:?}", self.played.faults) };
        assert_eq!((self.played.result.ending, &self.played.result.ranks[..]), (Ending::Forfeit, &[2, 1][..]));
        (fault.kind, &fault.message)
    }

    /// How many bytes its author is shown of the notes.
    pub(crate) fn noted(&self) -> usize {
        self.notes.iter().map(|note| note.len().max(1)).sum()
    }
}

fn referee(limits: Limits) -> Referee {
    let mut referee = Referee::new(Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN)), 2, limits).unwrap();
    referee.keep_calls();
    referee
}

/// Does what may harm a sandbox, between two matches of guests by the rules that must be the same.
fn unharmed<T>(sandbox: &Sandbox, attack: impl FnOnce(&ComponentAgent) -> T) -> T {
    let load = |guest: Guest| sandbox.load(&guest.component()).unwrap();
    let (rival, other) = (load(Guest::banks()), load(Guest::banks().also("(func $other)")));
    let reference = || {
        let played = referee(limits()).play(11, &[&rival, &other]).unwrap();
        assert_eq!(played.faults, []);
        played.hash
    };
    let before = reference();
    let came_of_it = attack(&rival);
    let is_as_before = reference() == before;
    zoo::others_are_as_before(is_as_before);
    assert!(is_as_before, "the arena is not as it was");
    came_of_it
}

fn attack_in(sandbox: &Sandbox, component: &[u8], limits: Limits) -> Result<Attack, Refused> {
    unharmed(sandbox, |rival| {
        let agent = sandbox.load(component)?;
        let mut referee = referee(limits);
        let seats: [&dyn Contestant; 2] = [&agent, rival];
        let played = referee.play(7, &seats).unwrap();
        let own = || referee.calls().iter().filter(|call| call.seat == 0);
        let notes = own().flat_map(|call| call.notes.clone()).collect();
        let fuel = own().map(|call| call.spent.fuel).collect();
        Ok(Attack { played, notes, fuel })
    })
}

/// What a component comes to: the same with a pool of instances and without.
#[track_caller]
fn try_attack(component: &[u8], limits: Limits) -> Result<Attack, Refused> {
    let attack = |pooled| attack_in(&Sandbox::with_pool(pooled).unwrap(), component, limits);
    let (pooled, alone) = (attack(true), attack(false));
    match (&pooled, &alone) {
        (Ok(pooled), Ok(alone)) => {
            assert_eq!((&pooled.played.hash, &pooled.played.faults), (&alone.played.hash, &alone.played.faults));
            assert_eq!((&pooled.notes, &pooled.fuel), (&alone.notes, &alone.fuel));
        }
        // In words that may differ.
        (Err(_), Err(_)) => {}
        (pooled, alone) => panic!("a pool matters: {:?} {:?}", pooled.as_ref().err(), alone.as_ref().err()),
    }
    pooled
}

/// What is to come of an attack.
#[derive(Clone, Copy)]
pub(crate) enum Expected<'a> {
    /// No fault.
    Legal,
    /// This fault, which says so.
    Fault(FaultKind, &'a str),
}

/// What came of a component is what was expected; `also` says what else it must be, in words for the table
/// and as assertions on the attack and the message of its fault.
#[track_caller]
fn assert_comes_to(
    came_to: impl FnOnce() -> Result<Attack, Refused>,
    expected: Expected,
    also: &str,
    check: impl FnOnce(&Attack, &str),
) -> Attack {
    let words = match expected {
        Expected::Legal => LEGAL.to_owned(),
        Expected::Fault(kind, message) => format!("forfeits: {kind}: \u{2026}{message}"),
    };
    let mut attempt = Attempt::expecting(words + also);
    let attack = came_to().unwrap_or_else(|refused| {
        attempt.saw(format!("refused: {refused}"));
        panic!("{refused}")
    });
    attempt.saw(attack.seen());
    match expected {
        Expected::Legal => {
            assert_eq!(attack.played.faults, []);
            check(&attack, "");
        }
        Expected::Fault(kind, message) => {
            let (found, said) = attack.fault();
            assert_eq!(found, kind, "{said}");
            assert!(said.contains(message), "{said}");
            check(&attack, said);
        }
    }
    attempt.held();
    attack
}

/// The attack makes this fault, and says so.
#[track_caller]
pub(crate) fn assert_fault(guest: &Guest, kind: FaultKind, message: &str) {
    assert_component(&guest.component(), Expected::Fault(kind, message));
}

/// The attack is a legal match.
#[track_caller]
pub(crate) fn assert_legal(guest: &Guest) {
    assert_component(&guest.component(), Expected::Legal);
}

/// The same of any component.
#[track_caller]
pub(crate) fn assert_component(component: &[u8], expected: Expected) {
    assert_comes_to(|| try_attack(component, limits()), expected, "", |_, _| ());
}

/// The same, and more: in words for the table, and as assertions on the attack and its fault's message.
#[track_caller]
pub(crate) fn assert_more(guest: &Guest, expected: Expected, also: &str, check: impl FnOnce(&Attack, &str)) -> Attack {
    assert_comes_to(|| try_attack(&guest.component(), limits()), expected, also, check)
}

/// The same under other limits.
#[track_caller]
pub(crate) fn assert_within(guest: &Guest, limits: Limits, expected: Expected) {
    assert_comes_to(|| try_attack(&guest.component(), limits), expected, "", |_, _| ());
}

/// The same where WASI is allowed.
#[track_caller]
pub(crate) fn assert_with_wasi(
    guest: &Guest,
    expected: Expected,
    also: &str,
    check: impl FnOnce(&Attack, &str),
) -> Attack {
    let sandbox = Sandbox::with(Wasi::Deterministic).unwrap();
    assert_comes_to(|| attack_in(&sandbox, &guest.component(), limits()), expected, also, check)
}

/// The fuel of each call of a guest that plays by the rules: something to compare an attack with.
#[track_caller]
pub(crate) fn fuel_of(guest: &Guest) -> Vec<u64> {
    let attack = try_attack(&guest.component(), limits()).unwrap_or_else(|refused| panic!("{refused}"));
    assert_eq!(attack.played.faults, []);
    attack.fuel
}

/// The component is refused, for this reason, on one line and not too long.
#[track_caller]
pub(crate) fn assert_refused(component: &[u8], why: &str) {
    let mut attempt = Attempt::expecting(format!("refused: \u{2026}{why}"));
    let came_of_it = try_attack(component, limits());
    attempt.saw(match &came_of_it {
        Ok(attack) => attack.seen(),
        Err(refused) => format!("refused: {refused}"),
    });
    let said = came_of_it.err().expect("refused").to_string();
    assert!(said.len() < 2_000 && !said.contains('\n'), "{said}");
    assert!(said.contains(why), "{said}");
    attempt.held();
}

/// Asked who it is, an agent that says `name`, or none where it has no answer for this reason; in an arena
/// that goes on, and in which it plays, whatever it says of itself.
#[track_caller]
pub(crate) fn assert_says(guest: &Guest, name: Result<&str, &str>) {
    let words = match name {
        Ok(name) => format!("is called {name}, and {LEGAL}"),
        Err(why) => format!("no identity: \u{2026}{why}; and {LEGAL}"),
    };
    let mut attempt = Attempt::expecting(words);
    let sandbox = Sandbox::new().unwrap();
    let component = guest.component();
    let said = unharmed(&sandbox, |_| sandbox.load(&component)?.about());
    let attack = try_attack(&component, limits()).unwrap_or_else(|refused| panic!("{refused}"));
    attempt.saw(match &said {
        Ok(about) => format!("is called {}, and {}", about.name, attack.seen()),
        Err(refused) => format!("no identity: {refused}; and {}", attack.seen()),
    });
    assert_eq!(attack.played.faults, []);
    match (&said, name) {
        (Ok(about), Ok(name)) => assert_eq!(about.name, name),
        (Err(refused), Err(why)) => assert!(refused.to_string().contains(why), "{refused}"),
        (said, name) => panic!("{said:?}, and not {name:?}"),
    }
    attempt.held();
}
