//! The program as its users meet it: what it prints, and what it says to bad input.

use std::fs;
use std::path::Path;

use arena_tests::Guest;
use serde_json::Value;

use crate::arena::{Output, arena, arena_in, sample, samples};

mod arena;
mod bench;
mod check;
mod database;
mod loading;
mod luck;
mod oracle;
mod play;
mod projects;
mod report;
mod rulesets;
mod scalars;
mod seats;
mod strangers;
mod suspension;
mod wasi;
#[cfg(unix)]
mod watch;
mod web;
#[cfg(unix)]
mod world;

fn path(path: &Path) -> &str {
    path.to_str().expect("paths here are UTF-8")
}

fn json(output: &Output) -> Value {
    assert_eq!(output.code, 0, "{}", output.stderr);
    serde_json::from_str(&output.stdout).expect("one JSON value on the standard output")
}

/// One clear line, the exit code, no panic, nothing on the standard output.
#[track_caller]
fn assert_refused(output: &Output, code: i32, says: &str) {
    assert_eq!((output.code, output.stdout.as_str()), (code, ""), "{output:?}");
    assert!(output.stderr.contains(says), "`{says}` in: {}", output.stderr);
    assert!(!output.stderr.contains("panicked") && !output.stderr.contains("RUST_BACKTRACE"), "{}", output.stderr);
    assert_eq!(output.stderr.trim_end().lines().count(), 1, "{}", output.stderr);
}

#[test]
fn a_match_is_told_recorded_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (sample("threshold-300"), sample("max-ev"));
    let told = arena(&["match", path(&a), path(&b), "--seed", "42"]);
    assert_eq!(told.code, 0, "{}", told.stderr);
    assert!(told.stdout.starts_with("immediate-win, seed 42\n  seat 0: threshold-300\n  seat 1: max-ev\n"));
    assert!(told.stdout.contains(" wins by reaching the target\n"), "{}", told.stdout);

    let args = ["match", path(&a), path(&b), "--seed", "42", "--format", "json", "--record", "r.json"];
    let printed = arena_in(folder.path(), &args);
    let record = json(&printed);
    assert_eq!(record["format"], 1);
    assert_eq!(record["seed"], "42");
    assert_eq!(record["limits"]["turns"], 1000);
    assert_eq!(record["ruleset"]["name"], "immediate-win");
    assert_eq!(fs::read_to_string(folder.path().join("r.json")).unwrap(), printed.stdout);
    assert!(told.stdout.contains(record["hash"].as_str().unwrap()));

    let built = a.parent().unwrap();
    let replayed = arena_in(folder.path(), &["replay", "r.json", "--agents", path(built)]);
    assert_eq!(replayed.code, 0, "{}", replayed.stderr);
    assert!(replayed.stdout.starts_with("identical: "), "{}", replayed.stdout);
}

#[test]
fn a_seed_that_was_drawn_is_printed_and_plays_again() {
    let (a, b) = (sample("random"), sample("bank-asap"));
    let first = json(&arena(&["match", path(&a), path(&b), "--format", "json"]));
    let seed = first["seed"].as_str().unwrap();
    let again = json(&arena(&["match", path(&a), path(&b), "--format", "json", "--seed", seed]));
    assert_eq!(first["hash"], again["hash"]);
}

#[test]
fn more_than_two_seats_play_where_the_ruleset_allows() {
    let all = samples();
    let mut args = vec!["match", "--rules", "play-table", "--seed", "1", "--format", "json"];
    args.extend(all.iter().map(|agent| path(agent)));
    let record = json(&arena(&args));
    assert_eq!(record["result"]["ranks"].as_array().unwrap().len(), 7);
    assert_eq!(record["result"]["ending"], "final-round");
    args[2] = "immediate-win";
    assert_refused(&arena(&args), 2, "ruleset `immediate-win` is for 2 seats, not 7");
}

#[test]
fn a_house_table_is_played_recorded_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("good.wasm"), Guest::new().component()).unwrap();
    fs::write(folder.path().join("house.toml"), "extends = \"five-dice\"\nfive_run = 500\n").unwrap();
    let changes = ["--rules", "house.toml", "--set", "ending=turns", "--set", "turns=3", "--set", "target=0"];
    let args = ["match", "good.wasm", "b=good.wasm", "--seed", "1", "--record", "r.json", "--format", "json"];
    let record = json(&arena_in(folder.path(), &[&args[..], &changes].concat()));
    let ruleset = &record["ruleset"];
    assert_eq!(ruleset["name"], "house with ending=turns, turns=3, target=0");
    assert!(ruleset["dice"] == 5 && ruleset["five_run"] == 500 && ruleset["turns"] == 3, "{ruleset}");
    assert_eq!(record["result"]["ending"], "turns");
    // The record holds its ruleset: the file is not needed again.
    fs::remove_file(folder.path().join("house.toml")).unwrap();
    let replayed = arena_in(folder.path(), &["replay", "r.json", "--agents", "good.wasm"]);
    assert_eq!(replayed.code, 0, "{}", replayed.stderr);
    let tournament = ["tournament", "good.wasm", "b=good.wasm", "--pairs", "2", "--set", "turns=3"];
    assert_refused(&arena_in(folder.path(), &tournament), 2, "`turns` is 3: is read only with `ending = \"turns\"`");
}

