//! Running this program in a process of its own, for what strangers' components make it do.
//!
//! Owns the limits on such a process, the feeding of it, and how it ended. It is given everything on its
//! standard input and answers on its standard output; it ends with the process that began it. Refuses to
//! say what its end means: that depends on what it did.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use clap::Args;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;

use crate::failure::Failure;

/// What is read of its complaints.
const COMPLAINT_BYTES: u64 = 64 << 10;

/// The signals that say so when a process has had its processor time, and when it was ended for good:
/// these numbers on Linux, macOS and the BSDs.
pub(crate) const XCPU: i32 = 24;
pub(crate) const KILL: i32 = 9;

/// What a process may take.
#[derive(Clone, Copy, Args)]
pub(crate) struct Bounds {
    /// The most processor time of all threads together
    #[arg(long)]
    pub(crate) seconds: u64,
    /// The most memory that is written to
    #[arg(long)]
    pub(crate) mebibytes: u64,
}

/// How a process ended.
pub(crate) enum Ended {
    /// Well, with this answer.
    Well(Vec<u8>),
    /// It was ended, since it was not done.
    OutOfPatience,
    /// Its answer had no end.
    TooMuch,
    /// Otherwise, with what it said on its standard error stream.
    Badly(ExitStatus, String),
}

/// Runs one of this program's hidden commands, with so many bytes of an answer at most.
pub(crate) async fn run(
    command: &str,
    bounds: Bounds,
    patience: Duration,
    most: u64,
    input: &[&[u8]],
) -> io::Result<Ended> {
    let (seconds, mebibytes) = (bounds.seconds.to_string(), bounds.mebibytes.to_string());
    let mut child = Command::new(this_program()?)
        .args([command, "--seconds", &seconds, "--mebibytes", &mebibytes])
        .env("RUST_BACKTRACE", "0")
        .kill_on_drop(true)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let feed = async {
        // Who ends before its input is judged by how it ends.
        if let Some(mut stdin) = stdin {
            for bytes in input {
                if stdin.write_all(bytes).await.is_err() {
                    break;
                }
            }
        }
    };
    let all = async { tokio::join!(feed, read(stdout, most), read(stderr, COMPLAINT_BYTES)) };
    let Ok(((), answer, complaint)) = tokio::time::timeout(patience, all).await else {
        return Ok(Ended::OutOfPatience);
    };
    let answer = answer?;
    if answer.len() as u64 >= most {
        return Ok(Ended::TooMuch);
    }
    let status = child.wait().await?;
    let complaint = String::from_utf8_lossy(&complaint?).into_owned();
    Ok(if status.success() { Ended::Well(answer) } else { Ended::Badly(status, complaint) })
}

async fn read(stream: Option<impl AsyncRead + Unpin>, most: u64) -> io::Result<Vec<u8>> {
    let mut all = Vec::new();
    if let Some(stream) = stream {
        stream.take(most).read_to_end(&mut all).await?;
    }
    Ok(all)
}

/// This program, even where its file was replaced since it was started.
fn this_program() -> io::Result<std::path::PathBuf> {
    match cfg!(target_os = "linux") {
        true => Ok("/proc/self/exe".into()),
        false => std::env::current_exe(),
    }
}

/// Keeps this process, and those that it begins, within bounds.
#[cfg(unix)]
pub(crate) fn limit_this_process(bounds: Bounds) -> Result<(), Failure> {
    use rustix::process::Resource;
    #[cfg(target_os = "linux")]
    {
        // Nobody waits for the answer any more.
        let ended = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
        ended.map_err(|error| Failure::failed(format!("no end can be set: {error}")))?;
    }
    // A little more before the end that cannot be told from any other.
    limit(Resource::Cpu, bounds.seconds, 5)?;
    limit(Resource::Data, bounds.mebibytes << 20, 0)?;
    limit(Resource::Core, 0, 0)
}

/// Lets this process write to no file.
#[cfg(unix)]
pub(crate) fn write_no_file() -> Result<(), Failure> {
    limit(rustix::process::Resource::Fsize, 0, 0)
}

#[cfg(unix)]
fn limit(resource: rustix::process::Resource, current: u64, more: u64) -> Result<(), Failure> {
    let limit = rustix::process::Rlimit { current: Some(current), maximum: Some(current + more) };
    rustix::process::setrlimit(resource, limit)
        .map_err(|error| Failure::failed(format!("no limit can be set: {error}")))
}

/// Elsewhere only patience has an end.
#[cfg(not(unix))]
pub(crate) fn limit_this_process(_: Bounds) -> Result<(), Failure> {
    Ok(())
}

/// Elsewhere it is trusted not to.
#[cfg(not(unix))]
pub(crate) fn write_no_file() -> Result<(), Failure> {
    Ok(())
}

/// The signal that ended a process, if one did.
#[cfg(unix)]
pub(crate) fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

/// The signal that ended a process, if one did.
#[cfg(not(unix))]
pub(crate) fn signal(_: ExitStatus) -> Option<i32> {
    None
}
