//! The arena that is attacked, with a pool of instances and without, and a match of two guests by the
//! rules before and after: it must stay the same.

use std::sync::Arc;

use arena_core::{Allowance, Contestant, FaultKind, Limits, Played, Referee};
use arena_host::{ComponentAgent, Refused, Sandbox, Wasi};
use arena_tests::Guest;
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

impl Attack {
    /// The fault of seat 0, which is the only one and forfeits the match.
    #[track_caller]
    pub(crate) fn fault(&self) -> (FaultKind, &str) {
        let [(0, fault)] = &self.played.faults[..] else { panic!("one fault, of seat 0: {:?}", self.played.faults) };
        assert_eq!((self.played.result.ending, &self.played.result.ranks[..]), (Ending::Forfeit, &[2, 1][..]));
        (fault.kind, &fault.message)
    }

    /// It made no fault at all.
    #[track_caller]
    pub(crate) fn is_legal(&self) {
        assert_eq!(self.played.faults, []);
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
    assert_eq!(reference(), before, "the arena is not as it was");
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
pub(crate) fn try_attack(component: &[u8], limits: Limits) -> Result<Attack, Refused> {
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

#[track_caller]
pub(crate) fn attack(guest: &Guest) -> Attack {
    try_attack(&guest.component(), limits()).unwrap_or_else(|refused| panic!("{refused}"))
}

/// The same where WASI is allowed.
pub(crate) fn attack_with_wasi(guest: &Guest) -> Attack {
    let sandbox = Sandbox::with(Wasi::Deterministic).unwrap();
    attack_in(&sandbox, &guest.component(), limits()).unwrap_or_else(|refused| panic!("{refused}"))
}

/// What a refused component is refused for, on one line and not too long.
#[track_caller]
pub(crate) fn refusal(component: &[u8]) -> String {
    let said = try_attack(component, limits()).err().expect("refused").to_string();
    assert!(said.len() < 2_000 && !said.contains('\n'), "{said}");
    said
}

/// The attack makes this fault, and says so.
#[track_caller]
pub(crate) fn assert_fault(guest: &Guest, kind: FaultKind, message: &str) {
    let attack = attack(guest);
    let (found, said) = attack.fault();
    assert_eq!(found, kind, "{said}");
    assert!(said.contains(message), "{said}");
}

/// The attack is a legal match.
#[track_caller]
pub(crate) fn assert_legal(guest: &Guest) {
    attack(guest).is_legal();
}

/// Asks who an agent is, in an arena that goes on.
pub(crate) fn about(guest: &Guest) -> Result<arena_host::About, Refused> {
    let sandbox = Sandbox::new().unwrap();
    let component = guest.component();
    let said = unharmed(&sandbox, |_| sandbox.load(&component)?.about());
    // Whatever it says of itself, it plays.
    assert_legal(guest);
    said
}
