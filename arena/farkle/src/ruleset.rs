//! Rulesets: every rule that differs from table to table, as one flat list of fields.
//!
//! Owns the fields, their limits, and what makes a combination of them impossible. Refuses to
//! know any table by name (see [`presets`](crate::presets)) and to score (see
//! [`Chart`](crate::Chart)).

use std::borrow::Cow;

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

/// An impossible ruleset: the field to look at, its value, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ruleset field `{field}` is {value}: {reason}")]
pub struct RulesetError {
    /// The field's name.
    pub field: &'static str,
    /// The value it has.
    pub value: String,
    /// What is wrong, or what is allowed.
    pub reason: String,
}

impl Ruleset {
    /// How many fields there are beside the name.
    pub const FIELDS: usize = 30;

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

    /// A number by which an agent recognises rules: the same for the same rules, whatever they are
    /// called, in every version of the arena. No two rulesets are known that share one, but it
    /// proves nothing: a match's record carries the rules themselves.
    ///
    /// The 64-bit FNV-1a hash (Fowler, Noll and Vo, <http://www.isthe.com/chongo/tech/comp/fnv/>) of all fields but the
    /// name, in the order of the struct, each as four bytes, least significant first. A choice
    /// counts from 0 in the order in which it is listed; true is 1.
    ///
    /// ```
    /// use farkle::{Ruleset, presets};
    /// assert_eq!(presets::IMMEDIATE_WIN.id(), 0x7c64_d47e_a239_7a4e);
    /// let renamed = Ruleset { name: "house".into(), ..presets::IMMEDIATE_WIN };
    /// assert_eq!(renamed.id(), presets::IMMEDIATE_WIN.id());
    /// ```
    pub const fn id(&self) -> u64 {
        let fields = self.numbers();
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        let mut field = 0;
        while field < fields.len() {
            let bytes = fields[field].to_le_bytes();
            let mut byte = 0;
            while byte < 4 {
                hash = (hash ^ bytes[byte] as u64).wrapping_mul(0x100_0000_01b3);
                byte += 1;
            }
            field += 1;
        }
        hash
    }

    /// All fields but the name as numbers, in the order of the struct: a choice counts from 0 in the
    /// order in which it is listed; true is 1.
    pub const fn numbers(&self) -> [i32; Self::FIELDS] {
        let Ruleset {
            name: _,
            dice,
            reading,
            single_one,
            single_five,
            three_ones,
            kinds,
            four_of_a_kind,
            five_of_a_kind,
            six_of_a_kind,
            six_wins,
            straight,
            three_pairs,
            four_and_pair,
            two_triplets,
            five_run,
            full_house,
            no_score,
            toxic_twos,
            keep_all,
            must_roll_hot_dice,
            exact_landing,
            opening,
            penalty,
            penalty_after,
            penalty_floor,
            ending,
            target,
            turns,
            min_seats,
            max_seats,
        } = self;
        [
            *dice as i32,
            *reading as i32,
            *single_one,
            *single_five,
            *three_ones,
            *kinds as i32,
            *four_of_a_kind,
            *five_of_a_kind,
            *six_of_a_kind,
            *six_wins as i32,
            *straight,
            *three_pairs,
            *four_and_pair,
            *two_triplets,
            *five_run,
            *full_house,
            *no_score,
            *toxic_twos as i32,
            *keep_all as i32,
            *must_roll_hot_dice as i32,
            *exact_landing as i32,
            *opening,
            *penalty,
            *penalty_after as i32,
            *penalty_floor as i32,
            *ending as i32,
            *target,
            *turns as i32,
            *min_seats as i32,
            *max_seats as i32,
        ]
    }

