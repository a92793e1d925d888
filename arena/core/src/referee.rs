//! Plays a match: dice to agents, decisions to the rules, events to the table.
//!
//! Owns the order of a turn and what a fault leads to. Refuses to judge dice (the rules do), to
//! run agents (the contestants do), and to turn a host failure into a result.

use std::cell::{Ref, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use farkle::{
    Decision, Ending, Faces, Fallen, IllegalAction, MatchResult, MatchState, Next, Phase, Ruleset, ScoreTable,
};

use crate::agent::{Agent, AgentError, Answer, Contestant, HostFailure, Start, Turn, Void};
use crate::call::{Call, Told};
use crate::dice::MatchDice;
use crate::event::{Event, Keep, What};
use crate::fault::{Fault, FaultKind};
use crate::limits::Limits;
use crate::record::MatchHasher;
use crate::rehearsal::Rehearsal;
use crate::seeds::agent_seed;
use crate::table::Table;

/// A finished match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Scores, ranks and ending.
    pub result: MatchResult,
    /// Each seat's fault, in the order in which they happened.
    pub faults: Vec<(u8, Fault)>,
    /// The hash of the match (docs/record.md).
    pub hash: [u8; 32],
}

/// Why there can be no such match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RefereeError {
    /// A number of seats that the ruleset does not allow.
    #[error("ruleset `{ruleset}` is for {}, not {seats}", if min == max { format!("{min} seat{}", if *min == 1 { "" } else { "s" }) } else { format!("{min} to {max} seats") })]
    Seats {
        /// The ruleset's name.
        ruleset: String,
        /// How many seats were asked for.
        seats: usize,
        /// The fewest.
        min: u8,
        /// The most.
        max: u8,
    },
    /// A turn limit out of range.
    #[error("a turn limit of {turns}: allowed are 1 to {MOST_TURNS}")]
    Turns {
        /// The limit asked for.
        turns: u32,
    },
}

/// The highest turn limit; with the limits on points it keeps totals inside 32 bits.
const MOST_TURNS: u32 = 10_000;

/// Plays matches of one ruleset, number of seats and limits, one after another, in the same
/// memory.
pub struct Referee {
    table: Rc<Table>,
    ruleset_id: u64,
    state: MatchState,
    dice: MatchDice,
    hasher: MatchHasher,
    /// Those at the table; none between matches.
    agents: Vec<Option<Box<dyn Agent>>>,
    /// Of the match played last: its seed, what played in each seat, and how it ended.
    seed: u64,
    components: Vec<[u8; 32]>,
    result: MatchResult,
    /// Calls of the match played last, if anybody wants them.
    calls: Option<Vec<Call>>,
}

impl Referee {
    /// A referee for matches of so many seats.
    ///
    /// # Errors
    ///
    /// [`RefereeError`] when the ruleset is not for so many, or the turn limit is out of range.
    pub fn new(rules: Arc<ScoreTable>, seats: usize, limits: Limits) -> Result<Referee, RefereeError> {
        let ruleset = rules.ruleset();
        let (min, max) = (ruleset.min_seats, ruleset.max_seats);
        let count = match u8::try_from(seats) {
            Ok(count) if (min..=max).contains(&count) => count,
            _ => return Err(RefereeError::Seats { ruleset: ruleset.name.to_string(), seats, min, max }),
        };
        if !(1..=MOST_TURNS).contains(&limits.turns) {
            return Err(RefereeError::Turns { turns: limits.turns });
        }
        Ok(Referee {
            calls: None,
            agents: Vec::with_capacity(seats),
            seed: 0,
            components: Vec::with_capacity(seats),
            result: MatchResult { scores: Vec::new(), ranks: Vec::new(), ending: Ending::Forfeit },
            hasher: MatchHasher::new(ruleset, limits),
            ruleset_id: ruleset.id(),
            state: MatchState::new(rules.clone(), seats, limits.turns),
            dice: MatchDice::new(0, count),
            table: Rc::new(Table {
                rules,
                limits,
                scores: RefCell::new(vec![0; seats]),
                events: RefCell::new(Vec::new()),
                banked: RefCell::new(Vec::new()),
            }),
        })
    }

    /// Plays one match between contestants, one a seat, in seat order.
    ///
    /// # Errors
    ///
    /// [`Void`] when the match is void.
    ///
    /// # Panics
    ///
    /// When there are not as many contestants as the referee has seats.
    pub fn play(&mut self, seed: u64, contestants: &[&dyn Contestant]) -> Result<Played, Void> {
        self.play_in_place(seed, contestants)?;
        Ok(self.played())
    }

    /// The same; a void match is played once more, and an error is that of the second time.
    ///
    /// # Errors
    ///
    /// [`Void`] when the match is void twice.
    ///
    /// # Panics
    ///
    /// When there are not as many contestants as the referee has seats.
    pub fn play_or_retry(&mut self, seed: u64, contestants: &[&dyn Contestant]) -> Result<Played, Void> {
        self.play(seed, contestants).or_else(|_| self.play(seed, contestants))
    }

