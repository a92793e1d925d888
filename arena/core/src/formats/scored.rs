//! What a format reads of a finished block.
//!
//! Owns the summing up of a block's matches. Refuses to keep the matches themselves.

/// The results of a finished block, summed up.
///
/// ```
/// use arena_core::formats::Scored;
/// // One pair of two seats: agent 0 won from seat 0, and tied from seat 1.
/// let mut scored = Scored::new(2);
/// scored.add_pair(&[&[1, 2], &[1, 1]]);
/// assert_eq!((scored.points(), scored.pentanomial()), (&[3, 1][..], [0, 0, 0, 1, 0]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scored {
    points: Vec<u64>,
    pentanomial: [u64; 5],
}

impl Scored {
    /// Nothing scored yet at so many seats.
    #[must_use]
    pub fn new(seats: usize) -> Scored {
        Scored { points: vec![0; seats], pentanomial: [0; 5] }
    }

    /// Adds the matches of one pair, rotation by rotation: ranks in seat order, 1 is best, equal
    /// ranks are shared. A pair of which rotations are missing counts for points only.
    ///
    /// # Panics
    ///
    /// If a match has not as many ranks as the block has seats.
    pub fn add_pair(&mut self, rotations: &[&[u32]]) {
        let seats = self.points.len();
        let mut first = 0;
        for (turned, ranks) in rotations.iter().enumerate() {
            assert_eq!(ranks.len(), seats, "a match has one rank for each seat");
            for (seat, own) in ranks.iter().enumerate() {
                let agent = (seat + turned) % seats;
                let below = ranks.iter().filter(|rank| *rank > own).count();
                let level = ranks.iter().filter(|rank| *rank == own).count() - 1;
                let points = (2 * below + level) as u64;
                self.points[agent] += points;
                first += if agent == 0 { points as usize } else { 0 };
            }
        }
        if seats == 2 && rotations.len() == 2 {
            self.pentanomial[first] += 1;
        }
    }

    /// Scores more pairs as lost by one of the agents, given by its place among the block's agents, and
    /// tied by the others. So a block can be closed of which an agent was withdrawn or cannot play on.
    ///
    /// ```
    /// # use arena_core::formats::Scored;
    /// let mut scored = Scored::new(2);
    /// scored.forfeit(0, 10);
    /// assert_eq!(scored.points(), [0, 40]);
    /// ```
    ///
    /// # Panics
    ///
    /// If there is no such agent.
    pub fn forfeit(&mut self, agent: usize, pairs: u64) {
        let seats = self.points.len();
        assert!(agent < seats, "a block of {seats} seats has no agent {agent}");
        // In each of `seats` matches the others outrank one rival and tie with the rest.
        for (_, points) in self.points.iter_mut().enumerate().filter(|(other, _)| *other != agent) {
            *points += pairs * (seats * seats) as u64;
        }
        if seats == 2 {
            self.pentanomial[if agent == 0 { 0 } else { 4 }] += pairs;
        }
    }

    /// Half points by agent, in the order of the block's agents: in each match two for every rival
    /// outranked and one for every rival tied with. So at two seats a win is two and a draw one.
    #[must_use]
    pub fn points(&self) -> &[u64] {
        &self.points
    }

    /// At two seats: how many pairs gave the block's first agent 0, 1, 2, 3 and 4 half points.
    #[must_use]
    pub fn pentanomial(&self) -> [u64; 5] {
        self.pentanomial
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Agents a, b, c. Rotation 0: a first, b and c tied; rotation 1 seats b, c, a: c, a, b; rotation 2
    /// seats c, a, b: all tied.
    #[test]
    fn points_follow_the_agents_through_the_rotations() {
        let mut scored = Scored::new(3);
        scored.add_pair(&[&[1, 2, 2], &[3, 1, 2], &[1, 1, 1]]);
        // a: 4 + 2 + 2; b: 1 + 0 + 2; c: 1 + 4 + 2.
        assert_eq!((scored.points(), scored.pentanomial()), (&[8, 3, 7][..], [0; 5]));
    }

    #[test]
    fn a_forfeit_is_as_if_all_had_been_played_and_lost() {
        for seats in 2..=5_usize {
            for agent in 0..seats {
                let mut forfeited = Scored::new(seats);
                forfeited.forfeit(agent, 7);
                let mut played = Scored::new(seats);
                let rotation = |turned: usize| -> Vec<u32> {
                    (0..seats).map(|seat| if (seat + turned) % seats == agent { seats as u32 } else { 1 }).collect()
                };
                let rotations: Vec<Vec<u32>> = (0..seats).map(rotation).collect();
                let rotations: Vec<&[u32]> = rotations.iter().map(|ranks| &ranks[..]).collect();
                (0..7).for_each(|_| played.add_pair(&rotations));
                assert_eq!(forfeited, played);
            }
        }
    }
}
