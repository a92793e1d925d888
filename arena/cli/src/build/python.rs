//! An agent in Python, and how componentize-py builds it.
//!
//! Owns where the tool is found and how it is called. Refuses WASI: all of it is replaced by stubs
//! that trap, so that the component imports nothing but the contract.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use super::tool::{Workshop, note_version, on_path, version};
use super::{WORLD, folder_name};
use crate::custom_sections::strip;

/// The version that the arena is tested with.
pub(crate) const TESTED: &str = "0.25.0";

/// Where a virtual environment keeps its programs, from the project's folder.
const IN_PROJECT: [&str; 2] = [".venv/bin/componentize-py", ".venv/Scripts/componentize-py.exe"];

pub(super) fn build(folder: &Path) -> Result<(String, Vec<u8>)> {
    let name = name(folder)?;
    let (tool, found) = find(folder)?;
    note_version("componentize-py", &found, TESTED);
    let workshop = Workshop::of(folder)?;
    let mut run = Command::new(tool);
    run.current_dir(folder).arg("--quiet").arg("--wit-path").arg(workshop.wit()).args(["--world", WORLD]);
    run.args(["componentize", "--stub-wasi", "app", "--output"]).arg(workshop.out());
    let component = workshop.run(&mut run, folder)?;
    Ok((name, strip(&component).context("reading what componentize-py built")?))
}

fn find(folder: &Path) -> Result<(PathBuf, String)> {
    let own = IN_PROJECT.into_iter().filter_map(|path| std::path::absolute(folder.join(path)).ok());
    let found = own.chain(on_path("componentize-py")).find_map(|tool| Some((version(&tool)?, tool)));
    let Some((version, tool)) = found else {
        bail!(
            "componentize-py is neither in the .venv of {} nor on the path. In that folder, this installs it:\n\n    \
             python3 -m venv .venv && .venv/bin/pip install componentize-py=={TESTED}\n",
            folder.display()
        );
    };
    Ok((tool, version))
}

/// What `pyproject.toml` calls the project, or else the folder's name.
fn name(folder: &Path) -> Result<String> {
    #[derive(Deserialize)]
    struct Manifest {
        project: Option<Named>,
    }
    #[derive(Deserialize)]
    struct Named {
        name: String,
    }
    let path = folder.join("pyproject.toml");
    if !path.is_file() {
        return folder_name(folder);
    }
    let text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let manifest: Manifest = toml::from_str(&text).with_context(|| format!("reading {}", path.display()))?;
    match manifest.project {
        Some(Named { name }) if !name.contains(['/', '\\']) => Ok(name),
        Some(Named { name }) => bail!("{} names the project `{name}`, which cannot be a file's name", path.display()),
        None => folder_name(folder),
    }
}
