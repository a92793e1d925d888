//! The course of a match: a state machine from the first roll to the ranks.
//!
//! Owns whose turn it is, what may be done, and what each action leads to, for any number of
//! seats and every ending. Refuses illegal actions and stays unchanged by them; refuses to know
//! where dice come from or who decides.
//!
//! A turn is: [`roll`](MatchState::roll), then [`keep`](MatchState::keep), then either
//! [`bank`](MatchState::bank), which ends the turn, or the next roll. A roll without a legal keep
//! ends the turn by itself.

mod action;

use std::sync::Arc;

pub use self::action::{Bank, Decision, Fallen, Farkle, IllegalAction, IllegalBank, Kept, Next};
use crate::faces::Faces;
use crate::keeps::ScoreTable;
use crate::ruleset::{EndingRule, Points};

/// A match in progress.
///
/// ```
/// use std::sync::Arc;
/// use farkle::{Bank, MatchState, ScoreTable, presets};
///
/// let table = Arc::new(ScoreTable::new(&presets::IMMEDIATE_WIN));
/// let mut game = MatchState::new(table, 2, 1_000);
/// assert!(game.roll("112346".parse()?)?.is_none(), "not a farkle");
/// assert_eq!(game.keep("11".parse()?)?, 200);
/// assert_eq!(game.bank()?, Bank { points: 200, banked: 200 });
/// assert_eq!(game.to_move(), Some(1));
/// assert!(game.bank().is_err(), "nothing kept yet in this turn");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MatchState {
    table: Arc<ScoreTable>,
    seats: Vec<SeatState>,
    turn_limit: u32,
    to_move: usize,
    phase: Phase,
    /// Whether a seat reached the target, so that only closing turns are left.
    closing: bool,
    /// Points kept in this turn and not banked.
    at_risk: Points,
    /// Rolls made in this turn.
    rolls: u32,
    faulted: u32,
}

/// What one seat has on its score line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatState {
    /// Banked points.
    pub banked: Points,
    /// Turns finished.
    pub turns: u32,
    /// Farkles in a row, up to now; a bank and a penalty both end the row.
    pub farkles_in_a_row: u32,
    /// `Some(n)` when this was the `n`-th seat (from 0) to forfeit.
    pub forfeited: Option<u32>,
    /// Whether a closing turn is still owed.
    owed: bool,
}

