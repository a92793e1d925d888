//! What a tournament's outcomes say about its agents.
//!
//! Owns the counting of outcomes and the rows of the standings. Refuses to fit ratings
//! ([`ratings`](crate::ratings) does), to play and to print.

use std::collections::BTreeMap;

use farkle::Points;
use serde::Serialize;

use crate::agent::FaultKind;
use crate::ratings::{self, Finish, Options, Pair, RatingError, Ratings, Seen};

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
}

/// Outcomes, counted. Grows with the number of pairs by eight bytes a pair.
#[derive(Clone, Debug)]
pub struct Tally {
    agents: Vec<AgentTally>,
    /// Each pattern of finishes in a pair, with the pairs that showed it.
    patterns: BTreeMap<Pattern, Vec<u64>>,
}

/// How the matches of a pair ended: agents and ranks in seat order, a match each.
type Pattern = Vec<(Vec<usize>, Vec<u32>)>;

#[derive(Clone, Debug, Default)]
struct AgentTally {
    matches: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Sum over matches of the share of opponents outranked.
    score: f64,
    points: i64,
    faults: [u64; FaultKind::ALL.len()],
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
    /// The likelihood that this agent is truly stronger than the next one.
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
}

/// What the fit says beside the ratings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Model {
    /// What the first seat is worth, in Elo.
    pub seat_advantage: f64,
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
}

impl Tally {
    /// Nothing played yet by so many agents.
    pub fn new(agents: usize) -> Tally {
        Tally { agents: vec![AgentTally::default(); agents], patterns: BTreeMap::new() }
    }

    /// Counts the matches of one pair: one pairing's matches on the seed of that index.
    pub fn add_pair(&mut self, pair: u64, outcomes: &[Outcome]) {
        for outcome in outcomes {
            let seats = outcome.agents.len();
            for (seat, &agent) in outcome.agents.iter().enumerate() {
                let tally = &mut self.agents[agent];
                let own = outcome.ranks[seat];
                let others = || outcome.ranks.iter().enumerate().filter(|(s, _)| *s != seat).map(|(_, r)| *r);
                let shared = others().filter(|rank| *rank == own).count();
                let below = others().filter(|rank| *rank > own).count();
                tally.matches += 1;
                match (own, shared) {
                    (1, 0) => tally.wins += 1,
                    (1, _) => tally.draws += 1,
                    _ => tally.losses += 1,
                }
                if seats > 1 {
                    tally.score += (below as f64 + shared as f64 / 2.0) / (seats - 1) as f64;
                }
                tally.points += i64::from(outcome.scores[seat]);
            }
            for (seat, kind) in &outcome.faults {
                self.agents[outcome.agents[usize::from(*seat)]].faults[usize::from(kind.code() - 1)] += 1;
            }
        }
        let pattern = outcomes.iter().map(|o| (o.agents.clone(), o.ranks.clone())).collect();
        self.patterns.entry(pattern).or_default().push(pair);
    }

    /// The rating fit over everything counted.
    ///
    /// # Errors
    ///
    /// [`RatingError`] when the outcomes cannot be fitted.
    pub fn ratings(&self, options: &Options) -> Result<Ratings, RatingError> {
        let pairs: Vec<Pair> = self
            .patterns
            .iter()
            .map(|(pattern, seeds)| Pair {
                finishes: pattern
                    .iter()
                    .map(|(agents, ranks)| Finish { agents: agents.clone(), ranks: ranks.clone() })
                    .collect(),
                seen: Seen::Seeds(seeds.clone()),
            })
            .collect();
        ratings::fit(self.agents.len(), &pairs, options)
    }

    /// The standings: by rating, agents of equal rating in the order in which they were given.
    ///
    /// # Errors
    ///
    /// [`RatingError`] when the outcomes cannot be fitted.
    pub fn standings(&self) -> Result<Standings, RatingError> {
        let ratings = self.ratings(&Options::default())?;
        let fitted: Vec<_> = ratings.ratings().collect();
        let mut order: Vec<usize> = (0..self.agents.len()).collect();
        order.sort_by(|a, b| fitted[*b].elo.total_cmp(&fitted[*a].elo));
        let mut rows = Vec::with_capacity(order.len());
        for (place, &agent) in order.iter().enumerate() {
            let tally = &self.agents[agent];
            let per_match = |sum: f64| if tally.matches == 0 { 0.0 } else { sum / tally.matches as f64 };
            let los_next = match order.get(place + 1) {
                Some(next) => Some(rounded(ratings.los(agent, *next)?, 4)),
                None => None,
            };
            rows.push(Row {
                agent,
                rank: place as u32 + 1,
                elo: rounded(fitted[agent].elo, 2),
                elo_low: rounded(fitted[agent].elo_low, 2),
                elo_high: rounded(fitted[agent].elo_high, 2),
                los_next,
                matches: tally.matches,
                wins: tally.wins,
                draws: tally.draws,
                losses: tally.losses,
                score: rounded(per_match(tally.score), 6),
                points_mean: rounded(per_match(tally.points as f64), 2),
                faults: FaultKind::ALL.into_iter().zip(tally.faults).collect(),
            });
        }
        let model = Model {
            seat_advantage: rounded(ratings.seat_advantage().elo, 2),
            tie: rounded(ratings.tie(), 6),
            prior: ratings.prior(),
        };
        Ok(Standings { model, standings: rows })
    }
}

/// Digits beyond these say nothing.
fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale).round() / scale
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(agents: [usize; 2], ranks: [u32; 2]) -> Outcome {
        Outcome { agents: agents.into(), ranks: ranks.into(), scores: vec![100, 300], faults: Vec::new() }
    }

    #[test]
    fn wins_draws_and_losses_are_counted_by_first_ranks() {
        let mut tally = Tally::new(2);
        tally.add_pair(0, &[outcome([0, 1], [1, 2]), outcome([1, 0], [1, 1])]);
        let standings = tally.standings().unwrap();
        let [first, second] = &standings.standings[..] else { panic!("two rows") };
        assert_eq!((first.agent, first.wins, first.draws, first.losses), (0, 1, 1, 0));
        assert_eq!((second.agent, second.wins, second.draws, second.losses), (1, 0, 1, 1));
        assert_eq!((first.score, second.score), (0.75, 0.25));
        assert_eq!(first.points_mean, 200.0);
        assert!(first.elo > second.elo && first.los_next.unwrap() > 0.5 && second.los_next.is_none());
    }

    #[test]
    fn four_seats_with_a_shared_win() {
        // The case of ruling 12: ranks 1, 1, 3, 4.
        let mut tally = Tally::new(4);
        tally.add_pair(
            0,
            &[Outcome {
                agents: vec![0, 1, 2, 3],
                ranks: vec![1, 1, 3, 4],
                scores: vec![10_000, 10_000, 9_000, 8_000],
                faults: vec![(3, FaultKind::Trap)],
            }],
        );
        let mut rows = tally.standings().unwrap().standings;
        rows.sort_by_key(|row| row.agent);
        let shares: Vec<_> = rows.iter().map(|row| (row.wins, row.draws, row.losses, row.score)).collect();
        let third = 1.0 / 3.0;
        for (row, (draws, losses, score)) in
            rows.iter().zip([(1, 0, 2.5 * third), (1, 0, 2.5 * third), (0, 1, third), (0, 1, 0.0)])
        {
            assert_eq!((row.wins, row.draws, row.losses), (0, draws, losses), "{shares:?}");
            assert!((row.score - score).abs() < 1e-6);
        }
        assert_eq!(rows[3].faults[&FaultKind::Trap], 1);
    }
}
