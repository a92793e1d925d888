//! What is left to play of what was planned, and in which order.
//!
//! Owns blocks and the order of play: by seed, so that a run that is stopped leaves all agents
//! about equally many matches. Refuses to plan: blocks come from elsewhere, and their numbers stay.

use super::Encounter;

/// Consecutive pairs of one table: what is planned and never changed.
///
/// The matches of a block follow those of the block before it; within it pair by pair, within a pair
/// the rotations of the seats, rotation `r` with the agents shifted left by `r`.
///
/// A block of no pairs is a *bye*: its one agent is through, or has its point, without playing. It
/// holds no matches, but it has to be kept like any other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Indices of entries, in the seat order of the first rotation.
    pub agents: Vec<usize>,
    /// The index of the first pair: its match seed and those of the pairs after it derive from it.
    pub first_pair: u64,
    /// How many pairs.
    pub pairs: u64,
}

impl Block {
    /// How many matches it holds.
    #[must_use]
    pub fn matches(&self) -> u64 {
        self.pairs.saturating_mul(self.agents.len() as u64)
    }

    /// The index of the pair after its last.
    pub(crate) fn end(&self) -> u64 {
        self.first_pair.saturating_add(self.pairs)
    }

    /// Whether it is a bye: one agent and no matches.
    #[must_use]
    pub fn is_bye(&self) -> bool {
        self.pairs == 0
    }
}

/// A block with its place in the schedule, and how far it is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The block.
    pub block: Block,
    /// The number of its first match.
    pub first_match: u64,
    /// How many of its seeds are played, from the first on.
    pub played: u64,
}

/// Everything planned that is not played yet, seed by seed, and on one seed in the order of the
/// blocks.
///
/// ```
/// use arena_core::schedule::{Block, Planned, Queue};
/// let block = |agents: [usize; 2]| Block { agents: agents.into(), first_pair: 0, pairs: 2 };
/// let first = Planned { block: block([0, 1]), first_match: 1, played: 1 };
/// let second = Planned { block: block([0, 2]), first_match: 5, played: 0 };
/// let queue = Queue::new(vec![first, second]);
/// let order: Vec<_> = (0..3).map(|i| queue.encounter(i).unwrap()).map(|e| (e.pair, e.first_match)).collect();
/// assert_eq!(order, [(0, 5), (1, 3), (1, 7)]);
/// assert_eq!((queue.encounters(), queue.matches()), (3, 6));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Queue {
    blocks: Vec<Planned>,
    segments: Vec<Segment>,
    encounters: u64,
    matches: u64,
}

/// Consecutive seeds on which the same blocks are to be played.
#[derive(Clone, Debug)]
struct Segment {
    /// Encounters before this segment.
    before: u64,
    first_pair: u64,
    /// By index, in schedule order.
    blocks: Vec<usize>,
}

/// The index of the block that a match belongs to, of blocks in schedule order.
///
/// # Panics
///
/// When the number lies before all blocks.
pub fn block_of(blocks: &[Planned], number: u64) -> usize {
    // Of blocks that begin with the same number all but the last one are byes, and have no match.
    blocks.partition_point(|planned| planned.first_match <= number) - 1
}

impl Planned {
    /// The number of the first match after it.
    pub fn end(&self) -> u64 {
        self.first_match + self.block.matches()
    }

    /// The encounter that a match belongs to, if it is one of this block.
    pub fn encounter_of(&self, number: u64) -> Option<Encounter> {
        let offset = number.checked_sub(self.first_match)? / self.block.agents.len() as u64;
        (offset < self.block.pairs).then(|| self.encounter(self.block.first_pair + offset))
    }

    fn encounter(&self, pair: u64) -> Encounter {
        let first_match = self.first_match + (pair - self.block.first_pair) * self.block.agents.len() as u64;
        Encounter { pair, agents: self.block.agents.clone(), first_match }
    }

    /// The seeds left, by index.
    fn left(&self) -> std::ops::Range<u64> {
        self.block.first_pair + self.played..self.block.first_pair + self.block.pairs
    }
}

