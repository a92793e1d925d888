//! What a tournament's outcomes say about its agents.
//!
//! Owns the counting of outcomes and the rows of the standings. Refuses to fit ratings
//! ([`ratings`] does), to play and to print.

mod solo;

use std::collections::BTreeMap;

use farkle::{Ending, Points};
use serde::Serialize;

pub use self::solo::SoloRow;

use self::solo::Solo;
use crate::agent::FaultKind;
use crate::event::Event;
use crate::ratings::{self, Finish, Options, Pair, RatingError, Ratings, Seen};
use crate::referee::Played;
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

/// Outcomes, counted. Grows with the number of pairs: by eight bytes a pair at two seats; with more
/// seats hardly any two pairs end alike, and each takes three bytes a seat and match.
#[derive(Clone, Debug)]
pub struct Tally {
    agents: Vec<AgentTally>,
    /// Each pattern of finishes in a pair, with the pairs that showed it.
    patterns: BTreeMap<Pattern, Vec<u64>>,
    /// Matches of one seat.
    solo: Option<Solo>,
}

/// How the matches of a pair ended: agents and ranks in seat order, one match after another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pattern {
    seats: u8,
    agents: Box<[u16]>,
    ranks: Box<[u8]>,
}

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
    /// Of agents that play alone.
    #[serde(flatten)]
    pub solo: Option<SoloRow>,
}

/// What the fit says beside the ratings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Model {
    /// What the first seat is worth over the mean of the others, in Elo; 0 for agents alone.
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

impl Outcome {
    /// The outcome of a match that `agents` played, in seat order; `events` are its own.
    pub fn new(agents: Vec<usize>, played: &Played, events: &[Event]) -> Outcome {
        let result = &played.result;
        let turns = TurnFigures::of_match(agents.len(), events);
        let faults = played.faults.iter().map(|(seat, fault)| (*seat, fault.kind)).collect();
        let (ranks, scores, ending) = (result.ranks.clone(), result.scores.clone(), result.ending);
        Outcome { agents, ranks, scores, faults, ending, turns }
    }
}

impl Pattern {
    fn new<'a>(finishes: impl Iterator<Item = (&'a [usize], &'a [u32])> + Clone) -> Pattern {
        let seats = finishes.clone().next().map_or(0, |(agents, _)| agents.len() as u8);
        let agents = finishes.clone().flat_map(|(agents, _)| agents.iter().map(|agent| *agent as u16)).collect();
        let ranks = finishes.flat_map(|(_, ranks)| ranks.iter().map(|rank| *rank as u8)).collect();
        Pattern { seats, agents, ranks }
    }

    fn finishes(&self) -> Vec<Finish> {
        let seats = usize::from(self.seats).max(1);
        let matches = self.agents.chunks(seats).zip(self.ranks.chunks(seats));
        matches
            .map(|(agents, ranks)| Finish {
                agents: agents.iter().map(|agent| usize::from(*agent)).collect(),
                ranks: ranks.iter().map(|rank| u32::from(*rank)).collect(),
            })
            .collect()
    }
}

impl Tally {
    /// Nothing played yet by so many agents, 65,535 at most.
    pub fn new(agents: usize) -> Tally {
        Tally { agents: vec![AgentTally::default(); agents], patterns: BTreeMap::new(), solo: None }
    }

    /// Counts the matches of one pair: one table's matches on the seed of that index.
    ///
    /// A match of one seat is compared with those of the other agents on the same seed, as if all
    /// had sat at one table, and counts once the last of them is there.
    pub fn add_pair(&mut self, pair: u64, outcomes: &[Outcome]) {
        if outcomes.iter().all(|outcome| outcome.agents.len() == 1) {
            outcomes.iter().for_each(|outcome| self.add_alone(pair, outcome));
            return;
        }
        for outcome in outcomes {
            self.count(&outcome.agents, &outcome.ranks, &outcome.scores);
            self.count_faults(outcome);
        }
        let pattern = Pattern::new(outcomes.iter().map(|o| (&*o.agents, &*o.ranks)));
        self.patterns.entry(pattern).or_default().push(pair);
    }

