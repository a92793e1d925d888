//! The machine and the people around a tournament fail: what is left, and what is said.
//!
//! docs/reliability.md is the table of these tests.

mod agent_files;
pub(crate) mod disk;
mod stopped;
mod surroundings;
mod under_a_run;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};

use crate::arena::ARENA;

/// What a person reads at the end of a command that did not do what was asked: one line that begins like
/// every other, and nothing of the machinery.
#[track_caller]
fn assert_told(output: &Output, code: i32, says: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}");
    // On a slow machine there are lines of progress before it.
    let told = said.lines().find(|line| line.starts_with("arena: ")).unwrap_or_default();
    assert!(told.contains(says), "`{says}` in: {said}");
    assert!(!said.contains("panicked") && !said.contains("RUST_BACKTRACE") && !said.contains("broke down"), "{said}");
}

/// Runs a script of the shell, in which `$0` is the program.
pub(crate) fn shell(folder: &Path, script: &str) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", script, ARENA]).current_dir(folder).env("RUST_BACKTRACE", "0");
    command.output().expect("there is a shell")
}

/// Starts a command, whose last words are kept.
fn start(folder: &Path, args: &[&str]) -> Child {
    let mut command = crate::arena::program();
    command.args(args).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program runs")
}

pub(crate) fn signal(child: &Child, name: &str) {
    let kill = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).stderr(Stdio::null()).status();
    kill.expect("there is a `kill`");
}

/// Waits until a run has stored something, and says how much.
fn stored(file: &Path) -> i64 {
    let begun = Instant::now();
    loop {
        let count = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE)
            .and_then(|connection| connection.query_row("SELECT count(*) FROM matches", [], |row| row.get(0)));
        match count {
            Ok(0) | Err(_) if begun.elapsed() < Duration::from_secs(60) => {
                std::thread::sleep(Duration::from_millis(20))
            }
            count => return count.expect("a run stores something within a minute"),
        }
    }
}

/// Says that a test proves nothing here, past the harness that would keep it to itself.
pub(crate) fn skipped(test: &str, why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {test}: {why}");
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    // The tests made this folder just now.
    tempfile::tempdir().and_then(|folder| fs::metadata(folder.path())).is_ok_and(|found| found.uid() == 0)
}

/// The files of a folder, hidden ones too.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
