//! What guests do wrong, and what it is called: each fault forfeits the match and names itself.

use std::sync::Arc;

use arena_core::{Allowance, Contestant, FaultKind, Limits, Referee};
use arena_host::{ComponentAgent, Refused, Sandbox};
use arena_tests::Guest;
use farkle::{Ending, Ruleset, ScoreTable, presets};

/// Enough for every guest here, and soon spent by those that never stop.
fn limits() -> Limits {
    Limits { start_fuel: 1_000_000, decide_fuel: 1_000_000, ..Allowance::Standard.limits() }
}

fn load(guest: &Guest) -> ComponentAgent {
    Sandbox::new().unwrap().load(&guest.component()).unwrap()
}

/// Plays the guest in seat 0 against one that plays by the rules, and returns its fault.
fn fault_of(guest: &Guest, rules: &Ruleset) -> (FaultKind, String) {
    let sandbox = Sandbox::new().unwrap();
    let guest = sandbox.load(&guest.component()).unwrap();
    let rival = sandbox.load(&Guest::banks().component()).unwrap();
    let mut referee = Referee::new(Arc::new(ScoreTable::new(rules)), 2, limits()).unwrap();
    // The opening would be the rival's fault first.
    let seats: [&dyn Contestant; 2] = [&guest, &rival];
    let played = referee.play(7, &seats).unwrap();
    assert_eq!(played.result.ending, Ending::Forfeit, "{:?}", played.faults);
    assert_eq!(played.result.ranks, [2, 1]);
    let [(0, fault)] = &played.faults[..] else { panic!("one fault, of seat 0: {:?}", played.faults) };
    (fault.kind, fault.message.clone())
}

fn assert_fault(guest: &Guest, kind: FaultKind, message: &str) {
    let (found, said) = fault_of(guest, &presets::IMMEDIATE_WIN);
    assert_eq!(found, kind, "{said}");
    assert!(said.contains(message), "{said}");
}

const FOREVER: &str = "(loop $again (br $again))";

#[test]
fn a_guest_by_the_rules_is_no_fault() {
    let sandbox = Sandbox::new().unwrap();
    let guest = sandbox.load(&Guest::banks().component()).unwrap();
    let about = guest.about().unwrap();
    assert_eq!((about.name.as_str(), about.version.as_str()), ("guest", ""));
    let mut referee = Referee::new(Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN)), 2, limits()).unwrap();
    let seats: [&dyn Contestant; 2] = [&guest, &guest];
    let played = referee.play(7, &seats).unwrap();
    assert_eq!((played.result.ending, played.faults.len()), (Ending::ImmediateWin, 0));
}

#[test]
fn loops_run_out_of_fuel() {
    assert_fault(&Guest::new().before_deciding(FOREVER), FaultKind::OutOfFuel, "`decide` spent its 1000000 units");
    assert_fault(&Guest::new().start(FOREVER), FaultKind::OutOfFuel, "`start` spent its 1000000 units");
    assert_fault(&Guest::new().start_function(FOREVER), FaultKind::OutOfFuel, "set-up");
}

#[test]
fn a_trap_is_named_with_its_functions() {
    let guest = Guest::new().also("(func $collapse unreachable)").before_deciding("(call $collapse)");
    assert_fault(&guest, FaultKind::Trap, "unreachable");
    assert_fault(&guest, FaultKind::Trap, "\n  in collapse");
    let division = Guest::new().before_deciding("(drop (i32.div_u (i32.const 1) (i32.const 0)))");
    assert_fault(&division, FaultKind::Trap, "divide by zero");
}

#[test]
fn a_trap_tells_what_was_logged_last() {
    let guest = Guest::new()
        .imports(r#"(import "farkle:arena/logging@0.1.0" "log" (func $log (param i32 i32)))"#)
        .also(r#"(data (i32.const 200) "panicked at the table")"#)
        .before_deciding("(call $log (i32.const 200) (i32.const 21)) unreachable");
    assert_fault(&guest, FaultKind::Trap, "panicked at the table");
}

#[test]
fn recursion_overflows_the_stack() {
    let guest = Guest::new().also("(func $deep (call $deep) (call $deep))").before_deciding("(call $deep)");
    assert_fault(&guest, FaultKind::StackOverflow, "nest too deep");
}

#[test]
fn memory_past_the_limit_is_refused_and_a_trap_then_is_out_of_memory() {
    // 64 MiB are 1,024 pages, and the guest has one.
    let grow =
        |pages: u32| format!("(if (i32.eq (memory.grow (i32.const {pages})) (i32.const -1)) (then unreachable))");
    assert_fault(&Guest::new().start(&grow(1_024)), FaultKind::OutOfMemory, "67108864 bytes");
    // A guest that does with less goes on, and one that asks for just enough gets it.
    let asks = Guest::banks().before_deciding("(drop (memory.grow (i32.const 1024)))").start(&grow(1_023));
    let (guest, rival) = (load(&asks), load(&Guest::banks()));
    let mut referee = Referee::new(Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN)), 2, limits()).unwrap();
    let seats: [&dyn Contestant; 2] = [&guest, &rival];
    assert_eq!(referee.play(7, &seats).unwrap().faults, []);
    // A trap later on is just a trap.
    let later = Guest::new().start("(drop (memory.grow (i32.const 5000)))").before_deciding("unreachable");
    assert_fault(&later, FaultKind::Trap, "unreachable");
}

