//! The exact expectation of a single turn.
//!
//! Owns the value of rolling on, for a player who wants the most points from this turn and
//! nothing else. Refuses to know rivals, targets and penalties, and rulesets under which points
//! are not all that a turn can win.
//!
//! With `p` points at risk, rolling `d` dice is worth `R(p, d)`: the mean over all rolls of
//! the best keep's worth, where a keep of `k` points that leaves `e` dice is worth the greater of
//! banking, `p + k`, and rolling on, `R(p + k, e)`; a farkle is worth nothing. Solved from high
//! `p` to low. Above a bound, banking is always best (or, where banking is forbidden or a roll
//! cannot farkle, the same choice is always best), so `R` is there a straight line in `p`, solved
//! for exactly.

use crate::faces::Faces;
use crate::keeps::ScoreTable;
use crate::ruleset::{Points, Ruleset};

/// The worth of rolling on, by points at risk and dice.
#[derive(Clone, Debug)]
pub struct Expectation {
    step: Points,
    dice: u8,
    opening: Points,
    must_roll_hot_dice: bool,
    /// By points at risk / step, then dice - 1, once the opening is met.
    opened: Vec<[f64; 6]>,
    /// The same while the opening is not met: only entries below the opening are used.
    unopened: Vec<[f64; 6]>,
    /// Slope and intercept of the straight line above the tables, by dice - 1.
    tail: [(f64, f64); 6],
}

/// Why a ruleset has no such expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Undefined {
    /// Six of a kind wins outright, which no number of points expresses.
    #[error("`six_wins` makes six of a kind worth the match, not points, so no expected points are defined")]
    SixWins,
    /// The table would be too large.
    #[error("the points of this ruleset share no step above {0}, so its table would be too large")]
    TooFine(Points),
}

/// What rolls offer that offer the same: how often they come, and their keeps that are not worse
/// than another one that leaves as many dice.
struct RollOptions {
    ways: f64,
    /// Points, dice for the next roll - 1, and whether the dice are hot.
    keeps: Vec<(Points, usize, bool)>,
}

/// The largest table made, in entries of points at risk.
const LARGEST_TABLE: usize = 200_000;

impl Expectation {
    /// Solves a ruleset.
    ///
    /// # Errors
    ///
    /// [`Undefined`] when single-turn points do not describe the ruleset, or its values are so
    /// odd that the table would be too large.
    ///
    /// ```
    /// use farkle::{Expectation, presets};
    /// let turn = Expectation::solve(&presets::IMMEDIATE_WIN)?;
    /// assert!((turn.roll(0, 6, true) - 606.9776).abs() < 1e-4);
    /// # Ok::<(), farkle::Undefined>(())
    /// ```
    pub fn solve(rules: &Ruleset) -> Result<Expectation, Undefined> {
        Self::solve_within(rules, LARGEST_TABLE)
    }

