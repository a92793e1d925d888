//! A match, judged after it was played.
//!
//! Owns a second account of everything at the table, from the words of the rules: the dice, who is to
//! move, what each answer leads to, what the agents are told, when it ends and how it ranks. Refuses the
//! game's own state machine: that is what is judged.

use arena_core::dice::roll_at;
use arena_core::event::{Keep, What};
use arena_core::{Answer, Call, Event, FaultKind, Played, Told, Turn};
use farkle::{Ending, EndingRule, Next, Points};

use crate::slow_keeps::{SlowKeeps, size};
use crate::slow_scorer::{Counts, faces};

#[derive(Clone, Copy, Default)]
struct Seat {
    banked: Points,
    turns: u32,
    farkles_in_a_row: u32,
    /// Its place among those that forfeited, from 1.
    out: Option<usize>,
    /// Has played its closing turn, or reached the target first.
    closed: bool,
}

/// The account of one match.
pub(crate) struct Judge<'a> {
    keeps: &'a SlowKeeps,
    seed: u64,
    turn_limit: u32,
    seats: Vec<Seat>,
    to_move: usize,
    closing: bool,
    ending: Option<Ending>,
    /// Who won outright.
    winner: Option<usize>,
    events: std::slice::Iter<'a, Event>,
    calls: Vec<&'a Call>,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(
        keeps: &'a SlowKeeps,
        seed: u64,
        turn_limit: u32,
        seats: usize,
        events: &'a [Event],
        calls: &'a [Call],
    ) -> Judge<'a> {
        let mut calls: Vec<&Call> = calls.iter().filter(|call| matches!(call.told, Told::Turn(_))).collect();
        calls.reverse();
        let seats = vec![Seat::default(); seats];
        Judge {
            keeps,
            seed,
            turn_limit,
            seats,
            to_move: 0,
            closing: false,
            ending: None,
            winner: None,
            events: events.iter(),
            calls,
        }
    }

    /// Goes through the whole match.
    pub(crate) fn judge(mut self, played: &Played) {
        while self.ending.is_none()
            && let Some(event) = self.events.as_slice().first().filter(|event| event.turn == 0)
        {
            self.events.next();
            assert!(matches!(event.what, What::Faulted { roll: None, .. }), "{event}");
            let seat = usize::from(event.seat);
            // Seats are started in their order.
            assert!((seat..self.seats.len()).all(|later| self.seats[later].out.is_none()), "{event}");
            self.forfeit(seat);
        }
        while self.ending.is_none() {
            self.turn();
        }
        assert_eq!(self.events.next(), None, "an event after the end");
        assert!(self.calls.is_empty(), "calls after the end: {:?}", self.calls);
        let result = &played.result;
        assert_eq!(Some(result.ending), self.ending);
        assert_eq!(result.scores, self.seats.iter().map(|seat| seat.banked).collect::<Vec<_>>());
        assert_eq!(result.ranks, self.ranks());
        let mut out: Vec<(usize, usize)> =
            self.seats.iter().enumerate().filter_map(|(seat, state)| state.out.map(|place| (place, seat))).collect();
        out.sort_unstable();
        assert!(out.iter().map(|(_, seat)| *seat).eq(played.faults.iter().map(|(seat, _)| usize::from(*seat))));
    }

    fn turn(&mut self) {
        let rules = self.keeps.rules();
        let (seat, turn) = (self.to_move, self.seats[self.to_move].turns + 1);
        let (mut at_risk, mut rolls, mut dice) = (0, 0, rules.dice);
        loop {
            let roll = roll_at(self.seed, seat as u8, turn - 1, rolls, dice).unwrap();
            rolls += 1;
            let event = self.events.next().expect("the match is not over");
            assert_eq!((usize::from(event.seat), event.turn), (seat, turn), "{event}");
            let legal = self.keeps.of(roll.counts());
            if legal.is_empty() {
                let penalty = self.farkle();
                assert_eq!(event.what, What::Farkled { roll, lost: at_risk, penalty });
                return;
            }
            let call = self.calls.pop().expect("an agent is asked");
            assert_eq!(usize::from(call.seat), seat);
            let told = Turn {
                roll,
                at_risk,
                score: self.seats[seat].banked,
                best_rival: self.best_rival(),
                opening_due: self.opening_due(),
                turns: turn - 1,
                rolls,
                farkles_in_a_row: self.seats[seat].farkles_in_a_row,
                closing: self.closing,
            };
            assert_eq!(call.told, Told::Turn(told));
            let Some(Answer { keep, next }) = call.answer else {
                assert!(matches!(&event.what, What::Faulted { roll: shown, .. } if *shown == Some(roll)), "{event}");
                return self.forfeit_in_turn();
            };
            let Some((_, points)) = legal.iter().find(|(dice, _)| *dice == keep) else {
                return self.refused(event, roll.counts(), FaultKind::IllegalKeep);
            };
            at_risk += points;
            let kept = Keep { roll, keep: faces(keep), points: *points, at_risk };
            if rules.six_wins && keep.contains(&6) {
                assert_eq!(event.what, What::Won(kept));
                self.winner = Some(seat);
                self.ending = Some(Ending::OutrightWin);
                return;
            }
            dice = match dice - size(keep) {
                0 => rules.dice,
                left => left,
            };
            match next {
                Next::Roll => assert_eq!(event.what, What::Rolled(kept)),
                Next::Bank if self.may_bank(at_risk, keep == roll.counts()) => {
                    let banked = self.seats[seat].banked + at_risk;
                    assert_eq!(event.what, What::Banked { keep: kept, banked });
                    return self.bank(banked);
                }
                Next::Bank => return self.refused(event, roll.counts(), FaultKind::IllegalBank),
            }
        }
    }

    fn refused(&mut self, event: &Event, on: Counts, with: FaultKind) {
        match &event.what {
            What::Faulted { roll: Some(roll), fault } => {
                assert_eq!((roll.counts(), fault.kind), (on, with), "{event}");
                assert!(!fault.message.is_empty());
            }
            other => panic!("{other:?}, not a fault: {with}"),
        }
        self.forfeit_in_turn();
    }

    /// The opening binds while the banked score is not above zero (ruling 9).
    fn opening_due(&self) -> Points {
        if self.seats[self.to_move].banked > 0 { 0 } else { self.keeps.rules().opening }
    }

    fn may_bank(&self, at_risk: Points, hot: bool) -> bool {
        let rules = self.keeps.rules();
        let passes = self.seats[self.to_move].banked + at_risk > rules.target;
        at_risk >= self.opening_due() && !(hot && rules.must_roll_hot_dice) && !(rules.exact_landing && passes)
    }

    fn best_rival(&self) -> Points {
        let others = self.seats.iter().enumerate().filter(|(seat, state)| *seat != self.to_move && state.out.is_none());
        others.map(|(_, state)| state.banked).max().unwrap_or(0)
    }

    fn bank(&mut self, banked: Points) {
        let rules = self.keeps.rules();
        let seat = &mut self.seats[self.to_move];
        seat.banked = banked;
        seat.farkles_in_a_row = 0;
        if banked >= rules.target && rules.ending == EndingRule::ImmediateWin {
            self.ending = Some(Ending::ImmediateWin);
            return;
        }
        self.closing |= banked >= rules.target && rules.ending == EndingRule::FinalRound;
        self.end_turn();
    }

    /// What the farkle costs: the penalty and the score after it.
    fn farkle(&mut self) -> Option<(Points, Points)> {
        let rules = self.keeps.rules();
        let seat = &mut self.seats[self.to_move];
        seat.farkles_in_a_row += 1;
        let due = rules.penalty > 0 && seat.farkles_in_a_row == rules.penalty_after;
        let penalty = due.then(|| {
            seat.farkles_in_a_row = 0;
            seat.banked -= rules.penalty;
            if rules.penalty_floor {
                seat.banked = seat.banked.max(0);
            }
            (rules.penalty, seat.banked)
        });
        self.end_turn();
        penalty
    }

    fn end_turn(&mut self) {
        let closing = self.closing;
        let seat = &mut self.seats[self.to_move];
        seat.turns += 1;
        seat.closed |= closing;
        self.pass_on();
    }

    fn forfeit_in_turn(&mut self) {
        self.forfeit(self.to_move);
    }

    /// A seat is out; where one is left of several, or none of one, that is the end (ruling 15).
    fn forfeit(&mut self, seat: usize) {
        let before = self.seats.iter().filter(|state| state.out.is_some()).count();
        self.seats[seat].out = Some(before + 1);
        let left = self.seats.len() - before - 1;
        if left == 0 || (left == 1 && self.seats.len() > 1) {
            self.ending = Some(Ending::Forfeit);
        } else if seat == self.to_move {
            self.pass_on();
        }
    }

    fn pass_on(&mut self) {
        let rules = self.keeps.rules();
        let by_rules = rules.ending == EndingRule::Turns && rules.turns <= self.turn_limit;
        let most = if by_rules { rules.turns } else { self.turn_limit };
        for step in 1..=self.seats.len() {
            let seat = (self.to_move + step) % self.seats.len();
            let state = self.seats[seat];
            let has_turn = if self.closing { !state.closed } else { state.turns < most };
            if state.out.is_none() && has_turn {
                self.to_move = seat;
                return;
            }
        }
        self.ending = Some(match (self.closing, by_rules) {
            (true, _) => Ending::FinalRound,
            (false, true) => Ending::Turns,
            (false, false) => Ending::TurnLimit,
        });
    }

    fn ranks(&self) -> Vec<u32> {
        let better = |a: usize, b: usize| match (self.seats[a].out, self.seats[b].out) {
            (None, Some(_)) => true,
            (Some(_), None) => false,
            (Some(a), Some(b)) => a > b,
            (None, None) if self.winner == Some(a) || self.winner == Some(b) => self.winner == Some(a) && a != b,
            (None, None) => self.seats[a].banked > self.seats[b].banked,
        };
        let seats = 0..self.seats.len();
        seats.clone().map(|seat| 1 + seats.clone().filter(|other| better(*other, seat)).count() as u32).collect()
    }
}
