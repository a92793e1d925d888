//! Cases c38 and c39: the printed chart and what the scorer pays are one.

use std::collections::HashSet;

use arena_core::rulebook::{chart, dashed, remarks, sections, wasted};
use farkle::{Chart, Faces, Points, Ruleset, presets};

use crate::house::tables;

/// The rows of a preset's chart, from the table of presets.
fn rows_by_the_table(name: &str) -> Vec<(&'static str, &'static str)> {
    let ones = match name {
        "patch" | "pocket" | "my-turn-yet" | "my-turn-yet-plain" => "300",
        _ => "1,000",
    };
    let mut rows = vec![
        ("Each 1", "100"),
        ("Each 5", "50"),
        ("Three 1s", ones),
        ("Three 2s / 3s / 4s / 5s / 6s", "200 / 300 / 400 / 500 / 600"),
    ];
    if name.ends_with("-simple") || name.ends_with("-plain") {
        return rows;
    }
    rows.extend([("Four of a kind", "1,000"), ("Five of a kind", "2,000")]);
    if name == "five-dice" {
        return rows;
    }
    let straight = if name == "immediate-win" { "2,500" } else { "1,500" };
    rows.extend([("Six of a kind", "3,000"), ("Straight, 1-2-3-4-5-6", straight), ("Three pairs", "1,500")]);
    if !matches!(name, "elverson" | "pocket") {
        rows.push(("Four of a kind and a pair", "1,500"));
    }
    if !matches!(name, "immediate-win" | "pocket") {
        rows.push(("Two triplets", "2,500"));
    }
    rows
}

#[test]
fn the_printed_chart_is_that_of_the_table() {
    for preset in presets::ALL {
        let rows = chart(preset);
        let printed: Vec<(&str, &str)> = rows.iter().map(|row| (&*row.label, &*row.worth)).collect();
        assert_eq!(printed, rows_by_the_table(&preset.name), "{}", preset.name);
    }
}

/// What the printed figure of a row says about some of its dice, read back from the text.
fn figure(row: &arena_core::rulebook::Row, number: usize, rules: &Ruleset) -> Points {
    let plain = |text: &str| text.trim().replace(',', "").parse::<Points>().unwrap();
    if let Some(bonus) = row.worth.strip_prefix("the triple + ") {
        let face = row.dice[number].0.counts().iter().position(|n| *n == 3).unwrap() as Points + 1;
        return plain(bonus) + if face == 1 { rules.three_ones } else { 100 * face };
    }
    let figures: Vec<Points> = row.worth.split('/').map(plain).collect();
    if figures.len() == 1 { figures[0] } else { figures[number] }
}

/// Every row pays what it says or a remark says what else; every combination of every reading of
/// all 923 selections has a row.
fn compare(rules: &Ruleset) {
    let (scorer, rows, remarks) = (Chart::new(rules), chart(rules), remarks(rules));
    let mut printed: HashSet<(Faces, Points)> = HashSet::new();
    let mut other = 0;
    for row in &rows {
        for (number, (dice, _)) in row.dice.iter().enumerate() {
            let says = figure(row, number, rules);
            assert!(printed.insert((*dice, says)), "{dice} twice in the chart of {}", rules.name);
            match scorer.points(*dice) {
                // Toxic twos are a rule of their own, in words.
                None => assert!(rules.toxic_twos && dice.count(2) >= 4, "{dice} under {}", rules.name),
                Some(paid) if paid == says => {}
                Some(paid) => {
                    assert!(paid > says, "{dice} under {}", rules.name);
                    other += 1;
                    let told = remarks.iter().filter(|r| r.starts_with(&format!("{} scores ", dashed(*dice)))).count();
                    assert!(
                        told == 1 || remarks.iter().any(|r| r.contains(": the same holds for ")),
                        "{dice} under {}",
                        rules.name
                    );
                }
            }
        }
    }
    assert_eq!(other == 0, remarks.is_empty(), "{}: {remarks:?}", rules.name);
    let scored = (1..=rules.dice).flat_map(Faces::all).filter_map(|dice| scorer.reading(dice).ok());
    for group in scored.flatten() {
        assert!(printed.contains(&(group.dice, group.points)), "{group:?} is not in the chart of {}", rules.name);
    }
}

