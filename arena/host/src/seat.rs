//! One instance of one component in one seat of one match.
//!
//! Owns the store and the calls. Refuses to go on after a failed one: a trap poisons its store.

use std::rc::Rc;

use arena_core::{Agent, AgentError, Answer, Fault, FaultKind, HostFailure, Limits, Spent, Start, Table, Turn};
use farkle::Next;
use wasmtime::Store;
use wasmtime::component::{Instance, InstancePre};

use crate::bindings::exports::farkle::arena::agent as contract;
use crate::bindings::{Calls, Decide, Start as StartCall};
use crate::bounds::{HOSTCALL_BYTES, patience};
use crate::failed_call::{read, read_instantiation};
use crate::limiter::Limiter;
use crate::wasi::{self, Channel};

/// The bank bit of a decision, and the bits that hold the keep.
const BANK: u32 = 1 << 24;
const KEEP: u32 = BANK - 1;

/// What a note begins with that says why the agent stops: a panic of the SDK, an exception as the
/// projects in Python and JavaScript note it.
const ENDS: [&str; 3] = ["panicked ", "raised ", "threw "];

/// What the store of a seat holds.
pub(crate) struct Seat {
    /// None outside matches.
    table: Option<Rc<Table>>,
    pub(crate) limiter: Limiter,
    /// Lines logged, newest last, and their bytes.
    log: Vec<String>,
    log_bytes: usize,
    /// A line that is noted piece by piece.
    line: Vec<u8>,
    /// Lines that the current call has logged.
    logged_in_call: usize,
    /// None before `start`.
    agent_seed: Option<u64>,
    /// Made when the component first calls it.
    pub(crate) wasi: Option<Box<wasi::State>>,
}

pub(crate) struct SeatedAgent {
    store: Store<Seat>,
    start: StartCall,
    decide: Decide,
    limits: Limits,
    /// The fuel that the last call began with.
    given: u64,
}

impl Seat {
    /// The table of the match; there is none while a component is only asked who it is.
    pub(crate) fn table(&self) -> wasmtime::Result<&Table> {
        self.table.as_deref().ok_or_else(|| wasmtime::format_err!("rules and table are there only in a match"))
    }

    /// Notes a line that may be the agent's last words.
    pub(crate) fn note(&mut self, message: String) {
        self.logged_in_call += 1;
        if let Some(wasi) = &mut self.wasi {
            wasi.printed().forget_words();
        }
        self.keep_note(message);
    }

    /// Notes a piece of a line; an empty one ends it.
    pub(crate) fn note_bytes(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            let line = std::mem::take(&mut self.line);
            self.note(String::from_utf8_lossy(&line).into_owned());
        } else if self.line.len() <= crate::bounds::LOG_BYTES {
            // A longer line is dropped as a whole when it ends.
            self.line.extend_from_slice(bytes);
        }
    }

    /// Notes what the agent prints, line by line.
    pub(crate) fn print(&mut self, channel: Channel, bytes: &[u8]) {
        for line in self.wasi().printed().add(channel, bytes) {
            self.keep_note(line);
        }
    }

    /// An empty line counts as well, or there would be no end of them.
    fn keep_note(&mut self, message: String) {
        let bytes = message.len().max(1);
        if self.log_bytes + bytes <= crate::bounds::LOG_BYTES {
            self.log_bytes += bytes;
            self.log.push(message);
        }
    }

    /// What is kept for WASI.
    pub(crate) fn wasi(&mut self) -> &mut wasi::State {
        self.wasi.get_or_insert_with(|| Box::new(wasi::State::new(self.agent_seed)))
    }

    fn begin_call(&mut self) {
        self.limiter.refused = false;
        self.logged_in_call = 0;
        if let Some(wasi) = &mut self.wasi {
            wasi.printed().forget_words();
        }
    }

    /// What was printed without the end of a line is a line now.
    fn end_call(&mut self) {
        if !self.line.is_empty() {
            self.note_bytes(&[]);
        }
        if let Some(wasi) = &mut self.wasi {
            for line in wasi.printed().end_lines() {
                self.keep_note(line);
            }
        }
    }

    /// What the agent said of its own end: a panic or an exception tells its text and then traps.
    pub(crate) fn last_words(&self) -> Option<String> {
        let printed = self.wasi.as_ref().and_then(|wasi| wasi.last_words());
        printed.or_else(|| self.last_note().filter(|note| ENDS.iter().any(|end| note.starts_with(end))).cloned())
    }

    /// The last line that the agent noted in this call.
    pub(crate) fn last_note(&self) -> Option<&String> {
        self.log.last().filter(|_| self.logged_in_call > 0)
    }
}

