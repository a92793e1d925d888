//! Agents of shapes that no compiler makes: nothing panics, and what is said of them is short.

use std::time::Instant;

use arena_core::FaultKind;
use arena_host::Sandbox;
use arena_tests::zoo::case;
use arena_tests::{Guest, guest_beside, guest_with_nest};
use wasm_encoder::{ComponentSection as _, ComponentSectionId, RawSection};

use crate::arena::{Expected, assert_component, assert_fault, assert_legal, assert_more, assert_refused};

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
    case("20 deep");
    assert_component(&nest(20), Expected::Legal);
    case("a million deep");
    assert_refused(&nest(1_000_000), "nest too deep");
}

#[test]
fn components_beside_each_other_are_bytes_or_too_many() {
    let empty = wat::parse_str("(component)").unwrap();
    let beside = |count: usize| {
        let mut component = Guest::banks().component();
        for _ in 0..count {
            RawSection { id: ComponentSectionId::Component.into(), data: &empty }.append_to_component(&mut component);
        }
        component
    };
    case("900");
    assert_component(&beside(900), Expected::Legal);
    case("20000");
    assert_refused(&beside(20_000), "components count exceeds limit");
}

#[test]
fn imports_are_refused_one_by_one() {
    let text: String = (0..900)
        .map(|number| format!("(import \"mine:own/thing{number}@1.0.0\" (instance (export \"f\" (func))))"))
        .collect();
    assert_refused(&wat::parse_str(format!("(component {text})")).unwrap(), "`mine:own/thing0@1.0.0`");
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
        case(&format!("`{call}` with {}", String::from_utf8_lossy(new)));
        assert_refused(&changed, &format!("the type of `{call}`"));
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
            case(&format!("`decide` with {} in one place", String::from_utf8_lossy(new)));
            assert_component(&changed, Expected::Legal);
            played += 1;
        }
    }
    assert!(played > 0);
}

#[test]
fn a_name_without_end_is_refused_shortly() {
    let name = "a".repeat(90_000);
    case("an import of the component");
    let import = format!("(component (import \"mine:own/{name}@1.0.0\" (instance)))");
    assert_refused(&wat::parse_str(import).unwrap(), "a component of another world");
    case("an export of a module");
    let guest = Guest::banks().also(&format!("(func (export \"{}\"))", "x".repeat(90_000)));
    assert_legal(&guest);
    case("an import of a module");
    let component = guest_beside(&Guest::banks(), &format!("(module (import \"{name}\" \"f\" (func)))"), 1);
    assert_refused(&component, "missing module instantiation argument");
}

#[test]
fn names_of_functions_are_cut_in_faults() {
    let guest = Guest::new()
        .also(&format!("(func $f (@name \"{}\") unreachable)", "\\u{e9}".repeat(40_000)))
        .before_deciding("(call $f)");
    let expected = Expected::Fault(FaultKind::Trap, "\u{e9}\u{e9}");
    assert_more(&guest, expected, " in 1000 bytes", |_, said| assert!(said.len() < 1_000, "{said}"));
}

/// The fault has them as they are; whoever prints it makes them harmless.
#[test]
fn names_that_command_a_terminal_are_only_text() {
    let guest = Guest::new()
        .also("(func $f (@name \"\\1b[2J\\u{202e}evil\\0a  in core\") unreachable)")
        .before_deciding("(call $f)");
    assert_fault(&guest, FaultKind::Trap, "evil");
}
