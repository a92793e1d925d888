//! `arena play`: people at a pipe, who play, mistype, leave and come back.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use arena_tests::Guest;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::arena::{Output, arena, arena_fed_in, arena_in, program, sample};
use crate::{assert_refused, json, path};

/// What somebody types who decides as that seat of a record did, a line a decision.
fn typed(record: &Value, seat: usize) -> Vec<String> {
    let events = record["events"].as_array().unwrap().iter();
    let own = events.filter(|event| event["seat"] == seat && event["keep"].is_array());
    own.map(|event| {
        let dice: Vec<String> = event["keep"].as_array().unwrap().iter().map(Value::to_string).collect();
        let next = event["next"].as_str().unwrap();
        format!("keep {} {}", dice.join(" "), if next == "win" { "roll" } else { next })
    })
    .collect()
}

fn fed(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn record(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("r.json")).unwrap()).unwrap()
}

/// The saves and half-written files of a folder.
fn left_over(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".save.json") || name.starts_with('.')).collect()
}

/// A person who decides as an agent does meets the dice, the rivals and the result that the agent met.
#[test]
fn a_person_plays_the_match_that_an_agent_plays() {
    let (one, two, three) = (sample("threshold-300"), sample("max-ev"), sample("dice-count"));
    let cases: [(&[&str], &[&Path], usize); 6] = [
        (&["--rules", "solo-ten"], &[&one], 0),
        (&["--rules", "immediate-win"], &[&one, &two], 0),
        (&["--rules", "immediate-win", "--set", "target=3000"], &[&two, &one], 1),
        (&["--rules", "my-turn-yet", "--set", "target=4000"], &[&two, &one, &three], 1),
        (&["--rules", "elverson", "--set", "target=5000"], &[&two, &three, &one], 2),
        (&["--rules", "five-dice", "--set", "target=2000", "--set", "keep_all=true"], &[&two, &one], 1),
    ];
    for (rules, agents, seat) in cases {
        let folder = tempfile::tempdir().unwrap();
        let seated: Vec<&str> = agents.iter().map(|agent| path(agent)).collect();
        let args = [&["match"], &seated[..], rules, &["--seed", "11", "--format", "json"]].concat();
        let expected = json(&arena(&args));
        let others: Vec<&str> = seated.iter().enumerate().filter(|(at, _)| *at != seat).map(|(_, a)| *a).collect();
        let number = seat.to_string();
        let args = [&["play"], &others[..], rules, &["--seed", "11", "--seat", &number, "--record", "r.json"]].concat();
        let played = arena_fed_in(folder.path(), &fed(&typed(&expected, seat)), &args);
        assert_eq!((played.code, played.stderr.as_str()), (0, ""), "{}", played.stdout);
        let record = record(folder.path());
        for field in ["ruleset", "seed", "limits", "engine", "events", "result"] {
            assert_eq!(record[field], expected[field], "{field} under {rules:?}");
        }
        assert_eq!(record["seats"][seat]["name"], "you");
        assert!(played.stdout.contains(record["hash"].as_str().unwrap()));
        assert_eq!(left_over(folder.path()), Vec::<String>::new());

        // Somebody else can check it.
        let built = path(one.parent().unwrap()).to_owned();
        let replay = arena_in(folder.path(), &["replay", "r.json", "--agents", &built]);
        let events = expected["events"].as_array().unwrap().len();
        let says = format!(
            "identical: {events} events, hash {}\ndecided by people, and taken from the record here: all decisions of you\n",
            record["hash"].as_str().unwrap()
        );
        assert_eq!((replay.code, replay.stdout.as_str()), (0, says.as_str()), "{}", replay.stderr);
        let verdict = json(&arena_in(folder.path(), &["replay", "r.json", "--agents", &built, "--format", "json"]));
        assert_eq!((&verdict["identical"], &verdict["people"]), (&json!(true), &json!([seat])));
    }
}

