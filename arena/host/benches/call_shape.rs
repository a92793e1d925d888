//! What the shape of the hot call costs: a component that does nothing, called in different shapes.
//!
//! `cargo bench -p arena-host --bench call_shape`. Figures and the decision: docs/contract.md. Without
//! `--bench`, which cargo adds, every shape is only tried, and the figures mean nothing.

use std::time::Instant;
use wasmtime::component::{Component, ComponentNamedList, ComponentType, Lift, Linker, Lower, TypedFunc};
use wasmtime::{Config, Engine, Store};

fn engine() -> Engine {
    let mut c = Config::new();
    c.consume_fuel(true);
    c.concurrency_support(false);
    c.cranelift_nan_canonicalization(true);
    Engine::new(&c).unwrap()
}

const COUNTS: &str =
    "(field \"a\" u8) (field \"b\" u8) (field \"c\" u8) (field \"d\" u8) (field \"e\" u8) (field \"f\" u8)";

fn component(params: &str, n: usize, result: &str, core_result: &str, body: &str, extra: &str) -> String {
    let core_params = "i32 ".repeat(n);
    format!(
        r#"(component
 (core module $m (memory (export "memory") 1) (func (export "decide") (param {core_params}) {core_result} {body}))
 (core instance $i (instantiate $m))
 (alias core export $i "memory" (core memory $mem))
 (type $roll' (record {COUNTS})) (export $roll "roll" (type $roll'))
 (type $next' (enum "roll" "bank")) (export $next "next" (type $next'))
 {extra}
 (func $f {params} {result} (canon lift (core func $i "decide") (memory $mem)))
 (export "decide" (func $f)))"#
    )
}

fn run<P, R>(engine: &Engine, name: &str, wat: &str, args: P)
where
    P: ComponentNamedList + Lower + Copy + Send + Sync + 'static,
    R: ComponentNamedList + Lift + Send + Sync + 'static,
{
    let component =
        Component::new(engine, wat::parse_str(wat).unwrap()).unwrap_or_else(|e| panic!("{name}: {e:?}\n{wat}"));
    let linker = Linker::<()>::new(engine);
    let mut store = Store::new(engine, ());
    store.set_fuel(1 << 40).unwrap();
    let instance = linker.instantiate(&mut store, &component).unwrap();
    let f: TypedFunc<P, R> = instance.get_typed_func(&mut store, "decide").unwrap();
    let mut best = f64::MAX;
    let (times, n) = if measures() { (20, 100_000) } else { (1, 10) };
    for _ in 0..times {
        let t = Instant::now();
        for _ in 0..n {
            store.set_fuel(20_000_000).unwrap();
            std::hint::black_box(f.call(&mut store, args).unwrap());
        }
        best = best.min(t.elapsed().as_nanos() as f64 / n as f64);
    }
    println!("{name:<46} {best:>7.1} ns");
}

#[derive(ComponentType, Lower, Lift, Clone, Copy)]
#[component(record)]
struct Counts {
    a: u8,
    b: u8,
    c: u8,
    d: u8,
    e: u8,
    f: u8,
}
#[derive(ComponentType, Lower, Lift, Clone, Copy)]
#[component(enum)]
#[repr(u8)]
#[expect(dead_code, reason = "made by lifting only")]
enum Next {
    #[component(name = "roll")]
    Roll,
    #[component(name = "bank")]
    Bank,
}
#[derive(ComponentType, Lower, Lift, Clone, Copy)]
#[component(record)]
struct Turn {
    roll: Counts,
    #[component(name = "at-risk")]
    at_risk: u32,
    score: i32,
    rival: i32,
    turns: u32,
    streak: u32,
    opening: u32,
    rolls: u32,
    closing: bool,
}
#[derive(ComponentType, Lower, Lift, Clone, Copy)]
#[component(record)]
struct Packed {
    roll: u32,
    #[component(name = "at-risk")]
    at_risk: u32,
    score: i32,
    rival: i32,
    turns: u32,
    streak: u32,
    opening: u32,
    rolls: u32,
    closing: bool,
}
#[derive(ComponentType, Lower, Lift, Clone, Copy)]
#[component(record)]
struct Decision {
    keep: Counts,
    next: Next,
}

/// Whether there is time to measure.
fn measures() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

fn main() {
    let engine = engine();
    let c = Counts { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 };
    let turn = Turn {
        roll: c,
        at_risk: 300,
        score: 100,
        rival: 100,
        turns: 3,
        streak: 0,
        opening: 0,
        rolls: 1,
        closing: false,
    };
    let packed = Packed {
        roll: 0x111111,
        at_risk: 300,
        score: 100,
        rival: 100,
        turns: 3,
        streak: 0,
        opening: 0,
        rolls: 1,
        closing: false,
    };
    let rest = "(field \"at-risk\" u32) (field \"score\" s32) (field \"rival\" s32) (field \"turns\" u32) (field \"streak\" u32) (field \"opening\" u32) (field \"rolls\" u32) (field \"closing\" bool)";
    let turn_t = format!("(type $turn' (record (field \"roll\" $roll) {rest})) (export $turn \"turn\" (type $turn'))");
    let packed_t = format!("(type $turn' (record (field \"roll\" u32) {rest})) (export $turn \"turn\" (type $turn'))");
    let dec_t = "(type $decision' (record (field \"keep\" $roll) (field \"next\" $next))) (export $decision \"decision\" (type $decision'))";
    for round in 0..if measures() { 2 } else { 1 } {
        println!("round {round}");
        run::<(), ()>(&engine, "no arguments, no result", &component("", 0, "", "", "", ""), ());
        run::<(), (u32,)>(
            &engine,
            "no arguments, u32",
            &component("", 0, "(result u32)", "(result i32)", "i32.const 0", ""),
            (),
        );
        run::<(Turn,), (u32,)>(
            &engine,
            "14 scalars -> u32",
            &component("(param \"t\" $turn)", 14, "(result u32)", "(result i32)", "i32.const 0", &turn_t),
            (turn,),
        );
        run::<(Packed,), (u32,)>(
            &engine,
            "9 scalars (packed roll) -> u32",
            &component("(param \"t\" $turn)", 9, "(result u32)", "(result i32)", "i32.const 0", &packed_t),
            (packed,),
        );
        run::<(Turn,), (Decision,)>(
            &engine,
            "14 scalars -> record in memory",
            &component(
                "(param \"t\" $turn)",
                14,
                "(result $decision)",
                "(result i32)",
                "i32.const 64",
                &format!("{turn_t} {dec_t}"),
            ),
            (turn,),
        );
        run::<(Packed,), (Decision,)>(
            &engine,
            "9 scalars -> record in memory",
            &component(
                "(param \"t\" $turn)",
                9,
                "(result $decision)",
                "(result i32)",
                "i32.const 64",
                &format!("{packed_t} {dec_t}"),
            ),
            (packed,),
        );
    }
}
