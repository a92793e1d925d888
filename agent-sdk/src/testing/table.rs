//! Whole matches, natively.
//!
//! Owns the seats of a table and what came of a match at it. The referee and the dice are the
//! arena's own: `arena match` with the same ruleset, seed and turn limit rolls what a test saw.
//! Refuses to meter: there is no fuel and no limit of memory here.

use core::any::type_name;
use core::marker::PhantomData;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use arena_core::{
    Agent as Player, AgentError, Allowance, Answer, Contestant, Fault, FaultKind, Limits, Referee, Start,
};
use farkle::{Decision, MatchResult, Points, Ruleset, ScoreTable};

use super::situation::Situation;
use super::{Seen, events};
use crate::{Agent, Event, Turn};

/// A table with agents at it.
///
/// ```
/// use agent_sdk::farkle::presets;
/// use agent_sdk::testing::{BankAsap, Table, Threshold};
/// let table = Table::new(&presets::PLAY_TABLE).seat::<Threshold<300>>().seat::<BankAsap>().seat::<BankAsap>();
/// let won = (0..100).filter(|seed| table.play(*seed).result.ranks[0] == 1).count();
/// // One of three seats, were they alike.
/// assert!(won > 45, "{won} of 100");
/// ```
pub struct Table {
    rules: Arc<ScoreTable>,
    turn_limit: u32,
    seats: Vec<Box<dyn Seat>>,
}

/// A finished match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Scores, ranks and ending.
    pub result: MatchResult,
    /// All that happened, as the seats saw it.
    pub events: Vec<Event>,
}

impl Table {
    /// An empty table. Every seat has at most 1,000 turns, as in `arena match`.
    ///
    /// # Panics
    ///
    /// When the ruleset is impossible.
    pub fn new(ruleset: &Ruleset) -> Table {
        if let Err(impossible) = ruleset.validate() {
            panic!("{impossible}");
        }
        let turn_limit = Allowance::Standard.limits().turns;
        Table { rules: Arc::new(ScoreTable::new(ruleset)), turn_limit, seats: Vec::new() }
    }

    /// Seats an agent at the next seat: a fresh one in every match.
    #[must_use]
    pub fn seat<A: Agent>(mut self) -> Table {
        self.seats.push(Box::new(Native::<A> { asked: Asked::default(), agent: PhantomData }));
        self
    }

    /// The most turns that a seat has.
    #[must_use]
    pub fn turn_limit(self, turn_limit: u32) -> Table {
        Table { turn_limit, ..self }
    }

    /// Plays the match of a seed.
    ///
    /// # Panics
    ///
    /// When the ruleset is not for so many seats; and at a decision that forfeits the match, with
    /// the situation as code, the reason, and what plays it again.
    pub fn play(&self, seed: u64) -> Played {
        let limits = Limits { turns: self.turn_limit, ..Allowance::Standard.limits() };
        let mut referee =
            Referee::new(self.rules.clone(), self.seats.len(), limits).unwrap_or_else(|error| panic!("{error}"));
        let seats: Vec<&dyn Contestant> = self.seats.iter().map(|seat| seat.contestant()).collect();
        let played = referee.play(seed, &seats).unwrap_or_else(|failure| panic!("{failure}"));
        for (seat, fault) in &played.faults {
            // A turn without end is no breach of the rules.
            if fault.kind != FaultKind::OutOfFuel {
                panic!("{}", self.complaint(usize::from(*seat), fault, seed));
            }
        }
        let events = events(&referee.events(), 0);
        Played { result: played.result, events }
    }

    fn complaint(&self, seat: usize, fault: &Fault, seed: u64) -> String {
        let asked = self.seats[seat].asked();
        let said = asked.map(|(situation, decision)| situation.complaint(decision, &fault.message));
        let said = said.unwrap_or_else(|| fault.message.clone());
        let agents: String = self.seats.iter().map(|seat| format!(".seat::<{}>()", seat.type_name())).collect();
        let ruleset = super::rulesets::code_of(self.rules.ruleset());
        let limit = match self.turn_limit {
            limit if limit == Allowance::Standard.limits().turns => String::new(),
            limit => format!(".turn_limit({limit})"),
        };
        format!("{said}\n  again: Table::new(&{ruleset}){agents}{limit}.play({seed})")
    }
}

