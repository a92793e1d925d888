//! Matches judged by best play, and standings corrected for luck, on the command line.

use std::path::Path;

use serde_json::Value;

use crate::arena::{Output, arena_in, sample};
use crate::assert_refused;

/// Short matches, so that best play is found in no time.
const SHORT: [&str; 2] = ["--set", "target=1000"];

fn path(name: &str) -> String {
    sample(name).display().to_string()
}

/// A tournament of three agents in `t.db`.
fn tournament(folder: &Path, pairs: &str) {
    let agents = ["max-ev", "threshold-300", "bank-asap"].map(path);
    let mut args = vec!["tournament"];
    args.extend(agents.iter().map(String::as_str));
    args.extend(SHORT);
    args.extend(["--pairs", pairs, "--seed", "1", "--db", "t.db"]);
    let made = arena_in(folder, &args);
    assert_eq!(made.code, 0, "{}", made.stderr);
}

#[track_caller]
fn json(output: &Output) -> Value {
    assert_eq!(output.code, 0, "{}", output.stderr);
    serde_json::from_str(&output.stdout).expect("one JSON value")
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn a_match_is_judged_from_its_record_and_from_a_tournament() {
    let folder = tempfile::tempdir().unwrap();
    tournament(folder.path(), "5");
    let of_file = json(&arena_in(folder.path(), &["analyze", "t.db", "7", "--format=json"]));
    let shown = arena_in(folder.path(), &["show", "t.db", "7", "--format=json"]);
    std::fs::write(folder.path().join("7.json"), &shown.stdout).unwrap();
    let of_record = json(&arena_in(folder.path(), &["analyze", "7.json", "--format=json"]));
    assert_eq!(of_file, of_record);

    // Another program's figure for the first player; and the parts add up to the result.
    assert!((number(&of_file["start"]) - 0.610_787_60).abs() < 1e-6);
    let record: Value = serde_json::from_str(&shown.stdout).unwrap();
    let won = f64::from(u8::from(record["result"]["ranks"][0] == 1));
    let seat = |seat: usize, field: &str| number(&of_file["seats"][seat][field]);
    let sum = number(&of_file["start"]) + seat(0, "luck") - seat(1, "luck") - seat(0, "loss") + seat(1, "loss");
    assert!((sum - won).abs() < 1e-4, "{sum} {won}");
    let rolls = of_file["rolls"].as_array().unwrap();
    assert_eq!(rolls.len(), record["events"].as_array().unwrap().len());
    let losses: f64 = rolls.iter().filter(|roll| roll["seat"] == 0).filter_map(|roll| roll["loss"].as_f64()).sum();
    assert!((losses - seat(0, "loss")).abs() < 1e-9);

    let told = arena_in(folder.path(), &["analyze", "t.db", "7"]);
    assert_eq!((told.code, told.stderr.as_str()), (0, ""));
    for part in ["before the first roll, ", " wins 61.08%", "luck +", "a decision mattered where", "blunders"] {
        assert!(told.stdout.contains(part), "{part} is not in\n{}", told.stdout);
    }
}

#[test]
fn all_matches_of_an_agent_are_judged() {
    let folder = tempfile::tempdir().unwrap();
    tournament(folder.path(), "30");
    let judged =
        |args: &[&str]| arena_in(folder.path(), &[&["analyze", "t.db", "--agent", "bank-asap"], args].concat());
    let bank_asap = json(&judged(&["--format=json", "--worst", "2", "--jobs", "2"]));
    assert_eq!((&bank_asap["matches"], &bank_asap["agent"]), (&120.into(), &"bank-asap".into()));
    // It banks whatever it has: that is what it does wrong, mostly.
    let mistakes = bank_asap["mistakes"].as_array().unwrap();
    let of = |kind: &str| mistakes.iter().find(|mistake| mistake["mistake"] == kind);
    let early = of("banked-early").expect("it banks early");
    assert!(number(&early["loss"]) > 1.0 && of("banked-late").is_none(), "{mistakes:?}");
    let worst = early["worst"].as_array().unwrap();
    assert_eq!(worst.len(), 2);
    assert!(number(&worst[0]["loss"]) >= number(&worst[1]["loss"]));
    let sum: f64 = mistakes.iter().map(|mistake| number(&mistake["loss"])).sum();
    assert!((sum - number(&bank_asap["loss"])).abs() < 1e-9);
    // The same whatever the number of threads, and it plays worse than an agent that thinks.
    assert_eq!(json(&judged(&["--format=json", "--worst", "2", "--jobs", "1"])), bank_asap);
    let max_ev = json(&arena_in(folder.path(), &["analyze", "t.db", "--agent", "max-ev", "--format=json"]));
    let rating = |of: &Value| number(&of["loss_per_decision_that_mattered"]);
    assert!(rating(&max_ev) < rating(&bank_asap));

    // Every decision comes with the command that shows it.
    let told = judged(&[]);
    let command = told.stdout.lines().find_map(|line| line.split_once("arena ")).expect("a command").1;
    let shown = arena_in(folder.path(), &command.split(' ').collect::<Vec<_>>());
    assert_eq!(shown.code, 0, "{command}: {}", shown.stderr);
    // What showed dice counts as shown: who is submitted now plays others.
    let submitted = arena_in(folder.path(), &["submit", "--to", "t.db", &path("keep-choice")]);
    assert_eq!(submitted.code, 0, "{}", submitted.stderr);
    let planned = arena_in(folder.path(), &["run", "t.db"]);
    assert_eq!(planned.code, 0, "{}", planned.stderr);
    let listed = arena_in(folder.path(), &["matches", "t.db", "--agent", "keep-choice", "--format=json"]);
    let first: Value = serde_json::from_str(listed.stdout.lines().next().unwrap()).unwrap();
    assert!(number(&first["pair"]) >= 30.0, "{first}");
}

#[test]
fn what_cannot_be_judged_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    tournament(folder.path(), "1");
    let refused = |args: &[&str], says: &str| assert_refused(&arena_in(folder.path(), args), 2, says);
    refused(&["analyze", "t.db"], "say which match, as in arena analyze t.db 1, or whose, with --agent NAME");
    refused(&["analyze", "t.db", "7000"], "match 7000 of t.db is not planned");
    refused(&["analyze", "t.db", "--agent", "maxev"], "no agent of t.db is named `maxev` (did you mean `max-ev`?)");
    refused(&["analyze", "no.json"], "record no.json cannot be read");
    refused(&["standings", "t.db", "--luck-adjusted", "--format=csv"], "are for text, markdown and json");

    // A record that was changed, or is of three.
    let record = arena_in(folder.path(), &["show", "t.db", "1", "--format=json"]).stdout;
    std::fs::write(folder.path().join("changed.json"), record.replacen("\"at_risk\":", "\"at_risk\":1", 1)).unwrap();
    refused(&["analyze", "changed.json"], "was changed: its hash is not that of what it says");
    std::fs::write(folder.path().join("one.json"), &record).unwrap();
    refused(&["analyze", "one.json", "--agent", "max-ev"], "--agent is for tournament files, and one.json is none");
    refused(&["analyze", "one.json", "3"], "a record has one match: leave out the 3");
    let (one, other) = (path("max-ev"), path("random"));
    refused(&["sprt", &one, &other, "--luck-adjusted", "--most-pairs", "63"], "for the first time after 64");
    assert_eq!(arena_in(folder.path(), &["create", "new.db", "--seed", "1"]).code, 0);
    refused(
        &["analyze", "new.db", "1"],
        "match 1 of new.db is not planned; 0 matches are stored; `arena run new.db` plays some",
    );
    let hint = ["hint", "--set", "target=1000", "--scores", "0,0", "--roll", "112346", "--farkles", "1,0"];
    refused(&hint, "--farkles 1,0: rows of farkles cost nothing under this ruleset, so allowed is 0,0");
    let three = ["max-ev", "threshold-300", "bank-asap"].map(path);
    let mut args = vec!["match"];
    args.extend(three.iter().map(String::as_str));
    args.extend(["--rules", "play-table", "--seed", "1", "--record", "three.json"]);
    assert_eq!(arena_in(folder.path(), &args).code, 0);
    refused(&["analyze", "three.json"], "best play is known for tables of two seats, and this is one of 3");
    args.truncate(4);
    args.extend(["--rules", "play-table", "--seats", "3", "--pairs", "1", "--seed", "1", "--db", "three.db"]);
    args[0] = "tournament";
    assert_eq!(arena_in(folder.path(), &args).code, 0);
    refused(&["standings", "three.db", "--luck-adjusted"], "best play is known for tables of two seats");
    refused(&["analyze", "three.db", "--agent", "max-ev"], "best play is known for tables of two seats");
}

