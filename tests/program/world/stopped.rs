//! Runs that are stopped, by whatever signal at whatever moment.

use std::time::Duration;

use super::{assert_told, signal, start};
use crate::database::{done, guests, made, rows};

/// Before the program has read its arguments, while it compiles, plays, writes and ends: in
/// milliseconds.
const MOMENTS: [u64; 12] = [0, 2, 5, 10, 20, 40, 70, 110, 160, 230, 320, 450];

/// So that a run takes about as long as the longest of these.
const PAIRS: &str = "120";

/// However often and however a run is stopped, what it goes on to is what one that nobody disturbed
/// ends with, byte for byte.
#[test]
fn a_run_that_is_stopped_at_any_moment_ends_like_one_that_is_not() {
    let (folder, agents) = guests();
    let here = folder.path();
    for (format, signals) in [("round-robin", &["KILL", "TERM", "INT", "HUP"][..]), ("swiss", &["KILL"])] {
        let (whole, stopped) = (format!("{format}-whole.db"), format!("{format}.db"));
        for file in [&whole, &stopped] {
            let rules = ["--rules", "play-table", "--turn-limit", "60", "--seed", "9", "--pairs", PAIRS];
            done(here, &[&["create", file, "--play", format], &rules[..]].concat());
            for agent in agents {
                done(here, &["submit", &format!("{agent}.wasm"), "--to", file]);
            }
        }
        done(here, &["run", &whole]);
        for name in signals {
            for moment in MOMENTS {
                let run = start(here, &["run", &stopped]);
                std::thread::sleep(Duration::from_millis(moment));
                signal(&run, name);
                let output = run.wait_with_output().unwrap();
                match output.status.code() {
                    // It had ended, or the signal ended it before it could hear it.
                    Some(0) | None => {}
                    _ => assert_told(&output, 1, "stopped: "),
                }
            }
        }
        done(here, &["run", &stopped]);
        for args in [&["export"][..], &["export", "--format", "csv"], &["standings", "--format", "json"]] {
            let of = |file: &str| done(here, &[&args[..1], &[file], &args[1..]].concat());
            assert_eq!(of(&stopped), of(&whole), "{format}: {args:?}");
        }
        assert_eq!(rows(&here.join(&stopped)), rows(&here.join(&whole)));
    }
}

/// Stopped while it is made, a tournament file is there or not, and never half.
#[test]
fn a_file_whose_making_is_stopped_is_whole_or_not_there() {
    let (folder, agents) = guests();
    let here = folder.path();
    made(here, "t.db", &agents[..1], "5");
    for moment in MOMENTS.into_iter().take(8) {
        let file = format!("{moment}.db");
        let create = start(here, &["create", &file]);
        let submit = start(here, &["submit", &format!("agent-{moment}=never.wasm"), "--to", "t.db"]);
        std::thread::sleep(Duration::from_millis(moment));
        for child in [create, submit] {
            signal(&child, "KILL");
            child.wait_with_output().unwrap();
        }
        if here.join(&file).exists() {
            done(here, &["verify", &file]);
        }
        done(here, &["verify", "t.db"]);
    }
    done(here, &["submit", "again.wasm", "--to", "t.db"]);
    done(here, &["run", "t.db"]);
}
