//! The parts of a match, each timed alone.
//!
//! Owns one function a part. A timer around every call would cost more than what it times, so each part
//! is done for some recorded matches in one go. Refuses to time what does not come out as it was recorded.

use std::hint::black_box;
use std::ops::Range;
use std::time::{Duration, Instant};

use arena_core::dice::MatchDice;
use arena_core::standings::{Outcome, Tally};
use arena_core::{AgentError, Answer, Contestant, Fault, Referee, Rehearsal};

use super::recording::{Actor, Recording, Seat};
use crate::failure::Failure;
use crate::played_match::PlayedMatch;
use crate::runner::{self, Contest};
use crate::store::Writer;

/// By how much pairs and matches are numbered higher than in the schedule: who goes through the same
/// matches again counts and stores them as further ones.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Offset {
    pub(crate) pairs: u64,
    pub(crate) matches: u64,
}

/// What one agent took in one match.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AgentTime {
    /// To be set up, started, and cleared away.
    pub(crate) instantiation: Duration,
    /// To decide, all rolls together.
    pub(crate) calls: Duration,
}

/// What somebody waits for from a match to its outcome on file, all in one go.
pub(crate) fn whole(
    contest: &Contest,
    referee: &mut Referee,
    tally: &mut Tally,
    writer: &mut Writer,
    encounters: Range<u64>,
    offset: Offset,
) -> Result<Duration, Failure> {
    let begun = Instant::now();
    for index in encounters {
        let Some(encounter) = contest.work.encounter(index) else { break };
        let mut played = runner::play_here(contest, referee, &encounter)?;
        played.iter_mut().for_each(|played| played.number += offset.matches);
        let outcomes: Vec<_> = played.iter().map(|played| (played.number, played.outcome.clone())).collect();
        tally.add_numbered_pair(encounter.pair + offset.pairs, &outcomes);
        writer.add(0, played)?;
    }
    Ok(begun.elapsed())
}

/// Who plays what, and on which seed.
pub(crate) fn schedule(contest: &Contest, encounters: Range<u64>) -> Duration {
    let begun = Instant::now();
    for index in encounters {
        if let Some(encounter) = contest.work.encounter(index) {
            black_box(contest.secrets.match_seed(encounter.pair));
            encounter.matches().for_each(|seats| drop(black_box(seats)));
        }
    }
    begun.elapsed()
}

/// Setting agents up and asking them again what they were asked; `add` gets the agent, how
/// often it decided, and what it took. An instance is cleared away with the memory that its decisions have touched. To agents that look
/// at the table (`looks`) it is shown as it was.
///
/// # Errors
///
/// An agent that answers otherwise than before; a host failure.
pub(crate) fn agents(
    contest: &Contest,
    rehearsal: &Rehearsal,
    looks: &[bool],
    matches: &[Recording],
    mut add: impl FnMut(usize, u64, AgentTime),
) -> Result<(), Failure> {
    for recorded in matches {
        for (agent, seat) in recorded.agents.iter().zip(&recorded.seats).filter(|(_, seat)| seat.is_seated()) {
            let loaded = contest.agent(*agent);
            let failed = |failure: String| {
                Failure::failed(format!("match {}, gone through again: {}: {failure}", recorded.number, loaded.name))
            };
            let took = one_agent(&loaded.component, rehearsal, recorded, seat, looks[*agent]).map_err(failed)?;
            add(*agent, seat.turns.len() as u64, took);
        }
    }
    Ok(())
}

fn one_agent(
    contestant: &dyn Contestant,
    rehearsal: &Rehearsal,
    recorded: &Recording,
    seat: &Seat,
    looks: bool,
) -> Result<AgentTime, String> {
    rehearsal.begin();
    let begun = Instant::now();
    let seated = contestant.seat(rehearsal.table()).and_then(|mut agent| {
        let started = seat.start.map_or(Ok(()), |start| agent.start(&start));
        started.map(|()| agent)
    });
    let started = Instant::now();
    let mut agent = match seated {
        Ok(agent) => agent,
        Err(AgentError::Host(failure)) => return Err(failure.to_string()),
        Err(AgentError::Fault(_)) if seat.cannot_start.is_some() => {
            return Ok(AgentTime { instantiation: started - begun, calls: Duration::ZERO });
        }
        Err(AgentError::Fault(fault)) => return Err(format!("it does not start: {fault}")),
    };
    let deciding = Instant::now();
    for ((event, turn), expected) in seat.turns.iter().zip(seat.answers.iter()) {
        if looks {
            rehearsal.show(&recorded.events, *event);
        }
        if !is_same(&agent.decide(turn), expected) {
            return Err("it answers otherwise than before".to_owned());
        }
    }
    let decided = Instant::now();
    drop(agent);
    let cleared = Instant::now();
    let mut calls = decided - deciding;
    if looks {
        rehearsal.begin();
        let begun = Instant::now();
        seat.turns.iter().for_each(|(event, _)| rehearsal.show(&recorded.events, *event));
        calls = calls.saturating_sub(begun.elapsed());
    }
    Ok(AgentTime { instantiation: (started - begun) + (cleared - decided), calls })
}

