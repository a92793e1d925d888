//! `arena build`: of every kind of project, and without its tools.

use std::fs;
use std::path::Path;
use std::process::Command;

use arena_tests::Guest;
use wasi_preview1_component_adapter_provider::{
    WASI_SNAPSHOT_PREVIEW1_COMMAND_ADAPTER, WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER,
};

use super::{NO_TOOLCHAIN, TARGET, assert_told, imports};
use crate::arena::{arena_in, arena_where, sample};
use crate::{assert_refused, path};

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

/// A module that was built without bindings gets the contract's types from the arena.
#[test]
fn a_module_without_types_becomes_a_component() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bare.wasm"), Guest::banks().module()).unwrap();
    assert_eq!(arena_in(folder.path(), &["build", "bare.wasm", "--out", "a.wasm"]).code, 0);
    let rival = sample("threshold-300");
    assert_eq!(arena_in(folder.path(), &["match", "a.wasm", path(&rival), "--seed", "1"]).code, 0);
}
