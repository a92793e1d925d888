//! What an agent can do wrong.
//!
//! Owns the kinds of fault, their names and their codes. Refuses the arena's own failures, which are
//! never a fault ([`HostFailure`](crate::HostFailure)).

use serde::{Deserialize, Serialize};

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
