//! `arena new` and `arena build`: from no folder at all to a component that plays.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use arena_tests::Guest;
use serde_json::Value;
use wasi_preview1_component_adapter_provider::{
    WASI_SNAPSHOT_PREVIEW1_COMMAND_ADAPTER, WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER,
};

use crate::arena::{Output, arena_in, arena_where, sample};
use crate::{assert_refused, json, path};

const TARGET: &str = "wasm32-unknown-unknown";
/// The toolchain is that of the machine, not that of who runs the tests.
const NO_TOOLCHAIN: [(&str, Option<&str>); 2] = [("RUSTUP_TOOLCHAIN", None), ("WASM_TOOLCHAIN", None)];

/// A refusal of more than one line, and nothing on the standard output.
#[track_caller]
fn assert_told(output: &Output, code: i32, says: &[&str]) {
    assert_eq!((output.code, output.stdout.as_str()), (code, ""), "{output:?}");
    for part in says {
        assert!(output.stderr.contains(part), "`{part}` in: {}", output.stderr);
    }
    assert!(!output.stderr.contains("panicked at") && !output.stderr.contains("RUST_BACKTRACE"), "{}", output.stderr);
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Where what the tests compile stays from one run to the next.
fn kept(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"))
}

/// A toolchain that builds for WebAssembly, if this machine has one.
fn wasm_toolchain() -> Option<String> {
    let builds = |name: &str| {
        let asked = Command::new("rustc")
            .args(["--print", "target-libdir", "--target", TARGET])
            .env("RUSTUP_TOOLCHAIN", name)
            .output()
            .ok()?;
        let libraries = String::from_utf8(asked.stdout).ok()?;
        (asked.status.success() && Path::new(libraries.trim()).is_dir()).then(|| name.to_owned())
    };
    let named = ["WASM_TOOLCHAIN", "RUSTUP_TOOLCHAIN"].into_iter().filter_map(|variable| std::env::var(variable).ok());
    named.chain(["wasm".to_owned(), "stable".to_owned()]).find_map(|name| builds(&name))
}

/// The generated crate lies in a folder that a workspace of strangers holds.
#[test]
fn a_new_crate_is_tested_built_and_played() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("Cargo.toml"), "[workspace]\nresolver = \"3\"\nmembers = []\n").unwrap();
    let made = arena_in(folder.path(), &["new", "my-agent"]);
    assert_eq!((made.code, made.stderr.as_str()), (0, ""));
    for line in ["my-agent: an agent in Rust", "    cd my-agent\n", "    cargo test\n", "    arena build .\n"] {
        assert!(made.stdout.contains(line), "{}", made.stdout);
    }
    let project = folder.path().join("my-agent");
    assert_eq!(files(folder.path()), ["Cargo.toml", "my-agent"]);
    assert_eq!(files(&project), [".gitignore", "Cargo.lock", "Cargo.toml", "README.md", "src"]);

    let tested = Command::new("cargo")
        .arg("test")
        .current_dir(&project)
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_TARGET_DIR", kept("new-crate"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&tested.stdout);
    assert!(tested.status.success() && said.contains("2 passed"), "{tested:?}");

    let Some(toolchain) = wasm_toolchain() else {
        let refused = arena_where(&project, &["build"], &NO_TOOLCHAIN);
        assert_told(&refused, 1, &["cannot build for wasm32-unknown-unknown"]);
        return;
    };
    let target = kept("new-crate");
    let variables = [
        ("WASM_TOOLCHAIN", Some(toolchain.as_str())),
        ("CARGO_TARGET_DIR", Some(&target)),
        ("CARGO_NET_OFFLINE", Some("true")),
    ];
    let built = arena_where(folder.path(), &["build", "my-agent", "--format", "json"], &variables);
    let told = json(&built);
    assert_eq!(told["path"], "my-agent.wasm");
    assert_eq!(told["bytes"], fs::metadata(folder.path().join("my-agent.wasm")).unwrap().len());
    let played = json(&arena_in(
        folder.path(),
        &["match", "my-agent.wasm", path(&sample("threshold-300")), "--seed", "7", "--format", "json"],
    ));
    assert_eq!(played["result"]["faults"], Value::Array(vec![]));
    assert_eq!(played["seats"][0]["sha256"], told["sha256"]);

    // What does not compile is the compiler's to tell, and it alone; nothing is written.
    fs::write(project.join("src/lib.rs"), "fn broken( {").unwrap();
    let broken = arena_where(folder.path(), &["build", "my-agent", "--out", "b.wasm"], &variables);
    assert_told(&broken, 1, &["error: "]);
    assert!(!broken.stderr.contains("arena: "), "{}", broken.stderr);
    // A library that exports nothing.
    fs::write(project.join("src/lib.rs"), "").unwrap();
    let empty = arena_where(folder.path(), &["build", "my-agent", "--out", "b.wasm"], &variables);
    assert_told(&empty, 1, &["this module is no agent", "    agent_sdk::export!(MyAgent);\n"]);
    assert_eq!(files(folder.path()), ["Cargo.toml", "my-agent", "my-agent.wasm"]);
}

