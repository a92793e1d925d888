//! From what a person types to a ruleset.
//!
//! Owns the choice between presets and files, the reading of files, and changes of single fields.
//! Refuses unknown names, and whatever makes no ruleset.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use arena_core::{change_ruleset, nearest, ruleset_from_toml};
use farkle::{Ruleset, presets};

use crate::args::RulesArgs;
use crate::failure::Failure;

/// More than any ruleset takes.
const LARGEST_FILE: u64 = 1 << 20;

/// The ruleset that a command line asks for.
pub(crate) fn find(args: &RulesArgs) -> Result<Ruleset, Failure> {
    changed(named(&args.rules)?, &args.set)
}

/// A ruleset with single fields changed.
pub(crate) fn changed(ruleset: Ruleset, changes: &[String]) -> Result<Ruleset, Failure> {
    if changes.is_empty() {
        return Ok(ruleset);
    }
    change_ruleset(&ruleset, changes).map_err(|error| Failure::usage(format!("--set: {error}")))
}

/// A preset, or else a file: a preset's name always means the preset, so that no file in the
/// folder where somebody stands changes what is played.
pub(crate) fn named(name: &str) -> Result<Ruleset, Failure> {
    if let Some(preset) = presets::by_name(name) {
        if Path::new(name).is_file() {
            crate::output::tell(&format!("arena: note: `{name}` is the preset; the file of that name is ./{name}"));
        }
        return Ok(preset.clone());
    }
    let path = Path::new(name);
    let is_path = path.extension().is_some() || path.components().count() > 1 || path.is_absolute();
    if is_path || path.exists() {
        return read(path);
    }
    let names = presets::ALL.iter().map(|preset| &*preset.name);
    let guess = nearest(name, names.clone()).map_or(String::new(), |guess| format!(" (did you mean `{guess}`?)"));
    Err(Failure::usage(format!(
        "there is no ruleset `{}`{guess}; the presets are {}, and there is no file of that name",
        name.replace('\n', "\\n"),
        names.collect::<Vec<_>>().join(", ")
    )))
}

/// Reads a ruleset file; without a `name` of its own it is called after the file.
pub(crate) fn read(path: &Path) -> Result<Ruleset, Failure> {
    let shown = path.display();
    if let Some(preset) = path.to_str().and_then(presets::by_name)
        && !path.exists()
    {
        return Err(Failure::usage(format!("`{}` is a preset, and there is no file of that name", preset.name)));
    }
    let unreadable = |why: &dyn std::fmt::Display| Failure::usage(format!("ruleset {shown} cannot be read: {why}"));
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LARGEST_FILE + 1).read_to_end(&mut bytes))
        .map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(unreadable(&"it has more than 1 MiB"));
    }
    let text = String::from_utf8(bytes).map_err(|error| unreadable(&error))?;
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    ruleset_from_toml(&text, &stem).map_err(|error| Failure::usage(format!("ruleset {shown}: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_get_the_nearest_preset() {
        for (typo, meant) in
            [("imediate-win", "immediate-win"), ("playtable", "play-table"), ("My-Turn-Yet", "my-turn-yet")]
        {
            let message = named(typo).unwrap_err().to_string();
            assert!(message.contains(&format!("did you mean `{meant}`?")), "{message}");
        }
        let message = named("nosuch").unwrap_err().to_string();
        assert!(!message.contains("did you mean"), "{message}");
        assert!(message.contains("immediate-win, play-table, play-table-simple, duel, solo-ten"), "{message}");
    }
}
