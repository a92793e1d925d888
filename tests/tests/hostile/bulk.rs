//! Agents that move memory and tables about. How long the fuel of it takes is measured by
//! `tests/examples/bulk-cost.rs`.

use arena_core::FaultKind;
use arena_tests::Guest;

use crate::arena::{assert_fault, attack};

/// Items and an instruction that works on many bytes or elements.
const BULK: [(&str, &str, u64); 7] = [
    ("", "(memory.fill (i32.const 0) (i32.const 1) (i32.const 60000))", 60_000),
    ("", "(memory.copy (i32.const 1) (i32.const 0) (i32.const 60000))", 60_000),
    ("", "(memory.copy (i32.const 0) (i32.const 1) (i32.const 60000))", 60_000),
    ("(table $t 50000 funcref)", "(table.fill $t (i32.const 0) (ref.null func) (i32.const 50000))", 50_000),
    ("(table $t 50000 funcref)", "(table.copy (i32.const 0) (i32.const 1) (i32.const 49999))", 49_999),
    ("(table $t 10 funcref)", "(drop (table.grow $t (ref.null func) (i32.const 50000)))", 50_000),
    ("(table $t 10 funcref)", "(drop (table.grow $t (ref.null func) (i32.const 500000)))", 500_000),
];

#[test]
fn bulk_costs_by_length() {
    for (items, instruction, length) in BULK {
        let guest = Guest::banks().also(items);
        let plain = attack(&guest).fuel[0];
        let spent = attack(&guest.start(instruction)).fuel[0] - plain;
        assert!((length..length + 100).contains(&spent), "{instruction}: {spent}");
    }
}

#[test]
fn segments_cost_by_length_too() {
    let data = format!("(data $d \"{}\")", "x".repeat(20_000));
    let elements = format!("(table $t 20000 funcref) (func $f) (elem $e func {})", "$f ".repeat(20_000));
    for (items, instruction) in [
        (data, "(memory.init $d (i32.const 8192) (i32.const 0) (i32.const 20000))"),
        (elements, "(table.init $e (i32.const 0) (i32.const 0) (i32.const 20000))"),
    ] {
        let guest = Guest::banks().also(&items);
        let spent = attack(&guest.clone().start(instruction)).fuel[0] - attack(&guest).fuel[0];
        assert!((20_000..20_100).contains(&spent), "{instruction}: {spent}");
        let again = format!("(loop $again {instruction} (br $again))");
        assert_fault(&guest.before_deciding(&again), FaultKind::OutOfFuel, "`decide` spent its");
    }
}

#[test]
fn bulk_for_ever_runs_out_of_fuel() {
    for (items, instruction, _) in BULK {
        let again = format!("(loop $again {instruction} (br $again))");
        assert_fault(&Guest::banks().also(items).before_deciding(&again), FaultKind::OutOfFuel, "`decide` spent its");
    }
}

/// What takes long in the machine costs more than a unit.
#[test]
fn slow_instructions_cost_more() {
    let spent = |items: &str, instruction: &str| {
        let guest = Guest::banks().also(items);
        attack(&guest.clone().start(instruction)).fuel[0] - attack(&guest).fuel[0]
    };
    // A constant and the instruction.
    assert_eq!(spent("", "(drop (i32.load (i32.const 0)))"), 1 + 10);
    assert_eq!(spent("", "(drop (v128.load (i32.const 0)))"), 1 + 10);
    assert_eq!(spent("", "(drop (f64.ceil (f64.const 1)))"), 1 + 2);
    assert_eq!(spent("", "(drop (f32x4.nearest (v128.const i64x2 0 0)))"), 1 + 8);
    assert_eq!(spent("", "(drop (memory.grow (i32.const 0)))"), 1 + 10);
    assert_eq!(spent("(func $f) (elem declare func $f)", "(drop (ref.func $f))"), 10);
}
