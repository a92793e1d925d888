//! The deterministic WASI, as guests see it that call it by hand.

use std::sync::Arc;

use arena_core::{Allowance, Contestant, FaultKind, Limits, Played, Referee};
use arena_host::{ComponentAgent, Refused, Sandbox, Wasi};
use arena_tests::Guest;
use farkle::{ScoreTable, presets};

/// What guests here tell: `$tell` notes a number as 16 letters from a to p, `$say` a text.
const LOG: &str = r#"(import "farkle:arena/logging@0.1.0" "log" (func $say (param i32 i32)))"#;
const TELL: &str = r#"
    (func $tell (param $number i64) (local $at i32)
        (local.set $at (i32.const 15))
        (loop $next
            (i32.store8 (i32.add (i32.const 300) (local.get $at))
                (i32.add (i32.const 97) (i32.and (i32.wrap_i64 (local.get $number)) (i32.const 15))))
            (local.set $number (i64.shr_u (local.get $number) (i64.const 4)))
            (local.set $at (i32.sub (local.get $at) (i32.const 1)))
            (br_if $next (i32.ge_s (local.get $at) (i32.const 0))))
        (call $say (i32.const 300) (i32.const 16)))"#;

const CLOCK: &str = r#"
    (import "wasi:clocks/monotonic-clock@0.2.12" "now" (func $now (result i64)))
    (import "wasi:clocks/monotonic-clock@0.2.12" "resolution" (func $resolution (result i64)))
    (import "wasi:clocks/monotonic-clock@0.2.12" "subscribe-instant" (func $at (param i64) (result i32)))
    (import "wasi:clocks/monotonic-clock@0.2.12" "subscribe-duration" (func $after (param i64) (result i32)))
    (import "wasi:clocks/wall-clock@0.2.12" "now" (func $date (param i32)))
    (import "wasi:io/poll@0.2.12" "poll" (func $poll (param i32 i32 i32)))
    (import "wasi:io/poll@0.2.12" "[method]pollable.ready" (func $ready (param i32) (result i32)))
    (import "wasi:io/poll@0.2.12" "[method]pollable.block" (func $block (param i32)))
    (import "wasi:io/poll@0.2.12" "[resource-drop]pollable" (func $drop-pollable (param i32)))"#;

const RANDOM: &str = r#"
    (import "wasi:random/random@0.2.12" "get-random-u64" (func $random (result i64)))
    (import "wasi:random/random@0.2.12" "get-random-bytes" (func $random-bytes (param i64 i32)))
    (import "wasi:random/insecure@0.2.12" "get-insecure-random-u64" (func $insecure (result i64)))
    (import "wasi:random/insecure-seed@0.2.12" "insecure-seed" (func $insecure-seed (param i32)))"#;

const PRINT: &str = r#"
    (import "wasi:cli/stdout@0.2.12" "get-stdout" (func $stdout (result i32)))
    (import "wasi:cli/stderr@0.2.12" "get-stderr" (func $stderr (result i32)))
    (import "wasi:io/streams@0.2.12" "[method]output-stream.blocking-write-and-flush"
        (func $write (param i32 i32 i32 i32)))"#;

/// A guest that may call these imports, and tell.
fn guest(imports: &str) -> Guest {
    Guest::banks().imports(&format!("{LOG}{imports}")).also(TELL)
}

fn load(guest: &Guest) -> ComponentAgent {
    Sandbox::with(Wasi::Deterministic).unwrap().load(&guest.component()).unwrap()
}

/// Plays the guest in both seats: what happened, and what seat 0 noted first.
fn play_within(guest: &Guest, seed: u64, limits: Limits) -> (Played, Vec<String>) {
    let agent = load(guest);
    let mut referee = Referee::new(Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN)), 2, limits).unwrap();
    referee.keep_calls();
    let seats: [&dyn Contestant; 2] = [&agent, &agent];
    let played = referee.play(seed, &seats).unwrap();
    let own = referee.calls().iter().filter(|call| call.seat == 0);
    let notes = own.flat_map(|call| call.notes.clone()).collect();
    (played, notes)
}

fn play(guest: &Guest, seed: u64) -> (Played, Vec<String>) {
    play_within(guest, seed, Allowance::Standard.limits())
}

