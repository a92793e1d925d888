//! One call of an agent, kept for whoever wants to know why it plays as it does.
//!
//! Owns what an agent was told, what it answered, noted and spent. Refuses to reach a result: a
//! match is the same whether its calls are kept or not.

use crate::agent::{Answer, Spent, Start, Turn};

/// One call of one agent in a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The index of the event that came of it; of a `start` that went well, that of the next event
    /// at the table.
    pub event: usize,
    /// Whose.
    pub seat: u8,
    /// What the agent was told.
    pub told: Told,
    /// What it answered: nothing to `start`, and nothing when it failed.
    pub answer: Option<Answer>,
    /// The lines that it noted for its author meanwhile, oldest first.
    pub notes: Vec<String>,
    /// What it spent.
    pub spent: Spent,
}

/// What an agent is told in a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// In `start`.
    Start(Start),
    /// In `decide`.
    Turn(Turn),
}
