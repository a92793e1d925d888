//! Agents that hand over strings which are none, and addresses that lead nowhere.

use arena_core::FaultKind;
use arena_tests::Guest;
use arena_tests::zoo::case;

use crate::arena::{Expected, LOG, NOTE, TABLE, assert_fault, assert_legal, assert_more, assert_says};

fn says(pointer: i64, length: i64) -> Guest {
    Guest::banks().identity(&format!(
        "(i32.store (i32.const 64) (i32.const {pointer})) (i32.store (i32.const 68) (i32.const {length})) (i32.const 64)"
    ))
}

#[test]
fn an_identity_that_is_no_text_is_refused() {
    for (name, guest) in [
        ("of 4 GiB", says(16, 0xffff_ffff)),
        ("past the end of what can be addressed", says(0xffff_fff0, 100)),
        ("past the end of memory", says(65_530, 100)),
        ("no UTF-8", says(200, 4).also("(data (i32.const 200) \"ok\\ff\\fe\")")),
        ("longer than is taken in one call", says(0, 1 << 18).memory("(memory (export \"memory\") 8)")),
        ("strings beside the memory", Guest::banks().identity("(i32.const -4)")),
        ("strings at no multiple of four", Guest::banks().identity("(i32.const 65)")),
        ("a trap", Guest::banks().identity("unreachable")),
    ] {
        case(name);
        assert_says(&guest, Err("it cannot be instantiated: trap: `identity`"));
    }
    case("what is text");
    assert_says(&says(16, 5), Ok("guest"));
}

#[test]
fn an_allocator_that_gives_no_memory_is_at_fault() {
    for (address, why) in [
        ("-8", "realloc return: beyond end of memory"),
        ("65532", "realloc return: beyond end of memory"),
        ("4098", "realloc return: result not aligned"),
        ("0x7ffffff8", "realloc return: beyond end of memory"),
    ] {
        let guest = Guest::banks()
            .imports(TABLE)
            .realloc(&format!("(i32.const {address})"))
            .before_deciding("(call $scores (i32.const 8192))");
        case(&format!("it gives {address}"));
        assert_fault(&guest, FaultKind::Trap, why);
    }
    case("the arena is asked to write to -8");
    let nowhere = Guest::banks().imports(TABLE).before_deciding("(call $scores (i32.const -8))");
    assert_fault(&nowhere, FaultKind::Trap, "`decide` failed");
    // Over its own code and data: that is the agent's business.
    let own = Guest::banks().imports(TABLE).realloc("(i32.const 16)").before_deciding("(call $scores (i32.const 16))");
    case("it gives what is in use");
    assert_legal(&own);
}

#[test]
fn logs_of_four_gigabytes_are_faults() {
    for arguments in [
        "(i32.const 0) (i32.const 0xffffffff)",
        "(i32.const 0x7fffffff) (i32.const 0x80000000)",
        "(i32.const 0) (i32.const 0x40000)",
    ] {
        case(&format!("at and of {arguments}"));
        let guest = Guest::banks()
            .memory("(memory (export \"memory\") 8)")
            .imports(LOG)
            .before_deciding(&format!("(call $log {arguments})"));
        assert_fault(&guest, FaultKind::Trap, "`decide` failed");
    }
}

#[test]
fn a_note_has_at_most_eight_bytes() {
    for count in ["9", "-1", "0x80000000"] {
        case(&format!("{count} bytes"));
        let guest =
            Guest::banks().imports(NOTE).before_deciding(&format!("(call $note (i64.const -1) (i32.const {count}))"));
        assert_fault(&guest, FaultKind::Trap, "`note` takes at most 8 bytes");
    }
    // What is no text is shown as such.
    let guest = Guest::banks().imports(NOTE).before_deciding("(call $note (i64.const -1) (i32.const 1))");
    case("a byte that is no text");
    assert_more(&guest, Expected::Legal, ", noting U+FFFD", |attack, _| assert_eq!(attack.notes[0], "\u{fffd}"));
}

#[test]
fn a_fault_does_not_carry_a_whole_log() {
    let guest = Guest::banks().imports(LOG).before_deciding("(call $log (i32.const 0) (i32.const 60000)) unreachable");
    assert_more(&guest, Expected::Fault(FaultKind::Trap, "it noted last"), " in 5000 bytes", |_, said| {
        assert!(said.len() < 5_000, "{} bytes", said.len());
    });
}

/// The contract's answer is a number: faces in six groups of four bits, and a flag. Whatever else there is
/// in it has no meaning.
#[test]
fn flags_and_counts_out_of_range_are_malformed_or_illegal() {
    for bit in 25..32 {
        case(&format!("bit {bit} of an answer"));
        // The flag to bank is bit 24.
        let guest = Guest::new().banks_if(&format!("(i32.const {})", 1u32 << (bit - 24)));
        assert_fault(&guest, FaultKind::MalformedAnswer, "0x");
    }
    for face in 0..6 {
        case(&format!("15 dice of face {}", face + 1));
        let guest = Guest::new().decide(&format!("(i32.const {})", 15u32 << (4 * face)));
        assert_fault(&guest, FaultKind::IllegalKeep, "are kept");
    }
}
