//! What rolls are worth, by best play and by some habits.
//!
//! Owns the measures of luck. An agent that banks at 300 gets less out of a roll that leaves five dice than
//! best play does: luck as such an agent sees it tells more of its results. So beside the value of a roll
//! under best play stand those for seats that follow a simple habit to the end of this turn, and best play
//! afterwards. Which of them fit an agent is left to the coefficients.
//!
//! Refuses situations that the solution does not have, such as dice that are not those of the ruleset.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use farkle::{Chart, FACES_COUNT, Faces, Points};

use super::{Luck, MEASURES, RollValues};
use crate::moments::Moment;
use crate::oracle::{Impossible, MOST_KEPT_BYTES, Oracle, TurnValues};

/// Habits: keep what scores most, and bank from so many points at risk on.
pub const HABITS: [Points; MEASURES - 1] = [50, 300, 500];

/// Why a roll has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoValue {
    /// There is no such position.
    #[error(transparent)]
    Impossible(#[from] Impossible),
    /// Points off the step, or dice that are not there.
    #[error("{at_risk} points at risk and a roll of {dice} dice do not come about under this ruleset")]
    Turn {
        /// The points at risk.
        at_risk: Points,
        /// The dice.
        dice: u8,
    },
}

/// The measures under one ruleset: best play, then [`HABITS`]. Threads share what was worked out.
pub struct Measures {
    oracle: Arc<Oracle>,
    /// By [`Faces::index`]: what keeping most of a roll comes to; `None` for a farkle.
    kept: Box<[Option<Kept>; FACES_COUNT]>,
    /// By dice less one: what keeping most of a roll comes to, and the chance of it.
    rolls: Vec<Vec<(Option<Kept>, f64)>>,
    /// By position's number: what rolling is worth to each habit, as far as it rolls.
    turns: Box<[OnceLock<Box<[f32]>>]>,
    turns_bytes: AtomicU64,
    step: Points,
    /// The most that one keep scores, in steps.
    most_steps: usize,
}

/// A keep, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Kept {
    points: Points,
    /// The dice rolled next.
    dice: u8,
    hot: bool,
}

/// Columns of a row: rolls of one to six dice.
const DICE: usize = 6;

impl Measures {
    /// The measures under a solved ruleset.
    pub fn new(oracle: Arc<Oracle>) -> Measures {
        let rules = oracle.rules();
        let chart = Chart::new(rules);
        let most = |roll: Faces| {
            chart.best_keep(roll).map(|keep| {
                let left = roll.len() - keep.dice.len();
                Kept { points: keep.points, dice: if left == 0 { rules.dice } else { left }, hot: left == 0 }
            })
        };
        let mut kept = Box::new([None; FACES_COUNT]);
        let mut rolls: Vec<Vec<(Option<Kept>, f64)>> = vec![Vec::new(); rules.dice.into()];
        for dice in 1..=rules.dice {
            let kinds = &mut rolls[usize::from(dice) - 1];
            for roll in Faces::all(dice) {
                let found = most(roll);
                kept[roll.index()] = found;
                let chance = f64::from(roll.ways()) / 6f64.powi(dice.into());
                match kinds.iter_mut().find(|(kind, _)| *kind == found) {
                    Some((_, same)) => *same += chance,
                    None => kinds.push((found, chance)),
                }
            }
        }
        let positions = if oracle.is_solo() { 0 } else { oracle.positions() };
        let turns = (0..positions).map(|_| OnceLock::new()).collect();
        let step = oracle.step();
        let most_steps = kept.iter().flatten().map(|kept| (kept.points / step) as usize).max().unwrap_or(0);
        Measures { step, most_steps, oracle, kept, rolls, turns, turns_bytes: AtomicU64::new(0) }
    }

    /// The solved ruleset.
    pub fn oracle(&self) -> &Oracle {
        &self.oracle
    }

    /// Rows of a habit: it rolls with less than it has enough.
    fn rows(&self, habit: usize) -> usize {
        (HABITS[habit] + self.step - 1) as usize / self.step as usize
    }

    /// Where the rows of a habit begin.
    fn first_row(&self, habit: usize) -> usize {
        (0..habit).map(|habit| self.rows(habit)).sum()
    }

