//! From an agent's crate to its component, as `arena build` does it.
//!
//! Owns how cargo is called, and the words for what is missing. Refuses to change anything in the
//! crate: profile and flags are given from outside, so that a new `cargo new --lib` is enough.
//!
//! Cargo and rustc are those of the caller's path, with the caller's environment; only what an
//! outer `cargo run` says about its own crate stays behind. Under rustup, `RUSTUP_TOOLCHAIN`
//! decides as ever. Since `cargo run` sets that to the toolchain it runs with, `WASM_TOOLCHAIN`
//! goes before it: the toolchain for agents, where it is another one.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, anyhow, bail};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::componentize::{Wasm, componentize, kind};
use crate::output::write_whole;

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

/// A component, built and written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// Where it was written to.
    pub path: PathBuf,
    /// Its size in bytes.
    pub size: u64,
    /// Its SHA-256, in hexadecimal digits.
    pub sha256: String,
}

/// Builds the agent at `path` and writes its component to `out`, or to `NAME.wasm` in the current
/// folder. `path` is a crate's folder, its `Cargo.toml`, or a core module built elsewhere.
///
/// Cargo's progress and the compiler's messages go to standard error as they come.
///
/// # Errors
///
/// When there is no cargo, no target, no crate that makes a component, or it does not compile; and
/// when the module it compiles to is no agent.
pub fn build_agent(path: &Path, out: Option<&Path>) -> Result<Built> {
    let (name, module) = if path.is_file() && path.file_name().is_some_and(|name| name != "Cargo.toml") {
        (file_stem(path)?, read_module(path)?)
    } else {
        let package = Package::at(path)?;
        let module = package.compile()?;
        let mut module = fs::read(&module).with_context(|| format!("reading {}", module.display()))?;
        forget_homes(&mut module);
        forget_registries(&mut module);
        (package.name, module)
    };
    let component = componentize(&module).with_context(|| format!("building {}", path.display()))?;
    let out = out.map_or_else(|| PathBuf::from(format!("{name}.wasm")), Path::to_path_buf);
    write_whole(&out, &component).with_context(|| format!("writing {}", out.display()))?;
    Ok(Built { path: out, size: component.len() as u64, sha256: sha256(&component) })
}

/// Overwrites the paths of the user's home and of cargo's with others as long. The compiler's flags
/// keep those of what it compiles here out of a module; this is for a standard library that was
/// itself compiled on this machine, and carries the paths of the crates that it is made of.
fn forget_homes(module: &mut [u8]) {
    for home in [cargo_home(), env::home_dir()].into_iter().flatten() {
        let Some(home) = home.to_str().filter(|home| home.len() >= 5) else { continue };
        let nowhere = format!("{:/<width$}", "/home", width = home.len());
        let mut at = 0;
        while let Some(found) = module[at..].windows(home.len()).position(|bytes| bytes == home.as_bytes()) {
            at += found;
            module[at..at + home.len()].copy_from_slice(nowhere.as_bytes());
        }
    }
}

/// Overwrites the names of cargo's registry folders, which carry the host that crates came from.
fn forget_registries(module: &mut [u8]) {
    const FOLDER: &[u8] = b"/registry/src/";
    let mut at = 0;
    while let Some(found) = module[at..].windows(FOLDER.len()).position(|bytes| bytes == FOLDER) {
        at += found + FOLDER.len();
        while module.get(at).is_some_and(|byte| byte.is_ascii_graphic() && *byte != b'/') {
            module[at] = b'/';
            at += 1;
        }
    }
}

fn cargo_home() -> Option<PathBuf> {
    let set = env::var_os("CARGO_HOME").map(PathBuf::from);
    set.or_else(|| env::home_dir().map(|home| home.join(".cargo"))).filter(|home| home.is_absolute())
}

/// SHA-256 in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    arena_core::Sha256Hex(Sha256::digest(bytes).into()).to_string()
}

fn file_stem(path: &Path) -> Result<String> {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    stem.map(str::to_owned).ok_or_else(|| anyhow!("{} has no name that can be printed", path.display()))
}

fn read_module(path: &Path) -> Result<Vec<u8>> {
    let bytes = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    match kind(&bytes) {
        Wasm::Module => Ok(bytes),
        Wasm::Component => bail!("{} is a component already: it can play as it is", path.display()),
        Wasm::Neither => bail!("{} is neither a crate's Cargo.toml nor a WebAssembly module", path.display()),
    }
}

/// A crate that makes a component.
struct Package {
    name: String,
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
    fn at(path: &Path) -> Result<Package> {
        let manifest = if path.is_dir() { path.join("Cargo.toml") } else { path.to_path_buf() };
        if !manifest.is_file() {
            bail!("there is no crate at {}: {} does not exist", path.display(), manifest.display());
        }
        let manifest = fs::canonicalize(&manifest).with_context(|| format!("finding {}", manifest.display()))?;
        let metadata = cargo(&manifest)
            .args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path"])
            .arg(&manifest)
            .stderr(Stdio::inherit())
            .output()
            .map_err(no_cargo)?;
        if !metadata.status.success() {
            bail!("cargo cannot read {}", manifest.display());
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
            (None, _) => bail!(
                "{} makes no component; it needs these lines:\n\n[lib]\ncrate-type = [\"cdylib\", \"rlib\"]\n",
                manifest.display()
            ),
            (Some(agent), true) => Ok(Package { name: agent.name, manifest: agent.manifest_path, workspace }),
            (Some(last), false) => {
                agents.push(last);
                let folders: Vec<_> = agents
                    .iter()
                    .map(|agent| agent.manifest_path.parent().unwrap_or(Path::new("")).display().to_string())
                    .collect();
                bail!("{} has several agents; name one of them:\n{}", manifest.display(), folders.join("\n"))
            }
        }
    }

