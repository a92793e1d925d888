//! Which matches are looked at part by part.
//!
//! Owns their choice: whole rounds from the first on, again and again. Refuses to let time choose: what is
//! counted of them is the same on every machine.

use std::ops::Range;
use std::time::{Duration, Instant};

use arena_core::Referee;

use super::parts::Offset;
use super::recording::{Recording, record};
use crate::failure::Failure;
use crate::runner::Contest;

/// At least so many matches, in whole rounds: every agent plays as often as any other.
const MATCHES: u64 = 400;
/// Or so few rounds that no more than this was spent: a second or two of computing.
const ENOUGH_FUEL: u64 = 2_000_000_000;
/// Matches that are timed part by part before the next ones are: a machine that changes its speed changes
/// all parts alike.
const BATCH: usize = 64;
/// A batch of matches that take their time ends sooner.
const LONG: Duration = Duration::from_millis(50);

/// Where we are in the sample.
pub(crate) struct Sample {
    /// Encounters of a round.
    tables: u64,
    seats: u64,
    /// The encounter that comes next.
    next: u64,
    /// How many there are, once that is known.
    encounters: Option<u64>,
    /// How often we went through them.
    times: u64,
    fuel: u64,
}

/// Some matches that follow one another.
pub(crate) struct Batch {
    /// Their encounters.
    pub(crate) encounters: Range<u64>,
    pub(crate) matches: Vec<Recording>,
    pub(crate) offset: Offset,
    /// Whether they are seen for the first time.
    pub(crate) new: bool,
}

impl Sample {
    pub(crate) fn new(tables: u64, seats: usize) -> Sample {
        Sample { tables, seats: seats as u64, next: 0, encounters: None, times: 0, fuel: 0 }
    }

    /// Records the next matches, by a referee that keeps calls.
    ///
    /// # Errors
    ///
    /// A match that is void twice.
    pub(crate) fn next_batch(&mut self, contest: &Contest, referee: &mut Referee) -> Result<Batch, Failure> {
        if self.is_complete() && self.encounters == Some(self.next) {
            self.next = 0;
            self.times += 1;
        }
        let begun = Instant::now();
        let (first, offset, new) = (self.next, self.offset(), !self.is_complete());
        let mut matches: Vec<Recording> = Vec::with_capacity(BATCH + self.seats as usize);
        while self.encounters != Some(self.next)
            && (matches.is_empty() || matches.len() < BATCH && begun.elapsed() < LONG)
        {
            let Some(encounter) = contest.work.encounter(self.next) else {
                self.encounters = Some(self.next);
                break;
            };
            let recorded = record(contest, referee, &encounter)?;
            self.next += 1;
            if new {
                self.fuel += recorded.iter().map(Recording::fuel).sum::<u64>();
                let enough = self.next * self.seats >= MATCHES || self.fuel >= ENOUGH_FUEL;
                if enough && self.next.is_multiple_of(self.tables) {
                    self.encounters = Some(self.next);
                }
            }
            matches.extend(recorded);
        }
        Ok(Batch { encounters: first..self.next, matches, offset, new })
    }

    /// Whether all of it has been seen.
    pub(crate) fn is_complete(&self) -> bool {
        self.encounters.is_some()
    }

    /// Seeds of it, each for every table.
    pub(crate) fn pairs(&self) -> u64 {
        self.encounters.unwrap_or(self.next) / self.tables
    }

    fn offset(&self) -> Offset {
        let encounters = self.encounters.unwrap_or(0);
        Offset { pairs: self.times * (encounters / self.tables), matches: self.times * encounters * self.seats }
    }
}