    /// What rolling is worth to every habit at a position: solved once, as long as there is room to keep it.
    fn values(&self, number: usize, turn: &TurnValues<'_, f32>) -> Cow<'_, [f32]> {
        let place = &self.turns[number];
        if place.get().is_none() && self.turns_bytes.load(Ordering::Relaxed) >= MOST_KEPT_BYTES {
            return Cow::Owned(self.solve(turn).into_vec());
        }
        Cow::Borrowed(place.get_or_init(|| {
            let values = self.solve(turn);
            self.turns_bytes.fetch_add(4 * values.len() as u64, Ordering::Relaxed);
            values
        }))
    }

    /// What rolling is worth to every habit, row by row, solved from high to low.
    fn solve(&self, turn: &TurnValues<'_, f32>) -> Box<[f32]> {
        let rows: usize = (0..HABITS.len()).map(|habit| self.rows(habit)).sum();
        let mut values = vec![0.0_f32; rows * DICE].into_boxed_slice();
        // By steps at risk, what standing there with dice left is worth to who has enough: the same for all
        // habits, and looked up once. Less than nothing where there is no bank.
        let most = (0..HABITS.len()).map(|habit| self.rows(habit)).max().unwrap_or(0) + self.most_steps;
        let banked = |hot| -> Vec<f64> {
            (0..=most).map(|row| turn.banked(row as Points * self.step, hot).unwrap_or(-1.0)).collect()
        };
        let banks = [banked(false), banked(true)];
        let bank = |at_risk: Points, hot: bool| {
            let bank = banks[usize::from(hot)][(at_risk / self.step) as usize];
            (bank >= 0.0).then_some(bank)
        };
        for habit in 0..HABITS.len() {
            let first = self.first_row(habit);
            for row in (0..self.rows(habit)).rev() {
                let at_risk = row as Points * self.step;
                for (column, kinds) in self.rolls.iter().enumerate() {
                    let worth = |kept: &Option<Kept>| self.worth(habit, turn, &values, at_risk, *kept, bank);
                    let mean: f64 = kinds.iter().map(|(kept, chance)| chance * worth(kept)).sum();
                    values[(first + row) * DICE + column] = mean as f32;
                }
            }
        }
        values
    }

    /// What a roll is worth to a habit, by what keeping most of it comes to; `bank` says what banks are worth.
    fn worth(
        &self,
        habit: usize,
        turn: &TurnValues<'_, f32>,
        values: &[f32],
        at_risk: Points,
        kept: Option<Kept>,
        bank: impl Fn(Points, bool) -> Option<f64>,
    ) -> f64 {
        let Some(kept) = kept else { return turn.farkle() };
        let at_risk = at_risk + kept.points;
        let enough = at_risk >= HABITS[habit] || turn.wins_by_banking(at_risk);
        if enough && let Some(bank) = bank(at_risk, kept.hot) {
            return bank;
        }
        self.before(habit, turn, values, at_risk, kept.dice)
    }

    /// What rolling is worth to a habit. Where it would never roll, best play takes over.
    fn before(&self, habit: usize, turn: &TurnValues<'_, f32>, values: &[f32], at_risk: Points, dice: u8) -> f64 {
        let row = (at_risk / self.step) as usize;
        if row < self.rows(habit) {
            return values[(self.first_row(habit) + row) * DICE + usize::from(dice) - 1].into();
        }
        turn.before_roll(at_risk, dice).expect("a turn comes to where keeps lead")
    }
}

impl RollValues for Measures {
    type Error = NoValue;

    fn luck(&self, moment: &Moment) -> Result<Luck, NoValue> {
        let turn = self.oracle.kept_turn(&moment.position())?;
        let (at_risk, roll) = (moment.at_risk, moment.roll);
        let (Some(before), Some(after)) = (turn.before_roll(at_risk, roll.len()), turn.after_roll(at_risk, roll))
        else {
            return Err(NoValue::Turn { at_risk, dice: roll.len() });
        };
        let mut luck = [after - before; MEASURES];
        // In a closing turn habits are given up.
        if let Some(number) = turn.number() {
            let values = self.values(number, &turn);
            for (habit, luck) in luck[1..].iter_mut().enumerate() {
                if (at_risk / self.step) as usize >= self.rows(habit) {
                    continue;
                }
                let bank = |at_risk, hot| turn.banked(at_risk, hot);
                let after = self.worth(habit, &turn, &values, at_risk, self.kept[roll.index()], bank);
                *luck = after - self.before(habit, &turn, &values, at_risk, roll.len());
            }
        }
        Ok(luck)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use farkle::{Ruleset, presets};

    /// Whatever a measure thinks a roll is worth, the mean over all rolls is no luck.
    #[test]
    fn the_mean_of_luck_over_all_rolls_is_none() {
        for rules in [
            Ruleset { target: 1_200, ..presets::IMMEDIATE_WIN },
            Ruleset { target: 1_000, opening: 300, must_roll_hot_dice: true, ..presets::PLAY_TABLE },
        ] {
            let measures = Measures::new(Arc::new(Oracle::solve(&rules, |_| ()).unwrap()));
            let mut differ = [false; MEASURES];
            for (scores, at_risk, dice, closing) in [
                ([0, 0], 0, 6, false),
                ([300, 0], 250, 3, false),
                ([0, 800], 450, 2, false),
                ([700, 300], 1_000, 6, false),
                ([900, 900], 50, 5, false),
                ([300, 1_100], 100, 5, rules.target == 1_000),
            ] {
                let mut mean = [0.0; MEASURES];
                for roll in Faces::all(dice) {
                    let moment =
                        Moment { event: 0, seat: 0, turn: 1, scores, farkles_in_a_row: [0; 2], closing, at_risk, roll };
                    let luck = measures.luck(&moment).unwrap();
                    for measure in 0..MEASURES {
                        mean[measure] += f64::from(roll.ways()) / 6f64.powi(dice.into()) * luck[measure];
                        differ[measure] |= (luck[measure] - luck[0]).abs() > 0.01;
                    }
                }
                assert!(mean.iter().all(|mean| mean.abs() < 1e-6), "{mean:?} at {scores:?}, {at_risk}");
            }
            assert_eq!(differ, [false, true, true, true], "habits are no best play");
        }
    }
}
