//! Agents' files that change, vanish, or are none.

use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use arena_tests::Guest;
use rusqlite::Connection;

use super::shell;
use crate::database::{done, guests, made, refused, rows};

/// A tournament holds the bytes that were submitted; whatever becomes of the file is nothing to it.
#[test]
fn an_agent_is_what_was_submitted() {
    let (folder, agents) = guests();
    let here = folder.path();
    done(here, &["check", "banks.wasm", "--rules", "play-table"]);
    made(here, "t.db", &agents, "20");
    fs::copy(here.join("t.db"), here.join("whole.db")).unwrap();
    done(here, &["run", "whole.db"]);
    fs::remove_file(here.join("banks.wasm")).unwrap();
    fs::write(here.join("never.wasm"), "something else").unwrap();
    fs::write(here.join("again.wasm"), Guest::new().component()).unwrap();
    done(here, &["run", "t.db"]);
    assert_eq!(rows(&here.join("t.db")), rows(&here.join("whole.db")));
    done(here, &["verify", "t.db", "--all"]);
    assert!(done(here, &["show", "t.db", "1"]).contains("banks"));
}

/// Somebody builds while somebody submits: what is stored is one version or the other.
#[test]
fn an_agent_that_is_replaced_while_it_is_read_is_one_or_the_other() {
    let (folder, _) = guests();
    let here = folder.path();
    made(here, "t.db", &[], "2");
    let versions = [Guest::banks().component(), Guest::new().component()];
    fs::write(here.join("bot.wasm"), &versions[0]).unwrap();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for version in versions.iter().cycle() {
                fs::write(here.join("draft"), version).unwrap();
                fs::rename(here.join("draft"), here.join("bot.wasm")).unwrap();
                if over.load(Ordering::Relaxed) {
                    break;
                }
            }
        });
        let submitted: Vec<_> = (0..6)
            .map(|number| crate::arena::arena_in(here, &["submit", &format!("bot-{number}=bot.wasm"), "--to", "t.db"]))
            .collect();
        over.store(true, Ordering::Relaxed);
        for output in submitted {
            assert_eq!(output.code, 0, "{output:?}");
        }
    });
    let connection = Connection::open(here.join("t.db")).unwrap();
    let mut statement = connection.prepare("SELECT bytes FROM components").unwrap();
    let stored: Vec<Vec<u8>> = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert!(!stored.is_empty() && stored.iter().all(|bytes| versions.contains(bytes)));
    done(here, &["verify", "t.db"]);
}

/// A pipe is read like a file; one that ends too soon is refused like a file that is cut.
#[test]
fn what_is_no_whole_component_is_refused() {
    let (folder, _) = guests();
    let here = folder.path();
    made(here, "t.db", &[], "2");
    fs::write(here.join("empty.wasm"), "").unwrap();
    fs::create_dir(here.join("folder.wasm")).unwrap();
    std::os::unix::fs::symlink("loop.wasm", here.join("loop.wasm")).unwrap();
    let whole = fs::metadata(here.join("banks.wasm")).unwrap().len();
    shell(here, &format!("head -c {} banks.wasm > cut.wasm", whole / 2));
    for (file, code, says) in [
        ("empty.wasm", 4, "agent empty.wasm is refused: it is not a WebAssembly file"),
        ("cut.wasm", 4, "agent cut.wasm is refused: it is not a valid component"),
        ("folder.wasm", 2, "agent folder.wasm is a folder, not a component"),
        ("gone.wasm", 2, "agent gone.wasm cannot be read: No such file"),
        ("loop.wasm", 2, "agent loop.wasm cannot be read: "),
        ("/dev/null", 4, "agent /dev/null is refused: it is not a WebAssembly file"),
        ("/dev/zero", 4, "the largest component allowed"),
    ] {
        refused(here, &["check", file], code, says);
        refused(here, &["submit", file, "--to", "t.db"], code, says);
    }
    assert!(Command::new("mkfifo").arg(here.join("pipe.wasm")).status().unwrap().success());
    let piped = |writer: &str, name: &str| {
        shell(here, &format!("{writer} > pipe.wasm & exec \"$0\" submit {name}=pipe.wasm --to t.db"))
    };
    let cut = piped("cat cut.wasm", "cut");
    assert_eq!(cut.status.code(), Some(4), "{cut:?}");
    let whole = piped("cat banks.wasm", "whole");
    assert_eq!(whole.status.code(), Some(0), "{whole:?}");
    refused(here, &["standings", "pipe.wasm"], 2, "pipe.wasm is no file, and so no tournament");
    refused(here, &["run", "pipe.wasm"], 2, "pipe.wasm is no file, and so no tournament");
}