    /// Plays a match whose result, [events](Referee::events) and [hash](Referee::hash) lie here until the
    /// next one: only what is asked for is copied, or made. Allocates nothing, once a match as long was
    /// played.
    ///
    /// # Errors
    ///
    /// [`Void`] when the match is void.
    ///
    /// # Panics
    ///
    /// When there are not as many contestants as the referee has seats.
    pub fn play_in_place(&mut self, seed: u64, contestants: &[&dyn Contestant]) -> Result<&MatchResult, Void> {
        assert_eq!(contestants.len(), self.state.seats().len(), "one contestant a seat");
        self.state.restart();
        self.dice.reset(seed);
        self.seed = seed;
        self.components.clear();
        self.components.extend(contestants.iter().map(|contestant| contestant.sha256()));
        self.table.scores.borrow_mut().fill(0);
        self.table.events.borrow_mut().clear();
        self.table.banked.borrow_mut().clear();
        if let Some(calls) = &mut self.calls {
            calls.clear();
        }

        // They leave the table when the match ends, however it does.
        let mut agents = std::mem::take(&mut self.agents);
        let ended = self.play_turns(seed, contestants, &mut agents);
        agents.clear();
        self.agents = agents;
        ended?;

        assert!(self.state.result_into(&mut self.result), "nobody is to move, so the match is over");
        Ok(&self.result)
    }

    /// The same, of which a void match is played once more, and an error is that of the second time.
    ///
    /// # Errors
    ///
    /// [`Void`] when the match is void twice.
    ///
    /// # Panics
    ///
    /// When there are not as many contestants as the referee has seats.
    pub fn play_or_retry_in_place(&mut self, seed: u64, contestants: &[&dyn Contestant]) -> Result<&MatchResult, Void> {
        if self.play_in_place(seed, contestants).is_err() {
            self.play_in_place(seed, contestants)?;
        }
        Ok(&self.result)
    }

    /// The match played last, if it was not void.
    fn played(&mut self) -> Played {
        let faults = self
            .table
            .events
            .borrow()
            .iter()
            .filter_map(|event| match &event.what {
                What::Faulted { fault, .. } => Some((event.seat, fault.clone())),
                _ => None,
            })
            .collect();
        Played { result: self.result.clone(), faults, hash: self.hash() }
    }

    /// How the match played last ended, if it was not void.
    pub fn result(&self) -> &MatchResult {
        &self.result
    }

    /// The hash of the match played last (docs/record.md); of one that was void it says nothing. Costs as
    /// much as the rest of the referee's work.
    pub fn hash(&mut self) -> [u8; 32] {
        self.hasher.hash(self.seed, &self.components, &self.table.events.borrow(), &self.result)
    }

    fn play_turns(
        &mut self,
        seed: u64,
        contestants: &[&dyn Contestant],
        agents: &mut Vec<Option<Box<dyn Agent>>>,
    ) -> Result<(), Void> {
        self.start_agents(seed, contestants, agents)?;
        while let Some(seat) = self.state.to_move() {
            self.play_turn(seat, agents)?;
        }
        Ok(())
    }

