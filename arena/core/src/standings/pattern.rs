//! How the matches of a pair ended, packed.
//!
//! Owns the packing, which makes equal pairs count together and a million of them fit in memory.
//! Refuses agents past 65,535 and seats past 255: nobody schedules those.

use crate::ratings::Finish;

/// Agents and ranks in seat order, one match after another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pattern {
    seats: u8,
    agents: Box<[u16]>,
    ranks: Box<[u8]>,
}

impl Pattern {
    pub(super) fn new<'a>(finishes: impl Iterator<Item = (&'a [usize], &'a [u32])> + Clone) -> Pattern {
        let seats = finishes.clone().next().map_or(0, |(agents, _)| agents.len() as u8);
        let agents = finishes.clone().flat_map(|(agents, _)| agents.iter().map(|agent| *agent as u16)).collect();
        let ranks = finishes.flat_map(|(_, ranks)| ranks.iter().map(|rank| *rank as u8)).collect();
        Pattern { seats, agents, ranks }
    }

    /// Agents and ranks of each match, in seat order.
    pub(super) fn matches(&self) -> impl Iterator<Item = (&[u16], &[u8])> {
        let seats = usize::from(self.seats).max(1);
        self.agents.chunks(seats).zip(self.ranks.chunks(seats))
    }

    pub(super) fn finishes(&self) -> Vec<Finish> {
        self.matches()
            .map(|(agents, ranks)| Finish {
                agents: agents.iter().map(|agent| usize::from(*agent)).collect(),
                ranks: ranks.iter().map(|rank| u32::from(*rank)).collect(),
            })
            .collect()
    }
}
