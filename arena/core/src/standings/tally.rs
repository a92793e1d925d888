//! The counting of outcomes, and standings from what was counted.
//!
//! Owns the counts. Refuses to care in which order pairs arrive: standings come out the same.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use farkle::Points;

use super::faults::Faults;
use super::pattern::Pattern;
use super::solo::Solo;
use super::{CrossTable, Model, Outcome, Row, Standings, rounded};
use crate::ratings::{self, Correction, Options, Pair, RatingError, Ratings, Seeds, Seen};

/// Outcomes, counted. Grows with the number of pairs: by a byte or two a pair at two seats; with more
/// seats hardly any two pairs end alike, and each takes three bytes a seat and match.
#[derive(Clone, Debug)]
pub struct Tally {
    agents: Vec<AgentTally>,
    /// Each pattern of finishes in a pair, with the pairs that showed it.
    patterns: BTreeMap<Pattern, Seeds>,
    /// Matches of one seat.
    solo: Option<Solo>,
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
    faults: Faults,
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
        self.add(pair, outcomes.iter().map(|outcome| (None, outcome)));
    }

    /// The same for matches with their numbers in schedule order, so that the standings can name the
    /// first match that shows a fault.
    pub fn add_numbered_pair(&mut self, pair: u64, outcomes: &[(u64, Outcome)]) {
        self.add(pair, outcomes.iter().map(|(number, outcome)| (Some(*number), outcome)));
    }

    fn add<'a>(&mut self, pair: u64, matches: impl Iterator<Item = (Option<u64>, &'a Outcome)> + Clone) {
        if matches.clone().all(|(_, outcome)| outcome.agents.len() == 1) {
            matches.for_each(|(number, outcome)| self.add_alone(pair, number, outcome));
            return;
        }
        for (number, outcome) in matches.clone() {
            self.count(&outcome.agents, &outcome.ranks, &outcome.scores);
            self.count_faults(number, outcome);
        }
        let pattern = Pattern::new(matches.map(|(_, outcome)| (&*outcome.agents, &*outcome.ranks)));
        self.patterns.entry(pattern).or_default().push(pair);
    }

    /// Counts one match of one seat.
    fn add_alone(&mut self, pair: u64, number: Option<u64>, outcome: &Outcome) {
        let agents = self.agents.len();
        let Some(seed) = self.solo.get_or_insert_default().take(agents, pair, number, outcome) else { return };
        let ranks = Solo::ranks(seed.iter().map(|(_, outcome)| outcome));
        let scores: Vec<Points> = seed.iter().map(|(_, outcome)| outcome.scores[0]).collect();
        self.count(&(0..agents).collect::<Vec<_>>(), &ranks, &scores);
        seed.iter().for_each(|(number, outcome)| self.count_faults(*number, outcome));
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
            let shared = ranks.iter().filter(|rank| **rank == own).count() - 1;
            tally.matches += 1;
            match (own, shared) {
                (1, 0) => tally.wins += 1,
                (1, _) => tally.draws += 1,
                _ => tally.losses += 1,
            }
            tally.score += super::score(ranks, seat);
            tally.points += i64::from(scores[seat]);
        }
    }

    fn count_faults(&mut self, number: Option<u64>, outcome: &Outcome) {
        for (seat, kind) in &outcome.faults {
            self.agents[outcome.agents[usize::from(*seat)]].faults.add(*kind, number);
        }
    }

    /// Every agent against every other.
    #[must_use]
    pub fn cross_table(&self) -> CrossTable {
        let patterns = self.patterns.iter().map(|(pattern, seeds)| (pattern, seeds.len()));
        // Two agents alone on one seed were entered in both orders.
        let of = if self.solo.is_some() { 2 } else { 1 };
        CrossTable::new(self.agents.len(), patterns, of)
    }

    /// The rating fit over everything counted.
    ///
    /// # Errors
    ///
    /// [`RatingError`] when the outcomes cannot be fitted.
    pub fn ratings(&self, options: &Options) -> Result<Ratings, RatingError> {
        self.corrected_ratings(&[], options)
    }

    /// The same with scores corrected, as [`luck::correct`](crate::luck::correct) does; seeds are the pairs'
    /// indices.
    ///
    /// # Errors
    ///
    /// [`RatingError`] when the outcomes cannot be fitted, or a correction is none.
    pub fn corrected_ratings(&self, corrections: &[Correction], options: &Options) -> Result<Ratings, RatingError> {
        let pairs: Vec<Pair> = self
            .patterns
            .iter()
            .map(|(pattern, seeds)| Pair { finishes: pattern.finishes(), seen: Seen::Seeds(seeds.clone()) })
            .collect();
        ratings::fit_corrected(self.agents.len(), &pairs, corrections, options)
    }

    /// The standings: by rating, of agents that play alone by mean total; equal ones in the order in
    /// which they were given.
    ///
    /// # Errors
    ///
    /// [`RatingError`] when the outcomes cannot be fitted.
    pub fn standings(&self) -> Result<Standings, RatingError> {
        self.standings_with(&Options::default())
    }

    /// The standings with settings for the fit, such as an agent whose rating is given. Agents that play
    /// alone still stand by mean total.
    ///
    /// # Errors
    ///
    /// [`RatingError`] when the outcomes cannot be fitted, or the anchor is no known agent or no finite
    /// rating.
    ///
    /// ```
    /// # use arena_core::{ratings::{Anchor, Options, RatingError}, standings::Tally};
    /// let tally = Tally::new(3);
    /// let held = Options { anchor: Some(Anchor { agent: 1, elo: 2000.0 }) };
    /// let standings = tally.standings_with(&held)?;
    /// assert!(standings.standings.iter().all(|row| row.elo == 2000.0), "nobody has played");
    /// let unknown = Options { anchor: Some(Anchor { agent: 3, elo: 2000.0 }) };
    /// assert_eq!(tally.standings_with(&unknown), Err(RatingError::UnknownAgent { agent: 3, agents: 3 }));
    /// # Ok::<(), RatingError>(())
    /// ```
    pub fn standings_with(&self, options: &Options) -> Result<Standings, RatingError> {
        let ratings = self.ratings(options)?;
        let los = self.los(&ratings)?;
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
            rows.push(Row {
                agent,
                rank: place as u32 + 1,
                elo: rounded(fitted[agent].elo, 2),
                elo_low: rounded(fitted[agent].elo_low, 2),
                elo_high: rounded(fitted[agent].elo_high, 2),
                los_next: order.get(place + 1).map(|next| los[agent][*next]),
                matches: tally.matches,
                wins: tally.wins,
                draws: tally.draws,
                losses: tally.losses,
                score: rounded(per_match(tally.score), 6),
                points_mean: rounded(per_match(tally.points as f64), 2),
                faults: tally.faults.counts(),
                first_faults: tally.faults.first_matches(),
                solo: self.solo.as_ref().map(|solo| solo.row(agent)),
            });
        }
        let model = Model {
            seat_advantage: rounded(ratings.seat_advantage().elo, 2),
            seat_advantage_low: rounded(ratings.seat_advantage().interval().0, 2),
            seat_advantage_high: rounded(ratings.seat_advantage().interval().1, 2),
            tie: rounded(ratings.tie(), 6),
            prior: ratings.prior(),
        };
        Ok(Standings { model, standings: rows, los, cross_table: self.cross_table() })
    }

    fn los(&self, ratings: &Ratings) -> Result<Vec<Vec<f64>>, RatingError> {
        let agents = self.agents.len();
        let above = |a, b| {
            let value = match &self.solo {
                Some(solo) => solo.los(agents, a, b),
                None => ratings.los(a, b)?,
            };
            Ok(rounded(value, 4))
        };
        let against = |a: usize, b: usize| match a.cmp(&b) {
            Ordering::Less => above(a, b),
            Ordering::Equal => Ok(0.5),
            Ordering::Greater => Ok(rounded(1.0 - above(b, a)?, 4)),
        };
        (0..agents).map(|a| (0..agents).map(|b| against(a, b)).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::FaultKind;
    use crate::standings::HeadToHead;
    use crate::turn_figures::TurnFigures;
    use farkle::Ending;

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

    #[test]
    fn cross_table_and_likelihoods_go_by_agent() {
        let mut tally = Tally::new(3);
        // Agent 2 beats both others, agent 0 beats agent 1 three times in four.
        for pair in 0..20 {
            let even = pair % 2 == 0;
            tally.add_pair(
                pair,
                &[outcome([0, 1], [1, 2]), outcome([1, 0], [1 + u32::from(even), 2 - u32::from(even)])],
            );
            tally.add_pair(pair, &[outcome([0, 2], [2, 1]), outcome([2, 0], [1, 2])]);
            tally.add_pair(pair, &[outcome([1, 2], [2, 1]), outcome([2, 1], [1, 1])]);
        }
        let standings = tally.standings().unwrap();
        let cell = |a, b| standings.cross_table.get(a, b).map(|cell| (cell.wins, cell.draws, cell.losses));
        assert_eq!((cell(0, 1), cell(1, 0)), (Some((30, 0, 10)), Some((10, 0, 30))));
        assert_eq!((cell(2, 1), cell(1, 2)), (Some((20, 20, 0)), Some((0, 20, 20))));
        assert_eq!((cell(2, 0), cell(0, 0)), (Some((40, 0, 0)), None));
        assert_eq!(standings.cross_table.get(2, 1).unwrap().score(), Some(0.75));
        let order: Vec<_> = standings.standings.iter().map(|row| row.agent).collect();
        assert_eq!(order, [2, 0, 1]);
        assert_eq!(standings.standings[0].los_next, Some(standings.los[2][0]));
        assert_eq!(standings.standings[1].los_next, Some(standings.los[0][1]));
        assert!(standings.los[2][1] > 0.99 && standings.los[0][1] > 0.9);
        for a in 0..3 {
            assert_eq!(standings.los[a][a], 0.5);
            for b in 0..3 {
                assert!((standings.los[a][b] + standings.los[b][a] - 1.0).abs() < 1e-12);
            }
        }
        let json = serde_json::to_value(&standings).unwrap();
        assert_eq!(json.as_object().unwrap().len(), 2, "matrices go by index and stay out of the rows' format");
    }

    #[test]
    fn an_anchored_agent_has_the_rating_that_was_given() {
        let mut tally = Tally::new(2);
        for pair in 0..50 {
            tally.add_pair(pair, &[outcome([0, 1], [1, 2]), outcome([1, 0], [1, 2])]);
        }
        tally.add_pair(50, &[outcome([0, 1], [1, 2]), outcome([1, 0], [2, 1])]);
        let free = tally.standings().unwrap().standings;
        let options = Options { anchor: Some(ratings::Anchor { agent: 1, elo: 2000.0 }) };
        let held = tally.standings_with(&options).unwrap().standings;
        assert_eq!((held[1].agent, held[1].elo, held[1].elo_low, held[1].elo_high), (1, 2000.0, 2000.0, 2000.0));
        assert!((held[0].elo - 2000.0 - (free[0].elo - free[1].elo)).abs() < 0.02);
        assert_eq!(held[0].los_next, free[0].los_next);
    }

    #[test]
    fn the_first_match_that_shows_a_fault_is_named() {
        let faulty = |number, seats: [usize; 2], kind| {
            let mut outcome = outcome(seats, [1, 2]);
            outcome.faults.push((1, kind));
            (number, outcome)
        };
        let mut tally = Tally::new(2);
        tally.add_numbered_pair(1, &[faulty(3, [0, 1], FaultKind::Trap), (4, outcome([1, 0], [1, 2]))]);
        tally.add_numbered_pair(0, &[faulty(1, [0, 1], FaultKind::Trap), faulty(2, [1, 0], FaultKind::OutOfFuel)]);
        tally.add_pair(2, &[faulty(5, [0, 1], FaultKind::IllegalKeep).1, outcome([1, 0], [1, 2])]);
        let mut rows = tally.standings().unwrap().standings;
        rows.sort_by_key(|row| row.agent);
        assert_eq!(rows[0].first_faults, [(FaultKind::OutOfFuel, 2)].into());
        assert_eq!(rows[1].first_faults, [(FaultKind::Trap, 1)].into());
        assert_eq!((rows[1].faults[&FaultKind::Trap], rows[1].faults[&FaultKind::IllegalKeep]), (2, 1));
        assert_eq!(serde_json::to_value(&rows[1]).unwrap()["first_faults"], serde_json::json!({"trap": 1}));
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
        // Seed by seed: agent 0 above agent 1, below it, level with it; always above agent 2.
        let cross = tally.cross_table();
        assert_eq!(cross.get(0, 1), Some(HeadToHead { wins: 1, draws: 1, losses: 1 }));
        assert_eq!(cross.get(2, 0), Some(HeadToHead { wins: 0, draws: 0, losses: 3 }));
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
