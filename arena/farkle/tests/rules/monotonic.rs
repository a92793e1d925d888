//! A combination added to a chart never makes a farkle of a roll that scored.

use farkle::{Kinds, Points, Ruleset, ScoreTable};

use crate::drawn_rulesets::{Draw, presets_and_variants};
use crate::slow_scorer::{faces, rolls_by_faces};

/// Every combination that the chart lacks and that the ruleset allows, each added alone.
/// Toxic twos and the keeping of all scorers are no combinations and stay as they are.
fn with_one_more(rules: &Ruleset) -> Vec<Ruleset> {
    type Field = fn(&mut Ruleset) -> &mut Points;
    let fields: [(Field, Points); 13] = [
        (|r| &mut r.single_one, 100),
        (|r| &mut r.single_five, 50),
        (|r| &mut r.three_ones, 300),
        (|r| &mut r.four_of_a_kind, 1_000),
        (|r| &mut r.five_of_a_kind, 2_000),
        (|r| &mut r.six_of_a_kind, 3_000),
        (|r| &mut r.straight, 1_500),
        (|r| &mut r.three_pairs, 1_500),
        (|r| &mut r.four_and_pair, 1_500),
        (|r| &mut r.two_triplets, 2_500),
        (|r| &mut r.five_run, 500),
        (|r| &mut r.full_house, 250),
        (|r| &mut r.no_score, 500),
    ];
    let mut more: Vec<Ruleset> = fields
        .into_iter()
        .filter_map(|(field, points)| {
            let mut richer = rules.clone();
            (*field(&mut richer) == 0).then(|| *field(&mut richer) = points)?;
            Some(richer)
        })
        .collect();
    if rules.kinds == Kinds::None {
        more.push(Ruleset { kinds: Kinds::Doubling, ..rules.clone() });
        more.push(Ruleset { kinds: Kinds::Adding, ..rules.clone() });
    }
    more.retain(|richer| richer.validate().is_ok());
    more
}

fn compare(rules: &Ruleset) -> usize {
    let table = ScoreTable::new(rules);
    let richer = with_one_more(rules);
    for more in &richer {
        let more_table = ScoreTable::new(more);
        for roll in (1..=rules.dice).flat_map(rolls_by_faces).map(faces) {
            assert!(
                table.is_farkle(roll) || !more_table.is_farkle(roll),
                "{roll} scores under {rules:?}, and is a farkle under {more:?}"
            );
        }
    }
    richer.len()
}

#[test]
fn a_further_combination_never_makes_a_farkle() {
    let mut draw = Draw::new(4);
    let drawn: Vec<Ruleset> = (0..100).map(|_| draw.ruleset()).collect();
    let compared: usize = presets_and_variants().iter().chain(&drawn).map(compare).sum();
    assert!(compared > 200, "{compared}");
}
