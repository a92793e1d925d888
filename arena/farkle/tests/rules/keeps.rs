//! Legal keeps, best keeps and farkles against every subset of every roll.

use std::collections::HashMap;

use farkle::{Chart, Faces, IllegalKeep, Keep, Points, Ruleset, ScoreTable, presets};

use crate::drawn_rulesets::{Draw, presets_and_variants};
use crate::slow_scorer::{Counts, SlowScorer, all_selections, count, faces, ordered_rolls, rolls_by_faces};

/// Points of every legal selection, by the slow scorer.
fn legal_selections(slow: &SlowScorer) -> HashMap<Counts, Points> {
    all_selections().into_iter().filter_map(|s| slow.score(s).map(|score| (s, score.points))).collect()
}

/// The legal keeps of a roll, from all its subsets by position (rulings 3, 6, 18 and 21).
fn legal_by_masks(slow: &SlowScorer, points: &HashMap<Counts, Points>, roll: &[u8]) -> HashMap<Counts, Points> {
    let mut legal = HashMap::new();
    if slow.is_toxic(count(roll.iter().copied())) {
        return legal;
    }
    for kept in subsets(roll) {
        let kept = count(kept);
        if let Some(points) = points.get(&kept) {
            legal.insert(kept, *points);
        }
    }
    if slow.rules.keep_all {
        let most = legal.keys().map(|kept| kept.iter().sum::<u8>()).max();
        legal.retain(|kept, _| Some(kept.iter().sum()) == most);
    }
    legal
}

fn compare_roll(chart: &Chart, table: &ScoreTable, legal: &HashMap<Counts, Points>, roll: Counts) {
    let rolled = faces(roll);
    let context = || format!("{rolled} under {:?}", table.ruleset());
    let mut listed = 0;
    for keep in chart.legal_keeps(rolled) {
        assert_eq!(legal.get(&keep.dice.counts()), Some(&keep.points), "{keep:?} of {}", context());
        assert!(keep.points > 0, "a legal keep never scores 0: {}", context());
        listed += 1;
    }
    assert_eq!(listed, legal.len(), "each legal keep once: {}", context());

    assert_eq!(chart.is_farkle(rolled), legal.is_empty(), "{}", context());
    assert_eq!(table.is_farkle(rolled), legal.is_empty(), "{}", context());
    // Most points, then fewest dice; of equal ones either will do.
    let best = legal.iter().map(|(kept, points)| (*points, std::cmp::Reverse(kept.iter().sum::<u8>()))).max();
    match (chart.best_keep(rolled), best) {
        (None, None) => {}
        (Some(Keep { dice, points }), Some((most, fewest))) => {
            assert_eq!((points, dice.len()), (most, fewest.0), "{}", context());
            assert_eq!(legal.get(&dice.counts()), Some(&points), "{}", context());
        }
        (found, expected) => panic!("{found:?}, not {expected:?}: {}", context()),
    }
}

/// Every keep that somebody could name for a roll, one die too many of each face included.
fn compare_checks(slow: &SlowScorer, table: &ScoreTable, legal: &HashMap<Counts, Points>, roll: Counts) {
    for keep in all_selections().into_iter().chain([[0; 6]]) {
        let context = || format!("keep {keep:?} of {roll:?} under {:?}", slow.rules);
        match (table.check_keep(faces(roll), faces(keep)), legal.get(&keep)) {
            (Ok(points), Some(expected)) => assert_eq!(points, *expected, "{}", context()),
            (Err(why), None) => match why {
                IllegalKeep::Empty => assert_eq!(keep, [0; 6], "{}", context()),
                IllegalKeep::NotRolled { .. } => {
                    assert!(keep.iter().zip(roll).any(|(kept, rolled)| *kept > rolled), "{}", context());
                }
                IllegalKeep::NotScoring { .. } => {
                    assert!(slow.score(keep).is_none() || slow.is_toxic(roll), "{}", context());
                }
                IllegalKeep::LeavesScorers { most, .. } => {
                    let takes = legal.keys().next().map(|kept| kept.iter().sum::<u8>());
                    assert!(slow.score(keep).is_some() && slow.rules.keep_all, "{}", context());
                    assert_eq!(Some(most), takes, "{}", context());
                }
                other => panic!("{other:?}: {}", context()),
            },
            (found, expected) => panic!("{found:?}, not {expected:?}: {}", context()),
        }
    }
}

