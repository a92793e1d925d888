//! The sample agents' components, and whether they are those of their sources.
//!
//! Owns the manifest beside the components: the hash of each, and of everything it is built from.
//! The command that builds them and the test that compares them read this one list, so neither
//! can forget what the other knows. Refuses to judge by time or by rebuilding: a checkout without
//! a WebAssembly target must be able to tell.
//!
//! What a component is built from: its own crate, the SDK, the game, the contract; of the
//! workspace's `Cargo.toml` the package fields (the version is part of an agent's identity), the
//! release profile and the dependencies that are used; of `Cargo.lock` the packages that these
//! crates reach; how [`crate::build`] calls the compiler, and what is left out of a component. The compiler's version is noted, not
//! compared.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use serde::{Deserialize, Serialize};

use crate::build::{Built, PROFILE, STACK, build_agent, rustc, sha256};
use crate::output::write_whole;

/// The command that builds the components and writes the manifest. `WASM_TOOLCHAIN` names the
/// toolchain for it, where the one in use cannot build for WebAssembly.
pub const COMMAND: &str = "cargo run -p arena --example build-samples";

/// The crates that all sample agents are built from, and the contract.
const SHARED: [&str; 3] = ["agent-sdk", "arena/farkle", "wit"];
const SAMPLES: &str = "sample-agents";
const BUILT: &str = "sample-agents/built";
const MANIFEST: &str = "sample-agents/built/manifest.json";
const FORMAT: u32 = 1;
/// The targets for which the SDK has a test kit.
const NATIVE: &str = "cfg(not(target_arch = \"wasm32\"))";
/// What decides which custom sections a component has.
const CUSTOM_SECTIONS: &str = "arena/cli/src/custom_sections.rs";

/// What stands in `sample-agents/built/manifest.json`. Hashes are SHA-256, in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format of this file.
    pub format: u32,
    /// The compiler that built the components, as it calls itself. Not compared.
    pub rustc: String,
    /// By name of the agent.
    pub agents: BTreeMap<String, Agent>,
    /// What all agents are built from, by path or by what it is.
    pub shared: BTreeMap<String, String>,
    /// The packages that they reach from other places, by name and version.
    pub locked: BTreeMap<String, String>,
}

/// One agent of the [`Manifest`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agent {
    /// The hash of its component.
    pub component: String,
    /// The hash of each file of its crate.
    pub sources: BTreeMap<String, String>,
}

impl Manifest {
    /// The manifest that was written when the components were built.
    ///
    /// # Errors
    ///
    /// When there is none, or it is of another format.
    pub fn recorded(root: &Path) -> Result<Manifest> {
        let path = root.join(MANIFEST);
        let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let manifest: Manifest = serde_json::from_str(&text).with_context(|| format!("reading {}", path.display()))?;
        if manifest.format != FORMAT {
            bail!("{} has format {}, and this program knows {FORMAT}", path.display(), manifest.format);
        }
        Ok(manifest)
    }

    /// The manifest of what is in the checkout at `root` now.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, or a crate depends on a path that this module does not know.
    pub fn of_checkout(root: &Path) -> Result<Manifest> {
        let names = agents(root)?;
        let workspace: toml::Table = read_toml(&root.join("Cargo.toml"))?;
        let lock: Lock = read_toml(&root.join("Cargo.lock"))?;
        let mut shared = BTreeMap::new();
        for folder in SHARED {
            add_sources(root, Path::new(folder), &mut shared)?;
        }
        let mut reached = Reached::default();
        let mut agents = BTreeMap::new();
        for name in names {
            let mut sources = BTreeMap::new();
            add_sources(root, &Path::new(SAMPLES).join(&name), &mut sources)?;
            lock.reach(root, &name, &mut reached)?;
            let component = component_path(root, &name);
            let component = fs::read(&component).map_or_else(|_| "missing".to_owned(), |bytes| sha256(&bytes));
            agents.insert(name, Agent { component, sources });
        }
        let section = |path: &[&str]| {
            let value = path.iter().try_fold(None, |table: Option<&toml::Value>, key| {
                Some(Some(match table {
                    None => workspace.get(*key)?,
                    Some(table) => table.get(key)?,
                }))
            });
            value.flatten().map_or_else(|| "absent".to_owned(), |value| sha256(value.to_string().as_bytes()))
        };
        shared.insert("Cargo.toml: [workspace.package]".into(), section(&["workspace", "package"]));
        shared.insert("Cargo.toml: [profile.release]".into(), section(&["profile", "release"]));
        for name in &reached.direct {
            let hash = section(&["workspace", "dependencies", name]);
            shared.insert(format!("Cargo.toml: [workspace.dependencies] {name}"), hash);
        }
        let custom_sections = root.join(CUSTOM_SECTIONS);
        let text = fs::read(&custom_sections).with_context(|| format!("reading {CUSTOM_SECTIONS}"))?;
        shared.insert(CUSTOM_SECTIONS.into(), sha256(&text));
        let call = format!("{PROFILE:?} {STACK}");
        shared.insert("arena/cli/src/build/rust_crate.rs: profile and stack".into(), sha256(call.as_bytes()));
        shared.insert("Cargo.lock: wit-component".into(), lock.find("wit-component")?.version.clone());
        Ok(Manifest { format: FORMAT, rustc: String::new(), agents, shared, locked: reached.locked })
    }

