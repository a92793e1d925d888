//! `arena bench`: what it counts is what matches show; what it times is the machine's own affair.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use arena_tests::Guest;
use serde_json::Value;

use crate::arena::{Output, arena, arena_in, sample, samples};
use crate::{assert_refused, json, path};

const PARTS: [&str; 7] = ["schedule", "instantiation", "calls", "dice", "referee", "statistics", "storing"];
/// As quick as it gets.
const QUICK: [&str; 4] = ["--seconds", "0.05", "--jobs", "2"];

fn bench_in(folder: &Path, args: &[&str]) -> Output {
    arena_in(folder, &[&["bench"], args, &QUICK].concat())
}

fn bench(args: &[&str]) -> Output {
    bench_in(Path::new("."), args)
}

fn figures_in(folder: &Path, args: &[&str]) -> Value {
    json(&bench_in(folder, &[args, &["--format", "json"]].concat()))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is a number"))
}

fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is a count"))
}

#[track_caller]
fn assert_positive(value: &Value) {
    assert!(number(value) > 0.0 && number(value).is_finite(), "{value}");
}

fn agent<'a>(figures: &'a Value, name: &str) -> &'a Value {
    let agents = figures["agents"].as_array().unwrap();
    agents.iter().find(|agent| agent["name"] == name).unwrap_or_else(|| panic!("{name} is in {figures}"))
}

#[test]
fn text_names_every_part_and_every_agent() {
    let alone = bench(&[]);
    assert_eq!(alone.code, 0, "{}", alone.stderr);
    let begins =
        "threshold-300, which is part of this program, plays against copies of itself\nimmediate-win, 2 seats, ";
    assert!(alone.stdout.starts_with(begins), "{}", alone.stdout);
    let row = |name: &str| alone.stdout.lines().any(|line| line.starts_with(&format!("│ {name} ")));
    for name in PARTS.into_iter().chain(["all parts", "the same matches in one go", "1 job", "2 jobs", "threshold-300"])
    {
        assert!(row(name), "a row `{name}` in:\n{}", alone.stdout);
    }
    assert!(alone.stdout.contains("\nthreshold-300 against itself under immediate-win: "), "{}", alone.stdout);

    let all = samples();
    let args: Vec<&str> = all.iter().map(|agent| path(agent)).collect();
    let all = bench(&[&args[..], &["--rules", "play-table", "--seats", "3"]].concat());
    assert_eq!(all.code, 0, "{}", all.stderr);
    assert!(all.stdout.starts_with("7 agents, everyone against everyone: "), "{}", all.stdout);
    for name in ["random", "bank-asap", "threshold-300", "dice-count", "keep-choice", "max-ev", "optimal"] {
        assert!(all.stdout.lines().any(|line| line.starts_with(&format!("│ {name} "))), "{}", all.stdout);
    }
}

#[test]
fn figures_are_positive_and_add_up() {
    let (a, b) = (sample("threshold-300"), sample("max-ev"));
    let figures = figures_in(Path::new("."), &[path(&a), path(&b), "--seed", "7"]);
    assert_eq!((count(&figures["format"]), &figures["seed"], &figures["copies"]), (1, &"7".into(), &false.into()));
    assert_eq!(figures["limits"]["decide_fuel"], 20_000_000);
    assert_eq!(figures["engine"]["wasmtime"], "48.0.8");
    let speeds = figures["speeds"].as_array().unwrap();
    assert_eq!(speeds.iter().map(|speed| count(&speed["jobs"])).collect::<Vec<_>>(), [1, 2]);
    for speed in speeds {
        for figure in ["matches", "seconds", "matches_per_second", "decisions_per_second", "microseconds_per_match"] {
            assert_positive(&speed[figure]);
        }
    }
    let parts = figures["parts"].as_array().unwrap();
    assert_eq!(parts.iter().map(|part| part["part"].as_str().unwrap()).collect::<Vec<_>>(), PARTS);
    let sum: f64 = parts.iter().map(|part| number(&part["microseconds_per_match"])).sum();
    assert!((sum - number(&figures["parts_microseconds_per_match"])).abs() < 1e-6 * sum, "{figures}");
    let shares: f64 = parts.iter().map(|part| number(&part["share"])).sum();
    assert!((shares - 1.0).abs() < 1e-9, "{figures}");
    for part in ["instantiation", "calls", "dice", "statistics", "storing"] {
        let part = parts.iter().find(|known| known["part"] == part).unwrap();
        assert_positive(&part["microseconds_per_match"]);
    }
    assert_positive(&figures["whole_microseconds_per_match"]);
    for agent in figures["agents"].as_array().unwrap() {
        for figure in ["decisions_per_seat", "nanoseconds_per_decision", "microseconds_to_start", "seats"] {
            assert_positive(&agent[figure]);
        }
        assert_positive(&agent["start_fuel"]["mean"]);
        assert_positive(&agent["decide_fuel"]["mean"]);
        assert!(number(&agent["decide_fuel"]["mean"]) <= number(&agent["decide_fuel"]["most"]));
        assert_eq!(agent["faults"], serde_json::json!({}));
    }
    let native = &figures["native"];
    assert_eq!((&native["strategy"], &native["ruleset"]), (&"threshold-300".into(), &"immediate-win".into()));
    for figure in ["sandbox_microseconds_per_match", "native_microseconds_per_match", "sandbox_per_native"] {
        assert_positive(&native[figure]);
    }
}

