//! docs/security.md names the tests of what it promises: each of them is there.

use std::fs;
use std::path::{Path, PathBuf};

/// Where the tests of a first name are, from the root of the checkout.
const ROOTS: [(&str, &[&str]); 9] = [
    ("hostile", &["tests/tests/hostile"]),
    ("faults", &["tests/tests/faults"]),
    ("watchdog", &["tests/tests/watchdog"]),
    ("wasi", &["tests/tests/wasi"]),
    ("determinism", &["tests/tests/determinism"]),
    ("program", &["tests/program"]),
    ("arena", &["arena/cli/src"]),
    ("arena_core", &["arena/core/src", "arena/core/tests"]),
    ("arena_host", &["arena/host/src"]),
];

/// The files of a module below these folders: sources and tests may have one of a name.
fn files(root: &Path, below: &[&str], modules: &[&str]) -> Vec<PathBuf> {
    let places = below.iter().map(|below| modules.iter().fold(root.join(below), |path, module| path.join(module)));
    places.map(|place| place.with_added_extension("rs")).filter(|file| file.is_file()).collect()
}

/// Whether what is named is a test, or a module with tests.
fn is_there(root: &Path, name: &str) -> bool {
    let parts: Vec<&str> = name.split("::").collect();
    let Some((_, below)) = ROOTS.iter().find(|(first, _)| *first == parts[0]) else { return false };
    let has_test = |file: &PathBuf, test: Option<&str>| {
        let text = fs::read_to_string(file).unwrap();
        let mut after_attribute = text.split("#[test]\n").skip(1);
        let named = test.map(|test| format!("fn {test}("));
        after_attribute.any(|code| named.as_ref().is_none_or(|named| code.trim_start().starts_with(named.as_str())))
    };
    let modules = &parts[1..];
    let whole = files(root, below, modules).iter().any(|file| has_test(file, None));
    let Some((test, modules)) = modules.split_last() else { return whole };
    whole || files(root, below, modules).iter().any(|file| has_test(file, Some(test)))
}

/// What stands between backquotes and has the form of a path.
fn named(page: &str) -> Vec<&str> {
    let is_path = |word: &&str| {
        word.contains("::") && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "_:".contains(c))
    };
    page.split('`').skip(1).step_by(2).filter(is_path).collect()
}

#[test]
fn the_tests_that_the_page_of_promises_names_are_there() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let page = fs::read_to_string(root.join("docs/security.md")).unwrap();
    let named = named(&page);
    let missing: Vec<&&str> = named.iter().filter(|name| !is_there(root, name)).collect();
    assert!(missing.is_empty(), "docs/security.md names tests that are not there: {missing:?}");
    assert!(named.len() > 40, "only {} tests are named", named.len());
    // Every promise has one.
    let promises = page.split("## What is promised").nth(1).unwrap().split("\n## ").next().unwrap();
    for promise in promises.split("\n\n**").skip(1) {
        assert!(promise.contains("Tests: `"), "a promise without a test: {promise}");
    }
}

#[test]
fn what_is_not_there_is_missed() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    for (name, there) in [
        ("hostile::loops", true),
        ("hostile::loops::a_set_up_may_not_call_for_ever_either", true),
        ("hostile::loops::after_returning", false),
        ("hostile::loops::no_such_test", false),
        ("hostile::arena", false),
        ("faults::loops_run_out_of_fuel", true),
        ("nowhere::loops_run_out_of_fuel", false),
        ("arena::harmless::terminal_commands_become_text", true),
        ("arena_core::formats::round_robin::the_withdrawn_are_left_out_and_late_agents_meet_fresh_seeds", true),
    ] {
        assert_eq!(is_there(root, name), there, "{name}");
    }
}
