//! The closing turn of a final round.
//!
//! Owns what the one turn after the trigger is worth, by how much is still needed to tie. Refuses to
//! know who triggered.
//!
//! The closing seat wins with a total above the other's and ties with the same one; with less, a bank is
//! worth as little as a farkle. So only the points still needed count. The opening never matters: a total
//! at or past the target takes at least as many points as the opening from a seat that has not opened.

use super::offers::Offers;

/// Below this, a chance that further points needed would take away is not looked at.
const LEAST_CHANGE: f64 = 1e-16;

/// By points needed.
#[derive(Clone, Debug)]
pub(super) struct Closing {
    /// By steps needed to tie, then column: what rolling is worth.
    rolls: Vec<[f64; 6]>,
    /// What rolling is worth with more than is needed already, by column.
    enough: [f64; 6],
    /// What standing behind a keep is worth then.
    enough_kept: [f64; 6],
    exact: bool,
}

/// The most rows made: more than any ruleset takes whose points are not absurdly fine.
pub(super) const MOST_ROWS: usize = 4_000_000;

impl Closing {
    /// `exact` says that no bank may pass the target, and so none may win. `None` where the table gets
    /// too long.
    pub(super) fn new(offers: &Offers, exact: bool) -> Option<Closing> {
        let enough_kept = if exact { offers.stationary(0.0, 0.0) } else { offers.stationary(1.0, 0.0) };
        let mut enough = [0.0; 6];
        for (column, value) in enough.iter_mut().enumerate().take(offers.dice) {
            *value = offers.roll_on(column, 0.0, |offer| enough_kept[offer.column as usize]);
        }
        let mut closing = Closing { rolls: Vec::new(), enough, enough_kept, exact };
        let mut still = 0;
        while still <= offers.most_steps {
            let need = closing.rolls.len();
            if need > MOST_ROWS {
                return None;
            }
            let mut row = [0.0; 6];
            for (column, value) in row.iter_mut().enumerate().take(offers.dice) {
                *value = offers.roll_on(column, 0.0, |offer| {
                    closing.kept(offers, need as i64 - i64::from(offer.steps), offer.column as usize)
                });
            }
            let before = closing.rolls.last().unwrap_or(&closing.enough);
            let changed = row.iter().zip(before).any(|(a, b)| (a - b).abs() > LEAST_CHANGE);
            still = if changed { 0 } else { still + 1 };
            closing.rolls.push(row);
        }
        Some(closing)
    }

    /// What rolling is worth with so many steps needed to tie; negative ones are points to spare.
    #[inline]
    pub(super) fn roll(&self, need: i64, column: usize) -> f64 {
        match usize::try_from(need) {
            Ok(need) => self.rolls[need.min(self.rolls.len() - 1)][column],
            Err(_) => self.enough[column],
        }
    }

    /// What a bank is worth; `None` where it is illegal for passing the target.
    #[inline]
    pub(super) fn bank(&self, need: i64) -> Option<f64> {
        match need {
            1.. => Some(0.0),
            0 => Some(0.5),
            _ if self.exact => None,
            _ => Some(1.0),
        }
    }

    /// How many steps can be needed before the chance stays the same.
    pub(super) fn rows(&self) -> usize {
        self.rolls.len()
    }

    fn kept(&self, offers: &Offers, need: i64, column: usize) -> f64 {
        if need < 0 {
            return self.enough_kept[column];
        }
        let bank = if offers.may_bank(column) { self.bank(need) } else { None };
        self.roll(need, column).max(bank.unwrap_or(0.0))
    }
}