    /// The ruleset of these [`numbers`](Ruleset::numbers), without a name; `None` where a choice has
    /// no such number, or a field cannot hold it.
    ///
    /// ```
    /// use farkle::{Ruleset, presets};
    /// let again = Ruleset::from_numbers(presets::POCKET.numbers()).unwrap();
    /// assert!(again.same_rules(&presets::POCKET));
    /// assert_eq!(Ruleset::from_numbers([-1; Ruleset::FIELDS]), None);
    /// ```
    pub fn from_numbers(numbers: [i32; Self::FIELDS]) -> Option<Ruleset> {
        let [
            dice,
            reading,
            single_one,
            single_five,
            three_ones,
            kinds,
            four_of_a_kind,
            five_of_a_kind,
            six_of_a_kind,
            six_wins,
            straight,
            three_pairs,
            four_and_pair,
            two_triplets,
            five_run,
            full_house,
            no_score,
            toxic_twos,
            keep_all,
            must_roll_hot_dice,
            exact_landing,
            opening,
            penalty,
            penalty_after,
            penalty_floor,
            ending,
            target,
            turns,
            min_seats,
            max_seats,
        ] = numbers;
        Some(Ruleset {
            name: "".into(),
            dice: u8::try_from(dice).ok()?,
            reading: [Reading::Best, Reading::PerFace].get(usize::try_from(reading).ok()?).copied()?,
            single_one,
            single_five,
            three_ones,
            kinds: [Kinds::Flat, Kinds::Doubling, Kinds::Adding, Kinds::None]
                .get(usize::try_from(kinds).ok()?)
                .copied()?,
            four_of_a_kind,
            five_of_a_kind,
            six_of_a_kind,
            six_wins: truth(six_wins)?,
            straight,
            three_pairs,
            four_and_pair,
            two_triplets,
            five_run,
            full_house,
            no_score,
            toxic_twos: truth(toxic_twos)?,
            keep_all: truth(keep_all)?,
            must_roll_hot_dice: truth(must_roll_hot_dice)?,
            exact_landing: truth(exact_landing)?,
            opening,
            penalty,
            penalty_after: u32::try_from(penalty_after).ok()?,
            penalty_floor: truth(penalty_floor)?,
            ending: [EndingRule::ImmediateWin, EndingRule::FinalRound, EndingRule::Turns]
                .get(usize::try_from(ending).ok()?)
                .copied()?,
            target,
            turns: u32::try_from(turns).ok()?,
            min_seats: u8::try_from(min_seats).ok()?,
            max_seats: u8::try_from(max_seats).ok()?,
        })
    }

    /// Checks that a match can be played by these rules.
    ///
    /// # Errors
    ///
    /// [`RulesetError`] for the first field whose value is out of its range or impossible beside
    /// the others.
    pub fn validate(&self) -> Result<(), RulesetError> {
        self.validate_ranges()?;
        self.validate_combinations()?;
        self.validate_ending()
    }

    fn validate_ranges(&self) -> Result<(), RulesetError> {
        if !(5..=6).contains(&self.dice) {
            return refuse("dice", self.dice, "a table has 5 or 6 dice");
        }
        for (field, points) in self.points_fields() {
            let most = if field == "target" || field == "opening" { Self::HIGHEST_TARGET } else { Self::MOST_POINTS };
            if !(0..=most).contains(&points) {
                return refuse(field, points, format!("allowed are 0 to {most}"));
            }
        }
        for (field, count) in [("turns", self.turns), ("penalty_after", self.penalty_after)] {
            if count > Self::MOST_TURNS {
                return refuse(field, count, format!("allowed are 0 to {}", Self::MOST_TURNS));
            }
        }
        if !(1..=Self::MOST_SEATS).contains(&self.max_seats) {
            return refuse("max_seats", self.max_seats, "allowed are 1 to 12");
        }
        if !(1..=self.max_seats).contains(&self.min_seats) {
            return refuse("min_seats", self.min_seats, format!("allowed are 1 to max_seats, {}", self.max_seats));
        }
        Ok(())
    }

