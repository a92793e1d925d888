//! Programs of other languages that build agents.
//!
//! Owns where they are looked for, and the contract that they are given. Refuses to install them.

use std::env;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, anyhow};
use tempfile::TempDir;

use super::{Said, WIT};

/// The program of that name on the path.
pub(super) fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join(name).with_extension(env::consts::EXE_EXTENSION))
        .find(|p| p.is_file())
}

/// What a program prints when it is asked for its version; `None` when it cannot be run. (A shim
/// may stand for a program that is not installed.)
pub(super) fn version(program: &Path) -> Option<String> {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output().ok()?;
    let said = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    said.split_whitespace().last().map(str::to_owned)
}

/// Where a tool writes, and the contract that it reads.
pub(super) struct Workshop {
    folder: TempDir,
    wit: PathBuf,
}

impl Workshop {
    /// For a project, with the contract that it carries in `wit/`, or else the arena's own.
    pub(super) fn of(project: &Path) -> Result<Workshop> {
        let folder = tempfile::tempdir().context("making a temporary folder")?;
        let mut wit = std::path::absolute(project.join("wit"))?;
        if !wit.is_dir() {
            wit = folder.path().join("wit");
            fs::create_dir(&wit)
                .and_then(|()| fs::write(wit.join("arena.wit"), WIT))
                .context("writing the contract")?;
        }
        Ok(Workshop { folder, wit })
    }

    /// The folder with the contract.
    pub(super) fn wit(&self) -> &Path {
        &self.wit
    }

    /// Where the tool is to write the component.
    pub(super) fn out(&self) -> PathBuf {
        self.folder.path().join("component.wasm")
    }

    /// Runs a tool that says itself what goes wrong, and reads the component that it writes.
    pub(super) fn run(&self, tool: &mut Command, project: &Path) -> Result<Vec<u8>> {
        let name = tool.get_program().to_string_lossy().into_owned();
        let status = tool.stdin(Stdio::null()).stdout(Stdio::null()).status();
        let status = status.map_err(|error| match error.kind() {
            ErrorKind::NotFound => anyhow!("there is no {name}"),
            _ => anyhow::Error::new(error).context(format!("running {name}")),
        })?;
        if !status.success() {
            return Err(Said::by(&name, &project.display().to_string()).into());
        }
        fs::read(self.out()).with_context(|| format!("reading what {name} built of {}", project.display()))
    }
}

/// Says when a tool is not of the version that the arena is tested with.
pub(super) fn note_version(tool: &str, found: &str, tested: &str) {
    if found != tested {
        crate::output::tell(&format!("{tool} {found} is used; the arena is tested with {tested}"));
    }
}
