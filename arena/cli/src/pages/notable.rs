//! Which matches are worth seeing.
//!
//! Owns the choice. Refuses chance: the same matches are chosen of the same file, however often.

use std::collections::BTreeMap;

use arena_core::FaultKind;
use farkle::Points;

use crate::store::StoredMatch;

/// The matches that are chosen so far.
pub(super) struct Notable {
    /// All are, if there are no more of them than this.
    most: usize,
    all: Option<Vec<StoredMatch>>,
    asked: Vec<StoredMatch>,
    /// By what is special about one: the kind, in the order in which they are chosen, and the agent.
    best: BTreeMap<(Special, usize), (i64, StoredMatch)>,
}

/// What can be special about a match to an agent. Earlier kinds are chosen first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Special {
    Fault(FaultKind),
    ClosestWin,
    HeaviestDefeat,
    ClearestWin,
    HighestTotal,
    LowestTotal,
}

impl Special {
    fn told(self, agent: &str) -> String {
        match self {
            Special::Fault(kind) => format!("first {} of {agent}", kind.name()),
            Special::ClosestWin => format!("closest win of {agent}"),
            Special::HeaviestDefeat => format!("heaviest defeat of {agent}"),
            Special::ClearestWin => format!("clearest win of {agent}"),
            Special::HighestTotal => format!("highest total of {agent}"),
            Special::LowestTotal => format!("lowest total of {agent}"),
        }
    }
}

impl Notable {
    /// None yet, and never more than so many beside those that are asked for.
    pub(super) fn new(most: usize) -> Notable {
        Notable { most, all: Some(Vec::new()), asked: Vec::new(), best: BTreeMap::new() }
    }

    /// Looks at a match; `asked` keeps it in any case.
    pub(super) fn see(&mut self, stored: &StoredMatch, asked: bool) {
        if asked {
            self.asked.push(stored.clone());
        }
        if let Some(all) = &mut self.all {
            all.push(stored.clone());
            if all.len() > self.most {
                self.all = None;
            }
        }
        let outcome = &stored.outcome;
        for (seat, kind) in &outcome.faults {
            self.offer(Special::Fault(*kind), outcome.agents[usize::from(*seat)], 0, stored);
        }
        if !outcome.faults.is_empty() {
            return;
        }
        for (seat, agent) in outcome.agents.iter().enumerate() {
            let own = i64::from(outcome.scores[seat]);
            let others = outcome.scores.iter().enumerate().filter(|(other, _)| *other != seat);
            let Some(rival) = others.map(|(_, score)| *score).max().map(|score: Points| i64::from(score)) else {
                self.offer(Special::HighestTotal, *agent, -own, stored);
                self.offer(Special::LowestTotal, *agent, own, stored);
                continue;
            };
            match outcome.ranks[seat] {
                1 if own > rival => {
                    self.offer(Special::ClosestWin, *agent, own - rival, stored);
                    self.offer(Special::ClearestWin, *agent, rival - own, stored);
                }
                1 => {}
                _ => self.offer(Special::HeaviestDefeat, *agent, own - rival, stored),
            }
        }
    }

    /// Takes a match if it is more special than the one before: of a lower measure. Of equal ones the first stays.
    fn offer(&mut self, special: Special, agent: usize, measure: i64, stored: &StoredMatch) {
        match self.best.get(&(special, agent)) {
            Some((best, _)) if *best <= measure => {}
            _ => _ = self.best.insert((special, agent), (measure, stored.clone())),
        }
    }

    /// The matches, by number, each with what is special about it; `label` names agents.
    pub(super) fn chosen(self, label: impl Fn(usize) -> String) -> Vec<(StoredMatch, Vec<String>)> {
        let mut chosen: BTreeMap<u64, (StoredMatch, Vec<String>)> = BTreeMap::new();
        let asked = self.asked.into_iter().chain(self.all.clone().unwrap_or_default());
        chosen.extend(asked.map(|stored| (stored.number, (stored, Vec::new()))));
        let beside = chosen.len();
        for ((special, agent), (_, stored)) in self.best {
            let room = self.all.is_some() || chosen.len() < beside + self.most;
            if let Some((_, why)) = chosen.get_mut(&stored.number) {
                why.push(special.told(&label(agent)));
            } else if room {
                chosen.insert(stored.number, (stored, vec![special.told(&label(agent))]));
            }
        }
        chosen.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use arena_core::standings::Outcome;
    use farkle::Ending;

    use super::*;

    fn stored(number: u64, agents: [usize; 2], scores: [Points; 2], fault: Option<FaultKind>) -> StoredMatch {
        let ranks = if scores[0] >= scores[1] { vec![1, 2] } else { vec![2, 1] };
        let faults = fault.map(|kind| (1, kind)).into_iter().collect();
        let ending = Ending::ImmediateWin;
        let outcome =
            Outcome { agents: agents.into(), ranks, scores: scores.into(), faults, ending, turns: Vec::new() };
        StoredMatch { number, block: 0, engine: 1, outcome, hash: [0; 32] }
    }

    fn chosen(most: usize, asked: u64) -> Vec<(u64, Vec<String>)> {
        let mut notable = Notable::new(most);
        for stored in [
            stored(1, [0, 1], [10_000, 9_000], None),
            stored(2, [1, 0], [2_000, 10_050], None),
            stored(3, [0, 1], [10_000, 9_000], None),
            stored(4, [0, 1], [0, 0], Some(FaultKind::Trap)),
            stored(5, [0, 1], [10_000, 0], Some(FaultKind::Trap)),
            stored(6, [0, 1], [10_000, 6_000], None),
        ] {
            notable.see(&stored, stored.number == asked);
        }
        let chosen = notable.chosen(|agent| ["a", "b"][agent].to_owned());
        chosen.into_iter().map(|(stored, why)| (stored.number, why)).collect()
    }

    #[test]
    fn the_first_of_the_most_special_are_chosen() {
        let why = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let close = (1, why(&["closest win of a"]));
        let far = (2, why(&["heaviest defeat of b", "clearest win of a"]));
        let fault = (4, why(&["first trap of b"]));
        assert_eq!(chosen(3, 0), [close.clone(), far.clone(), fault.clone()]);
        assert_eq!(chosen(1, 0), vec![fault.clone()], "faults come first");
        assert_eq!(chosen(0, 0), []);
        // One that is asked for is there beside them.
        assert_eq!(chosen(2, 6), [close.clone(), fault.clone(), (6, Vec::new())]);
        let all = chosen(6, 0);
        assert_eq!(all.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
        assert_eq!((&all[1], &all[2].1), (&far, &Vec::new()));
    }
}
