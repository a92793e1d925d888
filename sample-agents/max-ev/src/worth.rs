//! What rolling on is worth: the expected points that the turn banks in the end.
//!
//! Owns where that number comes from: baked tables for the built-in rulesets, a solution made on
//! the spot for others, and a rule of thumb where neither is to be had. Refuses to know keeps.

use agent_sdk::farkle::{Undefined, presets};
use agent_sdk::{Expectation, Points, Ruleset};

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// The baked expectation of one ruleset.
pub(crate) struct Table {
    pub(crate) step: Points,
    opening: Points,
    /// Points that one unit of an entry stands for.
    pub(crate) unit: f64,
    /// By dice - 1, then points at risk / step: what rolling gains over banking.
    pub(crate) opened: &'static [&'static [i16]],
    /// The same while the opening is not met, up to the opening.
    pub(crate) unopened: &'static [&'static [i16]],
    /// By dice - 1: intercept and slope of the worth above the table, where banking is best.
    lines: &'static [(f64, f64)],
}

/// What rolling is worth under one ruleset.
#[derive(Default)]
pub(crate) enum Worth {
    Baked(&'static Table),
    Solved(Box<Expectation>),
    /// Chances and averages of an ordinary chart.
    #[default]
    Guessed,
}

/// The largest table solved for in `start`: about 50 million fuel, and 100 million where the
/// first attempt fails at that size. The built-in rulesets would take 800 entries.
const MOST_ENTRIES: usize = 1_200;

impl Worth {
    pub(crate) fn of(ruleset: &Ruleset) -> Worth {
        match presets::ALL.iter().position(|preset| preset.same_rules(ruleset)) {
            Some(preset) => TABLES[preset].as_ref().map_or_else(|| Worth::solved(ruleset), Worth::Baked),
            None => Worth::solved(ruleset),
        }
    }

    /// Solved exactly if that is possible within the allowance, else for the nearest ruleset for
    /// which it is.
    pub(crate) fn solved(ruleset: &Ruleset) -> Worth {
        // Six alike that win outright are kept at once; for all other rolls they are too rare to
        // matter.
        let mut rules = Ruleset { six_wins: false, ..ruleset.clone() };
        let mut solution = Expectation::solve_within(&rules, MOST_ENTRIES);
        if let Err(Undefined::TooFine(step)) = solution
            && step < 50
        {
            round_to_50(&mut rules);
            solution = Expectation::solve_within(&rules, MOST_ENTRIES);
        }
        solution.map_or(Worth::Guessed, |solution| Worth::Solved(Box::new(solution)))
    }

    /// The worth of rolling `dice` dice.
    pub(crate) fn rolling(&self, at_risk: Points, dice: u8, opened: bool) -> f64 {
        /// By dice - 1: the chance that a roll scores, and what makes rolling worth as much as
        /// banking at 350, 300, 450, 1,050, 3,100 and 18,600 points.
        const GUESS: [(f64, f64); 6] =
            [(0.333, 700.0), (0.556, 240.0), (0.722, 173.0), (0.843, 196.0), (0.923, 259.0), (0.977, 440.0)];
        match self {
            Worth::Baked(table) => table.rolling(at_risk, dice, opened),
            // A rounded ruleset has a step that its points at risk need not share.
            Worth::Solved(solution) => solution.roll(at_risk, dice, opened) + f64::from(at_risk % solution.step()),
            Worth::Guessed => {
                let (chance, more) = GUESS[usize::from(dice) - 1];
                chance * (f64::from(at_risk) + more)
            }
        }
    }
}

impl Table {
    pub(crate) fn rolling(&self, at_risk: Points, dice: u8, opened: bool) -> f64 {
        let column = usize::from(dice) - 1;
        let columns = if opened || at_risk >= self.opening { self.opened } else { self.unopened };
        match columns[column].get((at_risk / self.step) as usize) {
            Some(gain) => f64::from(at_risk) + f64::from(*gain) * self.unit,
            None => {
                let (intercept, slope) = self.lines[column];
                intercept + slope * f64::from(at_risk)
            }
        }
    }
}

/// Every value to the nearest multiple of 50 that keeps the combination.
fn round_to_50(rules: &mut Ruleset) {
    for points in [
        &mut rules.single_one,
        &mut rules.single_five,
        &mut rules.three_ones,
        &mut rules.four_of_a_kind,
        &mut rules.five_of_a_kind,
        &mut rules.six_of_a_kind,
        &mut rules.straight,
        &mut rules.three_pairs,
        &mut rules.four_and_pair,
        &mut rules.two_triplets,
        &mut rules.five_run,
        &mut rules.full_house,
        &mut rules.no_score,
        &mut rules.opening,
    ] {
        if *points > 0 {
            *points = ((*points + 25) / 50 * 50).max(50);
        }
    }
}
