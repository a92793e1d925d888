//! Owns the search for the maximum of the penalised likelihood.
//!
//! Refuses to stop early: what it gives is the maximum up to rounding, or an error.

use super::RatingError;
use super::input::Data;
use super::likelihood::{Evaluation, Terms};
use super::matrix::{Cholesky, Square};

/// The most that one step may change a parameter, in units of strength. A longer step can throw an
/// agent with few matches so far out that its likelihood is flat there in double precision, while
/// what the other agents gain hides the loss.
const MAX_CHANGE: f64 = 10.0;

/// Damped Newton steps after which a fit is given up. Ordinary fits take 3 to 15.
pub(super) const MAX_STEPS: usize = 500;

/// Maximises the penalised likelihood by Newton's method with step halving. Gives the maximum, the
/// information there and its inverse.
pub(super) fn settle(data: &Data<'_>) -> Result<(Vec<f64>, Square, Square), RatingError> {
    let layout = &data.layout;
    let mut terms = Terms::new(layout);
    let mut evaluate = |point: &[f64], evaluation: &mut Evaluation| {
        evaluation.at(layout, &data.outcomes, point, &mut terms);
        evaluation.correct(&data.corrected, point);
    };
    let mut point = start(data);
    let mut here = Evaluation::new(layout);
    let mut next = Evaluation::new(layout);
    evaluate(&point, &mut here);
    let weights = weights(data);
    let matches: f64 = data.outcomes.iter().map(|outcome| outcome.count).sum();
    // Rounding in a sum over the matches is some multiple of this.
    let rounding = f64::EPSILON * (1.0 + matches);
    let is_flat = |here: &Evaluation, limit: f64| {
        let mut slopes = here.gradient.iter();
        slopes.all(|slope| slope.abs() < limit)
    };
    let mut steps = 0;
    let factor = loop {
        let factor = factored(&here.information, &weights).ok_or(RatingError::NotSettled)?;
        let mut step = here.gradient.clone();
        factor.solve(&mut step);

        // Settled when the step is far below any figure shown, or when what is left of the
        // gradient is rounding.
        let longest = step.iter().fold(0.0, |most, change| f64::max(most, change.abs()));
        if longest < 1e-11 || is_flat(&here, 4.0 * rounding) {
            break factor;
        }

        // Far from the maximum a full step can overshoot; at the maximum the value changes by
        // less than it rounds, match by match.
        let slack = 1e-12 * (1.0 + here.value.abs()) + 32.0 * rounding;
        let mut length = f64::min(1.0, MAX_CHANGE / longest);
        let mut moved = point.clone();
        let improved = loop {
            for (place, (start, change)) in moved.iter_mut().zip(point.iter().zip(&step)) {
                *place = start + length * change;
            }
            evaluate(&moved, &mut next);
            if next.value >= here.value - slack {
                break true;
            }
            length *= 0.5;
            if length < 1e-12 {
                break false;
            }
        };
        if improved {
            point = moved;
            std::mem::swap(&mut here, &mut next);
        }
        steps += 1;
        if !improved || steps == MAX_STEPS {
            // Where millions of matches all end alike, a shift of all strengths may matter less
            // than rounding does, and steps wander along it. Such a shift is not shown either.
            if is_flat(&here, 4096.0 * rounding) {
                break factored(&here.information, &weights).ok_or(RatingError::NotSettled)?;
            }
            return Err(RatingError::NotSettled);
        }
    };
    Ok((point, here.information, factor.inverse()))
}

/// Where the search starts: all agents and seats equal, and each size of tie as frequent as it was
/// seen. Among `n` equal agents the next place goes to one of them and to `k` of them about as `n` to
/// `delta(k)` times the number of such sets, so that delta is what was seen over the sum of sets / `n`.
fn start(data: &Data<'_>) -> Vec<f64> {
    let layout = &data.layout;
    let mut point = vec![0.0; layout.len()];
    for (index, &size) in layout.sizes.iter().enumerate() {
        let (mut seen, mut sets) = (0.0, 0.0);
        for outcome in &data.outcomes {
            let mut rest = layout.seats;
            for &group in outcome.groups() {
                if group == size {
                    seen += outcome.count;
                }
                if rest >= size {
                    sets += outcome.count * binomial(rest, size) / rest as f64;
                }
                rest -= group;
            }
        }
        point[layout.tie(index)] = libm::log(seen / sets);
    }
    point
}

/// How many sets of `size` there are among `all`.
fn binomial(all: usize, size: usize) -> f64 {
    (0..size).map(|k| (all - k) as f64 / (k + 1) as f64).product()
}

/// The Cholesky factor of the information; where rounding has eaten its positive definiteness, of
/// the information plus the least amount of the size of that rounding which restores it.
///
/// This takes thousands of millions of matches all ending alike: the strengths then drift to where
/// the prior is nearly flat. The amount shortens steps but does not move the maximum.
fn factored(information: &Square, weights: &[f64]) -> Option<Cholesky> {
    let mut factor = information.cholesky();
    let mut amount = 1e-16;
    while factor.is_none() && amount < 1e-9 {
        let mut raised = information.clone();
        for (parameter, weight) in weights.iter().enumerate() {
            raised.add(parameter, parameter, amount * (1.0 + weight));
        }
        factor = raised.cholesky();
        amount *= 10.0;
    }
    factor
}

/// For each parameter the number of matches it takes part in.
fn weights(data: &Data<'_>) -> Vec<f64> {
    let layout = &data.layout;
    let mut weights = vec![0.0; layout.len()];
    for outcome in &data.outcomes {
        for local in 0..layout.seats + layout.sizes.len() {
            let (targets, used) = layout.targets(outcome.agents, local);
            for &target in &targets[..used] {
                weights[target] += outcome.count;
            }
        }
    }
    weights
}
