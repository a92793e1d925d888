//! A tournament's file is deleted, replaced, cut or overwritten while it is played, and several
//! processes work on it at once.

use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use super::{assert_told, names, shell, signal, start, stored};
use crate::database::{done, guests, made, refused, rows};

/// Seeds enough that a run does not end before something happens to it.
const PAIRS: &str = "1000000";

/// Does something to a file that is played, after a run has stored some and before it stores more.
fn meanwhile(folder: &Path, file: &str, what: impl FnOnce()) -> Output {
    let run = start(folder, &["run", file, "--jobs", "1"]);
    stored(&folder.join(file));
    what();
    run.wait_with_output().unwrap()
}

#[test]
fn a_file_that_goes_away_under_a_run_is_saved_beside_its_place() {
    let (folder, agents) = guests();
    let here = folder.path();
    made(here, "new.db", &agents[..2], PAIRS);
    made(here, "other.db", &agents[..2], "3");
    done(here, &["run", "other.db"]);
    let others = rows(&here.join("other.db"));
    let ways: [(&str, &str, &str); 4] = [
        ("gone", "rm gone.db", "gone.db is gone while it was open"),
        ("all", "rm all.db all.db-*", "all.db is gone while it was open"),
        ("moved", "mv moved.db elsewhere.db", "moved.db is gone while it was open"),
        ("replaced", "mv other.db replaced.db", "replaced.db was replaced by another file while it was open"),
    ];
    for (name, does, says) in ways {
        let file = format!("{name}.db");
        fs::copy(here.join("new.db"), here.join(&file)).unwrap();
        let output = meanwhile(here, &file, || assert!(shell(here, does).status.success()));
        assert_told(&output, 1, says);
        let rescued = format!("{file}-rescued");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.contains(&format!("all that was stored is in {rescued}, and `arena run {rescued}` goes on")),
            "{said}"
        );
        // It holds the secret of the dice to come.
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(here.join(&rescued)).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(stored(&here.join(&rescued)) > 0);
        done(here, &["run", &rescued, "--matches", "2"]);
        done(here, &["verify", &rescued, "--sample", "50"]);
    }
    // The file that took the place has nothing of the one that was there.
    assert_eq!(rows(&here.join("replaced.db")), others);
    done(here, &["verify", "replaced.db", "--all"]);
}

/// Who withdraws during a run plays no further, and who comes plays before all the others are done.
#[test]
fn comings_and_goings_are_seen_by_a_run() {
    let (folder, agents) = guests();
    let here = folder.path();
    made(here, "t.db", &agents, "8000");
    let run = start(here, &["run", "t.db", "--jobs", "1"]);
    let before = stored(&here.join("t.db"));
    done(here, &["withdraw", "t.db", "again"]);
    done(here, &["submit", "new=never.wasm", "--to", "t.db"]);
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains(", 0 left\n"), "{output:?}");
    let standings: serde_json::Value =
        serde_json::from_str(&done(here, &["standings", "t.db", "--format", "json"])).unwrap();
    let rows = standings["standings"].as_array().unwrap();
    let played = |name: &str| rows.iter().find(|row| row["name"] == name).unwrap()["matches"].as_u64().unwrap();
    // All but the one that went: two rivals, 8,000 pairs, two matches each. It has a third of what comes first.
    assert!(played("again") < 16_000, "{} of {before} before it went", played("again"));
    assert_eq!(played("new"), 32_000);
    assert_eq!(played("banks") + played("never"), 64_000 + played("again"));
    done(here, &["verify", "t.db", "--sample", "50"]);
}

/// What is overwritten is lost; that it is, is said, by the run or by `verify`.
#[test]
fn a_file_that_is_written_over_under_a_run_is_found_out() {
    let (folder, agents) = guests();
    let here = folder.path();
    made(here, "new.db", &agents[..2], PAIRS);
    let ways = [
        ("cut", ": > cut.db"),
        ("text", "echo 'this is no tournament any more' > text.db"),
        ("half", "head -c $(($(wc -c < new.db) / 2)) new.db > half.db"),
        ("garbage", "head -c 200000 /dev/urandom | dd of=garbage.db conv=notrunc 2>/dev/null"),
    ];
    for (name, does) in ways {
        let file = format!("{name}.db");
        fs::copy(here.join("new.db"), here.join(&file)).unwrap();
        let run = start(here, &["run", &file, "--jobs", "1"]);
        stored(&here.join(&file));
        assert!(shell(here, does).status.success());
        // Where SQLite finds nothing wrong as long as it need not read, the run is stopped.
        std::thread::sleep(Duration::from_millis(1_500));
        signal(&run, "TERM");
        let output = run.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let found = ["cut short", "is damaged", "is no tournament"].iter().any(|what| said.contains(what));
        assert!(found, "{name}: {output:?}");
        assert_told(&output, if said.contains("cut short") { 1 } else { 2 }, &file);
        let verdict = shell(here, &format!("exec \"$0\" verify {file} --all"));
        assert_told(&verdict, if verdict.status.code() == Some(3) { 3 } else { 2 }, &file);
    }
    // Whatever it falls on, `verify` reads it.
    made(here, "t.db", &agents[..2], "5");
    done(here, &["run", "t.db"]);
    let near_the_end = "dd of=t.db bs=4096 seek=$(($(wc -c < t.db) / 4096 - 3)) conv=notrunc 2>/dev/null";
    shell(here, &format!("head -c 8192 /dev/urandom | {near_the_end}"));
    let verdict = shell(here, "exec \"$0\" verify t.db --all");
    assert_told(&verdict, 3, "damaged");
}

