//! What guests do wrong, and what it is called: each fault forfeits the match and names itself.

use std::sync::Arc;

use arena_core::{Allowance, Contestant, FaultKind, Limits, Referee};
use arena_host::{ComponentAgent, Refused, Sandbox};
use arena_tests::Guest;
use arena_tests::zoo::{Attempt, case};
use farkle::{Ending, Ruleset, ScoreTable, presets};

/// Enough for every guest here, and soon spent by those that never stop.
fn limits() -> Limits {
    Limits { start_fuel: 1_000_000, decide_fuel: 1_000_000, ..Allowance::Standard.limits() }
}

fn load(guest: &Guest) -> ComponentAgent {
    Sandbox::new().unwrap().load(&guest.component()).unwrap()
}

/// Plays the guest in seat 0 against one that plays by the rules: its fault is of this kind, and says so.
#[track_caller]
fn assert_fault_under(guest: &Guest, rules: &Ruleset, kind: FaultKind, message: &str) {
    let mut attempt = Attempt::expecting(format!("forfeits: {kind}: \u{2026}{message}"));
    let sandbox = Sandbox::new().unwrap();
    let guest = sandbox.load(&guest.component()).unwrap();
    let rival = sandbox.load(&Guest::banks().component()).unwrap();
    let mut referee = Referee::new(Arc::new(ScoreTable::new(rules)), 2, limits()).unwrap();
    // The opening would be the rival's fault first.
    let seats: [&dyn Contestant; 2] = [&guest, &rival];
    let played = referee.play(7, &seats).unwrap();
    attempt.saw(match &played.faults[..] {
        [(0, fault)] => format!("forfeits: {fault}"),
        faults => format!("faults: {faults:?}"),
    });
    assert_eq!(played.result.ending, Ending::Forfeit, "{:?}", played.faults);
    assert_eq!(played.result.ranks, [2, 1]);
    let [(0, fault)] = &played.faults[..] else { panic!("one fault, of seat 0: {:?}", played.faults) };
    assert_eq!(fault.kind, kind, "{fault}");
    assert!(fault.message.contains(message), "{fault}");
    attempt.held();
}

#[track_caller]
fn assert_fault(guest: &Guest, kind: FaultKind, message: &str) {
    assert_fault_under(guest, &presets::IMMEDIATE_WIN, kind, message);
}

/// Plays one agent of the guest on these seeds, one after another, and finds no fault.
#[track_caller]
fn assert_legal(guest: &Guest, seeds: std::ops::Range<u64>) {
    let mut attempt = Attempt::expecting("plays by the rules");
    let (guest, rival) = (load(guest), load(&Guest::banks()));
    let mut referee = Referee::new(Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN)), 2, limits()).unwrap();
    let seats: [&dyn Contestant; 2] = [&guest, &rival];
    for seed in seeds {
        let faults = referee.play(seed, &seats).unwrap().faults;
        attempt.saw(if faults.is_empty() { "plays by the rules".into() } else { format!("{faults:?}") });
        assert_eq!(faults, []);
    }
    attempt.held();
}

const FOREVER: &str = "(loop $again (br $again))";

#[test]
fn a_guest_by_the_rules_is_no_fault() {
    let sandbox = Sandbox::new().unwrap();
    let guest = sandbox.load(&Guest::banks().component()).unwrap();
    let mut attempt = Attempt::expecting("plays to the end, without a fault");
    let about = guest.about().unwrap();
    assert_eq!((about.name.as_str(), about.version.as_str()), ("guest", ""));
    let mut referee = Referee::new(Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN)), 2, limits()).unwrap();
    let seats: [&dyn Contestant; 2] = [&guest, &guest];
    let played = referee.play(7, &seats).unwrap();
    attempt.saw(format!("{:?}, {} faults", played.result.ending, played.faults.len()));
    assert_eq!((played.result.ending, played.faults.len()), (Ending::ImmediateWin, 0));
    attempt.held();
}

#[test]
fn loops_run_out_of_fuel() {
    case("in `decide`");
    assert_fault(&Guest::new().before_deciding(FOREVER), FaultKind::OutOfFuel, "`decide` spent its 1000000 units");
    case("in `start`");
    assert_fault(&Guest::new().start(FOREVER), FaultKind::OutOfFuel, "`start` spent its 1000000 units");
    case("in a start function");
    assert_fault(&Guest::new().start_function(FOREVER), FaultKind::OutOfFuel, "set-up");
}

#[test]
fn a_trap_is_named_with_its_functions() {
    let guest = Guest::new().also("(func $collapse unreachable)").before_deciding("(call $collapse)");
    case("by its own will");
    assert_fault(&guest, FaultKind::Trap, "unreachable");
    case("in a function with a name");
    assert_fault(&guest, FaultKind::Trap, "\n  in collapse");
    case("a division");
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
    case("it traps over the refusal");
    assert_fault(&Guest::new().start(&grow(1_024)), FaultKind::OutOfMemory, "67108864 bytes");
    // A guest that does with less goes on, and one that asks for just enough gets it.
    let asks = Guest::banks().before_deciding("(drop (memory.grow (i32.const 1024)))").start(&grow(1_023));
    case("it goes on");
    assert_legal(&asks, 7..8);
    case("it traps later on");
    let later = Guest::new().start("(drop (memory.grow (i32.const 5000)))").before_deciding("unreachable");
    assert_fault(&later, FaultKind::Trap, "unreachable");
}

