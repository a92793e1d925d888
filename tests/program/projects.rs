//! `arena new` and `arena build`: from no folder at all to a component that plays.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::arena::Output;

mod build;
mod languages;
mod new;

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

fn runs(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
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
