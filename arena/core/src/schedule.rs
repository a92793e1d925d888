//! Which matches a tournament consists of, and in which order.
//!
//! Owns the order: a pure function of the numbers of agents, seats and pairs and of the
//! tournament's secret. Refuses to play, to know dice, and sizes for which it has no tables at
//! which all agents meet equally often.

mod design;
mod queue;

pub use queue::{Block, Planned, Queue, block_of};

use crate::seeds::TournamentSecret;

/// The matches of a tournament, in order: by seed, then by table, then by rotation of the seats.
///
/// One *round* is everything that is played on one seed: some tables, each in every rotation of
/// its seats. All tables of a round meet the same dice.
///
/// **Guaranteed**: within every round all agents sit at equally many tables and all pairs of agents
/// meet at equally many, exactly; so it is over the whole schedule, and over every prefix that ends
/// with a round. Within an unfinished round no agent is more than five tables ahead of another.
/// Every agent of a table holds every seat of it once a seed.
///
/// - Two seats: a round is all pairings, by first agent, then by second; the same in every round.
/// - One seat: a round is every agent alone, in order.
/// - As many seats as agents: a round is one table.
/// - Else a round is a block design (`schedule/design.rs`), of no more tables than twice the pairings.
///
/// With three seats or more the secret draws, for every round anew, which agent takes which part in
/// it; that decides who sits beside whom, and which threes and fours meet.
///
/// ```
/// use arena_core::{schedule::Schedule, seeds::TournamentSecret};
/// let schedule = Schedule::new(3, 2, 2, &TournamentSecret::from_seed(1))?;
/// assert_eq!(schedule.matches(), 12);
/// let first: Vec<_> = (0..3).map(|n| schedule.encounter(n).unwrap().agents).collect();
/// assert_eq!(first, [[0, 1], [0, 2], [1, 2]]);
/// assert_eq!(schedule.encounter(5).unwrap().pair, 1);
/// # Ok::<(), arena_core::schedule::ScheduleError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    agents: usize,
    seats: usize,
    pairs: u64,
    /// The tables of a round, by parts in it.
    tables: Vec<Vec<u16>>,
    secret: TournamentSecret,
}

/// One table on one seed: the unit of work and of statistics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// The pair's index, from 0: its seed derives from it.
    pub pair: u64,
    /// The agents, in the seat order of the first match.
    pub agents: Vec<usize>,
    /// The number of its first match, from 1; the others follow it.
    pub first_match: u64,
}

/// Why there is no such schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScheduleError {
    /// Fewer agents than seats.
    #[error("a table of {seats} seats takes {seats} agents or more, and {agents} given", agents = counted(*agents))]
    TooFewAgents {
        /// How many agents.
        agents: usize,
        /// How many seats.
        seats: usize,
    },
    /// More agents than can be told apart.
    #[error("a tournament takes at most {} agents, and {agents} were given", u16::MAX)]
    TooManyAgents {
        /// How many agents.
        agents: usize,
    },
    /// A table without seats.
    #[error("a table takes at least one seat")]
    NoSeats,
    /// Up to 200 agents at 3 to 12 seats this does not happen.
    #[error("no tables of {seats} seats are known at which {agents} agents all meet equally often; try other seats")]
    NoTables {
        /// How many agents.
        agents: usize,
        /// How many seats.
        seats: usize,
    },
}

fn counted(agents: usize) -> String {
    if agents == 1 { "one was".to_owned() } else { format!("{agents} were") }
}

impl Schedule {
    /// The schedule of so many agents at tables of so many seats, on `pairs` seeds.
    ///
    /// Finding the tables takes no time where there is a formula, and otherwise up to two seconds for
    /// 200 agents.
    ///
    /// # Errors
    ///
    /// [`ScheduleError`].
    pub fn new(agents: usize, seats: usize, pairs: u64, secret: &TournamentSecret) -> Result<Schedule, ScheduleError> {
        if seats == 0 {
            return Err(ScheduleError::NoSeats);
        }
        if agents < seats {
            return Err(ScheduleError::TooFewAgents { agents, seats });
        }
        if agents > usize::from(u16::MAX) {
            return Err(ScheduleError::TooManyAgents { agents });
        }
        let tables = design::tables(agents, seats).ok_or(ScheduleError::NoTables { agents, seats })?;
        Ok(Schedule { agents, seats, pairs, tables, secret: secret.clone() })
    }

    /// How many agents there are.
    pub fn agents(&self) -> usize {
        self.agents
    }

    /// How many seats a table has.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// How many seeds every table is played on: the number of rounds.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// How many tables a round has.
    pub fn tables(&self) -> u64 {
        self.tables.len() as u64
    }

    /// How many encounters there are: the tables of all rounds.
    pub fn encounters(&self) -> u64 {
        self.pairs * self.tables()
    }

