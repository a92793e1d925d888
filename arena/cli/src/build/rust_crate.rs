//! An agent's crate, and how cargo builds it.
//!
//! Owns how cargo is called, and the words for what is missing. Refuses to change anything in the
//! crate: profile and flags are given from outside, so that a new `cargo new --lib` is enough.
//!
//! Cargo and rustc are those of the caller's path, with the caller's environment; only what an
//! outer `cargo run` says about its own crate stays behind. Under rustup, `RUSTUP_TOOLCHAIN`
//! decides as ever. Since `cargo run` sets that to the toolchain it runs with, `WASM_TOOLCHAIN`
//! goes before it: the toolchain for agents, where it is another one.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, anyhow, bail};
use serde::Deserialize;

use super::machine_paths::{cargo_home, forget};
use super::toolchain::{self, cargo, no_cargo};
use super::{NoProject, Said};

/// The target that agents are built for.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// What the release profile is overridden with. Small, one piece, and with the names of its
/// functions, so that a backtrace can be read. `opt-level = "s"` makes agents larger, since the
/// precompiled standard library then inlines less of what is never called.
pub const PROFILE: [(&str, &str); 5] = [
    ("CARGO_PROFILE_RELEASE_LTO", "fat"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1"),
    ("CARGO_PROFILE_RELEASE_PANIC", "abort"),
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "3"),
    ("CARGO_PROFILE_RELEASE_STRIP", "debuginfo"),
];

/// The stack, in bytes. With the default of 1 MiB an agent's data and heap begin above the first
/// megabyte, which is what the sandbox can keep in memory between matches.
pub const STACK: u32 = 512 * 1024;

/// A crate that makes a component.
pub(super) struct Package {
    pub(super) name: String,
    manifest: PathBuf,
    workspace: PathBuf,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<PackageMetadata>,
    workspace_root: PathBuf,
}

#[derive(Deserialize)]
struct PackageMetadata {
    name: String,
    manifest_path: PathBuf,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    crate_types: Vec<String>,
}

/// A line of `cargo build --message-format json`, as far as it matters here.
#[derive(Deserialize)]
struct Message {
    reason: String,
    manifest_path: Option<PathBuf>,
    target: Option<Target>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
}

impl Target {
    fn is_cdylib(&self) -> bool {
        self.crate_types.iter().any(|kind| kind == "cdylib")
    }
}

impl Package {
    /// The crate with this manifest; where the manifest is a workspace's, the one agent in it.
    pub(super) fn at(manifest: &Path) -> Result<Package> {
        let manifest = fs::canonicalize(manifest).with_context(|| format!("finding {}", manifest.display()))?;
        toolchain::check(&manifest)?;
        let metadata = cargo(&manifest)
            .args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path"])
            .arg(&manifest)
            .stderr(Stdio::inherit())
            .output()
            .map_err(no_cargo)?;
        if !metadata.status.success() {
            return Err(Said::by("cargo", &manifest.display().to_string()).into());
        }
        let metadata: Metadata =
            serde_json::from_slice(&metadata.stdout).context("reading what `cargo metadata` says")?;
        let workspace = metadata.workspace_root;
        // A manifest without a package stands for all of its workspace.
        let own = metadata.packages.iter().any(|package| is_same(&package.manifest_path, &manifest));
        let mut agents: Vec<PackageMetadata> = metadata
            .packages
            .into_iter()
            .filter(|package| !own || is_same(&package.manifest_path, &manifest))
            .filter(|package| package.targets.iter().any(Target::is_cdylib))
            .collect();
        match (agents.pop(), agents.is_empty()) {
            (None, _) => Err(NoProject(format!(
                "{} makes no component; it needs these lines:\n\n[lib]\ncrate-type = [\"cdylib\", \"rlib\"]\n",
                manifest.display()
            ))
            .into()),
            (Some(agent), true) => Ok(Package { name: agent.name, manifest: agent.manifest_path, workspace }),
            (Some(last), false) => {
                agents.push(last);
                let folders: Vec<_> = agents
                    .iter()
                    .map(|agent| agent.manifest_path.parent().unwrap_or(Path::new("")).display().to_string())
                    .collect();
                let folders = folders.join("\n");
                Err(NoProject(format!("{} has several agents; name one of them:\n{folders}", manifest.display()))
                    .into())
            }
        }
    }

