//! The interface `scalars`: rules and notes in numbers alone.

use std::fs;

use arena_tests::Guest;
use serde_json::Value;

use crate::arena::{arena, arena_in};
use crate::json;

const RULE: &str = r#"(import "farkle:arena/scalars@0.1.0" "rule" (func $rule (param i32) (result i32)))"#;
const NOTE: &str = r#"(import "farkle:arena/scalars@0.1.0" "note" (func $note (param i64 i32)))"#;

/// The fields of `rules.ruleset` and the cases of its enums, in the order of the contract.
fn contract() -> Vec<(String, Vec<String>)> {
    let mut resolve = wit_parser::Resolve::default();
    let (package, _) = resolve.push_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../wit")).unwrap();
    let interface = &resolve.interfaces[resolve.packages[package].interfaces["rules"]];
    let wit_parser::TypeDefKind::Record(ruleset) = &resolve.types[interface.types["ruleset"]].kind else { panic!() };
    let cases = |of: &wit_parser::Type| match of {
        wit_parser::Type::Id(id) => match &resolve.types[*id].kind {
            wit_parser::TypeDefKind::Enum(cases) => cases.cases.iter().map(|case| case.name.clone()).collect(),
            _ => vec![],
        },
        _ => vec![],
    };
    ruleset.fields.iter().map(|field| (field.name.replace('-', "_"), cases(&field.ty))).collect()
}

/// What the program prints of a ruleset, as numbers in the order of the contract.
fn numbers(ruleset: &Value) -> Vec<i64> {
    let number = |(name, cases): &(String, Vec<String>)| match &ruleset[name] {
        Value::Bool(truth) => i64::from(*truth),
        Value::String(case) => cases.iter().position(|known| known == case).unwrap() as i64,
        // A field that does not matter is not printed.
        Value::Null => 0,
        number => number.as_i64().unwrap(),
    };
    contract().iter().map(number).collect()
}

#[test]
fn a_rule_is_the_field_at_its_place() {
    let folder = tempfile::tempdir().unwrap();
    for rules in ["immediate-win", "five-dice", "elverson", "pocket"] {
        let expected = numbers(&json(&arena(&["rules", "show", rules, "--format", "json"])));
        assert_eq!(expected.len(), 30);
        // Traps at the first field that is something else, and at one beyond the last that is not 0.
        let check = |(place, number): (usize, &i64)| {
            format!("(if (i32.ne (call $rule (i32.const {place})) (i32.const {number})) (then (unreachable)))")
        };
        let beyond = "(if (call $rule (i32.const 30)) (then (unreachable))) (drop (call $rule (i32.const -1)))";
        let checks: String = expected.iter().enumerate().map(check).collect();
        let guest = Guest::new().imports(RULE).start(&format!("{checks}{beyond}"));
        fs::write(folder.path().join("asks.wasm"), guest.component()).unwrap();
        let wrong = Guest::new().imports(RULE).start(&check((0, &(expected[0] + 1))));
        fs::write(folder.path().join("wrong.wasm"), wrong.component()).unwrap();
        let play = |agent: &str| {
            let (a, b) = (format!("a={agent}"), format!("b={agent}"));
            json(&arena_in(
                folder.path(),
                &["match", &a, &b, "--rules", rules, "--seed", "1", "--turn-limit", "1", "--format", "json"],
            ))
        };
        assert_eq!(play("asks.wasm")["result"]["faults"], Value::Array(vec![]), "{rules}");
        assert_eq!(play("wrong.wasm")["result"]["faults"][0]["kind"], "trap", "{rules}");
    }
}

#[test]
fn notes_come_in_pieces_of_eight_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let piece = |text: &[u8]| {
        let bytes = text.iter().rev().fold(0u64, |all, byte| all << 8 | u64::from(*byte));
        format!("(call $note (i64.const {}) (i32.const {}))", bytes as i64, text.len())
    };
    let notes = [piece(b"one line"), piece(b" of two"), piece(b""), piece(b"\xff\x1b!"), piece(b""), piece(b"left")];
    let guest = Guest::banks().imports(NOTE).start(&notes.concat());
    fs::write(folder.path().join("a.wasm"), guest.component()).unwrap();
    let nine = Guest::banks().imports(NOTE).before_deciding("(call $note (i64.const 0) (i32.const 9))");
    fs::write(folder.path().join("b.wasm"), nine.component()).unwrap();
    let told = arena_in(folder.path(), &["match", "a.wasm", "b.wasm", "--seed", "1", "--logs"]);
    assert_eq!(told.code, 0, "{}", told.stderr);
    let notes: Vec<&str> = told.stdout.lines().filter(|line| line.contains(" notes: ")).collect();
    assert_eq!(notes, ["    a notes: one line of two", "    a notes: \u{fffd}\\u{1b}!", "    a notes: left"]);
    assert!(
        told.stdout.contains("forfeits: trap: `decide` failed: `note` takes at most 8 bytes, and 9 were given"),
        "{}",
        told.stdout
    );
}

/// A line without an end costs no more memory than the log may have.
#[test]
fn a_line_without_an_end_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let endless = "(local $left i32) (local.set $left (i32.const 20000))
        (loop $again (call $note (i64.const 0x6161616161616161) (i32.const 8))
            (local.set $left (i32.sub (local.get $left) (i32.const 1))) (br_if $again (local.get $left)))";
    let guest = Guest::banks().imports(NOTE).start(endless);
    fs::write(folder.path().join("a.wasm"), guest.component()).unwrap();
    let told = arena_in(folder.path(), &["match", "a.wasm", "b=a.wasm", "--seed", "1", "--logs", "--turn-limit", "1"]);
    assert_eq!(told.code, 0, "{}", told.stderr);
    assert!(!told.stdout.contains("aaaa") && !told.stdout.contains("forfeits"), "{}", told.stdout);
}
