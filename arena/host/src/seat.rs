//! One instance of one component in one seat of one match.
//!
//! Owns the store, the limits on it, and the reading of whatever goes wrong: the agent's fault, or
//! the host's failure. Refuses to go on after either: a trap poisons its store.

use std::rc::Rc;

use arena_core::{Agent, AgentError, Answer, Fault, FaultKind, HostFailure, Limits, Spent, Start, Table, Turn};
use farkle::Next;
use wasmtime::component::{Instance, InstancePre};
use wasmtime::{ResourceLimiter, Store, Trap, WasmBacktrace};

use crate::bindings::exports::farkle::arena::agent as contract;
use crate::bindings::{Calls, Contestant, Decide, Start as StartCall};
use crate::component::About;
use crate::engine::{INSTANCES, MEMORIES, TABLE_ELEMENTS, TABLES};
use crate::wasi::{self, Channel};

/// Bytes that a component can hand over in one call of an import.
const HOSTCALL_BYTES: usize = 128 << 10;
/// Stack frames shown of a trap.
const FRAMES: usize = 12;
/// The bank bit of a decision, and the bits that hold the keep.
const BANK: u32 = 1 << 24;
const KEEP: u32 = BANK - 1;

/// What the store of a seat holds.
pub(crate) struct Seat {
    /// None outside matches.
    table: Option<Rc<Table>>,
    limiter: Limiter,
    /// Lines logged, newest last, and their bytes.
    log: Vec<String>,
    log_bytes: usize,
    /// Lines that the current call has logged.
    logged_in_call: usize,
    /// None before `start`.
    agent_seed: Option<u64>,
    /// Made when the component first calls it.
    wasi: Option<Box<wasi::State>>,
}

/// Counts linear memory, and remembers what it refused.
struct Limiter {
    left: u64,
    /// A growth was refused in the current call.
    refused: bool,
    /// The machine had no memory for a growth that was allowed.
    machine_failed: Option<String>,
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

    /// Notes what the agent prints, line by line.
    pub(crate) fn print(&mut self, channel: Channel, bytes: &[u8]) {
        for line in self.wasi().printed().add(channel, bytes) {
            self.keep_note(line);
        }
    }

    /// An empty line counts as well, or there would be no end of them.
    fn keep_note(&mut self, message: String) {
        let bytes = message.len().max(1);
        if self.log_bytes + bytes <= crate::LOG_BYTES {
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
        if let Some(wasi) = &mut self.wasi {
            for line in wasi.printed().end_lines() {
                self.keep_note(line);
            }
        }
    }

    /// What the agent told last in this call: a panic tells its text and then traps.
    fn last_words(&self) -> Option<String> {
        let printed = self.wasi.as_ref().and_then(|wasi| wasi.last_words());
        printed.or_else(|| self.log.last().filter(|_| self.logged_in_call > 0).cloned())
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        let more = desired.saturating_sub(current) as u64;
        if more > self.left || maximum.is_some_and(|maximum| desired > maximum) {
            self.refused = true;
            return Ok(false);
        }
        self.left -= more;
        Ok(true)
    }

    fn memory_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        if self.refused {
            return Ok(());
        }
        self.machine_failed = Some(format!("{error:#}"));
        Err(error)
    }

    fn table_growing(&mut self, _: usize, desired: usize, maximum: Option<usize>) -> wasmtime::Result<bool> {
        let allowed = desired <= TABLE_ELEMENTS && maximum.is_none_or(|maximum| desired <= maximum);
        self.refused |= !allowed;
        Ok(allowed)
    }

    fn table_grow_failed(&mut self, error: wasmtime::Error) -> wasmtime::Result<()> {
        self.memory_grow_failed(error)
    }

    fn instances(&self) -> usize {
        INSTANCES as usize
    }

    fn tables(&self) -> usize {
        TABLES as usize
    }

    fn memories(&self) -> usize {
        MEMORIES as usize
    }
}

/// A fresh instance in a store of its own, with the fuel of `start` to be set up on.
fn instantiate(
    pre: &InstancePre<Seat>,
    table: Option<Rc<Table>>,
    limits: &Limits,
) -> Result<(Store<Seat>, Instance), AgentError> {
    let limiter = Limiter { left: limits.memory_bytes, refused: false, machine_failed: None };
    let seat = Seat { table, limiter, log: Vec::new(), log_bytes: 0, logged_in_call: 0, agent_seed: None, wasi: None };
    let mut store = Store::new(pre.engine(), seat);
    store.limiter(|seat| &mut seat.limiter);
    store.set_hostcall_fuel(HOSTCALL_BYTES);
    set_fuel(&mut store, limits.start_fuel)?;
    let instance = pre.instantiate(&mut store);
    store.data_mut().end_call();
    match instance {
        Ok(instance) => Ok((store, instance)),
        Err(error) => Err(read_instantiation(&store, error)),
    }
}

