//! One turn at one position, solved: what every roll and every decision is worth.
//!
//! Owns looking up. Refuses what cannot come about with `None`: points at risk off the step, dice that are
//! not there, keeps and banks that are not legal.

use std::borrow::Cow;

use farkle::{Decision, Faces, Next, Points};

use super::game::{Game, Past};
use super::offers::Offer;
use super::position::Spot;
use super::sweep::{Buffer, ILLEGAL, Turns};
use super::values::{LANES, Place};
use super::{Duel, Oracle};

/// What every state of a turn is worth to the seat whose turn it is: its chance of winning, a shared win
/// counting one half. `N` is `f64` where the turn was just solved, and `f32`, good to seven digits, where
/// it is kept for the next time.
#[derive(Clone, Debug)]
pub struct TurnValues<'a, N: Copy = f64> {
    oracle: &'a Oracle,
    duel: &'a Duel,
    spot: Spot,
    farkle: f64,
    /// By steps at risk: what rolling is worth, by column, then what banking is worth. Above them, and in
    /// closing turns, values come from elsewhere.
    rows: Cow<'a, [N]>,
}

impl<'a, N: Copy + Into<f64>> TurnValues<'a, N> {
    pub(super) fn new(oracle: &'a Oracle, duel: &'a Duel, spot: Spot, rows: Cow<'a, [N]>) -> TurnValues<'a, N> {
        let farkle = match spot {
            Spot::Ordinary(place) => duel.farkle(place),
            Spot::Closing { .. } => 0.0,
        };
        TurnValues { oracle, duel, spot, farkle, rows }
    }

    /// The number of the position where it begins, below [`Oracle::positions`]; closing turns have none.
    pub fn number(&self) -> Option<usize> {
        match self.spot {
            Spot::Ordinary(place) => Some(self.duel.values.number(place)),
            Spot::Closing { .. } => None,
        }
    }

    /// What the turn is worth before its first roll.
    pub fn start(&self) -> f64 {
        self.roll(0, self.game().offers.hot())
    }

    /// What a farkle is worth: the position after it.
    pub fn farkle(&self) -> f64 {
        self.farkle
    }

    /// What rolling so many dice with so many points at risk is worth. `None` where the points are no
    /// multiple of the step, or the dice not 1 to the ruleset's number.
    #[inline]
    pub fn before_roll(&self, at_risk: Points, dice: u8) -> Option<f64> {
        let column = usize::from(dice).checked_sub(1).filter(|column| *column < self.game().offers.dice)?;
        Some(self.roll(self.steps(at_risk)?, column))
    }

    /// What a roll is worth: its best decision, or the farkle that it is. `None` as for
    /// [`before_roll`](TurnValues::before_roll).
    #[inline]
    pub fn after_roll(&self, at_risk: Points, roll: Faces) -> Option<f64> {
        let offers = &self.game().offers;
        let at_risk = self.steps(at_risk)?;
        if roll.is_empty() || usize::from(roll.len()) > offers.dice {
            return None;
        }
        let keeps = offers.of(roll);
        if keeps.is_empty() {
            return Some(self.farkle);
        }
        if offers.wins(roll) {
            return Some(1.0);
        }
        Some(keeps.iter().map(|offer| self.kept(at_risk, *offer)).fold(ILLEGAL, f64::max))
    }

    /// What a decision on a roll is worth. `None` where it is not legal, and as for
    /// [`before_roll`](TurnValues::before_roll).
    pub fn decision(&self, at_risk: Points, roll: Faces, decision: Decision) -> Option<f64> {
        let game = self.game();
        let before = self.steps(at_risk)?;
        let points = self.oracle.table.check_keep(roll, decision.keep).ok()?;
        if self.oracle.rules().six_wins && decision.keep.counts().contains(&6) {
            return Some(1.0);
        }
        let at_risk = before + (points / game.offers.step) as usize;
        let left = roll.len() - decision.keep.len();
        let column = if left == 0 { game.offers.hot() } else { usize::from(left) - 1 };
        match decision.next {
            Next::Roll => Some(self.roll(at_risk, column)),
            Next::Bank if !game.offers.may_bank(column) => None,
            Next::Bank => self.bank(at_risk),
        }
    }

    /// What banking so many points is worth, on hot dice or others. `None` where it is not legal, or the
    /// points no multiple of the step.
    #[inline]
    pub fn banked(&self, at_risk: Points, hot: bool) -> Option<f64> {
        let offers = &self.game().offers;
        if hot && offers.must_roll_hot_dice { None } else { self.bank(self.steps(at_risk)?) }
    }

    /// Whether banking so many points reaches the target, in a turn that is no closing one.
    #[inline]
    pub fn wins_by_banking(&self, at_risk: Points) -> bool {
        match self.spot {
            Spot::Ordinary(place) => place.own + (at_risk / self.game().offers.step) as usize >= self.game().target,
            Spot::Closing { .. } => false,
        }
    }

    #[inline]
    fn game(&self) -> &'a Game {
        &self.duel.game
    }

