//! `arena check`, and the questions that an author asks of one match: `--until-fault`, `--trace`.

use std::fs;
use std::path::Path;

use arena_tests::Guest;
use serde_json::Value;

use crate::arena::{Output, arena, arena_in, sample};
use crate::{assert_refused, json, path};

/// Runs a command as `arena check` prints it.
fn run_again(folder: &Path, command: &str) -> Output {
    let words: Vec<&str> = command.split(' ').collect();
    assert_eq!(words[0], "arena");
    arena_in(folder, &words[1..])
}

#[test]
fn a_sample_is_a_contestant_and_its_figures_add_up() {
    let agent = sample("threshold-300");
    let told = arena(&["check", path(&agent)]);
    assert_eq!(told.code, 0, "{}", told.stderr);
    assert!(told.stdout.ends_with("threshold-300.wasm is a contestant\n"), "{}", told.stdout);

    let figures = json(&arena(&["check", path(&agent), "--format", "json"]));
    assert_eq!((&figures["format"], &figures["accepted"]), (&1.into(), &true.into()));
    assert_eq!(figures["about"]["name"], "threshold-300");
    assert_eq!(figures["rulesets"].as_array().unwrap().len(), 11);
    assert_eq!(figures["bytes"], fs::metadata(&agent).unwrap().len());
    let number = |value: &Value| value.as_u64().unwrap();
    let fuel = &figures["decide_fuel"];
    let binned: u64 = fuel["histogram"].as_array().unwrap().iter().map(|bin| number(&bin["calls"])).sum();
    assert_eq!(binned, number(&figures["decisions"]));
    assert_eq!(fuel["allowance"], 20_000_000);
    let (median, p99, most) = (number(&fuel["median"]), number(&fuel["p99"]), number(&fuel["most"]));
    assert!(0 < median && median <= p99 && p99 <= most && most < 20_000_000, "{fuel}");
    let memory = &figures["memory"];
    assert!(number(&memory["initial"]) > 0 && number(&memory["initial"]) <= number(&memory["peak"]), "{memory}");
    assert_eq!(number(&memory["initial"]) % 65_536, 0, "{memory}");
}

/// The figures are those of the agent's own instructions: a loop of a thousand rounds of at least
/// five instructions, at every decision, and two pages of memory grown in `start`.
#[test]
fn fuel_and_memory_are_those_of_the_agent() {
    let folder = tempfile::tempdir().unwrap();
    let spin = "(local $left i32) (local.set $left (i32.const 1000))
        (loop $again (local.set $left (i32.sub (local.get $left) (i32.const 1)))
            (br_if $again (local.get $left)))";
    let plain = Guest::banks();
    let busy = Guest::banks().before_deciding(spin).start("(drop (memory.grow (i32.const 2)))");
    fs::write(folder.path().join("plain.wasm"), plain.component()).unwrap();
    fs::write(folder.path().join("busy.wasm"), busy.component()).unwrap();
    let check =
        |file: &str| json(&arena_in(folder.path(), &["check", file, "--rules", "five-dice", "--format", "json"]));
    let (plain, busy) = (check("plain.wasm"), check("busy.wasm"));
    let number = |value: &Value| value.as_u64().unwrap();
    let more = number(&busy["decide_fuel"]["median"]) - number(&plain["decide_fuel"]["median"]);
    assert!((5_000..8_000).contains(&more), "{more}");
    assert_eq!(number(&plain["memory"]["peak"]), 65_536);
    assert_eq!(number(&busy["memory"]["peak"]), 3 * 65_536);
    assert_eq!(number(&busy["memory"]["initial"]), 65_536);
}

#[test]
fn a_fault_is_told_with_the_command_that_shows_it() {
    let folder = tempfile::tempdir().unwrap();
    // Fine at tables of two; in the third seat it traps once it has 500 points.
    let third = Guest::banks()
        .also("(global $seat (mut i32) (i32.const 0))")
        .start("(global.set $seat (local.get $seat))")
        .before_deciding(
            "(if (i32.and (i32.eq (global.get $seat) (i32.const 2)) (i32.ge_s (local.get $score) (i32.const 500)))
                (then (unreachable)))",
        );
    fs::write(folder.path().join("third one.wasm"), third.component()).unwrap();
    let checked = arena_in(folder.path(), &["check", "third one.wasm", "--rules", "play-table", "--format", "json"]);
    assert_eq!(checked.code, 4, "{checked:?}");
    assert!(
        checked.stderr.starts_with("arena: agent third one.wasm is refused under play-table"),
        "{}",
        checked.stderr
    );
    assert_eq!(checked.stderr.lines().count(), 1, "{}", checked.stderr);
    let figures: Value = serde_json::from_str(&checked.stdout).unwrap();
    assert_eq!(figures["accepted"], false);
    let flaws = figures["flaws"].as_array().unwrap();
    let sizes: Vec<_> = flaws.iter().map(|flaw| flaw["seats"].as_u64().unwrap()).collect();
    assert_eq!(sizes, (3..=12).collect::<Vec<_>>());
    assert!(flaws.iter().all(|flaw| flaw["seat"] == 2 && flaw["fault"]["kind"] == "trap"));

    // Without a ruleset, every preset counts; this one also banks below an opening.
    let told = arena_in(folder.path(), &["check", "third one.wasm"]);
    assert_eq!(told.code, 4);
    assert!(told.stdout.contains("under my-turn-yet, it faults in seat 0: illegal-bank: "), "{}", told.stdout);
    assert!(told.stdout.contains("under play-table, it faults in seat 2: trap: "), "{}", told.stdout);
    assert!(told.stdout.contains("(and at "), "{}", told.stdout);

    fs::copy(folder.path().join("third one.wasm"), folder.path().join("third.wasm")).unwrap();
    let told = arena_in(folder.path(), &["check", "third.wasm", "--rules", "elverson", "--set", "target=2000"]);
    let command = told.stdout.lines().find(|line| line.contains("arena match ")).unwrap().trim();
    let again = run_again(folder.path(), command);
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert!(again.stdout.contains("  forfeits: trap: "), "{}", again.stdout);
    assert!(again.stdout.contains("\n    it was told decide: roll "), "{}", again.stdout);

    let fine = arena_in(folder.path(), &["check", "third.wasm", "--rules", "immediate-win"]);
    assert_eq!((fine.code, fine.stderr.as_str()), (0, ""), "{}", fine.stdout);
}

