//! The Rust toolchain that builds agents.
//!
//! Owns which one that is, and the words for one that does not exist or lacks the target. Refuses
//! to install anything: it says the one command that does.

use std::env;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Result, anyhow, bail};

/// Variables that name a toolchain, the first to be set deciding.
const NAMING: [&str; 2] = ["WASM_TOOLCHAIN", "RUSTUP_TOOLCHAIN"];

/// Refuses a toolchain that cannot be run.
pub(super) fn check(manifest: &Path) -> Result<()> {
    let asked = rustc(manifest).arg("--version").output().map_err(no_rustc)?;
    if asked.status.success() {
        return Ok(());
    }
    let said = last_words(&asked);
    let Some((variable, name)) = named() else {
        bail!("the Rust toolchain for {} cannot be run: {said}", manifest.display());
    };
    let installed = rustup(manifest, &["toolchain", "list"])
        .map(|list| list.lines().filter_map(|line| line.split_whitespace().next()).collect::<Vec<_>>().join(", "));
    match installed.filter(|installed| !installed.is_empty()) {
        Some(installed) => {
            bail!("there is no Rust toolchain `{name}`, which {variable} names ({said}); installed are {installed}")
        }
        None => bail!("the Rust toolchain `{name}`, which {variable} names, cannot be run: {said}"),
    }
}

/// Refuses a toolchain that cannot build for a target.
pub(super) fn check_target(manifest: &Path, target: &str) -> Result<()> {
    let asked = rustc(manifest).args(["--print", "target-libdir", "--target", target]).output().map_err(no_rustc)?;
    let libraries = String::from_utf8_lossy(&asked.stdout);
    if asked.status.success() && Path::new(libraries.trim()).is_dir() {
        return Ok(());
    }
    let Some(active) = rustup(manifest, &["show", "active-toolchain"]) else {
        bail!(
            "this Rust toolchain cannot build for {target}, and it is not managed by rustup (https://rustup.rs), \
             which adds targets with one command"
        );
    };
    // `NAME (default)`, or another reason in the brackets.
    let (name, why) = active.trim().split_once(' ').unwrap_or((active.trim(), ""));
    let option = if why.contains("default") { String::new() } else { format!(" --toolchain {name}") };
    bail!(
        "the Rust toolchain `{name}` cannot build for {target}. This mends it:\n\n    rustup target add {target}{option}\n"
    )
}

fn named() -> Option<(&'static str, String)> {
    NAMING.into_iter().find_map(|variable| Some((variable, env::var(variable).ok().filter(|name| !name.is_empty())?)))
}

/// What rustup answers, if there is one and it has an answer.
fn rustup(manifest: &Path, args: &[&str]) -> Option<String> {
    let output = command("rustup", manifest).args(args).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

/// The first line of an error, without the word for it.
fn last_words(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    let line =
        said.lines().find(|line| line.contains("error")).or_else(|| said.lines().next()).unwrap_or("no reason given");
    line.trim_start_matches("error:").trim().to_owned()
}

fn no_rustc(error: io::Error) -> anyhow::Error {
    if error.kind() == ErrorKind::NotFound {
        anyhow!("there is no `rustc` on the path: install Rust from https://rustup.rs")
    } else {
        anyhow::Error::new(error).context("running rustc")
    }
}

/// Cargo from the path, at work in the crate's folder, where rustup and cargo look for what the
/// crate asks for.
pub(super) fn cargo(manifest: &Path) -> Command {
    command("cargo", manifest)
}

/// Rustc, as cargo would call it for the crate.
pub(crate) fn rustc(manifest: &Path) -> Command {
    match env::var_os("RUSTC") {
        Some(rustc) => command(rustc, manifest),
        None => command("rustc", manifest),
    }
}

/// A program of the toolchain.
fn command(program: impl Into<OsString>, manifest: &Path) -> Command {
    let mut command = Command::new(program.into());
    command.current_dir(manifest.parent().unwrap_or(Path::new(".")));
    if let Some(toolchain) = env::var_os("WASM_TOOLCHAIN") {
        command.env("RUSTUP_TOOLCHAIN", toolchain);
    }
    for (name, value) in env::vars_os() {
        if name == "CARGO_TARGET_DIR" {
            // Relative to the caller's folder, not to the crate's.
            command.env(name, std::path::absolute(&value).unwrap_or_else(|_| value.into()));
            continue;
        }
        let about_the_outer_crate = name.to_str().is_some_and(|name| {
            name == "CARGO" || name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
        });
        if about_the_outer_crate {
            command.env_remove(name);
        }
    }
    command
}

/// Words for a cargo that cannot be run.
pub(super) fn no_cargo(error: io::Error) -> anyhow::Error {
    if error.kind() == ErrorKind::NotFound {
        anyhow!("there is no `cargo` on the path: install Rust from https://rustup.rs")
    } else {
        anyhow::Error::new(error).context("running cargo")
    }
}
