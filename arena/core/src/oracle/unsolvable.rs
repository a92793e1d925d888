//! What cannot be solved, said before any work.
//!
//! Owns the limits of the solver. Refuses with the field to look at, its value and the reason.

use farkle::{EndingRule, Ruleset, RulesetError, ScoreTable};

use super::closing::Closing;
use super::offers::{Offers, step};

/// The most memory that solved values may take, with the places where solved turns are kept.
pub const MOST_BYTES: u64 = 1 << 30;
/// What one position takes: its value, and the place of its solved turn.
const BYTES_EACH: u64 = 8 + 24;
/// A seat that opens less often than this is as good as one that never does.
const LEAST_OPENING: f64 = 1e-6;

/// Why a ruleset has no exact solution here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ruleset field `{field}` is {value}: {reason}")]
pub struct Unsolvable {
    /// The field to look at.
    pub field: &'static str,
    /// The value it has.
    pub value: String,
    /// What is wrong with it, and what is allowed.
    pub reason: String,
}

impl Unsolvable {
    pub(super) fn new(field: &'static str, value: impl ToString, reason: impl Into<String>) -> Unsolvable {
        Unsolvable { field, value: value.to_string(), reason: reason.into() }
    }

    /// A table inside grew without end.
    pub(super) fn too_fine(rules: &Ruleset, step: i32) -> Unsolvable {
        let reason =
            format!("its points are multiples of {step} only, so that what one turn can make takes too large a table");
        Unsolvable::new("single_five", rules.single_five, reason)
    }
}

impl From<RulesetError> for Unsolvable {
    fn from(error: RulesetError) -> Unsolvable {
        Unsolvable { field: error.field, value: error.value, reason: error.reason }
    }
}

/// Checks everything that can be known at once.
pub(super) fn check(rules: &Ruleset) -> Result<(), Unsolvable> {
    rules.validate()?;
    if rules.ending == EndingRule::Turns {
        return check_solo(rules);
    }
    if rules.min_seats > 2 {
        return refuse("min_seats", rules.min_seats, "play of two seats is solved; allowed are 1 and 2");
    }
    if rules.max_seats < 2 {
        return refuse("max_seats", rules.max_seats, "play of two seats is solved; allowed are 2 to 12");
    }
    if rules.penalty > 0 && !rules.penalty_floor {
        return refuse(
            "penalty_floor",
            false,
            "a score can fall for ever, so there are positions without end; allowed is true, or no `penalty`",
        );
    }
    check_size(rules)
}

fn check_solo(rules: &Ruleset) -> Result<(), Unsolvable> {
    if rules.max_seats > 1 {
        return refuse(
            "ending",
            "\"turns\"",
            "over a number of turns one seat alone is solved; allowed is `max_seats = 1`, or another ending",
        );
    }
    if rules.six_wins {
        return refuse("six_wins", true, "for one seat a match is worth its points, and this wins without any");
    }
    if rules.penalty > 0 {
        return refuse(
            "penalty",
            rules.penalty,
            "for one seat over a number of turns penalties are not solved; allowed is 0",
        );
    }
    Ok(())
}

fn check_size(rules: &Ruleset) -> Result<(), Unsolvable> {
    let step = step(&ScoreTable::new(rules));
    let scores = u64::from(rules.target.unsigned_abs()).div_ceil(u64::from(step.unsigned_abs()));
    let pairs = scores * scores;
    let rows = if rules.penalty > 0 { u64::from(rules.penalty_after).pow(2) } else { 1 };
    let megabytes = |positions: u128| positions * u128::from(BYTES_EACH) / 1_000_000;
    if pairs * BYTES_EACH > MOST_BYTES {
        let most = (1..=scores).rev().find(|s| s * s * BYTES_EACH <= MOST_BYTES).unwrap_or(1);
        let reason = format!(
            "in steps of {step} points that takes {} MB of the {} MB that a solution may take; allowed is at most {}",
            megabytes(pairs.into()),
            MOST_BYTES / 1_000_000,
            most * u64::from(step.unsigned_abs())
        );
        return refuse("target", rules.target, reason);
    }
    let positions = u128::from(pairs) * u128::from(rows);
    if positions * u128::from(BYTES_EACH) > u128::from(MOST_BYTES) {
        let reason = format!(
            "two rows of farkles of that length, at every pair of scores, take {} MB of the {} MB that a solution may take",
            megabytes(positions),
            MOST_BYTES / 1_000_000
        );
        return refuse("penalty_after", rules.penalty_after, reason);
    }
    Ok(())
}

/// Checks that every seat can end a match by a bank.
pub(super) fn check_banks(rules: &Ruleset, offers: &Offers) -> Result<(), Unsolvable> {
    let target = (rules.target as usize).div_ceil(offers.step as usize);
    let opening = (rules.opening as usize).div_ceil(offers.step as usize);
    if opening > 1 {
        let chance = Closing::new(offers, false)
            .map(|closing| closing.roll(opening as i64, offers.hot()))
            .ok_or_else(|| Unsolvable::too_fine(rules, offers.step))?;
        if chance < LEAST_OPENING {
            return refuse(
                "opening",
                rules.opening,
                "a turn reaches it less than once in a million times, so that a match hardly ever begins",
            );
        }
    }
    if rules.exact_landing {
        check_landing(rules, offers, target, opening)?;
    }
    Ok(())
}

/// Under exact landing no seat may come to stand where no bank is legal any more: two such seats would
/// farkle until the turn limit, which is not part of what is solved.
fn check_landing(rules: &Ruleset, offers: &Offers, target: usize, opening: usize) -> Result<(), Unsolvable> {
    let banks: Vec<usize> =
        bankable(offers, target).into_iter().enumerate().filter_map(|(at, may)| may.then_some(at)).collect();
    let mut stands = vec![false; target + 1];
    let mut to_look_at = vec![0];
    while let Some(score) = to_look_at.pop() {
        if score == target || std::mem::replace(&mut stands[score], true) {
            continue;
        }
        let legal = |bank: &&usize| score + **bank <= target && (score > 0 || **bank >= opening);
        let before = to_look_at.len();
        to_look_at.extend(banks.iter().filter(legal).map(|bank| score + bank));
        if to_look_at.len() == before {
            let score = score as i32 * offers.step;
            let reason =
                format!("a seat can come to stand at {score}, where no bank is legal, so that a match may never end");
            return refuse("exact_landing", true, reason);
        }
        if rules.penalty > 0 {
            to_look_at.push(score.saturating_sub(rules.penalty as usize / offers.step as usize));
        }
    }
    Ok(())
}

/// By steps up to `most`: whether a turn can bank so many.
fn bankable(offers: &Offers, most: usize) -> Vec<bool> {
    let at_risk = offers.at_risk(most);
    at_risk.iter().map(|columns| (0..offers.dice).any(|column| columns[column] && offers.may_bank(column))).collect()
}

fn refuse(field: &'static str, value: impl ToString, reason: impl Into<String>) -> Result<(), Unsolvable> {
    Err(Unsolvable::new(field, value, reason))
}