    /// Solves a ruleset if a table of at most `most_entries` points at risk is enough: the built-in
    /// ones take about 800. For agents, whose computing is metered: the work grows with the
    /// table, and a table that turns out too large costs as much as one of the size allowed.
    ///
    /// # Errors
    ///
    /// [`Undefined`] as for [`solve`](Expectation::solve).
    ///
    /// ```
    /// use farkle::{Expectation, Undefined, presets};
    /// assert!(Expectation::solve_within(&presets::PLAY_TABLE, 1_200).is_ok());
    /// assert_eq!(Expectation::solve_within(&presets::PLAY_TABLE, 400).unwrap_err(), Undefined::TooFine(50));
    /// ```
    pub fn solve_within(rules: &Ruleset, most_entries: usize) -> Result<Expectation, Undefined> {
        if rules.six_wins {
            return Err(Undefined::SixWins);
        }
        let table = ScoreTable::new(rules);
        let rolls: Vec<Vec<RollOptions>> = (1..=rules.dice).map(|dice| options(&table, dice)).collect();
        let step = rolls
            .iter()
            .flatten()
            .flat_map(|roll| roll.keeps.iter().map(|keep| keep.0))
            .chain((rules.opening > 0).then_some(rules.opening))
            .fold(0, greatest_common_divisor);
        let mut solved = Expectation {
            step,
            dice: rules.dice,
            opening: rules.opening,
            must_roll_hot_dice: rules.must_roll_hot_dice,
            opened: Vec::new(),
            unopened: Vec::new(),
            tail: [(0.0, 0.0); 6],
        };
        solved.tail = solved.solve_tail(&rolls);
        // Long enough once the choices in its upper half are all those of the straight line. Where
        // every bank is allowed, that is so from where all straight lines are below banking.
        // A roll that cannot farkle has the slope 1, but for rounding, and never falls below.
        let falling = solved.tail.iter().filter(|(slope, _)| *slope < 1.0 - 1e-9);
        let bank_from = falling.map(|(slope, c)| c / (1.0 - slope));
        let bank_from = bank_from.fold(0.0, f64::max).min(f64::from(Points::MAX / 4)) as Points;
        let mut entries = 3 + (rules.opening.max(bank_from) / step) as usize * 2;
        loop {
            if entries > most_entries {
                return Err(Undefined::TooFine(step));
            }
            solved.opened = solved.sweep(&rolls, entries, 0, &[]);
            let on_line = |i: usize| {
                let p = f64::from(i as Points * step);
                (0..usize::from(rules.dice)).all(|d| {
                    let (slope, intercept) = solved.tail[d];
                    (solved.opened[i][d] - (slope * p + intercept)).abs() <= 1e-9 * p.max(1.0)
                })
            };
            if (entries / 2..entries).all(on_line) {
                break;
            }
            entries *= 2;
        }
        if rules.opening > 0 {
            let below = (rules.opening / step) as usize;
            solved.unopened = solved.sweep(&rolls, below, rules.opening, &solved.opened);
        }
        Ok(solved)
    }

    /// What rolling `dice` dice (1 to the ruleset's number) with `at_risk` points at risk is worth:
    /// the expected points banked by this turn. `opened` says whether the opening is met.
    ///
    /// # Panics
    ///
    /// When `dice` is 0 or more than six.
    pub fn roll(&self, at_risk: Points, dice: u8, opened: bool) -> f64 {
        let d = usize::from(dice) - 1;
        let index = (at_risk / self.step) as usize;
        let table = if opened || at_risk >= self.opening { &self.opened } else { &self.unopened };
        match table.get(index) {
            Some(values) => values[d],
            None => {
                let (slope, intercept) = self.tail[d];
                slope * f64::from(at_risk) + intercept
            }
        }
    }

    /// The greatest common divisor of all values: the tables' step in points.
    pub fn step(&self) -> Points {
        self.step
    }

    /// How many dice the ruleset has.
    pub fn dice(&self) -> u8 {
        self.dice
    }

    /// Fills a table of `entries` from the top down, banking allowed from `least` points on;
    /// above itself it reads `above`, and above that the straight line.
    fn sweep(&self, rolls: &[Vec<RollOptions>], entries: usize, least: Points, above: &[[f64; 6]]) -> Vec<[f64; 6]> {
        let mut table = vec![[0.0; 6]; entries];
        for i in (0..entries).rev() {
            let p = i as Points * self.step;
            for (d, options) in rolls.iter().enumerate() {
                let mut value = 0.0;
                for roll in options {
                    let mut best = 0.0f64;
                    for &(points, left, hot) in &roll.keeps {
                        let q = p + points;
                        let j = (q / self.step) as usize;
                        let roll_on = match table.get(j).or_else(|| above.get(j)) {
                            Some(values) => values[left],
                            None => self.tail[left].0 * f64::from(q) + self.tail[left].1,
                        };
                        let bank = if q >= least && !(hot && self.must_roll_hot_dice) { f64::from(q) } else { 0.0 };
                        best = best.max(bank).max(roll_on);
                    }
                    value += roll.ways * best;
                }
                table[i][d] = value;
            }
        }
        table
    }

