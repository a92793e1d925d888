//! How many matches a second the arena plays.
//!
//! Owns the measurement of the whole: threads, results in order, statistics. Refuses to measure anything
//! but what `arena tournament` does.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arena_core::schedule::Encounter;
use arena_core::standings::Tally;

use crate::failure::Failure;
use crate::played_match::PlayedMatch;
use crate::runner::{self, Contest, End};

/// Encounters that a thread plays at a time, where they take less than [`LONG`].
const MANY: u64 = 16;
/// Where a match takes so long, threads play one encounter at a time: there is something to count sooner.
const LONG: Duration = Duration::from_millis(1);

/// Matches that were played, and the time that they took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Speed {
    pub(crate) jobs: usize,
    pub(crate) matches: u64,
    pub(crate) took: Duration,
}

impl Speed {
    pub(crate) fn matches_per_second(&self) -> f64 {
        self.matches as f64 / self.took.as_secs_f64().max(1e-9)
    }
}

/// Plays for a time, and until every thread had something to do; `match_time` is about what a match takes.
///
/// # Errors
///
/// A match that was void twice; a signal that asked for the end.
pub(crate) fn measure(
    contest: &Arc<Contest>,
    jobs: usize,
    time: Duration,
    match_time: Duration,
) -> Result<Speed, Failure> {
    let mut tally = Tally::new(contest.agents.len());
    let mut speed = Speed { jobs, matches: 0, took: Duration::ZERO };
    let mut encounters = 0;
    let at_a_time = if match_time < LONG { MANY } else { 1 };
    let begun = Instant::now();
    let take = |encounter: Encounter, played: Vec<PlayedMatch>| {
        encounters += 1;
        speed.matches += played.len() as u64;
        let outcomes: Vec<_> = played.into_iter().map(|played| (played.number, played.outcome)).collect();
        tally.add_numbered_pair(encounter.pair, &outcomes);
        speed.took = begun.elapsed();
        let is_over = speed.took >= time && encounters >= jobs as u64;
        Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    match runner::play_chunks_of(at_a_time, contest.clone(), jobs, None, take)? {
        End::HeldUp(held_up) => Err(held_up.failure(contest)),
        End::Interrupted => Err(super::stopped()),
        End::Finished | End::TimeOver | End::Enough => Ok(speed),
    }
}