impl Queue {
    /// What is left of these blocks, given in schedule order.
    pub fn new(blocks: Vec<Planned>) -> Queue {
        // Where blocks begin and end, along the seeds.
        let mut bounds: Vec<(u64, usize, bool)> = Vec::new();
        for (index, planned) in blocks.iter().enumerate() {
            let left = planned.left();
            if !left.is_empty() {
                bounds.extend([(left.start, index, true), (left.end, index, false)]);
            }
        }
        bounds.sort_unstable();
        let mut queue = Queue { blocks, ..Queue::default() };
        let mut active = std::collections::BTreeSet::new();
        let mut bounds = bounds.into_iter().peekable();
        while let Some((pair, index, begins)) = bounds.next() {
            if begins {
                active.insert(index)
            } else {
                active.remove(&index)
            };
            let Some((next, ..)) = bounds.peek().copied() else { break };
            if next > pair && !active.is_empty() {
                let (before, blocks) = (queue.encounters, active.iter().copied().collect::<Vec<_>>());
                queue.encounters += (next - pair) * blocks.len() as u64;
                let seats: usize = blocks.iter().map(|block| queue.blocks[*block].block.agents.len()).sum();
                queue.matches += (next - pair) * seats as u64;
                queue.segments.push(Segment { before, first_pair: pair, blocks });
            }
        }
        queue
    }

    /// How many encounters are left.
    pub fn encounters(&self) -> u64 {
        self.encounters
    }

    /// How many matches are left.
    pub fn matches(&self) -> u64 {
        self.matches
    }

    /// Everybody who has a match left, ascending.
    pub fn agents(&self) -> Vec<usize> {
        let left = self.blocks.iter().filter(|planned| !planned.left().is_empty());
        let agents: std::collections::BTreeSet<usize> = left.flat_map(|planned| planned.block.agents.clone()).collect();
        agents.into_iter().collect()
    }

    /// The encounter at a place in the order of play, from 0.
    pub fn encounter(&self, index: u64) -> Option<Encounter> {
        if index >= self.encounters {
            return None;
        }
        let segment = &self.segments[self.segments.partition_point(|segment| segment.before <= index) - 1];
        let (offset, blocks) = (index - segment.before, segment.blocks.len() as u64);
        let planned = &self.blocks[segment.blocks[(offset % blocks) as usize]];
        Some(planned.encounter(segment.first_pair + offset / blocks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the plain list: every match that is left, sorted by seed, then by block.
    #[test]
    fn the_order_is_by_seed_then_by_block_whatever_was_played() {
        let mut random = 1u64;
        let mut draw = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % below
        };
        for _ in 0..200 {
            let mut blocks = Vec::new();
            let mut first_match = 1;
            for _ in 0..draw(6) {
                let agents: Vec<usize> = (0..1 + draw(4) as usize).collect();
                // Sometimes a bye.
                let pairs = draw(7);
                let agents = if pairs == 0 { vec![0] } else { agents };
                let block = Block { agents, first_pair: draw(5), pairs };
                let matches = block.pairs * block.agents.len() as u64;
                blocks.push(Planned { played: draw(block.pairs + 1), block, first_match });
                first_match += matches;
            }
            let mut expected = Vec::new();
            for (index, planned) in blocks.iter().enumerate() {
                for offset in planned.played..planned.block.pairs {
                    let first_match = planned.first_match + offset * planned.block.agents.len() as u64;
                    expected.push((planned.block.first_pair + offset, index, first_match));
                }
            }
            expected.sort_unstable();
            let queue = Queue::new(blocks.clone());
            assert_eq!(queue.encounters(), expected.len() as u64);
            for (place, (pair, index, first_match)) in expected.iter().enumerate() {
                let encounter = queue.encounter(place as u64).unwrap();
                assert_eq!((encounter.pair, encounter.first_match), (*pair, *first_match));
                assert_eq!(encounter.agents, blocks[*index].block.agents);
                assert_eq!(blocks[*index].encounter_of(*first_match), Some(encounter));
                assert_eq!(block_of(&blocks, *first_match), *index);
            }
            assert_eq!(queue.encounter(expected.len() as u64), None);
        }
    }

    #[test]
    fn matches_belong_to_their_block_alone() {
        let block = Block { agents: vec![3, 4], first_pair: 7, pairs: 2 };
        let planned = Planned { block, first_match: 11, played: 0 };
        assert_eq!(planned.end(), 15);
        assert_eq!(planned.encounter_of(10), None);
        assert_eq!(planned.encounter_of(12).map(|e| (e.pair, e.first_match)), Some((7, 11)));
        assert_eq!(planned.encounter_of(14).map(|e| (e.pair, e.first_match)), Some((8, 13)));
        assert_eq!(planned.encounter_of(15), None);
    }
}