fn dice_of(counts: Counts) -> Vec<u8> {
    faces(counts).dice().collect()
}

/// The literal comparison for every preset: all 63 subsets of all 46,656 rolls in the order in which
/// they lie. For other rulesets each pair of multisets is compared once, in the tests below; that
/// nothing else can differ between orders is what `the_order_of_dice_never_matters` proves.
#[test]
fn keeps_of_all_ordered_rolls_are_those_of_the_rules() {
    let strict = Ruleset { keep_all: true, toxic_twos: true, ..presets::PLAY_TABLE };
    for rules in presets::ALL.into_iter().chain([&strict]) {
        let (table, slow) = (ScoreTable::new(rules), SlowScorer::new(rules));
        let points = legal_selections(&slow);
        for roll in ordered_rolls(rules.dice) {
            let legal = legal_by_masks(&slow, &points, &roll);
            let rolled = Faces::from_dice(&roll).unwrap();
            for kept in subsets(&roll) {
                let checked = table.check_keep(rolled, Faces::from_dice(&kept).unwrap()).ok();
                let expected = legal.get(&count(kept.iter().copied())).copied();
                assert_eq!(checked, expected, "{kept:?} of {roll:?} under {rules:?}");
            }
        }
    }
}

fn subsets(roll: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (1..1u32 << roll.len()).map(|mask| (0..roll.len()).filter(|i| mask >> i & 1 == 1).map(|i| roll[i]).collect())
}

#[test]
fn the_order_of_dice_never_matters() {
    for roll in (1..=6).flat_map(ordered_rolls) {
        let by_faces = faces(count(roll.iter().copied()));
        let text: String = roll.iter().map(u8::to_string).collect();
        assert_eq!(Faces::from_dice(&roll), Ok(by_faces));
        assert_eq!(text.parse(), Ok(by_faces));
        let mut sorted = roll.clone();
        sorted.sort_unstable();
        assert!(by_faces.dice().eq(sorted));
        // Every subset by position is a part, and every part is such a subset.
        let mut by_position: Vec<Faces> = subsets(&roll).map(|kept| Faces::from_dice(&kept).unwrap()).collect();
        let mut parts: Vec<Faces> = by_faces.parts().filter(|part| !part.is_empty()).collect();
        by_position.sort_unstable();
        by_position.dedup();
        parts.sort_unstable();
        assert_eq!(by_position, parts, "{roll:?}");
    }
}

fn compare_all_rolls_by_faces(rules: &Ruleset, every_named_keep: bool) {
    let (chart, table, slow) = (Chart::new(rules), ScoreTable::new(rules), SlowScorer::new(rules));
    let points = legal_selections(&slow);
    for dice in 1..=rules.dice {
        for roll in rolls_by_faces(dice) {
            let legal = legal_by_masks(&slow, &points, &dice_of(roll));
            compare_roll(&chart, &table, &legal, roll);
            if every_named_keep {
                compare_checks(&slow, &table, &legal, roll);
            }
        }
    }
}

#[test]
fn keeps_of_one_to_six_dice_are_those_of_the_rules() {
    for rules in presets_and_variants() {
        compare_all_rolls_by_faces(&rules, true);
    }
}

#[test]
fn keeps_under_drawn_rulesets_are_those_of_the_rules() {
    let mut draw = Draw::new(3);
    for number in 0..250 {
        compare_all_rolls_by_faces(&draw.ruleset(), number % 10 == 0);
    }
}
