//! Tournament files, through the program.

mod playing;
mod taking_part;
mod trouble;

use std::fs;
use std::path::Path;

use arena_tests::Guest;
use rusqlite::Connection;

use crate::arena::{Output, arena_in};

/// A folder with three guests, and what they are called.
pub(super) fn guests() -> (tempfile::TempDir, [&'static str; 3]) {
    let folder = tempfile::tempdir().unwrap();
    for (name, guest) in [("banks.wasm", Guest::banks()), ("never.wasm", Guest::new())] {
        fs::write(folder.path().join(name), guest.component()).unwrap();
    }
    fs::copy(folder.path().join("banks.wasm"), folder.path().join("again.wasm")).unwrap();
    (folder, ["banks", "never", "again"])
}

#[track_caller]
pub(super) fn done(folder: &Path, args: &[&str]) -> String {
    let output = arena_in(folder, args);
    assert_eq!(output.code, 0, "{args:?}: {}", output.stderr);
    output.stdout
}

#[track_caller]
pub(super) fn refused(folder: &Path, args: &[&str], code: i32, says: &str) -> Output {
    let output = arena_in(folder, args);
    assert_eq!(output.code, code, "{args:?}: {output:?}");
    assert!(output.stderr.contains(says), "`{says}` in: {}", output.stderr);
    assert!(!output.stderr.contains("panicked"), "{}", output.stderr);
    output
}

/// A tournament file of all guests; nothing played.
pub(super) fn made(folder: &Path, file: &str, agents: &[&str], pairs: &str) {
    done(folder, &["create", file, "--rules", "play-table", "--turn-limit", "60", "--pairs", pairs, "--seed", "9"]);
    for agent in agents {
        done(folder, &["submit", &format!("{agent}.wasm"), "--to", file]);
    }
}

/// Every row that a run writes.
pub(super) fn rows(file: &Path) -> Vec<String> {
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
