//! Whether a match can be played by a ruleset.
//!
//! Owns the ranges of fields and what is impossible beside what. Refuses with the first field that is
//! wrong, its value and the reason.

use crate::ruleset::{EndingRule, Kinds, Points, Reading, Ruleset};

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
}
