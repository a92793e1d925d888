//! Rulesets from bytes.
//!
//! Owns the draw of every field. Refuses to repair what does not go together: the ruleset's own check
//! says what is possible.

use arbitrary::{Result, Unstructured};
use farkle::{EndingRule, Kinds, Points, Reading, Ruleset, presets};

/// Points of a combination: off, usual values that make readings equal, or anything allowed.
fn points(u: &mut Unstructured<'_>) -> Result<Points> {
    const USUAL: [Points; 18] =
        [50, 100, 150, 200, 250, 300, 400, 500, 600, 750, 1_000, 1_200, 1_500, 1_600, 2_000, 2_500, 3_000, 10_000];
    Ok(match u.arbitrary::<u8>()? {
        0..64 => 0,
        choice @ 64..192 => USUAL[usize::from(choice) % USUAL.len()],
        _ => u.int_in_range(0..=Ruleset::MOST_POINTS)?,
    })
}

/// A possible ruleset, any field of which may be drawn; an error where the bytes make none.
pub(crate) fn ruleset(u: &mut Unstructured<'_>) -> Result<Ruleset> {
    let base = u.choose(&presets::ALL)?;
    let mut rules = Ruleset { name: "drawn".into(), ..(*base).clone() };
    if u.ratio(1, 8)? {
        return Ok(rules);
    }
    rules.dice = if u.ratio(1, 4)? { 5 } else { 6 };
    let six_dice = rules.dice == 6;
    let six = |points: Points| if six_dice { points } else { 0 };
    rules.reading = *u.choose(&[Reading::Best, Reading::Best, Reading::PerFace])?;
    let is_best = rules.reading == Reading::Best;
    let mixed = |points: Points| if is_best { points } else { 0 };
    rules.kinds = *u.choose(&[Kinds::Flat, Kinds::Flat, Kinds::Doubling, Kinds::Adding, Kinds::None])?;
    let is_flat = rules.kinds == Kinds::Flat;
    let flat = |points: Points| if is_flat { points } else { 0 };
    rules.single_one = points(u)?;
    rules.single_five = points(u)?;
    rules.three_ones = points(u)?;
    rules.four_of_a_kind = flat(points(u)?);
    rules.five_of_a_kind = flat(points(u)?);
    rules.six_of_a_kind = six(points(u)?);
    rules.straight = six(points(u)?);
    rules.three_pairs = six(points(u)?);
    rules.four_and_pair = six(points(u)?);
    rules.two_triplets = six(points(u)?);
    rules.five_run = mixed(points(u)?);
    rules.full_house = mixed(points(u)?);
    rules.no_score = six(points(u)?);
    let switches: u8 = u.arbitrary()?;
    let is_on = |bit: u8| switches >> bit & 1 == 1;
    rules.six_wins = six_dice && is_on(0);
    rules.toxic_twos = is_on(1);
    rules.keep_all = is_on(2);
    rules.must_roll_hot_dice = is_on(3);
    rules.ending = *u.choose(&[EndingRule::ImmediateWin, EndingRule::FinalRound, EndingRule::Turns])?;
    let has_target = rules.ending != EndingRule::Turns;
    (rules.target, rules.turns) = match has_target {
        true if u.ratio(1, 8)? => (u.int_in_range(1..=Ruleset::HIGHEST_TARGET)?, 0),
        true => (50 * u.int_in_range(1..=100)?, 0),
        false => (0, u.int_in_range(1..=12)?),
    };
    rules.exact_landing = has_target && is_on(4);
    rules.opening = if u.ratio(1, 2)? { 0 } else { 50 * u.int_in_range(1..=20)? };
    if has_target {
        rules.opening = rules.opening.min(rules.target);
    }
    (rules.penalty, rules.penalty_after, rules.penalty_floor) = (0, 0, false);
    if is_on(5) {
        rules.penalty = u.int_in_range(1..=Ruleset::MOST_POINTS)?;
        rules.penalty_after = u.int_in_range(1..=3)?;
        rules.penalty_floor = is_on(6);
    }
    rules.max_seats = u.int_in_range(1..=Ruleset::MOST_SEATS)?;
    rules.min_seats = u.int_in_range(1..=rules.max_seats)?;
    rules.validate().map_err(|_| arbitrary::Error::IncorrectFormat)?;
    Ok(rules)
}
