//! Compiling a component in a process of its own.
//!
//! Owns the limits on that process, and the reading of how it ended. What compiles a stranger's
//! component takes as long and as much as the component makes it: the process is this same program, run
//! with a command that is in no help, told the component on its standard input and giving the machine
//! code on its standard output. Refuses to blame a component for the machine.

use std::io::{Read, Write};
use std::process::ExitStatus;
use std::time::Duration;

use arena_host::{COMPONENT_BYTES, Refused, Sandbox};

use super::Unloaded;
use crate::apart::{self, Bounds, Ended, KILL, XCPU};
use crate::failure::Failure;
use crate::harmless::one_line;

/// The hidden command.
const COMMAND: &str = "compile-component";
/// Processor time of all threads together, and memory that is written to.
const BOUNDS: Bounds = Bounds { seconds: 120, mebibytes: 2 << 10 };
/// After so long a process stands still: it gets no processor, or waits for what never comes.
const PATIENCE: Duration = Duration::from_secs(600);
/// The most machine code; an interpreter of 19 MB makes 90.
const CODE_BYTES: u64 = 1 << 30;

/// Compiles the component on the standard input: what the hidden command does.
pub(crate) fn run(bounds: Bounds) -> Result<(), Failure> {
    apart::limit_this_process(bounds)?;
    apart::write_no_file()?;
    // A pool is memory, and changes nothing about the code.
    let sandbox = Sandbox::with_pool(false).map_err(Failure::failed)?;
    let mut bytes = Vec::new();
    let all = std::io::stdin().lock().take(COMPONENT_BYTES as u64 + 1).read_to_end(&mut bytes);
    all.map_err(|error| Failure::failed(format!("the component cannot be read: {error}")))?;
    let code = sandbox.compile(&bytes).map_err(|refused| Failure::Refused(anyhow::Error::msg(told(refused))))?;
    let mut out = std::io::stdout().lock();
    let written = out.write_all(&code).and_then(|()| out.flush());
    written.map_err(|error| Failure::failed(format!("the code cannot be written: {error}")))
}

/// The reason alone, which the other side puts into a sentence.
fn told(refused: Refused) -> String {
    match refused {
        Refused::Invalid(reason) => reason,
        other => other.to_string(),
    }
}

/// Compiles a component in a process of its own.
pub(super) fn compile_apart(bytes: &[u8]) -> Result<Vec<u8>, Unloaded> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::failed(format!("the runtime does not start: {error}")))?;
    let ended = runtime.block_on(apart::run(COMMAND, BOUNDS, PATIENCE, CODE_BYTES, &[bytes]));
    match ended.map_err(|error| Failure::failed(format!("the compiler cannot be run: {error}")))? {
        Ended::Well(code) => Ok(code),
        Ended::OutOfPatience => {
            let reason = format!("it was not done after {} seconds", PATIENCE.as_secs());
            Err(Refused::CannotCompile(reason).into())
        }
        Ended::TooMuch => {
            Err(Refused::CannotCompile(format!("its machine code has more than {CODE_BYTES} bytes")).into())
        }
        Ended::Badly(status, complaint) => Err(read_end(status, &complaint)),
    }
}

/// What it means that a compiler gave no code.
fn read_end(status: ExitStatus, complaint: &str) -> Unloaded {
    let said = complaint.lines().next().map(one_line).unwrap_or_default();
    if status.code() == Some(4) {
        return Refused::Invalid(said.trim_start_matches("arena: ").to_owned()).into();
    }
    // The words of the standard library, when the system gives no memory.
    if complaint.contains("memory allocation of") {
        let reason = format!("that takes more than {} MiB of memory", BOUNDS.mebibytes);
        return Refused::CannotCompile(reason).into();
    }
    match apart::signal(status) {
        Some(XCPU) => {
            let reason = format!("that takes more than {} seconds of processor time", BOUNDS.seconds);
            Refused::CannotCompile(reason).into()
        }
        // The system's way to make room; or somebody's.
        Some(KILL) => Failure::failed("the compiler was killed").into(),
        Some(other) => Refused::CannotCompile(format!("the compiler broke down (signal {other})")).into(),
        None if status.code() == Some(1) => Failure::failed(format!("the compiler failed: {said}")).into(),
        None => Refused::CannotCompile(format!("the compiler broke down: {said}")).into(),
    }
}
