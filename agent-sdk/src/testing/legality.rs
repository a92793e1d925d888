//! The test that every agent should pass.
//!
//! Owns which tables an agent is tried at. Refuses to judge how well it plays there.

use farkle::{Ruleset, presets};

use super::{Table, random_ruleset};
use crate::{Agent, Random};

/// Plays at least `turns` turns of an agent against itself, under every preset and under random
/// rulesets that combine every rule there is, with one to four seats. The same turns every time.
///
/// # Panics
///
/// At the first decision that would forfeit the match, with the situation as code.
///
/// ```
/// use agent_sdk::testing::{Threshold, assert_always_legal};
/// assert_always_legal::<Threshold<500>>(1_000);
/// ```
pub fn assert_always_legal<A: Agent>(turns: u32) {
    let random = Random::new(0);
    let (mut played, mut tables) = (0, 0);
    while played < turns || tables < presets::ALL.len() {
        let ruleset = match presets::ALL.get(tables) {
            Some(preset) => (*preset).clone(),
            None => random_ruleset((tables - presets::ALL.len()) as u64),
        };
        played += try_out::<A>(&ruleset, &random);
        tables += 1;
    }
}

/// The same under one ruleset, as that of the tournament to come.
///
/// # Panics
///
/// At the first decision that would forfeit the match, and when the ruleset is impossible.
///
/// ```
/// use agent_sdk::farkle::{Ruleset, presets};
/// use agent_sdk::testing::{Threshold, assert_always_legal_under};
/// let house = Ruleset { exact_landing: true, ..presets::PLAY_TABLE };
/// assert_always_legal_under::<Threshold<500>>(&house, 1_000);
/// ```
pub fn assert_always_legal_under<A: Agent>(ruleset: &Ruleset, turns: u32) {
    let random = Random::new(0);
    let mut played = 0;
    while played < turns {
        played += try_out::<A>(ruleset, &random);
    }
}

/// Plays a match between as many as chance has it; returns the number of turns.
fn try_out<A: Agent>(ruleset: &Ruleset, random: &Random) -> u32 {
    let most = ruleset.max_seats.min(4).max(ruleset.min_seats);
    let seats = u32::from(ruleset.min_seats) + random.below(u32::from(most - ruleset.min_seats) + 1);
    let table = Table::new(ruleset).turn_limit(1 + random.below(30));
    let table = (0..seats).fold(table, |table, _| table.seat::<A>());
    let events = table.play(random.bits() >> 32).events;
    // An event that is no keep to roll on with ends a turn.
    events.iter().filter(|event| event.kind != crate::EventKind::RolledOn).count() as u32
}
