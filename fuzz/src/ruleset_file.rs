//! Texts that claim to be rulesets.
//!
//! Owns what must hold of a ruleset that the arena took from a file: it is the same after it was
//! written and read again, in every form, and a match can be refereed by it.

use std::sync::Arc;

use arena_core::{Allowance, Limits, Referee, change_ruleset, ruleset_from_toml, ruleset_to_toml};
use farkle::{Ruleset, ScoreTable, presets};

/// The text as a ruleset file, as the ruleset of a record, and as changes of a preset.
pub fn ruleset_file(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match ruleset_from_toml(text, "house") {
        Ok(rules) => survives(&rules),
        Err(error) => {
            let lines = 1 + text.matches('\n').count();
            assert!(error.line.is_none_or(|line| (1..=lines).contains(&line)), "{error}");
            assert!(!error.to_string().is_empty());
        }
    }
    if let Ok(rules) = serde_json::from_str::<Ruleset>(text)
        && rules.validate().is_ok()
    {
        survives_numbers(&rules);
        let json = serde_json::to_string(&rules).unwrap();
        assert_eq!(serde_json::from_str::<Ruleset>(&json).unwrap(), rules);
    }
    let changes: Vec<String> = text.lines().map(str::to_owned).collect();
    for base in [&presets::PLAY_TABLE, &presets::IMMEDIATE_WIN] {
        match change_ruleset(base, &changes) {
            Ok(rules) => survives(&rules),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// A ruleset that was taken is a complete one.
fn survives(rules: &Ruleset) {
    rules.validate().unwrap();
    let text = ruleset_to_toml(rules);
    assert_eq!(ruleset_from_toml(&text, "other").as_ref(), Ok(rules), "{text}");
    survives_numbers(rules);
    let limits = Limits { turns: 10, ..Allowance::Standard.limits() };
    let table = Arc::new(ScoreTable::new(rules));
    for seats in [rules.min_seats, rules.max_seats] {
        Referee::new(table.clone(), seats.into(), limits).unwrap();
    }
    assert!(Referee::new(table.clone(), usize::from(rules.min_seats) - 1, limits).is_err());
    assert!(Referee::new(table, usize::from(rules.max_seats) + 1, limits).is_err());
}

/// The form in which agents are told the rules.
fn survives_numbers(rules: &Ruleset) {
    let told = Ruleset::from_numbers(rules.numbers()).unwrap();
    assert!(told.same_rules(rules), "{rules:?}");
    assert_eq!(told.id(), rules.id());
}
