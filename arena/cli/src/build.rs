//! From an agent's project to its component, as `arena build` does it.
//!
//! Owns which kind of project a path is, and the writing of the component. How each kind is built
//! stands in a module of its own. Refuses to guess between two projects, and to install anything:
//! what is missing is named together with the command that gets it.

mod c;
mod javascript;
mod machine_paths;
mod python;
mod rust_crate;
mod tool;
mod toolchain;

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};

pub(crate) use self::javascript::TESTED as COMPONENTIZE_JS;
pub(crate) use self::python::TESTED as COMPONENTIZE_PY;
pub use self::rust_crate::{PROFILE, STACK, TARGET};
pub(crate) use self::toolchain::rustc;
use crate::componentize::{Adapter, Wasm, componentize, kind};
use crate::output::write_whole;

/// The contract, for projects that do not carry it.
pub(crate) const WIT: &str = include_str!("../../../wit/arena.wit");
/// The world that an agent is.
pub(crate) const WORLD: &str = "contestant";

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

/// There is nothing at a path that could be built: the request is wrong, not the build.
#[derive(Debug)]
pub(crate) struct NoProject(pub(crate) String);

/// A compiler has failed and has itself said why: there is nothing to add.
#[derive(Debug)]
pub(crate) struct Said(String);

impl Said {
    fn by(program: &str, what: &str) -> Said {
        Said(format!("{program} failed on {what}"))
    }
}

impl fmt::Display for NoProject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoProject {}
impl std::error::Error for Said {}

/// What a path is, by the file that says so.
#[derive(Debug, PartialEq, Eq)]
enum Project {
    /// A manifest.
    Crate(PathBuf),
    /// A folder with an `agent.c`.
    C(PathBuf),
    /// A folder with an `app.py`.
    Python(PathBuf),
    /// A folder with a `package.json`.
    JavaScript(PathBuf),
    /// A core module.
    Module(PathBuf),
}

impl Project {
    /// The files that say what a project is.
    const MARKS: [&str; 4] = ["Cargo.toml", "app.py", "package.json", "agent.c"];

    fn marked(folder: &Path, mark: &str) -> Project {
        match mark {
            "Cargo.toml" => Project::Crate(folder.join(mark)),
            "app.py" => Project::Python(folder.to_path_buf()),
            "package.json" => Project::JavaScript(folder.to_path_buf()),
            _ => Project::C(folder.to_path_buf()),
        }
    }

    fn at(path: &Path) -> Result<Project> {
        if !path.exists() {
            return Err(NoProject(format!("there is nothing at {}", path.display())).into());
        }
        if !path.is_dir() {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
            return Ok(match Project::MARKS.contains(&name) {
                true => Project::marked(folder, name),
                false => Project::Module(path.to_path_buf()),
            });
        }
        let found: Vec<_> = Project::MARKS.into_iter().filter(|mark| path.join(mark).is_file()).collect();
        match found[..] {
            [mark] => Ok(Project::marked(path, mark)),
            [] => Err(NoProject(format!(
                "there is no project at {}: a project has a Cargo.toml (Rust), an app.py (Python), a package.json \
                 (JavaScript) or an agent.c (C); `arena new` makes one",
                path.display()
            ))
            .into()),
            _ => {
                let files: Vec<_> = found.iter().map(|mark| path.join(mark).display().to_string()).collect();
                Err(NoProject(format!(
                    "{} holds several projects; name the file of one: {}",
                    path.display(),
                    files.join(", ")
                ))
                .into())
            }
        }
    }

    /// Its name, and its component.
    fn build(&self, adapter: Option<&Path>) -> Result<(String, Vec<u8>)> {
        if let Some(adapter) = adapter.filter(|_| !matches!(self, Project::Module(_))) {
            return Err(NoProject(format!(
                "{} is for a core module that was built for WASI; a project is built without WASI",
                adapter.display()
            ))
            .into());
        }
        match self {
            Project::Crate(manifest) => {
                let package = rust_crate::Package::at(manifest)?;
                let module = package.compile()?;
                Ok((package.name, componentize(&module, None)?))
            }
            Project::C(folder) => c::build(folder),
            Project::Python(folder) => python::build(folder),
            Project::JavaScript(folder) => javascript::build(folder),
            Project::Module(path) => {
                let adapter = adapter.map(Adapter::read).transpose()?;
                Ok((file_stem(path)?, componentize(&read_module(path)?, adapter.as_ref())?))
            }
        }
    }
}

/// Builds the agent at `path` and writes its component to `out`, or to `NAME.wasm` in the current
/// folder. `path` is a project's folder, the file that says what project it is, or a core module
/// built elsewhere, for which an adapter may stand in for WASI preview 1.
///
/// The progress and the messages of compilers go to standard error as they come.
///
/// # Errors
///
/// When there is no project, a tool that it needs is not installed, or it does not compile; and
/// when what it compiles to is no agent.
pub fn build_agent(path: &Path, out: Option<&Path>, adapter: Option<&Path>) -> Result<Built> {
    let project = Project::at(path)?;
    let (name, component) = project.build(adapter).with_context(|| format!("building {}", path.display()))?;
    let out = out.map_or_else(|| PathBuf::from(format!("{name}.wasm")), Path::to_path_buf);
    write_whole(&out, &component).with_context(|| format!("writing {}", out.display()))?;
    Ok(Built { path: out, size: component.len() as u64, sha256: sha256(&component) })
}

/// SHA-256 in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    arena_core::Sha256Hex::of(bytes).to_string()
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
        Wasm::Neither => {
            Err(NoProject(format!("{} is neither a project's file nor a WebAssembly module", path.display())).into())
        }
    }
}

/// The name of a folder.
fn folder_name(folder: &Path) -> Result<String> {
    let whole = fs::canonicalize(folder).with_context(|| format!("finding {}", folder.display()))?;
    let name = whole.file_name().and_then(|name| name.to_str());
    name.map(str::to_owned).ok_or_else(|| anyhow!("{} has no name that can be printed", whole.display()))
}

#[cfg(test)]
mod tests {
    use std::env;

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
            format!("{:#}", build_agent(&self.0, Some(&self.0.join("out.wasm")), None).unwrap_err())
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const PLAIN: &str = "[package]\nname = \"plain\"\nedition = \"2024\"\n[workspace]\n";

    #[test]
    fn no_project_is_said() {
        let folder = Folder::new("empty");
        assert!(folder.refusal().contains("there is no project at"));
        assert!(
            format!("{:#}", build_agent(Path::new("no/such"), None, None).unwrap_err()).contains("there is nothing at")
        );
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
        let build = |name: &str| format!("{:#}", build_agent(&folder.0.join(name), None, None).unwrap_err());
        assert!(build("text.wasm").contains("neither a project's file nor a WebAssembly module"));
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
}