impl core::fmt::Debug for Table {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let seats: Vec<_> = self.seats.iter().map(|seat| seat.type_name()).collect();
        f.debug_struct("Table").field("ruleset", &self.rules.ruleset().name).field("seats", &seats).finish()
    }
}

/// An agent's type, at a seat.
trait Seat {
    fn contestant(&self) -> &dyn Contestant;
    fn type_name(&self) -> &'static str;
    /// What it was asked last in the match played last, and what it decided.
    fn asked(&self) -> Option<(Situation, Decision)>;
}

type Asked = Arc<Mutex<Option<(Situation, Decision)>>>;

struct Native<A> {
    asked: Asked,
    agent: PhantomData<fn() -> A>,
}

impl<A: Agent> Seat for Native<A> {
    fn contestant(&self) -> &dyn Contestant {
        self
    }

    fn type_name(&self) -> &'static str {
        type_name::<A>().rsplit("::").next().unwrap_or_default()
    }

    fn asked(&self) -> Option<(Situation, Decision)> {
        self.asked.lock().ok()?.clone()
    }
}

impl<A: Agent> Contestant for Native<A> {
    fn sha256(&self) -> [u8; 32] {
        [0; 32]
    }

    fn seat(&self, table: &Rc<arena_core::Table>) -> Result<Box<dyn Player>, AgentError> {
        Ok(Box::new(Playing {
            agent: A::default(),
            turn: Situation::new(table.ruleset()).turn(),
            scores: Vec::new(),
            decision: None,
            table: table.clone(),
            asked: self.asked.clone(),
        }))
    }
}

/// An agent in a match.
struct Playing<A> {
    agent: A,
    turn: Turn<'static>,
    /// The scores when it was asked last.
    scores: Vec<Points>,
    decision: Option<Decision>,
    table: Rc<arena_core::Table>,
    asked: Asked,
}

/// The most rolls of one turn: an agent may roll for ever where no roll can be a farkle.
const MOST_ROLLS: u32 = 1_000;

impl<A: Agent> Player for Playing<A> {
    fn start(&mut self, start: &Start) -> Result<(), AgentError> {
        let situation = Situation::new(self.table.ruleset())
            .seat(start.seat.into())
            .scores(&vec![0; start.seats.into()])
            .turn_limit(start.turn_limit)
            .agent_seed(start.agent_seed);
        self.turn = Turn { seen: Seen::Table(self.table.clone()), ..situation.turn() };
        self.agent.start(self.turn.game());
        Ok(())
    }

    fn decide(&mut self, told: &arena_core::Turn) -> Result<Answer, AgentError> {
        if told.rolls > MOST_ROLLS {
            let message = format!("a turn of more than {MOST_ROLLS} rolls");
            return Err(Fault { kind: FaultKind::OutOfFuel, message }.into());
        }
        let turn = &mut self.turn;
        turn.roll = told.roll;
        turn.at_risk = told.at_risk;
        turn.score = told.score;
        turn.best_rival = told.best_rival;
        turn.opening_due = told.opening_due;
        turn.turns = told.turns;
        turn.rolls = told.rolls;
        turn.farkles_in_a_row = told.farkles_in_a_row;
        turn.closing = told.closing;
        self.scores.clear();
        self.scores.extend(self.table.scores().iter());
        let decision = self.agent.decide(turn);
        self.decision = Some(decision);
        Ok(Answer::from_decision(decision.keep, decision.next))
    }
}

impl<A> Drop for Playing<A> {
    /// Whoever forfeits is asked no more, so that what it was asked last is what it answered badly.
    fn drop(&mut self) {
        let (Some(decision), Ok(mut asked)) = (self.decision, self.asked.lock()) else { return };
        let (turn, game) = (&self.turn, self.turn.game());
        let situation = Situation {
            roll: turn.roll,
            at_risk: turn.at_risk,
            turns: turn.turns,
            rolls: turn.rolls,
            farkles_in_a_row: turn.farkles_in_a_row,
            closing: turn.closing,
            ..Situation::new(self.table.ruleset())
                .seat(game.seat() as usize)
                .scores(&self.scores)
                .turn_limit(game.turn_limit())
                .agent_seed(game.agent_seed())
        };
        *asked = Some((situation, decision));
    }
}