/// A fresh instance in a store of its own, with the fuel of `start` to be set up on.
fn instantiate(
    pre: &InstancePre<Seat>,
    table: Option<Rc<Table>>,
    limits: &Limits,
) -> Result<(Store<Seat>, Instance), AgentError> {
    let limiter = Limiter::new(limits.memory_bytes);
    let seat = Seat {
        table,
        limiter,
        log: Vec::new(),
        log_bytes: 0,
        line: Vec::new(),
        logged_in_call: 0,
        agent_seed: None,
        wasi: None,
    };
    let mut store = Store::new(pre.engine(), seat);
    store.limiter(|seat| &mut seat.limiter);
    store.set_hostcall_fuel(HOSTCALL_BYTES);
    set_fuel(&mut store, limits.start_fuel)?;
    let instance = pre.instantiate(&mut store);
    store.data_mut().end_call();
    match instance {
        Ok(instance) => Ok((store, instance)),
        Err(error) => Err(read_instantiation(store.data(), error)),
    }
}

/// Who an agent says it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Who wrote it.
    pub author: String,
}

/// A fresh instance that is asked who it is and dropped.
pub(crate) fn about(pre: &InstancePre<Seat>, calls: &Calls, limits: &Limits) -> Result<About, AgentError> {
    let (mut store, instance) = instantiate(pre, None, limits)?;
    let identity = calls.identity(&mut store, &instance).map_err(host_failure)?;
    store.data_mut().begin_call();
    let identity = identity.call(&mut store, ());
    store.data_mut().end_call();
    match identity {
        Ok((contract::About { name, version, author },)) => Ok(About { name, version, author }),
        Err(error) => Err(read(store.data(), limits, error, "identity")),
    }
}

impl SeatedAgent {
    pub(crate) fn seat(pre: &InstancePre<Seat>, calls: &Calls, table: &Rc<Table>) -> Result<SeatedAgent, AgentError> {
        let limits = *table.limits();
        let (mut store, instance) = instantiate(pre, Some(table.clone()), &limits)?;
        let (start, decide) = calls.of(&mut store, &instance).map_err(host_failure)?;
        Ok(SeatedAgent { store, start, decide, limits, given: limits.start_fuel })
    }
}

fn host_failure(error: wasmtime::Error) -> AgentError {
    HostFailure::Failed(format!("{error:#}")).into()
}

impl Agent for SeatedAgent {
    fn start(&mut self, start: &Start) -> Result<(), AgentError> {
        let seat = self.store.data_mut();
        seat.begin_call();
        seat.agent_seed = Some(start.agent_seed);
        if let Some(wasi) = &mut seat.wasi {
            wasi.seed(start.agent_seed);
        }
        let told = (start.seat.into(), start.seats.into(), start.agent_seed, start.turn_limit, start.ruleset_id);
        let called = self.start.call(&mut self.store, told);
        self.store.data_mut().end_call();
        called.map_err(|error| read(self.store.data(), &self.limits, error, "start"))
    }

    fn decide(&mut self, turn: &Turn) -> Result<Answer, AgentError> {
        self.store.data_mut().begin_call();
        self.given = self.limits.decide_fuel;
        set_fuel(&mut self.store, self.given)?;
        let [ones, twos, threes, fours, fives, sixes] = turn.roll.counts();
        let told = contract::Turn {
            roll: contract::Roll { ones, twos, threes, fours, fives, sixes },
            at_risk: turn.at_risk,
            score: turn.score,
            best_rival: turn.best_rival,
            opening_due: turn.opening_due,
            turns: turn.turns,
            rolls: turn.rolls,
            farkles_in_a_row: turn.farkles_in_a_row,
            closing: turn.closing,
        };
        let decided = self.decide.call(&mut self.store, (told,));
        self.store.data_mut().end_call();
        match decided {
            Ok((decision,)) => read_decision(decision),
            Err(error) => Err(read(self.store.data(), &self.limits, error, "decide")),
        }
    }

    fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.store.data_mut().log)
    }

    fn spent(&self) -> Spent {
        let left = self.store.get_fuel().unwrap_or_default();
        let memory = self.limits.memory_bytes - self.store.data().limiter.left;
        Spent { fuel: self.given.saturating_sub(left), memory }
    }
}

fn read_decision(decision: u32) -> Result<Answer, AgentError> {
    if decision & !(KEEP | BANK) != 0 {
        let message = format!("the decision {decision:#010x} has bits set above bit 24");
        return Err(Fault { kind: FaultKind::MalformedAnswer, message }.into());
    }
    let keep = std::array::from_fn(|face| (decision >> (4 * face) & 15) as u8);
    Ok(Answer { keep, next: if decision & BANK == 0 { Next::Roll } else { Next::Bank } })
}

/// What a call may use. `start` goes on with what the set-up has left.
fn set_fuel(store: &mut Store<Seat>, fuel: u64) -> Result<(), AgentError> {
    store.set_epoch_deadline(patience(fuel));
    store.set_fuel(fuel).map_err(|error| HostFailure::Failed(format!("fuel cannot be set: {error:#}")).into())
}
