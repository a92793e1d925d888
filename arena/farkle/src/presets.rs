//! The built-in rulesets, by name.
//!
//! Owns the values of the tables that people already play. Refuses unknown names: a typo never
//! becomes a default.

use std::borrow::Cow;

use crate::ruleset::{EndingRule, Kinds, Reading, Ruleset};

/// Two seats, flat kinds read per face, the first bank of 10,000 wins on the spot.
pub const IMMEDIATE_WIN: Ruleset = Ruleset {
    name: Cow::Borrowed("immediate-win"),
    reading: Reading::PerFace,
    straight: 2_500,
    two_triplets: 0,
    ending: EndingRule::ImmediateWin,
    max_seats: 2,
    ..PLAY_TABLE
};

/// Two to twelve seats, best reading, a final round after the first bank of 10,000.
pub const PLAY_TABLE: Ruleset = Ruleset {
    name: Cow::Borrowed("play-table"),
    dice: 6,
    reading: Reading::Best,
    single_one: 100,
    single_five: 50,
    three_ones: 1_000,
    kinds: Kinds::Flat,
    four_of_a_kind: 1_000,
    five_of_a_kind: 2_000,
    six_of_a_kind: 3_000,
    six_wins: false,
    straight: 1_500,
    three_pairs: 1_500,
    four_and_pair: 1_500,
    two_triplets: 2_500,
    five_run: 0,
    full_house: 0,
    no_score: 0,
    toxic_twos: false,
    keep_all: false,
    must_roll_hot_dice: false,
    exact_landing: false,
    opening: 0,
    penalty: 0,
    penalty_after: 0,
    penalty_floor: false,
    ending: EndingRule::FinalRound,
    target: 10_000,
    turns: 0,
    min_seats: 2,
    max_seats: 12,
};

/// Three 1s are 300, the first bank takes 500, a final round after the first bank of 10,000.
pub const MY_TURN_YET: Ruleset =
    Ruleset { name: Cow::Borrowed("my-turn-yet"), three_ones: 300, opening: 500, ..PLAY_TABLE };

/// Every preset, in the order in which they are listed to people.
pub const ALL: [&Ruleset; 3] = [&IMMEDIATE_WIN, &PLAY_TABLE, &MY_TURN_YET];

/// The preset of that name, or `None`: names are matched to the letter.
///
/// ```
/// assert_eq!(farkle::presets::by_name("play-table").unwrap().target, 10_000);
/// assert!(farkle::presets::by_name("Play-Table").is_none());
/// ```
pub fn by_name(name: &str) -> Option<&'static Ruleset> {
    ALL.into_iter().find(|preset| preset.name == name)
}
