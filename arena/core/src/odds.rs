//! The odds of a single turn, by number of dice rolled.
//!
//! Owns the figures that people ask of a chart: farkles, scoring rolls, the best keep, the expected
//! turn, and when to stop. Refuses rulesets of which they cannot be defined, and to know rivals,
//! targets and penalties: a turn is played for its points alone.

use farkle::{Chart, Expectation, Faces, Points, Ruleset, Undefined};
use serde::Serialize;

/// What rolling so many dice offers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DiceOdds {
    /// How many dice are rolled.
    pub dice: u8,
    /// How many of all rolls are farkles.
    pub farkle: Share,
    /// Rolls that score, distinct by faces.
    pub scoring_rolls: u32,
    /// The mean over all rolls of the points of the most valuable keep, 0 for a farkle.
    pub best_keep_mean: f64,
    /// The expected points banked by a turn that rolls these dice with none at risk, played to
    /// maximise them.
    pub expected_turn: f64,
    /// The least multiple of 50 at which banking is at least as good as rolling these dice; none
    /// where there is no such number: a roll that cannot farkle, or hot dice that must be rolled.
    pub bank_at: Option<Points>,
}

/// So many of so many rolls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Share {
    /// How many.
    pub count: u32,
    /// Of how many.
    pub of: u32,
}

/// The odds of one die to all dice. Without `with_opening` a bank of any size is allowed, as for a
/// player who has opened; with it the turn must reach the opening to be banked.
///
/// # Errors
///
/// [`Undefined`] for rulesets under which points are not all that a turn can win.
///
/// ```
/// let odds = arena_core::odds::odds(&farkle::presets::IMMEDIATE_WIN, false)?;
/// assert_eq!((odds[1].farkle.count, odds[1].farkle.of, odds[1].bank_at), (16, 36, Some(300)));
/// # Ok::<(), farkle::Undefined>(())
/// ```
pub fn odds(rules: &Ruleset, with_opening: bool) -> Result<Vec<DiceOdds>, Undefined> {
    let opening = if with_opening { rules.opening } else { 0 };
    let solved = Expectation::solve(&Ruleset { opening, ..rules.clone() })?;
    let chart = Chart::new(rules);
    let of = |dice: u8| {
        let mut odds = DiceOdds {
            dice,
            farkle: Share { count: 0, of: 6u32.pow(dice.into()) },
            scoring_rolls: 0,
            best_keep_mean: 0.0,
            expected_turn: solved.roll(0, dice, opening == 0),
            bank_at: bank_at(rules, &solved, dice, opening),
        };
        let mut points = 0u64;
        for roll in Faces::all(dice) {
            match chart.best_keep(roll) {
                Some(keep) => {
                    odds.scoring_rolls += 1;
                    points += u64::from(roll.ways()) * u64::from(keep.points.unsigned_abs());
                }
                None => odds.farkle.count += roll.ways(),
            }
        }
        odds.best_keep_mean = points as f64 / f64::from(odds.farkle.of);
        odds
    };
    Ok((1..=rules.dice).map(of).collect())
}

/// A further point at risk is worth at most a point to who rolls on, so banking, once as good as
/// rolling, stays so: the least multiple is found by halving.
fn bank_at(rules: &Ruleset, solved: &Expectation, dice: u8, opening: Points) -> Option<Points> {
    if rules.must_roll_hot_dice && dice == rules.dice {
        return None;
    }
    let banks = |fifties: Points| {
        let points = 50 * fifties;
        // From the opening on both are allowed; rounding may not make a tie a reason to roll.
        points >= opening && solved.roll(points, dice, true) <= f64::from(points) * (1.0 + 1e-12) + 1e-9
    };
    let (mut rolls, mut enough) = (0, 20_000_000);
    if !banks(enough) {
        return None;
    }
    while enough - rolls > 1 {
        let middle = rolls + (enough - rolls) / 2;
        if banks(middle) { enough = middle } else { rolls = middle }
    }
    Some(50 * enough)
}
