//! Games of one seat over a number of turns: the greatest expected total.
//!
//! Every turn but the first bank is played for its points alone. While the opening is due, a bank also opens
//! the turns that follow, which makes it worth more than its points. Refuses penalties and `six_wins`.

use super::offers::Offers;

/// The tables grow until no value changes by more, in points.
const SETTLED: f64 = 1e-9;
/// More rows than any ruleset takes whose points are not absurdly fine.
const MOST_ROWS: usize = 4_000_000;

/// Expected points still to come, by turns left.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Solo {
    /// Of a turn once the opening is met.
    pub(super) turn: f64,
    /// While the opening is due, by turns left, from none.
    pub(super) unopened: Vec<f64>,
}

impl Solo {
    /// Nothing solved yet.
    pub(super) fn unsolved(turns: usize) -> Solo {
        Solo { turn: 0.0, unopened: vec![0.0; turns + 1] }
    }

    /// Everything, to be kept.
    pub(super) fn numbers(&self) -> Vec<f64> {
        [self.turn].into_iter().chain(self.unopened.iter().copied()).collect()
    }

    /// Takes back as many numbers.
    pub(super) fn set(&mut self, numbers: impl Iterator<Item = f64>) {
        for (place, number) in [&mut self.turn].into_iter().chain(&mut self.unopened).zip(numbers) {
            *place = number;
        }
    }

    /// `None` where a table gets too long.
    pub(super) fn new(offers: &Offers, opening: usize, turns: usize) -> Option<Solo> {
        let step = f64::from(offers.step);
        let turn = settled(offers, 0, 0.0)? * step;
        let mut unopened = vec![0.0];
        for left in 1..=turns {
            let none = unopened[left - 1];
            let more = (left - 1) as f64 * turn - none;
            // Of a long match most turns are alike: what opening is worth settles.
            let value =
                if opening == 0 { turn * left as f64 } else { none + settled(offers, opening, more / step)? * step };
            unopened.push(value);
        }
        Some(Solo { turn, unopened })
    }
}

/// What a turn is worth, in steps, when a bank is worth so much more than its points.
fn settled(offers: &Offers, opening: usize, more: f64) -> Option<f64> {
    let mut rows = 1_024.max(2 * opening);
    let mut before = turn(offers, opening, more, rows)[0][offers.hot()];
    loop {
        rows *= 2;
        if rows > MOST_ROWS {
            return None;
        }
        let now = turn(offers, opening, more, rows)[0][offers.hot()];
        if (now - before).abs() <= SETTLED / f64::from(offers.step) {
            return Some(now);
        }
        before = now;
    }
}

/// By steps at risk, then column: what rolling is worth where all is banked from `rows` on.
fn turn(offers: &Offers, opening: usize, more: f64, rows: usize) -> Vec<[f64; 6]> {
    let mut rolls = vec![[0.0; 6]; rows];
    for at_risk in (0..rows).rev() {
        let mut row = [0.0; 6];
        for (column, value) in row.iter_mut().enumerate().take(offers.dice) {
            *value = offers.roll_on(column, 0.0, |offer| {
                let (at_risk, column) = (at_risk + offer.steps as usize, offer.column as usize);
                let roll: f64 = rolls.get(at_risk).map_or(0.0, |row| row[column]);
                let may_bank = at_risk >= opening && (offers.may_bank(column) || at_risk >= rows);
                if may_bank { roll.max(at_risk as f64 + more) } else { roll }
            });
        }
        rolls[at_risk] = row;
    }
    rolls
}
