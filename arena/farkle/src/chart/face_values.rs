//! What dice of one face are worth, and how they split.
//!
//! Owns kinds, singles and the two readings of dice of one face. Refuses to know other faces.

use crate::ruleset::{Kinds, Points, Reading, Ruleset};

/// Dice that do not all score. (Points are never negative.)
pub(super) const NOTHING: Points = -1;

/// How the dice of one face split: `singles`, and up to two groups of three or more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Split {
    pub(super) points: Points,
    pub(super) singles: u8,
    pub(super) kinds: [u8; 2],
}

/// What dice of one face are worth.
#[derive(Clone, Debug)]
pub(super) struct FaceValues {
    /// 0 where a single die of this face does not score.
    pub(super) single: Points,
    /// By size, from three; 0 where there is no such combination.
    pub(super) kinds: [Points; 8],
}

/// What of a ruleset decides what dice of one face are worth.
#[derive(Clone, Debug)]
pub(super) struct FaceRules {
    single_one: Points,
    single_five: Points,
    three_ones: Points,
    kinds: Kinds,
    /// Four, five and six of a kind, where they are flat.
    flat: [Points; 3],
    /// Six of a kind, whatever the others.
    six: Points,
}

impl FaceRules {
    /// Under which nothing scores but triples.
    pub(super) const BLANK: FaceRules =
        FaceRules { single_one: 0, single_five: 0, three_ones: 0, kinds: Kinds::None, flat: [0; 3], six: 0 };

    pub(super) const fn of(rules: &Ruleset) -> FaceRules {
        FaceRules {
            single_one: rules.single_one,
            single_five: rules.single_five,
            three_ones: rules.three_ones,
            kinds: rules.kinds,
            flat: [rules.four_of_a_kind, rules.five_of_a_kind, 0],
            six: rules.six_of_a_kind,
        }
    }

    /// What three of a face (0 for 1s) score.
    #[inline]
    pub(super) const fn triple(&self, face: usize) -> Points {
        if face == 0 { self.three_ones } else { 100 * (face as Points + 1) }
    }
}

impl FaceValues {
    #[inline]
    pub(super) const fn new(rules: &FaceRules, face: usize) -> FaceValues {
        let single = match face {
            0 => rules.single_one,
            4 => rules.single_five,
            _ => 0,
        };
        let triple = rules.triple(face);
        let [four, five, six] = match rules.kinds {
            Kinds::Flat => rules.flat,
            Kinds::Doubling => [2 * triple, 4 * triple, 8 * triple],
            Kinds::Adding => [2 * triple, 3 * triple, 4 * triple],
            Kinds::None => [0; 3],
        };
        let six = if rules.six > 0 { rules.six } else { six };
        FaceValues { single, kinds: [0, 0, 0, triple, four, five, six, 0] }
    }

    /// The best split of `n` dice: most points, then fewest groups.
    pub(super) fn best_split(&self, reading: Reading, n: u8) -> Option<Split> {
        match reading {
            Reading::PerFace if self.kinds[usize::from(n)] > 0 => self.split(n, [n, 0]),
            Reading::PerFace => self.split(n, [0, 0]),
            Reading::Best => self.search(n),
        }
    }

    /// The same, by trying every split.
    fn search(&self, n: u8) -> Option<Split> {
        let mut best = self.split(n, [0, 0]);
        let mut consider = |kinds: [u8; 2]| {
            let groups = |s: Split| s.singles + (s.kinds[0] > 0) as u8 + (s.kinds[1] > 0) as u8;
            if let Some(split) = self.split(n, kinds)
                && best
                    .is_none_or(|b| split.points > b.points || (split.points == b.points && groups(split) < groups(b)))
            {
                best = Some(split);
            }
        };
        for size in 3..=n {
            consider([size, 0]);
        }
        if n == 6 {
            consider([3, 3]);
        }
        best
    }

    /// `n` dice as these kinds, the others as singles, if all of that scores.
    fn split(&self, n: u8, kinds: [u8; 2]) -> Option<Split> {
        let singles = n - kinds[0] - kinds[1];
        let mut points = self.single * Points::from(singles);
        if singles > 0 && self.single == 0 {
            return None;
        }
        for size in kinds.into_iter().filter(|size| *size > 0) {
            if self.kinds[size as usize] == 0 {
                return None;
            }
            points += self.kinds[size as usize];
        }
        Some(Split { points, singles, kinds })
    }
}
