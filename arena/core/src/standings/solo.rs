//! Agents that play alone, each on the same seeds, compared seed by seed.
//!
//! Owns totals, their means and intervals, and who did better on a seed. Refuses to mix agents
//! that have not all played a seed: it counts once the last of them has.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use farkle::{Ending, Points};
use serde::Serialize;

use super::{Outcome, rounded};
use crate::ratings::Difference;
use crate::turn_figures::TurnFigures;

/// What the standings say about an agent that played alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SoloRow {
    /// Mean of the totals. A match that faulted counts 0, or less if its score was below.
    pub total_mean: f64,
    /// Lower end of the mean's 95% interval; `None` on one seed.
    pub total_low: Option<f64>,
    /// Its upper end.
    pub total_high: Option<f64>,
    /// The highest worth of a turn ([`TurnFigures`]).
    pub best_turn: Option<Points>,
    /// The lowest worth of a turn ([`TurnFigures`]): below zero for a farkle.
    pub worst_turn: Option<Points>,
    /// The share of turns that ended with a farkle.
    pub farkle_rate: f64,
}

/// All matches alone, counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Solo {
    /// Seeds that some have not played yet: outcomes by agent, with their matches' numbers.
    open: BTreeMap<u64, BTreeMap<usize, Numbered>>,
    totals: Vec<Sum>,
    figures: Vec<TurnFigures>,
    /// Own total minus the other's, by agent and other agent, row after row.
    differences: Vec<Sum>,
}

/// An outcome, with the number of its match if that is known.
type Numbered = (Option<u64>, Outcome);

/// One sample of whole numbers; the sums are exact, so that no order of adding shows in them.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    count: u64,
    sum: i128,
    squares: i128,
}

impl Sum {
    fn add(&mut self, value: i64) {
        self.count += 1;
        self.sum += i128::from(value);
        self.squares += i128::from(value).pow(2);
    }

    fn mean(self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum as f64 / self.count as f64 }
    }

    /// The standard error of the mean; `None` for fewer than two values.
    fn standard_error(self) -> Option<f64> {
        let count = i128::from(self.count);
        let variance = || (count * self.squares - self.sum.pow(2)) as f64 / (count * (count - 1)) as f64;
        (count >= 2).then(|| (variance() / count as f64).sqrt())
    }
}

/// How well a match alone went: faulted, or not; won outright, or not; the total.
type Merit = (bool, bool, Points);

fn merit(outcome: &Outcome) -> Merit {
    let finished = outcome.faults.is_empty();
    // Of two that faulted neither did better.
    if finished { (true, outcome.ending == Ending::OutrightWin, outcome.scores[0]) } else { (false, false, 0) }
}

impl Solo {
    /// Takes one match. Gives the outcomes of all agents on that seed, by agent, once they are
    /// there.
    pub(super) fn take(
        &mut self,
        agents: usize,
        pair: u64,
        number: Option<u64>,
        outcome: &Outcome,
    ) -> Option<Vec<Numbered>> {
        let seed = self.open.entry(pair).or_default();
        seed.insert(outcome.agents[0], (number, outcome.clone()));
        if seed.len() < agents {
            return None;
        }
        let outcomes: Vec<Numbered> = self.open.remove(&pair)?.into_values().collect();
        self.totals.resize(agents, Sum::default());
        self.figures.resize(agents, TurnFigures::default());
        self.differences.resize(agents * agents, Sum::default());
        let total = |outcome: &Outcome| {
            let score = i64::from(outcome.scores[0]);
            if outcome.faults.is_empty() { score } else { score.min(0) }
        };
        let totals: Vec<i64> = outcomes.iter().map(|(_, outcome)| total(outcome)).collect();
        for (agent, (_, outcome)) in outcomes.iter().enumerate() {
            self.totals[agent].add(totals[agent]);
            for turns in &outcome.turns {
                self.figures[agent].add(*turns);
            }
            for other in 0..agents {
                self.differences[agent * agents + other].add(totals[agent] - totals[other]);
            }
        }
        Some(outcomes)
    }