#[test]
fn what_is_no_contestant_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("text.wasm"), "hello").unwrap();
    let told = arena_in(folder.path(), &["check", "text.wasm"]);
    assert_refused(&told, 4, "agent text.wasm is refused: it is not a WebAssembly file");
    let told = arena_in(folder.path(), &["check", "text.wasm", "--format", "json"]);
    let verdict: Value = serde_json::from_str(&told.stdout).unwrap();
    assert_eq!((told.code, &verdict["accepted"]), (4, &false.into()));
    assert_refused(&arena_in(folder.path(), &["check", "none.wasm"]), 2, "agent none.wasm cannot be read");
    let agent = sample("random");
    assert_refused(&arena(&["check", path(&agent), "--rules", "five-dise"]), 2, "did you mean `five-dice`?");
    // Out of fuel in `start`, at every table.
    let endless = Guest::new().start("(loop $again (br $again))");
    fs::write(folder.path().join("endless.wasm"), endless.component()).unwrap();
    let told = arena_in(folder.path(), &["check", "endless.wasm", "--rules", "duel", "--allowance", "blitz"]);
    assert_eq!(told.code, 4, "{told:?}");
    assert!(told.stdout.contains("most 20,000,000; allowed are 20,000,000 (100.00%"), "{}", told.stdout);
}

#[test]
fn the_first_seed_that_breaks_an_agent_is_found() {
    let folder = tempfile::tempdir().unwrap();
    // A straight is rolled once in 65 rolls of six dice: the match that shows it is not the first.
    let straight = "(if (i32.and (i32.and (i32.and (local.get $ones) (local.get $twos)) (i32.and (local.get $threes)
        (local.get $fours))) (i32.and (local.get $fives) (local.get $sixes))) (then (unreachable)))";
    fs::write(folder.path().join("a.wasm"), Guest::banks().before_deciding(straight).component()).unwrap();
    fs::write(folder.path().join("b.wasm"), Guest::banks().component()).unwrap();
    let game = ["match", "a.wasm", "b.wasm", "--set", "target=1000"];
    let found = arena_in(folder.path(), &[&game[..], &["--until-fault"]].concat());
    assert_eq!(found.code, 1, "{found:?}");
    assert!(found.stdout.contains("1-2-3-4-5-6  forfeits: trap"), "{}", found.stdout);
    let seed: u64 = found.stdout.lines().next().unwrap().rsplit_once(' ').unwrap().1.parse().unwrap();
    // One after another, the seeds before it show none.
    assert!((2..200).contains(&seed), "{seed}");
    for before in 1..seed {
        let told = arena_in(folder.path(), &[&game[..], &["--seed", &before.to_string()]].concat());
        assert!(told.code == 0 && !told.stdout.contains("forfeits"), "seed {before}: {}", told.stdout);
    }
    let (count, first) = (format!("--until-fault={}", seed - 1), seed + 1);
    let none = arena_in(folder.path(), &[&game[..], &[&count]].concat());
    assert_eq!(none.stdout, format!("no fault on the {0} seeds from 1 to {0}\n", seed - 1));
    assert_eq!(none.code, 0);
    let next = arena_in(folder.path(), &[&game[..], &["--until-fault", "--seed", &first.to_string()]].concat());
    assert!(next.code == 1 && !next.stdout.contains(&format!("seed {seed}\n")), "{}", next.stdout);
}