/// The sample is a tournament: its records, made by the other command, have as many decisions and rolls.
#[test]
fn decisions_are_those_of_a_tournament_on_the_same_seed() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["random", "dice-count", "keep-choice", "bank-asap"];
    let files: Vec<_> = names.iter().map(|name| sample(name)).collect();
    let agents: Vec<&str> = files.iter().map(|file| path(file)).collect();
    let game = ["--rules", "play-table", "--seats", "3", "--seed", "11"];
    let figures = figures_in(folder.path(), &[&agents[..], &game].concat());
    let of = &figures["sample"];
    let pairs = of["pairs"].to_string();
    let tournament = [&["tournament"], &agents[..], &game, &["--pairs", &pairs, "--records", "out"]].concat();
    assert_eq!(arena_in(folder.path(), &tournament).code, 0);

    let (mut matches, mut rolls, mut decisions) = (0, 0, BTreeMap::<String, u64>::new());
    for entry in fs::read_dir(folder.path().join("out")).unwrap() {
        let record: Value = serde_json::from_slice(&fs::read(entry.unwrap().path()).unwrap()).unwrap();
        matches += 1;
        for event in record["events"].as_array().unwrap() {
            rolls += 1;
            if event.get("farkle").is_none() {
                let seat = count(&event["seat"]) as usize;
                *decisions.entry(record["seats"][seat]["name"].as_str().unwrap().to_owned()).or_default() += 1;
            }
        }
    }
    let total: u64 = decisions.values().sum();
    assert_eq!((count(&of["matches"]), count(&of["rolls"]), count(&of["decisions"])), (matches, rolls, total));
    assert!((number(&of["decisions_per_match"]) - total as f64 / matches as f64).abs() < 1e-9);
    for name in names {
        let own = agent(&figures, name);
        assert_eq!(count(&own["decisions"]), decisions[name], "{name}");
        assert_eq!(count(&own["seats"]), 3 * matches / 4, "{name}");
    }
}

#[test]
fn counts_are_the_same_every_time() {
    let (a, b) = (sample("random"), sample("max-ev"));
    let counts = |args: &[&str]| {
        let figures = figures_in(Path::new("."), &[&[path(&a), path(&b)], args].concat());
        let agents = figures["agents"].as_array().unwrap().iter();
        let agents: Vec<_> = agents
            .map(|agent| {
                ["name", "sha256", "seats", "decisions", "start_fuel", "decide_fuel", "faults"]
                    .map(|key| agent[key].clone())
            })
            .collect();
        (figures["sample"].clone(), agents)
    };
    assert_eq!(counts(&["--seed", "3"]), counts(&["--seed", "3"]));
    assert_ne!(counts(&["--seed", "3"]), counts(&["--seed", "4"]));
}

