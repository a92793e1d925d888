//! The `arena` program, as a user runs it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// What a run of the program left behind.
#[derive(Clone, Debug)]
pub struct Output {
    /// The exit code.
    pub code: i32,
    /// The standard output.
    pub stdout: String,
    /// The standard error stream.
    pub stderr: String,
}

/// Runs `arena` with these arguments.
pub fn arena(args: &[&str]) -> Output {
    arena_in(Path::new("."), args)
}

/// Runs `arena` with this standard input.
///
/// # Panics
///
/// When the program cannot be built or run, or prints what is not UTF-8.
pub fn arena_fed(input: &str, args: &[&str]) -> Output {
    let mut command = Command::new(program());
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut run = command.spawn().expect("the program runs");
    // Small enough for the pipe, so that nobody waits for anybody.
    run.stdin.take().expect("piped").write_all(input.as_bytes()).expect("the program reads");
    output(run.wait_with_output().expect("the program ends"))
}

/// Runs `arena` in a folder.
///
/// # Panics
///
/// When the program cannot be built or run, or prints what is not UTF-8.
pub fn arena_in(folder: &Path, args: &[&str]) -> Output {
    output(Command::new(program()).args(args).current_dir(folder).output().expect("the program runs"))
}

fn output(run: std::process::Output) -> Output {
    let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
    Output { code: run.status.code().unwrap_or(-1), stdout: text(run.stdout), stderr: text(run.stderr) }
}

/// The built component of a sample agent.
pub fn sample(name: &str) -> PathBuf {
    let built = concat!(env!("CARGO_MANIFEST_DIR"), "/../sample-agents/built");
    Path::new(built).join(name).with_extension("wasm")
}

/// All of them, from the weakest to the strongest.
pub fn samples() -> Vec<PathBuf> {
    ["random", "bank-asap", "threshold-300", "dice-count", "keep-choice", "max-ev"].map(sample).into()
}

/// The program, built from this source once a test run: these tests are of another package, so
/// cargo does not promise to have built it.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let test = std::env::current_exe().expect("a test has a path");
        let profile_folder = test.parent().and_then(Path::parent).expect("tests are built into TARGET/PROFILE/deps");
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--package", "arena", "--bin", "arena"]);
        build.arg("--manifest-path").arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml"));
        build.arg("--target-dir").arg(profile_folder.parent().expect("TARGET"));
        if profile_folder.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().expect("cargo runs").success(), "the program does not build");
        profile_folder.join("arena").with_extension(std::env::consts::EXE_EXTENSION)
    })
}
