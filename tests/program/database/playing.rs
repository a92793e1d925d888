//! Tournament files: planned and played, by every format.

use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use super::{done, guests, made, refused, rows};
use crate::arena::{arena_in, program};

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

/// Two runs on one file: the second is refused while the first holds it.
#[test]
fn a_second_run_is_refused() {
    let (folder, agents) = guests();
    made(folder.path(), "t.db", &agents, "100000");
    let mut first = program()
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
    assert!(said.contains("another `arena run` or `arena serve` is playing t.db"), "{said}");
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