/// A loop that two agents differ by costs what `arena check` says that it costs, and what `match --trace`
/// shows for one decision lies between the least and the most.
#[test]
fn fuel_is_that_of_check_and_trace() {
    let folder = tempfile::tempdir().unwrap();
    let spin = "(local $left i32) (local.set $left (i32.const 1000))
        (loop $again (local.set $left (i32.sub (local.get $left) (i32.const 1)))
            (br_if $again (local.get $left)))";
    // One way through, so that every decision costs the same.
    let keep_all = "(i32.or (i32.const 0x1000000) (i32.or (local.get $ones)
        (i32.or (i32.shl (local.get $twos) (i32.const 4)) (i32.or (i32.shl (local.get $threes) (i32.const 8))
        (i32.or (i32.shl (local.get $fours) (i32.const 12)) (i32.or (i32.shl (local.get $fives) (i32.const 16))
            (i32.shl (local.get $sixes) (i32.const 20))))))))";
    fs::write(folder.path().join("plain.wasm"), Guest::new().decide(keep_all).component()).unwrap();
    let busy = Guest::new().decide(keep_all).before_deciding(spin).start("(drop (memory.grow (i32.const 1)))");
    fs::write(folder.path().join("busy.wasm"), busy.component()).unwrap();
    for file in ["plain.wasm", "busy.wasm"] {
        // It seldom keeps what scores: most of its matches end with a fault, and the fuel is the same.
        let checked = arena_in(folder.path(), &["check", file, "--rules", "five-dice", "--format", "json"]);
        let checked: Value = serde_json::from_str(&checked.stdout).unwrap();
        let figures = figures_in(folder.path(), &[file, "--rules", "five-dice"]);
        let own = &figures["agents"][0];
        assert_eq!(checked["decide_fuel"]["median"], checked["decide_fuel"]["most"], "{checked}");
        assert_eq!(own["decide_fuel"]["most"], checked["decide_fuel"]["most"]);
        assert_eq!(number(&own["decide_fuel"]["mean"]), number(&checked["decide_fuel"]["median"]));
        assert_eq!(number(&own["start_fuel"]["mean"]), number(&checked["start_fuel"]["median"]));
        let one = format!("one={file}");
        let traced = arena_in(folder.path(), &["match", &one, file, "--rules", "five-dice", "--seed", "1", "--trace"]);
        assert!(
            traced.stdout.contains(&format!("{} fuel", thousands(count(&own["decide_fuel"]["most"])))),
            "{}",
            traced.stdout
        );
    }
}

fn thousands(number: u64) -> String {
    if number < 1_000 { number.to_string() } else { format!("{},{:03}", number / 1_000, number % 1_000) }
}

/// Agents that fault in every way are measured as far as they come, and the command that is shown shows it.
#[test]
fn faults_are_told_and_figures_still_come() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, guest: Guest| fs::write(folder.path().join(name), guest.component()).unwrap();
    write("a good one.wasm", Guest::banks());
    write(
        "traps.wasm",
        Guest::banks().before_deciding("(if (i32.ge_s (local.get $score) (i32.const 500)) (then (unreachable)))"),
    );
    write("liar.wasm", Guest::new().decide("(i32.const 0x300000)"));
    write("malformed.wasm", Guest::new().decide("(i32.const -1)"));
    write("no-start.wasm", Guest::banks().start("(unreachable)"));
    write("no-instance.wasm", Guest::banks().start_function("(unreachable)"));
    write(
        "hungry.wasm",
        Guest::banks()
            .memory("(memory (export \"memory\") 1)")
            .start("(if (i32.lt_s (memory.grow (i32.const 2000)) (i32.const 0)) (then (unreachable)))"),
    );
    let kinds = [
        ("traps", "trap"),
        ("liar", "illegal-keep"),
        ("malformed", "malformed-answer"),
        ("no-start", "trap"),
        ("no-instance", "cannot-start"),
        ("hungry", "out-of-memory"),
    ];
    let told = bench_in(folder.path(), &["."]);
    assert_eq!(told.code, 0, "{}", told.stderr);
    let figures = figures_in(folder.path(), &["."]);
    for (name, kind) in kinds {
        let times = count(&agent(&figures, name)["faults"][kind]);
        assert!(times > 0, "{name}");
        let begins = format!("{name}: {kind} {times} times in ");
        let line = told.stdout.lines().find(|line| line.starts_with(&begins));
        let line = line.unwrap_or_else(|| panic!("`{begins}` in {}", told.stdout));
        let (_, command) = line.split_once("first in: arena ").unwrap();
        let words: Vec<&str> = command.split(' ').collect();
        if !command.contains('\'') {
            let again = arena_in(folder.path(), &words);
            assert!(again.stdout.contains(&format!("forfeits: {kind}: ")), "{command}: {}", again.stdout);
        }
    }
    assert_eq!(agent(&figures, "a good one")["faults"], serde_json::json!({}));
    // Alone against itself too.
    let figures = figures_in(folder.path(), &["no-instance.wasm"]);
    assert_eq!((&figures["copies"], count(&figures["sample"]["decisions"])), (&true.into(), 0));
}