/// What the seat to move has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Roll so many dice: the first roll of a turn.
    ToRoll {
        /// How many.
        dice: u8,
    },
    /// Keep some dice of this roll.
    ToKeep {
        /// The dice on the table.
        roll: Faces,
    },
    /// Bank, or roll so many dice.
    ToChoose {
        /// The dice for the next roll: the number left, or all on hot dice.
        dice: u8,
        /// Whether every die was set aside.
        hot: bool,
    },
    /// Nothing: the match is over.
    Over(Ending),
}

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Ending {
    /// A bank reached the target.
    ImmediateWin,
    /// All closing turns were played.
    FinalRound,
    /// Every seat had the turns that the ruleset gives.
    Turns,
    /// Every seat had as many turns as the match's limit allows (ruling 14).
    TurnLimit,
    /// Six alike were kept where that wins (ruling 20).
    OutrightWin,
    /// Forfeits left one seat, or none.
    Forfeit,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchResult {
    /// Banked points, by seat.
    pub scores: Vec<Points>,
    /// Ranks from 1, by seat; equal ranks are shared (1, 1, 3).
    pub ranks: Vec<u32>,
    /// Why it ended.
    pub ending: Ending,
}

impl MatchState {
    /// A new match: seat 0 to roll. Every seat has at most `turn_limit` turns, closing turns
    /// aside.
    ///
    /// # Panics
    ///
    /// When there are no seats. How many a ruleset allows is for the caller to check.
    pub fn new(table: Arc<ScoreTable>, seats: usize, turn_limit: u32) -> MatchState {
        assert!(seats > 0, "a match needs a seat");
        let dice = table.ruleset().dice;
        MatchState {
            table,
            seats: vec![SeatState::default(); seats],
            turn_limit,
            to_move: 0,
            phase: Phase::ToRoll { dice },
            closing: false,
            at_risk: 0,
            rolls: 0,
            faulted: 0,
        }
    }

    /// Starts a new match at the same table, with as many seats, in the same memory.
    pub fn restart(&mut self) {
        self.seats.fill(SeatState::default());
        self.to_move = 0;
        self.phase = Phase::ToRoll { dice: self.table.ruleset().dice };
        self.closing = false;
        self.at_risk = 0;
        self.rolls = 0;
        self.faulted = 0;
    }

    /// The ruleset with its table.
    pub fn table(&self) -> &Arc<ScoreTable> {
        &self.table
    }

    /// What is to be done now.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The seat to move, or `None` when the match is over.
    #[inline]
    pub fn to_move(&self) -> Option<usize> {
        if matches!(self.phase, Phase::Over(_)) { None } else { Some(self.to_move) }
    }

    /// All seats.
    #[inline]
    pub fn seats(&self) -> &[SeatState] {
        &self.seats
    }

    /// Points kept in this turn and not banked.
    #[inline]
    pub fn at_risk(&self) -> Points {
        self.at_risk
    }

    /// Rolls made in this turn, the one on the table included.
    #[inline]
    pub fn rolls(&self) -> u32 {
        self.rolls
    }

    /// Whether a seat reached the target, so that this is a closing turn.
    #[inline]
    pub fn is_closing(&self) -> bool {
        self.closing
    }

    /// The least that this turn must be worth to be banked by the seat to move: the opening while
    /// its banked score is not above zero, else 0 (ruling 9).
    #[inline]
    pub fn opening_due(&self) -> Points {
        if self.seats[self.to_move].banked > 0 { 0 } else { self.table.ruleset().opening }
    }

    /// The highest banked score among the other seats still in the match; 0 when there is none.
    #[inline]
    pub fn best_rival(&self) -> Points {
        let rivals = self.seats.iter().enumerate().filter(|(seat, s)| *seat != self.to_move && s.forfeited.is_none());
        rivals.map(|(_, s)| s.banked).max().unwrap_or(0)
    }

    /// Puts a roll on the table. A farkle ends the turn at once and is returned.
    ///
    /// # Errors
    ///
    /// [`IllegalAction`] when no roll is due, or one of another number of dice.
    #[inline]
    pub fn roll(&mut self, roll: Faces) -> Result<Option<Farkle>, IllegalAction> {
        let dice = match self.phase {
            Phase::ToRoll { dice } | Phase::ToChoose { dice, .. } => dice,
            Phase::ToKeep { .. } => return Err(IllegalAction::RollPending),
            Phase::Over(_) => return Err(IllegalAction::Over),
        };
        if roll.len() != dice {
            return Err(IllegalAction::WrongNumberOfDice { rolled: roll.len(), dice });
        }
        self.rolls += 1;
        if self.table.is_farkle(roll) {
            return Ok(Some(self.farkle()));
        }
        self.phase = Phase::ToKeep { roll };
        Ok(None)
    }

    /// Sets dice of the roll aside and returns their points. Where six alike win outright, keeping
    /// them ends the match.
    ///
    /// # Errors
    ///
    /// [`IllegalAction`] when there is no roll, or the keep is not legal.
    #[inline]
    pub fn keep(&mut self, keep: Faces) -> Result<Points, IllegalAction> {
        let (roll, points) = self.check_keep(keep)?;
        self.set_aside(roll, keep, points);
        Ok(points)
    }

    /// Banks the points at risk and ends the turn.
    ///
    /// # Errors
    ///
    /// [`IllegalAction`] when nothing was kept since the last roll, or the ruleset forbids the
    /// bank.
    #[inline]
    pub fn bank(&mut self) -> Result<Bank, IllegalAction> {
        match self.phase {
            Phase::ToChoose { hot, .. } => self.check_bank(self.at_risk, hot)?,
            Phase::ToRoll { .. } | Phase::ToKeep { .. } => return Err(IllegalBank::NothingKept.into()),
            Phase::Over(_) => return Err(IllegalAction::Over),
        }
        Ok(self.credit())
    }

    /// A keep, and what follows, as one action: either all of it is legal or nothing happens.
    ///
    /// # Errors
    ///
    /// [`IllegalAction`] as for [`keep`](MatchState::keep) and [`bank`](MatchState::bank).
    #[inline]
    pub fn decide(&mut self, decision: Decision) -> Result<Kept, IllegalAction> {
        let (roll, points) = self.check_keep(decision.keep)?;
        let at_risk = self.at_risk + points;
        let wins = self.wins_outright(decision.keep);
        if decision.next == Next::Bank && !wins {
            self.check_bank(at_risk, decision.keep == roll)?;
        }
        self.set_aside(roll, decision.keep, points);
        let then = match (decision.next, self.phase) {
            _ if wins => Fallen::Wins,
            (Next::Bank, _) => Fallen::Banked(self.credit()),
            (Next::Roll, Phase::ToChoose { dice, .. }) => Fallen::Rolls(dice),
            (Next::Roll, _) => unreachable!("a keep that does not win leaves a choice"),
        };
        Ok(Kept { points, at_risk, then })
    }

    /// Whether the points at risk could be banked now, after a keep.
    ///
    /// # Errors
    ///
    /// [`IllegalAction`] as for [`bank`](MatchState::bank).
    pub fn can_bank(&self) -> Result<(), IllegalAction> {
        self.clone().bank().map(|_| ())
    }

    /// A seat forfeits: it ranks last of those still in, its score stands as a figure only, and
    /// the seat due next stays the same (ruling 15).
    ///
    /// # Errors
    ///
    /// [`IllegalAction::Over`] when the match is over, the seat does not exist or has forfeited.
    pub fn forfeit(&mut self, seat: usize) -> Result<(), IllegalAction> {
        let over = matches!(self.phase, Phase::Over(_));
        match self.seats.get_mut(seat) {
            Some(state) if !over && state.forfeited.is_none() => state.forfeited = Some(self.faulted),
            _ => return Err(IllegalAction::Over),
        }
        self.faulted += 1;
        let left = self.seats.iter().filter(|s| s.forfeited.is_none()).count();
        if left == 0 || (left == 1 && self.seats.len() > 1) {
            self.phase = Phase::Over(Ending::Forfeit);
        } else if seat == self.to_move {
            self.pass_on();
        }
        Ok(())
    }

    /// Scores, ranks and the reason of the end, once the match is over.
    ///
    /// Ranks: the seat that won outright; then by banked score, equal scores sharing a rank
    /// (rulings 12 and 17); then those that forfeited, the later the higher (ruling 15).
    pub fn result(&self) -> Option<MatchResult> {
        let mut result = MatchResult { scores: Vec::new(), ranks: Vec::new(), ending: Ending::Forfeit };
        self.result_into(&mut result).then_some(result)
    }

    /// The same in memory that is there already. Whether the match is over; nothing changes if it is not.
    pub fn result_into(&self, result: &mut MatchResult) -> bool {
        let Phase::Over(ending) = self.phase else { return false };
        let key = |seat: usize| {
            let state = self.seats[seat];
            let outright = ending == Ending::OutrightWin && seat == self.to_move;
            match state.forfeited {
                None => (1, outright, i64::from(state.banked)),
                Some(order) => (0, false, i64::from(order)),
            }
        };
        let rank = |seat| 1 + (0..self.seats.len()).filter(|other| key(*other) > key(seat)).count() as u32;
        result.scores.clear();
        result.scores.extend(self.seats.iter().map(|s| s.banked));
        result.ranks.clear();
        result.ranks.extend((0..self.seats.len()).map(rank));
        result.ending = ending;
        true
    }

    fn check_keep(&self, keep: Faces) -> Result<(Faces, Points), IllegalAction> {
        match self.phase {
            Phase::ToKeep { roll } => Ok((roll, self.table.check_keep(roll, keep)?)),
            Phase::Over(_) => Err(IllegalAction::Over),
            Phase::ToRoll { .. } | Phase::ToChoose { .. } => Err(IllegalAction::NoRoll),
        }
    }

    fn check_bank(&self, at_risk: Points, hot: bool) -> Result<(), IllegalBank> {
        let rules = self.table.ruleset();
        let total = self.seats[self.to_move].banked + at_risk;
        if at_risk < self.opening_due() {
            Err(IllegalBank::BelowOpening { at_risk, opening: rules.opening })
        } else if hot && rules.must_roll_hot_dice {
            Err(IllegalBank::HotDice)
        } else if rules.exact_landing && total > rules.target {
            Err(IllegalBank::PassesTarget { at_risk, total, target: rules.target })
        } else {
            Ok(())
        }
    }

    fn wins_outright(&self, keep: Faces) -> bool {
        self.table.ruleset().six_wins && keep.counts().contains(&6)
    }

    fn set_aside(&mut self, roll: Faces, keep: Faces, points: Points) {
        self.at_risk += points;
        let left = roll.len() - keep.len();
        let hot = left == 0;
        self.phase = if self.wins_outright(keep) {
            Phase::Over(Ending::OutrightWin)
        } else {
            Phase::ToChoose { dice: if hot { self.table.ruleset().dice } else { left }, hot }
        };
    }

    fn credit(&mut self) -> Bank {
        let points = self.at_risk;
        let rules = self.table.ruleset();
        let (ending, target) = (rules.ending, rules.target);
        let seat = &mut self.seats[self.to_move];
        seat.banked += points;
        seat.farkles_in_a_row = 0;
        let banked = seat.banked;
        if banked >= target && !self.closing {
            match ending {
                EndingRule::ImmediateWin => {
                    self.end_turn();
                    self.phase = Phase::Over(Ending::ImmediateWin);
                    return Bank { points, banked };
                }
                EndingRule::FinalRound => {
                    self.closing = true;
                    for (seat, state) in self.seats.iter_mut().enumerate() {
                        state.owed = seat != self.to_move;
                    }
                }
                EndingRule::Turns => {}
            }
        }
        self.end_turn();
        self.pass_on();
        Bank { points, banked }
    }

    fn farkle(&mut self) -> Farkle {
        let lost = self.at_risk;
        let rules = self.table.ruleset();
        let seat = &mut self.seats[self.to_move];
        seat.farkles_in_a_row += 1;
        let penalised = rules.penalty > 0 && seat.farkles_in_a_row == rules.penalty_after;
        if penalised {
            seat.farkles_in_a_row = 0;
            let after = seat.banked - rules.penalty;
            // The floor stops a fall; it never lifts a score.
            seat.banked = if rules.penalty_floor { after.max(seat.banked.min(0)) } else { after };
        }
        let banked = seat.banked;
        self.end_turn();
        self.pass_on();
        Farkle { lost, penalised, banked }
    }

    fn end_turn(&mut self) {
        let seat = &mut self.seats[self.to_move];
        seat.turns += 1;
        seat.owed = false;
        self.at_risk = 0;
        self.rolls = 0;
    }

    /// Hands the dice to the next seat that has a turn to play, or ends the match.
    fn pass_on(&mut self) {
        self.at_risk = 0;
        self.rolls = 0;
        let rules = self.table.ruleset();
        let (limit, ending) = match rules.ending {
            EndingRule::Turns if rules.turns <= self.turn_limit => (rules.turns, Ending::Turns),
            _ => (self.turn_limit, Ending::TurnLimit),
        };
        let count = self.seats.len();
        let may_move = |state: &SeatState| {
            state.forfeited.is_none() && if self.closing { state.owed } else { state.turns < limit }
        };
        let next = (1..=count).map(|step| (self.to_move + step) % count).find(|seat| may_move(&self.seats[*seat]));
        self.phase = match next {
            Some(seat) => {
                self.to_move = seat;
                Phase::ToRoll { dice: rules.dice }
            }
            None if self.closing => Phase::Over(Ending::FinalRound),
            None => Phase::Over(ending),
        };
    }
}
