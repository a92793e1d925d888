//! Which keeps of a roll are legal.
//!
//! Owns the legality of a keep, the farkle test, and the table of all of it for one ruleset.
//! Refuses to know turns and scores: whether a bank is legal is decided in
//! [`MatchState`](crate::MatchState).

use crate::chart::{Chart, Listed, NotScoring};
use crate::faces::{FACES_COUNT, Faces};
use crate::match_state::{Decision, Next};
use crate::ruleset::{Points, Ruleset};

/// A legal keep: its dice and what they score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// The dice set aside.
    pub dice: Faces,
    /// What they score together.
    pub points: Points,
}

impl Keep {
    /// The decision to keep these dice and bank.
    ///
    /// ```
    /// use farkle::{Chart, Next, presets};
    /// let keep = Chart::new(&presets::PLAY_TABLE).best_keep("112346".parse()?).unwrap();
    /// assert_eq!(keep.bank().to_string(), "keep 1-1, bank");
    /// assert_eq!(keep.roll().next, Next::Roll);
    /// # Ok::<(), farkle::FacesError>(())
    /// ```
    #[inline]
    pub fn bank(self) -> Decision {
        Decision { keep: self.dice, next: Next::Bank }
    }

    /// The decision to keep these dice and roll on.
    #[inline]
    pub fn roll(self) -> Decision {
        Decision { keep: self.dice, next: Next::Roll }
    }
}

/// Why a keep is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalKeep {
    /// Nothing was kept; every roll takes a keep.
    #[error("no dice are kept: every roll takes a keep of at least one die")]
    Empty,
    /// Dice were named that the roll does not show.
    #[error("{} {} kept, and the roll is {}", Listed(*keep), if keep.len() == 1 { "is" } else { "are" }, Listed(*roll))]
    NotRolled {
        /// What was to be kept.
        keep: Faces,
        /// The dice on the table.
        roll: Faces,
    },
    /// Some of the dice score nothing.
    #[error("{} of roll {} cannot be kept: {why}", Listed(*keep), Listed(*roll))]
    NotScoring {
        /// What was to be kept.
        keep: Faces,
        /// The dice on the table.
        roll: Faces,
        /// Which dice are to blame.
        why: NotScoring,
    },
    /// This ruleset wants all scoring dice kept.
    #[error("{} of roll {} leaves scoring dice: under this ruleset {most} dice must be kept", Listed(*keep), Listed(*roll))]
    LeavesScorers {
        /// What was to be kept.
        keep: Faces,
        /// The dice on the table.
        roll: Faces,
        /// How many dice a legal keep of this roll takes.
        most: u8,
    },
}

impl Chart {
    /// Every legal keep of a roll, each once, in no particular order; none for a farkle.
    ///
    /// ```
    /// use farkle::{Chart, Faces, presets};
    /// let chart = Chart::new(&presets::PLAY_TABLE);
    /// let roll: Faces = "245556".parse()?;
    /// let mut keeps: Vec<_> = chart.legal_keeps(roll).map(|k| (k.dice.to_string(), k.points)).collect();
    /// keeps.sort();
    /// assert_eq!(keeps, [("5".into(), 50), ("55".into(), 100), ("555".into(), 500)]);
    /// # Ok::<(), farkle::FacesError>(())
    /// ```
    pub fn legal_keeps(&self, roll: Faces) -> impl Iterator<Item = Keep> {
        let counts = self.keepable_counts(roll);
        // The whole roll as a six-dice combination may keep dice that no face alone can.
        let whole = (roll.len() == 6).then_some(roll).filter(|_| !is_among(roll, counts));
        // Where as many dice must be kept as can score, the best keep has that many.
        let most = if self.keep_all { self.best_keep(roll) } else { None };
        let fewest = most.map_or(0, |keep| keep.dice.len());
        let dice = parts_among(counts).chain(whole).filter(move |dice| dice.len() >= fewest);
        dice.filter_map(|dice| self.points(dice).map(|points| Keep { dice, points }))
    }

    /// By face, as a set of bits: how many of its dice a keep of this roll may take. None of a
    /// roll that is a farkle whatever it shows.
    fn keepable_counts(&self, roll: Faces) -> [u8; 6] {
        let mixes = self.mixes_five() && roll.len() >= 5;
        let none = if self.is_toxic(roll) { 0 } else { 1 };
        let mut sets = [none; 6];
        for (face, count) in roll.counts().into_iter().enumerate() {
            for n in 1..=count {
                sets[face] |= u8::from(none == 1 && (mixes || self.splits_alone(face, n))) << n;
            }
        }
        sets
    }

    /// Whether a roll has no legal keep (ruling 6).
    pub fn is_farkle(&self, roll: Faces) -> bool {
        self.best_keep(roll).is_none()
    }
}

/// Whether the number of dice of every face is in that face's set.
fn is_among(dice: Faces, sets: [u8; 6]) -> bool {
    dice.counts().into_iter().zip(sets).all(|(n, set)| set >> n & 1 == 1)
}