    /// Counts one match of one seat.
    fn add_alone(&mut self, pair: u64, outcome: &Outcome) {
        let agents = self.agents.len();
        let Some(seed) = self.solo.get_or_insert_default().take(agents, pair, outcome) else { return };
        let ranks = Solo::ranks(&seed);
        let scores: Vec<Points> = seed.iter().map(|outcome| outcome.scores[0]).collect();
        self.count(&(0..agents).collect::<Vec<_>>(), &ranks, &scores);
        seed.iter().for_each(|outcome| self.count_faults(outcome));
        // Every two agents as a pair of matches, one in each order, so that no seat has an
        // advantage. One finish of all agents would have sizes of ties without end, cost the third
        // power of the agents, and put every agent in a seat of its own.
        for a in 0..agents {
            for b in a + 1..agents {
                let own = 1 + u32::from(ranks[b] < ranks[a]);
                let other = 1 + u32::from(ranks[a] < ranks[b]);
                let finishes = [([a, b], [own, other]), ([b, a], [other, own])];
                let pattern = Pattern::new(finishes.iter().map(|(agents, ranks)| (&agents[..], &ranks[..])));
                self.patterns.entry(pattern).or_default().push(pair);
            }
        }
    }

    fn count(&mut self, agents: &[usize], ranks: &[u32], scores: &[Points]) {
        for (seat, &agent) in agents.iter().enumerate() {
            let tally = &mut self.agents[agent];
            let own = ranks[seat];
            let others = || ranks.iter().enumerate().filter(|(s, _)| *s != seat).map(|(_, r)| *r);
            let shared = others().filter(|rank| *rank == own).count();
            let below = others().filter(|rank| *rank > own).count();
            tally.matches += 1;
            match (own, shared) {
                (1, 0) => tally.wins += 1,
                (1, _) => tally.draws += 1,
                _ => tally.losses += 1,
            }
            if agents.len() > 1 {
                tally.score += (below as f64 + shared as f64 / 2.0) / (agents.len() - 1) as f64;
            }
            tally.points += i64::from(scores[seat]);
        }
    }

    fn count_faults(&mut self, outcome: &Outcome) {
        for (seat, kind) in &outcome.faults {
            self.agents[outcome.agents[usize::from(*seat)]].faults[usize::from(kind.code() - 1)] += 1;
        }
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
            .map(|(pattern, seeds)| Pair { finishes: pattern.finishes(), seen: Seen::Seeds(seeds.clone()) })
            .collect();
        ratings::fit(self.agents.len(), &pairs, options)
    }

