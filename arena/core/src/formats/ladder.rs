//! Ladder: always the pairing that tells most about the order.
//!
//! Owns the choice of pairings by fitted ratings. Refuses to spend more than the budget, and to look
//! at anything but results in schedule order: a step is planned when the one before it is finished.
//!
//! A step is one of two kinds:
//!
//! - **Placing**, while some agent has met fewer than log2(agents) rivals, rounded up: as many as a
//!   search by halving takes. Each such agent plays one batch against the agent of nearest rating
//!   among those it has not met. An agent without matches has the mean rating, so it begins in the
//!   middle and goes up or down by its results.
//! - **Sorting**: neighbours in rating play a batch. Neighbours that never met come first, since
//!   third parties alone should not decide between them. Then those with the most to gain.
//!
//! # Gain
//!
//! Of two neighbours at fitted difference `d` with standard error `s`, the one rated higher may
//! truly be the weaker. Let the next batch move the difference by a normal amount of standard
//! deviation `t`, where `t² = s² - 1 / (1 / s² + i)` and `i` is the information of a batch by
//! Bradley–Terry, `2 * batch * p (1 - p)` in squared units of strength. Then the gain is the Elo by
//! which the batch is expected to better the choice of the stronger one:
//! `t * (density(d / t) - d / t * tail(d / t))` of the standard normal distribution (the knowledge
//! gradient of P. Frazier, W. Powell, S. Dayanik, *A knowledge-gradient policy for sequential
//! information collection*, SIAM Journal on Control and Optimization 47, 2008).
//!
//! It is small for neighbours that are far apart, and it falls with the inverse of the matches of
//! two that are alike: neither takes the whole budget. Nearness of the likelihood of superiority to
//! one half alone would spend all on two equal agents.

use std::collections::BTreeMap;

use super::{Block, FormatError, Next, View};
use crate::ratings::{ELO_PER_UNIT, Finish, Options, Pair, Ratings, Seen, fit};

/// The most blocks of one sorting step. They share no agents, and each promises at least half of
/// what the best one does.
const STEP: usize = 4;

/// What is known of one pairing, seen from the agent of lower index.
#[derive(Clone, Copy, Default)]
struct Meeting {
    pentanomial: [u64; 5],
    pairs: u64,
    /// The first pair that they have not played.
    next_pair: u64,
}

type Meetings = BTreeMap<[usize; 2], Meeting>;

pub(super) fn next(view: &View<'_>, batch: u64, budget: u64) -> Result<Next, FormatError> {
    if view.is_open() {
        return Ok(Next::Wait);
    }
    let spent = view.blocks.iter().fold(0_u64, |spent, (block, _)| spent.saturating_add(block.pairs));
    let mut left = budget.saturating_sub(spent);
    let active = view.active();
    if left == 0 || active.len() < 2 {
        return Ok(Next::Finished);
    }
    let met = meetings(view);
    let ratings = rate(view.entries.len(), &met)?;
    let mut pairings = to_place(&active, &met, &ratings);
    if pairings.is_empty() {
        pairings = to_sort(&active, &met, &ratings, batch)?;
    }
    let mut blocks = Vec::new();
    for [a, b] in pairings {
        let pairs = batch.min(left);
        if pairs > 0 {
            let next_pair = met.get(&sorted(a, b)).map_or(0, |meeting| meeting.next_pair);
            blocks.push(Block { agents: vec![a, b], first_pair: next_pair.max(view.fresh_for(&[a, b])), pairs });
            left -= pairs;
        }
    }
    Ok(Next::Play(blocks))
}

fn sorted(a: usize, b: usize) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

fn meetings(view: &View<'_>) -> Meetings {
    let mut met = Meetings::new();
    for (block, scored) in view.blocks {
        let meeting = met.entry(sorted(block.agents[0], block.agents[1])).or_default();
        meeting.pairs = meeting.pairs.saturating_add(block.pairs);
        meeting.next_pair = meeting.next_pair.max(block.end());
        if let Some(scored) = scored {
            let mut counts = scored.pentanomial();
            if block.agents[0] > block.agents[1] {
                counts.reverse();
            }
            for (sum, count) in meeting.pentanomial.iter_mut().zip(counts) {
                *sum += count;
            }
        }
    }
    met
}

/// The fit of [`crate::ratings`] with each pair as an observation of its own.
fn rate(agents: usize, met: &Meetings) -> Result<Ratings, FormatError> {
    const WIN: [u32; 2] = [1, 2];
    const TIE: [u32; 2] = [1, 1];
    const LOSS: [u32; 2] = [2, 1];
    // Ranks in seat order of the match that the first agent begins and of the other one. Where the
    // half points leave open which match brought them, half of the pairs go to each, so that no seat
    // gains by it.
    const ENDS: [[[[u32; 2]; 2]; 2]; 5] = [
        [[LOSS, WIN], [LOSS, WIN]],
        [[LOSS, TIE], [TIE, WIN]],
        [[WIN, WIN], [LOSS, LOSS]],
        [[WIN, TIE], [TIE, LOSS]],
        [[WIN, LOSS], [WIN, LOSS]],
    ];
    let mut pairs = Vec::new();
    for ([a, b], meeting) in met {
        for (count, ends) in meeting.pentanomial.into_iter().zip(ENDS) {
            for ([first, second], times) in ends.into_iter().zip([count - count / 2, count / 2]) {
                let finishes = vec![
                    Finish { agents: vec![*a, *b], ranks: first.to_vec() },
                    Finish { agents: vec![*b, *a], ranks: second.to_vec() },
                ];
                pairs.push(Pair { finishes, seen: Seen::Times(times) });
            }
        }
    }
    Ok(fit(agents, &pairs, &Options::default())?)
}

