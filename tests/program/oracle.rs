//! Best play on the command line: solved, kept, and asked for advice.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::arena::{Output, arena, arena_where};
use crate::assert_refused;

/// Solutions kept in a folder of the test's own.
fn kept_in(folder: &Path, args: &[&str]) -> Output {
    arena_where(Path::new("."), args, &[("ARENA_CACHE", folder.to_str())])
}

#[track_caller]
fn answer(output: &Output) -> Value {
    assert_eq!((output.code, output.stderr.as_str()), (0, ""), "{}", output.stdout);
    serde_json::from_str(&output.stdout).expect("one JSON value")
}

#[track_caller]
fn assert_close(found: &Value, expected: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - expected).abs() < 1e-7, "{found}, not {expected}");
}

const SHORT: [&str; 4] = ["solve", "--set", "target=1000", "--format=json"];

/// The figures are another program's.
#[test]
fn a_ruleset_is_solved_once() {
    let folder = tempfile::tempdir().unwrap();
    let first = answer(&kept_in(folder.path(), &SHORT));
    assert_close(&first["first_player"], 0.610_787_60);
    assert_eq!((&first["ruleset"], &first["kept"]), (&json!("immediate-win with target=1000"), &json!(false)));
    assert_eq!((&first["positions"], &first["step"]), (&json!(400), &json!(50)));
    assert!(first["seconds"].as_f64().unwrap() > 0.0);
    let again = answer(&kept_in(folder.path(), &SHORT));
    assert_eq!((&again["kept"], &again["first_player"]), (&json!(true), &first["first_player"]));
    assert_eq!(again["file"], first["file"]);
    assert_eq!(answer(&kept_in(folder.path(), &[&SHORT[..], &["--anew"]].concat()))["kept"], json!(false));
    // The same rules by another name have the same solution.
    let renamed =
        ["solve", "--rules", "immediate-win", "--set", "target=1000", "--set", "max_seats=3", "--format=json"];
    assert_eq!(answer(&kept_in(folder.path(), &renamed))["kept"], json!(true));

    let told = kept_in(folder.path(), &SHORT[..3]);
    assert_eq!((told.code, told.stderr.as_str()), (0, ""));
    let says = "immediate-win with target=1000, two seats, to 1,000: 400 positions, scores in steps of 50\n  \
                first player wins  61.078760%\n  read in            ";
    assert!(told.stdout.starts_with(says), "{}", told.stdout);

    let solo = answer(&kept_in(folder.path(), &["solve", "--rules", "solo-ten", "--format=json"]));
    assert!((solo["expected_total"].as_f64().unwrap() - 5_978.209_4).abs() < 1e-4);
    assert_eq!(solo["first_player"], Value::Null);
}

#[test]
fn a_kept_solution_that_is_not_good_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let first = answer(&kept_in(folder.path(), &SHORT));
    let file = PathBuf::from(first["file"].as_str().unwrap());
    let whole = fs::read(&file).unwrap();
    let mut changed = whole.clone();
    changed[1_000] ^= 1;
    let mut newer = whole.clone();
    newer[20] = 9;
    let other = answer(&kept_in(folder.path(), &["solve", "--set", "target=900", "--format=json"]));
    let other = fs::read(other["file"].as_str().unwrap()).unwrap();
    for (bytes, says) in [
        (&whole[..whole.len() / 2], "solved anew: it has 1648 bytes of 3296"),
        (&[], "solved anew: it is no table of solved values"),
        (&changed, "solved anew: its bytes are not those that were written"),
        (&newer, "solved anew: it has format 9, and this arena reads 1: a newer arena made it"),
        (&other, "solved anew: it is of another ruleset"),
    ] {
        fs::write(&file, bytes).unwrap();
        let output = kept_in(folder.path(), &SHORT);
        assert!(output.stderr.starts_with("note: ") && output.stderr.contains(says), "{}", output.stderr);
        assert_eq!(output.stderr.lines().count(), 1, "{}", output.stderr);
        assert_eq!(answer(&Output { stderr: String::new(), ..output })["first_player"], first["first_player"]);
        assert_eq!(fs::read(&file).unwrap(), whole, "kept again");
    }
}

#[test]
fn a_place_that_cannot_be_written_to_is_a_note() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let output = kept_in(&file, &SHORT);
    assert!(output.stderr.starts_with("note: solutions are not kept in "), "{}", output.stderr);
    let answer = answer(&Output { stderr: String::new(), ..output });
    assert_eq!((&answer["kept"], &answer["file"]), (&json!(false), &Value::Null));
    let off = arena_where(Path::new("."), &SHORT[..3], &[("ARENA_CACHE", Some("off"))]);
    assert!(off.stderr.is_empty() && off.stdout.ends_with("  not kept\n"), "{off:?}");
}

#[test]
fn what_has_no_solution_is_refused_at_once() {
    for (args, says) in [
        (
            &["--rules", "play-table", "--set", "min_seats=3"][..],
            "has no exact solution here: ruleset field `min_seats` is 3",
        ),
        (&["--rules", "solo-ten", "--set", "max_seats=2"], "ruleset field `ending` is \"turns\""),
        (&["--set", "target=9000000"], "ruleset field `target` is 9000000: in steps of 50 points that takes"),
        (&["--rules", "elverson", "--set", "penalty_floor=false"], "ruleset field `penalty_floor` is false"),
        (&["--set", "target=x"], "ruleset field `target`"),
        (&["--rules", "imediate-win"], "did you mean `immediate-win`?"),
    ] {
        assert_refused(&arena(&[&["solve"], args].concat()), 2, says);
    }
}
