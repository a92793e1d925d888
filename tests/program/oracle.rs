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

fn hint(args: &[&str]) -> Output {
    arena(&[&["hint", "--set", "target=1000"], args].concat())
}

#[test]
fn every_decision_is_listed_the_best_first() {
    let asked = ["--scores", "300,700", "--at-risk", "450", "--roll", "1", "1", "3", "4"];
    let found = answer(&hint(&[&asked[..], &["--format", "json"]].concat()));
    assert_eq!((&found["scores"], &found["roll"]), (&json!([300, 700]), &json!("1134")));
    let decisions = found["decisions"].as_array().unwrap();
    let column = |name: &str| decisions.iter().map(|decision| decision[name].clone()).collect::<Vec<_>>();
    assert_eq!(column("keep"), ["11", "1", "11", "1"]);
    assert_eq!(column("next"), ["roll", "roll", "bank", "bank"]);
    assert_eq!(column("at_risk"), [650, 550, 650, 550]);
    assert_eq!(column("dice"), [2, 3, 0, 0]);
    assert_eq!((&decisions[0]["win"], &decisions[0]["loss"]), (&found["after_roll"], &json!(0.0)));
    // To bank 650 leaves the rival to move with 700 to 950.
    let rival = answer(&hint(&["--scores", "700,950", "--roll", "223466", "--format", "json"]));
    assert_close(&decisions[2]["win"], 1.0 - rival["before_roll"].as_f64().unwrap());
    assert_close(&decisions[2]["loss"], decisions[0]["win"].as_f64().unwrap() - decisions[2]["win"].as_f64().unwrap());

    let told = hint(&asked);
    assert_eq!(
        told.stdout,
        "immediate-win with target=1000, 300 to 700, 450 at risk, roll 1-1-3-4\n  \
           before this roll                    47.0183%\n  \
           keep         points  then               wins      loss\n  \
           1-1             200  roll 2 dice    58.8747%      best\n  \
           1               100  roll 3 dice    49.9261%   8.9486%\n  \
           1-1             200  bank: 950      14.7144%  44.1603%\n  \
           1               100  bank: 850      14.4724%  44.4023%\n"
    );
    // A bank that wins is the best there is; dice may be one word.
    let wins = answer(&hint(&["--scores", "300,700", "--roll", "111346", "--format=json"]));
    assert_eq!((&wins["decisions"][0]["win"], &wins["decisions"][0]["next"]), (&json!(1.0), &json!("bank")));
    let six = answer(&hint(&["--set", "six_wins=true", "--scores", "0,0", "--roll", "222222", "--format=json"]));
    assert_eq!(six["decisions"][0]["next"], "win");
}

#[test]
fn a_farkle_says_what_it_costs() {
    let asked = ["--scores", "300,700", "--at-risk", "450", "--roll", "2344"];
    let told = hint(&asked).stdout;
    assert!(
        told.ends_with(
            "It is a farkle, which costs the 450 at risk and 39.5502 percentage points of the chance to win.\n"
        ),
        "{told}"
    );
    let found = answer(&hint(&[&asked[..], &["--format=json"]].concat()));
    assert_eq!((&found["farkle"], &found["decisions"]), (&json!(true), &json!([])));
}

