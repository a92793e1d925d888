//! Agents that do what a test says, and matches between them.

use std::rc::Rc;
use std::sync::{Arc, Mutex};

use arena_core::{
    Agent, AgentError, Allowance, Answer, Contestant, Event, Fault, FaultKind, HostFailure, Limits, Played, Referee,
    Start, Table, Turn, dice,
};
use farkle::{Chart, Faces, Next, Points, Ruleset, ScoreTable};

/// What an agent can look at when it decides.
pub(crate) struct Seat {
    pub(crate) chart: Chart,
}

type Decide = dyn Fn(&Seat, &Turn) -> Result<Answer, AgentError> + Send + Sync;

/// What an agent was told when it was asked, and what the table showed then.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) turn: Turn,
    pub(crate) scores: Vec<Points>,
    /// How many events there were.
    pub(crate) happened: usize,
    /// These events, for an agent that watches.
    pub(crate) events: Vec<Event>,
}

/// A native contestant. Its hash is its number, 32 times.
#[derive(Clone)]
pub(crate) struct Native(Arc<Inner>);

struct Inner {
    sha256: [u8; 32],
    cannot_be_seated: Option<AgentError>,
    start: Option<AgentError>,
    decide: Box<Decide>,
    watches: bool,
    started: Mutex<Vec<Start>>,
    asked: Mutex<Vec<Asked>>,
}

struct Seated {
    native: Native,
    seat: Option<Seat>,
    table: Rc<Table>,
}

impl Native {
    pub(crate) fn new(
        number: u8,
        decide: impl Fn(&Seat, &Turn) -> Result<Answer, AgentError> + Send + Sync + 'static,
    ) -> Native {
        Native::make(number, None, None, Box::new(decide))
    }

    fn make(number: u8, cannot: Option<AgentError>, start: Option<AgentError>, decide: Box<Decide>) -> Native {
        Native(Arc::new(Inner {
            sha256: [number; 32],
            cannot_be_seated: cannot,
            start,
            decide,
            watches: false,
            started: Mutex::default(),
            asked: Mutex::default(),
        }))
    }

    /// The same, reading all events of the table before every decision.
    pub(crate) fn watching(self) -> Native {
        let inner = Arc::into_inner(self.0).expect("not yet seated");
        Native(Arc::new(Inner { watches: true, ..inner }))
    }

    /// Fails when it is to be set up.
    pub(crate) fn cannot_be_seated(number: u8, error: AgentError) -> Native {
        Native::make(number, Some(error), None, Box::new(|_, _| unreachable!("never seated")))
    }

    /// Fails in `start`.
    pub(crate) fn fails_to_start(number: u8, error: AgentError) -> Native {
        Native::make(number, None, Some(error), Box::new(|_, _| unreachable!("never started")))
    }

    /// What it was told at its starts so far.
    pub(crate) fn started(&self) -> Vec<Start> {
        self.0.started.lock().unwrap().clone()
    }

    /// What it was told at its decisions so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.0.asked.lock().unwrap().clone()
    }
}

impl Contestant for Native {
    fn sha256(&self) -> [u8; 32] {
        self.0.sha256
    }

    fn seat(&self, table: &Rc<Table>) -> Result<Box<dyn Agent>, AgentError> {
        match &self.0.cannot_be_seated {
            Some(error) => Err(error.clone()),
            None => Ok(Box::new(Seated { native: self.clone(), seat: None, table: table.clone() })),
        }
    }
}

impl Agent for Seated {
    fn start(&mut self, start: &Start) -> Result<(), AgentError> {
        self.native.0.started.lock().unwrap().push(*start);
        let chart = Chart::new(self.table.ruleset());
        self.seat = Some(Seat { chart });
        self.native.0.start.clone().map_or(Ok(()), Err)
    }

    fn decide(&mut self, turn: &Turn) -> Result<Answer, AgentError> {
        let seat = self.seat.as_ref().expect("started before it is asked");
        let (scores, happened) = (self.table.scores().to_vec(), self.table.events().len());
        let events = if self.native.0.watches { self.table.events().to_vec() } else { Vec::new() };
        self.native.0.asked.lock().unwrap().push(Asked { turn: *turn, scores, happened, events });
        (self.native.0.decide)(seat, turn)
    }
}

pub(crate) fn fault(kind: FaultKind) -> AgentError {
    Fault { kind, message: format!("a test asked for {kind}") }.into()
}

pub(crate) fn host_failure() -> AgentError {
    HostFailure::Failed("a test pulled the plug".into()).into()
}

/// The most valuable keep, then bank once the turn is worth so much and the opening is met.
pub(crate) fn bank_at(least: Points, seat: &Seat, turn: &Turn) -> Answer {
    let keep = seat.chart.best_keep(turn.roll).expect("agents are asked only about rolls that score");
    let worth = turn.at_risk + keep.points;
    let next = if worth >= least.max(turn.opening_due) { Next::Bank } else { Next::Roll };
    Answer::from_decision(keep.dice, next)
}

/// Banks at so many points.
pub(crate) fn banker(number: u8, least: Points) -> Native {
    Native::new(number, move |seat, turn| Ok(bank_at(least, seat, turn)))
}

/// Keeps the most valuable dice and never banks.
pub(crate) fn never_banks(number: u8) -> Native {
    banker(number, Points::MAX)
}

/// Banks at so many points, and does this in its `turn`-th turn (from 1).
pub(crate) fn in_turn(
    turn: u32,
    number: u8,
    least: Points,
    act: impl Fn(&Turn) -> Result<Answer, AgentError> + Send + Sync + 'static,
) -> Native {
    Native::new(
        number,
        move |seat, told| {
            if told.turns + 1 == turn { act(told) } else { Ok(bank_at(least, seat, told)) }
        },
    )
}

/// The standard limits, with so many turns.
pub(crate) fn limits(turns: u32) -> Limits {
    Limits { turns, ..Allowance::Standard.limits() }
}

pub(crate) fn referee(rules: &Ruleset, seats: usize, limits: Limits) -> Referee {
    rules.validate().unwrap();
    Referee::new(Arc::new(ScoreTable::new(rules)), seats, limits).unwrap()
}

/// Plays one match under the standard limits.
pub(crate) fn play(rules: &Ruleset, seed: u64, seats: &[&Native]) -> (Played, Vec<Event>) {
    play_within(limits(1_000), rules, seed, seats)
}

pub(crate) fn play_within(limits: Limits, rules: &Ruleset, seed: u64, seats: &[&Native]) -> (Played, Vec<Event>) {
    let mut referee = referee(rules, seats.len(), limits);
    let contestants: Vec<&dyn Contestant> = seats.iter().map(|native| *native as &dyn Contestant).collect();
    let played = referee.play(seed, &contestants).unwrap();
    let events = referee.events().to_vec();
    crate::re_add::check(rules, seed, &played.result, &events);
    (played, events)
}

/// The first seed whose first roll of six dice in that seat is as wanted.
pub(crate) fn seed_where(seat: u8, wanted: impl Fn(Faces) -> bool) -> u64 {
    (0..1_000_000).find(|seed| wanted(dice::roll_at(*seed, seat, 0, 0, 6).unwrap())).expect("a common roll")
}
