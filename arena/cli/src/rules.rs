//! From what a person types to a ruleset.
//!
//! Owns the lookup of rulesets and the suggestion of the nearest name. Refuses unknown names.

use farkle::{Ruleset, presets};

use crate::failure::Failure;

/// The ruleset of that name.
pub(crate) fn find(name: &str) -> Result<Ruleset, Failure> {
    if let Some(preset) = presets::by_name(name) {
        return Ok(preset.clone());
    }
    let names: Vec<&str> = presets::ALL.iter().map(|preset| &*preset.name).collect();
    let guess =
        nearest(name, names.iter().copied()).map_or(String::new(), |guess| format!(" (did you mean `{guess}`?)"));
    Err(Failure::usage(format!("there is no ruleset `{name}`{guess}; the presets are {}", names.join(", "))))
}

/// The name most like the given one, if any is like it at all.
pub(crate) fn nearest<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    names
        .map(|name| (strsim::jaro_winkler(&given, name), name))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_get_the_nearest_preset() {
        for (typo, meant) in
            [("imediate-win", "immediate-win"), ("playtable", "play-table"), ("My-Turn-Yet", "my-turn-yet")]
        {
            let message = find(typo).unwrap_err().to_string();
            assert!(message.contains(&format!("did you mean `{meant}`?")), "{message}");
        }
        let message = find("nosuch").unwrap_err().to_string();
        assert!(!message.contains("did you mean"), "{message}");
        assert!(message.contains("immediate-win, play-table, my-turn-yet"), "{message}");
    }
}