/// Every selection whose number of dice of each face is in that face's set.
fn parts_among(sets: [u8; 6]) -> impl Iterator<Item = Faces> {
    // All sets are empty together; else they hold 0.
    let mut next = (sets[0] != 0).then_some(0u32);
    core::iter::from_fn(move || {
        let now = next?;
        let mut up = now;
        let mut face = 0;
        next = loop {
            if face == 6 {
                break None;
            }
            let n = up >> (4 * face) & 15;
            let higher = u32::from(sets[face]) >> (n + 1);
            if higher != 0 {
                break Some(up + ((1 + higher.trailing_zeros()) << (4 * face)));
            }
            up -= n << (4 * face);
            face += 1;
        };
        Some(Faces::from_packed(now))
    })
}

/// A ruleset with everything about its dice worked out: what each of the 923 selections scores,
/// and how many dice a legal keep of each roll takes. Made once, shared by all matches.
#[derive(Clone, Debug)]
pub struct ScoreTable {
    ruleset: Ruleset,
    chart: Chart,
    /// By [`Faces::index`]: the points of a selection, 0 where it is not legal.
    points: Box<[Points; FACES_COUNT]>,
    /// By [`Faces::index`] of a roll: the most dice a legal keep of it takes; 0 for a farkle.
    most_kept: Box<[u8; FACES_COUNT]>,
}

impl ScoreTable {
    /// The table of a ruleset that [validates](Ruleset::validate).
    pub fn new(ruleset: &Ruleset) -> ScoreTable {
        let chart = Chart::new(ruleset);
        let mut points = Box::new([0; FACES_COUNT]);
        let mut most_kept = Box::new([0; FACES_COUNT]);
        for index in 0..FACES_COUNT {
            let dice = Faces::from_index(index).expect("below the count");
            points[index] = chart.points(dice).unwrap_or(0);
            most_kept[index] = chart.legal_keeps(dice).map(|keep| keep.dice.len()).max().unwrap_or(0);
        }
        ScoreTable { ruleset: ruleset.clone(), chart, points, most_kept }
    }

    /// The ruleset.
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// Its chart.
    pub fn chart(&self) -> &Chart {
        &self.chart
    }

    /// Whether a roll has no legal keep.
    #[inline]
    pub fn is_farkle(&self, roll: Faces) -> bool {
        self.most_kept[roll.index()] == 0
    }

    /// The points of a keep, if it is legal (rulings 3, 6, 18 and 21).
    ///
    /// # Errors
    ///
    /// [`IllegalKeep`] says which dice and why.
    #[inline]
    pub fn check_keep(&self, roll: Faces, keep: Faces) -> Result<Points, IllegalKeep> {
        let points = self.points[keep.index()];
        let legal = points > 0
            && roll.contains(keep)
            && (!self.chart.keep_all || keep.len() == self.most_kept[roll.index()])
            && !self.chart.is_toxic(roll);
        if legal { Ok(points) } else { Err(self.why_illegal(roll, keep)) }
    }

    #[cold]
    fn why_illegal(&self, roll: Faces, keep: Faces) -> IllegalKeep {
        if keep.is_empty() {
            return IllegalKeep::Empty;
        }
        if !roll.contains(keep) {
            return IllegalKeep::NotRolled { keep, roll };
        }
        match self.chart.reading(keep) {
            _ if self.chart.is_toxic(roll) => IllegalKeep::NotScoring { keep, roll, why: NotScoring::ToxicTwos },
            Err(why) => IllegalKeep::NotScoring { keep, roll, why },
            Ok(_) => IllegalKeep::LeavesScorers { keep, roll, most: self.most_kept[roll.index()] },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presets;

    /// Against the definition: every part of the roll that scores.
    #[test]
    fn legal_keeps_are_all_scoring_parts() {
        let base = presets::PLAY_TABLE;
        let rulesets = [
            presets::IMMEDIATE_WIN,
            presets::PLAY_TABLE,
            Ruleset { five_run: 500, ..base.clone() },
            Ruleset { full_house: 250, ..base.clone() },
            Ruleset { no_score: 500, toxic_twos: true, ..base.clone() },
            Ruleset { single_one: 0, single_five: 0, ..base.clone() },
            Ruleset { keep_all: true, five_run: 500, no_score: 500, ..base },
        ];
        for rules in rulesets {
            let chart = Chart::new(&rules);
            for roll in (0..FACES_COUNT).filter_map(Faces::from_index) {
                let toxic = rules.toxic_twos && roll.count(2) >= 4;
                let mut expected: Vec<(Faces, Points)> = roll
                    .parts()
                    .filter(|_| !toxic)
                    .filter_map(|part| chart.points(part).map(|points| (part, points)))
                    .collect();
                if rules.keep_all {
                    let most = expected.iter().map(|(part, _)| part.len()).max().unwrap_or(0);
                    expected.retain(|(part, _)| part.len() == most);
                }
                let mut keeps: Vec<_> = chart.legal_keeps(roll).map(|keep| (keep.dice, keep.points)).collect();
                expected.sort_unstable();
                keeps.sort_unstable();
                assert_eq!(keeps, expected, "{roll} under {rules:?}");
            }
        }
    }
}
