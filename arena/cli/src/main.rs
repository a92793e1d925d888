//! The `arena` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    match arena::run(std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
