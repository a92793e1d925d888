//! Owns the covariance of the fitted parameters: a sandwich estimator over clusters of matches.
//!
//! Refuses to trust the model for the spread: matches that share dice are not independent, and
//! only the sum of the scores over everything that shares dice tells how far an estimate moves.
//!
//! `V = B M B` with `B` the inverse of the penalised information and `M` the sum over clusters of
//! the outer products of their scores (P. J. Huber 1967, H. White 1982; for clusters K.-Y. Liang,
//! S. L. Zeger, *Longitudinal data analysis using generalized linear models*, Biometrika 73,
//! 1986). Each virtual observation of the prior is a cluster of its own, so that an agent that
//! lost everything, about which the matches' own scores say next to nothing, gets an interval as
//! wide as the prior allows.
//!
//! Two corrections for few clusters, each parameter by the number `n` of clusters that touch it:
//! scores are multiplied by `sqrt(n / (n - 1))`, the usual factor for means; and `M` gains the
//! model's information of one average cluster, `D J D` with `J` the information of the matches and
//! `D = diag(1 / sqrt(n))`, as if one more cluster had been seen, exactly as surprising as the
//! model expects. The latter is in the spirit of J. G. Morel, M. C. Bokossa, N. K. Neerchal, *Small
//! sample correction for the variance of GEE estimators*, Biometrical Journal 45, 2003. It keeps
//! two pairs that happened to come out alike from looking like certainty; it fades as `1 / n`.

use super::clusters::Clusters;
use super::input::Correction;
use super::likelihood::{Layout, Outcome, Prior, Terms};
use super::matrix::Square;

/// The covariance matrix of all parameters at `point`.
///
/// `inverse` is the inverse of the penalised information.
pub(super) fn covariance(
    layout: &Layout,
    outcomes: &[Outcome<'_>],
    clusters: &Clusters<'_>,
    corrections: &[Correction],
    point: &[f64],
    information: &Square,
    inverse: &Square,
) -> Square {
    let scores = Scores::new(layout, outcomes, point);
    let mut sum = ClusterSum::new(layout.len());
    for (pattern, times) in clusters.alone() {
        scores.add(pattern, &mut sum);
        sum.close(times as f64);
    }
    let mut corrections = corrections.iter().peekable();
    let mut close = |seed: u64, sum: &mut ClusterSum| {
        while let Some(correction) = corrections.next_if(|correction| correction.seed <= seed) {
            let [first, second] = correction.agents;
            sum.add(first, correction.score);
            sum.add(second, -correction.score);
        }
        sum.close(1.0);
    };
    let mut open = None;
    for (seed, pattern) in clusters.shared() {
        if let Some(before) = open.filter(|open| *open != seed) {
            close(before, &mut sum);
        }
        open = Some(seed);
        scores.add(pattern, &mut sum);
    }
    if let Some(last) = open {
        close(last, &mut sum);
    }

    let mut meat = sum.corrected();
    for (row, &value) in point.iter().enumerate() {
        let prior = Prior::at(value - layout.centre(row));
        for column in 0..point.len() {
            // The prior stands on the diagonal only, and is no part of the matches' information.
            let own = if row == column { prior.information } else { 0.0 };
            let matches = information.at(row, column) - own;
            let shares = sum.clusters[row] * sum.clusters[column];
            if shares > 0.0 {
                meat.add(row, column, matches / shares.sqrt());
            }
        }
        meat.add(row, row, prior.win * prior.win + prior.loss * prior.loss);
    }
    inverse.times(&meat).times(inverse)
}

/// The score of each distinct outcome, by its local variables.
struct Scores<'a> {
    layout: &'a Layout,
    outcomes: &'a [Outcome<'a>],
    width: usize,
    values: Vec<f64>,
}

impl<'a> Scores<'a> {
    fn new(layout: &'a Layout, outcomes: &'a [Outcome<'a>], point: &[f64]) -> Self {
        let mut terms = Terms::new(layout);
        let width = terms.gradient.len();
        let mut values = Vec::with_capacity(width * outcomes.len());
        for outcome in outcomes {
            terms.evaluate(layout, outcome, point);
            values.extend_from_slice(&terms.gradient);
        }
        Self { layout, outcomes, width, values }
    }

    fn add(&self, pattern: &[usize], sum: &mut ClusterSum) {
        for &index in pattern {
            let agents = self.outcomes[index].agents;
            let values = &self.values[index * self.width..(index + 1) * self.width];
            for (local, &value) in values.iter().enumerate() {
                let (targets, used) = self.layout.targets(agents, local);
                for &target in &targets[..used] {
                    sum.add(target, value);
                }
            }
        }
    }
}

/// Sums scores within a cluster, and outer products over clusters.
struct ClusterSum {
    score: Vec<f64>,
    touched: Vec<usize>,
    is_touched: Vec<bool>,
    products: Square,
    /// For each parameter, the number of clusters that touched it.
    clusters: Vec<f64>,
}

impl ClusterSum {
    fn new(size: usize) -> Self {
        Self {
            score: vec![0.0; size],
            touched: Vec::with_capacity(size),
            is_touched: vec![false; size],
            products: Square::zero(size),
            clusters: vec![0.0; size],
        }
    }

    fn add(&mut self, parameter: usize, value: f64) {
        self.score[parameter] += value;
        if !self.is_touched[parameter] {
            self.is_touched[parameter] = true;
            self.touched.push(parameter);
        }
    }

    /// Ends a cluster that was seen `times` times.
    fn close(&mut self, times: f64) {
        for &row in &self.touched {
            self.clusters[row] += times;
            for &column in &self.touched {
                let product = self.score[row] * self.score[column];
                self.products.add(row, column, times * product);
            }
        }
        for parameter in self.touched.drain(..) {
            self.score[parameter] = 0.0;
            self.is_touched[parameter] = false;
        }
    }

    /// The outer products with the factor for few clusters.
    fn corrected(&self) -> Square {
        // One cluster alone says nothing about spread: its score is about minus the prior's.
        let factor = |n: f64| if n > 1.0 { (n / (n - 1.0)).sqrt() } else { 1.0 };
        let size = self.products.size();
        let mut meat = Square::zero(size);
        for row in 0..size {
            for column in 0..size {
                let scale = factor(self.clusters[row]) * factor(self.clusters[column]);
                meat.add(row, column, scale * self.products.at(row, column));
            }
        }
        meat
    }
}
