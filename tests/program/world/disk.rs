//! Disks that are full, and files that may not be written.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::{assert_told, is_root, names, shell, skipped};
use crate::arena::ARENA;
use crate::database::{done, guests, made, rows};

/// A disk of its own, of a given size; gone with this value.
pub(crate) struct SmallDisk(PathBuf);

impl SmallDisk {
    pub(crate) fn new(place: PathBuf, size: &str) -> Option<SmallDisk> {
        fs::create_dir(&place).unwrap();
        let mount =
            Command::new("mount").args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"]).arg(&place).output();
        mount.is_ok_and(|output| output.status.success()).then_some(SmallDisk(place))
    }

    /// Leaves not a byte of room.
    pub(crate) fn fill(&self) {
        let filled = shell(&self.0, "dd if=/dev/zero of=filler bs=512 2>/dev/null");
        assert!(!filled.status.success(), "the disk takes everything");
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_stops_whoever_writes_and_loses_nothing() {
    let (folder, agents) = guests();
    let here = folder.path();
    // A fast machine commits some thousands of matches at a time, half a megabyte of them: there is room for several.
    let Some(disk) = SmallDisk::new(here.join("disk"), "2m") else {
        skipped("a_full_disk_stops_whoever_writes_and_loses_nothing", "a small disk takes root and Linux's `mount`");
        return;
    };
    made(here, "new.db", &agents[..2], "1000000");
    fs::copy(here.join("new.db"), here.join("disk/t.db")).unwrap();
    made(here, "rest.db", &agents, "2");
    done(here, &["run", "rest.db"]);
    fs::copy(here.join("rest.db"), here.join("disk/rest.db")).unwrap();
    let run = |args: &str| shell(here, &format!("exec \"$0\" {args}"));

    // Full in the midst of a run: what was committed is there.
    assert_told(&run("run disk/t.db"), 1, "disk");
    done(here, &["verify", "disk/t.db", "--sample", "50"]);
    // Where there is room, it goes on.
    for ending in ["", "-wal"] {
        let _ = fs::copy(here.join(format!("disk/t.db{ending}")), here.join(format!("t.db{ending}")));
    }
    let kept = rows(&here.join("t.db"));
    assert!(kept.len() > 100, "{} rows", kept.len());
    done(here, &["run", "t.db", "--matches", "2"]);
    assert_eq!(rows(&here.join("t.db"))[..kept.len() - 1], kept[..kept.len() - 1]);
    assert!(shell(here, "rm disk/t.db*").status.success());

    // Full before anything begins. A file at rest can be read, and nothing else is half-made.
    disk.fill();
    let before = rows(&here.join("rest.db"));
    assert!(done(here, &["standings", "disk/rest.db"]).contains("banks"));
    done(here, &["verify", "disk/rest.db", "--all"]);
    for args in ["run disk/rest.db", "submit new=never.wasm --to disk/rest.db", "withdraw disk/rest.db never"] {
        assert_told(&run(args), 1, "the disk of disk/rest.db is full, or fails");
    }
    assert_told(&run("create disk/new.db"), 1, "disk/new.db is not made: the disk is full, or fails");
    let tournament = "tournament banks.wasm never.wasm --rules play-table --turn-limit 60 --pairs 2 --seed 1";
    assert_told(&run(&format!("{tournament} --db disk/new.db")), 1, "disk/new.db is not made");
    assert_told(
        &run(&format!("{tournament} --records disk/records")),
        1,
        "disk/records/0000001.json cannot be written",
    );
    assert_eq!(names(&here.join("disk/records")), [""; 0], "no half of a record");
    let one = "match banks.wasm never.wasm --rules play-table --turn-limit 60 --seed 1";
    assert_told(&run(&format!("{one} --record disk/r.json")), 1, "disk/r.json cannot be written");
    assert_told(&run("export rest.db > disk/x.json"), 1, "the result cannot be written: No space left");
    assert_told(&run("play --save disk/p.save.json < /dev/null"), 1, "disk/p.save.json cannot be written");
    let left = names(&here.join("disk"));
    let of_ours = |name: &&String| name.starts_with(".arena") || name.starts_with("new") || name.ends_with("r.json");
    assert_eq!(left.iter().filter(of_ours).count(), 0, "{left:?}");

    // With room again everything goes on, as if nothing had been.
    for file in ["filler", "x.json"] {
        fs::remove_file(here.join("disk").join(file)).unwrap();
    }
    assert_eq!(rows(&here.join("disk/rest.db")), before);
    done(here, &["run", "disk/rest.db"]);
    assert_eq!(rows(&here.join("disk/rest.db")), before);
}

/// The same without a disk of its own: no file may grow. `database::trouble` does it to a run.
#[test]
fn files_that_may_not_grow_are_not_left_in_halves() {
    let (folder, agents) = guests();
    let here = folder.path();
    made(here, "t.db", &agents, "2");
    done(here, &["run", "t.db"]);
    let before = rows(&here.join("t.db"));
    let there = names(here);
    // Blocks of 512 bytes; the signal that says so is ignored.
    let limited = |args: &str| shell(here, &format!("trap '' XFSZ; ulimit -f 1; exec \"$0\" {args}"));
    assert_told(&limited("create new.db"), 1, "new.db is not made: the disk is full, or fails");
    for args in ["submit new=never.wasm --to t.db", "withdraw t.db never", "close t.db", "run t.db"] {
        assert_told(&limited(args), 1, "the disk of t.db is full, or fails");
    }
    assert_told(&limited("matches t.db --format jsonl > x.json"), 1, "the result cannot be written");
    fs::remove_file(here.join("x.json")).unwrap();
    let left: Vec<String> = names(here).into_iter().filter(|name| !name.starts_with("t.db-")).collect();
    assert_eq!(left, there.into_iter().filter(|name| !name.starts_with("t.db-")).collect::<Vec<_>>());
    assert_eq!(rows(&here.join("t.db")), before);
    done(here, &["verify", "t.db", "--all"]);
}

/// Somebody who may read reads, whatever of file and folder may not be written; who writes is refused.
#[test]
fn what_may_not_be_written_can_be_read() {
    let (folder, agents) = guests();
    let here = folder.path();
    made(here, "t.db", &agents, "2");
    done(here, &["run", "t.db", "--matches", "4"]);
    let before = rows(&here.join("t.db"));
    fs::remove_file(here.join("t.db-playing")).unwrap();
    // Modes bind everybody but root.
    let somebody = |args: &[&str]| -> Output {
        let mut command = match is_root() {
            true => {
                let mut command = Command::new("setpriv");
                command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups", ARENA]);
                command
            }
            false => Command::new(ARENA),
        };
        command.args(args).current_dir(here).output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
    };
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    mode(here, 0o755);
    let can_try = Command::new("setpriv").arg("--version").output().is_ok_and(|output| output.status.success());
    if is_root() && !(can_try && somebody(&["--version"]).status.success()) {
        skipped(
            "what_may_not_be_written_can_be_read",
            "root may do anything, and `setpriv` cannot run the program as nobody",
        );
        return;
    }
    for (file, of_folder) in [(0o444, 0o555), (0o666, 0o555), (0o444, 0o777)] {
        mode(&here.join("t.db"), file);
        mode(here, of_folder);
        for args in [&["standings", "t.db"][..], &["matches", "t.db"], &["verify", "t.db", "--all"]] {
            let output = somebody(args);
            assert_eq!(output.status.code(), Some(0), "{file:o} in {of_folder:o}: {args:?}: {output:?}");
        }
        // Dice are shown where nobody can submit, or where it can be noted that they were.
        for args in [&["export", "t.db"], &["show", "t.db", "1"][..]] {
            match file {
                0o444 => assert_eq!(somebody(args).status.code(), Some(0), "{args:?}"),
                _ => assert_told(&somebody(args), 2, "tournament t.db cannot be written"),
            }
        }
        for args in [
            &["run", "t.db"][..],
            &["submit", "new=never.wasm", "--to", "t.db"],
            &["withdraw", "t.db", "never"],
            &["close", "t.db"],
        ] {
            assert_told(&somebody(args), 2, "tournament t.db cannot be written");
        }
        mode(here, 0o755);
        for file in names(here).iter().filter(|name| name.starts_with("t.db-")) {
            fs::remove_file(here.join(file)).unwrap();
        }
    }
    mode(here, 0o555);
    assert_told(&somebody(&["create", "new.db"]), 2, "new.db cannot be made: Permission denied");
    mode(&here.join("t.db"), 0o000);
    assert_told(&somebody(&["standings", "t.db"]), 2, "tournament t.db cannot be opened: Permission denied");
    mode(&here.join("banks.wasm"), 0o000);
    assert_told(&somebody(&["check", "banks.wasm"]), 2, "agent banks.wasm cannot be read: Permission denied");
    mode(here, 0o755);
    mode(&here.join("t.db"), 0o600);
    assert_eq!(rows(&here.join("t.db")), before);
}
