//! Agents of shapes that no compiler makes: nothing panics, and what is said of them is short.

use std::time::Instant;

use arena_core::FaultKind;
use arena_host::Sandbox;
use arena_tests::{Guest, guest_beside, guest_with_nest};

use crate::arena::{assert_fault, assert_legal, limits, refusal, try_attack};

/// What `-- --nocapture` shows: both ways to load it and the matches.
fn timed(name: &str, bytes: usize, work: impl FnOnce()) {
    let begun = Instant::now();
    work();
    println!("{name}: {bytes} bytes, {:.2} s", begun.elapsed().as_secs_f64());
}

#[test]
fn ten_thousand_functions_play() {
    let functions: String = (0..10_000).map(|number| format!("(func (result i32) (i32.const {number}))")).collect();
    let guest = Guest::banks().also(&functions);
    timed("10,000 functions", guest.component().len(), || assert_legal(&guest));
}

#[test]
fn an_enormous_function_plays() {
    let step = "(global.set $x (i32.add (i32.mul (global.get $x) (i32.const 3)) (i32.const 1)))";
    let guest =
        Guest::banks().also("(global $x (mut i32) (i32.const 0))").also(&format!("(func $f {})", step.repeat(30_000)));
    timed("a function of 30,000 steps", guest.component().len(), || assert_legal(&guest));
}

#[test]
fn blocks_nest_deep() {
    let guest = Guest::banks().also(&format!("(func $f {} {})", "block ".repeat(5_000), "end ".repeat(5_000)));
    timed("5,000 blocks", guest.component().len(), || assert_legal(&guest));
}

#[test]
fn components_nest_deep_or_are_refused() {
    let nest = |depth| guest_with_nest(&Guest::banks(), depth);
    try_attack(&nest(20), limits()).unwrap().is_legal();
    let said = refusal(&nest(1_000_000));
    assert!(said.contains("nest too deep"), "{said}");
}

#[test]
fn imports_are_refused_one_by_one() {
    let text: String = (0..900)
        .map(|number| format!("(import \"mine:own/thing{number}@1.0.0\" (instance (export \"f\" (func))))"))
        .collect();
    let said = refusal(&wat::parse_str(format!("(component {text})")).unwrap());
    assert!(said.contains("`mine:own/thing0@1.0.0`"), "{said}");
}

/// Calls are made without a look at types in every match. With types of its own, an agent would be given
/// what lies beside its arguments in the arena's memory.
#[test]
fn calls_have_the_types_of_the_contract() {
    let component = Guest::banks().component();
    // Names of fields and parameters, their length before and their type (u32, s32, string) after them.
    let changes: [(&str, &[u8], &[u8]); 4] = [
        ("identity", b"\x07version\x73", b"\x07versi0n\x73"),
        ("start", b"\x05seats\x79", b"\x05seats\x7a"),
        ("decide", b"\x05rolls\x79", b"\x05rolls\x7a"),
        ("decide", b"farkles-in-a-row", b"farkles-in-A-row"),
    ];
    for (call, old, new) in changes {
        let mut changed = component.clone();
        for at in 0..component.len() - old.len() {
            if component[at..].starts_with(old) {
                changed[at..at + new.len()].copy_from_slice(new);
            }
        }
        assert_ne!(changed, component, "{call}");
        let said = refusal(&changed);
        assert!(said.contains(&format!("the type of `{call}`")), "{said}");
    }
    // Where one name is told in two ways that differ in the case of a letter, the component is valid. Nothing
    // else of such types can differ: it plays, and says who it is, whichever of them has the other letter.
    let (old, new) = (b"farkles-in-a-row", b"farkles-in-A-row");
    let places: Vec<usize> = (0..component.len()).filter(|at| component[*at..].starts_with(old)).collect();
    let mut played = 0;
    for at in places {
        let mut changed = component.clone();
        changed[at..at + new.len()].copy_from_slice(new);
        if let Ok(agent) = Sandbox::new().unwrap().load(&changed) {
            assert_eq!(agent.about().unwrap().name, "guest");
            try_attack(&changed, limits()).unwrap().is_legal();
            played += 1;
        }
    }
    assert!(played > 0);
}

#[test]
fn a_name_without_end_is_refused_shortly() {
    let name = "a".repeat(90_000);
    refusal(&wat::parse_str(format!("(component (import \"mine:own/{name}@1.0.0\" (instance)))")).unwrap());
    let guest = Guest::banks().also(&format!("(func (export \"{}\"))", "x".repeat(90_000)));
    assert_legal(&guest);
    refusal(&guest_beside(&Guest::banks(), &format!("(module (import \"{name}\" \"f\" (func)))"), 1));
}

#[test]
fn names_of_functions_are_cut_in_faults() {
    let guest = Guest::new()
        .also(&format!("(func $f (@name \"{}\") unreachable)", "\\u{e9}".repeat(40_000)))
        .before_deciding("(call $f)");
    let attack = try_attack(&guest.component(), limits()).unwrap();
    let (kind, said) = attack.fault();
    assert_eq!(kind, FaultKind::Trap);
    assert!(said.len() < 1_000 && said.contains("\u{e9}\u{e9}"), "{said}");
}

/// The fault has them as they are; whoever prints it makes them harmless.
#[test]
fn names_that_command_a_terminal_are_only_text() {
    let guest = Guest::new()
        .also("(func $f (@name \"\\1b[2J\\u{202e}evil\\0a  in core\") unreachable)")
        .before_deciding("(call $f)");
    assert_fault(&guest, FaultKind::Trap, "evil");
}
