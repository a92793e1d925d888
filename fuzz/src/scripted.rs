//! Agents that do what the bytes of an input say.
//!
//! Owns a script's meaning: legal answers, answers that no rule allows, faults, and failures of the
//! host. Refuses to look at the game's own lists of keeps.

use std::rc::Rc;
use std::sync::Arc;

use arbitrary::{Result, Unstructured};
use arena_core::{Agent, AgentError, Answer, Contestant, Fault, FaultKind, HostFailure, Start, Table, Turn};
use farkle::{Next, Points};

use crate::slow_keeps::SlowKeeps;
use crate::slow_scorer::Counts;

/// What becomes of an agent before the first roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beginning {
    Starts,
    CannotBeSeated,
    FailsToStart,
    Void,
}

/// A contestant with a script. Every agent of it begins the script anew.
pub(crate) struct Scripted {
    keeps: Arc<SlowKeeps>,
    number: u8,
    beginning: Beginning,
    script: Vec<u8>,
}

struct Seated {
    keeps: Arc<SlowKeeps>,
    beginning: Beginning,
    script: std::vec::IntoIter<u8>,
}

impl Scripted {
    pub(crate) fn draw(u: &mut Unstructured<'_>, keeps: &Arc<SlowKeeps>, number: u8) -> Result<Scripted> {
        let beginning = match u.arbitrary::<u8>()? {
            0..8 => Beginning::CannotBeSeated,
            8..16 => Beginning::FailsToStart,
            16..18 => Beginning::Void,
            _ => Beginning::Starts,
        };
        let length = u.int_in_range(0..=40)?;
        let script = u.bytes(usize::min(length, u.len()))?.to_vec();
        Ok(Scripted { keeps: keeps.clone(), number, beginning, script })
    }

    /// Plays by the rules to the end.
    pub(crate) fn calm(keeps: &Arc<SlowKeeps>, number: u8) -> Scripted {
        Scripted { keeps: keeps.clone(), number, beginning: Beginning::Starts, script: Vec::new() }
    }
}

fn fault(kind: FaultKind) -> AgentError {
    Fault { kind, message: "as its script says".to_owned() }.into()
}

fn void() -> AgentError {
    HostFailure::Failed("as a script says".to_owned()).into()
}

impl Contestant for Scripted {
    fn sha256(&self) -> [u8; 32] {
        [self.number; 32]
    }

    fn seat(&self, _: &Rc<Table>) -> std::result::Result<Box<dyn Agent>, AgentError> {
        match self.beginning {
            Beginning::CannotBeSeated => Err(fault(FaultKind::CannotStart)),
            beginning => {
                let script = self.script.clone().into_iter();
                Ok(Box::new(Seated { keeps: self.keeps.clone(), beginning, script }))
            }
        }
    }
}

impl Agent for Seated {
    fn start(&mut self, _: &Start) -> std::result::Result<(), AgentError> {
        match self.beginning {
            Beginning::FailsToStart => Err(fault(FaultKind::OutOfFuel)),
            Beginning::Void => Err(void()),
            _ => Ok(()),
        }
    }

    fn decide(&mut self, turn: &Turn) -> std::result::Result<Answer, AgentError> {
        let keeps = self.keeps.of(turn.roll.counts());
        let mut any = |fallback: u8| self.script.next().unwrap_or(fallback);
        let (keep, points) = match any(0) {
            // The most valuable keep.
            0..80 => *keeps.iter().max_by_key(|(_, points)| *points).expect("nobody is asked about a farkle"),
            choice @ 80..200 => keeps[usize::from(choice) % keeps.len()],
            // Some part of the roll, or a die too many.
            choice @ 200..230 => {
                let mut part = turn.roll.counts();
                let face = usize::from(choice) % 6;
                part[face] = any(1) % 8;
                (part, 0)
            }
            // Anything that fits the answer's shape.
            230..240 => (std::array::from_fn(|_| any(255)), 0),
            choice @ 240..253 => return Err(fault(FaultKind::ALL[usize::from(choice) % FaultKind::ALL.len()])),
            _ => return Err(void()),
        };
        let next = match any(0) {
            0..128 if self.may_bank(turn, keep, points) => Next::Bank,
            0..224 => Next::Roll,
            _ => Next::Bank,
        };
        Ok(Answer { keep, next })
    }
}

impl Seated {
    fn may_bank(&self, turn: &Turn, keep: Counts, points: Points) -> bool {
        let rules = self.keeps.rules();
        let total = turn.at_risk + points;
        total >= turn.opening_due
            && !(rules.must_roll_hot_dice && keep == turn.roll.counts())
            && !(rules.exact_landing && turn.score + total > rules.target)
    }
}
