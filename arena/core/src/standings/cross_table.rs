//! Who did how well against whom.
//!
//! Owns the counts of every agent against every other. Refuses to rate: a cell knows nothing of how
//! strong the two are against the rest, nor how sure one can be.

use serde::Serialize;

use super::pattern::Pattern;

/// How one agent did against another.
///
/// At a table of two a match is won, drawn or lost. At a larger one every two agents that sit at it are
/// compared by rank: a *win* is to outrank the other, a *draw* to share its rank. Agents that play
/// alone are compared on each seed, as if all had sat at one table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HeadToHead {
    /// Times the agent outranked the other.
    pub wins: u64,
    /// Times both had the same rank.
    pub draws: u64,
    /// Times the other outranked it.
    pub losses: u64,
}

impl HeadToHead {
    /// How often the two met.
    #[must_use]
    pub fn meetings(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of meetings won, draws one half: 0 to 1; `None` when the two never met.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        let meetings = self.meetings();
        (meetings > 0).then(|| (self.wins as f64 + 0.5 * self.draws as f64) / meetings as f64)
    }
}

/// Every agent against every other, by index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CrossTable {
    agents: usize,
    /// Row after row, those of an agent against itself empty.
    cells: Vec<HeadToHead>,
}

impl CrossTable {
    /// The table of pairs, each pattern of which was seen a number of times; every `of` meetings are
    /// entered as one.
    pub(super) fn new<'a>(agents: usize, patterns: impl Iterator<Item = (&'a Pattern, u64)>, of: u64) -> CrossTable {
        let mut cells = vec![HeadToHead::default(); agents * agents];
        for (pattern, times) in patterns {
            for (seated, ranks) in pattern.matches() {
                for (own, own_rank) in seated.iter().zip(ranks) {
                    // An agent in two seats does not meet itself.
                    for (other, other_rank) in seated.iter().zip(ranks).filter(|(other, _)| *other != own) {
                        let cell = &mut cells[usize::from(*own) * agents + usize::from(*other)];
                        *match own_rank.cmp(other_rank) {
                            std::cmp::Ordering::Less => &mut cell.wins,
                            std::cmp::Ordering::Equal => &mut cell.draws,
                            std::cmp::Ordering::Greater => &mut cell.losses,
                        } += times;
                    }
                }
            }
        }
        for cell in &mut cells {
            let HeadToHead { wins, draws, losses } = *cell;
            *cell = HeadToHead { wins: wins / of, draws: draws / of, losses: losses / of };
        }
        CrossTable { agents, cells }
    }

    /// How many agents there are.
    #[must_use]
    pub fn agents(&self) -> usize {
        self.agents
    }

    /// How `agent` did against `other`; nothing but zeros when they never met; `None` for an agent
    /// against itself and for unknown ones.
    #[must_use]
    pub fn get(&self, agent: usize, other: usize) -> Option<HeadToHead> {
        let known = agent < self.agents && other < self.agents && agent != other;
        known.then(|| self.cells[agent * self.agents + other])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_four_with_a_shared_rank() {
        // Ranks 1, 1, 3, 4 for agents 2, 0, 3, 1, seen five times.
        let finish: (&[usize], &[u32]) = (&[2, 0, 3, 1], &[1, 1, 3, 4]);
        let pattern = Pattern::new([finish].into_iter());
        let table = CrossTable::new(5, [(&pattern, 5)].into_iter(), 1);
        let cell = |wins, draws, losses| Some(HeadToHead { wins, draws, losses });
        assert_eq!(table.get(2, 0), cell(0, 5, 0));
        assert_eq!(table.get(2, 3), cell(5, 0, 0));
        assert_eq!(table.get(1, 3), cell(0, 0, 5));
        assert_eq!(table.get(0, 4), cell(0, 0, 0));
        assert_eq!((table.get(1, 1), table.get(0, 5), table.get(5, 0)), (None, None, None));
        assert_eq!(table.get(2, 0).unwrap().score(), Some(0.5));
        assert_eq!(table.get(0, 4).unwrap().score(), None);
    }

    #[test]
    fn an_agent_in_two_seats_does_not_meet_itself() {
        let finish: (&[usize], &[u32]) = (&[0, 0, 1], &[1, 3, 2]);
        let pattern = Pattern::new([finish].into_iter());
        let table = CrossTable::new(2, [(&pattern, 1)].into_iter(), 1);
        assert_eq!(table.get(0, 1), Some(HeadToHead { wins: 1, draws: 0, losses: 1 }));
        assert_eq!(table.get(0, 0), None);
    }
}