/// A fresh instance that is asked who it is and dropped.
pub(crate) fn about(pre: &InstancePre<Seat>, limits: &Limits) -> Result<About, AgentError> {
    let (mut store, instance) = instantiate(pre, None, limits)?;
    let contestant = Contestant::new(&mut store, &instance).map_err(host_failure)?;
    store.data_mut().begin_call();
    let identity = contestant.farkle_arena_agent().call_identity(&mut store);
    store.data_mut().end_call();
    match identity {
        Ok(contract::About { name, version, author }) => Ok(About { name, version, author }),
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
    HostFailure(format!("{error:#}")).into()
}

/// What an error of a call means.
#[cold]
fn read(seat: &Seat, limits: &Limits, error: wasmtime::Error, call: &str) -> AgentError {
    if let Some(failure) = &seat.limiter.machine_failed {
        return HostFailure(format!("no memory for an agent: {failure}")).into();
    }
    let trap = error.downcast_ref::<Trap>().copied();
    let (kind, what) = match trap {
        Some(Trap::OutOfFuel) => {
            let allowance = if call == "decide" { limits.decide_fuel } else { limits.start_fuel };
            (FaultKind::OutOfFuel, format!("`{call}` spent its {allowance} units of fuel"))
        }
        Some(Trap::StackOverflow) => (FaultKind::StackOverflow, format!("calls in `{call}` nest too deep")),
        Some(_) if seat.limiter.refused => {
            let limit = limits.memory_bytes;
            (FaultKind::OutOfMemory, format!("`{call}` asked for more than its {limit} bytes of memory"))
        }
        Some(trap) => (FaultKind::Trap, seat.last_words().unwrap_or_else(|| format!("`{call}` trapped: {trap}"))),
        None => {
            let printed = seat.wasi.as_ref().and_then(|wasi| wasi.last_words());
            let printed = printed.map_or_else(String::new, |words| format!("\n{words}"));
            (FaultKind::Trap, format!("`{call}` failed: {}{printed}", error.root_cause()))
        }
    };
    Fault { kind, message: what + &frames(&error) }.into()
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

fn set_fuel(store: &mut Store<Seat>, fuel: u64) -> Result<(), AgentError> {
    store.set_fuel(fuel).map_err(|error| HostFailure(format!("fuel cannot be set: {error:#}")).into())
}

/// What an error while instantiating means: a trap or a refused growth is the component's doing,
/// all else the host's.
#[cold]
fn read_instantiation(store: &Store<Seat>, error: wasmtime::Error) -> AgentError {
    let limiter = &store.data().limiter;
    let fault = |kind, message: &str| Fault { kind, message: format!("{message}{}", frames(&error)) }.into();
    match error.downcast_ref::<Trap>() {
        _ if limiter.machine_failed.is_some() => HostFailure(format!("no memory for an agent: {error:#}")).into(),
        Some(Trap::OutOfFuel) => fault(FaultKind::OutOfFuel, "its set-up spent the fuel of `start`"),
        _ if limiter.refused => fault(FaultKind::OutOfMemory, "its set-up asked for more memory than it may have"),
        Some(Trap::StackOverflow) => fault(FaultKind::StackOverflow, "calls in its set-up nest too deep"),
        Some(trap) => {
            let words = store.data().last_words();
            fault(FaultKind::CannotStart, &words.unwrap_or_else(|| format!("its set-up trapped: {trap}")))
        }
        // Whoever fails while the component runs, it is the component that made the call.
        None if error.downcast_ref::<WasmBacktrace>().is_some() => {
            fault(FaultKind::CannotStart, &format!("its set-up failed: {}", error.root_cause()))
        }
        None => HostFailure(format!("an agent cannot be instantiated: {error:#}")).into(),
    }
}

/// The functions on the stack of a trap, demangled, innermost first, a line each: without those
/// that only carry a panic, and repeated ones counted.
fn frames(error: &wasmtime::Error) -> String {
    let Some(backtrace) = error.downcast_ref::<WasmBacktrace>() else { return String::new() };
    let named = backtrace.frames().iter().filter_map(|frame| frame.func_name());
    let names = named.map(|name| format!("{:#}", rustc_demangle::demangle(name)));
    told_frames(names)
}

/// What the first functions on the stack of a panic begin with; with WASI there is `abort` as well.
const PANICKING: [&str; 7] = [
    "__rustc::",
    "std::panicking",
    "std::process::",
    "std::sys::",
    "core::panicking",
    "core::option::",
    "core::result::",
];

fn told_frames(names: impl Iterator<Item = String>) -> String {
    let mut told: Vec<(String, usize)> = Vec::new();
    for name in names.skip_while(|name| name == "abort" || PANICKING.iter().any(|part| name.starts_with(part))) {
        match told.last_mut() {
            Some((last, times)) if *last == name => *times += 1,
            _ => told.push((name, 1)),
        }
    }
    let line = |(name, times): &(String, usize)| match times {
        1 => format!("\n  in {name}"),
        times => format!("\n  in {name} ({times} times)"),
    };
    told.iter().take(FRAMES).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_frames_are_counted_and_long_stacks_cut() {
        let told = |names: &[&str]| told_frames(names.iter().map(|name| (*name).to_owned()));
        assert_eq!(told(&["a", "b", "b", "b", "a"]), "\n  in a\n  in b (3 times)\n  in a");
        let many: Vec<String> = (0..40).map(|n| n.to_string()).collect();
        assert_eq!(told_frames(many.into_iter()).lines().count(), 1 + FRAMES);
        assert_eq!(told(&[]), "");
    }

    #[test]
    fn frames_that_carry_a_panic_are_left_out() {
        let told = |names: &[&str]| told_frames(names.iter().map(|name| (*name).to_owned()));
        let stack = [
            "abort",
            "std::process::abort",
            "__rustc::rust_panic",
            "core::panicking::panic_fmt",
            "core::option::expect_failed",
            "mine::b",
        ];
        assert_eq!(told(&stack), "\n  in mine::b");
        // What lies below the agent's own code is no panic.
        assert_eq!(told(&["mine::b", "core::option::Option<T>::map", "mine::a"]).lines().count(), 4);
    }
}