#[test]
fn illegal_keeps_say_which_dice_and_why() {
    let keeps = |number: &str| Guest::new().decide(&format!("(i32.const {number})"));
    case("the number 0");
    assert_fault(&keeps("0"), FaultKind::IllegalKeep, "no dice are kept");
    case("the number 0x1000000");
    assert_fault(&keeps("0x1000000"), FaultKind::IllegalKeep, "no dice are kept");
    case("the number 0x600000");
    assert_fault(&keeps("0x600000"), FaultKind::IllegalKeep, "6-6-6-6-6-6 are kept, and the roll is");
    case("the number 0xffffff");
    assert_fault(&keeps("0xffffff"), FaultKind::IllegalKeep, "15 1s");
    let two = Guest::new().decide(
        "(if (result i32) (local.get $twos) (then (i32.const 0x10)) (else
         (if (result i32) (local.get $threes) (then (i32.const 0x100)) (else (i32.const 0x1000)))))",
    );
    case("dice that score nothing");
    assert_fault(&two, FaultKind::IllegalKeep, "left over");
}

#[test]
fn a_bank_below_the_opening_is_illegal() {
    let rules = Ruleset { max_seats: 2, ..presets::MY_TURN_YET };
    assert_fault_under(&Guest::banks(), &rules, FaultKind::IllegalBank, "the opening is 500");
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
        case(&format!("at and of {arguments}"));
        assert_fault(&log(arguments), FaultKind::Trap, "`decide` failed");
    }
}

#[test]
fn nothing_is_carried_into_the_next_match() {
    // Plays by the rules in its first match and would trap in a second one that remembers.
    let guest = Guest::banks()
        .also("(global $matches (mut i32) (i32.const 0))")
        .start("(if (global.get $matches) (then unreachable)) (global.set $matches (i32.const 1)) (i32.store (i32.const 512) (i32.const 1))")
        .before_deciding("(if (i32.ne (i32.load (i32.const 512)) (i32.const 1)) (then unreachable))");
    assert_legal(&guest, 0..20);
}

#[test]
fn two_that_never_bank_end_by_the_turn_limit() {
    let guest = load(&Guest::new());
    let mut attempt = Attempt::expecting("TurnLimit, both first");
    let limits = Limits { turns: 30, ..limits() };
    let mut referee = Referee::new(Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN)), 2, limits).unwrap();
    let seats: [&dyn Contestant; 2] = [&guest, &guest];
    let played = referee.play(7, &seats).unwrap();
    attempt.saw(format!("{:?}, ranks {:?}", played.result.ending, played.result.ranks));
    assert_eq!((played.result.ending, played.result.ranks), (Ending::TurnLimit, vec![1, 1]));
    attempt.held();
}

#[test]
fn the_door_refuses_what_is_no_contestant() {
    let sandbox = Sandbox::new().unwrap();
    let assert_refused = |name: &str, bytes: &[u8], expected: &str, is_so: &dyn Fn(&Refused) -> bool| {
        case(name);
        let mut attempt = Attempt::expecting(format!("refused: \u{2026}{expected}"));
        let refused = sandbox.load(bytes).err();
        attempt.saw(refused.as_ref().map_or_else(|| "taken".into(), |refused| format!("refused: {refused}")));
        let refused = refused.expect("refused");
        assert!(is_so(&refused) && refused.to_string().contains(expected), "{refused}");
        attempt.held();
    };
    assert_refused("text", b"hello", "not a WebAssembly file", &|r| *r == Refused::NotWasm);
    let module = Guest::new().module();
    assert_refused("a core module", &module, "a core WebAssembly module", &|r| *r == Refused::CoreModule);
    let whole = Guest::new().component();
    let half = &whole[..whole.len() / 2];
    assert_refused("half a component", half, "not a valid component", &|r| matches!(r, Refused::Invalid(_)));
    let empty = wat::parse_str("(component)").unwrap();
    assert_refused("a component of another world", &empty, "another world", &|r| matches!(r, Refused::WrongWorld(_)));
    let importing = |name: &str| {
        wat::parse_str(format!("(component (import \"{name}\" (instance (export \"now\" (func)))))")).unwrap()
    };
    let clock = "wasi:clocks/wall-clock@0.2.0";
    assert_refused(
        "an import of WASI",
        &importing(clock),
        clock,
        &|refused| matches!(refused, Refused::Wasi { import } if import == clock),
    );
    let thing = "mine:own/thing@1.0.0";
    assert_refused(
        "an import of its own",
        &importing(thing),
        thing,
        &|refused| matches!(refused, Refused::UnknownImport { import } if import == thing),
    );
}

#[test]
fn a_pool_of_instances_changes_nothing() {
    let mut attempt = Attempt::expecting("the same 5 matches with a pool and without");
    let hashes: Vec<Vec<_>> = [true, false]
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
    let same = hashes[0].iter().zip(&hashes[1]).filter(|(pooled, alone)| pooled == alone).count();
    attempt.saw(format!("{same} of 5 matches are the same"));
    assert_eq!(hashes[0], hashes[1]);
    attempt.held();
}
