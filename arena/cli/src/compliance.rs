//! Whether a component plays as a contestant should, before it takes part.
//!
//! Owns the trial matches. Refuses what faults under the rules of its tournament or plays one seed
//! in two ways; what it does under other rules is only told.

use std::sync::Arc;

use arena_core::{Contestant, Limits, Referee};
use farkle::{Ruleset, ScoreTable, presets};

use crate::agents::LoadedAgent;
use crate::failure::Failure;
use crate::output::harmless;

/// Seeds of the trial matches. No tournament plays these but by a chance of one in 2^64.
const SEEDS: std::ops::Range<u64> = 0..10;

/// Plays an agent against itself, each seed twice. Returns what is only to be told.
pub(crate) fn check(
    agent: &LoadedAgent,
    ruleset: &Ruleset,
    seats: usize,
    limits: Limits,
) -> Result<Vec<String>, Failure> {
    if let Some(fault) = first_fault(agent, ruleset, seats, limits)? {
        return Err(Failure::Refused(anyhow::anyhow!("agent {} is refused: it faults {fault}", agent.name)));
    }
    let mut told = Vec::new();
    for (other, seats) in [(&presets::IMMEDIATE_WIN, 2), (&presets::PLAY_TABLE, 4), (&presets::ELVERSON, 3)] {
        if !other.same_rules(ruleset)
            && let Some(fault) = first_fault(agent, other, seats, limits)?
        {
            told.push(format!("note: under other rules it faults {fault}"));
        }
    }
    Ok(told)
}

/// The first fault in the trial matches, if there is one.
fn first_fault(
    agent: &LoadedAgent,
    ruleset: &Ruleset,
    seats: usize,
    limits: Limits,
) -> Result<Option<String>, Failure> {
    let table = Arc::new(ScoreTable::new(ruleset));
    let mut referee = Referee::new(table, seats, limits).map_err(Failure::usage)?;
    let contestants: Vec<&dyn Contestant> = vec![&agent.component; seats];
    for seed in SEEDS {
        let played = referee.play(seed, &contestants).map_err(Failure::failed)?;
        if let Some((seat, fault)) = played.faults.first() {
            return Ok(Some(format!(
                "in seat {seat} under {} with seed {seed}: {}: {}",
                ruleset.name,
                fault.kind,
                harmless(&fault.message)
            )));
        }
        let again = referee.play(seed, &contestants).map_err(Failure::failed)?;
        if again.hash != played.hash {
            return Err(Failure::Refused(anyhow::anyhow!(
                "agent {} is refused: it plays seed {seed} of {} in two ways",
                agent.name,
                ruleset.name
            )));
        }
    }
    Ok(None)
}