#[test]
fn standings_corrected_for_luck_are_surer() {
    let folder = tempfile::tempdir().unwrap();
    tournament(folder.path(), "200");
    let plain = json(&arena_in(folder.path(), &["standings", "t.db", "--format=json"]));
    let both = json(&arena_in(folder.path(), &["standings", "t.db", "--luck-adjusted", "--format=json"]));
    assert_eq!(plain["luck_adjusted"], Value::Null);
    assert_eq!(plain["standings"], both["standings"], "the plain ones are the official ones");
    let corrected = both["luck_adjusted"]["standings"].as_array().unwrap();
    assert_eq!(corrected.len(), 3);
    for (row, corrected) in plain["standings"].as_array().unwrap().iter().zip(corrected) {
        assert_eq!(row["name"], corrected["name"]);
        assert!(number(&corrected["gain"]) > 2.0, "{corrected}");
        let width = |row: &Value| number(&row["elo_high"]) - number(&row["elo_low"]);
        assert!(width(corrected) < width(row));
        // Not surprisingly far from the plain ones.
        assert!((number(&corrected["elo"]) - number(&row["elo"])).abs() < 1.5 * width(row));
    }
    let pairings = both["luck_adjusted"]["pairings"].as_array().unwrap();
    assert_eq!(pairings.len(), 3);
    assert!(pairings.iter().all(|pairing| pairing["pairs"] == 200 && number(&pairing["gain"]) > 2.0), "{pairings:?}");
    // Whatever the number of threads.
    let alone = ["standings", "t.db", "--luck-adjusted", "--format=json", "--jobs", "1"];
    assert_eq!(json(&arena_in(folder.path(), &alone)), both);
    let told = arena_in(folder.path(), &["standings", "t.db", "--luck-adjusted"]);
    assert!(
        told.stdout.contains("corrected for luck, in the order of the plain ratings:")
            && told.stdout.contains("gain: how many times")
    );
}

