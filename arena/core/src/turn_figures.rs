//! What a seat's turns came to, in a few figures.
//!
//! Owns the worth of a turn. Refuses to judge a match by it.

use farkle::Points;
use serde::{Deserialize, Serialize};

use crate::event::{Event, What};

/// The turns of one seat, summed up.
///
/// The *worth* of a turn is what it banked; of a farkled turn, minus what was lost by it: the points
/// at risk, and the penalty as far as the banked score fell. So the best turn is the largest bank,
/// and the worst turn is the farkle that threw most away, or the smallest bank of a seat that
/// never farkled. A turn that a fault or the end of the match cut off, by a keep that wins
/// outright, has no worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnFigures {
    /// Turns that were played to their end: by a bank, a farkle, or a keep that won outright.
    pub turns: u64,
    /// Those that ended with a farkle.
    pub farkles: u64,
    /// The highest worth of a turn.
    pub best: Option<Points>,
    /// The lowest worth of a turn.
    pub worst: Option<Points>,
}

impl TurnFigures {
    /// The figures of every seat of a match.
    pub fn of_match(seats: usize, events: &[Event]) -> Vec<TurnFigures> {
        let mut figures = vec![TurnFigures::default(); seats];
        let mut banked = vec![0; seats];
        for event in events {
            let seat = usize::from(event.seat);
            let own = &mut figures[seat];
            match &event.what {
                What::Banked { keep, banked: total } => {
                    banked[seat] = *total;
                    own.add_worth(keep.at_risk);
                }
                What::Farkled { lost, penalty, .. } => {
                    let fallen = penalty.map_or(0, |(_, total)| banked[seat] - total);
                    banked[seat] -= fallen;
                    own.add_worth(-lost - fallen);
                    own.farkles += 1;
                }
                What::Won(_) => own.turns += 1,
                What::Rolled(_) | What::Faulted { .. } => {}
            }
        }
        figures
    }

    fn add_worth(&mut self, worth: Points) {
        self.add(TurnFigures { turns: 1, farkles: 0, best: Some(worth), worst: Some(worth) });
    }

    /// Adds the turns of another match.
    pub fn add(&mut self, other: TurnFigures) {
        self.turns += other.turns;
        self.farkles += other.farkles;
        self.best = self.best.max(other.best);
        // `None` is below every number.
        self.worst = match (self.worst, other.worst) {
            (Some(own), Some(other)) => Some(own.min(other)),
            (own, other) => own.or(other),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(lines: &[&str]) -> Vec<Event> {
        lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// By hand: seat 0 banks 300, farkles 1,000 away at a penalty of 1,000 that takes only its 300,
    /// then banks 50. Seat 1 banks 200, then faults.
    #[test]
    fn turns_are_worth_what_they_bank_or_lose() {
        let events = events(&[
            r#"{"seat":0,"turn":1,"roll":[1,1,2,3,4,6],"keep":[1,1],"points":200,"at_risk":200,"next":"roll"}"#,
            r#"{"seat":0,"turn":1,"roll":[1,2,3,4],"keep":[1],"points":100,"at_risk":300,"next":"bank","banked":300}"#,
            r#"{"seat":1,"turn":1,"roll":[1,1,2,3,4,6],"keep":[1,1],"points":200,"at_risk":200,"next":"bank","banked":200}"#,
            r#"{"seat":0,"turn":2,"roll":[1,1,1,2,3,4],"keep":[1,1,1],"points":1000,"at_risk":1000,"next":"roll"}"#,
            r#"{"seat":0,"turn":2,"roll":[2,3,4],"farkle":true,"lost":1000,"penalty":1000,"banked":0}"#,
            r#"{"seat":1,"turn":2,"roll":[1,2,2,3,4,6],"fault":{"kind":"trap","message":""}}"#,
            r#"{"seat":0,"turn":3,"roll":[5,2,3,4,6,6],"keep":[5],"points":50,"at_risk":50,"next":"bank","banked":50}"#,
        ]);
        let figures = TurnFigures::of_match(2, &events);
        assert_eq!(figures[0], TurnFigures { turns: 3, farkles: 1, best: Some(300), worst: Some(-1_300) });
        assert_eq!(figures[1], TurnFigures { turns: 1, farkles: 0, best: Some(200), worst: Some(200) });
        let mut sum = TurnFigures::default();
        sum.add(figures[1]);
        assert_eq!(sum, figures[1]);
        sum.add(figures[0]);
        assert_eq!(sum, TurnFigures { turns: 4, farkles: 1, best: Some(300), worst: Some(-1_300) });
        sum.add(TurnFigures::default());
        assert_eq!(sum.worst, Some(-1_300));
    }
}
