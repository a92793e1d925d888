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

/// The plain chart of the same table: single 1s and 5s and three of a kind, nothing else.
pub const PLAY_TABLE_SIMPLE: Ruleset = Ruleset {
    name: Cow::Borrowed("play-table-simple"),
    kinds: Kinds::None,
    four_of_a_kind: 0,
    five_of_a_kind: 0,
    six_of_a_kind: 0,
    straight: 0,
    three_pairs: 0,
    four_and_pair: 0,
    two_triplets: 0,
    ..PLAY_TABLE
};

/// Two seats, the first bank takes 500.
pub const DUEL: Ruleset = Ruleset { name: Cow::Borrowed("duel"), opening: 500, max_seats: 2, ..PLAY_TABLE };

/// The duel's chart alone for ten turns: the total is the result, and no target ends it sooner.
pub const SOLO_TEN: Ruleset = Ruleset {
    name: Cow::Borrowed("solo-ten"),
    ending: EndingRule::Turns,
    target: 0,
    turns: 10,
    min_seats: 1,
    max_seats: 1,
    ..DUEL
};

/// Three 1s are 300, the first bank takes 500.
pub const PATCH: Ruleset = Ruleset { name: Cow::Borrowed("patch"), three_ones: 300, opening: 500, ..PLAY_TABLE };

/// No four of a kind with a pair; three farkles in a row cost 1,000, down to zero.
pub const ELVERSON: Ruleset = Ruleset {
    name: Cow::Borrowed("elverson"),
    four_and_pair: 0,
    penalty: 1_000,
    penalty_after: 3,
    penalty_floor: true,
    ..PLAY_TABLE
};

/// Three 1s are 300; neither four of a kind with a pair nor two triplets.
pub const POCKET: Ruleset =
    Ruleset { name: Cow::Borrowed("pocket"), three_ones: 300, four_and_pair: 0, two_triplets: 0, ..PLAY_TABLE };

/// Five dice: kinds up to five, and nothing that takes six dice.
pub const FIVE_DICE: Ruleset = Ruleset {
    name: Cow::Borrowed("five-dice"),
    dice: 5,
    six_of_a_kind: 0,
    straight: 0,
    three_pairs: 0,
    four_and_pair: 0,
    two_triplets: 0,
    ..PLAY_TABLE
};

/// Three 1s are 300, the first bank takes 500, a final round after the first bank of 10,000.
pub const MY_TURN_YET: Ruleset =
    Ruleset { name: Cow::Borrowed("my-turn-yet"), three_ones: 300, opening: 500, ..PLAY_TABLE };

/// The same with its special combinations off: single 1s and 5s and three of a kind.
pub const MY_TURN_YET_PLAIN: Ruleset =
    Ruleset { name: Cow::Borrowed("my-turn-yet-plain"), three_ones: 300, opening: 500, ..PLAY_TABLE_SIMPLE };

/// Every preset, in the order in which they are listed to people.
pub const ALL: [&Ruleset; 11] = [
    &IMMEDIATE_WIN,
    &PLAY_TABLE,
    &PLAY_TABLE_SIMPLE,
    &DUEL,
    &SOLO_TEN,
    &PATCH,
    &ELVERSON,
    &POCKET,
    &FIVE_DICE,
    &MY_TURN_YET,
    &MY_TURN_YET_PLAIN,
];

/// The [`id`](Ruleset::id) of each preset, worked out by the compiler.
const IDS: [u64; ALL.len()] = {
    let mut ids = [0; ALL.len()];
    let mut place = 0;
    while place < ids.len() {
        ids[place] = ALL[place].id();
        place += 1;
    }
    ids
};

/// The preset with that [`id`](Ruleset::id), if it is one's.
///
/// ```
/// use farkle::presets;
/// assert_eq!(presets::by_id(presets::PLAY_TABLE.id()), Some(&presets::PLAY_TABLE));
/// assert_eq!(presets::by_id(0), None);
/// ```
pub fn by_id(id: u64) -> Option<&'static Ruleset> {
    IDS.iter().position(|known| *known == id).map(|place| ALL[place])
}

/// The preset of that name, or `None`: names are matched to the letter.
///
/// ```
/// assert_eq!(farkle::presets::by_name("play-table").unwrap().target, 10_000);
/// assert!(farkle::presets::by_name("Play-Table").is_none());
/// ```
pub fn by_name(name: &str) -> Option<&'static Ruleset> {
    ALL.into_iter().find(|preset| preset.name == name)
}