#[test]
fn illegal_keeps_say_which_dice_and_why() {
    let keeps = |number: &str| Guest::new().decide(&format!("(i32.const {number})"));
    assert_fault(&keeps("0"), FaultKind::IllegalKeep, "no dice are kept");
    assert_fault(&keeps("0x1000000"), FaultKind::IllegalKeep, "no dice are kept");
    assert_fault(&keeps("0x600000"), FaultKind::IllegalKeep, "6-6-6-6-6-6 are kept, and the roll is");
    assert_fault(&keeps("0xffffff"), FaultKind::IllegalKeep, "15 1s");
    let two = Guest::new().decide(
        "(if (result i32) (local.get $twos) (then (i32.const 0x10)) (else
         (if (result i32) (local.get $threes) (then (i32.const 0x100)) (else (i32.const 0x1000)))))",
    );
    assert_fault(&two, FaultKind::IllegalKeep, "left over");
}

#[test]
fn a_bank_below_the_opening_is_illegal() {
    let (kind, message) = fault_of(&Guest::banks(), &Ruleset { max_seats: 2, ..presets::MY_TURN_YET });
    assert_eq!(kind, FaultKind::IllegalBank, "{message}");
    assert!(message.contains("the opening is 500"), "{message}");
}

#[test]
fn stray_bits_are_a_malformed_answer() {
    let guest = Guest::new().decide("(i32.const 0x2000001)");
    assert_fault(&guest, FaultKind::MalformedAnswer, "0x02000001");
}

#[test]
fn bad_strings_from_a_guest_are_its_fault() {
    let log = |arguments: &str| {
        Guest::new()
            .imports(r#"(import "farkle:arena/logging@0.1.0" "log" (func $log (param i32 i32)))"#)
            .also(r#"(data (i32.const 200) "\ff\fe")"#)
            .before_deciding(&format!("(call $log {arguments})"))
    };
    for arguments in ["(i32.const 200) (i32.const 2)", "(i32.const -8) (i32.const 64)", "(i32.const 0) (i32.const -1)"]
    {
        let (kind, message) = fault_of(&log(arguments), &presets::IMMEDIATE_WIN);
        assert_eq!(kind, FaultKind::Trap, "{message}");
    }
}

#[test]
fn nothing_is_carried_into_the_next_match() {
    // Plays by the rules in its first match and would trap in a second one that remembers.
    let guest = Guest::banks()
        .also("(global $matches (mut i32) (i32.const 0))")
        .start("(if (global.get $matches) (then unreachable)) (global.set $matches (i32.const 1)) (i32.store (i32.const 512) (i32.const 1))")
        .before_deciding("(if (i32.ne (i32.load (i32.const 512)) (i32.const 1)) (then unreachable))");
    let (guest, rival) = (load(&guest), load(&Guest::banks()));
    let mut referee = Referee::new(Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN)), 2, limits()).unwrap();
    let seats: [&dyn Contestant; 2] = [&guest, &rival];
    for seed in 0..20 {
        assert_eq!(referee.play(seed, &seats).unwrap().faults, []);
    }
}

#[test]
fn two_that_never_bank_end_by_the_turn_limit() {
    let guest = load(&Guest::new());
    let limits = Limits { turns: 30, ..limits() };
    let mut referee = Referee::new(Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN)), 2, limits).unwrap();
    let seats: [&dyn Contestant; 2] = [&guest, &guest];
    let played = referee.play(7, &seats).unwrap();
    assert_eq!((played.result.ending, played.result.ranks), (Ending::TurnLimit, vec![1, 1]));
}

#[test]
fn the_door_refuses_what_is_no_contestant() {
    let sandbox = Sandbox::new().unwrap();
    let refusal = |bytes: &[u8]| sandbox.load(bytes).err().expect("refused");
    assert_eq!(refusal(b"hello"), Refused::NotWasm);
    assert_eq!(refusal(&Guest::new().module()), Refused::CoreModule);
    let whole = Guest::new().component();
    assert!(matches!(refusal(&whole[..whole.len() / 2]), Refused::Invalid(_)));
    let empty = wat::parse_str("(component)").unwrap();
    assert!(matches!(refusal(&empty), Refused::WrongWorld(_)));
    let stranger =
        wat::parse_str(r#"(component (import "wasi:clocks/wall-clock@0.2.0" (instance (export "now" (func)))))"#);
    let Refused::Wasi { import } = refusal(&stranger.unwrap()) else { panic!("refused by its import") };
    assert_eq!(import, "wasi:clocks/wall-clock@0.2.0");
    let stranger = wat::parse_str(r#"(component (import "mine:own/thing@1.0.0" (instance (export "now" (func)))))"#);
    let Refused::UnknownImport { import } = refusal(&stranger.unwrap()) else { panic!("refused by its import") };
    assert_eq!(import, "mine:own/thing@1.0.0");
}

#[test]
fn a_pool_of_instances_changes_nothing() {
    let hashes: Vec<_> = [true, false]
        .into_iter()
        .map(|pooled| {
            let sandbox = Sandbox::with_pool(pooled).unwrap();
            assert_eq!(sandbox.is_pooled(), pooled);
            let a = sandbox.load(&Guest::banks().component()).unwrap();
            let b = sandbox.load(&Guest::new().component()).unwrap();
            let mut referee = Referee::new(Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN)), 2, limits()).unwrap();
            let seats: [&dyn Contestant; 2] = [&a, &b];
            (0..5).map(|seed| referee.play(seed, &seats).unwrap().hash).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(hashes[0], hashes[1]);
}