#[test]
fn c39_the_chart_has_what_the_scorer_pays_and_nothing_else() {
    for rules in presets::ALL.into_iter().cloned().chain(tables()) {
        compare(&rules);
    }
    // The row whose absence made this case.
    let has_run = |rules: &Ruleset| chart(rules).iter().any(|row| row.label.starts_with("Run of five"));
    assert!(!has_run(&presets::FIVE_DICE));
    assert!(has_run(&Ruleset { five_run: 500, ..presets::FIVE_DICE }));
}

#[test]
fn c38_the_defaults_are_printed() {
    let rows = chart(&presets::MY_TURN_YET);
    let ones = rows.iter().find(|row| row.label == "Three 1s").unwrap();
    assert_eq!(ones.worth, "300");
    let words = words(&presets::MY_TURN_YET);
    assert!(words.contains("may bank only with at least 500 in the turn"), "{words}");
}

fn words(rules: &Ruleset) -> String {
    sections(rules).into_iter().flat_map(|section| section.rules).collect::<Vec<_>>().join("\n")
}

#[test]
fn four_aces_are_explained_where_they_are_worth_more() {
    let four = "1-1-1-1 scores 1,100: it is worth more as 1-1-1 and 1.";
    assert_eq!(remarks(&presets::PLAY_TABLE), [four]);
    assert_eq!(remarks(&presets::FIVE_DICE), [four]);
    for rules in [presets::IMMEDIATE_WIN, presets::PATCH, presets::MY_TURN_YET, presets::PLAY_TABLE_SIMPLE] {
        assert_eq!(remarks(&rules), [""; 0], "{}", rules.name);
    }
}

/// Case S000: four 1s as one group are worth no more than three.
#[test]
fn dice_that_add_nothing_are_named() {
    assert_eq!(wasted(&presets::IMMEDIATE_WIN), ["1-1-1-1 scores 1,000, no more than 1-1-1."]);
    let dear = Ruleset { four_of_a_kind: 300, ..presets::IMMEDIATE_WIN };
    let fives = "5-5-5-5 scores 300, less than 5-5-5.";
    assert!(wasted(&dear).iter().any(|said| said == fives), "{:?}", wasted(&dear));
    for rules in presets::ALL.into_iter().filter(|rules| rules.name != "immediate-win") {
        assert_eq!(wasted(rules), [""; 0], "{}", rules.name);
    }
}

/// A field that changes the rules changes the words or the chart.
#[test]
fn no_rule_goes_unsaid() {
    let base = presets::PLAY_TABLE;
    let penalty = Ruleset { penalty: 500, penalty_after: 3, ..base.clone() };
    let changes = [
        Ruleset {
            dice: 5,
            six_of_a_kind: 0,
            straight: 0,
            three_pairs: 0,
            four_and_pair: 0,
            two_triplets: 0,
            ..base.clone()
        },
        Ruleset { reading: farkle::Reading::PerFace, ..base.clone() },
        Ruleset { six_wins: true, ..base.clone() },
        Ruleset { no_score: 500, ..base.clone() },
        Ruleset { toxic_twos: true, ..base.clone() },
        Ruleset { keep_all: true, ..base.clone() },
        Ruleset { must_roll_hot_dice: true, ..base.clone() },
        Ruleset { exact_landing: true, ..base.clone() },
        Ruleset { opening: 500, ..base.clone() },
        Ruleset { penalty: 1_000, ..penalty.clone() },
        Ruleset { penalty_after: 1, ..penalty.clone() },
        Ruleset { penalty_floor: true, ..penalty.clone() },
        Ruleset { ending: farkle::EndingRule::ImmediateWin, ..base.clone() },
        Ruleset { target: 5_000, ..base.clone() },
        Ruleset { ending: farkle::EndingRule::Turns, target: 0, turns: 10, ..base.clone() },
        Ruleset { ending: farkle::EndingRule::Turns, target: 0, turns: 11, ..base.clone() },
        Ruleset { min_seats: 3, ..base.clone() },
        Ruleset { max_seats: 3, ..base.clone() },
        penalty,
        base,
    ];
    let print = |rules: &Ruleset| format!("{:?}\n{}", chart(rules), words(rules));
    let all: HashSet<String> = changes.iter().map(print).collect();
    assert_eq!(all.len(), changes.len());
}
