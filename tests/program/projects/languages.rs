//! Agents in Python, JavaScript and C: their projects, and the game as they know it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{assert_told, imports, runs};
use crate::arena::arena_in;
use crate::{json, path};

/// An agent in C is built and never breaks the rules, where there is a compiler for it.
#[test]
fn an_agent_in_c_plays_under_every_preset() {
    let folder = tempfile::tempdir().unwrap();
    let made = arena_in(folder.path(), &["new", "mine", "--lang", "c"]);
    assert_eq!((made.code, made.stderr.as_str()), (0, ""));
    let built = arena_in(folder.path(), &["build", "mine"]);
    if built.stderr.contains("there is no `clang`") || built.stderr.contains("wasm-ld") {
        return;
    }
    assert_eq!((built.code, built.stderr.as_str()), (0, ""));
    assert_eq!(imports(&fs::read(folder.path().join("mine.wasm")).unwrap(), "wasi:"), 0);
    for preset in PRESETS {
        let alone = preset == "solo-ten";
        let agents = if alone { &["mine.wasm"][..] } else { &["mine.wasm", "other=mine.wasm"] };
        for seed in ["1", "2", "3", "4", "5"] {
            let options = ["--rules", preset, "--seed", seed, "--format", "json"];
            let played = json(&arena_in(folder.path(), &[&["match"], agents, &options].concat()));
            assert_eq!(played["result"]["faults"], Value::Array(vec![]), "{preset}");
        }
    }
    // What does not compile is the compiler's to tell.
    fs::write(folder.path().join("mine/more.c"), "int broken(").unwrap();
    let broken = arena_in(folder.path(), &["build", "mine"]);
    assert_told(&broken, 1, &["more.c:1:", "error: "]);
    assert!(!broken.stderr.contains("arena: "), "{}", broken.stderr);
}

