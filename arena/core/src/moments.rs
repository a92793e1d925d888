//! The rolls of a match of two, each with the situation in which it was made.
//!
//! Owns going through events and knowing what they leave unsaid: both scores, rows of farkles, whether a
//! turn is a closing one. Refuses other numbers of seats, and to judge what was done.

use farkle::{EndingRule, Faces, Points, Ruleset};

use crate::event::{Event, What};
use crate::oracle::Position;

/// One roll of a match of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The place of its event, from 0.
    pub event: usize,
    /// Whose roll.
    pub seat: u8,
    /// Which turn of that seat, from 1.
    pub turn: u32,
    /// Both banked scores at the start of the turn, by seat.
    pub scores: [Points; 2],
    /// Farkles in a row of both before the turn, by seat.
    pub farkles_in_a_row: [u32; 2],
    /// Whether it is a closing turn.
    pub closing: bool,
    /// Points kept earlier in the turn.
    pub at_risk: Points,
    /// The dice.
    pub roll: Faces,
}

impl Moment {
    /// Where the turn began, as the seat whose roll it is sees it.
    pub fn position(&self) -> Position {
        let own = usize::from(self.seat);
        Position {
            own: self.scores[own],
            rival: self.scores[1 - own],
            own_farkles: self.farkles_in_a_row[own],
            rival_farkles: self.farkles_in_a_row[1 - own],
            closing: self.closing,
        }
    }
}

/// Goes through the rolls of a match of two; `visit` is given each with its event.
///
/// # Errors
///
/// What `visit` says, which ends it.
///
/// # Panics
///
/// When an event is of a seat above 1.
pub fn go_through<E>(
    rules: &Ruleset,
    events: &[Event],
    mut visit: impl FnMut(&Moment, &Event) -> Result<(), E>,
) -> Result<(), E> {
    let (mut scores, mut rows, mut closing, mut at_risk) = ([0; 2], [0; 2], false, 0);
    for (place, event) in events.iter().enumerate() {
        let own = usize::from(event.seat);
        let Some(roll) = event.roll() else { continue };
        let moment = Moment {
            event: place,
            seat: event.seat,
            turn: event.turn,
            scores,
            farkles_in_a_row: rows,
            closing,
            at_risk,
            roll,
        };
        visit(&moment, event)?;
        at_risk = 0;
        match &event.what {
            What::Rolled(keep) => at_risk = keep.at_risk,
            What::Banked { banked, .. } => {
                scores[own] = *banked;
                rows[own] = 0;
                closing |= rules.ending == EndingRule::FinalRound && *banked >= rules.target;
            }
            What::Farkled { penalty, .. } => match penalty {
                Some((_, banked)) => (scores[own], rows[own]) = (*banked, 0),
                None => rows[own] += 1,
            },
            What::Won(_) | What::Faulted { .. } => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Keep;
    use farkle::presets;

    fn kept(seat: u8, turn: u32, at_risk: Points, banked: Option<Points>) -> Event {
        let roll: Faces = "111".parse().unwrap();
        let keep = Keep { roll, keep: roll, points: 1_000, at_risk };
        let what = banked.map_or(What::Rolled(keep), |banked| What::Banked { keep, banked });
        Event { seat, turn, what }
    }

    fn farkled(seat: u8, turn: u32, penalty: Option<(Points, Points)>) -> Event {
        Event { seat, turn, what: What::Farkled { roll: "2".parse().unwrap(), lost: 0, penalty } }
    }

    #[test]
    fn what_events_leave_unsaid() {
        let rules = Ruleset { target: 2_000, ..presets::ELVERSON };
        let events = [
            kept(0, 1, 1_000, None),
            kept(0, 1, 2_000, None),
            farkled(0, 1, None),
            kept(1, 1, 1_000, Some(1_000)),
            farkled(0, 2, None),
            farkled(1, 2, None),
            farkled(0, 3, Some((1_000, 0))),
            kept(1, 3, 1_000, Some(2_000)),
            kept(0, 4, 1_000, Some(1_000)),
        ];
        let mut seen = Vec::new();
        go_through::<()>(&rules, &events, |moment, event| {
            assert_eq!((moment.seat, moment.turn), (event.seat, event.turn));
            seen.push((moment.scores, moment.farkles_in_a_row, moment.closing, moment.at_risk));
            Ok(())
        })
        .unwrap();
        let expected = [
            ([0, 0], [0, 0], false, 0),
            ([0, 0], [0, 0], false, 1_000),
            ([0, 0], [0, 0], false, 2_000),
            ([0, 0], [1, 0], false, 0),
            ([0, 1_000], [1, 0], false, 0),
            ([0, 1_000], [2, 0], false, 0),
            ([0, 1_000], [2, 1], false, 0),
            ([0, 1_000], [0, 1], false, 0),
            ([0, 2_000], [0, 0], true, 0),
        ];
        assert_eq!(seen, expected);
    }
}
