//! Agents that use what the arena does not allow, and floating point that could tell machines apart.

use arena_host::{Refused, Sandbox};
use arena_tests::zoo::case;
use arena_tests::{Guest, guest_beside, guest_that_logs_to};

use crate::arena::{LOG, assert_legal, assert_refused};

#[test]
fn proposals_that_are_off_are_refused_by_name() {
    for (module, why) in [
        ("(module (memory 1 2 shared))", "threads must be enabled for shared memories"),
        ("(module (memory i64 1))", "memory64 must be enabled"),
        ("(module (memory 1) (memory 1))", "multiple memories"),
        ("(module (func $f return_call $f))", "tail calls support is not enabled"),
        ("(module (type (struct)))", "gc types are disabled"),
        ("(module (tag))", "exceptions proposal not enabled"),
        ("(module (memory 1) (func (drop (i32.atomic.load (i32.const 0)))))", "threads support is not enabled"),
        (
            "(module (func (drop (i8x16.relaxed_swizzle (v128.const i64x2 0 0) (v128.const i64x2 0 0)))))",
            "relaxed SIMD support is not enabled",
        ),
    ] {
        case(module);
        let component = guest_beside(&Guest::banks(), module, 1);
        assert_refused(&component, why);
        let refused = Sandbox::with_pool(false).unwrap().load(&component).err();
        assert!(matches!(refused, Some(Refused::Invalid(_))), "{refused:?}");
    }
}

/// The compiler would panic over it.
#[test]
fn components_that_call_each_other_are_refused() {
    const BETWEEN: &str = r#"(component
        (core module $m (memory (export "memory") 1)
            (func (export "realloc") (param i32 i32 i32 i32) (result i32) (i32.const 8))
            (func (export "log") (param i32 i32)))
        (core instance $i (instantiate $m))
        (func $log (param "message" string)
            (canon lift (core func $i "log") (memory (core memory $i "memory")) (realloc (core func $i "realloc"))))
        (instance $x (export "log" (func $log)))
        (export "farkle:arena/logging@0.1.0" (instance $x))
        (type $faces u32)
        (instance $t (export "faces" (type $faces)))
        (export "farkle:arena/table@0.1.0" (instance $t)))"#;
    let guest = Guest::banks().imports(LOG).before_deciding("(call $log (i32.const 16) (i32.const 5))");
    assert_refused(&guest_that_logs_to(BETWEEN, &guest), "components that call each other");
}

#[test]
fn resources_of_its_own_are_refused() {
    let component = r#"(component (type $r (resource (rep i32))) (core func $new (canon resource.new $r)))"#;
    assert_refused(&wat::parse_str(component).unwrap(), "a resource of its own");
}

/// Traps unless every NaN that can be made has the canonical bits, whatever it was made of.
#[test]
fn every_nan_has_the_same_bits() {
    let canonical = |made: &str| {
        format!("(if (i64.ne (i64.reinterpret_f64 {made}) (i64.const 0x7ff8000000000000)) (then unreachable))")
    };
    let odd = "(f64.reinterpret_i64 (i64.or (i64.const 0xfff4000000000000) (i64.extend_i32_u (local.get $ones))))";
    let checks: String = [
        "(f64.div (f64.convert_i32_s (i32.sub (local.get $ones) (local.get $ones))) (f64.const 0))".to_owned(),
        format!("(f64.add {odd} (f64.const 1))"),
        format!("(f64.mul (f64.const -1) {odd})"),
        format!("(f64.min {odd} (f64.const 1))"),
        format!("(f64.nearest {odd})"),
        format!("(f64.promote_f32 (f32.demote_f64 {odd}))"),
        "(f64.sqrt (f64.sub (f64.const -1) (f64.convert_i32_s (local.get $ones))))".to_owned(),
    ]
    .iter()
    .map(|made| canonical(made))
    .collect();
    assert_legal(&Guest::banks().before_deciding(&checks));
}

#[test]
fn bits_of_nans_decide_the_same_everywhere() {
    // Banks by a bit of a NaN's payload and its sign, over the dice.
    let bits = "(i64.reinterpret_f64 (f64.sub (f64.reinterpret_i64 (i64.or (i64.const 0xfff0000000000001)
        (i64.shl (i64.extend_i32_u (local.get $at_risk)) (i64.const 20)))) (f64.const 1)))";
    let guest =
        Guest::new().banks_if(&format!("(i32.wrap_i64 (i64.and (i64.shr_u {bits} (i64.const 51)) (i64.const 1)))"));
    assert_legal(&guest);
}
