//! What everybody at a table can see.
//!
//! Owns the scores and events of the match in play. Refuses to be changed by anybody but the referee.

use std::cell::{Ref, RefCell};
use std::sync::Arc;

use farkle::{Points, Ruleset, ScoreTable};

use crate::event::Event;
use crate::limits::Limits;

/// What everybody at the table can see: rules, scores, and what happened.
#[derive(Debug)]
pub struct Table {
    pub(crate) rules: Arc<ScoreTable>,
    pub(crate) limits: Limits,
    pub(crate) scores: RefCell<Vec<Points>>,
    pub(crate) events: RefCell<Vec<Event>>,
    /// By event: the banked score of its seat after it.
    pub(crate) banked: RefCell<Vec<Points>>,
}

impl Table {
    /// The ruleset.
    pub fn ruleset(&self) -> &Ruleset {
        self.rules.ruleset()
    }

    /// The limits of the match.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Banked scores, by seat.
    pub fn scores(&self) -> Ref<'_, [Points]> {
        Ref::map(self.scores.borrow(), Vec::as_slice)
    }

    /// By event: the banked score of its seat after it.
    pub fn banked(&self) -> Ref<'_, [Points]> {
        Ref::map(self.banked.borrow(), Vec::as_slice)
    }

    /// Everything that happened so far.
    pub fn events(&self) -> Ref<'_, [Event]> {
        Ref::map(self.events.borrow(), Vec::as_slice)
    }
}
