//! What was found out about every agent.
//!
//! Owns counts, fuel and times, by agent. Refuses to mix them: counts are those of a sample that is the
//! same whenever it is played, times are the machine's.

use std::collections::BTreeMap;
use std::time::Duration;

use arena_core::FaultKind;

use super::parts::AgentTime;
use super::recording::Recording;

/// Fuel of calls of one kind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fuel {
    pub(crate) calls: u64,
    pub(crate) total: u64,
    pub(crate) most: u64,
}

/// A fault of one kind: how often, and where first.
#[derive(Clone, Debug)]
pub(crate) struct Faulted {
    pub(crate) times: u64,
    /// The seed of the first match that shows it.
    pub(crate) seed: u64,
    /// The agents of that match, by index, in seat order.
    pub(crate) agents: Vec<usize>,
}

/// One agent in all its seats.
#[derive(Clone, Debug, Default)]
pub(crate) struct AgentFigures {
    /// Seats that it had in the sample.
    pub(crate) seats: u64,
    pub(crate) start: Fuel,
    pub(crate) decide: Fuel,
    pub(crate) faults: BTreeMap<FaultKind, Faulted>,
    /// Timed: seatings and decisions, and how long all of them took.
    seatings: u64,
    decisions: u64,
    took: AgentTime,
}

impl Fuel {
    fn add(&mut self, fuel: u64) {
        self.calls += 1;
        self.total += fuel;
        self.most = self.most.max(fuel);
    }

    /// 0 where there was no call.
    pub(crate) fn mean(&self) -> f64 {
        self.total as f64 / self.calls.max(1) as f64
    }
}

impl AgentFigures {
    /// Counts what it did in a seat of a match of the sample.
    pub(crate) fn count(&mut self, recorded: &Recording, seat: usize) {
        let own = &recorded.seats[seat];
        self.seats += 1;
        if own.start.is_some() {
            self.start.add(own.start_fuel);
        }
        own.fuel.iter().for_each(|fuel| self.decide.add(*fuel));
        for (_, fault) in recorded.played.faults.iter().filter(|(faulty, _)| usize::from(*faulty) == seat) {
            let first = || Faulted { times: 0, seed: recorded.seed, agents: recorded.agents.clone() };
            self.faults.entry(fault.kind).or_insert_with(first).times += 1;
        }
    }

    /// Adds what it took in a seat of a match.
    pub(crate) fn time(&mut self, took: AgentTime, decisions: u64) {
        self.seatings += 1;
        self.decisions += decisions;
        self.took.instantiation += took.instantiation;
        self.took.calls += took.calls;
    }

    /// In a match, from one seat.
    pub(crate) fn decisions_per_seat(&self) -> f64 {
        self.decide.calls as f64 / self.seats.max(1) as f64
    }

    /// To decide once; 0 where it never did.
    pub(crate) fn nanoseconds_per_decision(&self) -> f64 {
        1e9 * self.took.calls.as_secs_f64() / self.decisions.max(1) as f64
    }

    /// To be set up, started, and cleared away.
    pub(crate) fn microseconds_to_start(&self) -> f64 {
        1e6 * self.took.instantiation.as_secs_f64() / self.seatings.max(1) as f64
    }
}

/// How long the parts of some matches took, each alone, and all in one go.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PartTimes {
    pub(crate) matches: u64,
    pub(crate) schedule: Duration,
    pub(crate) instantiation: Duration,
    pub(crate) calls: Duration,
    pub(crate) dice: Duration,
    /// With the dice: they are rolled where they are needed.
    pub(crate) referee_and_dice: Duration,
    pub(crate) statistics: Duration,
    pub(crate) storing: Duration,
    pub(crate) whole: Duration,
}

impl PartTimes {
    /// The parts by name, in the order of a match, with microseconds a match.
    pub(crate) fn parts(&self) -> [(&'static str, f64); 7] {
        [
            ("schedule", self.schedule),
            ("instantiation", self.instantiation),
            ("calls", self.calls),
            ("dice", self.dice),
            ("referee", self.referee_and_dice.saturating_sub(self.dice)),
            ("statistics", self.statistics),
            ("storing", self.storing),
        ]
        .map(|(name, time)| (name, self.microseconds(time)))
    }

    /// Of all parts together, a match.
    pub(crate) fn sum(&self) -> f64 {
        self.parts().iter().map(|(_, time)| time).sum()
    }

    /// A match in one go.
    pub(crate) fn whole(&self) -> f64 {
        self.microseconds(self.whole)
    }

    fn microseconds(&self, time: Duration) -> f64 {
        1e6 * time.as_secs_f64() / self.matches.max(1) as f64
    }
}
