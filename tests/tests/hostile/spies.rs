//! Agents that want to know what they are not told: earlier matches, and who the others are.

use std::sync::Arc;

use arena_core::{Contestant, Referee};
use arena_host::Sandbox;
use arena_tests::Guest;
use arena_tests::zoo::{Attempt, case};
use farkle::{ScoreTable, presets};

use crate::arena::{TABLE, limits};

fn referee() -> Referee {
    let mut referee = Referee::new(Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN)), 2, limits()).unwrap();
    referee.keep_calls();
    referee
}

/// Whatever it leaves behind (a global, memory it has, memory it grew, a table, a dropped segment), and
/// however it ends.
#[test]
fn nothing_is_left_for_the_next_match_not_even_by_a_fault() {
    let marks = "
        (global.set $mark (i32.const 1)) (i32.store (i32.const 40000) (i32.const 1))
        (drop (memory.grow (i32.const 900))) (i32.store (i32.const 50000000) (i32.const 1))
        (table.set $t (i32.const 7) (ref.func $f)) (drop (table.grow $t (ref.func $f) (i32.const 90000)))
        (data.drop $d) (global.set $free (i32.const 9999))";
    let sees = "
        (if (global.get $mark) (then unreachable)) (if (i32.load (i32.const 40000)) (then unreachable))
        (if (i32.ne (memory.size) (i32.const 1)) (then unreachable))
        (if (i32.ne (memory.grow (i32.const 900)) (i32.const 1)) (then unreachable))
        (if (i32.load (i32.const 50000000)) (then unreachable))
        (if (i32.eqz (ref.is_null (table.get $t (i32.const 7)))) (then unreachable))
        (if (i32.ne (table.size $t) (i32.const 10)) (then unreachable))
        (memory.init $d (i32.const 8000) (i32.const 0) (i32.const 3))";
    let items = "(global $mark (mut i32) (i32.const 0)) (table $t 10 funcref) (func $f) (elem declare func $f) (data $d \"abc\")";
    for end in ["", "unreachable", "(loop $again (br $again))", "(drop (i32.load (i32.const -1)))"] {
        for pooled in [true, false] {
            case(&format!("ended by {end:?}{}", if pooled { ", in a pool" } else { "" }));
            let mut attempt = Attempt::expecting("its next match finds all as new, on each of 6 seeds");
            let sandbox = Sandbox::with_pool(pooled).unwrap();
            let load = |guest: &Guest| sandbox.load(&guest.component()).unwrap();
            let leaves = load(&Guest::banks().also(items).start(marks).before_deciding(end));
            let finds = load(&Guest::banks().also(items).start(sees));
            let rival = load(&Guest::banks());
            for seed in 0..6 {
                let left = referee().play(seed, &[&leaves, &rival]).unwrap();
                assert_eq!(left.faults.is_empty(), end.is_empty());
                let next = referee().play(seed, &[&finds, &rival]).unwrap();
                attempt.saw(format!("on seed {seed} the next match has {} faults", next.faults.len()));
                assert_eq!(next.faults, []);
            }
            attempt.held();
        }
    }
}

/// It asks for all that there is to know, and everything it is told is in its calls.
#[test]
fn opponents_who_play_alike_cannot_be_told_apart() {
    let sandbox = Sandbox::new().unwrap();
    let load = |guest: &Guest| sandbox.load(&guest.component()).unwrap();
    // Sums up what it sees, and lets the sum decide.
    let spy = Guest::new()
        .banks_if("(i32.or (i32.and (global.get $sum) (i32.const 1)) (i32.ge_s (local.get $at_risk) (i32.const 300)))")
        .imports(TABLE)
        .also("(global $sum (mut i32) (i32.const 0))")
        .start("(global.set $sum (i32.add (local.get $seat) (i32.wrap_i64 (local.get $seed))))")
        .before_deciding(
            "(local $at i32) (local $end i32)
             (global.set $free (i32.const 8192))
             (call $scores (i32.const 4096)) (call $history (i32.const 0) (i32.const 4104))
             (local.set $at (i32.const 4096)) (local.set $end (i32.and (i32.add (global.get $free) (i32.const 3)) (i32.const -4)))
             (loop $again
                 (global.set $sum (i32.add (i32.mul (global.get $sum) (i32.const 31)) (i32.load (local.get $at))))
                 (local.set $at (i32.add (local.get $at) (i32.const 4)))
                 (br_if $again (i32.lt_u (local.get $at) (local.get $end))))",
        );
    let spy = load(&spy);
    let one = load(&Guest::banks());
    // Other bytes, another name, other fuel and memory; the same decisions.
    let other = load(
        &Guest::banks()
            .memory("(memory (export \"memory\") 200)")
            .also("(func $other)")
            .identity(
                "(i32.store (i32.const 64) (i32.const 16)) (i32.store (i32.const 68) (i32.const 3)) (i32.const 64)",
            )
            .before_deciding("(call $other)"),
    );
    assert_ne!(one.sha256(), other.sha256());
    for seat in [0, 1] {
        case(&format!("from seat {seat}"));
        let mut attempt = Attempt::expecting("told and answers the same against both, on each of 10 seeds");
        for seed in 0..10 {
            let calls = |rival: &dyn Contestant| {
                let mut referee = referee();
                let mut seats: [&dyn Contestant; 2] = [&spy, rival];
                seats.rotate_left(seat);
                assert_eq!(referee.play(seed, &seats).unwrap().faults, []);
                let own = referee.calls().iter().filter(|call| usize::from(call.seat) == seat);
                own.map(|call| format!("{call:?}")).collect::<Vec<_>>()
            };
            let (one, other) = (calls(&one), calls(&other));
            let same = one.iter().zip(&other).filter(|(one, other)| one == other).count();
            attempt.saw(format!("on seed {seed} {same} of {} calls are the same", one.len().max(other.len())));
            assert_eq!(one, other);
        }
        attempt.held();
    }
}
