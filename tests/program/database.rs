//! Tournament files, through the program: made, filled, played bit by bit, looked at, damaged.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use arena_tests::Guest;
use rusqlite::Connection;
use serde_json::Value;

use crate::arena::{ARENA, Output, arena_in};

/// A folder with three guests, and what they are called.
fn guests() -> (tempfile::TempDir, [&'static str; 3]) {
    let folder = tempfile::tempdir().unwrap();
    for (name, guest) in [("banks.wasm", Guest::banks()), ("never.wasm", Guest::new())] {
        fs::write(folder.path().join(name), guest.component()).unwrap();
    }
    fs::copy(folder.path().join("banks.wasm"), folder.path().join("again.wasm")).unwrap();
    (folder, ["banks", "never", "again"])
}

#[track_caller]
fn done(folder: &Path, args: &[&str]) -> String {
    let output = arena_in(folder, args);
    assert_eq!(output.code, 0, "{args:?}: {}", output.stderr);
    output.stdout
}

#[track_caller]
fn refused(folder: &Path, args: &[&str], code: i32, says: &str) -> Output {
    let output = arena_in(folder, args);
    assert_eq!(output.code, code, "{args:?}: {output:?}");
    assert!(output.stderr.contains(says), "`{says}` in: {}", output.stderr);
    assert!(!output.stderr.contains("panicked"), "{}", output.stderr);
    output
}

/// A tournament file of all guests; nothing played.
fn made(folder: &Path, file: &str, agents: &[&str], pairs: &str) {
    done(folder, &["create", file, "--rules", "play-table", "--turn-limit", "60", "--pairs", pairs, "--seed", "9"]);
    for agent in agents {
        done(folder, &["submit", &format!("{agent}.wasm"), "--to", file]);
    }
}

/// Every row that a run writes.
fn rows(file: &Path) -> Vec<String> {
    let connection = Connection::open(file).unwrap();
    let mut rows = Vec::new();
    for table in ["blocks", "matches", "engines"] {
        let mut statement = connection.prepare(&format!("SELECT * FROM {table} ORDER BY 1")).unwrap();
        let columns = statement.column_count();
        let found = statement.query_map([], |row| {
            (0..columns).map(|i| row.get_ref(i).map(|value| format!("{value:?}"))).collect::<Result<Vec<_>, _>>()
        });
        rows.extend(found.unwrap().map(|row| format!("{table} {}", row.unwrap().join(" "))));
    }
    rows
}

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
        let mut run = Command::new(ARENA)
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

/// An agent that comes later plays its own matches, and nothing is played twice.
#[test]
fn adding_an_agent_plays_only_its_own_matches() {
    let (folder, _) = guests();
    made(folder.path(), "t.db", &["banks", "never"], "20");
    assert!(done(folder.path(), &["run", "t.db"]).starts_with("40 matches played, 40 stored, 0 left"));
    assert!(done(folder.path(), &["run", "t.db"]).starts_with("0 matches played, 40 stored, 0 left"));
    let before = rows(&folder.path().join("t.db"));
    done(folder.path(), &["submit", "third=again.wasm", "--to", "t.db"]);
    assert!(done(folder.path(), &["run", "t.db"]).starts_with("80 matches played, 120 stored, 0 left"));
    let after = rows(&folder.path().join("t.db"));
    assert!(before.iter().all(|row| after.contains(row)), "old rows stay as they were");

    // The same in one go, and in bits.
    made(folder.path(), "bits.db", &["banks", "never"], "20");
    assert!(
        done(folder.path(), &["run", "bits.db", "--matches", "7"]).starts_with("8 matches played, 8 stored, 32 left")
    );
    done(folder.path(), &["run", "bits.db"]);
    done(folder.path(), &["submit", "third=again.wasm", "--to", "bits.db"]);
    done(folder.path(), &["run", "bits.db", "--for", "60s"]);
    assert_eq!(rows(&folder.path().join("bits.db")), after);
}

/// The match seeds of a tournament file are those of `arena tournament` with the same seed.
#[test]
fn a_file_and_a_tournament_in_one_go_agree() {
    let (folder, agents) = guests();
    made(folder.path(), "t.db", &agents, "10");
    done(folder.path(), &["run", "t.db"]);
    let paths: Vec<String> = agents.iter().map(|agent| format!("{agent}.wasm")).collect();
    let args: Vec<&str> = ["tournament"].into_iter().chain(paths.iter().map(String::as_str)).collect();
    let rest = ["--rules", "play-table", "--turn-limit", "60", "--pairs", "10", "--seed", "9", "--format", "json"];
    let one_go: Value = serde_json::from_str(&done(folder.path(), &[&args[..], &rest].concat())).unwrap();
    let file: Value = serde_json::from_str(&done(folder.path(), &["export", "t.db"])).unwrap();
    assert_eq!(file["model"], one_go["model"]);
    assert_eq!(file["seeds"], one_go["seeds"]);
    let hashes = |whole: &Value| {
        let mut hashes: Vec<String> =
            whole["matches"].as_array().unwrap().iter().map(|m| m["hash"].as_str().unwrap().to_owned()).collect();
        hashes.sort_unstable();
        hashes
    };
    assert_eq!(hashes(&file).len(), 3 * 2 * 10);
    assert_eq!(hashes(&file), hashes(&one_go));
}

#[test]
fn versions_replace_each_other_and_the_same_bytes_are_told() {
    let (folder, _) = guests();
    made(folder.path(), "t.db", &["banks", "never"], "5");
    done(folder.path(), &["run", "t.db"]);
    let again = done(folder.path(), &["submit", "banks.wasm", "--to", "t.db"]);
    assert!(again.contains("banks has these very bytes already, as version 1"), "{again}");
    let other = done(folder.path(), &["submit", "other=banks.wasm", "--to", "t.db"]);
    assert!(other.contains("note: the same bytes take part as banks (version 1)"), "{other}");
    let second = done(folder.path(), &["submit", "never=banks.wasm", "--to", "t.db"]);
    assert!(second.contains("never takes part as version 2; the one before plays no further matches"), "{second}");
    // Version 2 of never, banks and other: three pairings of which one is new beside the old one.
    assert!(done(folder.path(), &["run", "t.db"]).starts_with("30 matches played, 40 stored, 0 left"));
    let standings = done(folder.path(), &["standings", "t.db"]);
    assert!(standings.contains("never v1 (replaced)") && standings.contains("never v2"), "{standings}");
    let components: i64 = Connection::open(folder.path().join("t.db"))
        .unwrap()
        .query_row("SELECT count(*) FROM components", [], |row| row.get(0))
        .unwrap();
    assert_eq!(components, 2, "the same bytes are stored once");

    done(folder.path(), &["withdraw", "t.db", "banks"]);
    refused(folder.path(), &["withdraw", "t.db", "banks"], 1, "banks is withdrawn from t.db already");
    refused(
        folder.path(),
        &["withdraw", "t.db", "bnks"],
        2,
        "no agent of t.db is named `bnks` (did you mean `banks`?)",
    );
    done(folder.path(), &["submit", "last=again.wasm", "--to", "t.db"]);
    // Against never v2 and other, no more against banks.
    assert!(done(folder.path(), &["run", "t.db"]).starts_with("20 matches played, 60 stored, 0 left"));
    assert!(done(folder.path(), &["standings", "t.db"]).contains("banks (withdrawn)"));
}

/// Who comes after dice were shown plays dice that nobody has seen.
#[test]
fn seeds_that_were_shown_are_not_played_by_newcomers() {
    let (folder, _) = guests();
    made(folder.path(), "t.db", &["banks", "never"], "5");
    done(folder.path(), &["run", "t.db"]);
    done(folder.path(), &["show", "t.db", "4"]);
    let told = done(folder.path(), &["submit", "third=again.wasm", "--to", "t.db"]);
    assert!(told.contains("it plays from pair 2 on"), "match 4 is of pair 1: {told}");
    done(folder.path(), &["run", "t.db"]);
    let pairs = |name: &str| -> Vec<i64> {
        let connection = Connection::open(folder.path().join("t.db")).unwrap();
        let mut statement =
            connection.prepare("SELECT DISTINCT pair FROM results WHERE agent = ?1 ORDER BY pair").unwrap();
        let found = statement.query_map([name], |row| row.get(0)).unwrap();
        found.map(Result::unwrap).collect()
    };
    assert_eq!(pairs("third"), [2, 3, 4, 5, 6]);

    let closed = done(folder.path(), &["close", "t.db"]);
    assert!(closed.contains("commitment "), "{closed}");
    let told = done(folder.path(), &["submit", "fourth=again.wasm", "--to", "t.db"]);
    assert!(told.contains("the dice so far are revealed; commitment to the new ones: "), "{told}");
    done(folder.path(), &["run", "t.db"]);
    assert_eq!(pairs("fourth"), [7, 8, 9, 10, 11]);
    // Neither does the one after it play what was revealed, or need yet another secret.
    let told = done(folder.path(), &["submit", "fifth=again.wasm", "--to", "t.db"]);
    assert!(told.contains("it plays from pair 7 on"), "{told}");
    done(folder.path(), &["run", "t.db"]);
    assert_eq!(pairs("fifth"), [7, 8, 9, 10, 11]);
    done(folder.path(), &["verify", "t.db", "--all"]);
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
    refused(folder.path(), &["replay", "bad.db"], 2, "agents");
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
        refused(folder.path(), &[command, "newer.db"], 2, "has the newer format 99; this arena reads format 1");
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

#[test]
fn what_is_no_contestant_is_refused_at_the_door() {
    let (folder, _) = guests();
    fs::write(folder.path().join("liar.wasm"), Guest::new().decide("(i32.const 0x300000)").component()).unwrap();
    fs::write(folder.path().join("text.wasm"), "hello").unwrap();
    done(folder.path(), &["create", "t.db"]);
    refused(
        folder.path(),
        &["submit", "liar.wasm", "--to", "t.db"],
        4,
        "agent liar is refused: it faults in seat 0 under immediate-win with seed 0: illegal-keep",
    );
    refused(folder.path(), &["submit", "text.wasm", "--to", "t.db"], 4, "it is not a WebAssembly file");
    refused(folder.path(), &["submit", "nowhere.wasm", "--to", "t.db"], 2, "cannot be read");
    refused(folder.path(), &["submit", "banks.wasm", "--to", "t.db", "--name", "a\nb"], 2, "is no name for an agent");
    refused(folder.path(), &["standings", "t.db"], 1, "no agent takes part in t.db yet");
    refused(folder.path(), &["run", "t.db"], 2, "at least 2 agents, and there are 0");
}

/// Two runs on one file: the second is refused while the first holds it.
#[test]
fn a_second_run_is_refused() {
    let (folder, agents) = guests();
    made(folder.path(), "t.db", &agents, "100000");
    let mut first = Command::new(ARENA)
        .args(["run", "t.db"])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut said = String::new();
    for _ in 0..100 {
        std::thread::sleep(Duration::from_millis(50));
        let second = arena_in(folder.path(), &["run", "t.db", "--matches", "1"]);
        if second.code == 1 {
            said = second.stderr;
            break;
        }
    }
    assert!(said.contains("another `arena run` is playing t.db"), "{said}");
    // Readers and newcomers need not wait.
    done(folder.path(), &["matches", "t.db"]);
    done(folder.path(), &["submit", "new=again.wasm", "--to", "t.db"]);
    first.kill().unwrap();
    first.wait().unwrap();
    done(folder.path(), &["run", "t.db", "--matches", "2"]);
}

/// Every format plays to its end, in one go and in bits, and ends with the same file.
#[test]
fn every_format_plays_in_bits_what_it_plays_in_one_go() {
    let (folder, agents) = guests();
    let formats = [
        (&["--play", "swiss", "--rounds", "2"][..], &agents[..]),
        (&["--play", "knockout"], &agents),
        (&["--play", "gauntlet"], &agents),
        (&["--play", "ladder", "--batch", "3", "--budget", "20"], &agents),
        (&["--play", "duel"], &agents[..2]),
        (&["--seats", "3"], &agents),
        (&["--rules", "solo-ten", "--set", "opening=0"], &agents),
    ];
    for (number, (options, agents)) in formats.into_iter().enumerate() {
        let make = |file: &str| {
            let rules: &[&str] = if options[0] == "--rules" { &[] } else { &["--rules", "play-table"] };
            let fixed = ["--turn-limit", "40", "--pairs", "6", "--seed", "3"];
            done(folder.path(), &[&["create", file], rules, options, &fixed[..]].concat());
            for agent in agents {
                done(folder.path(), &["submit", &format!("{agent}.wasm"), "--to", file]);
            }
        };
        let (whole, bits) = (format!("whole{number}.db"), format!("bits{number}.db"));
        make(&whole);
        make(&bits);
        let told = done(folder.path(), &["run", &whole, "--jobs", "1"]);
        assert!(told.ends_with(" stored, 0 left\n") && !told.starts_with("0 "), "{options:?}: {told}");
        for _ in 0..100 {
            let told = done(folder.path(), &["run", &bits, "--matches", "5", "--jobs", "2"]);
            if told.starts_with("0 matches played") {
                break;
            }
        }
        assert_eq!(rows(&folder.path().join(&bits)), rows(&folder.path().join(&whole)), "{options:?}");
        done(folder.path(), &["verify", &whole, "--all"]);
        let own_order = match options[1] {
            "swiss" => "Buchholz",
            "knockout" => ": winner",
            _ => "",
        };
        assert!(done(folder.path(), &["standings", &whole]).contains(own_order));
        for format in ["text", "markdown", "csv"] {
            let printed = done(folder.path(), &["standings", &whole, "--format", format]);
            assert!(printed.contains("banks"), "{printed}");
        }
    }
}

/// The figures of a sequential test do not depend on the number of jobs.
#[test]
fn a_sequential_test_ends_alike_at_any_number_of_jobs() {
    let (folder, _) = guests();
    let run = |jobs: &str| {
        let rules = ["--rules", "play-table", "--turn-limit", "40", "--seed", "8"];
        done(
            folder.path(),
            &[&["sprt", "banks.wasm", "never.wasm", "--elo1", "50", "--jobs", jobs], &rules[..]].concat(),
        )
    };
    let told = run("1");
    assert!(told.contains("\naccept H1: the difference is 50 Elo rather than 0\n"), "{told}");
    assert_eq!(run("2"), told);
    assert_eq!(run("7"), told);
    let refuse = |options: &[&str], says| {
        refused(folder.path(), &[&["sprt", "banks.wasm", "never.wasm"], options].concat(), 2, says);
    };
    refuse(&["--elo0", "10", "--elo1", "10"], "elo0 = 10 is not below elo1 = 10");
    refuse(&["--alpha", "0.7"], "alpha");
    refuse(&["--rules", "solo-ten"], "the test is for two seats");
}

/// Ctrl-C: what was played is stored, and it is said how much is left.
#[cfg(unix)]
#[test]
fn an_interrupted_run_says_what_is_left_and_goes_on() {
    let (folder, agents) = guests();
    made(folder.path(), "t.db", &agents, "20000");
    let run = Command::new(ARENA)
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

/// Who has not played says nothing about the others.
#[test]
fn agents_without_matches_leave_the_standings_as_they_are() {
    let (folder, agents) = guests();
    for rules in [&["--rules", "play-table"][..], &["--rules", "solo-ten", "--set", "opening=0"]] {
        let file = format!("{}.db", rules[1]);
        done(folder.path(), &[&["create", &file, "--turn-limit", "30", "--pairs", "5", "--seed", "2"], rules].concat());
        for agent in &agents {
            done(folder.path(), &["submit", &format!("{agent}.wasm"), "--to", &file]);
        }
        refused(folder.path(), &["standings", &file], 1, "is played yet: `arena run");
        let nothing: Value = serde_json::from_str(&done(folder.path(), &["export", &file])).unwrap();
        assert_eq!((nothing["matches"].as_array().unwrap().len(), &nothing["standings"][0]["matches"]), (0, &0.into()));
        done(folder.path(), &["run", &file]);
        let before = done(folder.path(), &["standings", &file]);
        done(folder.path(), &["submit", "new=again.wasm", "--to", &file]);
        let with = done(folder.path(), &["standings", &file]);
        assert!(with.contains("\nnot played yet: new\n"), "{with}");
        assert_eq!(with.replace("not played yet: new\n", ""), before);
        done(folder.path(), &["withdraw", &file, "new"]);
        assert!(done(folder.path(), &["run", &file]).starts_with("0 matches played"));
        assert_eq!(done(folder.path(), &["standings", &file]), before);
    }
}

/// Of agents alone a new version takes the place of the old one, and totals are compared among those
/// who still take part.
#[test]
fn agents_alone_come_and_go() {
    let (folder, _) = guests();
    done(
        folder.path(),
        &["create", "t.db", "--rules", "solo-ten", "--set", "opening=0", "--pairs", "6", "--seed", "3"],
    );
    for agent in ["banks", "never"] {
        done(folder.path(), &["submit", &format!("{agent}.wasm"), "--to", "t.db"]);
    }
    done(folder.path(), &["run", "t.db", "--matches", "3"]);
    done(folder.path(), &["withdraw", "t.db", "never"]);
    done(folder.path(), &["submit", "third=again.wasm", "--to", "t.db"]);
    done(folder.path(), &["run", "t.db"]);
    let whole: Value = serde_json::from_str(&done(folder.path(), &["standings", "t.db", "--format", "json"])).unwrap();
    let rows = whole["standings"].as_array().unwrap();
    let told: Vec<_> =
        rows.iter().map(|row| (row["name"].as_str().unwrap(), row["matches"].as_u64().unwrap())).collect();
    assert_eq!(told, [("banks", 6), ("third", 6)]);
    assert_eq!(rows[0]["total_mean"], rows[1]["total_mean"], "the same component on the same dice");
}

/// A name belongs to whoever gave an author first.
#[test]
fn nobody_replaces_the_agent_of_another_author() {
    let (folder, _) = guests();
    done(folder.path(), &["create", "t.db", "--rules", "play-table"]);
    done(folder.path(), &["submit", "bot=never.wasm", "--to", "t.db", "--author", "Alice"]);
    let says = "`bot` is an agent of Alice: a new version of it takes --author \"Alice\"";
    refused(folder.path(), &["submit", "bot=banks.wasm", "--to", "t.db", "--author", "Bob"], 2, says);
    refused(folder.path(), &["submit", "bot=banks.wasm", "--to", "t.db"], 2, says);
    done(folder.path(), &["submit", "other=never.wasm", "--to", "t.db"]);
    let told = done(folder.path(), &["submit", "bot=banks.wasm", "--to", "t.db", "--author", "Alice"]);
    assert!(told.contains("bot takes part as version 2"), "{told}");
    done(folder.path(), &["run", "t.db", "--matches", "4"]);
    // Version 1 was replaced before it played: it stands nowhere.
    let standings = done(folder.path(), &["standings", "t.db", "--format", "csv"]);
    assert_eq!(standings.lines().count(), 3, "{standings}");
}
