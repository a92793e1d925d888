//! Agents that never stop, or nearly.

use arena_core::FaultKind;
use arena_tests::Guest;

use crate::arena::{FOREVER, NOTE, TABLE, about, assert_fault, attack};

fn after_returning(function: &str, body: &str) -> String {
    format!("(func (export \"cabi_post_farkle:arena/agent@0.1.0#{function}\") (param i32) {body})")
}

#[test]
fn an_allocator_that_loops_runs_out_of_fuel() {
    let guest = Guest::banks().imports(TABLE).realloc(&format!("{FOREVER} unreachable"));
    let asks = "(call $scores (i32.const 4096))";
    assert_fault(&guest.clone().before_deciding(asks), FaultKind::OutOfFuel, "`decide` spent its 1000000 units");
    assert_fault(&guest.clone().start(asks), FaultKind::OutOfFuel, "`start` spent its 1000000 units");
    // A second list, when there are events to tell.
    let asks = "(if (local.get $turns) (then (call $history (i32.const 0) (i32.const 4096))))";
    assert_fault(&guest.before_deciding(asks), FaultKind::OutOfFuel, "`decide` spent its");
}

#[test]
fn identity_that_loops_is_given_up_and_the_agent_plays() {
    for guest in [
        Guest::banks().identity(&format!("{FOREVER} unreachable")),
        Guest::banks().also(&after_returning("identity", FOREVER)),
    ] {
        let refused = about(&guest).unwrap_err().to_string();
        assert!(refused.contains("`identity` spent its 200000000 units"), "{refused}");
    }
}

#[test]
fn what_runs_after_returning_is_part_of_the_call() {
    let guest = |body: &str| Guest::banks().imports(NOTE).also(&after_returning("decide", body));
    assert_fault(&guest(FOREVER), FaultKind::OutOfFuel, "`decide` spent its 1000000 units");
    assert_fault(&guest("unreachable"), FaultKind::Trap, "unreachable");
    // Nothing may be called there.
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
    let attack = attack(&Guest::banks().before_deciding(slow));
    attack.is_legal();
    let decisions = &attack.fuel[1..];
    assert!(decisions.len() > 20, "{} decisions", decisions.len());
    assert!(decisions.iter().all(|fuel| (990_000..1_000_000).contains(fuel)), "{decisions:?}");
}
