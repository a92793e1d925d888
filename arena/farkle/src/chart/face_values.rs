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

impl FaceValues {
    pub(super) fn new(rules: &Ruleset, face: usize) -> FaceValues {
        let single = match face {
            0 => rules.single_one,
            4 => rules.single_five,
            _ => 0,
        };
        let triple = if face == 0 { rules.three_ones } else { 100 * (face as Points + 1) };
        let [four, five, six] = match rules.kinds {
            Kinds::Flat => [rules.four_of_a_kind, rules.five_of_a_kind, 0],
            Kinds::Doubling => [2 * triple, 4 * triple, 8 * triple],
            Kinds::Adding => [2 * triple, 3 * triple, 4 * triple],
            Kinds::None => [0; 3],
        };
        let six = if rules.six_of_a_kind > 0 { rules.six_of_a_kind } else { six };
        FaceValues { single, kinds: [0, 0, 0, triple, four, five, six, 0] }
    }

    /// What all of `n` dice (1 to 6) score, or [`NOTHING`], given what one fewer score.
    #[inline]
    pub(super) fn score(&self, reading: Reading, n: usize, one_fewer: Points) -> Points {
        // The mask leaves nothing to check.
        let kind = self.kinds[n & 7];
        // Where singles score, any number of dice does.
        let (kind, with_single) = match reading {
            // One group a face: the kind if there is one of that size, else singles.
            Reading::PerFace => (kind, if kind > 0 { NOTHING } else { n as Points * self.single }),
            // The best split is one kind, or two triples, or has a single in it.
            Reading::Best => (if n == 6 { kind.max(2 * self.kinds[3]) } else { kind }, one_fewer + self.single),
        };
        let with_single = if self.single > 0 { with_single } else { NOTHING };
        if kind > 0 { kind.max(with_single) } else { with_single }
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
