//! The same strategy twice: as a component in the sandbox, and as code of this program.
//!
//! Owns the strategy of the sample agent `threshold-300`, and the comparison. Refuses to compare what
//! does not decide alike.

use std::hint::black_box;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arena_core::{Agent, AgentError, Allowance, Answer, Contestant, Referee, Start, Table, Turn};
use farkle::{Chart, Next, Points, ScoreTable, presets};

use crate::failure::Failure;

/// The component of the sample agent.
pub(crate) const COMPONENT: &[u8] = include_bytes!("../../../../sample-agents/built/threshold-300.wasm");
/// Its name.
pub(crate) const NAME: &str = "threshold-300";
/// Matches that are compared before any is timed.
pub(crate) const COMPARED: u64 = 50;
/// Matches that one of the two plays before it is the other's turn: a machine that changes its speed
/// changes both.
const ROUND: u64 = 32;

/// Banks once a turn is worth so much, or wins the match.
const ENOUGH: Points = 300;

/// How long matches of two seats under `immediate-win` take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comparison {
    pub(crate) native: Duration,
    pub(crate) sandbox: Duration,
    /// Matches that each of the two durations is of.
    pub(crate) matches: u64,
}

/// The strategy as a contestant, under a component's hash, so that equal matches have equal hashes.
struct Threshold {
    sha256: [u8; 32],
    enough: Points,
}

struct Seated {
    enough: Points,
    chart: Chart,
    target: Points,
}

impl Contestant for Threshold {
    fn sha256(&self) -> [u8; 32] {
        self.sha256
    }

    fn seat(&self, table: &Rc<Table>) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(Seated { enough: self.enough, chart: Chart::new(table.ruleset()), target: table.ruleset().target }))
    }
}

impl Agent for Seated {
    fn start(&mut self, _: &Start) -> Result<(), AgentError> {
        Ok(())
    }

    fn decide(&mut self, turn: &Turn) -> Result<Answer, AgentError> {
        let keep = self.chart.best_keep(turn.roll).expect("an agent is asked only where a keep is legal");
        let at_risk = turn.at_risk + keep.points;
        let bank = at_risk >= turn.opening_due && (at_risk >= self.enough || turn.score + at_risk >= self.target);
        Ok(Answer::from_decision(keep.dice, if bank { Next::Bank } else { Next::Roll }))
    }
}

/// Lets both play the same seeds in turns until the time is over.
///
/// # Errors
///
/// A match that goes another way natively; a match that is void.
pub(crate) fn compare(component: &dyn Contestant, time: Duration) -> Result<Comparison, Failure> {
    let rules = Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN));
    let mut referee = Referee::new(rules, 2, Allowance::Standard.limits()).map_err(Failure::failed)?;
    let native = Threshold { sha256: component.sha256(), enough: ENOUGH };
    let (sandbox, native): ([&dyn Contestant; 2], [&dyn Contestant; 2]) = ([component; 2], [&native; 2]);
    for seed in 0..COMPARED {
        let [one, other] = [&sandbox, &native].map(|seats| referee.play_or_retry(seed, seats).map_err(Failure::failed));
        if one?.hash != other?.hash {
            return Err(Failure::failed(format!(
                "{NAME} decides otherwise natively than in the sandbox, with match seed {seed}: there is nothing to compare"
            )));
        }
    }
    let mut total = Comparison { native: Duration::ZERO, sandbox: Duration::ZERO, matches: 0 };
    let begun = Instant::now();
    while total.matches == 0 || begun.elapsed() < time {
        let mut timed = |seats: &[&dyn Contestant]| {
            let begun = Instant::now();
            for seed in total.matches..total.matches + ROUND {
                black_box(referee.play_or_retry_in_place(seed, seats).map_err(Failure::failed)?);
            }
            Ok::<_, Failure>(begun.elapsed())
        };
        let (native, sandbox) = (timed(&native)?, timed(&sandbox)?);
        total.native += native;
        total.sandbox += sandbox;
        total.matches += ROUND;
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_decides_alike_is_compared() {
        let alike = compare(&Threshold { sha256: [3; 32], enough: 300 }, Duration::ZERO).unwrap();
        assert_eq!(alike.matches, ROUND);
        assert!(alike.native > Duration::ZERO && alike.sandbox > Duration::ZERO);
        let refused = compare(&Threshold { sha256: [3; 32], enough: 350 }, Duration::ZERO).unwrap_err().to_string();
        assert!(refused.starts_with("threshold-300 decides otherwise natively than in the sandbox"), "{refused}");
    }
}