/// The numbers that a guest told, which made no fault.
fn told(guest: &Guest, seed: u64) -> Vec<u64> {
    let (played, notes) = play(guest, seed);
    assert_eq!(played.faults, []);
    notes.iter().map(|note| number(note)).collect()
}

fn number(note: &str) -> u64 {
    assert_eq!(note.len(), 16, "{note}");
    note.bytes().fold(0, |number, letter| number << 4 | u64::from(letter - b'a'))
}

#[track_caller]
fn assert_fault(guest: &Guest, kind: FaultKind, message: &str) {
    let (played, _) = play(guest, 7);
    let (_, fault) = played.faults.first().expect("a fault");
    assert_eq!(fault.kind, kind, "{}", fault.message);
    assert!(fault.message.contains(message), "{}", fault.message);
}

const HOUR: u64 = 3_600_000_000_000;

#[test]
fn clocks_are_moved_on_by_looks_at_them() {
    let guest = guest(CLOCK).start(
        "(call $tell (call $now)) (call $tell (call $now)) (call $tell (call $resolution))
         (call $date (i32.const 400)) (call $tell (i64.load (i32.const 400)))
         (call $tell (i64.extend_i32_u (i32.load (i32.const 408)))) (call $tell (call $now))",
    );
    // 1767225600 is 2026-01-01 00:00:00 UTC.
    let expected = [HOUR, HOUR + 1_000, 1_000, 1_767_225_600, 2_000, HOUR + 3_000];
    assert_eq!(told(&guest, 7), expected);
    assert_eq!(told(&guest, 8), expected);
}

/// A test that hangs has failed.
#[test]
fn nothing_waits_and_the_clock_goes_to_where_it_would_have_been() {
    let guest = guest(CLOCK).start(&format!(
        "(local $far i32)
         (i32.store (i32.const 400) (call $after (i64.const 5)))
         (i32.store (i32.const 404) (call $after (i64.const {HOUR})))
         (i32.store (i32.const 408) (call $at (i64.const 1)))
         (call $poll (i32.const 400) (i32.const 3) (i32.const 500))
         (call $tell (i64.extend_i32_u (i32.load (i32.const 504))))
         (call $tell (i64.load (i32.load (i32.const 500))))
         (call $tell (i64.extend_i32_u (i32.load offset=8 (i32.load (i32.const 500)))))
         (call $tell (call $now))
         (call $tell (i64.extend_i32_u (call $ready (call $at (i64.const {})))))
         (call $tell (call $now))
         (call $block (i32.load (i32.const 404)))
         (call $tell (call $now))
         (call $block (call $after (i64.const -1)))
         (call $tell (call $now))",
        5 * HOUR
    ));
    let expected = [3, 1 << 32, 2, 2 * HOUR, 1, 5 * HOUR, 5 * HOUR + 1_000, u64::MAX];
    assert_eq!(told(&guest, 7), expected);
}

#[test]
fn waiting_for_nothing_is_a_fault() {
    let guest = guest(CLOCK).start("(call $poll (i32.const 400) (i32.const 0) (i32.const 500))");
    assert_fault(&guest, FaultKind::Trap, "`poll` is called with nothing to wait for");
}

/// ChaCha8 under the key agent seed ‖ label, by the cipher of `docs/check-dice.py`, which is checked
/// against published vectors.
#[test]
fn random_numbers_come_from_the_agents_seed() {
    let guest = guest(RANDOM).start(
        "(call $tell (call $random)) (call $tell (call $insecure))
         (call $random-bytes (i64.const 8) (i32.const 500)) (call $tell (i64.load (i32.load (i32.const 500))))
         (call $insecure-seed (i32.const 400)) (call $tell (i64.load (i32.const 400)))",
    );
    let seven = [0xe3c5_1ad8_3b14_413b, 0x9f3e_ca18_6054_d2b6, 0xb378_218a_1981_375f, 0x4704_1b9d_ade4_1a9e];
    assert_eq!(told(&guest, 7), seven);
    assert_eq!(told(&guest, 7), seven);
    let eight = [0xcdea_b314_b768_0ba1, 0x30d5_5ea8_7224_21b9, 0x4c29_18cd_4dea_4368, 0x6caa_202b_515b_4dda];
    assert_eq!(told(&guest, 8), eight);
}

