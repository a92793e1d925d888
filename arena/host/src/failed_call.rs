//! What a call that failed means: the agent's fault, or the host's failure.
//!
//! Owns the reading of traps and their stacks. Refuses to blame an agent for the machine.

use arena_core::{AgentError, Fault, FaultKind, HostFailure, Limits};
use wasmtime::{Trap, WasmBacktrace};

use crate::seat::Seat;

/// Stack frames shown of a trap.
const FRAMES: usize = 12;
/// Bytes shown of the name of a function.
const NAME_BYTES: usize = 400;
/// Bytes shown of what an agent said last: a fault is kept with its match, a log is not.
const WORDS_BYTES: usize = 4 << 10;

/// What an error of a call means.
#[cold]
pub(crate) fn read(seat: &Seat, limits: &Limits, error: wasmtime::Error, call: &str) -> AgentError {
    if let Some(failure) = &seat.limiter.machine_failed {
        return HostFailure::Failed(format!("no memory for an agent: {failure}")).into();
    }
    let trap = error.downcast_ref::<Trap>().copied();
    if trap == Some(Trap::Interrupt) {
        return stood_still(&format!("`{call}`"));
    }
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
        Some(trap) => (FaultKind::Trap, told(seat, || format!("`{call}` trapped: {trap}"))),
        None => {
            let printed = seat.wasi.as_ref().and_then(|wasi| wasi.last_words());
            let printed = printed.map_or_else(String::new, |words| format!("\n{words}"));
            (FaultKind::Trap, format!("`{call}` failed: {}{printed}", error.root_cause()))
        }
    };
    Fault { kind, message: what + &frames(&error) }.into()
}

/// The watchdog's word. Fuel is what an agent may spend, so that time is nobody's fault.
fn stood_still(what: &str) -> AgentError {
    HostFailure::TookTooLong(format!("{what} of an agent took longer than the watchdog waits, within its fuel")).into()
}

/// The agent's own word for its end; else what is known of it, and what it noted before.
fn told(seat: &Seat, known: impl Fn() -> String) -> String {
    seat.last_words().map(|words| cut(&words, WORDS_BYTES).to_owned()).unwrap_or_else(|| match seat.last_note() {
        Some(note) => format!("{}; it noted last: {}", known(), cut(note, WORDS_BYTES)),
        None => known(),
    })
}

/// What an error while instantiating means: a trap or a refused growth is the component's doing,
/// all else the host's.
#[cold]
pub(crate) fn read_instantiation(seat: &Seat, error: wasmtime::Error) -> AgentError {
    let limiter = &seat.limiter;
    let fault = |kind, message: &str| Fault { kind, message: format!("{message}{}", frames(&error)) }.into();
    match error.downcast_ref::<Trap>() {
        _ if limiter.machine_failed.is_some() => {
            HostFailure::Failed(format!("no memory for an agent: {error:#}")).into()
        }
        Some(Trap::Interrupt) => stood_still("the set-up"),
        Some(Trap::OutOfFuel) => fault(FaultKind::OutOfFuel, "its set-up spent the fuel of `start`"),
        _ if limiter.refused => fault(FaultKind::OutOfMemory, "its set-up asked for more memory than it may have"),
        Some(Trap::StackOverflow) => fault(FaultKind::StackOverflow, "calls in its set-up nest too deep"),
        Some(trap) => fault(FaultKind::CannotStart, &told(seat, || format!("its set-up trapped: {trap}"))),
        // Whoever fails while the component runs, it is the component that made the call.
        None if error.downcast_ref::<WasmBacktrace>().is_some() => {
            fault(FaultKind::CannotStart, &format!("its set-up failed: {}", error.root_cause()))
        }
        None => HostFailure::Failed(format!("an agent cannot be instantiated: {error:#}")).into(),
    }
}

/// The functions on the stack of a trap, demangled, innermost first, a line each: without those
/// that only carry a panic, and repeated ones counted.
fn frames(error: &wasmtime::Error) -> String {
    let Some(backtrace) = error.downcast_ref::<WasmBacktrace>() else { return String::new() };
    let named = backtrace.frames().iter().filter_map(|frame| frame.func_name());
    let names = named.map(|name| format!("{:#}", rustc_demangle::demangle(cut(name, NAME_BYTES))));
    told_frames(names)
}

/// A text as far as anybody reads it: a stranger may have given it.
fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
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