#[test]
fn what_an_earlier_file_left_behind_is_not_taken_into_a_new_one() {
    let (folder, agents) = guests();
    let here = folder.path();
    made(here, "t.db", &agents[..2], PAIRS);
    let run = start(here, &["run", "t.db"]);
    let before = stored(&here.join("t.db"));
    signal(&run, "KILL");
    run.wait_with_output().unwrap();
    fs::rename(here.join("t.db"), here.join("away.db")).unwrap();
    let says = "t.db-wal belongs to an earlier t.db, and may hold matches of it: put that t.db back";
    refused(here, &["create", "t.db"], 2, says);
    assert!(!names(here).contains(&"t.db".to_owned()));
    fs::rename(here.join("away.db"), here.join("t.db")).unwrap();
    assert!(stored(&here.join("t.db")) >= before);
    done(here, &["run", "t.db", "--matches", "2"]);
    done(here, &["verify", "t.db", "--sample", "50"]);
}

/// What SQLite keeps beside the file is removed: it is brought home, and the run says so and stops.
#[test]
fn a_removed_log_loses_nothing() {
    let (folder, agents) = guests();
    let here = folder.path();
    made(here, "t.db", &agents[..2], PAIRS);
    let output = meanwhile(here, "t.db", || fs::remove_file(here.join("t.db-wal")).unwrap());
    assert_told(&output, 1, "t.db-wal was removed by another program while t.db was open: nothing is lost yet");
    assert!(stored(&here.join("t.db")) > 0);
    done(here, &["verify", "t.db", "--sample", "50"]);
}

#[test]
fn one_file_is_played_by_one_process_whatever_it_is_called() {
    let (folder, agents) = guests();
    let here = folder.path();
    made(here, "t.db", &agents[..2], PAIRS);
    std::os::unix::fs::symlink("t.db", here.join("link.db")).unwrap();
    let run = start(here, &["run", "link.db"]);
    stored(&here.join("t.db"));
    for file in ["t.db", "link.db", "./t.db"] {
        refused(here, &["run", file], 1, &format!("another `arena run` or `arena serve` is playing {file}"));
    }
    fs::hard_link(here.join("t.db"), here.join("hard.db")).unwrap();
    refused(here, &["run", "hard.db"], 1, "hard.db has a second name (a hard link)");
    signal(&run, "KILL");
    run.wait_with_output().unwrap();
    refused(here, &["run", "t.db"], 1, "t.db has a second name (a hard link)");
    fs::remove_file(here.join("hard.db")).unwrap();
    done(here, &["run", "t.db", "--matches", "2"]);
}

/// Somebody removes the lock, and two processes play after all: no match is stored twice.
#[test]
fn without_its_lock_a_file_still_takes_each_match_once() {
    let (folder, agents) = guests();
    let here = folder.path();
    made(here, "t.db", &agents[..2], "400");
    fs::copy(here.join("t.db"), here.join("whole.db")).unwrap();
    done(here, &["run", "whole.db"]);
    let first = start(here, &["run", "t.db", "--jobs", "1"]);
    while !here.join("t.db-playing").exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    fs::remove_file(here.join("t.db-playing")).unwrap();
    let second = start(here, &["run", "t.db"]);
    let ended = [first.wait_with_output().unwrap(), second.wait_with_output().unwrap()];
    for output in &ended {
        if !output.status.success() {
            assert_told(output, 1, "another process plays t.db as well");
        }
    }
    assert!(ended.iter().any(|output| output.status.success()), "{ended:?}");
    done(here, &["run", "t.db"]);
    assert_eq!(rows(&here.join("t.db")), rows(&here.join("whole.db")));
}

/// While one process plays, everybody else does what they like with the same file.
#[test]
fn others_work_on_a_file_that_is_played() {
    let (folder, agents) = guests();
    let here = folder.path();
    made(here, "t.db", &agents[..2], PAIRS);
    let run = start(here, &["run", "t.db", "--jobs", "1"]);
    stored(&here.join("t.db"));
    let commands: [&[&str]; 9] = [
        &["standings", "t.db"],
        &["verify", "t.db", "--sample", "20"],
        &["submit", "late=never.wasm", "--to", "t.db"],
        &["matches", "t.db", "--limit", "3"],
        &["show", "t.db", "1"],
        &["withdraw", "t.db", "late"],
        &["replay", "t.db", "2"],
        &["close", "t.db"],
        &["submit", "later=banks.wasm", "--to", "t.db"],
    ];
    for args in commands {
        done(here, args);
    }
    signal(&run, "TERM");
    assert_told(&run.wait_with_output().unwrap(), 1, "stopped: ");
    done(here, &["verify", "t.db", "--sample", "50"]);
    // Who came late plays, on dice that were not shown.
    done(here, &["run", "t.db", "--matches", "2"]);
}