#[test]
fn every_seat_has_random_numbers_of_its_own() {
    let guest = guest(RANDOM).start("(if (local.get $seat) (then (call $tell (call $random)) unreachable))");
    let (played, _) = play(&guest, 7);
    // The other seat's fault tells what it drew.
    let [(1, fault)] = &played.faults[..] else { panic!("{:?}", played.faults) };
    let (_, noted) = fault.message.lines().next().unwrap().split_once("; it noted last: ").unwrap();
    assert_eq!(number(noted), 0x01ad_f77e_8950_fcfc);
}

/// Before `start` the seed is not known, so everybody draws the same.
#[test]
fn a_set_up_draws_the_same_in_every_match() {
    let guest = guest(RANDOM)
        .also("(global $first (mut i64) (i64.const 0))")
        .start_function("(global.set $first (call $random))")
        .start("(call $tell (global.get $first)) (call $tell (call $random))");
    assert_eq!(told(&guest, 7), [0x3aa2_8e55_393d_7faf, 0xe3c5_1ad8_3b14_413b]);
    assert_eq!(told(&guest, 8), [0x3aa2_8e55_393d_7faf, 0xcdea_b314_b768_0ba1]);
}

#[test]
fn more_random_bytes_than_can_be_are_no_burden() {
    let guest = guest(RANDOM).start("(call $random-bytes (i64.const 0x100000000) (i32.const 500))");
    assert_fault(&guest, FaultKind::OutOfFuel, "`start` spent its");
    let guest = guest.start("(call $random-bytes (i64.const -1) (i32.const 500))");
    assert_fault(&guest, FaultKind::OutOfFuel, "`start` spent its");
    let guest = guest.start("(call $random-bytes (i64.const 0x100000000) (i32.const 500))");
    let rich = Limits { start_fuel: 1 << 40, ..Allowance::Standard.limits() };
    let (played, _) = play_within(&guest, 7, rich);
    assert_eq!(played.faults[0].1.kind, FaultKind::Trap);
    assert!(played.faults[0].1.message.contains("4294967296 random bytes"), "{:?}", played.faults);
}