    /// The events of the match played last.
    pub fn events(&self) -> Ref<'_, [Event]> {
        self.table.events()
    }

    /// From now on, keeps every call of an agent.
    pub fn keep_calls(&mut self) {
        self.calls = Some(Vec::new());
    }

    /// The calls of the match played last, in order; none unless [they are
    /// kept](Referee::keep_calls).
    pub fn calls(&self) -> &[Call] {
        self.calls.as_deref().unwrap_or_default()
    }

    /// A table like the one that matches are played at, for going through their calls again.
    pub fn rehearsal(&self) -> Rehearsal {
        Rehearsal::like(&self.table)
    }

    /// The ruleset.
    pub fn ruleset(&self) -> &Ruleset {
        self.table.ruleset()
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.table.limits
    }

    /// Seats and starts every agent, in seat order, before the first roll (ruling 15).
    fn start_agents(
        &mut self,
        seed: u64,
        contestants: &[&dyn Contestant],
        agents: &mut Vec<Option<Box<dyn Agent>>>,
    ) -> Result<(), Void> {
        for (seat, contestant) in contestants.iter().enumerate() {
            if self.state.to_move().is_none() {
                break;
            }
            let start = Start {
                seat: seat as u8,
                seats: contestants.len() as u8,
                agent_seed: agent_seed(seed, seat as u8),
                turn_limit: self.table.limits.turns,
                ruleset_id: self.ruleset_id,
            };
            let started = contestant.seat(&self.table).and_then(|mut agent| {
                let started = agent.start(&start);
                self.keep_call(seat, &mut *agent, Told::Start(start), None);
                started.map(|()| agent)
            });
            agents.push(match started {
                Ok(agent) => Some(agent),
                Err(AgentError::Fault(fault)) => {
                    self.forfeit(seat, 0, None, fault);
                    None
                }
                Err(AgentError::Host(failure)) => return Err(Void { seat: Some(seat as u8), failure }),
            });
        }
        Ok(())
    }

    /// One turn: roll; farkle, or ask and keep; roll on, or bank; until the turn is over.
    fn play_turn(&mut self, seat: usize, agents: &mut [Option<Box<dyn Agent>>]) -> Result<(), Void> {
        let turn = self.state.seats()[seat].turns + 1;
        let agent = agents[seat].as_mut().expect("only seats that have not forfeited are to move");
        while let Phase::ToRoll { dice } | Phase::ToChoose { dice, .. } = self.state.phase() {
            let number = self.state.rolls();
            let roll = self
                .dice
                .roll(seat as u8, turn - 1, number, dice)
                .map_err(|error| Void { seat: None, failure: HostFailure::Failed(format!("no dice: {error}")) })?;
            if let Some(farkle) = self.state.roll(roll).expect("the state asked for this roll") {
                let penalty = farkle.penalised.then(|| (self.table.ruleset().penalty, farkle.banked));
                self.table.scores.borrow_mut()[seat] = farkle.banked;
                self.note(seat, turn, What::Farkled { roll, lost: farkle.lost, penalty });
                return Ok(());
            }
            let told = self.turn_as_told(roll, seat);
            let decided = agent.decide(&told);
            self.keep_call(seat, &mut **agent, Told::Turn(told), decided.as_ref().ok().copied());
            match decided {
                Ok(answer) => {
                    if !self.take_answer(seat, turn, roll, answer) {
                        return Ok(());
                    }
                }
                Err(AgentError::Fault(fault)) => {
                    self.forfeit(seat, turn, Some(roll), fault);
                    return Ok(());
                }
                Err(AgentError::Host(failure)) => return Err(Void { seat: Some(seat as u8), failure }),
            }
        }
        Ok(())
    }

    fn turn_as_told(&self, roll: Faces, seat: usize) -> Turn {
        let own = self.state.seats()[seat];
        Turn {
            roll,
            at_risk: self.state.at_risk(),
            score: own.banked,
            best_rival: self.state.best_rival(),
            opening_due: self.state.opening_due(),
            turns: own.turns,
            rolls: self.state.rolls(),
            farkles_in_a_row: own.farkles_in_a_row,
            closing: self.state.is_closing(),
        }
    }

    /// Applies an answer; returns whether the turn goes on.
    fn take_answer(&mut self, seat: usize, turn: u32, roll: Faces, answer: Answer) -> bool {
        let Ok(keep) = Faces::from_counts(answer.keep) else {
            let [a, b, c, d, e, f] = answer.keep;
            let message = format!(
                "{a} 1s, {b} 2s, {c} 3s, {d} 4s, {e} 5s and {f} 6s are kept, and the roll is {}",
                roll.dice().map(|die| die.to_string()).collect::<Vec<_>>().join("-")
            );
            self.forfeit(seat, turn, Some(roll), Fault { kind: FaultKind::IllegalKeep, message });
            return false;
        };
        match self.state.decide(Decision { keep, next: answer.next }) {
            Ok(kept) => {
                let keep = Keep { roll, keep, points: kept.points, at_risk: kept.at_risk };
                let (what, goes_on) = match kept.then {
                    Fallen::Rolls(_) => (What::Rolled(keep), true),
                    Fallen::Wins => (What::Won(keep), false),
                    Fallen::Banked(bank) => {
                        self.table.scores.borrow_mut()[seat] = bank.banked;
                        (What::Banked { keep, banked: bank.banked }, false)
                    }
                };
                self.note(seat, turn, what);
                goes_on
            }
            Err(illegal) => {
                let kind = match illegal {
                    IllegalAction::Bank(_) => FaultKind::IllegalBank,
                    _ => FaultKind::IllegalKeep,
                };
                self.forfeit(seat, turn, Some(roll), Fault { kind, message: illegal.to_string() });
                false
            }
        }
    }

    fn keep_call(&mut self, seat: usize, agent: &mut dyn Agent, told: Told, answer: Option<Answer>) {
        if let Some(calls) = &mut self.calls {
            let (event, notes, spent) = (self.table.events.borrow().len(), agent.take_notes(), agent.spent());
            calls.push(Call { event, seat: seat as u8, told, answer, notes, spent });
        }
    }

    fn forfeit(&mut self, seat: usize, turn: u32, roll: Option<Faces>, fault: Fault) {
        self.state.forfeit(seat).expect("a seat that is asked has not forfeited");
        self.note(seat, turn, What::Faulted { roll, fault });
    }

    fn note(&self, seat: usize, turn: u32, what: What) {
        self.table.banked.borrow_mut().push(self.table.scores.borrow()[seat]);
        self.table.events.borrow_mut().push(Event { seat: seat as u8, turn, what });
    }
}

impl Answer {
    /// The answer that a legal decision is.
    pub fn from_decision(keep: Faces, next: Next) -> Answer {
        Answer { keep: keep.counts(), next }
    }
}
