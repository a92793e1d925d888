//! Rulesets: every rule that differs from table to table, as one flat list of fields.
//!
//! Owns the fields and their limits. Refuses to know any table by name (see
//! [`presets`](crate::presets)) and to score (see [`Chart`](crate::Chart)).

mod numbers;
mod validation;

use std::borrow::Cow;

pub use self::validation::RulesetError;

/// Points. Signed, because a penalty without a floor can take a score below zero.
pub type Points = i32;

/// A complete set of rules. Field names are those of the TOML and JSON forms; a points field of
/// 0 switches its combination off.
///
/// Triples of 2 to 6 are always worth face × 100.
///
/// ```
/// use farkle::{Ruleset, presets};
/// let house = Ruleset { opening: 500, ..presets::PLAY_TABLE };
/// house.validate()?;
/// let broken = Ruleset { dice: 5, ..presets::PLAY_TABLE };
/// assert_eq!(broken.validate().unwrap_err().field, "six_of_a_kind");
/// # Ok::<(), farkle::RulesetError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Ruleset {
    /// What the table is called; says nothing about the rules.
    pub name: Cow<'static, str>,
    /// Dice on the table: 5 or 6.
    pub dice: u8,
    /// How a selection splits into combinations.
    pub reading: Reading,
    /// Points for a single 1.
    pub single_one: Points,
    /// Points for a single 5.
    pub single_five: Points,
    /// Points for three 1s.
    pub three_ones: Points,
    /// What four, five and six of a kind are worth.
    pub kinds: Kinds,
    /// Points for four of a kind, with [`Kinds::Flat`].
    pub four_of_a_kind: Points,
    /// Points for five of a kind, with [`Kinds::Flat`].
    pub five_of_a_kind: Points,
    /// Points for six of a kind; may be set beside every choice of [`kinds`](Ruleset::kinds),
    /// and then replaces what that would pay.
    pub six_of_a_kind: Points,
    /// Whether keeping six of a kind wins the match at once.
    pub six_wins: bool,
    /// Points for 1-2-3-4-5-6.
    pub straight: Points,
    /// Points for three pairs of different faces.
    pub three_pairs: Points,
    /// Points for four of a kind with a pair of another face.
    pub four_and_pair: Points,
    /// Points for two triples of different faces.
    pub two_triplets: Points,
    /// Points for 1-2-3-4-5 or 2-3-4-5-6.
    pub five_run: Points,
    /// Points added to a triple kept together with a pair of another face.
    pub full_house: Points,
    /// Points for six dice of which nothing scores.
    pub no_score: Points,
    /// Whether a roll of four or more 2s counts as a farkle.
    pub toxic_twos: bool,
    /// Whether as many dice must be kept as can score.
    pub keep_all: bool,
    /// Whether hot dice must be rolled.
    pub must_roll_hot_dice: bool,
    /// Whether a bank may not pass the target.
    pub exact_landing: bool,
    /// The least a turn must be worth to be banked while the banked score is not above zero.
    pub opening: Points,
    /// Points that a row of farkles costs; 0 for no penalty.
    pub penalty: Points,
    /// How many farkles in a row cost the penalty.
    pub penalty_after: u32,
    /// Whether the penalty stops at a score of zero.
    pub penalty_floor: bool,
    /// What ends a match.
    pub ending: EndingRule,
    /// The banked score to reach; 0 with [`EndingRule::Turns`].
    pub target: Points,
    /// Turns each seat has, with [`EndingRule::Turns`]; else 0.
    pub turns: u32,
    /// The fewest seats, 1 to 12.
    pub min_seats: u8,
    /// The most seats, 1 to 12.
    pub max_seats: u8,
}

/// How a selection splits into combinations (ruling 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Reading {
    /// The most valuable split of all its dice.
    Best,
    /// Each face's dice as one group, or all six dice as one combination, whichever is more.
    PerFace,
}

/// What four, five and six of a kind are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Kinds {
    /// The values in `four_of_a_kind`, `five_of_a_kind` and `six_of_a_kind`, any face.
    Flat,
    /// The triple, doubled for each further die: four 2s are 400, five 800, six 1,600.
    Doubling,
    /// The triple, added again for each further die: four 2s are 400, five 600, six 800.
    Adding,
    /// There are none (but `six_of_a_kind` may still be set).
    None,
}

/// What ends a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum EndingRule {
    /// The first bank that reaches the target (ruling 11).
    ImmediateWin,
    /// One more turn for every other seat after the first bank that reaches it (ruling 12).
    FinalRound,
    /// A fixed number of turns for each seat, no target (ruling 13).
    Turns,
}

impl Ruleset {
    /// The most points that one combination may be worth, and the largest penalty.
    pub const MOST_POINTS: Points = 10_000;
    /// The highest target and opening. With the other limits and at most 10,000 turns, a total
    /// leaves 32 bits only if every turn of a match is worth 200,000 points.
    pub const HIGHEST_TARGET: Points = 10_000_000;
    /// The most turns a seat can be given, and the longest row of farkles that can be named.
    pub const MOST_TURNS: u32 = 10_000;
    /// The most seats at a table.
    pub const MOST_SEATS: u8 = 12;

    /// Whether both describe the same game, whatever they are called.
    pub fn same_rules(&self, other: &Ruleset) -> bool {
        // Field by field through `==`, with the names taken out of the comparison.
        let name = Cow::Borrowed("");
        let nameless = |r: &Ruleset| Ruleset { name: name.clone(), ..r.clone() };
        nameless(self) == nameless(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presets;

    #[test]
    fn the_name_is_no_rule() {
        let renamed = Ruleset { name: "house".into(), ..presets::PLAY_TABLE };
        assert!(renamed.same_rules(&presets::PLAY_TABLE));
        assert!(!renamed.same_rules(&presets::MY_TURN_YET));
    }
}