#[test]
fn what_is_printed_becomes_notes() {
    let guest = guest(PRINT)
        .also(r#"(data (i32.const 600) "one\ntwotail\nerr\n")"#)
        .start(
            "(local $out i32) (local.set $out (call $stdout))
             (call $write (local.get $out) (i32.const 600) (i32.const 7) (i32.const 500))
             (call $tell (i64.extend_i32_u (i32.load8_u (i32.const 500))))
             (call $write (call $stderr) (i32.const 612) (i32.const 4) (i32.const 500))
             (call $write (local.get $out) (i32.const 607) (i32.const 4) (i32.const 500))",
        )
        .before_deciding("(call $write (call $stdout) (i32.const 613) (i32.const 2) (i32.const 500))");
    let (played, notes) = play(&guest, 7);
    assert_eq!(played.faults, []);
    // The write is said to have succeeded; a line that is begun ends with the call.
    assert_eq!(notes[..5], ["one", "aaaaaaaaaaaaaaaa", "err", "twotail", "rr"]);
    assert_eq!(notes[5], "rr");
}

#[test]
fn a_log_of_empty_lines_has_an_end() {
    let guest = guest(PRINT).also(r#"(global $blank (mut i32) (i32.const 0))"#).start(
        "(local $times i32)
             (memory.fill (i32.const 2000) (i32.const 10) (i32.const 50000))
             (loop $again
                 (call $write (call $stdout) (i32.const 2000) (i32.const 50000) (i32.const 500))
                 (local.set $times (i32.add (local.get $times) (i32.const 1)))
                 (br_if $again (i32.lt_u (local.get $times) (i32.const 20))))",
    );
    let (played, notes) = play(&guest, 7);
    assert_eq!((played.faults.len(), notes.len()), (0, 64 << 10));
}

/// As a panic of a program for wasm32-wasip2 ends.
#[test]
fn a_trap_tells_what_stderr_said() {
    let guest = guest(PRINT)
        .also(r#"(data (i32.const 600) "\nthread 'main' panicked at a.rs:1:2:\nboom\nnote: run with `RUST_BACKTRACE=1`\nhm\n")"#)
        .before_deciding(
            "(call $write (call $stderr) (i32.const 600) (i32.const 75) (i32.const 500))
             (call $write (call $stdout) (i32.const 675) (i32.const 3) (i32.const 500))
             unreachable",
        );
    let (played, _) = play(&guest, 7);
    let message = &played.faults[0].1.message;
    assert_eq!(message, "thread 'main' panicked at a.rs:1:2:\nboom");
}

#[test]
fn to_exit_is_a_fault() {
    let exit = guest(r#"(import "wasi:cli/exit@0.2.12" "exit" (func $exit (param i32)))"#);
    let faults = exit.clone().before_deciding("(call $exit (i32.const 0))");
    assert_fault(&faults, FaultKind::Trap, "`decide` failed: the agent called exit with success");
    let faults = exit.clone().start("(call $exit (i32.const 1))");
    assert_fault(&faults, FaultKind::Trap, "`start` failed: the agent called exit with failure");
    let faults = exit.start_function("(call $exit (i32.const 1))");
    assert_fault(&faults, FaultKind::CannotStart, "its set-up failed: the agent called exit with failure");
}

#[test]
fn there_are_no_files_no_input_no_environment_and_no_network() {
    let guest = guest(
        r#"
        (import "wasi:filesystem/preopens@0.2.12" "get-directories" (func $folders (param i32)))
        (import "wasi:cli/environment@0.2.12" "get-environment" (func $environment (param i32)))
        (import "wasi:cli/environment@0.2.12" "get-arguments" (func $arguments (param i32)))
        (import "wasi:cli/stdin@0.2.12" "get-stdin" (func $stdin (result i32)))
        (import "wasi:io/streams@0.2.12" "[method]input-stream.blocking-read" (func $read (param i32 i64 i32)))
        (import "wasi:sockets/tcp-create-socket@0.2.12" "create-tcp-socket" (func $tcp (param i32 i32)))
        (import "wasi:sockets/udp-create-socket@0.2.12" "create-udp-socket" (func $udp (param i32 i32)))"#,
    )
    .start(
        "(i64.store (i32.const 400) (i64.const -1)) (call $folders (i32.const 400))
         (call $tell (i64.extend_i32_u (i32.load (i32.const 404))))
         (i64.store (i32.const 400) (i64.const -1)) (call $environment (i32.const 400))
         (call $tell (i64.extend_i32_u (i32.load (i32.const 404))))
         (i64.store (i32.const 400) (i64.const -1)) (call $arguments (i32.const 400))
         (call $tell (i64.extend_i32_u (i32.load (i32.const 404))))
         (i64.store (i32.const 400) (i64.const 0)) (call $read (call $stdin) (i64.const 9) (i32.const 400))
         (call $tell (i64.load (i32.const 400)))
         (i64.store (i32.const 400) (i64.const 0)) (call $tcp (i32.const 0) (i32.const 400))
         (call $tell (i64.load (i32.const 400)))
         (i64.store (i32.const 400) (i64.const 0)) (call $udp (i32.const 1) (i32.const 400))
         (call $tell (i64.load (i32.const 400)))",
    );
    // The read: an error (1), of case 1, `closed`. The sockets: an error of case 1, `access-denied`.
    let error = 1 << 32 | 1;
    assert_eq!(told(&guest, 7), [0, 0, 0, error, error, error]);
}

#[test]
fn handles_are_not_without_end() {
    let many = |body: &str, times: u32| {
        guest(CLOCK).start(&format!(
            "(local $times i32)
             (loop $again
                 {body}
                 (local.set $times (i32.add (local.get $times) (i32.const 1)))
                 (br_if $again (i32.lt_u (local.get $times) (i32.const {times}))))"
        ))
    };
    let held = many("(drop (call $after (i64.const 1)))", 1_000_000);
    assert_fault(&held, FaultKind::Trap, "the agent holds 1000 handles");
    let dropped = many("(call $drop-pollable (call $after (i64.const 1)))", 100_000);
    assert!(told(&dropped, 7).is_empty());
}

#[test]
fn every_function_of_wasi_is_there_in_its_shape() {
    let guest = Guest::importing_wasi();
    let component = guest.component();
    let imported = String::from_utf8_lossy(&component).matches("[method]").count();
    assert!(imported > 90, "{imported} methods are imported");
    assert_eq!(load(&guest).wasi(), Wasi::Deterministic);
    let (played, _) = play(&guest, 7);
    assert_eq!(played.faults, []);
}

#[test]
fn the_ranked_class_imports_no_wasi() {
    let component = guest(CLOCK).start("(call $tell (call $now))").component();
    let refused = Sandbox::new().unwrap().load(&component).err().expect("refused");
    // It is the first that the component names.
    assert_eq!(refused, Refused::Wasi { import: "wasi:io/poll@0.2.12".into() });
    let said = refused.to_string();
    for part in ["`wasi:io/poll@0.2.12`", "wasm32-unknown-unknown", "--stub-wasi", "--allow-wasi"] {
        assert!(said.contains(part), "{said}");
    }
    let other = r#"(component (import "wasi:http/types@0.2.3" (instance (export "fields" (type (sub resource))))))"#;
    let other = wat::parse_str(other).unwrap();
    let refused = Sandbox::with(Wasi::Deterministic).unwrap().load(&other).err().expect("refused");
    assert_eq!(refused, Refused::UnknownWasi { import: "wasi:http/types@0.2.3".into() });
    assert!(refused.to_string().contains("wasi:random/insecure-seed"), "{refused}");
}

#[test]
fn agents_without_wasi_play_the_same_where_it_is_allowed() {
    let component = Guest::banks().component();
    let hash_of = |wasi| {
        let agent = Sandbox::with(wasi).unwrap().load(&component).unwrap();
        assert_eq!(agent.wasi(), Wasi::None);
        let limits = Allowance::Standard.limits();
        let mut referee = Referee::new(Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN)), 2, limits).unwrap();
        referee.play(3, &[&agent, &agent]).unwrap().hash
    };
    assert_eq!(hash_of(Wasi::None), hash_of(Wasi::Deterministic));
    assert_eq!(Sandbox::id(Wasi::None).wasi, None);
    assert_eq!(Sandbox::id(Wasi::Deterministic).wasi, Some(2));
    assert_ne!(Sandbox::id(Wasi::None).fingerprint, Sandbox::id(Wasi::Deterministic).fingerprint);
}

/// As most toolchains make components of WASI: preview 1, and an adapter.
#[test]
fn preview_1_plays_through_its_adapter() {
    let adapter = wasi_preview1_component_adapter_provider::WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER;
    let imports = format!(
        r#"{LOG}
        (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "clock_time_get" (func $time (param i32 i64 i32) (result i32)))
        (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "path_open"
            (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
        (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))"#
    );
    // The adapter takes a page for itself.
    let guest = Guest::banks().memory("(memory (export \"memory\") 4)").preview1(&imports, adapter).also(TELL).also(
        r#"(data (i32.const 600) "hello\n")
           (data (i32.const 620) "\58\02\00\00\06\00\00\00")"#,
    );
    let plays = guest.clone().start(
        "(drop (call $fd_write (i32.const 1) (i32.const 620) (i32.const 1) (i32.const 500)))
         (drop (call $time (i32.const 0) (i64.const 1) (i32.const 400))) (call $tell (i64.load (i32.const 400)))
         (drop (call $random (i32.const 400) (i32.const 8))) (call $tell (i64.load (i32.const 400)))
         (call $tell (i64.extend_i32_u (call $open (i32.const 3) (i32.const 0) (i32.const 600) (i32.const 5)
             (i32.const 0) (i64.const 0) (i64.const 0) (i32.const 0) (i32.const 400))))",
    );
    let (played, notes) = play(&plays, 7);
    assert_eq!(played.faults, []);
    let numbers: Vec<u64> = notes[1..].iter().map(|note| number(note)).collect();
    assert_eq!(notes[0], "hello");
    // No file is open as 3: EBADF is 8.
    assert_eq!(numbers, [1_767_225_600_000_000_000, 0xe3c5_1ad8_3b14_413b, 8]);
    assert_eq!(play(&plays, 7).0.hash, played.hash);
    let exits = guest.start("(call $exit (i32.const 3))");
    assert_fault(&exits, FaultKind::Trap, "the agent called exit with");
}
