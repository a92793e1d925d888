//! What plays: the border between the referee and whatever makes decisions.
//!
//! Owns the agent trait, what an agent is told, what it answers, and the two ways it can fail:
//! a [`Fault`] is the agent's doing and an outcome of the match; a [`HostFailure`] is not, and
//! never becomes a result.

use std::rc::Rc;

use farkle::{Faces, Next, Points};
use serde::{Deserialize, Serialize};

use crate::call::Spent;
use crate::referee::Table;

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

/// The arena or the machine failed: the match is void.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the match is void: {0}")]
pub struct HostFailure(pub String);

/// What an agent did wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{kind}: {message}")]
pub struct Fault {
    /// Which kind of wrong.
    pub kind: FaultKind,
    /// What exactly, for the agent's author.
    pub message: String,
}

/// The kinds of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The agent's code trapped; a panic does.
    Trap,
    /// It spent its fuel.
    OutOfFuel,
    /// It asked for more memory than it may have, and trapped.
    OutOfMemory,
    /// Its calls nested too deep.
    StackOverflow,
    /// It kept dice that may not be kept.
    IllegalKeep,
    /// It banked what may not be banked.
    IllegalBank,
    /// Its answer has no meaning.
    MalformedAnswer,
    /// It could not be set up.
    CannotStart,
}

impl FaultKind {
    /// All kinds, in the order of their codes.
    pub const ALL: [FaultKind; 8] = [
        FaultKind::Trap,
        FaultKind::OutOfFuel,
        FaultKind::OutOfMemory,
        FaultKind::StackOverflow,
        FaultKind::IllegalKeep,
        FaultKind::IllegalBank,
        FaultKind::MalformedAnswer,
        FaultKind::CannotStart,
    ];

    /// Its code in the hash of a record: its place in [`ALL`](FaultKind::ALL), from 1.
    pub fn code(self) -> u8 {
        self as u8 + 1
    }

    /// Its name in records.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Trap => "trap",
            FaultKind::OutOfFuel => "out-of-fuel",
            FaultKind::OutOfMemory => "out-of-memory",
            FaultKind::StackOverflow => "stack-overflow",
            FaultKind::IllegalKeep => "illegal-keep",
            FaultKind::IllegalBank => "illegal-bank",
            FaultKind::MalformedAnswer => "malformed-answer",
            FaultKind::CannotStart => "cannot-start",
        }
    }
}

impl std::fmt::Display for FaultKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
