//! Cases c01 to c08, c13, c14, c37 to c39: what selections score.

use farkle::presets::{
    DUEL, ELVERSON, FIVE_DICE, IMMEDIATE_WIN, MY_TURN_YET, MY_TURN_YET_PLAIN, PATCH, PLAY_TABLE, PLAY_TABLE_SIMPLE,
    POCKET,
};
use farkle::{Chart, Combination, Kinds, Ruleset, ScoreTable};

use crate::played::{dice, keeps, points};
use crate::slow_scorer::{count, faces, ordered_rolls};

fn doubling() -> Ruleset {
    Ruleset { kinds: Kinds::Doubling, four_of_a_kind: 0, five_of_a_kind: 0, six_of_a_kind: 0, ..PLAY_TABLE }
}

fn best(rules: &Ruleset, roll: &str) -> (String, i32) {
    let keep = Chart::new(rules).best_keep(dice(roll)).unwrap();
    (keep.dice.to_string(), keep.points)
}

#[test]
fn c01_a_quad_and_a_pair_score_1500_where_the_chart_has_them() {
    for rules in [IMMEDIATE_WIN, PLAY_TABLE, DUEL, PATCH, MY_TURN_YET] {
        assert_eq!(points(&rules, "333344"), Some(1_500), "{}", rules.name);
    }
    for rules in [PLAY_TABLE_SIMPLE, MY_TURN_YET_PLAIN] {
        assert_eq!(points(&rules, "333344"), None, "{}", rules.name);
        assert_eq!(keeps(&rules, "333344"), [("333".to_owned(), 300)]);
    }
}

#[test]
fn c02_whether_a_quad_and_a_pair_count_is_a_rule_of_the_table() {
    assert_eq!(points(&PATCH, "444422"), Some(1_500));
    for rules in [ELVERSON, POCKET] {
        assert_eq!(points(&rules, "444422"), None, "{}", rules.name);
        assert_eq!(best(&rules, "444422"), ("4444".to_owned(), 1_000));
    }
}

#[test]
fn c03_four_aces_by_table() {
    assert_eq!(points(&IMMEDIATE_WIN, "1111"), Some(1_000));
    assert_eq!(points(&PLAY_TABLE, "1111"), Some(1_100));
    assert_eq!(points(&MY_TURN_YET, "1111"), Some(1_000));
    assert_eq!(points(&Ruleset { three_ones: 1_000, ..MY_TURN_YET }, "1111"), Some(1_100));
    assert_eq!(points(&doubling(), "1111"), Some(2_000));
}

#[test]
fn c04_a_sextet_is_never_two_triplets_or_three_pairs() {
    for rules in [PLAY_TABLE, MY_TURN_YET] {
        assert_eq!(points(&rules, "222222"), Some(3_000), "{}", rules.name);
    }
    // With a sextet worth less than both, the same face still makes neither.
    let cheap = Ruleset { six_of_a_kind: 450, four_of_a_kind: 0, five_of_a_kind: 0, ..PATCH };
    assert_eq!(points(&cheap, "222222"), Some(450));
    assert_eq!(points(&PLAY_TABLE_SIMPLE, "222222"), Some(400));
    assert_eq!(points(&PLAY_TABLE_SIMPLE, "111111"), Some(2_000));
    assert_eq!(points(&Ruleset { three_ones: 300, ..PLAY_TABLE_SIMPLE }, "111111"), Some(600));
}

#[test]
fn c05_the_best_keep_of_a_quad_and_a_pair_takes_all_six() {
    assert_eq!(best(&IMMEDIATE_WIN, "222233"), ("222233".to_owned(), 1_500));
}

#[test]
fn c06_a_triple_leaves_the_lower_single_alone() {
    for rules in [IMMEDIATE_WIN, PLAY_TABLE, DUEL, PATCH, ELVERSON, POCKET, MY_TURN_YET, PLAY_TABLE_SIMPLE] {
        assert_eq!(points(&rules, "1222"), Some(300), "{}", rules.name);
        assert_eq!(points(&rules, "2225"), Some(250), "{}", rules.name);
    }
}

