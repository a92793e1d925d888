//! The order of the tables of a round, in which agents keep level.
//!
//! Owns the order. Refuses to change, add or leave out a table.

use super::Tables;

/// Tables up to which the next one is looked for among all that are left: that takes the square of
/// their number.
const FEW: usize = 3_000;
/// Otherwise, in how many runs it is looked for.
const RUNS: usize = 3;

/// The same tables, the next one always with agents that have played least.
pub(super) fn levelled(agents: usize, tables: Tables) -> Tables {
    let all = tables.len();
    levelled_in_runs(agents, tables, all, 0)
}

/// The same for tables that consist of runs, in each of which agents play equally often; except
/// that one more agent sits at all of the first `fixed` tables.
///
/// Of many tables, some runs at a time are looked at, and the first `fixed` tables beside the
/// others.
pub(super) fn levelled_in_runs(agents: usize, tables: Tables, run: usize, fixed: usize) -> Tables {
    let count = tables.len();
    let (window, fixed) = if count <= FEW { (count, 0) } else { (RUNS * run, fixed) };
    let mut played = vec![0; agents];
    let mut tables = tables.into_iter();
    let first: Tables = tables.by_ref().take(fixed).collect();
    let mut first = Left { window, near: Tables::new(), far: first.into_iter() };
    let mut others = Left { window, near: Tables::new(), far: tables };
    // The first ones in equal steps among all.
    let is_first = |place: usize| (place + 1) * fixed / count > place * fixed / count;
    (0..count).map(|place| if is_first(place) { first.next(&mut played) } else { others.next(&mut played) }).collect()
}

/// Tables that are left.
struct Left {
    /// How many are looked at.
    window: usize,
    near: Tables,
    far: std::vec::IntoIter<Vec<u16>>,
}

impl Left {
    /// The next table by how often each agent has played. There is one.
    fn next(&mut self, played: &mut [u64]) -> Vec<u16> {
        self.near.extend(self.far.by_ref().take(self.window - self.near.len()));
        let load = |table: &Vec<u16>| table.iter().map(|agent| played[usize::from(*agent)]).sum::<u64>();
        let next = (0..self.near.len()).min_by_key(|place| load(&self.near[*place])).expect("there are tables");
        let table = self.near.remove(next);
        for agent in &table {
            played[usize::from(*agent)] += 1;
        }
        table
    }
}
