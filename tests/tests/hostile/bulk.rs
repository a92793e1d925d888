//! Agents that move memory and tables about. How long the fuel of it takes is measured by
//! `tests/examples/bulk-cost.rs`.

use std::ops::Range;

use arena_core::FaultKind;
use arena_tests::Guest;
use arena_tests::zoo::case;

use crate::arena::{Expected, assert_fault, assert_more, fuel_of};

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

/// Done once in `start`, an instruction costs as much as this.
#[track_caller]
fn assert_costs(guest: &Guest, instruction: &str, fuel: Range<u64>) {
    case(instruction);
    let plain = fuel_of(guest)[0];
    let also = match fuel.end - fuel.start {
        1 => format!(", at {} of fuel", fuel.start),
        _ => format!(", at {} of fuel or hardly more", fuel.start),
    };
    assert_more(&guest.clone().start(instruction), Expected::Legal, &also, |attack, _| {
        let spent = attack.fuel[0] - plain;
        assert!(fuel.contains(&spent), "{instruction}: {spent}");
    });
}

#[test]
fn bulk_costs_by_length() {
    for (items, instruction, length) in BULK {
        let guest = Guest::banks().also(items);
        assert_costs(&guest, instruction, length..length + 100);
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
        assert_costs(&guest, instruction, 20_000..20_100);
        let again = format!("(loop $again {instruction} (br $again))");
        case(&again);
        assert_fault(&guest.before_deciding(&again), FaultKind::OutOfFuel, "`decide` spent its");
    }
}

#[test]
fn bulk_for_ever_runs_out_of_fuel() {
    for (items, instruction, _) in BULK {
        let again = format!("(loop $again {instruction} (br $again))");
        case(&again);
        assert_fault(&Guest::banks().also(items).before_deciding(&again), FaultKind::OutOfFuel, "`decide` spent its");
    }
}

/// What takes long in the machine costs more than a unit.
#[test]
fn slow_instructions_cost_more() {
    let assert_cost = |items: &str, instruction: &str, fuel: u64| {
        assert_costs(&Guest::banks().also(items), instruction, fuel..fuel + 1);
    };
    // A constant and the instruction.
    assert_cost("", "(drop (i32.load (i32.const 0)))", 1 + 10);
    assert_cost("", "(drop (v128.load (i32.const 0)))", 1 + 10);
    assert_cost("", "(drop (f64.ceil (f64.const 1)))", 1 + 2);
    assert_cost("", "(drop (f32x4.nearest (v128.const i64x2 0 0)))", 1 + 8);
    assert_cost("", "(drop (memory.grow (i32.const 0)))", 1 + 10);
    assert_cost("(func $f) (elem declare func $f)", "(drop (ref.func $f))", 10);
}
