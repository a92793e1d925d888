//! Fixed random numbers: the same for a size on every machine.
//!
//! Owns how residues and tables are drawn. Refuses to know what for.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// Draws numbers and tables.
pub(super) struct Draw {
    random: ChaCha8Rng,
    residues: usize,
}

impl Draw {
    /// One sequence of many for a size.
    pub(super) fn new(agents: usize, seats: usize, residues: usize, sequence: u64) -> Draw {
        let mut random = ChaCha8Rng::seed_from_u64((agents * 16 + seats) as u64);
        random.set_stream(sequence);
        Draw { random, residues }
    }

    /// A number below `bound`. All but equally likely, which is enough for a search.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        (self.random.next_u64() % bound as u64) as usize
    }

    /// So many 64-bit numbers. They leave the sequence of the others as it is.
    pub(super) fn keys(&self, count: usize) -> Vec<u64> {
        let mut random = self.random.clone();
        random.set_stream(u64::MAX);
        (0..count).map(|_| random.next_u64()).collect()
    }

    /// A table with residue 0.
    pub(super) fn table(&mut self, size: usize) -> Vec<usize> {
        let mut table = vec![0];
        self.fill(&mut table, size);
        table
    }

    /// Adds residues that are not there until there are `size`.
    pub(super) fn fill(&mut self, table: &mut Vec<usize>, size: usize) {
        while table.len() < size {
            let agent = self.below(self.residues);
            if !table.contains(&agent) {
                table.push(agent);
            }
        }
    }
}
