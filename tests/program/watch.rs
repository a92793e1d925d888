//! `arena watch`: in a terminal of the test's own, and where there is none.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::arena::{ARENA, arena, arena_in, program, sample};
use crate::{assert_refused, path};

/// A terminal: runs a program in it, and does what it is told in its first argument. Says how the program
/// ended, what it wrote, and whether the terminal is as it was. Only what changes is drawn, so that a text may never
/// be written in one piece: whoever waits for one changes the size now and then, and gives up in the end. A key that
/// comes in the instant of a change of size is read with the next key (crossterm 0.29), so that the last one is
/// pressed again where nothing comes of it.
const TERMINAL: &str = r#"
import fcntl, json, os, select, signal, struct, subprocess, sys, termios
plan = json.loads(sys.argv[1])
master, slave = os.openpty()
size = plan["size"]
def resize(lines, columns):
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
resize(*size)
before = termios.tcgetattr(slave)
program = subprocess.Popen(sys.argv[2:], stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
                           preexec_fn=lambda: fcntl.ioctl(slave, termios.TIOCSCTTY, 0))
written, seen = b"", 0
def read(seconds):
    global written
    if select.select([master], [], [], seconds)[0]:
        written += os.read(master, 65536)
        return True
    return False
for step, value in plan["steps"]:
    if step == "await":
        nudges = 0
        while value.encode() not in written[seen:]:
            if not read(0.5):
                nudges += 1
                resize(size[0], size[1] + nudges % 2)
                if nudges > 120 or program.poll() is not None:
                    program.kill()
                    sys.exit("no %r in %r" % (value, written))
        seen = written.index(value.encode(), seen) + len(value.encode())
    elif step == "type":
        os.write(master, value.encode())
    elif step == "resize":
        size = value
        resize(*size)
        while read(0.5):
            pass
    elif step == "signal":
        program.send_signal(value)
    elif step == "close":
        os.close(slave)
        os.close(master)
        json.dump({"code": program.wait(60)}, sys.stdout)
        sys.exit()
quiet = 0
while program.poll() is None:
    quiet = 0 if read(0.05) else quiet + 1
    if quiet % 100 == 99 and plan["steps"] and plan["steps"][-1][0] == "type":
        os.write(master, plan["steps"][-1][1].encode())
    if quiet > 1200:
        program.kill()
        sys.exit("it does not end: %r" % written)
while read(0.05):
    pass
json.dump({"code": program.returncode, "written": written.decode(), "restored": termios.tcgetattr(slave) == before},
          sys.stdout)
"#;

/// What came of a run in a terminal of so many lines and columns.
#[track_caller]
fn watched(folder: &Path, args: &[&str], size: [u16; 2], steps: Value, variables: &[(&str, &str)]) -> Value {
    let mut command = std::process::Command::new("python3");
    command.args(["-c", TERMINAL, &json!({"size": size, "steps": steps}).to_string(), ARENA, "watch"]).args(args);
    // What the program's own surroundings are in every test.
    command.envs(program().get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.current_dir(folder).env("TERM", "xterm-256color").env_remove("NO_COLOR").envs(variables.iter().copied());
    let run = command.output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    serde_json::from_slice(&run.stdout).unwrap()
}

const TAKEN: &str = "\u{1b}[?1049h";
const GIVEN_BACK: &str = "\u{1b}[?1049l";

/// The terminal is as it was, and what is written after it was given back is `rest`.
#[track_caller]
fn assert_given_back(run: &Value, code: i32, rest: &str) {
    let written = run["written"].as_str().unwrap();
    assert_eq!((&run["code"], &run["restored"]), (&json!(code), &json!(true)), "{written}");
    assert_eq!((written.matches(TAKEN).count(), written.matches(GIVEN_BACK).count()), (1, 1), "{written}");
    let after = written.split(GIVEN_BACK).nth(1).unwrap().replace("\u{1b}[?25h", "");
    assert_eq!(after.trim(), rest);
}

/// A short match, whose solution takes a moment.
const SHORT: [&str; 4] = ["--set", "target=1000", "--seed", "42"];

#[test]
fn a_match_is_watched_to_its_result() {
    let (one, two) = (sample("threshold-300"), sample("max-ev"));
    let args = [&[path(&one), path(&two)][..], &SHORT, &["--speed", "0.1"]].concat();
    // All is drawn anew where the size changes.
    let steps = json!([
        ["await", "immediate-win"],
        ["type", "\u{1b}[F"],
        ["resize", [12, 40]],
        ["await", "the result"],
        ["type", "q"]
    ]);
    let run = watched(Path::new("."), &args, [24, 80], steps, &[]);
    assert_given_back(&run, 0, "");
    assert!(emphases(&run).contains(&"1"), "{run}");
    // It plays by itself, too.
    let fast = [&[path(&one), path(&two)][..], &SHORT, &["--speed", "100", "--no-analysis"]].concat();
    let steps = json!([["await", "the result"], ["type", "\u{3}"]]);
    assert_given_back(&watched(Path::new("."), &fast, [24, 80], steps, &[]), 0, "");
}

#[test]
fn whoever_wants_no_colours_gets_none() {
    let (one, two) = (sample("threshold-300"), sample("max-ev"));
    let args = [&[path(&one), path(&two)][..], &SHORT, &["--speed", "100"]].concat();
    let steps = json!([["await", "the result"], ["type", "q"]]);
    let run = watched(Path::new("."), &args, [24, 80], steps, &[("NO_COLOR", "1")]);
    assert_given_back(&run, 0, "");
    assert!(emphases(&run).iter().all(|emphasis| ["", "0"].contains(emphasis)), "{run}");
}

/// What the program set of colours and emphasis while it drew, by the numbers of the terminal's command.
fn emphases(run: &Value) -> Vec<&str> {
    let drawn = run["written"].as_str().unwrap().split(TAKEN).nth(1).unwrap();
    let commands = drawn.split("\u{1b}[").skip(1);
    let numbers = commands.filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != ';')?;
        rest[end..].starts_with('m').then(|| &rest[..end])
    });
    numbers.collect()
}