#[test]
fn closing_turns_openings_and_penalties_count() {
    let play = |rules: &str, args: &[&str]| answer(&hint(&[&["--rules", rules, "--format=json"], args].concat()));
    // 950 needed, and a straight has 1,500; a bank short of the rival wins nothing.
    let closing = play("play-table", &["--scores", "300,1250", "--closing", "--roll", "123456"]);
    assert_eq!((&closing["decisions"][0]["win"], &closing["decisions"][0]["next"]), (&json!(1.0), &json!("bank")));
    let short =
        closing["decisions"].as_array().unwrap().iter().find(|d| d["keep"] == "5" && d["next"] == "bank").unwrap();
    assert_eq!(short["win"], 0.0);
    // A tie is half a win.
    let tie = play("play-table", &["--scores", "300,1800", "--closing", "--roll", "123456"]);
    let bank = tie["decisions"].as_array().unwrap().iter().find(|d| d["keep"] == "123456" && d["next"] == "bank");
    assert_eq!(bank.unwrap()["win"], 0.5);
    // Below the opening there is no bank.
    let opening = play("duel", &["--scores", "0,600", "--at-risk", "200", "--roll", "1234"]);
    assert!(opening["decisions"].as_array().unwrap().iter().all(|d| d["next"] == "roll"), "{opening}");
    // The next farkle costs all that there is.
    let row = |farkles| {
        let rules = ["hint", "--rules", "elverson", "--set", "target=500", "--set", "penalty_after=2"];
        let asked = ["--scores", "300,300", "--roll", "223466", "--format=json", "--farkles", farkles];
        answer(&arena(&[&rules[..], &asked[..]].concat()))["after_roll"].as_f64().unwrap()
    };
    assert!(row("1,0") < row("0,0") && row("0,0") < row("0,1"));
}

#[test]
fn bad_positions_are_refused() {
    for (args, says) in [
        (&["--scores", "300", "--roll", "113466"][..], "--scores 300: 1 of two numbers of points: write OWN,RIVAL"),
        (&["--scores", "300,x", "--roll", "113466"], "--scores 300,x: `x` is no number of points"),
        (
            &["--scores", "325,0", "--roll", "113466"],
            "--scores: the score of the seat to move is 325: under this ruleset scores are multiples of 50",
        ),
        (&["--scores", "-50,0", "--roll", "113466"], "is -50: it is never below 0"),
        (&["--scores", "0,1000", "--roll", "113466"], "which reaches the target of 1000: the match is over"),
        (&["--scores", "0,99999999999", "--roll", "113466"], "`99999999999` is no number of points"),
        (&["--scores", "0,0", "--farkles", "1", "--roll", "113466"], "--farkles 1: 1 of two numbers of farkles"),
        (
            &["--scores", "0,1000", "--closing", "--roll", "113466"],
            "--closing: there are no closing turns under this ruleset",
        ),
        (
            &["--rules", "play-table", "--scores", "0,1000", "--roll", "113466"],
            "only a closing turn is left (--closing)",
        ),
        (
            &["--rules", "play-table", "--scores", "0,900", "--closing", "--roll", "113466"],
            "in a closing turn the rival has at least the target",
        ),
        (&["--rules", "duel", "--scores", "0,450", "--roll", "113466"], "the first bank takes 500"),
        (
            &["--rules", "elverson", "--scores", "0,450", "--farkles", "3,0", "--roll", "113466"],
            "--farkles: 3 farkles in a row are too many",
        ),
        (
            &["--scores", "0,0", "--at-risk", "25", "--roll", "1"],
            "--at-risk is 25: under this ruleset it is 0 or a multiple of 50",
        ),
        (&["--scores", "0,0", "--at-risk", "-50", "--roll", "1"], "--at-risk is -50"),
        (&["--scores", "0,0", "--at-risk", "50", "--roll", "111111"], "comes to roll 6 dice with 50 at risk"),
        (&["--scores", "0,0", "--roll", "11"], "the first roll of a turn has 6 dice, and this one has 2"),
        (&["--scores", "0,0", "--roll", "1111111"], "7 dice, of at most 6"),
        (
            &["--rules", "five-dice", "--scores", "0,0", "--roll", "111111"],
            "6 dice are selected, and this ruleset has 5",
        ),
        (&["--scores", "0,0", "--roll", "117"], "`7` is not a face of a die"),
        (&["--rules", "play-table", "--set", "min_seats=3", "--scores", "0,0", "--roll", "113466"], "`min_seats` is 3"),
    ] {
        assert_refused(&hint(args), 2, says);
    }
    let solo = arena(&["hint", "--rules", "solo-ten", "--scores", "0,0", "--roll", "113466"]);
    assert_refused(&solo, 2, "ruleset `solo-ten`: this ruleset is for one seat alone");
}