/// The hash of a record with a person in it, by the script beside the page.
#[test]
fn a_record_with_a_person_is_whole_and_finds_forgers_out() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["play", "--rules", "solo-ten", "--set", "turns=2", "--seed", "3", "--record", "r.json"];
    let played = arena_fed_in(folder.path(), &"1 bank\n1 bank\n1 roll\n".repeat(20), &args);
    let played = if played.code == 0 { played } else { panic!("{}{}", played.stdout, played.stderr) };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/check-record.py");
    let checked = Command::new("python3").args([script, "r.json"]).current_dir(folder.path()).output().unwrap();
    assert!(checked.status.success(), "{checked:?}");
    assert!(played.stdout.contains("you end with "), "{}", played.stdout);

    // A record that cannot be written is tried again with the next sitting.
    let args = ["play", "--rules", "solo-ten", "--set", "turns=2", "--seed", "3", "--record", "nowhere/r.json"];
    let lost = arena_fed_in(folder.path(), &"1 bank\n1 bank\n1 roll\n".repeat(20), &args);
    assert_eq!(lost.code, 1, "{lost:?}");
    assert!(
        lost.stderr.contains("`arena play --resume farkle-3.save.json --record nowhere/r.json` tries again"),
        "{}",
        lost.stderr
    );
    let again = arena_in(folder.path(), &["play", "--resume", "--record", "again.json"]);
    assert_eq!(again.code, 0, "{again:?}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("again.json"), read("r.json"));

    // Solo: no components to be found.
    assert_eq!(arena_in(folder.path(), &["replay", "r.json"]).code, 0);
    let text = fs::read_to_string(folder.path().join("r.json")).unwrap();
    let mut forged = record(folder.path());
    let events = forged["events"].as_array_mut().unwrap();
    events.pop();
    for (changed, place) in [
        (forged.to_string(), "first in event"),
        (text.replacen("\"seed\":\"3\"", "\"seed\":\"4\"", 1), "first in event 1:"),
    ] {
        fs::write(folder.path().join("r.json"), changed).unwrap();
        let replay = arena_in(folder.path(), &["replay", "r.json"]);
        assert_eq!(replay.code, 3, "{replay:?}");
        assert!(replay.stderr.contains(place), "{}", replay.stderr);
    }
}

/// Lines that mean nothing, or may not be, change nothing but the transcript.
#[test]
fn mistyped_lines_cost_nothing() {
    let (agent, opponent) = (sample("threshold-300"), sample("max-ev"));
    let rules = ["--rules", "my-turn-yet", "--set", "target=2000", "--seed", "7"];
    let args = [&["match", path(&agent), path(&opponent)][..], &rules, &["--format", "json"]].concat();
    let expected = json(&arena(&args));
    let mistakes = [
        "",
        "keep 1 1 9",
        "7 7",
        "keep 1 2 3 4 5 6 6",
        "bnak",
        "keep",
        "roll bank",
        "#99 bank",
        "odds",
        "help",
        "score",
        "history",
        "rules",
        "undo",
        "\u{1b}[2J",
        "odds please",
        "?",
    ];
    let mut lines = Vec::new();
    for line in typed(&expected, 0) {
        lines.extend(mistakes.map(str::to_owned));
        lines.push("x".repeat(5_000));
        // The keep alone first, then another one's half, and only then both.
        lines.push(line.rsplit_once(' ').unwrap().0.to_owned());
        lines.push(String::new());
        lines.push(line);
    }
    let folder = tempfile::tempdir().unwrap();
    let args = [&["play", path(&opponent)][..], &rules, &["--record", "r.json"]].concat();
    let played = arena_fed_in(folder.path(), &fed(&lines), &args);
    assert_eq!((played.code, played.stderr.as_str()), (0, ""), "{}", played.stdout);
    let record = record(folder.path());
    assert_eq!((&record["events"], &record["result"]), (&expected["events"], &expected["result"]));
    for says in [
        "\nyou> keep 1 1 9\n  not done: there is no 9 on a die: its faces are 1 to 6\n  allowed: a keep by number, 1 to ",
        "\nyou> \n  not done: nothing is typed\n",
        "not done: `bnak` is no word that is known here (did you mean `bank`?)",
        "not done: 7 dice are more than the 6 of a table",
        "not done: `\\u{1b}` means nothing here",
        "there is no undo",
        "short of the opening of 500> \n  not done: say what then: `roll` or `bank`",
    ] {
        assert!(played.stdout.contains(says), "{says}");
    }
    assert!(!played.stdout.contains('\u{1b}'), "no colour and no terminal command in a pipe");
}

