//! An agent in C, and how clang builds it.
//!
//! Owns where the compiler is found and how it is called. Refuses a C library, and with it WASI:
//! the contract takes numbers and structs as C lays them out, so an agent needs none.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::folder_name;
use super::rust_crate::STACK;
use super::tool::{Workshop, on_path};
use crate::componentize::componentize;

/// Versions by which Debian names the compiler, where there is no plain `clang`.
const VERSIONS: std::ops::RangeInclusive<u32> = 13..=24;

pub(super) fn build(folder: &Path) -> Result<(String, Vec<u8>)> {
    let name = folder_name(folder)?;
    let Some(clang) = find() else {
        bail!(
            "there is no `clang` on the path, which builds agents in C together with `wasm-ld`. On Debian:\n\n    \
             apt-get install clang lld\n\nElsewhere: https://releases.llvm.org"
        );
    };
    let mut sources: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let file = PathBuf::from(entry?.file_name());
        if file.extension().is_some_and(|extension| extension == "c") {
            sources.push(file);
        }
    }
    // The order of a folder is chance, and that of what is linked must not be.
    sources.sort();
    let workshop = Workshop::of(folder)?;
    let mut run = Command::new(clang);
    run.current_dir(folder).args(["--target=wasm32", "-std=c11", "-O2", "-Wall", "-nostdlib", "-Wl,--no-entry"]);
    run.arg(format!("-Wl,-z,stack-size={STACK}")).arg("-o").arg(workshop.out()).args(sources);
    let module = workshop.run(&mut run, folder)?;
    Ok((name, componentize(&module, None)?))
}

fn find() -> Option<PathBuf> {
    on_path("clang").or_else(|| VERSIONS.rev().find_map(|version| on_path(&format!("clang-{version}"))))
}