    #[inline]
    fn steps(&self, at_risk: Points) -> Option<usize> {
        let step = self.game().offers.step;
        if at_risk >= 0 && at_risk % step == 0 { Some((at_risk / step) as usize) } else { None }
    }

    /// Rows are one longer than there are columns: banking comes last.
    #[inline]
    fn row(&self, at_risk: usize) -> Option<&[N]> {
        let width = self.game().offers.dice + 1;
        self.rows.get(at_risk * width..(at_risk + 1) * width)
    }

    /// What standing behind a keep is worth.
    #[inline]
    fn kept(&self, at_risk: usize, offer: Offer) -> f64 {
        let offers = &self.game().offers;
        let (at_risk, column) = (at_risk + offer.steps as usize, offer.column as usize);
        if let Some(row) = self.row(at_risk) {
            let roll: f64 = row[column].into();
            return if offers.may_bank(column) { roll.max(row[offers.dice].into()) } else { roll };
        }
        let bank = if offers.may_bank(column) { self.bank(at_risk) } else { None };
        self.roll(at_risk, column).max(bank.unwrap_or(ILLEGAL))
    }

    #[inline]
    fn roll(&self, at_risk: usize, column: usize) -> f64 {
        match self.row(at_risk) {
            Some(row) => row[column].into(),
            None => self.roll_above(at_risk, column),
        }
    }

    fn bank(&self, at_risk: usize) -> Option<f64> {
        let game = self.game();
        let own = match self.spot {
            Spot::Ordinary(place) => place.own,
            Spot::Closing { own, .. } => own,
        };
        if own == 0 && at_risk < game.opening {
            return None;
        }
        let value = match (self.row(at_risk), self.spot, &game.closing) {
            (Some(row), ..) => Some(row[game.offers.dice].into()),
            (None, Spot::Closing { own, rival }, Some(closing)) => closing.bank(need(own, rival, at_risk)),
            (None, Spot::Ordinary(place), _) => game.bank_past(place.own + at_risk, place.rival),
            // There are no closing positions without a final round.
            (None, Spot::Closing { .. }, None) => None,
        };
        value.filter(|value| *value >= 0.0)
    }

    /// What rolling is worth above the rows.
    #[cold]
    fn roll_above(&self, at_risk: usize, column: usize) -> f64 {
        let game = self.game();
        let place = match (self.spot, &game.closing) {
            (Spot::Closing { own, rival }, Some(closing)) => return closing.roll(need(own, rival, at_risk), column),
            (Spot::Closing { .. }, None) => return 0.0,
            (Spot::Ordinary(place), _) => place,
        };
        let (_, proven) = game.cap(place.rival, self.farkle);
        let past = game.past(proven, self.farkle);
        let total = place.own + at_risk;
        game.offers.roll_on(column, self.farkle, |offer| match past {
            Past::Bank => game.bank_past(total + offer.steps as usize, place.rival).unwrap_or(ILLEGAL),
            Past::Same(values) => values[offer.column as usize],
        })
    }
}

/// Steps that a closing seat needs to tie; negative ones are points to spare.
fn need(own: usize, rival: usize, at_risk: usize) -> i64 {
    rival as i64 - own as i64 - at_risk as i64
}

impl Duel {
    /// What a farkle is worth to the seat to move.
    pub(super) fn farkle(&self, place: Place) -> f64 {
        1.0 - self.values.get(self.game.after_farkle(place))
    }

    /// Solves the turns of eight neighbours on an anti-diagonal, this position's among them: always the same
    /// eight. Those that are no positions are left out.
    pub(super) fn rows_of_neighbours(&self, place: Place) -> Vec<(Place, Box<[f32]>)> {
        let sum = place.own + place.rival;
        let own = (place.own / LANES * LANES + LANES - 1).min(self.game.target - 1).min(sum);
        let rival = sum - own;
        let lanes: [Option<Place>; LANES] = std::array::from_fn(|lane| {
            let (own, rival) = (own.checked_sub(lane)?, rival + lane);
            let is_position = own < self.game.target && rival < self.game.target;
            is_position.then_some(Place { own, rival, ..place })
        });
        let rows = self.sweep_rows(own, rival, lanes, |value| value as f32);
        let solved = lanes.into_iter().zip(rows);
        solved.filter_map(|(place, rows)| Some((place?, rows.into_boxed_slice()))).collect()
    }

