//! Whether a component plays as a contestant should, before it takes part.
//!
//! Owns the trial matches, of an agent against itself. Refuses to judge: it tells what went wrong,
//! and where.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arena_core::{Call, Contestant, Fault, Limits, Referee, RefereeError, Void};
use farkle::{Ruleset, ScoreTable};

/// Matches of one ruleset at tables of one size. No tournament plays their seeds, but by a chance
/// of one in 2^64.
pub(crate) struct Trial {
    ruleset: Ruleset,
    seats: usize,
    /// Keeps calls.
    first: Referee,
    /// Keeps none, and so tells how fast the agent is.
    again: Referee,
}

/// What went wrong in a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Flaw {
    pub(crate) ruleset: String,
    pub(crate) seats: usize,
    pub(crate) seed: u64,
    pub(crate) what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// The agent faulted in a seat.
    Fault(u8, Fault),
    /// It played one seed in two ways.
    TwoWays,
}

/// How a trial went.
#[derive(Debug)]
pub(crate) struct Tried {
    /// Seeds that were played, each of them twice.
    pub(crate) seeds: u64,
    /// How long they took to be played again.
    pub(crate) took: Duration,
    /// The first flaw; no seed was played after it.
    pub(crate) flaw: Option<Flaw>,
}

impl Trial {
    /// # Errors
    ///
    /// When the ruleset does not allow so many seats.
    pub(crate) fn new(ruleset: &Ruleset, seats: usize, limits: Limits) -> Result<Trial, RefereeError> {
        let table = Arc::new(ScoreTable::new(ruleset));
        let mut first = Referee::new(table.clone(), seats, limits)?;
        first.keep_calls();
        Ok(Trial { ruleset: ruleset.clone(), seats, first, again: Referee::new(table, seats, limits)? })
    }

    /// How many sit at the table.
    pub(crate) fn seats(&self) -> usize {
        self.seats
    }

    /// Plays every seed twice, until something goes wrong, and shows the calls of the first time.
    pub(crate) fn play(
        &mut self,
        agent: &dyn Contestant,
        seeds: Range<u64>,
        mut show: impl FnMut(&[Call]),
    ) -> Result<Tried, Void> {
        let table = vec![agent; self.seats];
        let mut tried = Tried { seeds: 0, took: Duration::ZERO, flaw: None };
        for seed in seeds {
            let played = self.first.play_or_retry(seed, &table)?;
            show(self.first.calls());
            let begun = Instant::now();
            let again = self.again.play_or_retry(seed, &table)?;
            tried.took += begun.elapsed();
            tried.seeds += 1;
            let fault = played.faults.first().or(again.faults.first());
            let what = match fault {
                _ if again.hash != played.hash => What::TwoWays,
                Some((seat, fault)) => What::Fault(*seat, fault.clone()),
                None => continue,
            };
            tried.flaw = Some(Flaw { ruleset: self.ruleset.name.to_string(), seats: self.seats, seed, what });
            break;
        }
        Ok(tried)
    }
}

impl std::fmt::Display for Flaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Flaw { ruleset, seats, seed, what } = self;
        match what {
            What::Fault(seat, fault) => {
                write!(f, "it faults in seat {seat} of {seats} under {ruleset} with seed {seed}: {fault}")
            }
            What::TwoWays => write!(f, "it plays seed {seed} of {ruleset} in two ways"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use arena_core::{Agent, AgentError, Allowance, Answer, FaultKind, Start, Table, Told, Turn};
    use farkle::{Next, presets};

    use super::*;

    /// Keeps what scores most and banks it, but from its so-and-so-manieth seating on otherwise.
    struct Moody {
        seatings: AtomicU32,
        turns_at: u32,
        then: fn(Answer) -> Answer,
    }

    struct Seated {
        table: Rc<Table>,
        then: fn(Answer) -> Answer,
    }

    impl Contestant for Moody {
        fn sha256(&self) -> [u8; 32] {
            [7; 32]
        }

        fn seat(&self, table: &Rc<Table>) -> Result<Box<dyn Agent>, AgentError> {
            let turned = self.seatings.fetch_add(1, Ordering::Relaxed) >= self.turns_at;
            Ok(Box::new(Seated { table: table.clone(), then: if turned { self.then } else { |answer| answer } }))
        }
    }

    impl Agent for Seated {
        fn start(&mut self, _: &Start) -> Result<(), AgentError> {
            Ok(())
        }

        fn decide(&mut self, turn: &Turn) -> Result<Answer, AgentError> {
            let table = ScoreTable::new(self.table.ruleset());
            let keep = table.chart().best_keep(turn.roll).expect("a keep is legal");
            Ok((self.then)(Answer::from_decision(keep.dice, Next::Bank)))
        }
    }

    fn tried(turns_at: u32, then: fn(Answer) -> Answer) -> (Tried, usize) {
        let moody = Moody { seatings: AtomicU32::new(0), turns_at, then };
        let mut trial = Trial::new(&presets::IMMEDIATE_WIN, 2, Allowance::Standard.limits()).unwrap();
        let mut starts = 0;
        let count = |calls: &[Call]| starts += calls.iter().filter(|c| matches!(c.told, Told::Start(_))).count();
        (trial.play(&moody, 5..9, count).unwrap(), starts)
    }

    #[test]
    fn an_agent_without_flaws_plays_every_seed_twice() {
        let (tried, starts) = tried(u32::MAX, |answer| answer);
        assert_eq!((tried.seeds, tried.flaw), (4, None));
        assert_eq!(starts, 8, "two seats, four seeds, and the second time is not shown");
    }

    #[test]
    fn the_first_flaw_is_told_with_its_seed() {
        // Two seatings a match and two matches a seed: the ninth is in seat 0 on the third seed.
        let (faulty, _) = tried(8, |answer| Answer { keep: [6, 1, 0, 0, 0, 0], ..answer });
        let flaw = faulty.flaw.unwrap();
        assert_eq!((faulty.seeds, flaw.seed, flaw.seats), (3, 7, 2));
        assert!(matches!(&flaw.what, What::Fault(0, fault) if fault.kind == FaultKind::IllegalKeep), "{flaw}");
        // Changes its mind between the two matches on the second seed.
        let (two_ways, _) = tried(6, |answer| Answer { next: Next::Roll, ..answer });
        let flaw = two_ways.flaw.unwrap();
        assert_eq!((flaw.seed, &flaw.what), (6, &What::TwoWays));
        assert_eq!(flaw.to_string(), "it plays seed 6 of immediate-win in two ways");
    }
}
