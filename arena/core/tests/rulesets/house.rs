//! Tables that no preset is.

use farkle::presets::{FIVE_DICE, IMMEDIATE_WIN, PLAY_TABLE};
use farkle::{EndingRule, Kinds, Ruleset};

/// Every field takes another value than its preset's in at least one of them.
pub(crate) fn tables() -> Vec<Ruleset> {
    let doubling = Ruleset {
        name: "doubling".into(),
        kinds: Kinds::Doubling,
        four_of_a_kind: 0,
        five_of_a_kind: 0,
        six_of_a_kind: 0,
        toxic_twos: true,
        opening: 1_000,
        penalty: 500,
        penalty_after: 2,
        ..PLAY_TABLE
    };
    let tables = vec![
        Ruleset { name: "adding".into(), kinds: Kinds::Adding, six_of_a_kind: 10_000, ..doubling.clone() },
        doubling,
        Ruleset {
            name: "five, all kept".into(),
            five_run: 500,
            full_house: 250,
            keep_all: true,
            must_roll_hot_dice: true,
            single_one: 150,
            single_five: 0,
            ..FIVE_DICE
        },
        Ruleset { name: "no score".into(), no_score: 500, five_run: 500, six_wins: true, ..PLAY_TABLE },
        Ruleset { name: "exact".into(), exact_landing: true, three_pairs: 0, straight: 1, ..IMMEDIATE_WIN },
        Ruleset {
            name: "turns \"of\" \\ three".into(),
            ending: EndingRule::Turns,
            target: 0,
            turns: 3,
            min_seats: 1,
            max_seats: 4,
            three_ones: 0,
            two_triplets: 150,
            penalty: 1_000,
            penalty_after: 3,
            penalty_floor: true,
            ..PLAY_TABLE
        },
    ];
    for table in &tables {
        table.validate().unwrap();
    }
    tables
}
