//! What a process is given by whoever starts it: streams, variables, a folder, limits, a clock.

use std::fs;
use std::path::Path;
use std::process::Command;

use rusqlite::Connection;

use super::{assert_told, is_root, shell, skipped};
use crate::arena::{ARENA, arena_where};
use crate::database::{done, guests, made, rows};

const ONE: &str = "match banks.wasm never.wasm --rules play-table --turn-limit 60 --seed 1";

/// A result that nobody can get is a failure; a reader that has seen enough is none.
#[test]
fn results_that_cannot_be_printed() {
    let (folder, agents) = guests();
    let here = folder.path();
    made(here, "t.db", &agents, "20");
    if Path::new("/dev/full").exists() {
        let says = "the result cannot be written: No space left on device";
        let run = shell(here, "exec \"$0\" run t.db > /dev/full");
        assert_told(&run, 1, says);
        for args in ["standings t.db", "matches t.db", "export t.db", "export t.db --format csv", "verify t.db", ONE] {
            assert_told(&shell(here, &format!("exec \"$0\" {args} > /dev/full")), 1, says);
        }
        let asked = shell(here, "echo 1 1 5 | \"$0\" score --stdin > /dev/full");
        assert_told(&asked, 1, says);
    } else {
        skipped("results_that_cannot_be_printed", "there is no /dev/full");
    }
    // What was played is stored all the same.
    assert!(done(here, &["run", "t.db"]).contains("120 stored, 0 left"));
    for args in ["export t.db", "export t.db --format csv", "matches t.db --limit 100", ONE] {
        let output = shell(here, &format!("(\"$0\" {args}; echo \"$?\" > code) | head -c 1 > /dev/null"));
        assert!(output.stderr.is_empty() || args.starts_with("matches"), "{args}: {output:?}");
        assert_eq!(fs::read_to_string(here.join("code")).unwrap(), "0\n", "{args}");
    }
}

/// Closed streams: no file of a tournament gets what was meant for them.
#[test]
fn closed_streams_change_nothing() {
    let (folder, agents) = guests();
    let here = folder.path();
    made(here, "whole.db", &agents, "20");
    fs::copy(here.join("whole.db"), here.join("new.db")).unwrap();
    done(here, &["run", "whole.db"]);
    for closed in ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"] {
        fs::copy(here.join("new.db"), here.join("t.db")).unwrap();
        let code = |args: &str| {
            let output = shell(here, &format!("exec \"$0\" {args} {closed}"));
            assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{output:?}");
            output.status.code()
        };
        assert_eq!(code("run t.db"), Some(0), "{closed}");
        assert_eq!(code(ONE), Some(0), "{closed}");
        assert_eq!(code("run nosuch.db"), Some(2), "{closed}");
        assert_eq!(code("submit empty=/dev/null --to t.db"), Some(4), "{closed}");
        assert_eq!(code("nosuch"), Some(2), "{closed}");
        assert_eq!(rows(&here.join("t.db")), rows(&here.join("whole.db")), "{closed}");
        done(here, &["verify", "t.db", "--all"]);
    }
}

#[test]
fn no_variable_and_no_folder_is_needed() {
    let (folder, agents) = guests();
    let here = folder.path();
    made(here, "whole.db", &agents, "20");
    fs::copy(here.join("whole.db"), here.join("t.db")).unwrap();
    done(here, &["run", "whole.db"]);
    let bare = Command::new(ARENA).args(["run", "t.db"]).current_dir(here).env_clear().output().unwrap();
    assert!(bare.status.success(), "{bare:?}");
    assert_eq!(rows(&here.join("t.db")), rows(&here.join("whole.db")));
    let nowhere = [("HOME", None), ("TMPDIR", Some("/nowhere")), ("XDG_CACHE_HOME", Some("/nowhere"))];
    for args in [&["standings", "t.db"][..], &["check", "banks.wasm", "--rules", "play-table"], &["verify", "t.db"]] {
        let output = arena_where(here, args, &nowhere);
        assert_eq!(output.code, 0, "{args:?}: {}", output.stderr);
    }

    // The folder one stands in is gone: absolute paths still work, and others are said to lead nowhere.
    let stood_in =
        |args: &str| shell(here, &format!("here=$PWD; mkdir gone; cd gone; rmdir ../gone; exec \"$0\" {args}"));
    assert!(stood_in("verify \"$here/t.db\"").status.success());
    assert_told(&stood_in("run t.db"), 2, "tournament t.db cannot be opened: No such file");
    assert_told(&stood_in("create t.db"), 2, "t.db cannot be made: No such file");
    assert_told(&stood_in("match a.wasm b.wasm"), 2, "agent a.wasm cannot be read: No such file");
}

