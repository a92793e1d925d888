//! A match that was played, gone through again call by call, without dice and referee: for timing its
//! calls alone.
//!
//! Owns a table that shows at every call what the real one showed then. Refuses to judge answers.

use std::rc::Rc;

use crate::event::{Event, What};
use crate::table::Table;

/// A table for agents that are asked again what they were asked in a match.
#[derive(Debug)]
pub struct Rehearsal {
    table: Rc<Table>,
}

impl Rehearsal {
    /// One with the rules, limits and seats of another table.
    pub(crate) fn like(other: &Table) -> Rehearsal {
        let table = Table {
            rules: other.rules.clone(),
            limits: other.limits,
            scores: vec![0; other.scores.borrow().len()].into(),
            events: Vec::new().into(),
            banked: Vec::new().into(),
        };
        Rehearsal { table: Rc::new(table) }
    }

    /// What agents are seated at.
    pub fn table(&self) -> &Rc<Table> {
        &self.table
    }

    /// Shows a table at which nothing has happened yet.
    pub fn begin(&self) {
        self.table.scores.borrow_mut().fill(0);
        self.table.events.borrow_mut().clear();
        self.table.banked.borrow_mut().clear();
    }

    /// Shows what happened before the event of that index, which a [`Call`](crate::Call) names; `events`
    /// are those of the whole match. Of events that are shown already it takes none back.
    pub fn show(&self, events: &[Event], before: usize) {
        let mut shown = self.table.events.borrow_mut();
        let mut scores = self.table.scores.borrow_mut();
        let mut banked = self.table.banked.borrow_mut();
        for event in events.iter().take(before).skip(shown.len()) {
            let score = &mut scores[usize::from(event.seat)];
            match &event.what {
                What::Banked { banked, .. } | What::Farkled { penalty: Some((_, banked)), .. } => *score = *banked,
                _ => {}
            }
            banked.push(*score);
            shown.push(event.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use farkle::{Next, Points, Ruleset, ScoreTable, presets};

    use super::*;
    use crate::{Agent, AgentError, Allowance, Answer, Call, Contestant, Referee, Start, Turn};

    type Seen = (Vec<Points>, Vec<Points>, Vec<Event>);

    fn seen(table: &Table) -> Seen {
        (table.scores().to_vec(), table.banked().to_vec(), table.events().to_vec())
    }

    /// Banks what it can, and writes down what the table shows.
    #[derive(Default)]
    struct Onlooker(Arc<Mutex<Vec<Seen>>>);

    struct Looking(Rc<Table>, Arc<Mutex<Vec<Seen>>>);

    impl Contestant for Onlooker {
        fn sha256(&self) -> [u8; 32] {
            [1; 32]
        }

        fn seat(&self, table: &Rc<Table>) -> Result<Box<dyn Agent>, AgentError> {
            Ok(Box::new(Looking(table.clone(), self.0.clone())))
        }
    }

    impl Agent for Looking {
        fn start(&mut self, _: &Start) -> Result<(), AgentError> {
            self.1.lock().unwrap().push(seen(&self.0));
            Ok(())
        }

        fn decide(&mut self, turn: &Turn) -> Result<Answer, AgentError> {
            self.1.lock().unwrap().push(seen(&self.0));
            let keep = farkle::Chart::new(self.0.ruleset()).best_keep(turn.roll).expect("a keep is legal");
            let bank = turn.at_risk + keep.points >= turn.opening_due.max(600);
            Ok(Answer::from_decision(keep.dice, if bank { Next::Bank } else { Next::Roll }))
        }
    }

    /// With penalties, an opening and three seats, each of which ends a match in its own way.
    #[test]
    fn a_rehearsal_shows_what_the_match_showed() {
        let ruleset = Ruleset { penalty: 500, penalty_after: 2, opening: 300, ..presets::PLAY_TABLE.clone() };
        let rules = Arc::new(ScoreTable::new(&ruleset));
        let mut referee = Referee::new(rules, 3, Allowance::Standard.limits()).unwrap();
        referee.keep_calls();
        let rehearsal = referee.rehearsal();
        let mut penalties = 0;
        for seed in 0..20 {
            let onlooker = Onlooker::default();
            referee.play(seed, &[&onlooker, &onlooker, &onlooker]).unwrap();
            let events = referee.events().to_vec();
            penalties += events.iter().filter(|e| matches!(e.what, What::Farkled { penalty: Some(_), .. })).count();
            let shown = onlooker.0.lock().unwrap();
            let calls: &[Call] = referee.calls();
            assert_eq!(calls.len(), shown.len());
            rehearsal.begin();
            for (call, shown) in calls.iter().zip(shown.iter()) {
                rehearsal.show(&events, call.event);
                assert_eq!(seen(rehearsal.table()), *shown, "seed {seed}, before event {}", call.event);
            }
        }
        assert!(penalties > 0, "the seeds show penalties");
    }
}