fn is_same(answer: &Result<Answer, AgentError>, expected: &Result<Answer, Fault>) -> bool {
    match (answer, expected) {
        (Ok(answer), Ok(expected)) => answer == expected,
        (Err(AgentError::Fault(fault)), Err(expected)) => fault.kind == expected.kind,
        _ => false,
    }
}

/// The dice of these rolls.
///
/// # Errors
///
/// Dice that are not those of the match.
pub(crate) fn dice(dice: &mut MatchDice, matches: &[Recording]) -> Result<Duration, Failure> {
    let begun = Instant::now();
    let mut as_recorded = true;
    for recorded in matches {
        dice.reset(recorded.seed);
        for roll in &recorded.rolls {
            let rolled = dice.roll(roll.seat, roll.turn, roll.number, roll.faces.len());
            as_recorded &= rolled == Ok(roll.faces);
        }
    }
    let took = begun.elapsed();
    if as_recorded { Ok(took) } else { Err(Failure::failed("the dice of a match are others the second time")) }
}

/// Dice, rules, events and hash, between contestants that do at once what was recorded.
///
/// # Errors
///
/// A match with another hash.
pub(crate) fn referee_and_dice(
    referee: &mut Referee,
    contest: &Contest,
    matches: &[Recording],
) -> Result<Duration, Failure> {
    let actors = |recorded: &Recording| -> Vec<Actor> {
        let seats = recorded.agents.iter().zip(&recorded.seats);
        seats.map(|(agent, seat)| Actor::new(contest.agent(*agent).component.sha256(), seat)).collect()
    };
    let actors: Vec<Vec<Actor>> = matches.iter().map(actors).collect();
    let tables: Vec<Vec<&dyn Contestant>> =
        actors.iter().map(|actors| actors.iter().map(|actor| actor as &dyn Contestant).collect()).collect();
    let begun = Instant::now();
    for (recorded, table) in matches.iter().zip(&tables) {
        black_box(referee.play_in_place(recorded.seed, table).map_err(Failure::failed)?);
        if referee.hash() != recorded.played.hash {
            return Err(Failure::failed(format!("match {} has another hash the second time", recorded.number)));
        }
    }
    Ok(begun.elapsed())
}

/// What standings are made from, taken from the matches and counted.
pub(crate) fn statistics(tally: &mut Tally, seats: usize, matches: &[Recording], offset: Offset) -> Duration {
    let begun = Instant::now();
    // An encounter has one match for each rotation of its seats.
    for pair in matches.chunks(seats) {
        let outcome = |recorded: &Recording| (recorded.number + offset.matches, outcome(recorded));
        let outcomes: Vec<(u64, Outcome)> = pair.iter().map(outcome).collect();
        tally.add_numbered_pair(pair[0].pair + offset.pairs, &outcomes);
    }
    begun.elapsed()
}

/// Outcomes on their way into a tournament file.
///
/// # Errors
///
/// What the file says.
pub(crate) fn storing(writer: &mut Writer, matches: &[Recording], offset: Offset) -> Result<Duration, Failure> {
    let outcomes: Vec<Outcome> = matches.iter().map(outcome).collect();
    let begun = Instant::now();
    for (recorded, outcome) in matches.iter().zip(&outcomes) {
        let (number, outcome) = (recorded.number + offset.matches, outcome.clone());
        let played = PlayedMatch::new(number, recorded.seed, outcome, Some(recorded.played.hash));
        writer.add(0, vec![played])?;
    }
    Ok(begun.elapsed())
}

fn outcome(recorded: &Recording) -> Outcome {
    Outcome::new(recorded.agents.clone(), &recorded.played.result, &recorded.events)
}