#[test]
fn a_changed_record_is_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (sample("threshold-300"), sample("dice-count"));
    let record = arena(&["match", path(&a), path(&b), "--seed", "5", "--format", "json"]).stdout;
    let built = path(a.parent().unwrap()).to_owned();
    let replay = |text: &str| {
        fs::write(folder.path().join("r.json"), text).unwrap();
        arena_in(folder.path(), &["replay", "r.json", "--agents", &built])
    };

    // Swap the first roll for another one.
    let at = record.find("\"roll\":[").unwrap() + 8;
    let end = at + record[at..].find(']').unwrap();
    let other = if &record[at..end] == "1,1,1,1,1,1" { "1,1,1,1,1,5" } else { "1,1,1,1,1,1" };
    let changed = replay(&format!("{}{other}{}", &record[..at], &record[end..]));
    assert_eq!(changed.code, 3, "{changed:?}");
    assert!(changed.stderr.contains("first in event 1"), "{}", changed.stderr);

    let hash = record.rfind("\"hash\":\"").unwrap() + 8;
    let digit = if &record[hash..=hash] == "0" { "1" } else { "0" };
    let changed = replay(&format!("{}{digit}{}", &record[..hash], &record[hash + 1..]));
    assert_eq!(changed.code, 3, "{changed:?}");
    assert!(changed.stderr.contains("first in hash"), "{}", changed.stderr);

    assert_refused(&replay(&record.replacen("\"format\":1", "\"format\":2", 1)), 2, "format 2 is newer");
    assert_refused(&replay(&record[..record.len() / 2]), 2, "not a match record");
    assert_refused(&replay("hello"), 2, "not a match record");
    assert_refused(&replay(&record.replacen("\"dice\":6", "\"dices\":6", 1)), 2, "unknown field `dices`");

    fs::write(folder.path().join("r.json"), &record).unwrap();
    let elsewhere = arena_in(folder.path(), &["replay", "r.json", "--agents", path(&a)]);
    assert_refused(&elsewhere, 2, "the component of `dice-count` is not at hand");
    assert_refused(&arena_in(folder.path(), &["replay", "none.json", "--agents", "."]), 2, "none.json cannot be read");
}

#[test]
fn a_tournament_is_the_same_on_any_number_of_threads() {
    let all = samples();
    let run = |jobs: &str, format: &str| {
        let mut args = vec!["tournament", "--pairs", "20", "--seed", "3", "--jobs", jobs, "--format", format];
        args.extend(all.iter().map(|agent| path(agent)));
        let output = arena(&args);
        assert_eq!((output.code, output.stderr.as_str()), (0, ""));
        output.stdout
    };
    for format in ["text", "json"] {
        let one = run("1", format);
        assert_eq!(one, run("2", format));
        assert_eq!(one, run("8", format));
    }
    let standings: Value = serde_json::from_str(&run("2", "json")).unwrap();
    let rows = standings["standings"].as_array().unwrap();
    assert_eq!(rows.len(), 7);
    // Each of 7 agents meets 6 others on 20 seeds in 2 seat orders.
    assert!(rows.iter().all(|row| row["matches"] == 240), "{rows:?}");
    assert_eq!(rows[6]["name"], "random");
    assert_eq!(standings["seeds"].as_array().unwrap().len(), 20);

    // Any match of it, played alone, has the same hash.
    for number in [0, 7, 839] {
        let listed = &standings["matches"][number];
        let seats: Vec<_> = (0..2).map(|seat| sample(listed["seats"][seat].as_str().unwrap())).collect();
        let args = ["match", path(&seats[0]), path(&seats[1]), "--seed", listed["seed"].as_str().unwrap()];
        let alone = json(&arena(&[&args[..], &["--format", "json"]].concat()));
        assert_eq!(alone["hash"], listed["hash"]);
    }
}

#[test]
fn records_of_a_tournament_go_to_a_new_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (sample("random"), sample("dice-count"));
    let args = ["tournament", path(&a), path(&b), "--pairs", "3", "--seed", "1", "--records", "out"];
    assert_eq!(arena_in(folder.path(), &args).code, 0);
    let mut names: Vec<_> = fs::read_dir(folder.path().join("out"))
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, (1..=6).map(|n| format!("{n:07}.json")).collect::<Vec<_>>());
    let replay = ["replay", "out/0000004.json", "--agents", path(a.parent().unwrap())];
    assert_eq!(arena_in(folder.path(), &replay).code, 0);
    assert_refused(&arena_in(folder.path(), &args), 2, "out is not empty");
}

