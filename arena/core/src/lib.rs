//! The contest: who plays, by what dice, with what result, and what the results say.
//!
//! Data flows one way: a ruleset and a seed give [`dice`]; dice and [`Agent`]s go through the
//! [`Referee`]; the referee gives [`Event`]s and a [`Record`]; outcomes in [`schedule`] order give
//! [`standings`], by way of [`ratings`]; those of two agents alone also [`pentanomial`] figures and a
//! sequential test, [`sprt`]. What is played next, [`formats`] say. Perfect play of two seats is the
//! [`oracle`]'s; with it the [`moments`] of a match are judged ([`analysis`]), and scores corrected for
//! [`luck`].
//!
//! Refuses IO, clocks and the sandbox, and threads (but for the [`oracle`], whose values do not depend
//! on them): agents come in as implementations of [`Agent`], so everything here is tested with native
//! ones.

mod agent;
pub mod analysis;
mod call;
pub mod dice;
pub mod event;
mod fault;
pub mod formats;
mod limits;
pub mod luck;
pub mod moments;
pub mod odds;
pub mod oracle;
pub mod pentanomial;
pub mod ratings;
mod record;
mod referee;
mod rehearsal;
pub mod rulebook;
pub mod ruleset_fields;
mod ruleset_file;
pub mod schedule;
pub mod seeds;
pub mod sprt;
pub mod standings;
pub mod style;
mod table;
mod turn_figures;

pub use agent::{Agent, AgentError, Answer, Contestant, HostFailure, Spent, Start, Turn, Void};
pub use call::{Call, Told};
pub use event::{Event, Keep as EventKeep, What};
pub use fault::{Fault, FaultKind};
pub use limits::{Allowance, Limits, UnknownAllowance};
pub use record::{
    Difference, EngineId, FORMAT, Record, RecordError, RecordSeat, RecordedFault, RecordedResult, Sha256Hex,
};
pub use referee::{Played, Referee, RefereeError};
pub use rehearsal::Rehearsal;
pub use ruleset_file::{Mistake, RulesetFileError, change_ruleset, nearest, ruleset_from_toml, ruleset_to_toml};
pub use table::Table;
pub use turn_figures::TurnFigures;