/// A crate that a workspace takes in by a pattern is a member of it.
#[test]
fn a_new_crate_joins_the_workspace_that_wants_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("bots")).unwrap();
    fs::write(folder.path().join("Cargo.toml"), "[workspace]\nresolver = \"3\"\nmembers = [\"bots/*\"]\n").unwrap();
    assert_eq!(arena_in(folder.path(), &["new", "bots/one"]).code, 0);
    let manifest = fs::read_to_string(folder.path().join("bots/one/Cargo.toml")).unwrap();
    assert!(!manifest.contains("[workspace]"), "{manifest}");
    let metadata = Command::new("cargo")
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&metadata.stdout).unwrap();
    assert_eq!(metadata["packages"][0]["name"], "one");
}

#[test]
fn nothing_is_overwritten_and_nothing_is_left_half_made() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("there")).unwrap();
    fs::write(folder.path().join("file"), "mine").unwrap();
    fs::create_dir(folder.path().join("crate")).unwrap();
    fs::write(folder.path().join("crate/Cargo.toml"), "[package]\nname = \"other\"\n").unwrap();
    let before = files(folder.path());
    let cases: [(&[&str], &str); 11] = [
        (&["there"], "there exists already: nothing is overwritten"),
        (&["file"], "file exists already"),
        (&["file/agent"], "file/agent cannot be made: file is no folder"),
        (&["no/such/agent"], "no/such/agent cannot be made: no/such does not exist"),
        (&["7up"], "`7up` is no name for an agent's project: it does not begin with a letter"),
        (&["my agent"], "it holds ` `. Allowed are 1 to 40 of a-z, A-Z, 0-9, - and _"),
        (&["match"], "Rust, Cargo or the SDK has that name already"),
        (&[".."], "does not end in a name"),
        (&["a", "--sdk", "crate"], "is not the folder of the crate agent-sdk: its crate is `other`"),
        (&["a", "--sdk", "there"], "is not the folder of the crate agent-sdk: reading there/Cargo.toml"),
        (&["a", "--sdk", "there", "--lang", "python"], "--sdk is for an agent in Rust"),
    ];
    for (args, says) in cases {
        assert_refused(&arena_in(folder.path(), &[&["new"], args].concat()), 2, says);
        assert_eq!(files(folder.path()), before, "{args:?}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("file")).unwrap(), "mine");
}

/// No permission binds the superuser, so this is a place where nobody can write.
#[cfg(target_os = "linux")]
#[test]
fn a_place_that_cannot_be_written_is_named() {
    assert_refused(&arena_in(Path::new("/"), &["new", "proc/agent"]), 1, "proc/agent cannot be made: ");
}

#[test]
fn the_sdk_is_where_it_is_said_to_be() {
    let folder = tempfile::tempdir().unwrap();
    let sdk = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../agent-sdk")).canonicalize().unwrap();
    assert_eq!(arena_in(folder.path(), &["new", "a", "--sdk", path(&sdk)]).code, 0);
    let manifest = fs::read_to_string(folder.path().join("a/Cargo.toml")).unwrap();
    assert!(manifest.contains(&format!("agent-sdk = {{ path = \"{}\" }}", sdk.display())), "{manifest}");
}

/// A toolchain that does not exist is said to not exist, and one without the target is mended by
/// one command.
#[test]
fn a_toolchain_that_cannot_build_is_named() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(arena_in(folder.path(), &["new", "a"]).code, 0);
    if Command::new("rustup").arg("--version").output().is_err() {
        return;
    }
    for variable in ["WASM_TOOLCHAIN", "RUSTUP_TOOLCHAIN"] {
        let variables =
            [NO_TOOLCHAIN.as_slice(), &[("RUSTUP_AUTO_INSTALL", Some("0")), (variable, Some("nosuch"))]].concat();
        let refused = arena_where(folder.path(), &["build", "a"], &variables);
        let says = format!("there is no Rust toolchain `nosuch`, which {variable} names");
        assert_told(&refused, 1, &[&says, "installed are "]);
    }
    // One that is chosen by name, or by a file, and has no such target.
    let list = Command::new("rustup").args(["toolchain", "list"]).output().unwrap();
    let list = String::from_utf8(list.stdout).unwrap();
    let has_target = |name: &str| {
        let asked = Command::new("rustc")
            .args(["--print", "target-libdir", "--target", TARGET])
            .env("RUSTUP_TOOLCHAIN", name)
            .output()
            .unwrap();
        asked.status.success() && Path::new(String::from_utf8(asked.stdout).unwrap().trim()).is_dir()
    };
    let names = list.lines().filter_map(|line| line.split_whitespace().next());
    let Some(without) = names.into_iter().find(|name| name.contains('-') && !has_target(name)) else { return };
    let mends = format!("    rustup target add {TARGET} --toolchain {without}\n");
    let chosen = [NO_TOOLCHAIN[0], ("WASM_TOOLCHAIN", Some(without))];
    assert_told(&arena_where(folder.path(), &["build", "a"], &chosen), 1, &[&mends]);
    fs::write(folder.path().join("a/rust-toolchain.toml"), format!("[toolchain]\nchannel = \"{without}\"\n")).unwrap();
    assert_told(&arena_where(folder.path(), &["build", "a"], &NO_TOOLCHAIN), 1, &[&mends]);
}

