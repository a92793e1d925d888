//! Numbers that are known without this code: from the documents, or by counting all rolls.

use farkle::presets::{FIVE_DICE, PLAY_TABLE_SIMPLE};
use farkle::{Chart, Faces, Ruleset, ScoreTable, presets};

use crate::slow_scorer::{count, faces, ordered_rolls};

/// Farkles among all ordered rolls, counted roll by roll.
fn farkles(rules: &Ruleset, dice: u8) -> u32 {
    let table = ScoreTable::new(rules);
    ordered_rolls(dice).map(|roll| u32::from(table.is_farkle(faces(count(roll))))).sum()
}

#[test]
fn farkle_counts_are_the_published_ones() {
    // 2/3; 16/36 = 44%; 28%; 16%; 8%; 5/216 with three pairs, about 3.1% without (document 003).
    for rules in [presets::IMMEDIATE_WIN, presets::PLAY_TABLE, presets::MY_TURN_YET] {
        let counts: Vec<u32> = (1..=6).map(|dice| farkles(&rules, dice)).collect();
        assert_eq!(counts, [4, 16, 60, 204, 600, 1_080], "{}", rules.name);
    }
    let counts: Vec<u32> = (1..=6).map(|dice| farkles(&PLAY_TABLE_SIMPLE, dice)).collect();
    assert_eq!(counts, [4, 16, 60, 204, 600, 1_440]);
    let counts: Vec<u32> = (1..=5).map(|dice| farkles(&FIVE_DICE, dice)).collect();
    assert_eq!(counts, [4, 16, 60, 204, 600]);
}

#[test]
fn chances_are_the_documents_percentages() {
    let percent = |rules: &Ruleset, dice: u8| {
        (1000.0 * f64::from(farkles(rules, dice)) / f64::from(6u32.pow(dice.into()))).round() / 10.0
    };
    assert_eq!(1_080 * 216, 5 * 46_656, "5 in 216");
    assert_eq!(percent(&presets::PLAY_TABLE, 6), 2.3);
    assert_eq!(percent(&PLAY_TABLE_SIMPLE, 6), 3.1);
    let rounded: Vec<f64> = (1..=5).map(|dice| percent(&presets::PLAY_TABLE, dice).round()).collect();
    assert_eq!(rounded, [67.0, 44.0, 28.0, 16.0, 8.0]);
}

#[test]
fn scoring_rolls_by_faces_are_as_many_as_counted_elsewhere() {
    let scoring = |rules: &Ruleset, dice: u8| {
        let chart = Chart::new(rules);
        Faces::all(dice).filter(|roll| !chart.is_farkle(*roll)).count()
    };
    for rules in [presets::IMMEDIATE_WIN, presets::PLAY_TABLE] {
        let counts: Vec<usize> = (1..=6).map(|dice| scoring(&rules, dice)).collect();
        assert_eq!(counts, [2, 11, 40, 107, 236, 456], "{}", rules.name);
    }
    assert_eq!(scoring(&Ruleset { three_pairs: 0, ..presets::PLAY_TABLE }, 6), 452);
    assert_eq!(scoring(&PLAY_TABLE_SIMPLE, 6), 452);
}

/// Ruling 1: over all 923 selections the two readings differ in two places only.
#[test]
fn the_readings_differ_at_two_selections() {
    let best = Chart::new(&presets::PLAY_TABLE);
    let per_face = Chart::new(&Ruleset { reading: farkle::Reading::PerFace, ..presets::PLAY_TABLE });
    let differ: Vec<_> = (1..=6)
        .flat_map(Faces::all)
        .filter(|dice| best.points(*dice) != per_face.points(*dice))
        .map(|dice| (dice.to_string(), per_face.points(dice), best.points(dice)))
        .collect();
    assert_eq!(differ, [("1111".to_owned(), Some(1_000), Some(1_100)), ("11115".to_owned(), Some(1_050), Some(1_150))]);
}

/// The worked examples that the documents give with their points.
#[test]
fn worked_examples_of_the_documents() {
    let doubling = Ruleset {
        kinds: farkle::Kinds::Doubling,
        four_of_a_kind: 0,
        five_of_a_kind: 0,
        six_of_a_kind: 0,
        ..presets::PLAY_TABLE
    };
    let adding = Ruleset { kinds: farkle::Kinds::Adding, ..doubling.clone() };
    let house = Ruleset { full_house: 250, ..presets::PLAY_TABLE };
    let examples: [(&Ruleset, &str, i32); 21] = [
        (&presets::IMMEDIATE_WIN, "115", 250),
        (&presets::IMMEDIATE_WIN, "33315", 450),
        (&presets::IMMEDIATE_WIN, "3331", 400),
        (&presets::IMMEDIATE_WIN, "222233", 1_500),
        (&presets::IMMEDIATE_WIN, "111155", 1_500),
        (&presets::IMMEDIATE_WIN, "1111", 1_000),
        (&presets::IMMEDIATE_WIN, "666555", 1_100),
        (&presets::IMMEDIATE_WIN, "123456", 2_500),
        (&presets::PLAY_TABLE, "1111", 1_100),
        (&presets::PLAY_TABLE, "666555", 2_500),
        (&presets::PLAY_TABLE, "222222", 3_000),
        (&presets::MY_TURN_YET, "15", 150),
        (&presets::MY_TURN_YET, "111", 300),
        (&doubling, "1111", 2_000),
        (&doubling, "11111", 4_000),
        (&doubling, "111111", 8_000),
        (&doubling, "2222", 400),
        (&adding, "2222", 400),
        (&house, "44433", 650),
        (&presets::PLAY_TABLE, "44455", 500),
        (&presets::PLAY_TABLE, "44411", 600),
    ];
    for (rules, dice, points) in examples {
        rules.validate().unwrap();
        assert_eq!(Chart::new(rules).points(dice.parse().unwrap()), Some(points), "{dice} under {}", rules.name);
    }
    assert_eq!(Chart::new(&presets::IMMEDIATE_WIN).points("153".parse().unwrap()), None);
    assert_eq!(Chart::new(&presets::PLAY_TABLE).points("44433".parse().unwrap()), None);
}
