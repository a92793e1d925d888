//! The `arena` program, as a user runs it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the program is.
pub(crate) const ARENA: &str = env!("CARGO_BIN_EXE_arena");

/// The program, which keeps compiled agents beside the tests' other files.
pub(crate) fn program() -> Command {
    let mut program = Command::new(ARENA);
    program.env("ARENA_CACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/code"));
    program
}

/// What a run of the program left behind.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    /// The exit code.
    pub(crate) code: i32,
    /// The standard output.
    pub(crate) stdout: String,
    /// The standard error stream.
    pub(crate) stderr: String,
}

/// Runs `arena` with these arguments.
pub(crate) fn arena(args: &[&str]) -> Output {
    arena_in(Path::new("."), args)
}

/// Runs `arena` with this standard input.
///
/// # Panics
///
/// When the program cannot be run, or prints what is not UTF-8.
pub(crate) fn arena_fed(input: &str, args: &[&str]) -> Output {
    arena_fed_in(Path::new("."), input, args)
}

/// Runs `arena` in a folder with this standard input.
///
/// # Panics
///
/// When the program cannot be run, or prints what is not UTF-8.
pub(crate) fn arena_fed_in(folder: &Path, input: &str, args: &[&str]) -> Output {
    let mut command = program();
    command.args(args).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut run = command.spawn().expect("the program runs");
    let (mut stdin, input) = (run.stdin.take().expect("piped"), input.as_bytes().to_vec());
    // On a thread of its own, so that nobody waits for anybody. A program may end before its input.
    let feeding = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = output(run.wait_with_output().expect("the program ends"));
    feeding.join().expect("feeding does not panic");
    output
}

/// Runs `arena` in a folder.
///
/// # Panics
///
/// When the program cannot be run, or prints what is not UTF-8.
pub(crate) fn arena_in(folder: &Path, args: &[&str]) -> Output {
    output(program().args(args).current_dir(folder).output().expect("the program runs"))
}

/// Runs `arena` in a folder, with these variables set or, where there is no value, not set.
///
/// # Panics
///
/// When the program cannot be run, or prints what is not UTF-8.
pub(crate) fn arena_where(folder: &Path, args: &[&str], variables: &[(&str, Option<&str>)]) -> Output {
    let mut command = program();
    command.args(args).current_dir(folder);
    for (name, value) in variables {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    output(command.output().expect("the program runs"))
}

fn output(run: std::process::Output) -> Output {
    let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
    Output { code: run.status.code().unwrap_or(-1), stdout: text(run.stdout), stderr: text(run.stderr) }
}

/// The built component of a sample agent.
pub(crate) fn sample(name: &str) -> PathBuf {
    let built = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample-agents/built");
    Path::new(built).join(name).with_extension("wasm")
}

/// All of them, from the weakest to the strongest.
pub(crate) fn samples() -> Vec<PathBuf> {
    ["random", "bank-asap", "threshold-300", "dice-count", "keep-choice", "max-ev", "optimal"].map(sample).into()
}