/// Ended after each line, and gone on with: one match, whatever is cut where.
#[test]
fn a_match_that_is_left_at_any_line_goes_on() {
    let (agent, rival) = (sample("dice-count"), sample("threshold-300"));
    for (seated, rules) in [
        (&[path(&agent)][..], &["--rules", "solo-ten"][..]),
        (&[path(&agent), path(&rival)], &["--rules", "my-turn-yet", "--set", "target=2500"]),
    ] {
        let args = [&["match"], seated, rules, &["--seed", "23", "--format", "json"]].concat();
        let lines = typed(&json(&arena(&args)), 0);
        let begin = [&["play"], &seated[1..], rules, &["--seed", "23", "--record", "r.json"]].concat();
        let resume = ["play", "--resume", "--record", "r.json"];
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(arena_fed_in(folder.path(), &fed(&lines), &begin).code, 0);
        let whole = fs::read_to_string(folder.path().join("r.json")).unwrap();
        assert!(lines.len() > 6, "{lines:?}");
        for cut in 0..lines.len() {
            fs::remove_file(folder.path().join("r.json")).unwrap();
            let left = arena_fed_in(folder.path(), &fed(&lines[..cut]), &begin);
            assert_eq!(left.code, 1, "{left:?}");
            let says = "the input has ended: the match is saved; `arena play --resume farkle-23.save.json --record r.json` goes on";
            assert!(left.stderr.contains(says), "{}", left.stderr);
            assert_eq!(left_over(folder.path()), ["farkle-23.save.json"]);
            let rest = arena_fed_in(folder.path(), &fed(&lines[cut..]), &resume);
            assert_eq!((rest.code, rest.stderr.as_str()), (0, ""), "{}", rest.stdout);
            assert_eq!(fs::read_to_string(folder.path().join("r.json")).unwrap(), whole, "cut at {cut}");
            assert_eq!(left_over(folder.path()), Vec::<String>::new());
        }
        // A line a sitting, `quit` at the end of each.
        fs::remove_file(folder.path().join("r.json")).unwrap();
        let mut args = &begin[..];
        for line in &lines[..lines.len() - 1] {
            let sitting = arena_fed_in(folder.path(), &format!("{line}\nquit\n"), args);
            assert_eq!((sitting.code, sitting.stderr.as_str()), (0, ""), "{}", sitting.stdout);
            args = &resume;
        }
        assert_eq!(arena_fed_in(folder.path(), &fed(&lines[lines.len() - 1..]), args).code, 0);
        assert_eq!(fs::read_to_string(folder.path().join("r.json")).unwrap(), whole);
    }
}

/// The match is what it was, so its components have to be.
#[test]
fn a_changed_or_missing_component_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let rival = folder.path().join("rival.wasm");
    fs::copy(sample("threshold-300"), &rival).unwrap();
    let left = arena_fed_in(folder.path(), "1 bank\n", &["play", "rival.wasm", "--seed", "1"]);
    assert_eq!(left.code, 1, "{left:?}");
    fs::copy(sample("max-ev"), &rival).unwrap();
    let refused = arena_in(folder.path(), &["play", "--resume"]);
    assert_refused(&refused, 2, "the component of `rival` has changed since the match was saved: ");
    fs::remove_file(&rival).unwrap();
    assert_refused(&arena_in(folder.path(), &["play", "--resume"]), 2, "the component of `rival` is missing: ");
    fs::copy(sample("threshold-300"), &rival).unwrap();
    let resumed = arena_in(folder.path(), &["play", "--resume"]);
    assert!(resumed.stdout.contains("goes on after 1 decision;"), "{resumed:?}");
}

