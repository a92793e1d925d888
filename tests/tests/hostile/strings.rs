//! Agents that hand over strings which are none, and addresses that lead nowhere.

use arena_core::FaultKind;
use arena_tests::Guest;

use crate::arena::{LOG, NOTE, TABLE, about, assert_fault, attack};

fn says(pointer: i64, length: i64) -> Guest {
    Guest::banks().identity(&format!(
        "(i32.store (i32.const 64) (i32.const {pointer})) (i32.store (i32.const 68) (i32.const {length})) (i32.const 64)"
    ))
}

#[test]
fn an_identity_that_is_no_text_is_refused() {
    for guest in [
        says(16, 0xffff_ffff),
        says(0xffff_fff0, 100),
        says(65_530, 100),
        says(200, 4).also("(data (i32.const 200) \"ok\\ff\\fe\")"),
        // Longer than is taken in one call.
        says(0, 1 << 18).memory("(memory (export \"memory\") 8)"),
        // Strings beside the memory, and at no multiple of four.
        Guest::banks().identity("(i32.const -4)"),
        Guest::banks().identity("(i32.const 65)"),
        Guest::banks().identity("unreachable"),
    ] {
        let said = about(&guest).unwrap_err().to_string();
        assert!(said.contains("it cannot be instantiated: trap: `identity`"), "{said}");
    }
    assert_eq!(about(&says(16, 5)).unwrap().name, "guest");
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
        assert_fault(&guest, FaultKind::Trap, why);
    }
    let nowhere = Guest::banks().imports(TABLE).before_deciding("(call $scores (i32.const -8))");
    assert_fault(&nowhere, FaultKind::Trap, "`decide` failed");
    // Over its own code and data: that is the agent's business.
    let own = Guest::banks().imports(TABLE).realloc("(i32.const 16)").before_deciding("(call $scores (i32.const 16))");
    attack(&own).is_legal();
}

#[test]
fn logs_of_four_gigabytes_are_faults() {
    for arguments in [
        "(i32.const 0) (i32.const 0xffffffff)",
        "(i32.const 0x7fffffff) (i32.const 0x80000000)",
        "(i32.const 0) (i32.const 0x40000)",
    ] {
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
        let guest =
            Guest::banks().imports(NOTE).before_deciding(&format!("(call $note (i64.const -1) (i32.const {count}))"));
        assert_fault(&guest, FaultKind::Trap, "`note` takes at most 8 bytes");
    }
    // What is no text is shown as such.
    let guest = Guest::banks().imports(NOTE).before_deciding("(call $note (i64.const -1) (i32.const 1))");
    let attack = attack(&guest);
    attack.is_legal();
    assert_eq!(attack.notes[0], "\u{fffd}");
}

#[test]
fn a_fault_does_not_carry_a_whole_log() {
    let guest = Guest::banks().imports(LOG).before_deciding("(call $log (i32.const 0) (i32.const 60000)) unreachable");
    let attack = attack(&guest);
    let (kind, said) = attack.fault();
    assert_eq!(kind, FaultKind::Trap);
    assert!(said.contains("it noted last") && said.len() < 5_000, "{} bytes", said.len());
}