    /// How many matches there are: every encounter in every rotation.
    pub fn matches(&self) -> u64 {
        self.seats as u64 * self.encounters()
    }

    /// The encounter at a place in the schedule, from 0. Costs a hash for every agent.
    pub fn encounter(&self, index: u64) -> Option<Encounter> {
        if index >= self.encounters() {
            return None;
        }
        let pair = index / self.tables();
        let table = self.tables[(index % self.tables()) as usize].iter().map(|part| usize::from(*part));
        let agents = if self.seats <= 2 {
            table.collect()
        } else {
            let parts = self.secret.draw(pair, self.agents);
            table.map(|part| parts[part]).collect()
        };
        Some(Encounter { pair, agents, first_match: self.seats as u64 * index + 1 })
    }
}

impl Encounter {
    /// Its matches: number, and agents in seat order. In each one everybody sits one seat nearer to
    /// the start than in the one before, and the first agent goes last.
    pub fn matches(&self) -> impl ExactSizeIterator<Item = (u64, Vec<usize>)> + '_ {
        (0..self.agents.len()).map(|turned| {
            let mut seats = self.agents.clone();
            seats.rotate_left(turned);
            (self.first_match + turned as u64, seats)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn schedule(agents: usize, seats: usize, pairs: u64) -> Schedule {
        Schedule::new(agents, seats, pairs, &TournamentSecret::from_seed(5)).unwrap()
    }

    #[test]
    fn everybody_meets_everybody_in_both_seat_orders_on_every_seed() {
        let schedule = schedule(5, 2, 7);
        let mut met: BTreeMap<(u64, Vec<usize>), u32> = BTreeMap::new();
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
    fn after_every_round_all_agents_and_all_pairs_are_level_in_every_seat() {
        for (agents, seats, pairs) in [(3, 3, 4), (4, 3, 5), (6, 4, 3), (7, 5, 3), (10, 4, 3), (12, 10, 2), (15, 12, 1)]
        {
            let schedule = schedule(agents, seats, pairs);
            let mut held = vec![0_u64; agents * seats];
            let mut met = vec![0_u64; agents * agents];
            let mut numbers = Vec::new();
            for index in 0..schedule.encounters() {
                let encounter = schedule.encounter(index).unwrap();
                assert_eq!(encounter.pair, index / schedule.tables());
                for (number, seated) in encounter.matches() {
                    numbers.push(number);
                    for (seat, agent) in seated.iter().enumerate() {
                        held[agent * seats + seat] += 1;
                        for other in seated.iter().filter(|other| *other != agent) {
                            met[agent * agents + other] += 1;
                        }
                    }
                }
                let rounds = (index + 1) / schedule.tables();
                if (index + 1) % schedule.tables() == 0 {
                    // By double counting: a round has `tables * seats` places, shared by the
                    // agents; each place has `seats - 1` others at its table, and every table is
                    // played `seats` times.
                    let each = rounds * schedule.tables() * seats as u64 / agents as u64;
                    assert!(held.iter().all(|n| *n == each), "{agents} agents, {seats} seats");
                    let meetings = each * seats as u64 * (seats as u64 - 1) / (agents as u64 - 1);
                    for a in 0..agents {
                        for b in (0..agents).filter(|b| *b != a) {
                            assert_eq!(met[a * agents + b], meetings, "{agents} agents, {seats} seats");
                        }
                    }
                }
            }
            assert_eq!(numbers, (1..=schedule.matches()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_secret_draws_every_round_anew() {
        let parts = |seed: u64, index: u64| {
            let schedule = Schedule::new(6, 6, 10, &TournamentSecret::from_seed(seed)).unwrap();
            schedule.encounter(index).unwrap().agents
        };
        assert_eq!(parts(1, 0), parts(1, 0));
        assert_ne!(parts(1, 0), parts(1, 1));
        assert_ne!(parts(1, 0), parts(2, 0));
    }

    #[test]
    fn alone_everybody_plays_every_seed_once() {
        let schedule = schedule(3, 1, 2);
        let all: Vec<_> = (0..6).map(|n| schedule.encounter(n).unwrap()).map(|e| (e.pair, e.agents)).collect();
        assert_eq!(all, [(0, vec![0]), (0, vec![1]), (0, vec![2]), (1, vec![0]), (1, vec![1]), (1, vec![2])]);
        assert_eq!(schedule.matches(), 6);
    }

    #[test]
    fn impossible_sizes_are_refused() {
        let refused =
            |agents, seats| Schedule::new(agents, seats, 1, &TournamentSecret::from_seed(5)).unwrap_err().to_string();
        assert_eq!(refused(3, 4), "a table of 4 seats takes 4 agents or more, and 3 were given");
        assert_eq!(refused(1, 2), "a table of 2 seats takes 2 agents or more, and one was given");
        assert_eq!(refused(3, 0), "a table takes at least one seat");
    }
}
