//! `--allow-wasi`: agents that import WASI, through the program.

use std::fs;
use std::path::Path;

use arena_tests::Guest;
use serde_json::Value;

use crate::arena::{Output, arena_in};
use crate::{assert_refused, json};

/// Two agents that bank by chance, one of which prints, and one that imports no WASI.
fn agents() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let gambler = Guest::new()
        .imports(
            r#"(import "wasi:random/random@0.2.12" "get-random-u64" (func $random (result i64)))
               (import "wasi:cli/stdout@0.2.12" "get-stdout" (func $stdout (result i32)))
               (import "wasi:io/streams@0.2.12" "[method]output-stream.blocking-write-and-flush"
                   (func $write (param i32 i32 i32 i32)))"#,
        )
        .also(r#"(data (i32.const 600) "printed by an agent")"#)
        .banks_if("(i32.wrap_i64 (i64.shr_u (call $random) (i64.const 63)))");
    let chatty = gambler.clone().start("(call $write (call $stdout) (i32.const 600) (i32.const 19) (i32.const 500))");
    for (name, guest) in [("gambler", gambler), ("chatty", chatty), ("plain", Guest::banks())] {
        fs::write(folder.path().join(name).with_extension("wasm"), guest.component()).unwrap();
    }
    folder
}

#[track_caller]
fn done(folder: &Path, args: &[&str]) -> Output {
    let output = arena_in(folder, args);
    assert_eq!(output.code, 0, "{args:?}: {}", output.stderr);
    output
}

const BOTH: [&str; 3] = ["match", "chatty.wasm", "plain.wasm"];

#[test]
fn wasi_is_refused_unless_it_is_allowed() {
    let folder = agents();
    let says = "agent chatty.wasm is refused: it imports `wasi:";
    let refused = arena_in(folder.path(), &BOTH);
    assert_refused(&refused, 4, says);
    assert!(refused.stderr.contains("play it with --allow-wasi"), "{}", refused.stderr);
    assert_refused(&arena_in(folder.path(), &["tournament", "chatty.wasm", "plain.wasm"]), 4, says);
    assert_refused(&arena_in(folder.path(), &["sprt", "chatty.wasm", "plain.wasm"]), 4, says);
    done(folder.path(), &["create", "t.db", "--seed", "1"]);
    assert_refused(&arena_in(folder.path(), &["submit", "chatty.wasm", "--to", "t.db"]), 4, says);
}

#[test]
fn a_match_with_wasi_is_told_recorded_and_replayed() {
    let folder = agents();
    let told = done(folder.path(), &[&BOTH[..], &["--seed", "4", "--allow-wasi", "--logs"]].concat());
    assert!(told.stdout.contains("chatty notes: printed by an agent"), "{}", told.stdout);

    let args = [&BOTH[..], &["--seed", "4", "--allow-wasi", "--format", "json", "--record", "r.json"]].concat();
    let record = json(&done(folder.path(), &args));
    assert_eq!(record["engine"]["wasi"], 2);
    assert_eq!(record["result"]["faults"], Value::Array(vec![]));
    assert_eq!(json(&done(folder.path(), &args[..8]))["hash"], record["hash"]);
    let replay = ["replay", "r.json", "--agents", "."];
    assert_refused(&arena_in(folder.path(), &replay), 4, "play it with --allow-wasi");
    let replayed = done(folder.path(), &[&replay[..], &["--allow-wasi"]].concat());
    assert!(replayed.stdout.starts_with("identical: "), "{}", replayed.stdout);
    assert_eq!(replayed.stderr, "");

    // Where no agent imports WASI, it makes no difference that one might.
    let plain = ["match", "plain.wasm", "other=plain.wasm", "--seed", "4", "--format", "json"];
    let without = done(folder.path(), &plain).stdout;
    assert_eq!(done(folder.path(), &[&plain[..], &["--allow-wasi"]].concat()).stdout, without);
    assert!(!without.contains("wasi"), "{without}");
}

#[test]
fn agents_with_wasi_are_measured_where_they_may_play() {
    let folder = agents();
    let bench = ["bench", "chatty.wasm", "--seconds", "0.05", "--format", "json"];
    assert_refused(&arena_in(folder.path(), &bench), 4, "play it with --allow-wasi");
    let figures = json(&done(folder.path(), &[&bench[..], &["--allow-wasi"]].concat()));
    assert_eq!(figures["engine"]["wasi"], 2);
    assert!(figures["sample"]["decisions"].as_u64() > Some(0), "{figures}");
}

#[test]
fn a_tournament_with_wasi_is_the_same_at_any_number_of_jobs() {
    let folder = agents();
    let tournament = |jobs| {
        let options = ["--allow-wasi", "--pairs", "40", "--seed", "3", "--format", "json", "--jobs", jobs];
        let agents = ["tournament", "chatty.wasm", "gambler.wasm", "plain.wasm"];
        done(folder.path(), &[&agents[..], &options].concat()).stdout
    };
    let (one, two) = (tournament("1"), tournament("2"));
    assert_eq!(one, two);
    let one: Value = serde_json::from_str(&one).unwrap();
    assert_eq!(one["engine"]["wasi"], 2);
    let faults = |row: &Value| row["faults"].as_object().unwrap().values().any(|count| *count != 0);
    assert!(!one["standings"].as_array().unwrap().iter().any(faults), "{}", one["standings"]);
}

#[test]
fn a_tournament_file_knows_whether_wasi_is_allowed() {
    let folder = agents();
    let made = done(folder.path(), &["create", "t.db", "--pairs", "10", "--seed", "1", "--allow-wasi"]);
    assert!(made.stdout.contains("agents that import WASI may take part"), "{}", made.stdout);
    for agent in ["chatty.wasm", "plain.wasm"] {
        done(folder.path(), &["submit", agent, "--to", "t.db"]);
    }
    done(folder.path(), &["run", "t.db"]);
    let shown = done(folder.path(), &["show", "t.db", "1", "--logs"]);
    assert!(shown.stdout.contains("printed by an agent"), "{}", shown.stdout);
    assert_eq!(shown.stderr, "");
    let verified = done(folder.path(), &["verify", "t.db", "--all"]);
    assert!(verified.stdout.contains("20 of 20 stored matches played again, all identical"), "{}", verified.stdout);
    assert!(done(folder.path(), &["replay", "t.db", "2"]).stdout.starts_with("identical: "));
    let twice = arena_in(folder.path(), &["replay", "t.db", "2", "--allow-wasi"]);
    assert_refused(&twice, 2, "a tournament file says itself");

    let args = ["tournament", "chatty.wasm", "plain.wasm", "--pairs", "5", "--db", "u.db", "--allow-wasi"];
    done(folder.path(), &args);
    assert!(done(folder.path(), &["verify", "u.db"]).stdout.contains("all identical"));
}

#[test]
fn two_with_wasi_are_tested_against_each_other() {
    let folder = agents();
    let args = ["sprt", "plain.wasm", "gambler.wasm", "--allow-wasi", "--seed", "1", "--most-pairs", "30"];
    let once = done(folder.path(), &[&args[..], &["--jobs", "1"]].concat()).stdout;
    assert_eq!(done(folder.path(), &[&args[..], &["--jobs", "2"]].concat()).stdout, once);
}
