//! What plays: the border between the referee and whatever makes decisions.
//!
//! Owns the agent trait, what an agent is told, what it answers, and the two ways it can fail:
//! a [`Fault`] is the agent's doing and an outcome of the match; a [`HostFailure`] is not, and
//! never becomes a result.

use std::rc::Rc;

use farkle::{Faces, Next, Points};

use crate::fault::Fault;
use crate::table::Table;

/// Something that can be seated in matches: a component, or a native implementation in tests.
pub trait Contestant: Send + Sync {
    /// The SHA-256 of what plays; names the contestant in a record.
    fn sha256(&self) -> [u8; 32];

    /// A fresh agent for one seat of one match. `table` is what everybody at it can see.
    ///
    /// # Errors
    ///
    /// A fault here is one before the first turn.
    fn seat(&self, table: &Rc<Table>) -> Result<Box<dyn Agent>, AgentError>;
}

/// One agent in one seat of one match.
pub trait Agent {
    /// A match begins.
    ///
    /// # Errors
    ///
    /// A fault forfeits the match.
    fn start(&mut self, start: &Start) -> Result<(), AgentError>;

    /// Decides on a roll that has a legal keep.
    ///
    /// # Errors
    ///
    /// A fault forfeits the match.
    fn decide(&mut self, turn: &Turn) -> Result<Answer, AgentError>;

    /// The lines that the agent noted for its author since this was asked last, oldest first. They
    /// never reach a result.
    fn take_notes(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// What the last call spent. Asked only where calls are kept.
    fn spent(&self) -> Spent {
        Spent::default()
    }
}

/// What an agent is told once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Its seat, from 0.
    pub seat: u8,
    /// How many seats there are.
    pub seats: u8,
    /// For its own random numbers: a hash of match seed and seat.
    pub agent_seed: u64,
    /// Turns of each seat, closing turns aside.
    pub turn_limit: u32,
    /// [`Ruleset::id`](farkle::Ruleset::id) of the rules in play.
    pub ruleset_id: u64,
}

/// What an agent is told at every roll. Points as in the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The dice on the table.
    pub roll: Faces,
    /// Points kept earlier in this turn.
    pub at_risk: Points,
    /// The agent's own banked score.
    pub score: Points,
    /// The highest banked score of another seat still in the match, else 0.
    pub best_rival: Points,
    /// The least this turn must be worth to be banked.
    pub opening_due: Points,
    /// Turns finished before this one.
    pub turns: u32,
    /// Rolls of this turn, this one included.
    pub rolls: u32,
    /// Farkles in a row before this turn.
    pub farkles_in_a_row: u32,
    /// Whether this is a closing turn.
    pub closing: bool,
}

/// What an agent answers: not yet checked against anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// How many dice to keep of each face, from 1s to 6s.
    pub keep: [u8; 6],
    /// What then.
    pub next: Next,
}

/// What a call costs. All 0 for an agent that is not metered, as native ones are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Units of fuel that the call used; of `start`, together with the agent's set-up.
    pub fuel: u64,
    /// Bytes of linear memory that the agent holds after it.
    pub memory: u64,
}

/// Why an agent gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    /// The agent's doing.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The arena's or the machine's doing.
    #[error(transparent)]
    Host(#[from] HostFailure),
}

/// What is nobody's fault, and never becomes a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostFailure {
    /// The arena or the machine failed.
    #[error("{0}")]
    Failed(String),
    /// The watchdog stopped a call, which was within its fuel.
    #[error("{0}")]
    TookTooLong(String),
}

/// Why a match is void.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the match is void: {failure}")]
pub struct Void {
    /// The seat whose agent was set up, started or asked when it happened.
    pub seat: Option<u8>,
    /// What happened.
    pub failure: HostFailure,
}

impl Void {
    /// The seat whose agent held up the match until the watchdog stopped it, if that is why.
    pub fn held_up_by(&self) -> Option<u8> {
        match self.failure {
            HostFailure::TookTooLong(_) => self.seat,
            HostFailure::Failed(_) => None,
        }
    }
}
