//! Owns what comes out of a fit, on the Elo scale: ratings, differences, seats, ties.
//!
//! Refuses to round or to rank.

use super::likelihood::Layout;
use super::matrix::Square;
use super::{Anchor, ELO_PER_UNIT, MEAN_ELO, PRIOR, RatingError};

/// Half the width of a 95% interval in standard errors.
pub(crate) const NORMAL_95: f64 = 1.959_963_984_540_054;

/// One agent's rating, in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The estimate.
    pub elo: f64,
    /// Lower end of the 95% interval.
    pub elo_low: f64,
    /// Upper end of the 95% interval.
    pub elo_high: f64,
}

/// An estimated difference, in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The estimate.
    pub elo: f64,
    /// Its standard error.
    pub standard_error: f64,
}

impl Difference {
    /// Both ends of the 95% interval, in Elo.
    #[must_use]
    pub fn interval(&self) -> (f64, f64) {
        let half = NORMAL_95 * self.standard_error;
        (self.elo - half, self.elo + half)
    }

    /// The likelihood that the true difference is above 0: the normal distribution function at
    /// the estimate over its standard error. 0 to 1; one half when both are 0.
    #[must_use]
    pub fn los(&self) -> f64 {
        if self.elo == 0.0 {
            0.5
        } else {
            // A standard error of 0 gives an infinite quotient, and 0 or 1.
            0.5 * libm::erfc(-self.elo / self.standard_error * std::f64::consts::FRAC_1_SQRT_2)
        }
    }
}

/// The tie parameter of one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tie {
    /// How many agents share a place, at least 2.
    pub size: usize,
    /// delta(size), from e^-700 to e^700: equal agents, `size` of them, all tie with odds delta to size
    /// against a single winner (for two: probability delta / (2 + delta)).
    pub delta: f64,
}

/// The result of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    elo: Vec<f64>,
    /// Covariance of `elo` in Elo squared, row after row.
    covariance: Vec<f64>,
    seats: Vec<f64>,
    seat_advantage: Difference,
    ties: Vec<Tie>,
}

impl Ratings {
    /// The ratings in the order of the agents' indices.
    pub fn ratings(&self) -> impl ExactSizeIterator<Item = Rating> + '_ {
        (0..self.elo.len()).map(|agent| {
            let (elo_low, elo_high) =
                Difference { elo: self.elo[agent], standard_error: self.covariance(agent, agent).max(0.0).sqrt() }
                    .interval();
            Rating { elo: self.elo[agent], elo_low, elo_high }
        })
    }

    /// How much stronger agent `a` is than agent `b`. The standard error is of the difference
    /// itself: the estimates of two agents move together, so it does not follow from their
    /// intervals.
    ///
    /// # Errors
    ///
    /// [`RatingError::UnknownAgent`].
    pub fn difference(&self, a: usize, b: usize) -> Result<Difference, RatingError> {
        let agents = self.elo.len();
        for agent in [a, b] {
            if agent >= agents {
                return Err(RatingError::UnknownAgent { agent, agents });
            }
        }
        let variance = self.covariance(a, a) + self.covariance(b, b) - 2.0 * self.covariance(a, b);
        Ok(Difference { elo: self.elo[a] - self.elo[b], standard_error: variance.max(0.0).sqrt() })
    }

    /// The likelihood, 0 to 1, that agent `a` is truly stronger than agent `b`.
    ///
    /// # Errors
    ///
    /// [`RatingError::UnknownAgent`].
    pub fn los(&self, a: usize, b: usize) -> Result<f64, RatingError> {
        Ok(self.difference(a, b)?.los())
    }

    /// What sitting in each seat is worth, in Elo, mean 0. Empty when no match was seen.
    #[must_use]
    pub fn seats(&self) -> &[f64] {
        &self.seats
    }

    /// What seat 0 is worth over the mean of the other seats, in Elo; for two seats, over seat 1.
    /// 0 when no match was seen.
    #[must_use]
    pub fn seat_advantage(&self) -> Difference {
        self.seat_advantage
    }

    /// The tie parameters of the sizes seen, ascending by size. Empty when no tie was seen.
    #[must_use]
    pub fn ties(&self) -> &[Tie] {
        &self.ties
    }

    /// The parameter of two-way ties, Davidson's; 0 when none was seen.
    #[must_use]
    pub fn tie(&self) -> f64 {
        match self.ties.first() {
            Some(tie) if tie.size == 2 => tie.delta,
            _ => 0.0,
        }
    }

    /// The name of the prior: [`PRIOR`].
    #[must_use]
    pub fn prior(&self) -> &'static str {
        PRIOR
    }

    fn covariance(&self, a: usize, b: usize) -> f64 {
        self.covariance[a * self.elo.len() + b]
    }
}

/// From parameters to what is shown: the Elo scale, the shift to the mean or the anchor, and the
/// same shift in the covariance.
pub(super) fn scale(layout: &Layout, point: &[f64], covariance: &Square, anchor: Option<Anchor>) -> Ratings {
    let agents = layout.agents;
    // What is shown of agent i is strength i minus a weighted sum of all strengths.
    let weights: Vec<f64> = (0..agents)
        .map(|agent| match anchor {
            Some(anchor) => f64::from(u8::from(anchor.agent == agent)),
            None => 1.0 / agents as f64,
        })
        .collect();
    let shift = anchor.map_or(MEAN_ELO, |anchor| anchor.elo);
    let weighted = |values: &[f64]| -> f64 { values.iter().zip(&weights).map(|(v, w)| v * w).sum() };
    let centre = weighted(&point[..agents]);
    let elo = point[..agents].iter().map(|strength| shift + ELO_PER_UNIT * (strength - centre)).collect();
    let with_centre: Vec<f64> = (0..agents).map(|agent| weighted(&covariance.row(agent)[..agents])).collect();
    let of_centre = weighted(&with_centre);
    let mut shown = Vec::with_capacity(agents * agents);
    for row in 0..agents {
        for column in 0..agents {
            // The mean of both halves, which rounding makes differ a little.
            let both = 0.5 * (covariance.at(row, column) + covariance.at(column, row));
            let value = both - (with_centre[row] + with_centre[column]) + of_centre;
            shown.push(ELO_PER_UNIT * ELO_PER_UNIT * value);
        }
    }

    let effects = &point[agents..agents + layout.seats];
    let mean = effects.iter().sum::<f64>() / layout.seats.max(1) as f64;
    Ratings {
        elo,
        covariance: shown,
        seats: effects.iter().map(|effect| ELO_PER_UNIT * (effect - mean)).collect(),
        seat_advantage: seat_advantage(layout, effects, covariance),
        ties: layout
            .sizes
            .iter()
            .enumerate()
            .map(|(index, &size)| Tie {
                size,
                // e^700 is in range; beyond it no digit of delta means anything.
                delta: libm::exp(point[layout.tie(index)].clamp(-700.0, 700.0)),
            })
            .collect(),
    }
}

fn seat_advantage(layout: &Layout, effects: &[f64], covariance: &Square) -> Difference {
    let weight = |seat: usize| {
        if seat == 0 { 1.0 } else { -1.0 / (layout.seats - 1) as f64 }
    };
    let (mut value, mut variance) = (0.0, 0.0);
    for (row, effect) in effects.iter().enumerate() {
        value += weight(row) * effect;
        for column in 0..layout.seats {
            let shared = covariance.at(layout.seat(row), layout.seat(column));
            variance += weight(row) * weight(column) * shared;
        }
    }
    Difference { elo: ELO_PER_UNIT * value, standard_error: ELO_PER_UNIT * f64::max(variance, 0.0).sqrt() }
}