    /// Compiles the crate and returns its module.
    pub(super) fn compile(&self) -> Result<Vec<u8>> {
        let path = self.run_cargo()?;
        let mut module = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
        forget(&mut module);
        Ok(module)
    }

    fn run_cargo(&self) -> Result<PathBuf> {
        toolchain::check_target(&self.manifest, TARGET)?;
        let mut build = cargo(&self.manifest);
        build
            // As a component's library alone: code kept for the other kinds makes it a tenth larger.
            .args(["rustc", "--release", "--lib", "--crate-type", "cdylib", "--target", TARGET])
            .args(["--message-format", "json-render-diagnostics"])
            .arg("--manifest-path")
            .arg(&self.manifest)
            .envs(PROFILE)
            .stderr(Stdio::inherit());
        self.give_flags(&mut build)?;
        let output = build.output().map_err(no_cargo)?;
        if !output.status.success() {
            return Err(Said::by("cargo", &self.name).into());
        }
        let modules: Vec<PathBuf> = String::from_utf8_lossy(&output.stdout)
            .lines()
            .filter_map(|line| serde_json::from_str::<Message>(line).ok())
            .filter(|message| message.reason == "compiler-artifact")
            .filter(|message| message.manifest_path.as_ref().is_some_and(|path| is_same(path, &self.manifest)))
            .filter(|message| message.target.as_ref().is_some_and(Target::is_cdylib))
            .flat_map(|message| message.filenames)
            .filter(|file| file.extension().is_some_and(|extension| extension == "wasm"))
            .collect();
        match &modules[..] {
            [module] => Ok(module.clone()),
            _ => bail!("cargo built {} modules of {}, and an agent is one", modules.len(), self.name),
        }
    }

    /// Adds our compiler flags to those that the caller has set in either of cargo's variables, or
    /// else in its configuration files.
    fn give_flags(&self, build: &mut Command) -> Result<()> {
        let mut flags = vec![format!("-Clink-arg=-zstack-size={STACK}")];
        for (from, to) in self.neutral_paths() {
            let from = from.to_str().ok_or_else(|| anyhow!("{} cannot be printed", from.display()))?;
            flags.push(format!("--remap-path-prefix={from}={to}"));
        }
        if let Some(given) = env::var_os("CARGO_ENCODED_RUSTFLAGS") {
            let given = given.into_string().map_err(|_| anyhow!("CARGO_ENCODED_RUSTFLAGS is not UTF-8"))?;
            let all = given.split('\x1f').filter(|flag| !flag.is_empty()).chain(flags.iter().map(String::as_str));
            build.env("CARGO_ENCODED_RUSTFLAGS", all.collect::<Vec<_>>().join("\x1f"));
        } else if let Some(given) = env::var_os("RUSTFLAGS") {
            let given = given.into_string().map_err(|_| anyhow!("RUSTFLAGS is not UTF-8"))?;
            let all = given.split_whitespace().chain(flags.iter().map(String::as_str));
            build.env("CARGO_ENCODED_RUSTFLAGS", all.collect::<Vec<_>>().join("\x1f"));
        } else {
            // Written as TOML; joined to what configuration files give for the target.
            let flags = toml::Value::Array(flags.into_iter().map(toml::Value::String).collect());
            build.arg("--config").arg(format!("target.{TARGET}.rustflags={flags}"));
        }
        Ok(())
    }

    /// The folders of this machine that a panic's location could name, and what to call them. Of
    /// two that fit, the compiler takes the later.
    fn neutral_paths(&self) -> Vec<(PathBuf, &'static str)> {
        let mut paths = Vec::new();
        paths.extend(env::home_dir().map(|home| (home, "home")));
        paths.extend(cargo_home().map(|home| (home, "cargo")));
        // Crates beside this one, as an SDK taken by its path.
        let mut above = self.workspace.ancestors().skip(1).filter(|folder| folder.parent().is_some());
        paths.extend(above.next().map(|parent| (parent.to_path_buf(), "..")));
        paths.push((self.workspace.clone(), "."));
        paths
    }
}

fn is_same(a: &Path, b: &Path) -> bool {
    a == b || fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b))
}