    fn validate_combinations(&self) -> Result<(), RulesetError> {
        if self.dice == 5 {
            let six_dice = [
                ("six_of_a_kind", self.six_of_a_kind),
                ("straight", self.straight),
                ("three_pairs", self.three_pairs),
                ("four_and_pair", self.four_and_pair),
                ("two_triplets", self.two_triplets),
                ("no_score", self.no_score),
            ];
            refuse_all(&six_dice, "takes six dice, and `dice` is 5; allowed is 0")?;
            if self.six_wins {
                return refuse("six_wins", true, "takes six dice, and `dice` is 5; allowed is false");
            }
        }
        if self.kinds != Kinds::Flat {
            let flat = [("four_of_a_kind", self.four_of_a_kind), ("five_of_a_kind", self.five_of_a_kind)];
            refuse_all(&flat, "is read only with `kinds = \"flat\"`; allowed is 0")?;
        }
        if self.six_wins && self.six_of_a_kind == 0 && matches!(self.kinds, Kinds::Flat | Kinds::None) {
            return refuse("six_wins", true, "needs six of a kind to be a combination: set `six_of_a_kind`");
        }
        if self.reading == Reading::PerFace {
            let per_face = "`reading = \"per-face\"` scores each face as one group";
            if self.kinds == Kinds::None {
                return refuse("kinds", "\"none\"", format!("{per_face}, so it needs kinds of four and more"));
            }
            let mixed = [("five_run", self.five_run), ("full_house", self.full_house)];
            refuse_all(&mixed, &format!("{per_face}, and this one mixes faces; allowed is 0"))?;
            if self.kinds == Kinds::Flat {
                let six = if self.dice == 6 { self.six_of_a_kind } else { Self::MOST_POINTS };
                for (field, points) in [
                    ("four_of_a_kind", self.four_of_a_kind),
                    ("five_of_a_kind", self.five_of_a_kind),
                    ("six_of_a_kind", six),
                ] {
                    if points == 0 {
                        return refuse(field, 0, format!("{per_face}, so it must be worth something"));
                    }
                }
            } else if self.three_ones == 0 {
                return refuse("three_ones", 0, format!("{per_face}, so it must be worth something"));
            }
        }
        Ok(())
    }

    fn validate_ending(&self) -> Result<(), RulesetError> {
        match self.ending {
            EndingRule::Turns => {
                if self.turns == 0 {
                    return refuse("turns", 0, "`ending = \"turns\"` needs at least 1");
                }
                if self.target != 0 {
                    return refuse("target", self.target, "`ending = \"turns\"` has no target; allowed is 0");
                }
                if self.exact_landing {
                    return refuse("exact_landing", true, "`ending = \"turns\"` has no target to land on");
                }
            }
            EndingRule::ImmediateWin | EndingRule::FinalRound => {
                if self.target == 0 {
                    return refuse("target", 0, "this ending needs a target of at least 1");
                }
                if self.turns != 0 {
                    return refuse("turns", self.turns, "is read only with `ending = \"turns\"`; allowed is 0");
                }
                let unit = self.unit();
                if self.exact_landing && self.target % unit != 0 {
                    let reason = format!(
                        "`exact_landing` is true and every score is a multiple of {unit}, so this is never reached; \
                         allowed are multiples of {unit}"
                    );
                    return refuse("target", self.target, reason);
                }
                if self.opening > self.target {
                    return refuse("opening", self.opening, format!("it is above the target, {}", self.target));
                }
            }
        }
        if self.penalty > 0 && self.penalty_after == 0 {
            return refuse("penalty_after", 0, "a penalty needs the number of farkles in a row that cost it");
        }
        if self.penalty == 0 && self.penalty_after > 0 {
            return refuse("penalty_after", self.penalty_after, "there is no `penalty`; allowed is 0");
        }
        if self.penalty == 0 && self.penalty_floor {
            return refuse("penalty_floor", true, "there is no `penalty`; allowed is false");
        }
        Ok(())
    }

    /// The largest number that every score is a multiple of; at least 1.
    fn unit(&self) -> Points {
        let chart = crate::Chart::new(self);
        let points = (1..=self.dice).flat_map(crate::Faces::all).filter_map(|dice| chart.points(dice));
        let unit = points.chain([self.penalty]).fold(0, gcd);
        // A penalty that stops at zero can leave any score zero, which is a multiple too.
        unit.max(1)
    }