#[test]
fn faults_and_limits_do_not_stop_a_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, guest: Guest| fs::write(folder.path().join(name), guest.component()).unwrap();
    write("never-banks.wasm", Guest::new());
    write("loops.wasm", Guest::new().before_deciding("(loop $again (br $again))"));
    write("liar.wasm", Guest::new().decide("(i32.const 0x300000)"));
    write("escape.wasm", Guest::new().before_deciding("unreachable"));
    let good = sample("threshold-300");
    let args = ["tournament", path(&good), "never-banks.wasm", "loops.wasm", "liar.wasm", "\u{9aa8}=escape.wasm"];
    let args = [&args[..], &["--pairs", "2", "--seed", "9", "--allowance", "blitz"]].concat();
    let text = arena_in(folder.path(), &args);
    assert_eq!((text.code, text.stderr.as_str()), (0, ""));
    let standings = json(&arena_in(folder.path(), &[&args[..], &["--format", "json"]].concat()));
    let row = |name: &str| {
        let rows = standings["standings"].as_array().unwrap();
        rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("{name} is in the standings")).clone()
    };
    assert_eq!(standings["standings"][0]["name"], "threshold-300");
    assert_eq!(row("never-banks")["faults"]["illegal-keep"], 0);
    assert_eq!(row("never-banks")["points_mean"], 0.0);
    assert!(row("loops")["faults"]["out-of-fuel"].as_u64() > Some(0));
    assert!(row("liar")["faults"]["illegal-keep"].as_u64() > Some(0));
    assert!(row("\u{9aa8}")["faults"]["trap"].as_u64() > Some(0));
}

#[test]
fn bad_input_gets_one_clear_line() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    let whole = Guest::new().component();
    write("text.wasm", b"this is not a component");
    write("core.wasm", &Guest::new().module());
    write("other-world.wasm", &wat_component());
    write("truncated.wasm", &whole[..whole.len() - 100]);
    write("good.wasm", &whole);
    let cases: [(&[&str], i32, &str); 13] = [
        (&["good.wasm", "text.wasm"], 4, "text.wasm is refused: it is not a WebAssembly file"),
        (&["good.wasm", "core.wasm"], 4, "core.wasm is refused: it is a core WebAssembly module"),
        (&["good.wasm", "other-world.wasm"], 4, "it does not export `farkle:arena/agent@0.1.0`"),
        (&["good.wasm", "truncated.wasm"], 4, "truncated.wasm is refused: it is not a valid component"),
        (&["good.wasm", "missing.wasm"], 2, "missing.wasm cannot be read"),
        (&["good.wasm", "folder=."], 2, "agent . is a folder, not a component"),
        (&["good.wasm", "good.wasm"], 2, "two agents are named `good`"),
        (&["good.wasm"], 2, "two agents or more"),
        (&["good.wasm", "b=good.wasm", "--rules", "nosuch"], 2, "the presets are immediate-win, play-table"),
        (&["good.wasm", "b=good.wasm", "--rules", "playtable"], 2, "did you mean `play-table`?"),
        (&["good.wasm", "=good.wasm"], 2, "is no name for an agent"),
        (&["good.wasm", "b\u{7}=good.wasm"], 2, "b\\u{7}"),
        (&["good.wasm", "b=good.wasm", "--records", "good.wasm"], 2, "good.wasm cannot be made"),
    ];
    for (args, code, says) in cases {
        assert_refused(&arena_in(folder.path(), &[&["tournament"], args].concat()), code, says);
    }
    // clap's own refusals have more lines, and the same exit code.
    for args in
        [&["tournament", "a", "b", "--pairs", "0"][..], &["match"], &["nosuch"], &["match", "a", "b", "--seed", "-1"]]
    {
        let output = arena_in(folder.path(), args);
        assert_eq!((output.code, output.stdout.as_str()), (2, ""), "{output:?}");
    }
}

fn wat_component() -> Vec<u8> {
    wat::parse_str(
        r#"(component (core module $m (func (export "f"))) (core instance $i (instantiate $m))
        (func (export "run") (canon lift (core func $i "f"))))"#,
    )
    .unwrap()
}