/// Runs what a new project says runs its tests, where the language is installed.
#[test]
fn new_projects_in_other_languages_pass_their_tests() {
    let folder = tempfile::tempdir().unwrap();
    for (language, program, args) in
        [("python", "python3", &["-m", "unittest"][..]), ("javascript", "node", &["--test"])]
    {
        let made = arena_in(folder.path(), &["new", language, "--lang", language]);
        assert_eq!((made.code, made.stderr.as_str()), (0, ""));
        let project = folder.path().join(language);
        let wit = fs::read_to_string(project.join("wit/arena.wit")).unwrap();
        assert_eq!(wit, fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../wit/arena.wit")).unwrap());
        if !runs(program) {
            continue;
        }
        let tested = Command::new(program).args(args).current_dir(&project).output().unwrap();
        let said = [tested.stdout, tested.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(tested.status.success() && (said.contains("Ran 4 tests") || said.contains("# pass 4")), "{said}");
    }
}

const PRESETS: [&str; 11] = [
    "immediate-win",
    "play-table",
    "play-table-simple",
    "duel",
    "solo-ten",
    "patch",
    "elverson",
    "pocket",
    "five-dice",
    "my-turn-yet",
    "my-turn-yet-plain",
];

/// Changes of `play-table` that the presets do not have.
const HOUSES: [&[&str]; 9] = [
    &["five_run=500"],
    &["full_house=250"],
    &["no_score=500"],
    &["toxic_twos=true"],
    &["keep_all=true"],
    &["kinds=doubling", "four_of_a_kind=0", "five_of_a_kind=0"],
    &["kinds=adding", "four_of_a_kind=0", "five_of_a_kind=0", "six_of_a_kind=0"],
    &["single_one=0", "no_score=300"],
    &["keep_all=true", "five_run=700", "no_score=250", "full_house=50"],
];

/// What the modules `farkle.py` and `farkle.js` say of every roll, beside `arena keeps`.
#[test]
fn the_game_in_other_languages_is_the_arena_s() {
    let folder = tempfile::tempdir().unwrap();
    let samples = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample-agents"));
    let python = r#"
import json, sys
from types import SimpleNamespace
from farkle import Chart
chart = Chart(SimpleNamespace(**json.loads(sys.argv[1])))
text = lambda keep: "".join(str(face) * n for face, n in enumerate(keep.dice, 1)) + " " + str(keep.points)
for roll in sys.stdin.read().split():
    counts = tuple(roll.count(face) for face in "123456")
    keeps, best = chart.legal_keeps(counts), chart.best_keep(counts)
    print(",".join(sorted(map(text, keeps))), best and f"{len(best)} {best.points}")
"#;
    let javascript = r#"
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
const { Chart } = await import(pathToFileURL('farkle.js'));
const camel = (name) => name.replace(/_(.)/g, (_, c) => c.toUpperCase());
const rules = Object.entries(JSON.parse(process.argv[2])).map(([name, value]) => [camel(name), value]);
const chart = new Chart(Object.fromEntries(rules));
const text = (keep) => `${keep.dice.map((n, face) => String(face + 1).repeat(n)).join('')} ${keep.points}`;
for (const roll of readFileSync(0, 'utf8').split(/\s+/).filter(Boolean)) {
  const counts = [1, 2, 3, 4, 5, 6].map((face) => [...roll].filter((die) => Number(die) === face).length);
  const best = chart.bestKeep(counts);
  console.log(chart.legalKeeps(counts).map(text).sort().join(','), best ? `${best.length} ${best.points}` : 'None');
}
"#;
    fs::write(folder.path().join("check.py"), python).unwrap();
    fs::write(folder.path().join("check.mjs"), javascript).unwrap();
    let checkers = [("python3", "check.py", "python-threshold"), ("node", "check.mjs", "javascript-threshold")];
    let house =
        |fields: &[&str]| fields.iter().flat_map(|field| ["--set".to_owned(), (*field).to_owned()]).collect::<Vec<_>>();
    let rulesets =
        PRESETS.iter().map(|name| (*name, vec![])).chain(HOUSES.iter().map(|set| ("play-table", house(set))));
    for (name, set) in rulesets {
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        let rules = arena_in(folder.path(), &[&["rules", "show", name, "--format", "json"], &set[..]].concat());
        let dice = json(&rules)["dice"].as_u64().unwrap() as usize;
        let rolls = rolls(dice);
        let asked = crate::arena::arena_fed(
            &rolls,
            &[&["keeps", "--stdin", "--format", "json", "--rules", name], &set[..]].concat(),
        );
        let expected: Vec<String> = asked.stdout.lines().map(expected).collect();
        for (program, script, sample) in checkers {
            if !runs(program) {
                continue;
            }
            let fed = folder.path().join("rolls");
            fs::write(&fed, &rolls).unwrap();
            let said = Command::new(program)
                .args([path(&folder.path().join(script)), rules.stdout.trim()])
                .env("PYTHONPATH", ".")
                .env("PYTHONDONTWRITEBYTECODE", "1")
                .current_dir(samples.join(sample))
                .stdin(fs::File::open(&fed).unwrap())
                .output()
                .unwrap();
            let said_text = String::from_utf8(said.stdout).unwrap();
            let lines: Vec<&str> = said_text.lines().collect();
            assert_eq!(lines.len(), expected.len(), "{}", String::from_utf8_lossy(&said.stderr));
            for (line, expected) in lines.into_iter().zip(&expected) {
                assert_eq!(line, expected, "{program}, {name} {set:?}");
            }
        }
    }
}

/// All rolls of one die to so many dice, distinct by faces.
fn rolls(dice: usize) -> String {
    let mut all = vec![String::new()];
    let mut longest = all.clone();
    for _ in 0..dice {
        longest = longest
            .iter()
            .flat_map(|roll| {
                ('1'..='6').filter(|face| roll.chars().all(|die| die <= *face)).map(move |face| format!("{roll}{face}"))
            })
            .collect();
        all.extend(longest.iter().cloned());
    }
    all[1..].join("\n") + "\n"
}

/// A line of `arena keeps`, as the checkers write it.
fn expected(line: &str) -> String {
    let answer: Value = serde_json::from_str(line).unwrap();
    let keeps = answer["keeps"].as_array().unwrap();
    let text = |keep: &Value| format!("{} {}", keep["dice"].as_str().unwrap(), keep["points"]);
    let mut all: Vec<String> = keeps.iter().map(text).collect();
    all.sort();
    let best = keeps.first().map_or_else(
        || "None".to_owned(),
        |keep| format!("{} {}", keep["dice"].as_str().unwrap().len(), keep["points"]),
    );
    format!("{} {best}", all.join(","))
}

/// The samples decide as the Rust sample of the same strategy: the components are not kept here,
/// so this compares what they are made of.
#[test]
fn samples_in_other_languages_are_of_the_template() {
    let folder = tempfile::tempdir().unwrap();
    let samples = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample-agents"));
    for (language, rival) in [("python", "agent.py"), ("javascript", "agent.js"), ("c", "agent.c")] {
        let name = format!("{language}-threshold");
        assert_eq!(arena_in(folder.path(), &["new", &name, "--lang", language]).code, 0);
        let read = |folder: PathBuf| fs::read_to_string(folder.join(rival)).unwrap();
        let code = |text: &str| text.lines().skip(1).collect::<Vec<_>>().join("\n");
        let made = read(folder.path().join(&name)).replace("350", "300").replace("You", "Farkle Arena");
        assert_eq!(code(&made), code(&read(samples.join(&name))));
    }
}
