//! Agents as they are given on the command line.
//!
//! Owns names, files and the loading of components. Refuses two agents of one name, names that
//! could upset a terminal or a table, and whatever the sandbox refuses.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use arena_core::{Contestant, RecordSeat, Sha256Hex};
use arena_host::{About, COMPONENT_BYTES, ComponentAgent, Wasi};

use crate::failure::Failure;
use crate::harmless::{harmless, indented, one_line};
use crate::loader::{Loader, Unloaded};

/// An agent's name and its component.
pub(crate) struct LoadedAgent {
    pub(crate) name: String,
    pub(crate) component: ComponentAgent,
}

impl LoadedAgent {
    /// How a record names it.
    pub(crate) fn record_seat(&self) -> RecordSeat {
        RecordSeat { name: self.name.clone(), sha256: Sha256Hex(self.component.sha256()) }
    }
}

/// An agent's file, read.
pub(crate) struct AgentFile {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
}

impl AgentFile {
    /// The file and its name as they are given on a command line.
    pub(crate) fn argument(&self) -> String {
        let path = self.path.display().to_string();
        match name_and_path(&path) {
            Ok((name, _)) if name == self.name => path,
            _ => format!("{}={path}", self.name),
        }
    }
}

/// Reads all agents of a command line. A missing file is so said before any is compiled. A folder
/// stands for the `.wasm` files in it, by name.
pub(crate) fn read_all(arguments: &[String]) -> Result<Vec<AgentFile>, Failure> {
    let mut named: Vec<(String, PathBuf)> = Vec::new();
    for argument in arguments {
        for (name, path) in names_and_paths(argument)? {
            if let Some((_, other)) = named.iter().find(|(known, _)| *known == name) {
                return Err(Failure::usage(format!(
                    "two agents are named `{name}`: {} and {}; give one another name with NAME={}",
                    other.display(),
                    path.display(),
                    path.display()
                )));
            }
            named.push((name, path));
        }
    }
    named.into_iter().map(|(name, path)| Ok(AgentFile { name, bytes: read(&path)?, path })).collect()
}

/// The agents that an argument stands for.
fn names_and_paths(argument: &str) -> Result<Vec<(String, PathBuf)>, Failure> {
    let folder = Path::new(argument);
    if !folder.is_dir() {
        return Ok(vec![name_and_path(argument)?]);
    }
    let components = components_in(folder)?;
    if components.is_empty() {
        return Err(no_agent_in(folder));
    }
    components.into_iter().map(named_after_file).collect()
}

/// The `.wasm` files of a folder, by name.
pub(crate) fn components_in(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error| Failure::usage(format!("folder {} cannot be read: {error}", folder.display()));
    let mut found: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "wasm") && path.is_file() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn no_agent_in(folder: &Path) -> Failure {
    let shown = folder.display();
    Failure::usage(match is_project(folder) {
        true => format!("{shown} is a project, not a component: `arena build {shown}` makes one of it"),
        false => format!("there is no .wasm file in the folder {shown}"),
    })
}

/// Whether `arena build` could make a component of a folder.
fn is_project(folder: &Path) -> bool {
    ["Cargo.toml", "app.py", "package.json"].iter().any(|file| folder.join(file).is_file())
}

/// Compiles agents, several at a time, and reports the first that fails. The same bytes are compiled
/// once, under however many names.
pub(crate) fn load_all(loader: &Loader, files: &[AgentFile]) -> Result<Vec<LoadedAgent>, Failure> {
    let first_of = |file: &AgentFile| files.iter().position(|other| other.bytes == file.bytes).unwrap_or(0);
    let firsts: Vec<usize> = files.iter().map(first_of).collect();
    let mut different = firsts.clone();
    different.sort_unstable();
    different.dedup();
    let at_once = std::thread::available_parallelism().map_or(1, usize::from);
    let mut compiled: BTreeMap<usize, ComponentAgent> = BTreeMap::new();
    for several in different.chunks(at_once) {
        let load = |file: &AgentFile| load(loader, file.name.clone(), &file.path, &file.bytes);
        let agents: Vec<Result<LoadedAgent, Failure>> = std::thread::scope(|scope| {
            let begin = |place: &usize| {
                let file = &files[*place];
                std::thread::Builder::new().spawn_scoped(scope, || load(file)).map_err(|_| file)
            };
            let begun: Vec<_> = several.iter().map(begin).collect();
            let broken = |_| Err(Failure::failed("a loading thread broke down; this is a fault of the arena"));
            let end = |begun| match begun {
                Ok(thread) => std::thread::ScopedJoinHandle::join(thread).unwrap_or_else(broken),
                // There was no thread to be had.
                Err(file) => load(file),
            };
            begun.into_iter().map(end).collect()
        });
        for (place, agent) in several.iter().zip(agents) {
            compiled.insert(*place, agent?.component);
        }
    }
    let named = files.iter().zip(&firsts);
    Ok(named.map(|(file, first)| LoadedAgent { name: file.name.clone(), component: compiled[first].clone() }).collect())
}