#[test]
fn c07_switched_off_combinations_never_save_a_roll() {
    for rules in [PLAY_TABLE_SIMPLE, MY_TURN_YET_PLAIN] {
        assert!(ScoreTable::new(&rules).is_farkle(dice("223344")), "{}", rules.name);
        assert!(keeps(&rules, "223344").is_empty());
    }
    for rules in [IMMEDIATE_WIN, PLAY_TABLE, MY_TURN_YET] {
        assert!(!ScoreTable::new(&rules).is_farkle(dice("223344")), "{}", rules.name);
        assert_eq!(keeps(&rules, "223344"), [("223344".to_owned(), 1_500)]);
    }
}

#[test]
fn c08_farkles_among_all_rolls() {
    let farkles = |rules: &Ruleset, dice: u8| {
        let table = ScoreTable::new(rules);
        ordered_rolls(dice).filter(|roll| table.is_farkle(faces(count(roll.iter().copied())))).count()
    };
    assert_eq!(farkles(&PLAY_TABLE, 6), 1_080);
    assert_eq!(46_656 - farkles(&PLAY_TABLE, 6), 45_576);
    assert_eq!(farkles(&PLAY_TABLE_SIMPLE, 6), 1_440);
    assert_eq!(46_656 - farkles(&PLAY_TABLE_SIMPLE, 6), 45_216);
    for rules in [PLAY_TABLE, PLAY_TABLE_SIMPLE, FIVE_DICE] {
        let counts: Vec<_> = (1..=5).rev().map(|dice| farkles(&rules, dice)).collect();
        assert_eq!(counts, [600, 204, 60, 16, 4], "{}", rules.name);
    }
}

#[test]
fn c13_parts_of_a_straight_score_only_their_singles() {
    for (rules, straight) in [(IMMEDIATE_WIN, 2_500), (PLAY_TABLE, 1_500), (MY_TURN_YET, 1_500)] {
        let expected = [("1", 100), ("123456", straight), ("15", 150), ("5", 50)];
        assert_eq!(keeps(&rules, "123456"), expected.map(|(dice, points)| (dice.to_owned(), points)));
        assert_eq!(points(&rules, "12346"), None);
    }
}

#[test]
fn c14_scorers_may_be_left_unless_the_table_wants_them_all() {
    for rules in [IMMEDIATE_WIN, PLAY_TABLE, DUEL, PATCH, MY_TURN_YET, PLAY_TABLE_SIMPLE] {
        let expected = [("5", 50), ("55", 100), ("555", 500)];
        assert_eq!(keeps(&rules, "245556"), expected.map(|(dice, points)| (dice.to_owned(), points)));
        let all = Ruleset { keep_all: true, ..rules };
        assert_eq!(keeps(&all, "245556"), [("555".to_owned(), 500)]);
    }
}

/// The comparison over all 923 multisets and 63 masks is in `keeps`.
#[test]
fn c37_a_quad_or_a_quint_may_take_a_single_along() {
    let of = |roll: &str, keep: &str| keeps(&PLAY_TABLE, roll).into_iter().find(|k| k.0 == keep).map(|k| k.1);
    assert_eq!(of("222213", "12222"), Some(1_100));
    assert_eq!(of("333331", "133333"), Some(2_100));
    let reading = Chart::new(&PLAY_TABLE).reading(dice("333331")).unwrap();
    let combinations: Vec<_> = reading.iter().map(|group| (group.combination, group.points)).collect();
    assert_eq!(combinations, [(Combination::Single, 100), (Combination::FiveOfAKind, 2_000)]);
}

/// What is printed from it is proved where it is printed.
#[test]
fn c38_the_preset_has_the_defaults_of_its_page() {
    assert_eq!((MY_TURN_YET.three_ones, MY_TURN_YET.opening, MY_TURN_YET.target), (300, 500, 10_000));
    assert_eq!(points(&MY_TURN_YET, "111"), Some(300));
}

/// What is printed of it is proved where it is printed.
#[test]
fn c39_a_run_of_five_scores_only_where_the_table_has_it() {
    assert_eq!(points(&FIVE_DICE, "12345"), None);
    assert_eq!(best(&FIVE_DICE, "12345"), ("15".to_owned(), 150));
    let with_run = Ruleset { five_run: 500, ..FIVE_DICE };
    assert_eq!(points(&with_run, "12345"), Some(500));
    assert_eq!(points(&with_run, "23456"), Some(500));
    let reading = Chart::new(&with_run).reading(dice("12345")).unwrap();
    assert_eq!(reading.iter().map(|group| group.combination).collect::<Vec<_>>(), [Combination::FiveRun]);
}