    /// The line `R(p, d) = slope p + intercept` for points at risk without bound: there every
    /// choice goes by slope first, so that a bank (slope 1) is beaten only by a roll that cannot
    /// farkle. Iterated to a fixed point; each round is a roll, and most rolls end.
    fn solve_tail(&self, rolls: &[Vec<RollOptions>]) -> [(f64, f64); 6] {
        let better = |a: (f64, f64), b: (f64, f64)| {
            let same_slope = (a.0 - b.0).abs() < 1e-12;
            if (same_slope && a.1 > b.1) || (!same_slope && a.0 > b.0) { a } else { b }
        };
        let mut lines = [(0.0, 0.0); 6];
        for _ in 0..10_000 {
            let mut next = lines;
            for (d, options) in rolls.iter().enumerate() {
                let mut line = (0.0, 0.0);
                for roll in options {
                    let mut best = (0.0, 0.0);
                    for &(points, left, hot) in &roll.keeps {
                        let k = f64::from(points);
                        let (slope, intercept) = lines[left];
                        best = better(best, (slope, slope * k + intercept));
                        if !(hot && self.must_roll_hot_dice) {
                            best = better(best, (1.0, k));
                        }
                    }
                    line.0 += roll.ways * best.0;
                    line.1 += roll.ways * best.1;
                }
                next[d] = line;
            }
            let change = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).abs() + (a.1 - b.1).abs();
            let settled = lines.iter().zip(&next).all(|(a, b)| change(*a, *b) < 1e-13);
            lines = next;
            if settled {
                break;
            }
        }
        lines
    }
}

fn options(table: &ScoreTable, dice: u8) -> Vec<RollOptions> {
    let all = table.ruleset().dice;
    let total = 6f64.powi(dice.into());
    let mut offers: Vec<RollOptions> = Vec::new();
    for roll in Faces::all(dice) {
        let mut keeps: Vec<(Points, usize, bool)> = Vec::new();
        for keep in table.chart().legal_keeps(roll) {
            let left = dice - keep.dice.len();
            let (next, hot) = if left == 0 { (all, true) } else { (left, false) };
            let next = usize::from(next) - 1;
            // In order of the dice left, so that rolls that offer the same are recognised.
            match keeps.binary_search_by_key(&(next, hot), |keep| (keep.1, keep.2)) {
                Ok(known) => keeps[known].0 = keeps[known].0.max(keep.points),
                Err(place) => keeps.insert(place, (keep.points, next, hot)),
            }
        }
        let ways = f64::from(roll.ways()) / total;
        match offers.iter_mut().find(|offer| offer.keeps == keeps) {
            Some(same) => same.ways += ways,
            None => offers.push(RollOptions { ways, keeps }),
        }
    }
    offers
}

fn greatest_common_divisor(mut a: Points, mut b: Points) -> Points {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presets;

    /// Figures from the project's rule documents, made by another program.
    #[test]
    fn expected_turns_are_the_published_ones() {
        let patch = Ruleset { opening: 0, ..presets::MY_TURN_YET };
        for (rules, expected) in
            [(&presets::IMMEDIATE_WIN, 606.9776), (&presets::PLAY_TABLE, 601.5587), (&patch, 542.0632)]
        {
            let solved = Expectation::solve(rules).unwrap();
            assert!((solved.roll(0, 6, true) - expected).abs() < 1e-4, "{}", rules.name);
        }
    }

    #[test]
    fn banking_points_are_the_published_ones() {
        let solved = Expectation::solve(&presets::IMMEDIATE_WIN).unwrap();
        for (dice, bank_at) in (1..=6).zip([350, 300, 450, 1_050, 3_100, 18_600]) {
            let roll_on = |p: Points| solved.roll(p, dice, true) > f64::from(p) + 1e-9;
            assert!(roll_on(bank_at - 50), "{dice} dice at {}", bank_at - 50);
            assert!(!roll_on(bank_at), "{dice} dice at {bank_at}");
        }
    }
}
