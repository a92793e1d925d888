//! Every target over its committed seeds, with stable Rust: what once was found stays mended.

use std::path::{Path, PathBuf};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

fn play_all(folder: &str, target: fn(&[u8])) {
    for file in files(folder) {
        // Shown where the target panics.
        println!("{}", file.display());
        target(&std::fs::read(file).unwrap());
    }
}

#[test]
fn ruleset_file() {
    play_all("seeds/ruleset_file", arena_fuzz::ruleset_file);
}

#[test]
fn record() {
    play_all("seeds/record", arena_fuzz::record);
}

#[test]
fn score() {
    play_all("seeds/score", arena_fuzz::score);
}

#[test]
fn referee() {
    play_all("seeds/referee", arena_fuzz::referee);
}

#[test]
fn command_input() {
    play_all("seeds/command_input", arena_fuzz::command_input);
}

/// The sample agents too, and guests that misbehave: some are loops that spend all their fuel.
#[cfg(feature = "sandbox")]
#[test]
fn component() {
    play_all("seeds/component", arena_fuzz::component);
    play_all("../sample-agents/built", arena_fuzz::component);
}

/// Some mutants of every guest; `MUTANTS` says how many of each.
#[cfg(feature = "sandbox")]
#[test]
fn component_mutants() {
    let each = std::env::var("MUTANTS").map_or(30, |text| text.parse().expect("MUTANTS is a number"));
    for (number, file) in files("seeds/component").into_iter().enumerate() {
        let seed = std::fs::read(&file).unwrap();
        let mut mutants = arena_fuzz::Mutants::new(number as u64);
        for mutant in 0..each {
            // Shown where the target panics.
            println!("mutant {mutant} of {}", file.display());
            arena_fuzz::component(&mutants.mutant(&seed));
        }
    }
}