#[test]
fn a_signal_gives_the_terminal_back() {
    let agent = sample("threshold-300");
    let args = [path(&agent), "--rules", "solo-ten", "--seed", "1"];
    for signal in [1, 2, 15] {
        let steps = json!([["await", "solo-ten"], ["signal", signal]]);
        assert_given_back(&watched(Path::new("."), &args, [24, 80], steps, &[]), 130, "arena: stopped");
    }
}

/// Who closes the window leaves nothing behind that runs for ever.
#[test]
fn a_closed_terminal_ends_it() {
    let agent = sample("threshold-300");
    let steps = json!([["await", "solo-ten"], ["close", 0]]);
    let args = [path(&agent), "--rules", "solo-ten", "--seed", "1", "--speed", "0.1"];
    let run = watched(Path::new("."), &args, [24, 80], steps, &[]);
    assert_eq!(run["code"], 130, "{run}");
}

#[test]
fn the_smallest_terminals_will_do() {
    let (one, two) = (sample("threshold-300"), sample("max-ev"));
    let args = [&[path(&one), path(&two)][..], &SHORT, &["--speed", "100"]].concat();
    for size in [[1, 1], [5, 20]] {
        let steps = json!([
            ["await", TAKEN],
            ["type", "nn]b[?"],
            ["resize", [2, 3]],
            ["type", "?n"],
            ["resize", [1, 200]],
            ["type", "pq"]
        ]);
        assert_given_back(&watched(Path::new("."), &args, size, steps, &[]), 0, "");
    }
}

#[test]
fn records_and_stored_matches_are_watched() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let (one, two) = (sample("threshold-300"), sample("max-ev"));
    let played = arena_in(here, &[&["match", path(&one), path(&two)][..], &SHORT, &["--record", "r.json"]].concat());
    assert_eq!(played.code, 0, "{played:?}");
    let tournament =
        ["tournament", path(&one), path(&two), "--set", "target=1000", "--seed", "1", "--pairs", "1", "--db", "t.db"];
    assert_eq!(arena_in(here, &tournament).code, 0);
    for what in [&["r.json"][..], &["t.db", "2"]] {
        let steps = json!([["await", "threshold-300"], ["await", "the result"], ["type", "q"]]);
        let args = [what, &["--speed", "100"]].concat();
        assert_given_back(&watched(here, &args, [24, 80], steps, &[]), 0, "");
    }
    let text = fs::read_to_string(here.join("r.json")).unwrap();
    fs::write(here.join("r.json"), text.replacen("\"seed\":\"42\"", "\"seed\":\"43\"", 1)).unwrap();
    let run = watched(here, &["r.json"], [24, 80], json!([]), &[]);
    let says = "arena: record r.json was changed: its hash is not that of what it says";
    assert_eq!((&run["code"], run["written"].as_str().unwrap().trim()), (&json!(2), says));
    for (args, says) in [
        (&["r.json", "--seed", "1"][..], "--seed is for agents that play now: r.json says itself what was played"),
        (&["t.db", "1", "--rules", "immediate-win"], "--rules is for agents that play now: t.db says itself"),
        (&["t.db"], "t.db is a tournament file: say which match, as in arena watch t.db 1"),
    ] {
        assert_refused(&arena_in(here, &[&["watch"], args].concat()), 2, says);
    }
}

#[test]
fn where_nothing_can_be_drawn_other_commands_are_named() {
    let agent = sample("threshold-300");
    let refused = arena(&["watch", path(&agent), path(&agent)]);
    assert_refused(&refused, 2, "`arena match` prints a match roll by roll, and `arena show` one of a tournament file");
    assert_refused(&arena(&["watch", "nowhere.wasm"]), 2, "the standard output is none that can be drawn on");
    let dumb = watched(Path::new("."), &[path(&agent)], [24, 80], json!([]), &[("TERM", "dumb")]);
    assert_eq!(dumb["code"], 2, "{dumb}");
    for (args, says) in [
        (&["watch", path(&agent), "--speed", "0"][..], "allowed are 0.1 to 100 events a second"),
        (&["watch"], "AGENT|RECORD|FILE MATCH"),
    ] {
        let refused = arena(args);
        assert_eq!(refused.code, 2, "{refused:?}");
        assert!(refused.stderr.contains(says), "{refused:?}");
    }
}
