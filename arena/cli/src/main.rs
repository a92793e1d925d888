//! The `arena` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    arena::tell_panics_in_a_line();
    match std::panic::catch_unwind(|| arena::run(std::env::args_os())) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(failure)) => failure.report(),
        // Told when it happened.
        Err(_) => ExitCode::FAILURE,
    }
}