    /// The ranks of all agents on one seed, shared where they did equally well.
    pub(super) fn ranks<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> Vec<u32> {
        let merits: Vec<Merit> = outcomes.map(merit).collect();
        merits.iter().map(|own| 1 + merits.iter().filter(|other| *other > own).count() as u32).collect()
    }

    /// Agents by mean total, the highest first; equal ones in the order in which they were given.
    pub(super) fn order(&self, agents: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..agents).collect();
        // All have played equally often.
        order.sort_by_key(|agent| Reverse(self.totals.get(*agent).map(|total| total.sum)));
        order
    }

    pub(super) fn row(&self, agent: usize) -> SoloRow {
        let total = self.totals.get(agent).copied().unwrap_or_default();
        let figures = self.figures.get(agent).copied().unwrap_or_default();
        let half = total.standard_error().map(|error| error * student_95(total.count - 1));
        SoloRow {
            total_mean: rounded(total.mean(), 2),
            total_low: half.map(|half| rounded(total.mean() - half, 2)),
            total_high: half.map(|half| rounded(total.mean() + half, 2)),
            best_turn: figures.best,
            worst_turn: figures.worst,
            farkle_rate: if figures.turns == 0 {
                0.0
            } else {
                rounded(figures.farkles as f64 / figures.turns as f64, 6)
            },
        }
    }

    /// The likelihood that `a` has the higher mean total of the two, from their differences seed by
    /// seed; one half when nothing is known.
    pub(super) fn los(&self, agents: usize, a: usize, b: usize) -> f64 {
        let sum = self.differences.get(a * agents + b).copied().unwrap_or_default();
        match sum.standard_error() {
            Some(standard_error) => Difference { elo: sum.mean(), standard_error }.los(),
            None => 0.5,
        }
    }
}

/// The 97.5% quantile of Student's distribution: half a 95% interval in standard errors. By the
/// expansion of Abramowitz and Stegun, *Handbook of Mathematical Functions*, 26.7.5, which for five
/// degrees of freedom is right to 0.001; below that from their table 26.10.
fn student_95(freedom: u64) -> f64 {
    let known = [12.706, 4.303, 3.182, 2.776];
    if let Some(quantile) = usize::try_from(freedom).ok().and_then(|n| known.get(n.checked_sub(1)?)) {
        return *quantile;
    }
    let x = 1.959_963_984_540_054_f64;
    let (x3, x5, x7, x9) = (x.powi(3), x.powi(5), x.powi(7), x.powi(9));
    let n = freedom as f64;
    x + (x3 + x) / (4.0 * n)
        + (5.0 * x5 + 16.0 * x3 + 3.0 * x) / (96.0 * n.powi(2))
        + (3.0 * x7 + 19.0 * x5 + 17.0 * x3 - 15.0 * x) / (384.0 * n.powi(3))
        + (79.0 * x9 + 776.0 * x7 + 1482.0 * x5 - 1920.0 * x3 - 945.0 * x) / (92_160.0 * n.powi(4))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From printed tables of Student's distribution.
    #[test]
    fn quantiles_of_students_distribution() {
        for (freedom, quantile) in [
            (1, 12.706),
            (4, 2.776),
            (5, 2.571),
            (7, 2.365),
            (10, 2.228),
            (30, 2.042),
            (120, 1.980),
            (1_000_000, 1.960),
        ] {
            assert!((student_95(freedom) - quantile).abs() < 1e-3, "{freedom}: {}", student_95(freedom));
        }
    }

    #[test]
    fn means_and_errors_by_hand() {
        let mut sum = Sum::default();
        for value in [2, 4, 4, 4, 5, 5, 7, 9] {
            sum.add(value);
        }
        // Mean 5, squared deviations 32, variance 32 / 7.
        assert_eq!(sum.mean(), 5.0);
        assert!((sum.standard_error().unwrap() - (32.0_f64 / 7.0 / 8.0).sqrt()).abs() < 1e-12);
    }
}
