//! `arena new`: what it makes, and what it leaves alone.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{NO_TOOLCHAIN, assert_told, files, kept, wasm_toolchain};
use crate::arena::{arena_in, arena_where, sample};
use crate::{assert_refused, json, path};

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