    /// The standings: by rating, of agents that play alone by mean total; equal ones in the order in
    /// which they were given.
    ///
    /// # Errors
    ///
    /// [`RatingError`] when the outcomes cannot be fitted.
    pub fn standings(&self) -> Result<Standings, RatingError> {
        let ratings = self.ratings(&Options::default())?;
        let fitted: Vec<_> = ratings.ratings().collect();
        let agents = self.agents.len();
        let order = match &self.solo {
            Some(solo) => solo.order(agents),
            None => {
                let mut order: Vec<usize> = (0..agents).collect();
                order.sort_by(|a, b| fitted[*b].elo.total_cmp(&fitted[*a].elo));
                order
            }
        };
        let mut rows = Vec::with_capacity(order.len());
        for (place, &agent) in order.iter().enumerate() {
            let tally = &self.agents[agent];
            let per_match = |sum: f64| if tally.matches == 0 { 0.0 } else { sum / tally.matches as f64 };
            let los_next = match order.get(place + 1) {
                Some(next) => Some(match &self.solo {
                    Some(solo) => solo.los(agents, agent, *next),
                    None => ratings.los(agent, *next)?,
                }),
                None => None,
            };
            rows.push(Row {
                agent,
                rank: place as u32 + 1,
                elo: rounded(fitted[agent].elo, 2),
                elo_low: rounded(fitted[agent].elo_low, 2),
                elo_high: rounded(fitted[agent].elo_high, 2),
                los_next: los_next.map(|los| rounded(los, 4)),
                matches: tally.matches,
                wins: tally.wins,
                draws: tally.draws,
                losses: tally.losses,
                score: rounded(per_match(tally.score), 6),
                points_mean: rounded(per_match(tally.points as f64), 2),
                faults: FaultKind::ALL.into_iter().zip(tally.faults).collect(),
                solo: self.solo.as_ref().map(|solo| solo.row(agent)),
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
        Outcome {
            agents: agents.into(),
            ranks: ranks.into(),
            scores: vec![100, 300],
            faults: Vec::new(),
            ending: Ending::FinalRound,
            turns: Vec::new(),
        }
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
                ending: Ending::FinalRound,
                turns: Vec::new(),
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

    fn alone(agent: usize, total: Points, faults: &[FaultKind], figures: (u64, u64, Points, Points)) -> Outcome {
        let (turns, farkles, best, worst) = figures;
        Outcome {
            agents: vec![agent],
            ranks: vec![1],
            scores: vec![total],
            faults: faults.iter().map(|kind| (0, *kind)).collect(),
            ending: if faults.is_empty() { Ending::Turns } else { Ending::Forfeit },
            turns: vec![TurnFigures { turns, farkles, best: Some(best), worst: Some(worst) }],
        }
    }

    /// Three agents on three seeds, by hand:
    ///
    /// | seed | 0 | 1 | 2 | ranks |
    /// |---|---|---|---|---|
    /// | 0 | 3,000 | 2,000 | 2,000 | 1 2 2 |
    /// | 1 | 1,000 | 2,500 | faults at 9,000 | 2 1 3 |
    /// | 2 | 2,000 | 2,000 | 1,000 | 1 1 3 |
    #[test]
    fn agents_alone_stand_by_mean_total_and_are_compared_seed_by_seed() {
        let mut tally = Tally::new(3);
        let trap = [FaultKind::Trap];
        let figures = (10, 3, 900, -500);
        let rounds = [
            [alone(0, 3_000, &[], figures), alone(1, 2_000, &[], figures), alone(2, 2_000, &[], figures)],
            [
                alone(0, 1_000, &[], (10, 1, 700, -2_000)),
                alone(1, 2_500, &[], figures),
                alone(2, 9_000, &trap, (4, 0, 3_000, 50)),
            ],
            [alone(0, 2_000, &[], figures), alone(1, 2_000, &[], figures), alone(2, 1_000, &[], figures)],
        ];
        for (pair, round) in rounds.iter().enumerate() {
            for outcome in round {
                tally.add_pair(pair as u64, std::slice::from_ref(outcome));
            }
        }
        // A seed that not all have played does not count.
        tally.add_pair(3, &[alone(0, 9_000, &[], figures)]);

        let rows = tally.standings().unwrap().standings;
        let order: Vec<_> = rows.iter().map(|row| (row.rank, row.agent)).collect();
        assert_eq!(order, [(1, 1), (2, 0), (3, 2)]);
        let counts: Vec<_> = rows.iter().map(|row| (row.matches, row.wins, row.draws, row.losses)).collect();
        assert_eq!(counts, [(3, 1, 1, 1), (3, 1, 1, 1), (3, 0, 0, 3)]);
        // Agent 1: (0.25 + 1 + 0.75) / 3; agent 0: (1 + 0.5 + 0.75) / 3; agent 2: 0.25 / 3.
        for (row, score) in rows.iter().zip([2.0 / 3.0, 0.75, 0.25 / 3.0]) {
            assert!((row.score - score).abs() < 1e-6, "{row:?}");
        }
        let solo: Vec<_> = rows.iter().map(|row| row.solo.clone().unwrap()).collect();
        let means: Vec<_> = solo.iter().map(|solo| solo.total_mean).collect();
        assert_eq!(means, [2_166.67, 2_000.0, 1_000.0], "a match that faulted counts 0");
        // Agent 0: 3,000, 1,000, 2,000: standard deviation 1,000; t(2) = 4.303.
        let half = 4.303 * 1_000.0 / 3.0_f64.sqrt();
        assert!((solo[1].total_high.unwrap() - 2_000.0 - half).abs() < 0.01, "{solo:?}");
        assert!((solo[1].total_low.unwrap() - 2_000.0 + half).abs() < 0.01);
        assert_eq!((solo[1].best_turn, solo[1].worst_turn), (Some(900), Some(-2_000)));
        // 3 + 1 + 3 of 30 turns; 3 + 0 + 3 of 24.
        assert_eq!((solo[1].farkle_rate, solo[2].farkle_rate), (0.233333, 0.25));
        assert_eq!(rows[2].faults[&FaultKind::Trap], 1);
        // Agent 1 over agent 0: differences -1,000, 1,500, 0: mean 500 / 3.
        assert!(rows[0].los_next.unwrap() > 0.5 && rows[0].los_next.unwrap() < 0.7, "{rows:?}");
        assert_eq!(rows[2].los_next, None);
        let json = serde_json::to_value(&rows[1]).unwrap();
        assert_eq!((&json["total_mean"], &json["worst_turn"]), (&2_000.0.into(), &(-2_000).into()));
    }

    #[test]
    fn one_agent_alone_has_a_mean_on_one_seed_and_no_interval() {
        let mut tally = Tally::new(1);
        tally.add_pair(0, &[alone(0, 3_000, &[], (10, 2, 900, -500))]);
        let standings = tally.standings().unwrap();
        let solo = standings.standings[0].solo.as_ref().unwrap();
        assert_eq!((solo.total_mean, solo.total_low), (3_000.0, None));
        assert_eq!(standings.model.seat_advantage, 0.0);
    }
}
