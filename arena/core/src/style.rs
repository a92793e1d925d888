//! How a seat plays: when it banks, with how many dice left, how often it farkles.
//!
//! Owns the counts. Refuses to judge them: what a decision gave away is told by
//! [`analysis`](crate::analysis).

use std::collections::BTreeMap;

use farkle::Points;

use crate::event::{Event, What};

/// The turns of one agent, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Turns in which dice were rolled and that were played to their end: by a bank, a farkle, or a keep that
    /// won outright.
    pub turns: u64,
    /// Rolls in these turns.
    pub rolls: u64,
    /// Turns that ended with a farkle.
    pub farkles: u64,
    /// Points at risk that farkles threw away, penalties aside.
    pub lost: i64,
    /// Keeps of all dice that were left, after which all are rolled again.
    pub hot_dice: u64,
    /// How often each number of points was banked.
    pub banked: BTreeMap<Points, u64>,
    /// How often so many dice were left when banking: `left[2]` banks with two dice that could have been rolled.
    /// At 0 all of them scored.
    pub left: [u64; 7],
}

impl Style {
    /// How every seat of a match played.
    ///
    /// ```
    /// use arena_core::{Event, style::Style};
    /// let banks = r#"{"seat":1,"turn":1,"roll":[1,2,3,4,6,6],"keep":[1],"points":100,"at_risk":100,"next":"bank","banked":100}"#;
    /// let event: Event = serde_json::from_str(banks)?;
    /// let styles = Style::of_match(2, &[event]);
    /// assert_eq!((styles[1].left[5], styles[1].banked[&100]), (1, 1));
    /// assert_eq!((styles[1].mean_banked(), styles[0].mean_banked()), (Some(100.0), None));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Panics
    ///
    /// When an event is of a seat that is not there.
    pub fn of_match(seats: usize, events: &[Event]) -> Vec<Style> {
        let mut styles = vec![Style::default(); seats];
        let mut rolls = 0;
        for event in events {
            let own = &mut styles[usize::from(event.seat)];
            rolls += 1;
            match &event.what {
                What::Rolled(keep) => {
                    own.hot_dice += u64::from(keep.keep.len() == keep.roll.len());
                    continue;
                }
                What::Banked { keep, .. } => {
                    *own.banked.entry(keep.at_risk).or_default() += 1;
                    own.left[usize::from(keep.roll.len() - keep.keep.len())] += 1;
                }
                What::Won(_) => {}
                What::Farkled { lost, .. } => {
                    own.farkles += 1;
                    own.lost += i64::from(*lost);
                }
                What::Faulted { .. } => {
                    rolls = 0;
                    continue;
                }
            }
            own.turns += 1;
            own.rolls += rolls;
            rolls = 0;
        }
        styles
    }

    /// Takes in what was counted elsewhere.
    pub fn add(&mut self, other: &Style) {
        self.turns += other.turns;
        self.rolls += other.rolls;
        self.farkles += other.farkles;
        self.lost += other.lost;
        self.hot_dice += other.hot_dice;
        for (points, times) in &other.banked {
            *self.banked.entry(*points).or_default() += times;
        }
        self.left.iter_mut().zip(other.left).for_each(|(own, other)| *own += other);
    }

    /// How often it banked.
    #[must_use]
    pub fn banks(&self) -> u64 {
        self.left.iter().sum()
    }

    /// The mean of what was banked; `None` where nothing was.
    #[must_use]
    pub fn mean_banked(&self) -> Option<f64> {
        let points: i64 = self.banked.iter().map(|(points, times)| i64::from(*points) * *times as i64).sum();
        share(points as f64, self.banks())
    }

    /// The share of turns that ended with a farkle, 0 to 1.
    #[must_use]
    pub fn farkle_rate(&self) -> Option<f64> {
        share(self.farkles as f64, self.turns)
    }

    /// The mean number of dice left when banking.
    #[must_use]
    pub fn mean_left(&self) -> Option<f64> {
        let dice: u64 = (0..).zip(self.left).map(|(left, times)| left * times).sum();
        share(dice as f64, self.banks())
    }

    /// Rolls of a turn, on average.
    #[must_use]
    pub fn mean_rolls(&self) -> Option<f64> {
        share(self.rolls as f64, self.turns)
    }
}

fn share(sum: f64, of: u64) -> Option<f64> {
    (of > 0).then(|| sum / of as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand. Seat 0: hot dice, then banks 350 with two dice left; then farkles 200 away; then a fault. Seat
    /// 1: banks six of a kind with no die left.
    #[test]
    fn turns_are_counted_as_they_end() {
        let lines = [
            r#"{"seat":0,"turn":1,"roll":[1,1,1,5,5,5],"keep":[1,1,1,5,5,5],"points":1500,"at_risk":1500,"next":"roll"}"#,
            r#"{"seat":0,"turn":1,"roll":[1,1,2,2,3,4],"keep":[1,1],"points":200,"at_risk":1700,"next":"roll"}"#,
            r#"{"seat":0,"turn":1,"roll":[1,5,2,3],"keep":[1,5],"points":150,"at_risk":1850,"next":"bank","banked":1850}"#,
            r#"{"seat":1,"turn":1,"roll":[2,2,2,2,2,2],"keep":[2,2,2,2,2,2],"points":3000,"at_risk":3000,"next":"bank","banked":3000}"#,
            r#"{"seat":0,"turn":2,"roll":[1,1,2,3,4,6],"keep":[1,1],"points":200,"at_risk":200,"next":"roll"}"#,
            r#"{"seat":0,"turn":2,"roll":[2,3,4,6],"farkle":true,"lost":200}"#,
            r#"{"seat":1,"turn":2,"roll":[2,3,4,6,6,3],"farkle":true,"lost":0}"#,
            r#"{"seat":0,"turn":3,"roll":[1,1,2,3,4,6],"keep":[1,1],"points":200,"at_risk":200,"next":"roll"}"#,
            r#"{"seat":0,"turn":3,"roll":[2,3,4,6],"fault":{"kind":"trap","message":""}}"#,
        ];
        let events: Vec<Event> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        let styles = Style::of_match(2, &events);
        let first = Style {
            turns: 2,
            rolls: 5,
            farkles: 1,
            lost: 200,
            hot_dice: 1,
            banked: BTreeMap::from([(1850, 1)]),
            left: [0, 0, 1, 0, 0, 0, 0],
        };
        let second = Style {
            turns: 2,
            rolls: 2,
            farkles: 1,
            lost: 0,
            hot_dice: 0,
            banked: BTreeMap::from([(3000, 1)]),
            left: [1, 0, 0, 0, 0, 0, 0],
        };
        assert_eq!(styles, [first.clone(), second.clone()]);
        assert_eq!((first.mean_rolls(), first.farkle_rate(), first.mean_left()), (Some(2.5), Some(0.5), Some(2.0)));
        let mut both = first;
        both.add(&second);
        assert_eq!((both.banks(), both.mean_banked(), both.mean_left()), (2, Some(2425.0), Some(1.0)));
        assert_eq!(Style::default().farkle_rate(), None);
    }
}
