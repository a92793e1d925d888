//! Compiling a component in a process of its own.
//!
//! Owns the limits on that process, and the reading of how it ended. What compiles a stranger's
//! component takes as long and as much as the component makes it: the process is this same program, run
//! with a command that is in no help, told the component on its standard input and giving the machine
//! code on its standard output. Refuses to blame a component for the machine.

use std::io::{Read, Write};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use arena_host::{COMPONENT_BYTES, Refused, Sandbox};
use clap::Args;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;

use super::Unloaded;
use crate::failure::Failure;
use crate::harmless::one_line;

/// The hidden command.
const COMMAND: &str = "compile-component";
/// Processor time of all threads together.
const SECONDS: u64 = 120;
/// Memory that is written to.
const MEBIBYTES: u64 = 2 << 10;
/// After so long a process stands still: it gets no processor, or waits for what never comes.
const PATIENCE: Duration = Duration::from_secs(600);
/// The most machine code; an interpreter of 19 MB makes 90.
const CODE_BYTES: u64 = 1 << 30;
/// What is read of its complaints.
const COMPLAINT_BYTES: u64 = 64 << 10;

/// The signals that say so when a process has had its processor time, and when it was ended for good:
/// these numbers on Linux, macOS and the BSDs.
const XCPU: i32 = 24;
const KILL: i32 = 9;

/// Arguments of the hidden command.
#[derive(Args)]
pub(crate) struct CompileArgs {
    /// The most processor time of all threads together
    #[arg(long)]
    seconds: u64,
    /// The most memory that is written to
    #[arg(long)]
    mebibytes: u64,
}

/// Compiles the component on the standard input: what the hidden command does.
pub(crate) fn run(args: &CompileArgs) -> Result<(), Failure> {
    limit_this_process(args.seconds, args.mebibytes << 20)?;
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

#[cfg(unix)]
fn limit_this_process(seconds: u64, bytes: u64) -> Result<(), Failure> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    // A little more before the end that cannot be told from any other.
    let limit = |current: u64, more: u64| Rlimit { current: Some(current), maximum: Some(current + more) };
    for (resource, limit) in [
        (Resource::Cpu, limit(seconds, 5)),
        (Resource::Data, limit(bytes, 0)),
        (Resource::Core, limit(0, 0)),
        // No file is written.
        (Resource::Fsize, limit(0, 0)),
    ] {
        setrlimit(resource, limit).map_err(|error| Failure::failed(format!("no limit can be set: {error}")))?;
    }
    Ok(())
}

/// Elsewhere only patience has an end.
#[cfg(not(unix))]
fn limit_this_process(_: u64, _: u64) -> Result<(), Failure> {
    Ok(())
}

/// Compiles a component in a process of its own.
pub(super) fn compile_apart(bytes: &[u8]) -> Result<Vec<u8>, Unloaded> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::failed(format!("the runtime does not start: {error}")))?;
    runtime.block_on(compile(bytes))
}

async fn compile(bytes: &[u8]) -> Result<Vec<u8>, Unloaded> {
    let failed = |error: std::io::Error| Failure::failed(format!("the compiler cannot be run: {error}"));
    let mut command = Command::new(this_program().map_err(failed)?);
    let (seconds, mebibytes) = (SECONDS.to_string(), MEBIBYTES.to_string());
    command.args([COMMAND, "--seconds", &seconds, "--mebibytes", &mebibytes]);
    command.env("RUST_BACKTRACE", "0").kill_on_drop(true);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let feed = async {
        // Who ends before its input is judged by how it ends.
        if let Some(mut stdin) = stdin {
            let _ = stdin.write_all(bytes).await;
        }
    };
    let all = async { tokio::join!(feed, read(stdout, CODE_BYTES), read(stderr, COMPLAINT_BYTES)) };
    let Ok(((), code, complaint)) = tokio::time::timeout(PATIENCE, all).await else {
        let reason = format!("it was not done after {} seconds", PATIENCE.as_secs());
        return Err(Refused::CannotCompile(reason).into());
    };
    let code = code.map_err(failed)?;
    if code.len() as u64 >= CODE_BYTES {
        return Err(Refused::CannotCompile(format!("its machine code has more than {CODE_BYTES} bytes")).into());
    }
    let status = child.wait().await.map_err(failed)?;
    let complaint = String::from_utf8_lossy(&complaint.map_err(failed)?).into_owned();
    if status.success() { Ok(code) } else { Err(read_end(status, &complaint)) }
}

async fn read(stream: Option<impl AsyncRead + Unpin>, most: u64) -> std::io::Result<Vec<u8>> {
    let mut all = Vec::new();
    if let Some(stream) = stream {
        stream.take(most).read_to_end(&mut all).await?;
    }
    Ok(all)
}

/// This program, even where its file was replaced since it was started.
fn this_program() -> std::io::Result<std::path::PathBuf> {
    match cfg!(target_os = "linux") {
        true => Ok("/proc/self/exe".into()),
        false => std::env::current_exe(),
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
        let reason = format!("that takes more than {MEBIBYTES} MiB of memory");
        return Refused::CannotCompile(reason).into();
    }
    match signal(status) {
        Some(XCPU) => {
            let reason = format!("that takes more than {SECONDS} seconds of processor time");
            Refused::CannotCompile(reason).into()
        }
        // The system's way to make room; or somebody's.
        Some(KILL) => Failure::failed("the compiler was killed").into(),
        Some(other) => Refused::CannotCompile(format!("the compiler broke down (signal {other})")).into(),
        None if status.code() == Some(1) => Failure::failed(format!("the compiler failed: {said}")).into(),
        None => Refused::CannotCompile(format!("the compiler broke down: {said}")).into(),
    }
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_: ExitStatus) -> Option<i32> {
    None
}