#[test]
fn damaged_saves_are_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("mine.json");
    let args = ["play", "--rules", "solo-ten", "--seed", "8", "--save", "mine.json"];
    assert_eq!(arena_fed_in(folder.path(), "1 roll\n", &args).code, 1);
    let whole = fs::read_to_string(&save).unwrap();
    for (text, says) in [
        (whole[..whole.len() / 2].to_owned(), "it is no whole save file"),
        (whole.replacen("\"turns\":10", "\"turns\":11", 1), "its check sum is that of another text"),
        (whole.replacen("\"seed\":\"8\"", "\"seed\":\"9\"", 1), "its check sum is that of another text"),
        (whole.replacen("\"format\":1", "\"format\":2", 1), "format 2 is newer than this arena reads (format 1)"),
        ("{\"format\":1}".to_owned(), "it is no save file"),
        (String::new(), "it is no whole save file"),
    ] {
        fs::write(&save, &text).unwrap();
        assert_refused(&arena_in(folder.path(), &["play", "--resume", "mine.json"]), 2, says);
        assert_eq!(fs::read_to_string(&save).unwrap(), text);
    }
    // With a check sum that fits, decisions still have to fit the dice.
    let (covered, _) = whole.split_once(",\n \"check\"").unwrap();
    let at = covered.find("\"roll\":[").unwrap() + 8;
    let other = if covered[at..].starts_with('1') { "2" } else { "1" };
    for (forged, says) in [
        (format!("{}{other}{}", &covered[..at], &covered[at + 1..]), "its decisions do not belong to this match"),
        (covered.replacen("\"after\":0", "\"after\":1", 1), "its decisions do not belong to this match"),
        (covered.replacen("\"turns\":10,", "\"turns\":0,", 1), "ruleset field `turns` is 0"),
    ] {
        assert_ne!(forged, covered);
        let digits: String = Sha256::digest(&forged).iter().map(|byte| format!("{byte:02x}")).collect();
        fs::write(&save, format!("{forged},\n \"check\":\"{digits}\"}}\n")).unwrap();
        let refused = arena_in(folder.path(), &["play", "--resume", "mine.json"]);
        assert_eq!(refused.code, 2, "{refused:?}");
        assert!(refused.stderr.contains(says), "{}", refused.stderr);
    }
    fs::write(&save, &whole).unwrap();
    assert_refused(&arena_in(folder.path(), &args), 2, "mine.json is there already");
    assert_eq!(fs::read_to_string(&save).unwrap(), whole);
    assert_refused(&arena_in(folder.path(), &["play", "--resume", "none.json"]), 2, "none.json cannot be read");
}

#[test]
fn without_a_name_the_only_save_of_a_folder_is_meant() {
    let folder = tempfile::tempdir().unwrap();
    let resume = || arena_in(folder.path(), &["play", "--resume"]);
    assert_refused(&resume(), 2, "there is no saved match in the current folder");
    for seed in ["1", "2"] {
        arena_in(folder.path(), &["play", "--rules", "solo-ten", "--seed", seed]);
        assert_eq!(resume().code, if seed == "1" { 1 } else { 2 });
    }
    assert_refused(
        &resume(),
        2,
        "there are 2 saved matches in the current folder; say which, as in --resume farkle-1.save.json: farkle-1.save.json, farkle-2.save.json",
    );
    let named = arena_in(folder.path(), &["play", "--resume", "farkle-2.save.json"]);
    assert!(named.stdout.starts_with("solo-ten, seed 2\n"), "{named:?}");
}

/// A match somebody sits at, up to its first prompt.
fn seated(folder: &Path, args: &[&str]) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut command = program();
    command.args(args).current_dir(folder);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    read_to_prompt(&mut out);
    (child, out)
}

fn read_to_prompt(out: &mut impl BufRead) -> String {
    let mut text = Vec::new();
    while !text.ends_with(b"> ") {
        assert_ne!(out.read_until(b' ', &mut text).unwrap(), 0, "{}", String::from_utf8_lossy(&text));
    }
    String::from_utf8(text).unwrap()
}

#[test]
fn a_match_is_played_by_one_process_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["play", "--rules", "solo-ten", "--set", "opening=0", "--seed", "4"];
    let (mut child, mut out) = seated(folder.path(), &args);
    let refused = || arena_in(folder.path(), &["play", "--resume"]);
    assert_refused(&refused(), 1, "another `arena play` is playing farkle-4.save.json");
    let mut keyboard = child.stdin.take().unwrap();
    keyboard.write_all(b"1 bank\n").unwrap();
    read_to_prompt(&mut out);
    // The file was written anew, and is held still.
    assert_refused(&refused(), 1, "another `arena play` is playing farkle-4.save.json");
    // What somebody else has put there stays there.
    let save = folder.path().join("farkle-4.save.json");
    fs::write(&save, "mine").unwrap();
    keyboard.write_all(b"1 bank\n").unwrap();
    let mut error = String::new();
    child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{error}");
    assert!(error.contains("farkle-4.save.json was changed by somebody else"), "{error}");
    assert_eq!(fs::read_to_string(&save).unwrap(), "mine");
}