/// Coefficients are not fitted to a handful of pairs.
#[test]
fn of_few_pairs_corrected_standings_are_no_worse() {
    let folder = tempfile::tempdir().unwrap();
    tournament(folder.path(), "8");
    let both = json(&arena_in(folder.path(), &["standings", "t.db", "--luck-adjusted", "--format=json"]));
    for corrected in both["luck_adjusted"]["standings"].as_array().unwrap() {
        assert!(number(&corrected["gain"]) > 0.95, "{corrected}");
    }
    let markdown = arena_in(folder.path(), &["standings", "t.db", "--luck-adjusted", "--format=markdown"]).stdout;
    assert!(markdown.contains("plain ratings:\n\n| rank |") && markdown.contains("|\n\ngain: "), "{markdown}");
}

#[test]
fn a_match_that_the_limit_of_turns_ends_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (path("max-ev"), path("threshold-300"));
    let judged = |more: &[&str]| {
        let record = [&["match", &one, &other, "--seed", "1", "--record", "m.json"][..], &SHORT, more].concat();
        assert_eq!(arena_in(folder.path(), &record).code, 0);
        arena_in(folder.path(), &["analyze", "m.json"]).stdout
    };
    let limited = judged(&["--turn-limit", "1"]);
    assert!(limited.contains("the limit of turns ended the match"), "{limited}");
}

#[test]
fn a_test_corrected_for_luck_takes_fewer_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let (stronger, weaker) = (path("max-ev"), path("threshold-300"));
    // Over 20,000 pairs the difference is 51 Elo, so that the verdict is not in doubt.
    let test = |more: &[&str]| {
        let args = ["sprt", &weaker, &stronger, "--elo0", "-70", "--elo1", "-50", "--seed", "7", "--format=json"];
        json(&arena_in(folder.path(), &[&args[..], &SHORT, more].concat()))
    };
    let (plain, corrected) = (test(&[]), test(&["--luck-adjusted"]));
    assert_eq!(plain["luck_adjusted"], Value::Null);
    assert_ne!(corrected["verdict"], "continue");
    assert_eq!(corrected["verdict"], plain["verdict"]);
    assert!(2.0 * number(&corrected["pairs"]) < number(&plain["pairs"]), "{corrected} {plain}");
    assert!(number(&corrected["luck_adjusted"]["gain"]) > 2.0);
    // Whatever the number of threads.
    assert_eq!(test(&["--luck-adjusted", "--jobs", "1"]), corrected);
}
