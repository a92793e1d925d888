//! An agent in JavaScript, and how componentize-js builds it.
//!
//! Owns where the tool is found and how it is called. Refuses WASI: all features that need it are
//! off, so that the component imports nothing but the contract.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use super::tool::{Workshop, note_version, on_path};
use super::{WORLD, folder_name};

/// The version that the arena is tested with.
pub(crate) const TESTED: &str = "0.23.0";

/// The package, as npm calls it.
const PACKAGE: &str = "@bytecodealliance/componentize-js";
/// What node runs: it calls the package.
const CALL: &str = include_str!("componentize.mjs");

/// A `package.json`, as far as it matters here.
#[derive(Deserialize)]
struct Manifest {
    name: Option<String>,
    version: Option<String>,
    main: Option<PathBuf>,
}

impl Manifest {
    fn read(path: &Path) -> Result<Manifest> {
        let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("reading {}", path.display()))
    }
}

pub(super) fn build(folder: &Path) -> Result<(String, Vec<u8>)> {
    let manifest = Manifest::read(&folder.join("package.json"))?;
    let name = match &manifest.name {
        // A scope is no part of a file's name.
        Some(name) => name.rsplit('/').next().unwrap_or(name).to_owned(),
        None => folder_name(folder)?,
    };
    let entry = manifest.main.unwrap_or_else(|| PathBuf::from("app.js"));
    if !folder.join(&entry).is_file() {
        bail!(
            "there is no {}: the file that exports `agent` is `main` in package.json, or else app.js",
            folder.join(&entry).display()
        );
    }
    let Some(node) = on_path("node") else {
        bail!("there is no `node` on the path: install Node.js 20 or newer from https://nodejs.org");
    };
    let Some(package) = installed(folder) else {
        bail!(
            "{PACKAGE} is not installed for {}. In that folder, this installs it:\n\n    npm install --save-dev {PACKAGE}@{TESTED}\n",
            folder.display()
        );
    };
    note_version("componentize-js", Manifest::read(&package)?.version.as_deref().unwrap_or("?"), TESTED);
    let workshop = Workshop::of(folder)?;
    let mut run = Command::new(node);
    run.current_dir(folder).args(["--input-type=module", "--eval", CALL, "--"]);
    run.arg(entry).arg(workshop.wit()).arg(WORLD).arg(workshop.out());
    Ok((name, workshop.run(&mut run, folder)?))
}

/// The package's manifest, in the project's `node_modules` or in that of a folder above, where
/// node looks too.
fn installed(folder: &Path) -> Option<PathBuf> {
    let folder = fs::canonicalize(folder).ok()?;
    let manifests = folder.ancestors().map(|folder| folder.join("node_modules").join(PACKAGE).join("package.json"));
    manifests.into_iter().find(|manifest| manifest.is_file())
}
