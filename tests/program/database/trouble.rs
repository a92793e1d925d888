//! Tournament files: killed runs, full disks, damage, and what is no tournament.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use rusqlite::Connection;

use super::{done, guests, made, refused, rows};
use crate::arena::{ARENA, arena_in, program};

/// Killed at many moments, a run ends with what one that nobody disturbed ends with.
#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_same_file() {
    let (folder, agents) = guests();
    made(folder.path(), "whole.db", &agents, "400");
    made(folder.path(), "killed.db", &agents, "400");
    done(folder.path(), &["run", "whole.db", "--jobs", "1"]);

    let mut kills = 0;
    let mut random = 7u64;
    loop {
        let mut run = program()
            .args(["run", "killed.db", "--jobs", "2"])
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(Duration::from_millis(20 + (random >> 33) % 180));
        if run.try_wait().unwrap().is_some_and(|status| status.success()) {
            break;
        }
        // SIGKILL: nothing can be tidied up.
        run.kill().unwrap();
        run.wait().unwrap();
        kills += 1;
        if kills == 25 {
            done(folder.path(), &["run", "killed.db"]);
            break;
        }
    }
    assert!(kills > 3, "it was killed only {kills} times: the test says nothing");
    assert_eq!(rows(&folder.path().join("killed.db")), rows(&folder.path().join("whole.db")));
    let standings = |file: &str| done(folder.path(), &["standings", file, "--format", "json"]);
    assert_eq!(standings("killed.db"), standings("whole.db"));
    done(folder.path(), &["verify", "killed.db", "--all"]);
}

#[test]
fn damage_is_found() {
    let (folder, agents) = guests();
    made(folder.path(), "t.db", &agents, "5");
    done(folder.path(), &["run", "t.db"]);
    let verdict = done(folder.path(), &["verify", "t.db", "--all"]);
    assert_eq!(verdict, "t.db: 30 of 30 stored matches played again, all identical\n");
    let damaged = |sql: &str| {
        fs::copy(folder.path().join("t.db"), folder.path().join("bad.db")).unwrap();
        let connection = Connection::open(folder.path().join("bad.db")).unwrap();
        connection.execute_batch(&format!("PRAGMA foreign_keys = OFF; {sql}")).unwrap();
        drop(connection);
        refused(folder.path(), &["verify", "bad.db", "--all"], 3, "").stderr
    };
    let named = "1 of 30 matches compared in bad.db are not what is stored: 7;";
    assert!(damaged("UPDATE matches SET scores = '[1,2]' WHERE number = 7").contains(named));
    assert!(damaged("UPDATE matches SET ranks = '[1,1]' WHERE number = 7").contains(named));
    assert!(damaged("UPDATE matches SET ending = 6 WHERE number = 7").contains(named));
    assert!(damaged("UPDATE matches SET hash = zeroblob(32) WHERE number = 7").contains(named));
    assert!(damaged("UPDATE matches SET faults = '[[0,\"trap\"]]' WHERE number = 7").contains(named));
    assert!(damaged("UPDATE matches SET scores = '[1' WHERE number = 7").contains("match 7: its scores"));
    assert!(
        damaged("UPDATE matches SET block = 99 WHERE number = 7").contains("refers to a row of blocks that is gone")
    );
    let lacks = "block 1 lacks a match among those that were played";
    assert!(damaged("DELETE FROM matches WHERE number BETWEEN 3 AND 6").contains(lacks));
    assert!(damaged("UPDATE matches SET number = -1 WHERE number = 7").contains(lacks));
    assert!(damaged("UPDATE blocks SET pairs = 4 WHERE id = 1").contains("block 2 does not follow the one before it"));
    assert!(damaged("UPDATE blocks SET agents = '[1,77]' WHERE id = 2").contains("block 2 has the agents [1,77]"));
    assert!(damaged("DELETE FROM agents WHERE id = 3").contains("has the agents"));
    assert!(damaged("UPDATE tournament SET seats = 3").contains("damaged"));
    assert!(damaged("UPDATE secrets SET seed = '10'").contains("does not come from its seed"));
    assert!(damaged("UPDATE components SET bytes = zeroblob(10)").contains("is not what it was"));
    assert!(damaged("UPDATE secrets SET secret = zeroblob(32)").contains("not the one that was committed to"));
    // What one match stored is what its replay says.
    fs::copy(folder.path().join("t.db"), folder.path().join("bad.db")).unwrap();
    Connection::open(folder.path().join("bad.db"))
        .unwrap()
        .execute_batch("UPDATE matches SET hash = zeroblob(32) WHERE number = 3")
        .unwrap();
    refused(folder.path(), &["replay", "bad.db", "3"], 3, "match 3 of bad.db is not what is stored");
    assert!(done(folder.path(), &["replay", "bad.db", "4"]).starts_with("identical: "));
    let wrong = "UPDATE matches SET ranks = '[1,1]', ending = 6 WHERE number = 4";
    Connection::open(folder.path().join("bad.db")).unwrap().execute_batch(wrong).unwrap();
    let says = "match 4 of bad.db is not what is stored: ranks stored [1, 1]";
    refused(folder.path(), &["replay", "bad.db", "4"], 3, says);
    refused(folder.path(), &["replay", "bad.db"], 2, "is a tournament file: say which match");
    refused(folder.path(), &["replay", "bad.db", "--agents", "."], 2, "is a tournament file: say which match");
    // A gap is not read over.
    Connection::open(folder.path().join("bad.db"))
        .unwrap()
        .execute_batch("DELETE FROM matches WHERE number = 5")
        .unwrap();
    for command in ["standings", "run", "matches", "export"] {
        refused(folder.path(), &[command, "bad.db"], 2, lacks);
    }
}