/// Compiles one component.
pub(crate) fn load(loader: &Loader, name: String, path: &Path, bytes: &[u8]) -> Result<LoadedAgent, Failure> {
    match loader.load(bytes) {
        Ok(component) => Ok(LoadedAgent { name, component }),
        Err(Unloaded::Failed(failure)) => Err(failure),
        Err(Unloaded::Refused(refused)) => Err(Failure::Refused(anyhow::anyhow!(
            "agent {} is refused: {}",
            path.display(),
            indented(&refused.to_string())
        ))),
    }
}

/// Whether one of these agents imports WASI.
pub(crate) fn wasi_of(agents: &[&LoadedAgent]) -> Wasi {
    agents.iter().map(|agent| agent.component.wasi()).max().unwrap_or_default()
}

/// Who a component says it is, on one line.
pub(crate) fn claim(about: &About) -> String {
    one_line(&format!("{} {} by {}", about.name, about.version, about.author))
}

/// Reads an agent's file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    read_bounded(path).map_err(|error| {
        let with_ending = path.with_added_extension("wasm");
        match error.kind() {
            _ if is_project(path) => no_agent_in(path),
            _ if path.is_dir() => Failure::usage(format!("agent {} is a folder, not a component", path.display())),
            std::io::ErrorKind::NotFound if with_ending.is_file() => Failure::usage(format!(
                "agent {} cannot be read: there is no such file, but {}",
                path.display(),
                with_ending.display()
            )),
            _ => Failure::usage(format!("agent {} cannot be read: {error}", path.display())),
        }
    })
}

/// The bytes of a file, or one more than any component may have: the sandbox then refuses it.
fn read_bounded(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(COMPONENT_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// `NAME=PATH`, or a path whose file name without its ending is the name.
pub(crate) fn name_and_path(argument: &str) -> Result<(String, PathBuf), Failure> {
    match argument.split_once('=') {
        Some((name, path)) if !name.contains(['/', '\\']) => {
            check_name(name)?;
            Ok((name.to_owned(), PathBuf::from(path)))
        }
        _ => named_after_file(PathBuf::from(argument)),
    }
}

fn named_after_file(path: PathBuf) -> Result<(String, PathBuf), Failure> {
    let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    check_name(&name).map_err(|refused| Failure::usage(format!("{refused}; name it with NAME={}", path.display())))?;
    Ok((name, path))
}

/// Refuses what is no name for an author.
pub(crate) fn check_author(name: &str) -> Result<(), Failure> {
    check_name(name)
        .map_err(|_| Failure::usage(format!("`{}` is no name for an author", harmless(name).replace('\n', "\\n"))))
}

/// Refuses what is no name for an agent.
pub(crate) fn check_name(name: &str) -> Result<(), Failure> {
    let length = name.chars().count();
    if !(1..=40).contains(&length) || harmless(name) != name || name.contains('\n') || name.trim() != name {
        return Err(Failure::usage(format!(
            "`{}` is no name for an agent: allowed are 1 to 40 characters, none of them a control character or \
             one that cannot be seen, and no space at either end",
            harmless(name).replace('\n', "\\n"),
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_the_argument_or_the_file() {
        let parsed = |argument: &str| name_and_path(argument).map(|(n, p)| (n, p.display().to_string())).ok();
        assert_eq!(parsed("bots/max-ev.wasm"), Some(("max-ev".into(), "bots/max-ev.wasm".into())));
        assert_eq!(parsed("mine=bots/a.wasm"), Some(("mine".into(), "bots/a.wasm".into())));
        assert_eq!(parsed("./a=b.wasm"), Some(("a=b".into(), "./a=b.wasm".into())));
        assert_eq!(parsed("=a.wasm"), None);
        assert_eq!(parsed(&format!("{}=a.wasm", "x".repeat(41))), None);
        assert_eq!(parsed("a\u{1b}[2J=a.wasm"), None);
    }
}
