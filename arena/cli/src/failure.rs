//! How a command fails: an exit code and a message.
//!
//! Owns the exit codes that scripts rely on. Refuses backtraces: a message names the thing, the
//! place and what is allowed.

use std::fmt;
use std::process::ExitCode;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub enum Failure {
    /// It went wrong: exit code 1.
    Failed(anyhow::Error),
    /// It was asked wrongly: arguments, unknown names, unreadable or malformed input: exit code 2.
    Usage(anyhow::Error),
    /// The answer is no, and is already printed: exit code 1.
    No,
    /// A verification found a difference: exit code 3.
    Difference(anyhow::Error),
    /// An agent was refused: exit code 4.
    Refused(anyhow::Error),
    /// Somebody stopped it, and nothing is lost: exit code 130, as of a program that Ctrl-C ends.
    Stopped(anyhow::Error),
}

impl Failure {
    /// Wrong usage, in words.
    pub fn usage(message: impl fmt::Display) -> Failure {
        Failure::Usage(anyhow::Error::msg(message.to_string()))
    }

    /// A failure, in words.
    pub fn failed(message: impl fmt::Display) -> Failure {
        Failure::Failed(anyhow::Error::msg(message.to_string()))
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Failed(_) | Failure::No => 1,
            Failure::Usage(_) => 2,
            Failure::Difference(_) => 3,
            Failure::Refused(_) => 4,
            Failure::Stopped(_) => 130,
        }
    }

    /// Prints the message and gives the exit code.
    pub fn report(&self) -> ExitCode {
        if !matches!(self, Failure::No) {
            crate::output::tell(&format!("arena: {self}"));
        }
        ExitCode::from(self.code())
    }
}

/// Makes a panic one line on the standard error stream, and a backtrace only where one is asked for.
/// Libraries panic where a machine has no threads or files left to give.
pub fn tell_panics_in_a_line() {
    std::panic::set_hook(Box::new(|panic| {
        let said = panic.payload_as_str().unwrap_or("no reason given").replace('\n', " ");
        let place = panic.location().map_or(String::new(), |place| {
            let file = place.file().rsplit(['/', '\\']).next().unwrap_or_default();
            format!(" ({file}:{})", place.line())
        });
        crate::output::tell(&format!(
            "arena: broke down: {}{place}; what was stored stays; where threads, open files and memory were not short, \
             this is a fault of the arena",
            said
        ));
        let backtrace = std::backtrace::Backtrace::capture();
        if backtrace.status() == std::backtrace::BacktraceStatus::Captured {
            crate::output::tell(&backtrace.to_string());
        }
    }));
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::No => f.write_str("no"),
            Failure::Failed(e)
            | Failure::Usage(e)
            | Failure::Difference(e)
            | Failure::Refused(e)
            | Failure::Stopped(e) => {
                write!(f, "{e:#}")
            }
        }
    }
}

impl std::error::Error for Failure {}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::Failed(error)
    }
}