#[test]
fn files_that_are_no_tournament_are_refused() {
    let (folder, agents) = guests();
    made(folder.path(), "t.db", &agents, "5");
    fs::write(folder.path().join("text.db"), "hello, this is a text and no database at all").unwrap();
    fs::write(folder.path().join("empty.db"), "").unwrap();
    Connection::open(folder.path().join("other.db")).unwrap().execute_batch("CREATE TABLE a (b)").unwrap();
    fs::copy(folder.path().join("t.db"), folder.path().join("newer.db")).unwrap();
    Connection::open(folder.path().join("newer.db")).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let whole = fs::read(folder.path().join("t.db")).unwrap();
    fs::write(folder.path().join("cut.db"), &whole[..whole.len() / 2]).unwrap();
    for command in ["run", "standings", "matches", "verify", "export", "close"] {
        refused(folder.path(), &[command, "text.db"], 2, "text.db is no tournament");
        refused(folder.path(), &[command, "empty.db"], 2, "empty.db is no tournament");
        refused(folder.path(), &[command, "other.db"], 2, "other.db is no tournament");
        refused(folder.path(), &[command, "newer.db"], 2, "has the newer format 99; this arena reads format 4");
        refused(folder.path(), &[command, "nowhere/t.db"], 2, "tournament nowhere/t.db cannot be opened");
        refused(folder.path(), &[command, "."], 2, "tournament . is a folder");
    }
    let cut = arena_in(folder.path(), &["verify", "cut.db"]);
    assert!(matches!(cut.code, 2 | 3) && cut.stderr.contains("damaged"), "{cut:?}");
    refused(folder.path(), &["create", "t.db"], 2, "t.db exists already; choose another name");
    refused(folder.path(), &["create", "nowhere/t.db"], 2, "nowhere/t.db cannot be made");
    refused(folder.path(), &["create", "x.db", "--pairs", "0"], 2, "0");
    refused(
        folder.path(),
        &["create", "x.db", "--play", "gauntlet", "--rules", "play-table", "--seats", "3"],
        2,
        "is for two seats",
    );
    assert!(!folder.path().join("x.db").exists(), "nothing is half-made");
    refused(folder.path(), &["create", "x.db", "--rounds", "3"], 2, "--rounds is for --play swiss");
    refused(
        folder.path(),
        &["create", "x.db", "--play", "ladder", "--batch", "9", "--budget", "8"],
        2,
        "--batch 9 is more than --budget 8",
    );
    done(folder.path(), &["create", "late.db", "--play", "knockout", "--rules", "play-table", "--turn-limit", "30"]);
    for agent in &agents[..2] {
        done(folder.path(), &["submit", &format!("{agent}.wasm"), "--to", "late.db"]);
    }
    done(folder.path(), &["run", "late.db", "--matches", "2"]);
    refused(folder.path(), &["submit", "again.wasm", "--to", "late.db"], 2, "knockout");
    refused(folder.path(), &["show", "t.db", "1"], 2, "match 1 of t.db is not planned; 0 matches are stored");
    refused(folder.path(), &["run", "t.db", "--for", "soon"], 2, "as in 10m");
    refused(folder.path(), &["matches", "t.db", "--agent", "bankz"], 2, "did you mean `banks`?");
}

/// Ctrl-C: what was played is stored, and it is said how much is left.
#[cfg(unix)]
#[test]
fn an_interrupted_run_says_what_is_left_and_goes_on() {
    let (folder, agents) = guests();
    made(folder.path(), "t.db", &agents, "20000");
    let run = program()
        .args(["run", "t.db", "--jobs", "2"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1_500));
    let pressed = std::time::Instant::now();
    assert!(Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
    let output = run.wait_with_output().unwrap();
    // A second is promised; a machine that does much else gets ten.
    assert!(pressed.elapsed() < Duration::from_secs(10));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("arena: stopped: ") && said.contains(" left\n`arena run t.db` goes on"), "{said}");
    let again = done(folder.path(), &["run", "t.db", "--matches", "2"]);
    assert!(again.starts_with("2 matches played, "), "{again}");
    done(folder.path(), &["verify", "t.db", "--sample", "50"]);
}

/// A disk that takes no more stops the run with a message; what was stored stays, and the run goes
/// on where there is room again.
#[cfg(unix)]
#[test]
fn a_disk_that_takes_no_more_loses_nothing() {
    let (folder, agents) = guests();
    made(folder.path(), "t.db", &agents, "1500");
    made(folder.path(), "whole.db", &agents, "1500");
    done(folder.path(), &["run", "whole.db"]);
    // No file may grow beyond 300 KiB, and the signal that says so is ignored.
    let limited = "trap '' XFSZ; ulimit -f 600; exec \"$0\" run t.db --jobs 1";
    let run = Command::new("sh").args(["-c", limited, ARENA]).current_dir(folder.path()).output().unwrap();
    let said = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(1), "{said}");
    assert!(said.starts_with("arena: ") && !said.contains("panicked"), "{said}");
    let stored = rows(&folder.path().join("t.db")).len();
    assert!(stored < rows(&folder.path().join("whole.db")).len(), "the limit was never met: the test says nothing");
    done(folder.path(), &["verify", "t.db", "--all"]);
    done(folder.path(), &["run", "t.db"]);
    assert_eq!(rows(&folder.path().join("t.db")), rows(&folder.path().join("whole.db")));
}
