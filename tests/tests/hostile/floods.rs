//! Agents that call the arena without end.

use arena_core::{FaultKind, Limits};
use arena_tests::Guest;
use arena_tests::zoo::case;

use crate::arena::{Expected, LOG, NOTE, TABLE, assert_fault, assert_more, assert_with_wasi, assert_within, limits};

fn for_ever(call: &str) -> String {
    format!("(loop $again {call} (br $again))")
}

/// So many bytes of log are kept in a match.
const LOG_BYTES: usize = 64 << 10;

#[test]
fn calls_for_ever_run_out_of_fuel() {
    for call in [
        "(call $scores (i32.const 4096)) (global.set $free (i32.const 8192))",
        "(call $history (i32.const 0) (i32.const 4096)) (global.set $free (i32.const 8192))",
        "(call $history (i32.const -1) (i32.const 4096))",
        "(call $history (i32.const 0x80000000) (i32.const 4096))",
    ] {
        case(call);
        let guest = Guest::banks().imports(TABLE).before_deciding(&for_ever(call));
        assert_fault(&guest, FaultKind::OutOfFuel, "`decide` spent its 1000000 units");
    }
}

fn many(call: &str, times: u32) -> String {
    format!(
        "(local $left i32) (local.set $left (i32.const {times}))
        (loop $again {call} (br_if $again (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))"
    )
}

#[test]
fn history_is_asked_a_million_times_for_what_never_was() {
    for (index, times) in [("-1", 1_000_000), ("0x80000000", 10_000), ("1000000", 10_000)] {
        case(&format!("{times} times from event {index} on"));
        let asks = format!(
            "(call $history (i32.const {index}) (i32.const 4096))
            (if (i32.load offset=4 (i32.const 4096)) (then unreachable))"
        );
        let guest = Guest::banks().imports(TABLE).start(&many(&asks, times));
        let limits = Limits { start_fuel: 1_000_000_000, ..limits() };
        assert_within(&guest, limits, Expected::Legal);
    }
}

#[test]
fn a_log_has_an_end_and_is_no_fault() {
    for (call, times) in [
        ("(call $log (i32.const 0) (i32.const 60000))", 10),
        ("(call $log (i32.const 0) (i32.const 1000))", 500),
        ("(call $log (i32.const 0) (i32.const 0))", 4_000),
    ] {
        case(&format!("{times} times {call}"));
        let guest = Guest::banks().imports(LOG).before_deciding(&many(call, times));
        assert_more(&guest, Expected::Legal, ", 64 KiB of notes kept", |attack, _| {
            assert!((1..=LOG_BYTES).contains(&attack.noted()), "{} bytes", attack.noted());
        });
    }
    case("for ever");
    let logs = Guest::banks().imports(LOG).before_deciding(&for_ever("(call $log (i32.const 0) (i32.const 9))"));
    assert_fault(&logs, FaultKind::OutOfFuel, "`decide` spent its");
}

#[test]
fn a_line_that_never_ends_is_cut() {
    let notes = "(call $note (i64.const 0x6161616161616161) (i32.const 8))";
    let guest = Guest::banks().imports(NOTE).before_deciding(&for_ever(notes));
    let expected = Expected::Fault(FaultKind::OutOfFuel, "`decide` spent its");
    assert_more(&guest, expected, ", 64 KiB of notes kept", |attack, said| {
        assert!(attack.noted() <= LOG_BYTES, "{} bytes", attack.noted());
        assert!(said.len() < 10_000, "the fault does not carry the line");
    });
}

#[test]
fn wasi_for_ever_runs_out_of_fuel() {
    const WASI: &str = r#"
        (import "wasi:clocks/monotonic-clock@0.2.12" "now" (func $now (result i64)))
        (import "wasi:clocks/monotonic-clock@0.2.12" "subscribe-duration" (func $after (param i64) (result i32)))
        (import "wasi:io/poll@0.2.12" "[method]pollable.block" (func $block (param i32)))
        (import "wasi:io/poll@0.2.12" "[resource-drop]pollable" (func $drop-pollable (param i32)))
        (import "wasi:random/random@0.2.12" "get-random-bytes" (func $random (param i64 i32)))
        (import "wasi:cli/stderr@0.2.12" "get-stderr" (func $stderr (result i32)))
        (import "wasi:io/streams@0.2.12" "[method]output-stream.blocking-write-and-flush"
            (func $write (param i32 i32 i32 i32)))"#;
    for (name, set_up, call) in [
        ("asking the time", "", "(drop (call $now))"),
        (
            "waiting",
            "",
            "(global.set $held (call $after (i64.const -1))) (call $block (global.get $held)) (call $drop-pollable (global.get $held))",
        ),
        (
            "asking for random bytes",
            "",
            "(call $random (i64.const 1000) (i32.const 4096)) (global.set $free (i32.const 8192))",
        ),
        (
            "printing",
            "(global.set $held (call $stderr))",
            "(call $write (global.get $held) (i32.const 8192) (i32.const 4096) (i32.const 4096))",
        ),
        (
            "printing lines of nothing",
            "(global.set $held (call $stderr)) (memory.fill (i32.const 8192) (i32.const 10) (i32.const 4096))",
            "(call $write (global.get $held) (i32.const 8192) (i32.const 4096) (i32.const 4096))",
        ),
    ] {
        let guest = Guest::banks()
            .imports(WASI)
            .also("(global $held (mut i32) (i32.const 0))")
            .start(set_up)
            .before_deciding(&for_ever(call));
        case(name);
        assert_with_wasi(&guest, Expected::Fault(FaultKind::OutOfFuel, "`decide` spent its"), "", |_, said| {
            assert!(said.len() < 10_000, "{} bytes", said.len());
        });
    }
}

#[test]
fn a_line_printed_costs_more_than_its_byte() {
    const PRINT: &str = r#"
        (import "wasi:cli/stdout@0.2.12" "get-stdout" (func $stdout (result i32)))
        (import "wasi:io/streams@0.2.12" "[method]output-stream.blocking-write-and-flush"
            (func $write (param i32 i32 i32 i32)))"#;
    let prints = |byte: u8| {
        Guest::banks().imports(PRINT).start(&format!(
            "(memory.fill (i32.const 8192) (i32.const {byte}) (i32.const 1000))
             (call $write (call $stdout) (i32.const 8192) (i32.const 1000) (i32.const 4096))"
        ))
    };
    case("bytes");
    let plain = assert_with_wasi(&prints(b'x'), Expected::Legal, "", |_, _| ()).fuel[0];
    case("line ends");
    assert_with_wasi(&prints(b'\n'), Expected::Legal, ", at 50 more of fuel for each", |attack, _| {
        assert_eq!(attack.fuel[0] - plain, 50 * 1_000);
    });
}