    /// What differs, in words; nothing when the components are those of their sources.
    pub fn differences(&self, now: &Manifest) -> Vec<String> {
        let mut found = Vec::new();
        for name in self.agents.keys().chain(now.agents.keys()).collect::<BTreeSet<_>>() {
            match (self.agents.get(name), now.agents.get(name)) {
                (Some(recorded), Some(now)) => {
                    if recorded.component != now.component {
                        found.push(format!("{BUILT}/{name}.wasm is not the component that was built"));
                    }
                    compare(&recorded.sources, &now.sources, &mut found);
                }
                (None, _) => found.push(format!("{SAMPLES}/{name} has no component")),
                (_, None) => found.push(format!("{SAMPLES}/{name} is gone, and its component is still there")),
            }
        }
        compare(&self.shared, &now.shared, &mut found);
        compare(&self.locked, &now.locked, &mut found);
        found
    }
}

fn compare(recorded: &BTreeMap<String, String>, now: &BTreeMap<String, String>, found: &mut Vec<String>) {
    for what in recorded.keys().chain(now.keys()).collect::<BTreeSet<_>>() {
        match (recorded.get(what), now.get(what)) {
            (Some(then), Some(now)) if then == now => {}
            (Some(_), Some(_)) => found.push(format!("{what} has changed")),
            (None, _) => found.push(format!("{what} is new")),
            (_, None) => found.push(format!("{what} is gone")),
        }
    }
}

/// Builds every sample agent of the checkout at `root`, and writes the manifest.
///
/// # Errors
///
/// Those of [`build_agent`], and of the file system.
pub fn rebuild(root: &Path) -> Result<Vec<Built>> {
    let names = agents(root)?;
    let mut built = Vec::new();
    for name in &names {
        built.push(build_agent(&root.join(SAMPLES).join(name), Some(&component_path(root, name)), None)?);
    }
    // A component whose agent is gone goes too.
    for entry in fs::read_dir(root.join(BUILT)).with_context(|| format!("reading {BUILT}"))? {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if path.extension().is_some_and(|extension| extension == "wasm") && !names.iter().any(|name| name == stem) {
            fs::remove_file(&path)?;
        }
    }
    let mut manifest = Manifest::of_checkout(root)?;
    let rustc = rustc(&root.join("Cargo.toml")).arg("--version").output().context("running rustc")?;
    manifest.rustc = String::from_utf8_lossy(&rustc.stdout).trim().to_owned();
    let text = serde_json::to_string_pretty(&manifest)? + "\n";
    write_whole(&root.join(MANIFEST), text.as_bytes()).with_context(|| format!("writing {MANIFEST}"))?;
    Ok(built)
}

fn component_path(root: &Path, name: &str) -> PathBuf {
    root.join(BUILT).join(format!("{name}.wasm"))
}