#[test]
fn what_is_missing_is_named_with_the_command_that_gets_it() {
    let folder = tempfile::tempdir().unwrap();
    for language in ["rust", "python", "javascript", "c"] {
        assert_eq!(arena_in(folder.path(), &["new", language, "--lang", language]).code, 0);
    }
    let bare = [("PATH", Some("/nonexistent"))];
    let build = |project: &str| arena_where(folder.path(), &["build", project], &bare);
    assert_refused(&build("rust"), 1, "there is no `rustc` on the path: install Rust from https://rustup.rs");
    let installs = "    python3 -m venv .venv && .venv/bin/pip install componentize-py==0.25.0\n";
    assert_told(&build("python"), 1, &["neither in the .venv of python nor on the path", installs]);
    assert_refused(&build("javascript"), 1, "there is no `node` on the path: install Node.js 20 or newer");
    assert_told(&build("c"), 1, &["there is no `clang` on the path", "    apt-get install clang lld\n"]);
    // Something that calls itself node is there, and the package is not.
    let tools = folder.path().join("tools");
    fs::create_dir(&tools).unwrap();
    fs::write(tools.join("node"), "").unwrap();
    let without_package = arena_where(folder.path(), &["build", "javascript"], &[("PATH", Some(path(&tools)))]);
    let installs = "    npm install --save-dev @bytecodealliance/componentize-js@0.23.0\n";
    assert_told(&without_package, 1, &["is not installed for javascript", installs]);
}

/// The tool is called in the project, without WASI, and what it writes becomes the component.
#[cfg(unix)]
#[test]
fn an_agent_in_python_is_built_by_the_project_s_own_tool() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(arena_in(folder.path(), &["new", "p", "--lang", "python"]).code, 0);
    let tools = folder.path().join("p/.venv/bin");
    fs::create_dir_all(&tools).unwrap();
    fs::write(folder.path().join("a.wasm"), Guest::banks().component()).unwrap();
    let tool = |body: &str| {
        let script =
            format!("#!/bin/sh\nif [ \"$1\" = --version ]; then echo componentize-py 9.9.9; exit; fi\n{body}\n");
        fs::write(tools.join("componentize-py"), script).unwrap();
        fs::set_permissions(tools.join("componentize-py"), fs::Permissions::from_mode(0o755)).unwrap();
    };
    tool("echo \"$@\" > called; pwd > where; for out; do :; done; cp ../a.wasm \"$out\"");
    let built = arena_in(folder.path(), &["build", "p"]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    assert_eq!(built.stderr, "componentize-py 9.9.9 is used; the arena is tested with 0.25.0\n");
    let called = fs::read_to_string(folder.path().join("p/called")).unwrap();
    assert!(called.contains("--world contestant componentize --stub-wasi app --output "), "{called}");
    assert!(called.contains("/p/wit "), "{called}");
    let rival = sample("threshold-300");
    assert_eq!(arena_in(folder.path(), &["match", "p.wasm", path(&rival), "--seed", "1"]).code, 0);

    tool("echo 'SyntaxError: line 3' >&2; exit 1");
    let broken = arena_in(folder.path(), &["build", "p", "--out", "b.wasm"]);
    assert_eq!((broken.code, broken.stdout.as_str()), (1, ""));
    assert!(broken.stderr.ends_with("SyntaxError: line 3\n"), "{}", broken.stderr);
    assert!(!folder.path().join("b.wasm").exists());
}

