//! Base tables by exchanging one agent at a time: for many orbits.
//!
//! Owns this search. Refuses to say that there are no base tables when it finds none.
//!
//! What is made small is the sum of the squares of how often each orbit occurs too often or too
//! rarely. An exchange at random moves a pair for every other seat of the table, most of them to
//! where they do harm, so that soon none is left that helps. So two tables of three have a *row*:
//! agents `0, g, 2g, ..`, and one or two more. When one of these goes on by `g`, its differences to
//! the row shift by one place, and all that changes is that one is lost at one end and one won at
//! the other. Such steps cost nothing when they move a surplus from one orbit to the next, and
//! surpluses wander until they meet what is missing.

use super::draw::Draw;
use super::family::Family;

/// Exchanges in the first half of the search without any that helped, after which it ends.
const COARSE_PATIENCE: usize = 20_000;
/// The same in the second half, where a step is cheap.
const FINE_PATIENCE: usize = 1_000_000;
/// In the second half one step of so many may do a little harm. It takes steps that do to get out of
/// where none that does not is left; but each may bring a surplus and a lack, and the more orbits
/// there are, the longer these take to meet. So with many orbits it is fewer.
const HARM: usize = 64;

struct Exchange<'a> {
    family: &'a Family,
    draw: Draw,
    base: Vec<BaseTable>,
    /// By orbit: how much more often it occurs than it should.
    excess: Vec<i64>,
    /// The sum of the squares of these.
    energy: i64,
}

#[derive(Clone)]
struct BaseTable {
    seated: Vec<usize>,
    /// How many of them, from the first, are in the row; 0 where there is none.
    row: usize,
    /// The step from one agent of the row to the next.
    step: usize,
}

impl Family {
    /// Base tables: at random, other ones in each attempt, then improved until all orbits occur as
    /// often as they should.
    pub(super) fn exchange(&self, agents: usize, seats: usize, attempt: u64) -> Option<Vec<Vec<usize>>> {
        let mut search = Exchange {
            family: self,
            draw: Draw::new(agents, seats, self.group.residues, attempt),
            base: Vec::with_capacity(self.base_tables),
            excess: self.targets.iter().map(|target| -i64::from(*target)).collect(),
            energy: self.targets.iter().map(|target| i64::from(*target).pow(2)).sum(),
        };
        for place in 0..self.base_tables {
            let size = self.size(place, seats);
            let table = search.draw_table(place, size);
            search.count(&table.seated, 1);
            search.base.push(table);
        }
        search.improve(COARSE_PATIENCE, Exchange::coarse_step);
        search.improve(FINE_PATIENCE, Exchange::fine_step);
        (search.energy == 0).then(|| search.base.into_iter().map(|table| table.seated).collect())
    }
}

impl Exchange<'_> {
    fn improve(&mut self, patience: usize, step: fn(&mut Self)) {
        let (mut best, mut since) = (self.energy, 0);
        while best > 0 && since < patience {
            step(self);
            since += 1;
            if self.energy < best {
                (best, since) = (self.energy, 0);
            }
        }
    }

    /// A random table: by its place, without a row, or with a row of all but one or all but two.
    fn draw_table(&mut self, place: usize, size: usize) -> BaseTable {
        let row = [0, size - 1, size - 2][place % 3];
        if row < 2 {
            return BaseTable { seated: self.draw.table(size), row: 0, step: 0 };
        }
        let residues = self.family.group.residues;
        loop {
            let step = 1 + self.draw.below(residues - 1);
            let mut seated: Vec<usize> = (0..row).map(|n| n * step % residues).collect();
            // Unless it comes back to its start.
            if seated[1..].iter().all(|agent| *agent != 0) {
                self.draw.fill(&mut seated, size);
                return BaseTable { seated, row, step };
            }
        }
    }

    /// Exchanges an agent, or a whole table with a row, unless that does harm.
    fn coarse_step(&mut self) {
        let place = self.draw.below(self.base.len());
        let size = self.base[place].seated.len();
        if self.base[place].row == 0 {
            let (seat, to) = (self.draw.below(size), self.draw.below(self.family.group.residues));
            return self.exchange(place, seat, to, 0);
        }
        let before = self.energy;
        let table = self.draw_table(place, size);
        let old = std::mem::replace(&mut self.base[place], table.clone());
        self.count(&old.seated, -1);
        self.count(&table.seated, 1);
        if self.energy > before {
            self.count(&table.seated, -1);
            self.count(&old.seated, 1);
            self.base[place] = old;
        }
    }

    /// Moves an agent beside a row on by a step of it, and any agent of a table of few.
    fn fine_step(&mut self) {
        let rare = HARM.max(self.excess.len().pow(2) / 6);
        let harm = match self.draw.below(rare * rare) {
            0 => 4,
            chance if chance < rare => 2,
            _ => 0,
        };
        let place = self.draw.below(self.base.len());
        let BaseTable { ref seated, row, step } = self.base[place];
        let (size, residues) = (seated.len(), self.family.group.residues);
        if row > 0 {
            let seat = row + self.draw.below(size - row);
            let by = if self.draw.below(2) == 0 { step } else { residues - step };
            self.exchange(place, seat, (self.base[place].seated[seat] + by) % residues, harm);
        } else if size <= 4 || self.draw.below(8) == 0 {
            let (seat, to) = (self.draw.below(size), self.draw.below(residues));
            self.exchange(place, seat, to, harm);
        }
    }

    /// Puts another agent on a seat, unless it is at the table or does more than so much harm.
    fn exchange(&mut self, place: usize, seat: usize, to: usize, harm: i64) {
        if self.base[place].seated.contains(&to) {
            return;
        }
        let before = self.energy;
        let from = self.base[place].seated[seat];
        self.count_one(place, seat, from, -1);
        self.count_one(place, seat, to, 1);
        if self.energy > before + harm {
            self.count_one(place, seat, to, -1);
            self.count_one(place, seat, from, 1);
        } else {
            self.base[place].seated[seat] = to;
        }
    }

    /// Counts the pairs of a table once more, or once less.
    fn count(&mut self, table: &[usize], more: i64) {
        for (seat, a) in table.iter().enumerate() {
            for b in &table[..seat] {
                self.occurs(self.family.group.orbit(*a, *b), more);
            }
        }
    }

    /// The same with the pairs of one agent and all others at the table.
    fn count_one(&mut self, place: usize, seat: usize, agent: usize, more: i64) {
        for other in 0..self.base[place].seated.len() {
            if other != seat {
                self.occurs(self.family.group.orbit(agent, self.base[place].seated[other]), more);
            }
        }
    }

    fn occurs(&mut self, orbit: usize, more: i64) {
        let excess = self.excess[orbit];
        self.energy += more * (2 * excess + more);
        self.excess[orbit] += more;
    }
}
