//! The first seed on which an agent faults.
//!
//! Owns the search over seeds, on several threads. Refuses to depend on which of them is faster:
//! the answer is the least seed.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arena_core::{Contestant, Limits, Referee, Void};
use farkle::ScoreTable;
use indicatif::{ProgressBar, ProgressStyle};

/// Seeds that a thread takes at a time.
const BATCH: u64 = 16;

/// Plays the seeds from `first` on, `count` of them, and returns the least on which an agent
/// faults. The seats must be as many as the ruleset allows.
///
/// # Errors
///
/// [`Void`] when a match is void twice.
///
/// # Panics
///
/// When the ruleset does not allow so many seats, or so high a turn limit.
pub(crate) fn first_fault(
    rules: &Arc<ScoreTable>,
    limits: Limits,
    contestants: &[&dyn Contestant],
    first: u64,
    count: u64,
) -> Result<Option<u64>, Void> {
    let bar = ProgressBar::new(count).with_style(
        ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} seeds, {per_sec}")
            .expect("the template is sound"),
    );
    let next = AtomicU64::new(0);
    // The place of the least seed known to show a fault; nobody looks further.
    let found = AtomicU64::new(count);
    let search = || -> Result<(), Void> {
        let mut referee =
            Referee::new(rules.clone(), contestants.len(), limits).expect("the seats and limits were checked");
        loop {
            let from = next.fetch_add(BATCH, Ordering::Relaxed);
            if from >= found.load(Ordering::Relaxed) {
                return Ok(());
            }
            for place in from..(from + BATCH).min(count) {
                let seed = first.wrapping_add(place);
                referee.play_or_retry_in_place(seed, contestants)?;
                if referee.events().iter().any(|event| event.fault().is_some()) {
                    found.fetch_min(place, Ordering::Relaxed);
                    break;
                }
            }
            bar.inc(BATCH);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let outcome: Result<(), Void> = std::thread::scope(|scope| {
        let searching: Vec<_> = (0..threads).map(|_| scope.spawn(search)).collect();
        searching.into_iter().try_for_each(|thread| thread.join().expect("a search does not panic"))
    });
    bar.finish_and_clear();
    let place = found.into_inner();
    outcome.map(|()| (place < count).then(|| first.wrapping_add(place)))
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use arena_core::{Agent, AgentError, Allowance, Answer, Fault, FaultKind, Start, Table, Turn};
    use farkle::{Next, presets};

    use super::*;

    /// Keeps what scores most; cannot stand a roll of three or more 4s.
    struct AfraidOfFours;

    impl Contestant for AfraidOfFours {
        fn sha256(&self) -> [u8; 32] {
            [4; 32]
        }

        fn seat(&self, table: &Rc<Table>) -> Result<Box<dyn Agent>, AgentError> {
            Ok(Box::new(Afraid(ScoreTable::new(table.ruleset()))))
        }
    }

    struct Afraid(ScoreTable);

    impl Agent for Afraid {
        fn start(&mut self, _: &Start) -> Result<(), AgentError> {
            Ok(())
        }

        fn decide(&mut self, turn: &Turn) -> Result<Answer, AgentError> {
            if turn.roll.counts()[3] >= 3 {
                return Err(Fault { kind: FaultKind::Trap, message: "fours".into() }.into());
            }
            let keep = self.0.chart().best_keep(turn.roll).expect("a keep is legal");
            Ok(Answer::from_decision(keep.dice, Next::Bank))
        }
    }

    #[test]
    fn the_least_seed_is_found_whichever_thread_is_faster() {
        let rules = Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN));
        // To 300 points: a few rolls a match, so that faults are rare enough to be searched for.
        let short = farkle::Ruleset { target: 300, ..presets::IMMEDIATE_WIN };
        let short = Arc::new(ScoreTable::new(&short));
        let limits = Allowance::Standard.limits();
        let table: [&dyn Contestant; 2] = [&AfraidOfFours, &AfraidOfFours];

        // One after another, by a referee of our own.
        let mut referee = Referee::new(short.clone(), 2, limits).unwrap();
        let faulty: Vec<u64> =
            (0..400).filter(|seed| !referee.play(*seed, &table).unwrap().faults.is_empty()).collect();
        assert!(faulty.len() > 3 && faulty[0] > 0, "{faulty:?}");
        for from in [0, faulty[0], faulty[0] + 1, faulty[1] + 1] {
            let least = *faulty.iter().find(|seed| **seed >= from).unwrap();
            assert_eq!(first_fault(&short, limits, &table, from, 400), Ok(Some(least)));
            if least > from {
                assert_eq!(first_fault(&short, limits, &table, from, least - from), Ok(None));
            }
        }
        assert!(first_fault(&rules, limits, &table, 0, 1_000).unwrap().is_some());
    }
}
