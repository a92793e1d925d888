//! Which keeps of a roll are legal, by the words of the rules and the slow scorer.
//!
//! Owns a list of all parts of a roll. Refuses the game's own lists and tables: it is what those are
//! compared with.

use farkle::Points;

use crate::slow_scorer::{Counts, SlowScorer};

/// Every part of a roll but the empty one, each once.
pub(crate) fn parts(roll: Counts) -> Vec<Counts> {
    let mut parts = vec![[0; 6]];
    for face in 0..6 {
        let with_face = |part: &Counts| {
            let part = *part;
            (0..=roll[face]).map(move |n| {
                let mut part = part;
                part[face] = n;
                part
            })
        };
        parts = parts.iter().flat_map(with_face).collect();
    }
    parts.retain(|part| size(*part) > 0);
    parts
}

pub(crate) fn size(dice: Counts) -> u8 {
    dice.iter().sum()
}

/// Every legal keep of a roll and its points, in one order: none for a farkle (rulings 3, 6, 18, 21).
pub(crate) fn legal_keeps(slow: &SlowScorer, roll: Counts) -> Vec<(Counts, Points)> {
    if slow.is_toxic(roll) {
        return Vec::new();
    }
    let score = |part: Counts| slow.score(part).map(|score| (part, score.points));
    let mut keeps: Vec<(Counts, Points)> = parts(roll).into_iter().filter_map(score).collect();
    if slow.rules.keep_all {
        let most = keeps.iter().map(|(keep, _)| size(*keep)).max();
        keeps.retain(|(keep, _)| Some(size(*keep)) == most);
    }
    keeps
}
