//! The same match is the same match: whatever was played before it, in whatever order, by whatever
//! build; and an engine that would play it otherwise has another fingerprint.

use std::sync::Arc;

use arena_core::{Allowance, Contestant, FaultKind, Limits, Referee, Told};
use arena_host::{ComponentAgent, Sandbox, Wasi};
use arena_tests::Guest;
use farkle::{ScoreTable, presets};

fn referee(limits: Limits) -> Referee {
    Referee::new(Arc::new(ScoreTable::new(&presets::PLAY_TABLE)), 2, limits).unwrap()
}

fn sample(sandbox: &Sandbox, name: &str) -> ComponentAgent {
    let path = format!("{}/../sample-agents/built/{name}.wasm", env!("CARGO_MANIFEST_DIR"));
    sandbox.load(&std::fs::read(path).unwrap()).unwrap()
}

/// The hashes of the matches of some seeds, played one after another.
fn hashes(seats: [&ComponentAgent; 2], seeds: impl Iterator<Item = u64>) -> Vec<(u64, [u8; 32])> {
    let mut referee = referee(Allowance::Standard.limits());
    let contestants = seats.map(|seat| seat as &dyn Contestant);
    seeds.map(|seed| (seed, referee.play(seed, &contestants).unwrap().hash)).collect()
}

#[test]
fn order_and_pooling_and_company_change_nothing() {
    let pooled = Sandbox::with_pool(true).unwrap();
    let on_demand = Sandbox::with_pool(false).unwrap();
    let names = ["random", "max-ev"];
    let [a, b] = names.map(|name| sample(&pooled, name));
    let forward = hashes([&a, &b], 0..40);

    let mut backward = hashes([&a, &b], (0..40).rev());
    backward.reverse();
    assert_eq!(backward, forward);

    let [c, d] = names.map(|name| sample(&on_demand, name));
    assert_eq!(hashes([&c, &d], 0..40), forward);

    // Four threads at once, each beginning elsewhere, and between matches that go wrong.
    let wild = pooled.load(&Guest::new().before_deciding("unreachable").component()).unwrap();
    let (a, b, wild, forward) = (&a, &b, &wild, &forward);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for (seed, hash) in forward.iter().cycle().skip(thread * 10).take(40) {
                    assert_eq!(hashes([a, b], [*seed].into_iter()), [(*seed, *hash)]);
                    hashes([wild, b], [*seed].into_iter());
                }
            });
        }
    });
}

/// What decides a result and is the engine's own: what things cost, and how deep calls may nest. Where
/// one of these lines changes, matches may go otherwise. Then the fingerprint must change too
/// (docs/determinism.md), so that old records say by which engine they were played.
#[test]
fn the_engine_is_the_one_that_the_fingerprint_names() {
    let lock = include_str!("../../Cargo.lock").replace('\r', "");
    let id = Sandbox::id(Wasi::None);
    let pinned = format!("name = \"wasmtime\"\nversion = \"{}\"\n", id.wasmtime);
    assert!(lock.contains(&pinned), "Cargo.lock has another wasmtime than the fingerprint names");

    let sandbox = Sandbox::new().unwrap();
    let mut lines = vec![format!("wasmtime {}", id.wasmtime)];
    if cfg!(target_arch = "x86_64") {
        lines.push(format!("fingerprint {} on x86_64", id.fingerprint));
        lines.push(format!("calls nest {} deep on x86_64", deepest(&sandbox)));
    }
    lines.push(format!("a guest's costs {:?}", costs(&sandbox)));
    let golden = include_str!("../golden/engine.txt").replace('\r', "");
    let expected: Vec<&str> =
        golden.lines().filter(|line| cfg!(target_arch = "x86_64") || !line.ends_with("on x86_64")).collect();
    assert_eq!(lines, expected);
}

/// How often a function can call itself.
fn deepest(sandbox: &Sandbox) -> u32 {
    let survives = |depth: u32| {
        let recursion = "(func $down (param $n i32) (result i32)
            (if (result i32) (local.get $n)
                (then (i32.add (i32.const 1) (call $down (i32.sub (local.get $n) (i32.const 1)))))
                (else (i32.const 0))))";
        let guest = Guest::banks().also(recursion).before_deciding(&format!("(drop (call $down (i32.const {depth})))"));
        let guest = sandbox.load(&guest.component()).unwrap();
        let seats: [&dyn Contestant; 2] = [&guest, &guest];
        let played = referee(Allowance::Standard.limits()).play(7, &seats).unwrap();
        match played.faults.first() {
            Some((_, fault)) => {
                assert_eq!(fault.kind, FaultKind::StackOverflow, "{fault:?}");
                false
            }
            None => true,
        }
    };
    let (mut most, mut too_many) = (1, 1 << 20);
    assert!(survives(most) && !survives(too_many));
    while too_many - most > 1 {
        let middle = (most + too_many) / 2;
        if survives(middle) { most = middle } else { too_many = middle }
    }
    most
}

/// Fuel of `start` and of the first decisions of a guest that uses arithmetic, memory, calls and loops.
fn costs(sandbox: &Sandbox) -> Vec<u64> {
    let work = "(func $work (local $i i32) (local $x i64) (local $f f64)
        (local.set $f (f64.const 1.5))
        (loop $again
            (local.set $x (i64.rotl (i64.mul (local.get $x) (i64.const 31)) (i64.const 7)))
            (local.set $f (f64.sqrt (f64.add (local.get $f) (f64.const 2))))
            (i64.store (i32.const 8) (local.get $x))
            (local.set $x (i64.load (i32.const 4)))
            (memory.fill (i32.const 64) (i32.const 1) (i32.const 100))
            (local.set $i (i32.add (local.get $i) (i32.const 1)))
            (br_if $again (i32.lt_u (local.get $i) (i32.const 10)))))";
    let guest = Guest::banks().also(work).before_deciding("(call $work)").start("(call $work)");
    let guest = sandbox.load(&guest.component()).unwrap();
    let seats: [&dyn Contestant; 2] = [&guest, &guest];
    let mut referee = referee(Allowance::Standard.limits());
    referee.keep_calls();
    referee.play(7, &seats).unwrap();
    let of = |start: bool| {
        let calls = referee.calls().iter().filter(move |call| matches!(call.told, Told::Start(_)) == start);
        calls.map(|call| call.spent.fuel).collect::<Vec<_>>()
    };
    [&of(true)[..1], &of(false)[..3]].concat()
}
