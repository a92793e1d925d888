//! The rules of Farkle, as data and as pure functions.
//!
//! Owns what a table of people could argue about: rulesets and their presets, what a selection
//! scores, which keeps are legal, and the course of a match from the first roll to the ranks.
//! Refuses everything else: no dice are rolled here, nothing is read or written, no clock is
//! looked at. Builds for `wasm32-unknown-unknown`, so agents score with the arena's own code.
//!
//! ```
//! use farkle::{Chart, Faces, presets};
//!
//! let rules = presets::by_name("play-table").unwrap();
//! let chart = Chart::new(&rules);
//! assert_eq!(chart.points("1111".parse::<Faces>()?), Some(1_100));
//! # Ok::<(), farkle::FacesError>(())
//! ```

mod chart;
mod expectation;
mod faces;
mod keeps;
mod match_state;
pub mod presets;
mod ruleset;

pub use chart::{Chart, Combination, Group, NotScoring};
pub use expectation::{Expectation, Undefined};
pub use faces::{FACES_COUNT, Faces, FacesError, MAX_DICE};
pub use keeps::{IllegalKeep, Keep, ScoreTable};
pub use match_state::{
    Bank, Decision, Ending, Fallen, Farkle, IllegalAction, IllegalBank, Kept, MatchResult, MatchState, Next, Phase,
    SeatState,
};
pub use ruleset::{EndingRule, Kinds, Points, Reading, Ruleset, RulesetError};