/// A machine that has no more files, threads or memory to give: a line, and nothing is lost.
#[test]
fn limits_of_a_process_are_told_in_a_line() {
    let (folder, agents) = guests();
    let here = folder.path();
    made(here, "t.db", &agents, "20");
    fs::copy(here.join("t.db"), here.join("whole.db")).unwrap();
    done(here, &["run", "whole.db"]);
    let mut limits: Vec<String> = (5..16).map(|files| format!("ulimit -n {files}")).collect();
    limits.push("ulimit -v 400000".into());
    for limit in limits {
        let output = shell(here, &format!("{limit}; exec \"$0\" run t.db --jobs 2"));
        let said = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => {}
            Some(1 | 2) => assert!(said.starts_with("arena: ") && !said.contains("panicked"), "{limit}: {said}"),
            // Not even the program itself could be loaded.
            Some(127) => {}
            code => panic!("{limit}: {code:?}: {said}"),
        }
    }
    done(here, &["run", "t.db"]);
    assert_eq!(rows(&here.join("t.db")), rows(&here.join("whole.db")));
    // Root may have as many threads as it likes.
    if is_root() {
        skipped("limits_of_a_process_are_told_in_a_line", "the part about threads: no limit on them binds root");
        return;
    }
    for threads in 1..8 {
        let output = shell(here, &format!("ulimit -u {threads}; exec \"$0\" run t.db --jobs 2"));
        assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"), "{output:?}");
    }
}

/// Dates are kept for people and read by nobody: files from the future, or a clock that was set back
/// since, change no match, no standing and no export.
#[test]
fn no_result_depends_on_the_clock() {
    let (folder, agents) = guests();
    let here = folder.path();
    made(here, "whole.db", &agents, "20");
    fs::copy(here.join("whole.db"), here.join("t.db")).unwrap();
    done(here, &["run", "whole.db"]);
    let connection = Connection::open(here.join("t.db")).unwrap();
    let later = "UPDATE tournament SET created = '2199-01-01 00:00:00'; \
                 UPDATE agents SET submitted = CASE id WHEN 1 THEN '2199-01-01' WHEN 2 THEN '1970-01-01' ELSE '' END";
    connection.execute_batch(later).unwrap();
    drop(connection);
    done(here, &["run", "t.db", "--matches", "10"]);
    assert!(shell(here, "touch -d '2199-01-01' t.db *.wasm").status.success());
    done(here, &["run", "t.db"]);
    assert!(shell(here, "touch -d '1971-01-01' t.db").status.success());
    for args in [&["export"][..], &["export", "--format", "csv"], &["standings"]] {
        let of = |file: &str| done(here, &[&args[..1], &[file], &args[1..]].concat());
        assert_eq!(of("t.db").replace("t.db", ""), of("whole.db").replace("whole.db", ""), "{args:?}");
    }
    assert_eq!(rows(&here.join("t.db")), rows(&here.join("whole.db")));

    // Nothing else asks for the time of day; intervals are measured by a clock that is never set back.
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut sources = vec![root.to_owned()];
    let mut dates = 0;
    while let Some(path) = sources.pop() {
        if path.is_dir() {
            sources.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|ending| ending == "rs")
            && path.components().any(|part| part.as_os_str() == "src")
        {
            let text = fs::read_to_string(&path).unwrap();
            // The cache of compiled agents dates its files, to throw away those not used for longest.
            let asks = text.contains("SystemTime") || text.contains("UNIX_EPOCH");
            assert_eq!(asks, path.ends_with("loader/cache.rs"), "{}", path.display());
            dates += text.matches("datetime('now')").count();
        }
    }
    assert_eq!(dates, 4, "of the file, of an agent, of a token and of an upload");
}
