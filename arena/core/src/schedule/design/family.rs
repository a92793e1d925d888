//! Shapes of difference families.
//!
//! Owns what has to be balanced in a family of base tables, and what the family develops into.
//! Refuses to search for base tables.

use std::rc::Rc;

use super::{Tables, gcd};

/// Tables of a round, as a multiple of the number of pairings, at most. From here on there always
/// is a shape: as many base tables as there are agents, or one fewer.
pub(super) const MOST_TABLES: usize = 2;

/// A shape of difference family: a group, and how many base tables it takes.
pub(super) struct Family {
    pub(super) group: Rc<Group>,
    /// How often each orbit must occur among the pairs of the base tables.
    pub(super) targets: Vec<i32>,
    pub(super) base_tables: usize,
    /// How many of these the agent takes part in that no shift moves. They come first.
    pub(super) fixed: usize,
}

/// The shifts and multipliers that develop base tables.
pub(super) struct Group {
    /// Residues: all agents, or all but the last one, which no shift moves.
    pub(super) residues: usize,
    multipliers: Vec<usize>,
    /// The orbit of each residue, from 0; residue 0 has none.
    orbits: Vec<usize>,
    /// How many residues each orbit has.
    sizes: Vec<usize>,
}

/// The shapes for so many agents and seats, those with the fewest tables first.
pub(super) fn families(agents: usize, seats: usize) -> Vec<Family> {
    let mut families: Vec<Family> = Vec::new();
    for residues in [agents, agents - 1] {
        for group in groups(residues) {
            let developed = group.multipliers.len() * residues;
            let most = MOST_TABLES * agents * (agents - 1) / 2 / developed;
            families.extend((1..=most).filter_map(|base_tables| Family::new(&group, agents, seats, base_tables)));
        }
    }
    families.sort_by_key(|family| (family.tables(), family.targets.len()));
    families
}

/// The groups that multiply by the powers of one unit, without repetition.
fn groups(residues: usize) -> Vec<Rc<Group>> {
    let mut groups: Vec<Rc<Group>> = Vec::new();
    for unit in (1..residues).filter(|unit| gcd(*unit, residues) == 1) {
        let group = Group::new(residues, unit);
        if groups.iter().all(|known| known.orbits != group.orbits) {
            groups.push(Rc::new(group));
        }
    }
    groups
}

impl Group {
    fn new(residues: usize, unit: usize) -> Group {
        // The powers of the unit up to sign: a table and its negative have the same differences.
        let mut multipliers: Vec<usize> = Vec::new();
        let mut power = 1;
        while !multipliers.contains(&power) && !multipliers.contains(&(residues - power)) {
            multipliers.push(power);
            power = power * unit % residues;
        }
        let mut orbits = vec![usize::MAX; residues];
        let mut sizes = Vec::new();
        for residue in 1..residues {
            if orbits[residue] == usize::MAX {
                let mut size = 0;
                let images = multipliers.iter().map(|multiplier| multiplier * residue % residues);
                for image in images.flat_map(|image| [image, residues - image]) {
                    size += usize::from(orbits[image] == usize::MAX);
                    orbits[image] = sizes.len();
                }
                sizes.push(size);
            }
        }
        Group { residues, multipliers, orbits, sizes }
    }

    /// The orbit of the difference of two residues.
    pub(super) fn orbit(&self, a: usize, b: usize) -> usize {
        self.orbits[a.abs_diff(b)]
    }
}

impl Family {
    /// The shape with so many base tables, if the numbers come out whole.
    fn new(group: &Rc<Group>, agents: usize, seats: usize, base_tables: usize) -> Option<Family> {
        let all_move = group.residues == agents;
        // The agent that no shift moves has its fair share of the tables.
        if !all_move && !(base_tables * seats).is_multiple_of(agents) {
            return None;
        }
        let fixed = if all_move { 0 } else { base_tables * seats / agents };
        let pairs = base_tables * seats * (seats - 1) / 2 - fixed * (seats - 1);
        // And each orbit has its share of the pairs.
        let share = |size: &usize| {
            let is_whole = (pairs * size).is_multiple_of(group.residues - 1);
            is_whole.then(|| (pairs * size / (group.residues - 1)) as i32)
        };
        let targets: Vec<i32> = group.sizes.iter().map(share).collect::<Option<_>>()?;
        // At a table of an odd number of seats an even number of pairs are of an odd and an even
        // residue. (An orbit has only odd residues or only even ones if their number is even.)
        let is_odd = |orbit: &usize| group.orbits.iter().position(|of| of == orbit).is_some_and(|first| first % 2 == 1);
        if all_move && agents.is_multiple_of(2) && seats % 2 == 1 {
            let between: i32 = (0..targets.len()).filter(is_odd).map(|orbit| targets[orbit]).sum();
            if between % 2 == 1 {
                return None;
            }
        }
        Some(Family { group: Rc::clone(group), targets, base_tables, fixed })
    }

    /// How many tables it develops into.
    pub(super) fn tables(&self) -> usize {
        self.base_tables * self.group.multipliers.len() * self.group.residues
    }

    /// At how many of these the agent sits that no shift moves: the first.
    pub(super) fn fixed_tables(&self) -> usize {
        self.fixed * self.group.multipliers.len() * self.group.residues
    }

    /// How many residues sit at a base table.
    pub(super) fn size(&self, place: usize, seats: usize) -> usize {
        seats - usize::from(place < self.fixed)
    }

    /// Whether base tables are only shifted.
    pub(super) fn only_shifts(&self) -> bool {
        self.group.multipliers.len() == 1
    }

    /// All images of the base tables.
    pub(super) fn develop(&self, base: &[Vec<usize>], agents: usize) -> Tables {
        let mut tables = Tables::with_capacity(self.tables());
        for (place, table) in base.iter().enumerate() {
            for multiplier in &self.group.multipliers {
                let shifted = |shift| {
                    let moved = table.iter().map(|agent| ((agent * multiplier + shift) % self.group.residues) as u16);
                    moved.chain((place < self.fixed).then_some(agents as u16 - 1)).collect()
                };
                tables.extend((0..self.group.residues).map(shifted));
            }
        }
        tables
    }
}