    /// Compiles the crate and returns the path of its module.
    fn compile(&self) -> Result<PathBuf> {
        let target_libs = rustc(&self.manifest)
            .args(["--print", "target-libdir", "--target", TARGET])
            .output()
            .context("running rustc, to ask for its targets")?;
        let target_libs = PathBuf::from(String::from_utf8_lossy(&target_libs.stdout).trim());
        if !target_libs.is_dir() {
            bail!(
                "this Rust toolchain cannot build for {TARGET}. If rustup manages it:\n\n    \
                 rustup target add {TARGET}\n\n\
                 Another toolchain that can is chosen with WASM_TOOLCHAIN=NAME."
            );
        }

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
            // The compiler has said why.
            bail!("{} does not compile", self.name);
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

/// Cargo from the path, at work in the crate's folder, where rustup and cargo look for what the
/// crate asks for.
fn cargo(manifest: &Path) -> Command {
    command("cargo", manifest)
}

/// Rustc, as cargo would call it for the crate.
pub(crate) fn rustc(manifest: &Path) -> Command {
    match env::var_os("RUSTC") {
        Some(rustc) => command(rustc, manifest),
        None => command("rustc", manifest),
    }
}

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

fn no_cargo(error: io::Error) -> anyhow::Error {
    if error.kind() == ErrorKind::NotFound {
        anyhow!("there is no `cargo` on the path: install Rust from https://rustup.rs")
    } else {
        anyhow::Error::new(error).context("running cargo")
    }
}

fn is_same(a: &Path, b: &Path) -> bool {
    a == b || fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own, removed when the test is over.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = env::temp_dir().join(format!("arena-build-{}-{name}", std::process::id()));
            fs::create_dir_all(path.join("src")).unwrap();
            Folder(path)
        }

        fn with(self, file: &str, text: &str) -> Folder {
            fs::write(self.0.join(file), text).unwrap();
            self
        }

        fn refusal(&self) -> String {
            format!("{:#}", build_agent(&self.0, Some(&self.0.join("out.wasm"))).unwrap_err())
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const PLAIN: &str = "[package]\nname = \"plain\"\nedition = \"2024\"\n[workspace]\n";

    #[test]
    fn no_crate_is_said() {
        let folder = Folder::new("empty");
        assert!(folder.refusal().contains("there is no crate at"));
        assert!(format!("{:#}", build_agent(Path::new("no/such"), None).unwrap_err()).contains("there is no crate at"));
    }

    #[test]
    fn a_missing_cdylib_is_told_how_to_be_one() {
        let folder = Folder::new("no-cdylib").with("Cargo.toml", PLAIN).with("src/lib.rs", "");
        assert!(folder.refusal().contains("[lib]\ncrate-type = [\"cdylib\", \"rlib\"]"));
    }

    #[test]
    fn several_agents_are_named() {
        let folder =
            Folder::new("several").with("Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"3\"\n");
        for name in ["a", "b"] {
            fs::create_dir_all(folder.0.join(name).join("src")).unwrap();
            let manifest = format!("[package]\nname = \"{name}\"\n[lib]\ncrate-type = [\"cdylib\"]\n");
            fs::write(folder.0.join(name).join("Cargo.toml"), manifest).unwrap();
            fs::write(folder.0.join(name).join("src/lib.rs"), "").unwrap();
        }
        let said = folder.refusal();
        assert!(said.contains("several agents") && said.contains("/a\n") && said.ends_with("/b"), "{said}");
    }

    #[test]
    fn files_are_told_apart() {
        let folder = Folder::new("files").with("text.wasm", "no module");
        let build = |name: &str| format!("{:#}", build_agent(&folder.0.join(name), None).unwrap_err());
        assert!(build("text.wasm").contains("neither a crate's Cargo.toml nor a WebAssembly module"));
        fs::write(folder.0.join("component.wasm"), wat::parse_str("(component)").unwrap()).unwrap();
        assert!(build("component.wasm").contains("is a component already"));
        fs::write(folder.0.join("module.wasm"), wat::parse_str("(module)").unwrap()).unwrap();
        assert!(build("module.wasm").contains("does not export `farkle:arena/agent@0.1.0#identity`"));
    }

    #[test]
    fn a_file_is_written_whole_or_not_at_all() {
        let folder = Folder::new("whole");
        write_whole(&folder.0.join("a.wasm"), b"abc").unwrap();
        write_whole(&folder.0.join("a.wasm"), b"abcd").unwrap();
        assert_eq!(fs::read(folder.0.join("a.wasm")).unwrap(), b"abcd");
        assert!(write_whole(&folder.0.join("src"), b"a folder").is_err());
        let mut left: Vec<_> = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["a.wasm", "src"]);
    }

    /// The first vector of FIPS 180-2.
    #[test]
    fn hashes_are_in_hexadecimal() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn registries_are_forgotten_at_the_same_length() {
        let mut module = b"..cargo/registry/src/host.example-1a2b/dlmalloc-0.2/src/lib.rs..".to_vec();
        forget_registries(&mut module);
        assert_eq!(
            module,
            format!("..cargo/registry/src{}dlmalloc-0.2/src/lib.rs..", "/".repeat("/host.example-1a2b/".len()))
                .into_bytes()
        );
    }

    #[test]
    fn homes_are_forgotten_at_the_same_length() {
        let home = cargo_home().unwrap();
        let mut module = format!("..{}/registry/src/a.rs..", home.display()).into_bytes();
        let length = module.len();
        forget_homes(&mut module);
        let text = String::from_utf8(module).unwrap();
        assert!(text.starts_with("../home/") && text.ends_with("/registry/src/a.rs.."), "{text}");
        assert_eq!(text.len(), length);
    }
}
