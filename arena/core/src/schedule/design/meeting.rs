//! Base tables by a meeting in the middle: for few orbits, and then also for one or two tables.
//!
//! Owns this search. Refuses to say that there are no base tables when it finds none.

use std::collections::HashMap;

use super::draw::Draw;
use super::family::Family;

/// Random tables tried for the last two of a family.
const TRIES: usize = 40_000;
/// Random tables of which the one nearest to the mean is taken.
const CHOICE: usize = 60;

impl Family {
    /// Base tables: all but two at random, near the mean, then two that make the sums right, found
    /// among random ones.
    pub(super) fn meet_in_the_middle(&self, agents: usize, seats: usize) -> Option<Vec<Vec<usize>>> {
        let mut draw = Draw::new(agents, seats, self.group.residues, 0);
        let mut left = self.targets.clone();
        let mut base: Vec<Vec<usize>> = Vec::with_capacity(self.base_tables);
        while base.len() + 2 < self.base_tables {
            let size = self.size(base.len(), seats);
            // Numbers of floating point, but the same on every machine: sums, differences,
            // products and quotients are, and they are taken in a fixed order.
            let share = (size * (size - 1) / 2) as f64 / f64::from(left.iter().sum::<i32>());
            let distance = |table: &Vec<usize>| -> f64 {
                let off = |n: i32, l: i32| f64::from(n) - f64::from(l) * share;
                self.counts(table).iter().zip(&left).map(|(n, l)| off(*n, *l) * off(*n, *l)).sum()
            };
            let drawn = (0..CHOICE).map(|_| draw.table(size)).map(|table| (distance(&table), table));
            let (_, table) = drawn.min_by(|a, b| a.0.total_cmp(&b.0)).expect("some were drawn");
            for (left, count) in left.iter_mut().zip(self.counts(&table)) {
                *left -= count;
            }
            base.push(table);
        }
        if base.len() + 1 == self.base_tables {
            base.push((0..TRIES).map(|_| draw.table(self.size(0, seats))).find(|table| self.counts(table) == left)?);
            return Some(base);
        }
        // Tables are looked up by the sum of a fixed random number for each orbit of a pair: what
        // is missing beside one then is a difference. Equal sums are checked.
        let keys = draw.keys(left.len());
        let sum = |counts: &[i32]| {
            let terms = counts.iter().zip(&keys).map(|(n, key)| key.wrapping_mul(*n as u64));
            terms.fold(0, u64::wrapping_add)
        };
        let missing = sum(&left);
        let mut seen: HashMap<u64, Vec<usize>> = HashMap::new();
        for _ in 0..TRIES {
            let table = draw.table(self.size(base.len(), seats));
            seen.insert(self.key(&table, &keys), table);
            let table = draw.table(self.size(base.len() + 1, seats));
            if let Some(other) = seen.get(&missing.wrapping_sub(self.key(&table, &keys))) {
                let both = self.counts(&table).into_iter().zip(self.counts(other)).map(|(a, b)| a + b);
                if both.eq(left.iter().copied()) {
                    base.extend([other.clone(), table]);
                    return Some(base);
                }
            }
        }
        None
    }

    /// How many pairs of a table differ by each orbit.
    fn counts(&self, table: &[usize]) -> Vec<i32> {
        let mut counts = vec![0; self.targets.len()];
        for (place, a) in table.iter().enumerate() {
            for b in &table[..place] {
                counts[self.group.orbit(*a, *b)] += 1;
            }
        }
        counts
    }

    /// The sum of the keys of these.
    fn key(&self, table: &[usize], keys: &[u64]) -> u64 {
        let mut sum = 0_u64;
        for (place, a) in table.iter().enumerate() {
            for b in &table[..place] {
                sum = sum.wrapping_add(keys[self.group.orbit(*a, *b)]);
            }
        }
        sum
    }
}