/// Each agent that has met too few against the nearest that it has not met; disjoint.
fn to_place(active: &[usize], met: &Meetings, ratings: &Ratings) -> Vec<[usize; 2]> {
    let elo: Vec<f64> = ratings.ratings().map(|rating| rating.elo).collect();
    // The bits of the highest index: log2(agents), rounded up.
    let enough = (usize::BITS - (active.len() - 1).leading_zeros()) as usize;
    // Those that left since count: what was learnt from them stays.
    let rivals = |own: usize| met.keys().filter(|pairing| pairing.contains(&own)).count();
    let mut new: Vec<(usize, usize)> = active.iter().map(|own| (rivals(*own), *own)).collect();
    new.retain(|(rivals, _)| *rivals < enough);
    new.sort_unstable();
    let mut pairings: Vec<[usize; 2]> = Vec::new();
    for (_, own) in new {
        let is_busy = |agent: &usize| pairings.iter().flatten().any(|busy| busy == agent);
        if is_busy(&own) {
            continue;
        }
        let distance = |other: &usize| (elo[own] - elo[*other]).abs();
        let unmet = active.iter().filter(|other| **other != own && !met.contains_key(&sorted(own, **other)));
        let nearest = unmet.filter(|other| !is_busy(other)).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        pairings.extend(nearest.map(|other| [own, *other]));
    }
    pairings
}

/// The neighbours in rating that have most to gain from a batch; disjoint.
fn to_sort(active: &[usize], met: &Meetings, ratings: &Ratings, batch: u64) -> Result<Vec<[usize; 2]>, FormatError> {
    let elo: Vec<f64> = ratings.ratings().map(|rating| rating.elo).collect();
    let mut order = active.to_vec();
    order.sort_by(|a, b| elo[*b].total_cmp(&elo[*a]));
    let mut neighbours = Vec::new();
    for two in order.windows(2) {
        let [a, b] = [two[0], two[1]];
        let pairs = met.get(&sorted(a, b)).map_or(0, |meeting| meeting.pairs);
        let difference = ratings.difference(a, b)?;
        let gain = if pairs == 0 { f64::INFINITY } else { gain(difference.elo, difference.standard_error, batch) };
        neighbours.push((gain, pairs, [a, b]));
    }
    // A stable sort: of equal ones the higher.
    neighbours.sort_by(|(gain, pairs, _), (other, others, _)| other.total_cmp(gain).then(pairs.cmp(others)));
    let least = neighbours.first().map_or(0.0, |(gain, ..)| gain / 2.0);
    let mut chosen: Vec<[usize; 2]> = Vec::new();
    for (gain, _, pairing) in neighbours {
        let is_free = chosen.iter().flatten().all(|busy| !pairing.contains(busy));
        // Where nothing gains, one block will do.
        if chosen.is_empty() || (gain > 0.0 && gain >= least && is_free && chosen.len() < STEP) {
            chosen.push(pairing);
        }
    }
    Ok(chosen)
}

/// The gain of a batch, in Elo, as in the module's header.
fn gain(difference: f64, standard_error: f64, batch: u64) -> f64 {
    let difference = difference.abs();
    let p = 1.0 / (1.0 + libm::exp(difference / ELO_PER_UNIT));
    let information = 2.0 * batch as f64 * p * (1.0 - p) / (ELO_PER_UNIT * ELO_PER_UNIT);
    let variance = standard_error * standard_error;
    // The variance that goes: `variance - 1 / (1 / variance + information)`.
    let t = (variance * (variance * information / (1.0 + variance * information))).sqrt();
    if t == 0.0 {
        return 0.0;
    }
    let z = difference / t;
    let density = libm::exp(-0.5 * z * z) * (0.5 * std::f64::consts::FRAC_2_SQRT_PI * std::f64::consts::FRAC_1_SQRT_2);
    let tail = 0.5 * libm::erfc(z * std::f64::consts::FRAC_1_SQRT_2);
    (t * (density - z * tail)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected value of max(d + tZ, 0) - d over a grid of normal values, and what halving the
    /// error or the distance does.
    #[test]
    fn the_gain_is_the_expected_improvement() {
        for (difference, error, batch) in [(0.0, 20.0, 10), (15.0, 20.0, 50), (-40.0, 30.0, 5), (60.0, 25.0, 100)] {
            let p = 1.0 / (1.0 + 10f64.powf(-f64::abs(difference) / 400.0));
            let elo = 400.0 / 10f64.ln();
            let before: f64 = error * error;
            let after = 1.0 / (1.0 / before + f64::from(batch) * 2.0 * p * (1.0 - p) / (elo * elo));
            let t = (before - after).sqrt();
            let step = 1e-3;
            let expected: f64 = (-8000..=8000)
                .map(|n| f64::from(n) * step)
                .map(|z| {
                    (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
                        * step
                        * (z * t - f64::abs(difference)).max(0.0)
                })
                .sum();
            let found = gain(difference, error, batch as u64);
            assert!((found - expected).abs() < 1e-4 * t, "{found} {expected}");
        }
        assert_eq!(gain(0.0, 0.0, 10), 0.0);
        assert_eq!(gain(5_000.0, 1e-3, 10), 0.0);
        assert!(gain(1e6, 1e3, u64::MAX).is_finite());
    }
}