/// The names of the sample agents: folders with a crate in them.
fn agents(root: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join(SAMPLES)).with_context(|| format!("reading {SAMPLES}"))? {
        let entry = entry?;
        if entry.path().join("Cargo.toml").is_file() {
            let name = entry.file_name().into_string().map_err(|name| anyhow!("{name:?} is not UTF-8"))?;
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// Adds the hashes of what a crate's component is built from: its manifest, its build script, and
/// all below `src`; of a folder without a manifest (the contract), everything.
fn add_sources(root: &Path, folder: &Path, sources: &mut BTreeMap<String, String>) -> Result<()> {
    let is_crate = root.join(folder).join("Cargo.toml").is_file();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(within) = pending.pop() {
        for entry in fs::read_dir(root.join(&within)).with_context(|| format!("reading {}", within.display()))? {
            let entry = entry?;
            let path = within.join(entry.file_name());
            let name = entry.file_name();
            let outermost = is_crate && within == folder;
            if outermost && !["src", "Cargo.toml", "build.rs"].iter().any(|part| name == *part) {
                continue;
            }
            if entry.file_type()?.is_dir() {
                pending.push(path);
            } else {
                let bytes = fs::read(root.join(&path)).with_context(|| format!("reading {}", path.display()))?;
                let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
                sources.insert(parts.join("/"), sha256(&bytes));
            }
        }
    }
    Ok(())
}

fn read_toml<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    toml::from_str(&text).with_context(|| format!("reading {}", path.display()))
}

/// `Cargo.lock`.
#[derive(Deserialize)]
struct Lock {
    package: Vec<Locked>,
}

#[derive(Deserialize)]
struct Locked {
    name: String,
    version: String,
    source: Option<String>,
    checksum: Option<String>,
    #[serde(default)]
    dependencies: Vec<String>,
}

/// What the sample agents' crates reach.
#[derive(Default)]
struct Reached {
    /// Packages from other places, `name version`, and their checksum.
    locked: BTreeMap<String, String>,
    /// What the crates of this workspace name themselves.
    direct: BTreeSet<String>,
}

impl Lock {
    fn reach(&self, root: &Path, name: &str, reached: &mut Reached) -> Result<()> {
        let mut pending = vec![self.find(name)?];
        let mut seen = BTreeSet::new();
        while let Some(package) = pending.pop() {
            if !seen.insert((&package.name, &package.version)) {
                continue;
            }
            // The lock file lists a workspace crate's development dependencies among the others.
            let own = match &package.source {
                Some(source) => {
                    let known_by = package.checksum.clone().unwrap_or_else(|| source.clone());
                    reached.locked.insert(format!("{} {}", package.name, package.version), known_by);
                    None
                }
                None => Some(own_dependencies(root, &package.name)?),
            };
            for dependency in &package.dependencies {
                let dependency = self.find(dependency)?;
                if own.as_ref().is_none_or(|own| own.contains(&dependency.name)) {
                    pending.push(dependency);
                }
            }
            reached.direct.extend(own.into_iter().flatten());
        }
        Ok(())
    }

    /// A package as the lock file refers to it: by name, and by version where that is not enough.
    fn find(&self, reference: &str) -> Result<&Locked> {
        let mut words = reference.split(' ');
        let (name, version) = (words.next().unwrap_or_default(), words.next());
        self.package
            .iter()
            .find(|package| package.name == name && version.is_none_or(|version| package.version == version))
            .ok_or_else(|| anyhow!("Cargo.lock does not list {reference}: run cargo once"))
    }
}

/// The packages that a crate of this workspace needs to be built.
fn own_dependencies(root: &Path, name: &str) -> Result<BTreeSet<String>> {
    let folder = SHARED
        .into_iter()
        .map(PathBuf::from)
        .find(|folder| folder.file_name().is_some_and(|last| last == name))
        .unwrap_or_else(|| Path::new(SAMPLES).join(name));
    let manifest = root.join(folder).join("Cargo.toml");
    if !manifest.is_file() {
        bail!("the sample agents depend on {name}, which is not among the crates that this list covers");
    }
    let manifest: toml::Table = read_toml(&manifest)?;
    let targets = manifest.get("target").and_then(toml::Value::as_table).into_iter().flatten();
    // What the test kit needs is no part of a component.
    let targets = targets.filter(|(target, _)| *target != NATIVE).map(|(_, table)| table);
    let tables = targets.filter_map(toml::Value::as_table).chain([&manifest]);
    let names = tables.flat_map(|table| {
        let kinds = ["dependencies", "build-dependencies"].into_iter().filter_map(|kind| table.get(kind)?.as_table());
        kinds.flat_map(|dependencies| dependencies.keys().cloned()).collect::<Vec<_>>()
    });
    Ok(names.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    #[test]
    fn components_are_those_of_their_sources() {
        let recorded = Manifest::recorded(&root()).unwrap();
        let differences = recorded.differences(&Manifest::of_checkout(&root()).unwrap());
        assert!(
            differences.is_empty(),
            "the sample agents' components were not built from this checkout:\n  {}\nRun: {COMMAND}",
            differences.join("\n  ")
        );
    }

    #[test]
    fn only_what_agents_reach_is_watched() {
        let now = Manifest::of_checkout(&root()).unwrap();
        let names: BTreeSet<_> = now.locked.keys().map(|package| package.split(' ').next().unwrap()).collect();
        assert!(["wit-bindgen", "wit-parser", "rand_xoshiro", "thiserror"].iter().all(|name| names.contains(name)));
        assert!(
            ["wasmtime", "tokio", "toml", "sha2", "rand_chacha"].iter().all(|name| !names.contains(name)),
            "{names:?}"
        );
        assert!(now.shared.contains_key("agent-sdk/src/lib.rs"));
        assert!(now.shared.contains_key("wit/arena.wit"));
        assert!(now.agents["max-ev"].sources.contains_key("sample-agents/max-ev/build.rs"));
        assert!(now.shared.contains_key("Cargo.toml: [workspace.dependencies] wit-bindgen"));
    }

    #[test]
    fn every_change_is_named() {
        let recorded = Manifest::of_checkout(&root()).unwrap();
        let mut now = recorded.clone();
        assert!(recorded.differences(&now).is_empty());
        now.shared.insert("wit/arena.wit".into(), "another".into());
        now.locked.insert("new 1.0.0".into(), "sum".into());
        let agent = now.agents.get_mut("random").unwrap();
        agent.component = "another".into();
        agent.sources.remove("sample-agents/random/src/lib.rs");
        now.agents.remove("max-ev");
        assert_eq!(
            recorded.differences(&now),
            [
                "sample-agents/max-ev is gone, and its component is still there",
                "sample-agents/built/random.wasm is not the component that was built",
                "sample-agents/random/src/lib.rs is gone",
                "wit/arena.wit has changed",
                "new 1.0.0 is new",
            ]
        );
    }
}
