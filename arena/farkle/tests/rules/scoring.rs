//! The chart against the slow scorer: points and readings of all 923 selections.

use farkle::{Chart, Combination, Faces, NotScoring, Ruleset, presets};

use crate::drawn_rulesets::{Draw, presets_and_variants};
use crate::slow_scorer::{Piece, SlowScorer, all_selections, faces};

fn compare_all_selections(rules: &Ruleset) {
    let chart = Chart::new(rules);
    let slow = SlowScorer::new(rules);
    for selection in all_selections() {
        let dice = faces(selection);
        let context = || format!("{dice} under {rules:?}");
        let expected = slow.score(selection);
        assert_eq!(chart.points(dice), expected.as_ref().map(|score| score.points), "{}", context());
        let reading = chart.reading(dice);
        let Some(expected) = expected else {
            check_refusal(&slow, dice, reading.expect_err("not legal"));
            continue;
        };
        let groups = reading.expect("legal");
        let combinations: Vec<_> = groups.iter().map(|group| group.combination).collect();
        assert_eq!(combinations, expected.combinations, "{}", context());
        assert_eq!(groups.iter().map(|group| group.points).sum::<i32>(), expected.points, "{}", context());
        let mut dice_of_groups = Faces::NONE;
        for group in groups {
            dice_of_groups = dice_of_groups.with(group.dice).expect("no more dice than selected");
            let piece = Piece { combination: group.combination, dice: group.dice.counts(), points: group.points };
            assert!(slow.has_piece(piece), "{group:?} is no combination: {}", context());
        }
        assert_eq!(dice_of_groups, dice, "{}", context());
    }
    assert_eq!(chart.points(Faces::NONE), None);
    assert_eq!(chart.reading(Faces::NONE), Err(NotScoring::Empty));
}

/// A refused selection names the true cause; dead dice are as few as possible.
fn check_refusal(slow: &SlowScorer, dice: Faces, why: NotScoring) {
    let context = || format!("{dice} under {:?}", slow.rules);
    match why {
        NotScoring::TooManyDice { selected, dice: table } => {
            assert_eq!((selected, table), (dice.len(), slow.rules.dice), "{}", context());
            assert!(selected > table, "{}", context());
        }
        NotScoring::ToxicTwos => assert!(slow.is_toxic(dice.counts()), "{}", context()),
        NotScoring::DeadDice { dead } => {
            let alive = dice.without(dead).expect("dead dice are among those selected");
            assert!(alive.is_empty() || slow.score(alive.counts()).is_some(), "{}", context());
            for part in dice.parts().filter(|part| part.len() > alive.len()) {
                assert_eq!(slow.score(part.counts()), None, "{part} scores more dice of {}", context());
            }
        }
        other => panic!("{other:?} for {}", context()),
    }
}

#[test]
fn all_selections_of_presets_and_variants_score_as_the_rules_say() {
    for rules in presets_and_variants() {
        compare_all_selections(&rules);
    }
}

#[test]
fn all_selections_of_drawn_rulesets_score_as_the_rules_say() {
    let mut draw = Draw::new(2);
    for _ in 0..300 {
        compare_all_selections(&draw.ruleset());
    }
}

/// Values chosen so that readings are worth the same: then the fewest combinations are read, then
/// those that come first in the order of combinations.
#[test]
fn equal_readings_are_told_apart_as_the_rules_say() {
    let base = Ruleset { six_of_a_kind: 0, ..presets::PLAY_TABLE };
    let five_and_one = Ruleset { four_of_a_kind: 0, five_of_a_kind: 1_900, ..base.clone() };
    let house_or_fives = Ruleset { full_house: 100, two_triplets: 0, ..base.clone() };
    let run_or_singles = Ruleset { five_run: 150, single_one: 1_350, straight: 1_500, ..base.clone() };
    let straight_or_run = Ruleset { five_run: 1_400, straight: 1_500, ..base.clone() };
    let quad_or_triple = Ruleset { four_of_a_kind: 1_100, ..base };
    let cases: [(&Ruleset, &str, &[Combination]); 6] = [
        (&five_and_one, "111111", &[Combination::Single, Combination::FiveOfAKind]),
        (&house_or_fives, "33355", &[Combination::FullHouse]),
        (&house_or_fives, "333555", &[Combination::Triple, Combination::Triple]),
        (&run_or_singles, "123456", &[Combination::Straight]),
        (&straight_or_run, "123456", &[Combination::Straight]),
        (&quad_or_triple, "1111", &[Combination::FourOfAKind]),
    ];
    for (rules, dice, expected) in cases {
        rules.validate().unwrap();
        compare_all_selections(rules);
        let reading = Chart::new(rules).reading(dice.parse().unwrap()).unwrap();
        let combinations: Vec<_> = reading.iter().map(|group| group.combination).collect();
        assert_eq!(combinations, expected, "{dice} under {rules:?}");
    }
}