#[cfg(unix)]
#[test]
fn control_c_ends_a_sitting_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for signal in ["-INT", "-TERM"] {
        let begin = ["play", "--rules", "solo-ten", "--set", "opening=0", "--seed", "6"];
        let args: &[&str] = if signal == "-INT" { &begin } else { &["play", "--resume"] };
        let (mut child, mut out) = seated(folder.path(), args);
        child.stdin.as_mut().unwrap().write_all(b"1 bank\n").unwrap();
        read_to_prompt(&mut out);
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let mut error = String::new();
        child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130), "{error}");
        let says = "arena: stopped: the match is saved; `arena play --resume farkle-6.save.json` goes on\n";
        assert_eq!(error, says);
    }
    let resumed = arena_in(folder.path(), &["play", "--resume"]);
    assert!(resumed.stdout.contains("goes on after 2 decisions;"), "{resumed:?}");
}

#[test]
fn a_fault_of_an_agent_is_told_and_the_others_play_on() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("traps.wasm"), Guest::new().before_deciding("unreachable").component()).unwrap();
    let rules = ["--rules", "play-table", "--set", "target=1000", "--seed", "2", "--record", "r.json"];
    let rival = sample("threshold-300");
    let args = [&["play", "traps.wasm", path(&rival)][..], &rules].concat();
    let played = arena_fed_in(folder.path(), &"1 bank\n".repeat(100), &args);
    assert_eq!((played.code, played.stderr.as_str()), (0, ""), "{}", played.stdout);
    assert!(played.stdout.contains("forfeits: trap: "), "{}", played.stdout);
    assert!(played.stdout.contains("traps 0 (forfeited)"), "{}", played.stdout);
    assert_eq!(record(folder.path())["result"]["ranks"][1], 3);
    // With nobody else left, the person has won.
    let alone = arena_fed_in(folder.path(), &"1 bank\n".repeat(9), &["play", "traps.wasm", "--seed", "2"]);
    assert!(alone.stdout.contains("\nyou win by forfeit\n"), "{}", alone.stdout);
}

/// Who names no opponent gets `max-ev`, and needs no file of it to check the record.
#[test]
fn the_built_in_opponent_is_the_sample_and_always_at_hand() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["play", "--set", "target=1000", "--seed", "5", "--record", "r.json"];
    let played = arena_fed_in(folder.path(), &"1 bank\n".repeat(40), &args);
    assert_eq!((played.code, played.stderr.as_str()), (0, ""), "{}", played.stdout);
    let bytes = fs::read(sample("max-ev")).unwrap();
    let digits: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(record(folder.path())["seats"][1], json!({"name": "max-ev", "sha256": digits}));
    let replay = arena_in(folder.path(), &["replay", "r.json"]);
    assert!(replay.code == 0 && replay.stdout.starts_with("identical: "), "{replay:?}");
    let other =
        arena_in(folder.path(), &["match", path(&sample("random")), path(&sample("max-ev")), "--record", "r.json"]);
    assert_eq!(other.code, 0, "{other:?}");
    let says = "the component of `random` is not at hand: none of the 0 files given";
    assert_refused(&arena_in(folder.path(), &["replay", "r.json"]), 2, says);
}

#[test]
fn several_people_share_a_keyboard() {
    let folder = tempfile::tempdir().unwrap();
    let two = ["play", "--people", "2", "--name", "Ann", "--seed", "5", "--set", "target=1000", "--record", "r.json"];
    let Output { code, stdout, stderr } = arena_fed_in(folder.path(), &"1 bank\n".repeat(60), &two);
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    assert!(stdout.contains("\nAnn> 1 bank\n") && stdout.contains("\nplayer 2> 1 bank\n"), "{stdout}");
    assert!(!stdout.contains("max-ev"), "nobody is missing");
    let replay = arena_in(folder.path(), &["replay", "r.json"]);
    assert!(replay.stdout.ends_with("all decisions of Ann and player 2\n"), "{replay:?}");
}

