//! Matches written down with everything that their parts need to be timed alone.
//!
//! Owns what agents were told and answered, and every roll. Refuses to time anything.

use std::sync::Arc;

use arena_core::schedule::Encounter;
use arena_core::{
    Agent, AgentError, Answer, Call, Contestant, Event, Fault, FaultKind, Played, Referee, Start, Table, Told, Turn,
    What,
};
use farkle::Faces;

use crate::failure::Failure;
use crate::runner::Contest;

/// One match.
pub(crate) struct Recording {
    pub(crate) number: u64,
    pub(crate) seed: u64,
    /// The index of its pair.
    pub(crate) pair: u64,
    /// Agents by index, in seat order.
    pub(crate) agents: Vec<usize>,
    pub(crate) played: Played,
    pub(crate) events: Vec<Event>,
    pub(crate) seats: Vec<Seat>,
    pub(crate) rolls: Vec<Roll>,
}

/// What one seat was told, and what it did.
#[derive(Default)]
pub(crate) struct Seat {
    /// What it was told first: nothing when there was nobody left to play against, or it could not even
    /// be set up.
    pub(crate) start: Option<Start>,
    pub(crate) start_fuel: u64,
    /// What kept it from starting.
    pub(crate) cannot_start: Option<Fault>,
    /// Every roll that it decided on, with the index of the event that came of it.
    pub(crate) turns: Vec<(usize, Turn)>,
    /// What it answered to each.
    pub(crate) answers: Arc<[Result<Answer, Fault>]>,
    /// What each answer took.
    pub(crate) fuel: Vec<u64>,
}

/// A roll of the dice, by its place in the match.
pub(crate) struct Roll {
    pub(crate) seat: u8,
    /// From 0, as the dice count them.
    pub(crate) turn: u32,
    pub(crate) number: u32,
    pub(crate) faces: Faces,
}

impl Seat {
    /// Whether the match asked for an agent here at all.
    pub(crate) fn is_seated(&self) -> bool {
        self.start.is_some() || self.cannot_start.is_some()
    }
}

impl Recording {
    /// What all calls took.
    pub(crate) fn fuel(&self) -> u64 {
        self.seats.iter().map(|seat| seat.start_fuel + seat.fuel.iter().sum::<u64>()).sum()
    }
}

/// Plays an encounter and writes down its matches. The referee keeps calls.
///
/// # Errors
///
/// A match that is void twice.
pub(crate) fn record(
    contest: &Contest,
    referee: &mut Referee,
    encounter: &Encounter,
) -> Result<Vec<Recording>, Failure> {
    let seed = contest.secrets.match_seed(encounter.pair);
    let matches = encounter.matches().map(|(number, agents)| {
        let contestants: Vec<&dyn Contestant> =
            agents.iter().map(|agent| &contest.agent(*agent).component as &dyn Contestant).collect();
        let played = referee
            .play_or_retry(seed, &contestants)
            .map_err(|void| Failure::failed(format!("match {number} is void, twice: {}", void.failure)))?;
        let events = referee.events().to_vec();
        let (seats, rolls) = (seats(agents.len(), &events, referee.calls()), rolls(&events));
        Ok(Recording { number, seed, pair: encounter.pair, agents, played, events, seats, rolls })
    });
    matches.collect()
}

fn seats(count: usize, events: &[Event], calls: &[Call]) -> Vec<Seat> {
    let mut seats: Vec<Seat> = (0..count).map(|_| Seat::default()).collect();
    let mut answers: Vec<Vec<Result<Answer, Fault>>> = vec![Vec::new(); count];
    for event in events {
        if let (0, What::Faulted { fault, .. }) = (event.turn, &event.what) {
            seats[usize::from(event.seat)].cannot_start = Some(fault.clone());
        }
    }
    for call in calls {
        let seat = &mut seats[usize::from(call.seat)];
        match call.told {
            Told::Start(start) => (seat.start, seat.start_fuel) = (Some(start), call.spent.fuel),
            Told::Turn(turn) => {
                seat.turns.push((call.event, turn));
                seat.fuel.push(call.spent.fuel);
                let fault = events.get(call.event).and_then(|event| match &event.what {
                    What::Faulted { fault, .. } => Some(fault.clone()),
                    _ => None,
                });
                let none = || Fault { kind: FaultKind::Trap, message: "no answer was recorded".to_owned() };
                answers[usize::from(call.seat)].push(call.answer.ok_or_else(|| fault.unwrap_or_else(none)));
            }
        }
    }
    for (seat, answers) in seats.iter_mut().zip(answers) {
        seat.answers = answers.into();
    }
    seats
}

/// Every event but a fault before the first roll is of one roll, and the rolls of a turn follow one
/// another.
fn rolls(events: &[Event]) -> Vec<Roll> {
    let mut rolls: Vec<Roll> = Vec::with_capacity(events.len());
    for event in events {
        let faces = match &event.what {
            What::Rolled(keep) | What::Won(keep) | What::Banked { keep, .. } => keep.roll,
            What::Farkled { roll, .. } | What::Faulted { roll: Some(roll), .. } => *roll,
            What::Faulted { roll: None, .. } => continue,
        };
        let turn = event.turn - 1;
        let number = match rolls.last() {
            Some(last) if (last.seat, last.turn) == (event.seat, turn) => last.number + 1,
            _ => 0,
        };
        rolls.push(Roll { seat: event.seat, turn, number, faces });
    }
    rolls
}

/// Does in one seat what was recorded, without a sandbox.
pub(crate) struct Actor {
    sha256: [u8; 32],
    cannot_start: Option<Fault>,
    answers: Arc<[Result<Answer, Fault>]>,
}

struct Acting {
    answers: Arc<[Result<Answer, Fault>]>,
    next: usize,
}

impl Actor {
    /// For a seat of a recorded match, under the hash of whoever sat there.
    pub(crate) fn new(sha256: [u8; 32], seat: &Seat) -> Actor {
        Actor { sha256, cannot_start: seat.cannot_start.clone(), answers: seat.answers.clone() }
    }
}

impl Contestant for Actor {
    fn sha256(&self) -> [u8; 32] {
        self.sha256
    }

    fn seat(&self, _: &std::rc::Rc<Table>) -> Result<Box<dyn Agent>, AgentError> {
        match &self.cannot_start {
            Some(fault) => Err(fault.clone().into()),
            None => Ok(Box::new(Acting { answers: self.answers.clone(), next: 0 })),
        }
    }
}

impl Agent for Acting {
    fn start(&mut self, _: &Start) -> Result<(), AgentError> {
        Ok(())
    }

    fn decide(&mut self, _: &Turn) -> Result<Answer, AgentError> {
        let answer = self.answers.get(self.next);
        self.next += 1;
        match answer {
            Some(Ok(answer)) => Ok(*answer),
            Some(Err(fault)) => Err(fault.clone().into()),
            None => {
                let message = "the match was over here when it was recorded".to_owned();
                Err(Fault { kind: FaultKind::Trap, message }.into())
            }
        }
    }
}
