//! Agents that never stop, or nearly.

use arena_core::FaultKind;
use arena_tests::Guest;
use arena_tests::zoo::case;

use crate::arena::{Expected, FOREVER, NOTE, TABLE, assert_fault, assert_more, assert_says};

fn after_returning(function: &str, body: &str) -> String {
    format!("(func (export \"cabi_post_farkle:arena/agent@0.1.0#{function}\") (param i32) {body})")
}

#[test]
fn an_allocator_that_loops_runs_out_of_fuel() {
    let guest = Guest::banks().imports(TABLE).realloc(&format!("{FOREVER} unreachable"));
    let asks = "(call $scores (i32.const 4096))";
    case("in `decide`");
    assert_fault(&guest.clone().before_deciding(asks), FaultKind::OutOfFuel, "`decide` spent its 1000000 units");
    case("in `start`");
    assert_fault(&guest.clone().start(asks), FaultKind::OutOfFuel, "`start` spent its 1000000 units");
    case("for a list of events");
    let asks = "(if (local.get $turns) (then (call $history (i32.const 0) (i32.const 4096))))";
    assert_fault(&guest.before_deciding(asks), FaultKind::OutOfFuel, "`decide` spent its");
}

#[test]
fn identity_that_loops_is_given_up_and_the_agent_plays() {
    for (name, guest) in [
        ("in the call", Guest::banks().identity(&format!("{FOREVER} unreachable"))),
        ("after it", Guest::banks().also(&after_returning("identity", FOREVER))),
    ] {
        case(name);
        assert_says(&guest, Err("`identity` spent its 200000000 units"));
    }
}

#[test]
fn what_runs_after_returning_is_part_of_the_call() {
    let guest = |body: &str| Guest::banks().imports(NOTE).also(&after_returning("decide", body));
    case("a loop");
    assert_fault(&guest(FOREVER), FaultKind::OutOfFuel, "`decide` spent its 1000000 units");
    case("a trap");
    assert_fault(&guest("unreachable"), FaultKind::Trap, "unreachable");
    // Nothing may be called there.
    case("a call of the arena");
    assert_fault(&guest("(call $note (i64.const 0) (i32.const 0))"), FaultKind::Trap, "cannot leave component");
}

#[test]
fn a_set_up_may_not_call_for_ever_either() {
    let guest = Guest::banks()
        .imports(NOTE)
        .start_function("(loop $again (call $note (i64.const 0) (i32.const 0)) (br $again))");
    assert_fault(&guest, FaultKind::OutOfFuel, "set-up");
}

#[test]
fn who_burns_nearly_all_fuel_at_every_decision_plays_by_the_rules() {
    let slow = "(local $left i32) (local.set $left (i32.const 199000))
        (loop $again (br_if $again (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))";
    let also = " with 99% of its fuel at each decision";
    assert_more(&Guest::banks().before_deciding(slow), Expected::Legal, also, |attack, _| {
        let decisions = &attack.fuel[1..];
        assert!(decisions.len() > 20, "{} decisions", decisions.len());
        assert!(decisions.iter().all(|fuel| (990_000..1_000_000).contains(fuel)), "{decisions:?}");
    });
}

#[test]
fn recursion_without_end_overflows_the_stack_and_not_the_arena() {
    let one = "(func $deep (param i32) (result i32) (i32.add (call $deep (local.get 0)) (local.get 0)))";
    let two = "(func $a (param i64) (call $b (local.get 0)) (drop (local.get 0))) (func $b (param i64) (call $a (local.get 0)))";
    let through = "(type $f (func)) (table $t 1 funcref) (elem (i32.const 0) $round)
        (func $round (call_indirect $t (type $f) (i32.const 0)) (global.set $free (i32.const 8)))";
    for (name, items, call) in [
        ("one function", one, "(drop (call $deep (i32.const 1)))"),
        ("two that call each other", two, "(call $a (i64.const 1))"),
        ("through a table", through, "(call $round)"),
    ] {
        let guest = Guest::banks().also(items);
        case(&format!("{name}, in `decide`"));
        assert_fault(&guest.clone().before_deciding(call), FaultKind::StackOverflow, "nest too deep");
        case(&format!("{name}, in `start`"));
        assert_fault(&guest.clone().start(call), FaultKind::StackOverflow, "nest too deep");
        case(&format!("{name}, in a start function"));
        assert_fault(&guest.start_function(call), FaultKind::StackOverflow, "nest too deep");
    }
    // The allocator runs on top of the arena's own call.
    case("an allocator");
    let guest = Guest::banks().imports(TABLE).also(one).realloc("(call $deep (i32.const 1))");
    assert_fault(&guest.before_deciding("(call $scores (i32.const 4096))"), FaultKind::StackOverflow, "nest too deep");
}