/// Its answers hang on what the table shows: asked again, it is shown the same.
#[test]
fn an_agent_that_looks_at_the_table_is_measured_too() {
    let folder = tempfile::tempdir().unwrap();
    let imports = r#"
        (import "farkle:arena/table@0.1.0" "scores" (func $scores (param i32)))
        (import "farkle:arena/table@0.1.0" "history" (func $history (param i32 i32)))"#;
    let looks = "(global.set $free (i32.const 1024)) (call $scores (i32.const 200)) (call $history (i32.const 0) (i32.const 208))";
    let odd = "(i32.and (i32.const 1) (i32.add (i32.load (i32.const 212))
        (i32.div_s (i32.load (i32.load (i32.const 200))) (i32.const 50))))";
    let guest = Guest::new().imports(imports).banks_if(odd).before_deciding(looks);
    fs::write(folder.path().join("looks.wasm"), guest.component()).unwrap();
    let figures = figures_in(folder.path(), &["looks.wasm", "--turn-limit", "30"]);
    assert_eq!(figures["agents"][0]["faults"], serde_json::json!({}));
    assert!(count(&figures["sample"]["decisions"]) > 0);
}

#[test]
fn tables_of_other_sizes_and_other_limits_are_measured() {
    let one = sample("bank-asap");
    let alone = figures_in(Path::new("."), &[path(&one), "--rules", "solo-ten"]);
    assert_eq!((count(&alone["seats"]), &alone["copies"]), (1, &false.into()));
    let five =
        figures_in(Path::new("."), &[path(&one), "--rules", "play-table", "--seats", "5", "--allowance", "blitz"]);
    assert_eq!((count(&five["seats"]), &five["copies"]), (5, &true.into()));
    assert_eq!(count(&five["agents"][0]["seats"]), 5 * count(&five["sample"]["matches"]));
    assert_eq!(five["limits"]["decide_fuel"], 2_000_000);
    let one_job = arena(&["bench", path(&one), "--jobs", "1", "--seconds", "0.05", "--format", "json"]);
    assert_eq!(json(&one_job)["speeds"].as_array().unwrap().len(), 1);
}

#[test]
fn bad_input_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    fs::write(folder.path().join("text.wasm"), "hello").unwrap();
    let (a, b) = (sample("bank-asap"), sample("random"));
    let cases: [(&[&str], i32, &str); 11] = [
        (&["--seconds", "0"], 2, "--seconds is 0: allowed are 0.01 to 600"),
        (&["--seconds", "-1"], 2, "--seconds is -1: allowed are"),
        (&["--seconds", "1e9"], 2, "--seconds is 1000000000: allowed are"),
        (&["--seconds", "nan"], 2, "--seconds is NaN: allowed are"),
        (&["--rules", "playtable"], 2, "did you mean `play-table`?"),
        (&["--seats", "3"], 2, "ruleset `immediate-win` is for 2 seats, not 3"),
        (&["missing.wasm"], 2, "missing.wasm cannot be read"),
        (&["empty"], 2, "there is no .wasm file in the folder empty"),
        (&["text.wasm"], 4, "text.wasm is refused: it is not a WebAssembly file"),
        (&[path(&a), path(&a)], 2, "two agents are named `bank-asap`"),
        (
            &[path(&a), path(&b), "--rules", "play-table", "--seats", "4"],
            2,
            "a table of 4 seats takes 4 agents or more, and 2 were given",
        ),
    ];
    for (args, code, says) in cases {
        assert_refused(&arena_in(folder.path(), &[&["bench"], args].concat()), code, says);
    }
    for args in [&["bench", "--seconds", "soon"][..], &["bench", "--jobs", "0"], &["bench", "--format", "csv"]] {
        assert_eq!(arena(args).code, 2, "{args:?}");
    }
}

/// But for the times, which are the machine's.
#[test]
fn the_page_shows_a_real_bench() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/performance.md")).unwrap();
    let (command, told) = page.split_once("    arena bench ").unwrap().1.split_once('\n').unwrap();
    let shown = told.split_once("```\n").unwrap().1.split_once("```").unwrap().0;
    let real = bench_in(&root, &command.split(' ').collect::<Vec<_>>());
    assert_eq!(real.code, 0, "{}", real.stderr);
    assert_eq!(without_times(shown), without_times(&real.stdout));
}

/// Text as it is; of tables the first column, and of agents their counts as well.
fn without_times(text: &str) -> Vec<String> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('│').map(str::trim).collect();
        let counts = if cells.len() == 9 { 6 } else { 2 };
        cells[1..counts].join(" | ")
    };
    let kept = text.lines().filter(|line| !line.starts_with(['┌', '├', '└']));
    kept.map(|line| match line.split_once("immediate-win: ") {
        Some((before, _)) => before.to_owned(),
        None if line.starts_with('│') => row(line),
        None => line.to_owned(),
    })
    .collect()
}
