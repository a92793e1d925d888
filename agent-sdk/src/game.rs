//! What stays the same through a match.
//!
//! Owns the seat, the rules in play and the agent's random numbers. Refuses to change.

use core::cell::OnceCell;

use farkle::{Chart, Ruleset};

use crate::random::Random;

/// One match, as one seat sees it.
#[derive(Debug)]
pub struct Game {
    seat: u32,
    seats: u32,
    turn_limit: u32,
    agent_seed: u64,
    /// Made when it is first asked for: most agents never do.
    random: OnceCell<Random>,
    ruleset: Ruleset,
    chart: Chart,
}

impl Game {
    /// `ruleset` is as it arrives in the arena: without its name.
    pub(crate) fn new(ruleset: Ruleset, seat: u32, seats: u32, agent_seed: u64, turn_limit: u32) -> Game {
        let chart = Chart::new(&ruleset);
        Game { seat, seats, turn_limit, agent_seed, random: OnceCell::new(), ruleset, chart }
    }

    /// The agent's place at the table, from 0 in turn order.
    #[inline]
    pub fn seat(&self) -> u32 {
        self.seat
    }

    /// How many seats the table has.
    #[inline]
    pub fn seats(&self) -> u32 {
        self.seats
    }

    /// The most turns that any seat has, closing turns aside.
    #[inline]
    pub fn turn_limit(&self) -> u32 {
        self.turn_limit
    }

    /// The rules of this match. Its name is empty: rules are recognised by
    /// [`Ruleset::same_rules`].
    ///
    /// ```
    /// use agent_sdk::{farkle::presets, testing::Situation};
    /// let turn = Situation::new(&presets::PLAY_TABLE).turn();
    /// assert!(turn.game().ruleset().same_rules(&presets::PLAY_TABLE));
    /// assert_eq!(turn.game().ruleset().name, "");
    /// ```
    #[inline]
    pub fn ruleset(&self) -> &Ruleset {
        &self.ruleset
    }

    /// What selections of dice score under these rules.
    #[inline]
    pub fn chart(&self) -> &Chart {
        &self.chart
    }

    /// The agent's own random numbers: others in every match and seat, the same when a match is
    /// played again.
    #[inline]
    pub fn random(&self) -> &Random {
        self.random.get_or_init(|| Random::new(self.agent_seed))
    }
}