#[test]
fn what_cannot_be_played_is_said_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("you.wasm"), Guest::new().component()).unwrap();
    fs::write(folder.path().join("text.wasm"), "text").unwrap();
    let cases: [(&[&str], i32, &str); 11] = [
        (&["--seat", "2"], 2, "--seat 2: with 2 seats you sit 0 to 1"),
        (&["--rules", "solo-ten", "--seat", "1"], 2, "--seat 1: with 1 seat you sit 0"),
        (&["--rules", "solo-ten", "a=you.wasm"], 2, "ruleset `solo-ten` is for 1 seat, not 2"),
        (&["you.wasm"], 2, "a person and an agent are named `you`; --name gives you another name"),
        (&["text.wasm"], 4, "text.wasm is refused"),
        (&["missing.wasm"], 2, "missing.wasm cannot be read"),
        (&["--rules", "nosuch"], 2, "there is no ruleset `nosuch`"),
        (&["--name", "a", "--name", "b"], 2, "2 names are given for 1 of --people"),
        (&["--people", "2", "--name", "a", "--name", "a"], 2, "two people are named `a`"),
        (&["--name", "a\u{7}"], 2, "is no name for a seat"),
        (&["--save", "nowhere/a.json"], 1, "nowhere/a.json cannot be written"),
    ];
    for (args, code, says) in cases {
        assert_refused(&arena_in(folder.path(), &[&["play"], args].concat()), code, says);
        assert_eq!(left_over(folder.path()), Vec::<String>::new(), "{args:?}");
    }
    for args in [&["--resume", "a", "--seed", "1"][..], &["--resume", "a", "--rules", "duel"], &["--people", "0"]] {
        assert_eq!(arena_in(folder.path(), &[&["play"], args].concat()).code, 2, "{args:?}");
    }
    let same = ["play", "--rules", "solo-ten", "--seed", "1", "--save", "a.json", "--record", "./a.json"];
    assert_refused(&arena_in(folder.path(), &same), 2, "--record names the file in which the match is saved");
    assert!(!folder.path().join("a.json").exists());
}

/// What the page shows is what is printed to who types that.
#[test]
fn the_page_shows_real_output() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/play.md");
    let page = fs::read_to_string(page).unwrap();
    let blocks: Vec<&str> = page.split("```\n").skip(1).step_by(2).collect();
    let [shown] = blocks[..] else { panic!("one block of output") };
    let folder = tempfile::tempdir().unwrap();
    let steps: Vec<&str> = shown.split("$ arena ").skip(1).collect();
    assert_eq!(steps.len(), 2);
    for step in steps {
        let (command, printed) = step.split_once('\n').unwrap();
        let prompts = printed.lines().filter(|line| line.starts_with("you") && line.contains("> "));
        let typed: String = prompts.map(|line| format!("{}\n", line.rsplit_once("> ").unwrap().1)).collect();
        let output = arena_fed_in(folder.path(), &typed, &command.split(' ').collect::<Vec<_>>());
        assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{}", output.stdout);
        // The hash changes with every rebuild of the agent, so the page stops before it.
        match printed.strip_suffix("…\n") {
            Some(begin) => assert!(output.stdout.starts_with(&format!("{begin}hash ")), "{}", output.stdout),
            None => assert_eq!(output.stdout, printed),
        }
    }
}

/// What follows a long line's first thousand bytes belongs to it: none of it is obeyed.
#[test]
fn a_line_too_long_is_no_line() {
    let folder = tempfile::tempdir().unwrap();
    let long = format!("1 bank{}oops\n", " ".repeat(995));
    let told = arena_fed_in(folder.path(), &long, &["play", "--seed", "5"]);
    assert!(told.stdout.contains("not done: "), "{}", told.stdout);
    assert!(!told.stdout.contains(" banks "), "{}", told.stdout);
}

#[test]
fn a_record_is_never_written_over_a_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    let refused = arena_fed_in(folder.path(), "", &["play", "--seed", "5", "--record", "notes.txt"]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("notes.txt is there already, and nothing is written over"), "{}", refused.stderr);
    assert_eq!(std::fs::read_to_string(folder.path().join("notes.txt")).unwrap(), "mine");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no save is left");
}
