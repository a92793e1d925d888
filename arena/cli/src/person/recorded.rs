//! A person's seat in a record, played again.
//!
//! Owns the decisions that a record holds. Refuses to be a person: where the match goes another way
//! than its record, there is nobody to ask.

use std::collections::VecDeque;
use std::rc::Rc;

use arena_core::{Agent, AgentError, Answer, Contestant, Fault, FaultKind, Record, Start, Table, Turn, What};
use farkle::Next;

/// Decides what a record says that a person decided.
pub(crate) struct Recorded(VecDeque<Answer>);

impl Recorded {
    /// The decisions of one seat.
    pub(crate) fn new(record: &Record, seat: usize) -> Recorded {
        let own = record.events.iter().filter(|event| usize::from(event.seat) == seat);
        let decisions = own.filter_map(|event| match &event.what {
            // A keep that wins asks for nothing more.
            What::Rolled(kept) | What::Won(kept) => Some(Answer::from_decision(kept.keep, Next::Roll)),
            What::Banked { keep, .. } => Some(Answer::from_decision(keep.keep, Next::Bank)),
            What::Farkled { .. } | What::Faulted { .. } => None,
        });
        Recorded(decisions.collect())
    }
}

impl Contestant for Recorded {
    fn sha256(&self) -> [u8; 32] {
        super::sha256()
    }

    fn seat(&self, _: &Rc<Table>) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(Recorded(self.0.clone())))
    }
}

impl Agent for Recorded {
    fn start(&mut self, _: &Start) -> Result<(), AgentError> {
        Ok(())
    }

    /// Where the record holds none, a fault: the comparison with the record then shows the place.
    fn decide(&mut self, _: &Turn) -> Result<Answer, AgentError> {
        self.0.pop_front().ok_or_else(|| {
            let message = "the record holds no decision of this person here".to_owned();
            Fault { kind: FaultKind::MalformedAnswer, message }.into()
        })
    }
}
