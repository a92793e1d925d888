//! Agents that hold up matches until the watchdog stops them, twice.

use std::fs;

use arena_tests::Guest;
use arena_tests::zoo::{Attempt, case};

use crate::arena::{Output, arena_in, arena_where};
use crate::{assert_refused, json};

/// Never ends a call where its seed is a multiple of four.
fn holds_up_some() -> Guest {
    Guest::banks()
        .also("(global $stuck (mut i32) (i32.const 0))")
        .start("(global.set $stuck (i64.eqz (i64.and (local.get $seed) (i64.const 3))))")
        .before_deciding("(if (global.get $stuck) (then (loop $again (br $again))))")
}

/// With an allowance that lasts for seconds, and a watchdog for which a second is over soon.
fn hurried(folder: &std::path::Path, args: &[&str]) -> Output {
    arena_where(folder, args, &[("ARENA_WATCHDOG_HURRY", Some("20"))])
}

#[test]
fn an_agent_that_holds_up_matches_is_suspended_and_the_others_play_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("one.wasm"), Guest::banks().component()).unwrap();
    fs::write(path.join("two.wasm"), Guest::banks().also("(func $other)").component()).unwrap();
    fs::write(path.join("stuck.wasm"), holds_up_some().component()).unwrap();
    let asked = ["tournament", "one.wasm", "stuck.wasm", "two.wasm"];
    let rest = ["--pairs", "20", "--allowance", "deep", "--seed", "1"];

    case("held up twice by a call without end");
    let mut attempt = Attempt::expecting("is suspended, the others play all of their matches, what it played stays");
    let run = hurried(path, &[&asked[..], &rest, &["--db", "some.db"]].concat());
    attempt.saw(run.stderr.trim_start_matches("arena: "));
    assert_eq!(run.code, 0, "{}", run.stderr);
    let said = "is void, twice: stuck: `decide` of an agent took longer than the watchdog waits";
    assert!(run.stderr.contains("arena: stuck is suspended: match ") && run.stderr.contains(said), "{}", run.stderr);
    assert!(run.stdout.contains("stuck (suspended)") && run.stdout.contains(said), "{}", run.stdout);

    // What it played before stays, the others play all of theirs, and nothing is left.
    let standings = json(&arena_in(path, &["standings", "some.db", "--format", "json"]));
    let rows = standings["standings"].as_array().unwrap();
    let matches = |name: &str| {
        let row = rows.iter().find(|row| row["name"] == name).unwrap();
        (row["matches"].as_u64().unwrap(), row["suspended"].is_string())
    };
    let (played, suspended) = matches("stuck");
    assert!(suspended && played > 0 && played < 80, "{played}");
    let together = (matches("one"), matches("two"));
    assert_eq!(together.0.0 + together.1.0, 2 * 40 + played);
    assert!(!together.0.1 && !together.1.1);
    let again = arena_in(path, &["run", "some.db"]);
    assert!(again.stdout.contains("0 matches played") && again.stdout.contains(" 0 left"), "{}", again.stdout);
    let verified = arena_in(path, &["verify", "some.db", "--all"]);
    assert_eq!(verified.code, 0, "{}", verified.stderr);

    attempt.held();

    // A new version of it, even the same, may come.
    let once_more = arena_in(path, &["submit", "two.wasm", "--name", "stuck", "--to", "some.db"]);
    assert_eq!(once_more.code, 0, "{}", once_more.stderr);

    // Without a file there is nowhere to suspend it.
    let failed = hurried(path, &[&asked[..], &rest].concat());
    assert_refused(&failed, 1, &format!("{said}, within its fuel; leave stuck out to play the others"));
}

#[test]
fn a_hurry_that_is_no_number_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("one.wasm"), Guest::banks().component()).unwrap();
    for hurry in ["", "0", "soon", "1000001", "-1"] {
        let args = ["match", "one.wasm", "two=one.wasm", "--seed", "1"];
        let run = arena_where(folder.path(), &args, &[("ARENA_WATCHDOG_HURRY", Some(hurry))]);
        assert_refused(&run, 2, "ARENA_WATCHDOG_HURRY takes 1 to 1000000 microseconds");
    }
}
