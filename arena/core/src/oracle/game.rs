//! A two-seat game as the solver sees it: everything in steps, and what ends it.
//!
//! Owns what a bank is worth once it reaches the target, and from which total on nothing has to be
//! looked at. Refuses to know what a bank short of the target is worth: that is what is solved.

use farkle::{EndingRule, Ruleset};

use super::closing::Closing;
use super::offers::Offers;

/// Below this, what a closing turn may still win is nothing: far below what values are good to.
const NOTHING: f64 = 1e-11;

/// A ruleset, in steps.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub(super) offers: Offers,
    /// The least total, in steps, that reaches the target.
    pub(super) target: usize,
    /// The least steps at risk that open.
    pub(super) opening: usize,
    pub(super) exact: bool,
    /// Under a final round.
    pub(super) closing: Option<Closing>,
    /// How many rows of farkles a seat can be in: 1 where there is no penalty.
    pub(super) streaks: usize,
    /// Steps that a full row of farkles costs.
    pub(super) penalty: usize,
    /// By steps of deficit: the most that a closing turn wins with that or more.
    closing_wins: Vec<f64>,
    least_farkle: f64,
}

/// What stands above the totals that are looked at one by one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Past {
    /// Banking is best wherever there is a choice.
    Bank,
    /// Nothing depends on the total any more: what standing behind a keep is worth, by column.
    Same([f64; 6]),
}

impl Game {
    /// `None` where a table gets too long.
    pub(super) fn new(rules: &Ruleset, offers: Offers) -> Option<Game> {
        let step = offers.step as usize;
        let closing = match rules.ending {
            EndingRule::FinalRound => Some(Closing::new(&offers, rules.exact_landing)?),
            EndingRule::ImmediateWin | EndingRule::Turns => None,
        };
        let mut closing_wins: Vec<f64> = Vec::new();
        if let Some(closing) = &closing {
            closing_wins = (0..closing.rows()).map(|need| closing.roll(need as i64, offers.hot())).collect();
            // More is needed for less chance; should a chart be so odd that it is not, this is still a bound.
            for need in (1..closing_wins.len()).rev() {
                closing_wins[need - 1] = closing_wins[need - 1].max(closing_wins[need]);
            }
        }
        Some(Game {
            target: (rules.target as usize).div_ceil(step),
            opening: (rules.opening as usize).div_ceil(step),
            exact: rules.exact_landing,
            closing,
            streaks: if rules.penalty > 0 { rules.penalty_after as usize } else { 1 },
            penalty: rules.penalty as usize / step,
            closing_wins,
            least_farkle: if rules.must_roll_hot_dice { 0.0 } else { offers.least_farkle() },
            offers,
        })
    }

    /// What a bank of this total, at or past the target, is worth against this rival; `None` where it is
    /// illegal.
    #[inline]
    pub(super) fn bank_past(&self, total: usize, rival: usize) -> Option<f64> {
        if self.exact && total > self.target {
            return None;
        }
        Some(match &self.closing {
            None => 1.0,
            Some(closing) => 1.0 - closing.roll(total as i64 - rival as i64, self.offers.hot()),
        })
    }

    /// From which total on nothing has to be looked at, for rivals of at most this score and a farkle
    /// worth at most this.
    pub(super) fn cap(&self, rival: usize, farkle: f64) -> (usize, bool) {
        if self.exact {
            return (self.target + 1, false);
        }
        if self.closing.is_none() {
            return (self.target, false);
        }
        // Rolling on wins at most where it does not farkle; so a bank is best where the other seat's
        // closing turn takes less from it than a farkle would.
        let enough = self.least_farkle * (1.0 - farkle);
        let deficit = self.closing_wins.partition_point(|wins| *wins > enough.max(NOTHING));
        let proven = enough > NOTHING && self.closing_wins.get(deficit).is_some();
        (self.target.max(rival + deficit), proven)
    }

    /// What stands from the cap on, where a farkle is worth this.
    pub(super) fn past(&self, proven: bool, farkle: f64) -> Past {
        if proven {
            return Past::Bank;
        }
        let bank = match self.closing_wins.last() {
            // A bank is illegal, and as good as a farkle to who may only roll until there is one.
            _ if self.exact => farkle,
            None => 1.0,
            Some(last) => 1.0 - last,
        };
        if bank == 1.0 && !self.offers.must_roll_hot_dice {
            return Past::Same([1.0; 6]);
        }
        Past::Same(self.offers.stationary(bank, farkle))
    }
}