    /// Every field that holds points, by name.
    fn points_fields(&self) -> [(&'static str, Points); 16] {
        [
            ("single_one", self.single_one),
            ("single_five", self.single_five),
            ("three_ones", self.three_ones),
            ("four_of_a_kind", self.four_of_a_kind),
            ("five_of_a_kind", self.five_of_a_kind),
            ("six_of_a_kind", self.six_of_a_kind),
            ("straight", self.straight),
            ("three_pairs", self.three_pairs),
            ("four_and_pair", self.four_and_pair),
            ("two_triplets", self.two_triplets),
            ("five_run", self.five_run),
            ("full_house", self.full_house),
            ("no_score", self.no_score),
            ("opening", self.opening),
            ("penalty", self.penalty),
            ("target", self.target),
        ]
    }
}

/// Refuses the first of these that is not 0, and names the others beside it.
fn refuse_all(fields: &[(&'static str, Points)], reason: &str) -> Result<(), RulesetError> {
    let mut set = fields.iter().filter(|(_, points)| *points != 0);
    let Some((field, points)) = set.next() else { return Ok(()) };
    let others: Vec<String> = set.map(|(other, _)| format!("`{other}`")).collect();
    let so_too = if others.is_empty() { String::new() } else { format!(" (and so for {})", others.join(", ")) };
    refuse(field, points, format!("{reason}{so_too}"))
}

fn gcd(a: Points, b: Points) -> Points {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn refuse(field: &'static str, value: impl ToString, reason: impl Into<String>) -> Result<(), RulesetError> {
    Err(RulesetError { field, value: value.to_string(), reason: reason.into() })
}

/// 0 and 1 as a truth.
fn truth(number: i32) -> Option<bool> {
    match number {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presets;

    #[test]
    fn presets_are_possible() {
        for preset in presets::ALL {
            preset.validate().unwrap();
        }
    }

    #[test]
    fn impossible_rulesets_name_the_field() {
        let base = presets::PLAY_TABLE;
        let cases: &[(&str, Ruleset)] = &[
            ("dice", Ruleset { dice: 4, ..base.clone() }),
            ("single_one", Ruleset { single_one: -1, ..base.clone() }),
            ("straight", Ruleset { straight: 10_001, ..base.clone() }),
            ("opening", Ruleset { opening: 10_001, ..base.clone() }),
            ("six_of_a_kind", Ruleset { dice: 5, ..base.clone() }),
            ("four_of_a_kind", Ruleset { kinds: Kinds::Doubling, ..base.clone() }),
            (
                "kinds",
                Ruleset {
                    reading: Reading::PerFace,
                    kinds: Kinds::None,
                    four_of_a_kind: 0,
                    five_of_a_kind: 0,
                    ..base.clone()
                },
            ),
            ("five_run", Ruleset { reading: Reading::PerFace, five_run: 500, ..base.clone() }),
            ("full_house", Ruleset { reading: Reading::PerFace, full_house: 250, ..base.clone() }),
            ("turns", Ruleset { turns: 10, ..base.clone() }),
            ("turns", Ruleset { ending: EndingRule::Turns, target: 0, ..base.clone() }),
            ("target", Ruleset { ending: EndingRule::Turns, turns: 10, ..base.clone() }),
            ("target", Ruleset { target: 0, ..base.clone() }),
            ("penalty_after", Ruleset { penalty: 1_000, ..base.clone() }),
            ("penalty_after", Ruleset { penalty_after: 3, ..base.clone() }),
            ("penalty_floor", Ruleset { penalty_floor: true, ..base.clone() }),
            ("six_wins", Ruleset { six_wins: true, six_of_a_kind: 0, ..base.clone() }),
            ("target", Ruleset { exact_landing: true, target: 10_025, ..base.clone() }),
            ("target", Ruleset { exact_landing: true, single_five: 0, target: 10_050, ..base.clone() }),
            ("min_seats", Ruleset { min_seats: 0, ..base.clone() }),
            ("max_seats", Ruleset { max_seats: 13, ..base.clone() }),
        ];
        for (field, ruleset) in cases {
            assert_eq!(ruleset.validate().unwrap_err().field, *field, "{ruleset:?}");
        }
    }

    #[test]
    fn the_name_is_no_rule() {
        let renamed = Ruleset { name: "house".into(), ..presets::PLAY_TABLE };
        assert!(renamed.same_rules(&presets::PLAY_TABLE));
        assert!(!renamed.same_rules(&presets::MY_TURN_YET));
    }
}
