//! A ruleset as numbers: what crosses the border to an agent, and what it is recognised by.
//!
//! Owns the order of the fields. Refuses names: two rulesets of the same numbers are the same rules.

use crate::ruleset::{EndingRule, Kinds, Reading, Ruleset};

impl Ruleset {
    /// How many fields there are beside the name.
    pub const FIELDS: usize = 30;

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
        [
            self.dice as i32,
            self.reading as i32,
            self.single_one,
            self.single_five,
            self.three_ones,
            self.kinds as i32,
            self.four_of_a_kind,
            self.five_of_a_kind,
            self.six_of_a_kind,
            self.six_wins as i32,
            self.straight,
            self.three_pairs,
            self.four_and_pair,
            self.two_triplets,
            self.five_run,
            self.full_house,
            self.no_score,
            self.toxic_twos as i32,
            self.keep_all as i32,
            self.must_roll_hot_dice as i32,
            self.exact_landing as i32,
            self.opening,
            self.penalty,
            self.penalty_after as i32,
            self.penalty_floor as i32,
            self.ending as i32,
            self.target,
            self.turns as i32,
            self.min_seats as i32,
            self.max_seats as i32,
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
    fn numbers_make_the_same_rules_again() {
        for preset in presets::ALL {
            for reading in [Reading::Best, Reading::PerFace] {
                for kinds in [Kinds::Flat, Kinds::Doubling, Kinds::Adding, Kinds::None] {
                    for ending in [EndingRule::ImmediateWin, EndingRule::FinalRound, EndingRule::Turns] {
                        let rules = Ruleset { reading, kinds, ending, ..preset.clone() };
                        assert!(Ruleset::from_numbers(rules.numbers()).unwrap().same_rules(&rules), "{rules:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn no_field_holds_what_it_cannot() {
        let numbers = presets::POCKET.numbers();
        let with = |place: usize, number: i32| {
            let mut changed = numbers;
            changed[place] = number;
            Ruleset::from_numbers(changed)
        };
        for (place, number) in [(0, 256), (1, 2), (5, 4), (9, 2), (23, -1), (25, 3), (29, -1)] {
            assert_eq!(with(place, number), None, "{number} at {place}");
        }
    }
}