    /// Solves a turn: its rows for [`TurnValues`].
    pub(super) fn rows<N: Copy>(&self, place: Place, number: impl Fn(f64) -> N) -> Box<[N]> {
        let [rows] = self.sweep_rows(place.own, place.rival, [Some(place)], number);
        rows.into_boxed_slice()
    }

    /// The rows of neighbours from these scores on, lane by lane; none where there is no position.
    fn sweep_rows<N: Copy, const LANES: usize>(
        &self,
        own: usize,
        rival: usize,
        lanes: [Option<Place>; LANES],
        number: impl Fn(f64) -> N,
    ) -> [Vec<N>; LANES] {
        let rival_streak = lanes.iter().flatten().map(|place| place.rival_streak).next().unwrap_or(0);
        let turns = Turns::<LANES> {
            game: &self.game,
            layout: &self.layout,
            own,
            rival,
            farkle: lanes.map(|lane| lane.map_or(0.0, |place| self.farkle(place))),
            after_bank: self.values.plane(rival_streak, 0),
            stride: self.values.stride,
        };
        let width = self.game.offers.dice + 1;
        let mut rows: [Vec<N>; LANES] = std::array::from_fn(|_| Vec::new());
        turns.sweep(&mut Buffer::new(), |total, rolls, bank| {
            for (lane, place) in lanes.iter().enumerate() {
                let Some(row) = place.and_then(|place| total.checked_sub(place.own)).map(|row| row * width) else {
                    continue;
                };
                // The highest total comes first.
                if rows[lane].is_empty() {
                    rows[lane].resize(row + width, number(ILLEGAL));
                }
                let row = &mut rows[lane][row..row + width];
                for (value, roll) in row.iter_mut().zip(&rolls[..width - 1]) {
                    *value = number(roll[lane]);
                }
                row[width - 1] = number(bank[lane]);
            }
        });
        rows
    }
}

#[cfg(test)]
mod tests {
    use farkle::{Ruleset, presets};

    use super::super::Position;
    use super::*;

    /// Threads that solve each other's neighbours do not wait for each other for ever.
    #[test]
    fn kept_turns_may_be_asked_for_by_many_threads() {
        let rules = Ruleset { target: 1_500, ..presets::IMMEDIATE_WIN };
        let oracle = Oracle::solve(&rules, |_| ()).unwrap();
        let sum = |from: i32| -> f64 {
            let scores = |start: i32| (0..30).map(move |step| 50 * ((step * 7 + start) % 30));
            let positions = scores(from).flat_map(|own| scores(0).map(move |rival| (own, rival)));
            let start =
                |(own, rival)| oracle.kept_turn(&Position { own, rival, ..Position::default() }).unwrap().start();
            positions.map(start).sum()
        };
        let sums: Vec<f64> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|from| {
                    let sum = &sum;
                    scope.spawn(move || sum(from))
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(sums.iter().all(|other| (other - sums[0]).abs() < 1e-9), "{sums:?}");
    }

    /// Eight at a time or one alone, whatever the number of positions.
    #[test]
    fn kept_turns_are_those_that_are_solved_alone() {
        let penalty = Ruleset { penalty: 100, penalty_after: 2, penalty_floor: true, ..presets::PLAY_TABLE };
        for rules in [
            Ruleset { target: 950, ..presets::IMMEDIATE_WIN },
            Ruleset { target: 600, opening: 300, ..presets::PLAY_TABLE },
            Ruleset { target: 500, ..penalty },
            Ruleset { target: 400, exact_landing: true, ..presets::IMMEDIATE_WIN },
        ] {
            let Ok(oracle) = Oracle::solve(&rules, |_| ()) else { continue };
            let scores = || (0..rules.target).step_by(50);
            let mut compared = 0;
            for (own, rival) in scores().flat_map(|own| scores().map(move |rival| (own, rival))) {
                let position = Position { own, rival, ..Position::default() };
                let (Ok(alone), Ok(kept)) = (oracle.turn(&position), oracle.kept_turn(&position)) else { continue };
                for at_risk in (0..1_500).step_by(50) {
                    for dice in 1..=6 {
                        let [alone, kept] = [alone.before_roll(at_risk, dice), kept.before_roll(at_risk, dice)];
                        let (alone, kept) = (alone.unwrap(), kept.unwrap());
                        assert!((alone - kept).abs() < 2e-7, "{own} {rival} {at_risk} {dice}: {alone} {kept}");
                    }
                    let [alone, kept] = [alone.banked(at_risk, false), kept.banked(at_risk, false)];
                    assert_eq!(alone.is_some(), kept.is_some(), "{own} {rival} {at_risk}");
                    assert!((alone.unwrap_or(0.0) - kept.unwrap_or(0.0)).abs() < 2e-7);
                    compared += 1;
                }
            }
            assert!(compared > 500);
        }
    }
}