/// What the README shows is what its commands print.
#[test]
fn the_readme_shows_real_output() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let shown: Vec<&str> = readme.split("```\n").skip(1).step_by(2).collect();
    let [standings, told, file] = shown[..] else { panic!("three blocks of output") };

    let all = samples();
    let mut args = vec!["tournament", "--seed", "1"];
    let mut sorted: Vec<_> = all.iter().map(|agent| path(agent)).collect();
    sorted.sort_unstable();
    args.extend(sorted);
    assert_eq!(arena(&args).stdout, standings);

    let (a, b) = (sample("threshold-300"), sample("max-ev"));
    let whole = arena(&["match", path(&a), path(&b), "--seed", "42"]).stdout;
    // The hash below changes with every rebuild of the agents, so the README stops before it.
    let [begin, end, ""] = told.split("…\n").collect::<Vec<_>>()[..] else { panic!("a match cut short twice") };
    assert!(whole.starts_with(begin) && whole.contains(&format!("{end}hash ")), "{whole}");
    assert_transcript(file);

    let page = fs::read_to_string(root.join("docs/tournaments.md")).unwrap();
    let shown: Vec<&str> = page.split("```\n").skip(1).step_by(2).collect();
    let [file] = shown[..] else { panic!("one block of output") };
    assert_transcript(file);
}

/// Commands after `$ arena`, each followed by what it prints.
fn assert_transcript(shown: &str) {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).canonicalize().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut commands = 0;
    for step in shown.split("$ arena ").skip(1) {
        let (command, printed) = step.split_once('\n').unwrap();
        let command = command.replace("sample-agents/", &format!("{}/sample-agents/", path(&root)));
        let output = arena_in(folder.path(), &command.split(' ').collect::<Vec<_>>());
        assert_eq!((output.code, output.stdout.as_str()), (0, printed), "{command}: {}", output.stderr);
        commands += 1;
    }
    assert!(commands > 3, "{shown}");
}

/// What an agent notes is shown where its author asks for it, beside its roll, and changes nothing.
#[test]
fn notes_are_told_beside_their_rolls() {
    let folder = tempfile::tempdir().unwrap();
    let noting = Guest::banks()
        .imports(r#"(import "farkle:arena/logging@0.1.0" "log" (func $log (param i32 i32)))"#)
        .memory("(memory (export \"memory\") 1) (data (i32.const 200) \"so far \\1b[31m so good\")")
        .before_deciding("(call $log (i32.const 200) (i32.const 20))");
    fs::write(folder.path().join("notes.wasm"), noting.component()).unwrap();
    fs::write(folder.path().join("quiet.wasm"), Guest::banks().component()).unwrap();
    let play = |options: &[&str]| {
        arena_in(folder.path(), &[&["match", "notes.wasm", "quiet.wasm", "--seed", "4"], options].concat())
    };
    let (told, plain) = (play(&["--logs"]), play(&[]));
    assert_eq!((told.code, plain.code), (0, 0), "{}", told.stderr);
    let note = "    notes notes: so far \\u{1b}[31m so good\n";
    // One for every roll of which it kept something.
    let mut whose = "";
    let mut decisions = 0;
    for line in plain.stdout.lines() {
        whose = line.split_once(", turn ").map_or(whose, |(name, _)| name);
        decisions += usize::from(whose == "notes" && line.contains("  keeps "));
    }
    assert_eq!(told.stdout.matches(note).count(), decisions, "{}", told.stdout);
    assert_eq!(told.stdout.replace(note, ""), plain.stdout);
    assert_refused(&play(&["--logs", "--format", "json"]), 2, "--logs is for text");
}

/// A folder stands for the components in it, and whoever names another thing is told which it is.
#[test]
fn agents_are_found_where_people_point() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let bots = here.join("bots");
    fs::create_dir(&bots).unwrap();
    fs::create_dir(here.join("project")).unwrap();
    fs::write(here.join("project/Cargo.toml"), "[package]\n").unwrap();
    for name in ["b.wasm", "a.wasm", "c=d.wasm"] {
        fs::write(bots.join(name), Guest::banks().component()).unwrap();
    }
    fs::write(bots.join("notes.txt"), "no agent").unwrap();
    let standings = json(&arena_in(here, &["tournament", "bots", "--pairs", "1", "--seed", "1", "--format", "json"]));
    let mut names: Vec<_> = standings["standings"].as_array().unwrap().iter().map(|row| row["name"].clone()).collect();
    names.sort_by_key(|name| name.to_string());
    assert_eq!(names, ["a", "b", "c=d"]);
    let play = |agent: &str| arena_in(here, &["match", agent, "bots/b.wasm"]);
    assert_refused(&play("project"), 2, "project is a project, not a component: `arena build project` makes one of it");
    assert_refused(&play("project/"), 2, "`arena build project/` makes one of it");
    assert_refused(&play("."), 2, "there is no .wasm file in the folder .");
    assert_refused(&play("bots/a"), 2, "agent bots/a cannot be read: there is no such file, but bots/a.wasm");
    assert_refused(&play("bots"), 2, "two agents are named `b`: bots/b.wasm and bots/b.wasm");
    assert_refused(&arena_in(here, &["check", "project"]), 2, "`arena build project` makes one of it");
}