#[test]
fn a_trace_has_every_word_and_changes_nothing() {
    let (a, b) = (sample("threshold-300"), sample("bank-asap"));
    let play = |options: &[&str]| arena(&[&["match", path(&a), path(&b), "--seed", "9"], options].concat());
    let (traced, plain) = (play(&["--trace"]), play(&[]));
    assert_eq!((traced.code, plain.code), (0, 0), "{}", traced.stderr);
    let kept = |line: &&str| !line.starts_with("    ") && *line != "before the first roll";
    let without: Vec<&str> = traced.stdout.lines().filter(kept).collect();
    let without = without.join("\n").replace("\n\n\n", "\n\n");
    assert_eq!(without.trim_end(), plain.stdout.trim_end());
    let count = |text: &str, what: &str| text.matches(what).count();
    assert_eq!(count(&traced.stdout, " is told start: seat "), 2);
    let decisions = count(&plain.stdout, "  keeps ");
    assert_eq!(count(&traced.stdout, " is told decide: roll "), decisions);
    assert_eq!(count(&traced.stdout, " answers keep "), decisions);
    // What is told at a roll is what the match says of it.
    let lines: Vec<&str> = traced.stdout.lines().collect();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.contains(" is told decide: roll ")) {
        let roll = line.split(" is told decide: roll ").nth(1).unwrap().split(',').next().unwrap();
        let answer = lines[at + 1].split(" answers keep ").nth(1).unwrap().split(',').next().unwrap();
        let told = lines[at + 2];
        assert!(told.trim_start().starts_with(roll), "{line}\n{told}");
        assert!(told.contains(&format!("  keeps {answer} for ")), "{}\n{told}", lines[at + 1]);
    }
    assert_refused(&play(&["--trace", "--format", "json"]), 2, "--trace is for text");
}

/// Only a note that says so is an agent's own word for its end; another one is told beside the trap.
#[test]
fn a_trap_is_told_with_what_was_noted_before() {
    let folder = tempfile::tempdir().unwrap();
    let last = |text: &str| {
        let guest = Guest::banks()
            .imports(r#"(import "farkle:arena/logging@0.1.0" "log" (func $log (param i32 i32)))"#)
            .memory(&format!("(memory (export \"memory\") 1) (data (i32.const 200) \"{text}\")"))
            .before_deciding(&format!("(call $log (i32.const 200) (i32.const {})) (unreachable)", text.len()));
        fs::write(folder.path().join("a.wasm"), guest.component()).unwrap();
        let told = arena_in(folder.path(), &["match", "a.wasm", "b=a.wasm", "--seed", "1"]);
        assert_eq!(told.code, 0, "{}", told.stderr);
        told.stdout
    };
    let said = last("at risk 250");
    assert!(said.contains("forfeits: trap: `decide` trapped: wasm trap: "), "{said}");
    assert!(said.contains("; it noted last: at risk 250\n"), "{said}");
    assert!(last("raised KeyError: 'x'").contains("forfeits: trap: raised KeyError: 'x'\n"));
    // What it was told is told of the call that failed, and who forfeited stands in the end as well.
    assert!(said.contains("\n    it was told decide: roll "), "{said}");
    assert!(said.contains("  2. a  0 (forfeited)\n"), "{said}");
}

#[test]
fn a_search_without_a_find_is_json_too() {
    let (a, b) = (sample("bank-asap"), sample("threshold-300"));
    let none = json(&arena(&[
        "match",
        path(&a),
        path(&b),
        "--until-fault=20",
        "--seed",
        "18446744073709551610",
        "--format",
        "json",
    ]));
    assert_eq!(none, serde_json::json!({"fault": false, "seeds": 20, "first": "18446744073709551610", "last": "13"}));
}

/// A result goes where a link leads, and a message that nobody can read is no panic.
#[cfg(unix)]
#[test]
fn links_stay_links_and_full_streams_are_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (sample("bank-asap"), sample("threshold-300"));
    fs::write(folder.path().join("real.json"), "old").unwrap();
    std::os::unix::fs::symlink("real.json", folder.path().join("link.json")).unwrap();
    let recorded = arena_in(folder.path(), &["match", path(&a), path(&b), "--seed", "1", "--record", "link.json"]);
    assert_eq!(recorded.code, 0, "{}", recorded.stderr);
    assert!(fs::symlink_metadata(folder.path().join("link.json")).unwrap().is_symlink());
    assert!(fs::read_to_string(folder.path().join("real.json")).unwrap().starts_with("{\"format\":1"));

    let full = fs::OpenOptions::new().write(true).open("/dev/full");
    let Ok(full) = full else { return };
    let refused = crate::arena::program().args(["match", "nosuch.wasm"]).stderr(full).status();
    assert_eq!(refused.unwrap().code(), Some(2));
}

/// But for the speed, which is the machine's.
#[test]
fn the_page_shows_a_real_check() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/checking.md")).unwrap();
    let told = page.split_once("    arena check ").unwrap().1;
    let (agent, told) = told.split_once('\n').unwrap();
    let shown = told.split_once("```\n").unwrap().1.split_once("```").unwrap().0;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let real = arena_in(&root, &["check", agent]);
    assert_eq!(real.code, 0, "{}", real.stderr);
    let without_speed = |text: &str| {
        let (before, after) = text.split_once("; about ").unwrap();
        format!("{before}{}", after.trim_start_matches(|c: char| c.is_ascii_digit() || c == ','))
    };
    assert_eq!(without_speed(shown), without_speed(&real.stdout));
}
