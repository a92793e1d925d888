//! Which keeps of a roll are legal, by the words of the rules and the slow scorer.
//!
//! Owns a list of all parts of a roll. Refuses the game's own lists and tables: it is what those are
//! compared with.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use farkle::{Points, Ruleset};

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

/// The slow scorer of a ruleset, with everything that it was asked before.
pub(crate) struct SlowKeeps {
    slow: SlowScorer,
    scores: Mutex<BTreeMap<Counts, Option<Points>>>,
    keeps: Mutex<BTreeMap<Counts, Keeps>>,
}

/// Keeps and their points.
pub(crate) type Keeps = Arc<[(Counts, Points)]>;

impl SlowKeeps {
    pub(crate) fn new(rules: &Ruleset) -> SlowKeeps {
        SlowKeeps { slow: SlowScorer::new(rules), scores: Mutex::default(), keeps: Mutex::default() }
    }

    pub(crate) fn rules(&self) -> &Ruleset {
        &self.slow.rules
    }

    pub(crate) fn slow(&self) -> &SlowScorer {
        &self.slow
    }

    /// What a selection scores.
    pub(crate) fn points(&self, selection: Counts) -> Option<Points> {
        let mut scores = self.scores.lock().unwrap();
        *scores.entry(selection).or_insert_with(|| self.slow.score(selection).map(|score| score.points))
    }

    /// Every legal keep of a roll and its points, in one order: none for a farkle (rulings 3, 6, 18, 21).
    pub(crate) fn of(&self, roll: Counts) -> Keeps {
        self.keeps.lock().unwrap().entry(roll).or_insert_with(|| self.listed(roll).into()).clone()
    }

    fn listed(&self, roll: Counts) -> Vec<(Counts, Points)> {
        if self.slow.is_toxic(roll) {
            return Vec::new();
        }
        let scored = |part: Counts| self.points(part).map(|points| (part, points));
        let mut keeps: Vec<(Counts, Points)> = parts(roll).into_iter().filter_map(scored).collect();
        if self.slow.rules.keep_all {
            let most = keeps.iter().map(|(keep, _)| size(*keep)).max();
            keeps.retain(|(keep, _)| Some(size(*keep)) == most);
        }
        keeps
    }
}