#[test]
fn a_path_that_is_no_project_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    fs::create_dir(folder.path().join("two")).unwrap();
    for file in ["app.py", "package.json"] {
        fs::write(folder.path().join("two").join(file), "{}").unwrap();
    }
    fs::write(folder.path().join("text.wasm"), "text").unwrap();
    fs::write(folder.path().join("component.wasm"), Guest::new().component()).unwrap();
    let build = |args: &[&str]| arena_in(folder.path(), &[&["build"], args].concat());
    assert_refused(&build(&["nosuch"]), 2, "there is nothing at nosuch");
    assert_refused(
        &build(&["empty"]),
        2,
        "a project has a Cargo.toml (Rust), an app.py (Python), a package.json (JavaScript) or an agent.c (C)",
    );
    assert_refused(
        &build(&["two"]),
        2,
        "two holds several projects; name the file of one: two/app.py, two/package.json",
    );
    assert_refused(&build(&["text.wasm"]), 2, "neither a project's file nor a WebAssembly module");
    assert_refused(&build(&["component.wasm"]), 1, "component.wasm is a component already");
}

/// The module of an agent that was built for WASI preview 1.
fn module_for_wasi() -> Vec<u8> {
    Guest::banks()
        .imports(r#"(import "wasi_snapshot_preview1" "sched_yield" (func $yield (result i32)))"#)
        .before_deciding("(drop (call $yield))")
        .module_with_types()
}

#[test]
fn a_core_module_becomes_a_component() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("plain.wasm", &Guest::banks().module_with_types());
    write("wasi.wasm", &module_for_wasi());
    write("wasi_snapshot_preview1.reactor.wasm", WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER);
    write("wasi_snapshot_preview1.command.wasm", WASI_SNAPSHOT_PREVIEW1_COMMAND_ADAPTER);
    let build = |args: &[&str]| arena_in(folder.path(), &[&["build"], args].concat());

    assert_eq!(build(&["plain.wasm", "--out", "a.wasm"]).code, 0);
    let rival = sample("threshold-300");
    assert_eq!(arena_in(folder.path(), &["match", "a.wasm", path(&rival), "--seed", "1"]).code, 0);

    let hint = "    --adapter wasi_snapshot_preview1.reactor.wasm\n";
    let says = ["Build it for `wasm32-unknown-unknown`", "https://github.com/bytecodealliance/wasmtime/releases", hint];
    assert_told(&build(&["wasi.wasm"]), 1, &says);
    let adapter = ["--adapter", "wasi_snapshot_preview1.reactor.wasm"];
    let adapted = build(&[&["wasi.wasm", "--out", "b.wasm"], &adapter[..]].concat());
    assert_eq!((adapted.code, adapted.stderr.as_str()), (0, ""));
    // It is a component, and says what it imports.
    assert_eq!(imports(&fs::read(folder.path().join("b.wasm")).unwrap(), "wasi:"), 1);

    assert_refused(&build(&[&["plain.wasm"], &adapter[..]].concat()), 1, "does not import WASI preview 1");
    let command = ["wasi.wasm", "--adapter", "wasi_snapshot_preview1.command.wasm"];
    assert_refused(&build(&command), 1, "it is for programs with a `main`");
    assert_refused(
        &build(&["wasi.wasm", "--adapter", "plain.wasm"]),
        1,
        "plain.wasm is no adapter: it does not export WASI",
    );
    assert_refused(&build(&["wasi.wasm", "--adapter", "nosuch.wasm"]), 1, "reading the adapter nosuch.wasm");
    assert_eq!(arena_in(folder.path(), &["new", "p", "--lang", "python"]).code, 0);
    assert_refused(&build(&[&["p"], &adapter[..]].concat()), 2, "is for a core module that was built for WASI");
}

/// Whether a component imports interfaces whose names begin like that: 1 or 0.
fn imports(component: &[u8], prefix: &str) -> usize {
    let found = wasmparser::Parser::new(0).parse_all(component).any(|payload| match payload.unwrap() {
        wasmparser::Payload::ComponentImportSection(imports) => {
            imports.into_iter().any(|import| import.unwrap().name.name.starts_with(prefix))
        }
        _ => false,
    });
    usize::from(found)
}

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

/// A module that was built without bindings gets the contract's types from the arena.
#[test]
fn a_module_without_types_becomes_a_component() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bare.wasm"), Guest::banks().module()).unwrap();
    assert_eq!(arena_in(folder.path(), &["build", "bare.wasm", "--out", "a.wasm"]).code, 0);
    let rival = sample("threshold-300");
    assert_eq!(arena_in(folder.path(), &["match", "a.wasm", path(&rival), "--seed", "1"]).code, 0);
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

fn runs(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
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

/// A pattern may ask for the name that a crate has only in its place.
#[test]
fn a_new_crate_joins_a_workspace_that_wants_its_name() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("Cargo.toml"), "[workspace]\nresolver = \"3\"\nmembers = [\"bot-*\"]\n").unwrap();
    let made = arena_in(folder.path(), &["new", "bot-1"]);
    assert_eq!((made.code, made.stderr.as_str()), (0, ""));
    let manifest = fs::read_to_string(folder.path().join("bot-1/Cargo.toml")).unwrap();
    assert!(!manifest.contains("[workspace]"), "{manifest}");
}
