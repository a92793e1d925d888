//! What a tournament's outcomes say about its agents.
//!
//! Owns what standings are made from and what they say; [`Tally`] makes them. Refuses to fit ratings
//! ([`ratings`](crate::ratings) does), to play and to print.

mod cross_table;
mod faults;
mod history;
mod luck_adjusted;
mod pattern;
mod solo;
mod tally;

use std::collections::BTreeMap;

use farkle::{Ending, MatchResult, Points};
use serde::Serialize;

pub use self::cross_table::{CrossTable, HeadToHead};
pub use self::history::{Checkpoint, History};
pub use self::luck_adjusted::{Adjusted, LuckAdjusted};
pub use self::solo::SoloRow;
pub use self::tally::Tally;

use crate::event::Event;
use crate::fault::FaultKind;
use crate::turn_figures::TurnFigures;

/// The outcome of one match, as far as standings want to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Agents by index, in seat order.
    pub agents: Vec<usize>,
    /// Ranks, by seat.
    pub ranks: Vec<u32>,
    /// Banked points, by seat.
    pub scores: Vec<Points>,
    /// Faults: seat and kind.
    pub faults: Vec<(u8, FaultKind)>,
    /// Why the match ended.
    pub ending: Ending,
    /// Figures of the turns, by seat. Standings read them of matches of one seat.
    pub turns: Vec<TurnFigures>,
}

/// One row of the standings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The index of the agent.
    #[serde(skip)]
    pub agent: usize,
    /// From 1.
    pub rank: u32,
    /// Rating on the Elo scale.
    pub elo: f64,
    /// Lower end of its 95% interval.
    pub elo_low: f64,
    /// Upper end of its 95% interval.
    pub elo_high: f64,
    /// The likelihood that this agent is truly stronger than the next one; for agents alone, that
    /// its mean total is truly higher.
    pub los_next: Option<f64>,
    /// Matches played.
    pub matches: u64,
    /// Sole first ranks.
    pub wins: u64,
    /// Shared first ranks.
    pub draws: u64,
    /// All else.
    pub losses: u64,
    /// The share of opponents outranked, ties one half, averaged over matches: 0 to 1.
    pub score: f64,
    /// Mean of banked points.
    pub points_mean: f64,
    /// Faults by kind; every kind is listed.
    pub faults: BTreeMap<FaultKind, u64>,
    /// For each kind of fault that occurred the number of the first match, in schedule order, that
    /// shows it; of pairs that were added with their matches' numbers.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub first_faults: BTreeMap<FaultKind, u64>,
    /// Of agents that play alone.
    #[serde(flatten)]
    pub solo: Option<SoloRow>,
}

/// What an agent is ranked by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The rating in Elo; of agents alone the mean total.
    pub at: f64,
    /// Lower end of its 95% interval; of a mean of one seed the mean itself.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Row {
    /// What the agent is ranked by.
    pub fn estimate(&self) -> Estimate {
        match &self.solo {
            None => Estimate { at: self.elo, low: self.elo_low, high: self.elo_high },
            Some(solo) => {
                let at = solo.total_mean;
                Estimate { at, low: solo.total_low.unwrap_or(at), high: solo.total_high.unwrap_or(at) }
            }
        }
    }
}

/// What the fit says beside the ratings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Model {
    /// What the first seat is worth over the mean of the others, in Elo; 0 for agents alone.
    pub seat_advantage: f64,
    /// Lower end of its 95% interval.
    pub seat_advantage_low: f64,
    /// Upper end of its 95% interval.
    pub seat_advantage_high: f64,
    /// Davidson's parameter of ties; 0 when there was none.
    pub tie: f64,
    /// The prior.
    pub prior: &'static str,
}

/// The standings: rows from the strongest down, and the model behind them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standings {
    /// The fitted model.
    pub model: Model,
    /// The rows.
    pub standings: Vec<Row>,
    /// The likelihood, 0 to 1, that one agent is truly stronger than another: `los[a][b]` by agents'
    /// indices, not by rank. Its two directions sum to 1; against itself an agent has one half. Of
    /// agents that play alone the likelihood that the mean total is truly higher.
    #[serde(skip)]
    pub los: Vec<Vec<f64>>,
    /// Every agent against every other, by agents' indices.
    #[serde(skip)]
    pub cross_table: CrossTable,
}

/// The share of the others that a seat outranked, ties one half.
fn score(ranks: &[u32], seat: usize) -> f64 {
    let below = ranks.iter().filter(|rank| **rank > ranks[seat]).count();
    let shared = ranks.iter().filter(|rank| **rank == ranks[seat]).count() - 1;
    if ranks.len() > 1 { (below as f64 + shared as f64 / 2.0) / (ranks.len() - 1) as f64 } else { 0.0 }
}

impl Outcome {
    /// The share of opponents that a seat outranked, ties one half: 0 to 1; of a match of one seat 0.
    ///
    /// # Panics
    ///
    /// When there is no such seat.
    pub fn score(&self, seat: usize) -> f64 {
        score(&self.ranks, seat)
    }

    /// The outcome of a match that `agents` played, in seat order; `events` are its own.
    pub fn new(agents: Vec<usize>, result: &MatchResult, events: &[Event]) -> Outcome {
        let turns = TurnFigures::of_match(agents.len(), events);
        let faults = events.iter().filter_map(Event::fault).map(|(seat, kind, _)| (seat, kind)).collect();
        let (ranks, scores, ending) = (result.ranks.clone(), result.scores.clone(), result.ending);
        Outcome { agents, ranks, scores, faults, ending, turns }
    }
}

/// Digits beyond these say nothing.
fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale).round() / scale
}
