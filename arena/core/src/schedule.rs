//! Which matches a tournament consists of, and in which order.
//!
//! Owns the order: a pure function of the number of agents and pairs. Refuses to play, and to
//! know seeds beyond the index of a pair.

/// A round robin of two-seat matches: every pairing of agents plays every pair, that is both
/// seat orders on one seed. All pairings meet the same seeds.
///
/// Order: by pair, then by pairing (first agent, then second), then by seat order; so whatever
/// part of it has been played, all pairings have played alike.
///
/// ```
/// use arena_core::schedule::RoundRobin;
/// let schedule = RoundRobin::new(3, 2);
/// assert_eq!(schedule.matches(), 12);
/// let first: Vec<_> = (0..3).map(|n| schedule.encounter(n).unwrap().agents).collect();
/// assert_eq!(first, [[0, 1], [0, 2], [1, 2]]);
/// assert_eq!(schedule.encounter(5).unwrap().pair, 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundRobin {
    pairings: Vec<[usize; 2]>,
    pairs: u64,
}

/// One pairing on one seed: the unit of work and of statistics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// The pair's index, from 0: its seed derives from it.
    pub pair: u64,
    /// The two agents, the one that sits first in the first match first.
    pub agents: [usize; 2],
    /// The number of its first match, from 1; the second has the next number.
    pub first_match: u64,
}

impl RoundRobin {
    /// All pairings of `agents` agents, on `pairs` seeds each.
    pub fn new(agents: usize, pairs: u64) -> RoundRobin {
        let pairings = (0..agents).flat_map(|a| (a + 1..agents).map(move |b| [a, b])).collect();
        RoundRobin { pairings, pairs }
    }

    /// How many seeds each pairing plays.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// How many encounters there are.
    pub fn encounters(&self) -> u64 {
        self.pairs * self.pairings.len() as u64
    }

    /// How many matches there are.
    pub fn matches(&self) -> u64 {
        2 * self.encounters()
    }

    /// The encounter at a place in the schedule, from 0.
    pub fn encounter(&self, index: u64) -> Option<Encounter> {
        if index >= self.encounters() {
            return None;
        }
        let pairings = self.pairings.len() as u64;
        Some(Encounter {
            pair: index / pairings,
            agents: self.pairings[(index % pairings) as usize],
            first_match: 2 * index + 1,
        })
    }
}

impl Encounter {
    /// Its matches: number, and agents in seat order.
    pub fn matches(&self) -> [(u64, [usize; 2]); 2] {
        let [a, b] = self.agents;
        [(self.first_match, [a, b]), (self.first_match + 1, [b, a])]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn everybody_meets_everybody_in_both_seat_orders_on_every_seed() {
        let schedule = RoundRobin::new(5, 7);
        let mut met: BTreeMap<(u64, [usize; 2]), u32> = BTreeMap::new();
        let mut numbers = Vec::new();
        for index in 0..schedule.encounters() {
            let encounter = schedule.encounter(index).unwrap();
            for (number, seats) in encounter.matches() {
                numbers.push(number);
                *met.entry((encounter.pair, seats)).or_default() += 1;
            }
        }
        // 5 agents, ordered pairs 5 * 4, on 7 seeds.
        assert_eq!(met.len(), 140);
        assert!(met.values().all(|n| *n == 1));
        assert_eq!(numbers, (1..=140).collect::<Vec<_>>());
        assert_eq!(schedule.encounter(70), None);
    }

    #[test]
    fn one_agent_has_nobody_to_play() {
        assert_eq!(RoundRobin::new(1, 10).matches(), 0);
    }
}
