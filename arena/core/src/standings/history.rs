//! How ratings came about: fits over more and more of what was played.
//!
//! Owns the counts between checkpoints. Refuses intervals: [`Tally`](super::Tally) has those of the end.

use std::collections::BTreeMap;

use super::Outcome;
use super::pattern::Pattern;
use crate::ratings::{self, Options, Pair, RatingError, Seen};

/// Outcomes, counted by when they were played.
#[derive(Clone, Debug)]
pub struct History {
    agents: usize,
    /// One past the last position.
    end: u64,
    spans: Vec<Span>,
}

/// What was played between two checkpoints.
#[derive(Clone, Debug, Default)]
struct Span {
    matches: u64,
    patterns: BTreeMap<Pattern, u64>,
}

/// The ratings after so many matches.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Matches played until then.
    pub matches: u64,
    /// Ratings by agent, in Elo; of agents that had not played, `None`.
    pub elo: Vec<Option<f64>>,
}

impl History {
    /// Of so many agents, with so many checkpoints evenly over the positions below `end`.
    pub fn new(agents: usize, checkpoints: usize, end: u64) -> History {
        let checkpoints = checkpoints.min(end.try_into().unwrap_or(usize::MAX)).max(1);
        History { agents, end: end.max(1), spans: vec![Span::default(); checkpoints] }
    }

    /// Counts the matches of one pair, at tables of two seats or more. Its position is any number below the
    /// end that grows with time.
    pub fn add_pair<'a>(&mut self, position: u64, outcomes: impl Iterator<Item = &'a Outcome> + Clone) {
        let place = u128::from(position.min(self.end - 1)) * self.spans.len() as u128 / u128::from(self.end);
        let span = &mut self.spans[place as usize];
        span.matches += outcomes.clone().count() as u64;
        let pattern = Pattern::new(outcomes.map(|outcome| (&*outcome.agents, &*outcome.ranks)));
        *span.patterns.entry(pattern).or_default() += 1;
    }

    /// The ratings at every checkpoint at which something new was played.
    ///
    /// # Errors
    ///
    /// [`RatingError`] when the outcomes cannot be fitted.
    pub fn checkpoints(&self, options: &Options) -> Result<Vec<Checkpoint>, RatingError> {
        let mut so_far: BTreeMap<&Pattern, u64> = BTreeMap::new();
        let (mut matches, mut played) = (0, vec![false; self.agents]);
        let mut checkpoints = Vec::new();
        for span in self.spans.iter().filter(|span| span.matches > 0) {
            matches += span.matches;
            for (pattern, times) in &span.patterns {
                *so_far.entry(pattern).or_default() += times;
                pattern.matches().flat_map(|(agents, _)| agents).for_each(|agent| played[usize::from(*agent)] = true);
            }
            let pair =
                |(pattern, times): (&&Pattern, &u64)| Pair { finishes: pattern.finishes(), seen: Seen::Times(*times) };
            let pairs: Vec<Pair> = so_far.iter().map(pair).collect();
            let fitted = ratings::fit(self.agents, &pairs, options)?;
            let elo = fitted.ratings().zip(&played).map(|(rating, played)| played.then_some(rating.elo)).collect();
            checkpoints.push(Checkpoint { matches, elo });
        }
        Ok(checkpoints)
    }
}

#[cfg(test)]
mod tests {
    use farkle::Ending;

    use super::*;
    use crate::standings::Tally;

    fn pair(agents: [usize; 2], first_wins: [bool; 2]) -> [Outcome; 2] {
        let of = |agents: [usize; 2], wins: bool| Outcome {
            agents: agents.into(),
            ranks: if wins { vec![1, 2] } else { vec![2, 1] },
            scores: vec![0, 0],
            faults: Vec::new(),
            ending: Ending::FinalRound,
            turns: Vec::new(),
        };
        [of(agents, first_wins[0]), of([agents[1], agents[0]], first_wins[1])]
    }

    /// Every checkpoint is what standings would have said then.
    #[test]
    fn checkpoints_are_the_standings_of_their_time() {
        let mut random = 7u64;
        let mut coin = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            random >> 62 == 0
        };
        let played: Vec<(u64, [Outcome; 2])> = (0..40)
            .map(|position| {
                let agents = if position < 20 { [0, 1] } else { [2, 1] };
                (position, pair(agents, [coin(), coin()]))
            })
            .collect();
        let mut history = History::new(3, 4, 40);
        // In another order than they were played.
        for (position, outcomes) in played.iter().rev() {
            history.add_pair(*position, outcomes.iter());
        }
        let checkpoints = history.checkpoints(&Options::default()).unwrap();
        assert_eq!(checkpoints.iter().map(|c| c.matches).collect::<Vec<_>>(), [20, 40, 60, 80]);
        for (place, checkpoint) in checkpoints.iter().enumerate() {
            let mut tally = Tally::new(3);
            for (position, outcomes) in &played[..10 * (place + 1)] {
                tally.add_pair(*position, outcomes);
            }
            let ratings = tally.ratings(&Options::default()).unwrap();
            for (agent, (then, now)) in checkpoint.elo.iter().zip(ratings.ratings()).enumerate() {
                match then {
                    Some(elo) => assert!((elo - now.elo).abs() < 1e-6, "agent {agent} at {place}: {elo} {}", now.elo),
                    None => assert!(agent == 2 && place < 2, "agent {agent} at {place}"),
                }
            }
            assert_eq!(checkpoint.elo[2].is_some(), place >= 2);
        }
    }

    #[test]
    fn a_short_history_has_no_empty_checkpoints() {
        let mut history = History::new(2, 24, 2);
        history.add_pair(1, pair([0, 1], [true, false]).iter());
        history.add_pair(9, pair([0, 1], [true, false]).iter());
        let checkpoints = history.checkpoints(&Options::default()).unwrap();
        assert_eq!(checkpoints.iter().map(|c| c.matches).collect::<Vec<_>>(), [4]);
        assert_eq!(History::new(2, 24, 0).checkpoints(&Options::default()).unwrap(), []);
    }
}
