//! Running what is measured, and what a process says of itself.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

pub(crate) type Failed = Box<dyn std::error::Error>;

/// What is run, built with optimisation.
pub(crate) struct Programs {
    root: PathBuf,
    arena: PathBuf,
    pub(crate) floor: PathBuf,
    pub(crate) referee: PathBuf,
}

/// A run of the arena.
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) took: Duration,
    /// The most memory that the process held, in bytes.
    pub(crate) peak: u64,
}

impl Programs {
    pub(crate) fn build(root: &Path) -> Result<Programs, Failed> {
        let built = |args: &[&str], target: &str| -> Result<PathBuf, Failed> {
            eprintln!("cargo {}", args.join(" "));
            let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
            let mut command = Command::new(cargo);
            command.args(args).args(["--locked", "--message-format=json-render-diagnostics"]).current_dir(root);
            let said = command.stderr(Stdio::inherit()).output()?;
            let lines = String::from_utf8(said.stdout)?;
            let messages = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            let found = messages
                .filter(|message| message["target"]["name"] == target)
                .filter_map(|message| Some(PathBuf::from(message["executable"].as_str()?)))
                .next_back();
            found.ok_or_else(|| format!("cargo {} built no {target}", args.join(" ")).into())
        };
        Ok(Programs {
            root: root.to_owned(),
            arena: built(&["build", "--release"], "arena")?,
            floor: built(&["bench", "-p", "arena-host", "--bench", "floor", "--no-run"], "floor")?,
            referee: built(&["bench", "-p", "arena-core", "--bench", "referee", "--no-run"], "referee")?,
        })
    }

    /// A built sample agent.
    pub(crate) fn sample(&self, name: &str) -> String {
        self.root.join("sample-agents/built").join(name).with_extension("wasm").display().to_string()
    }

    /// Runs the arena to its end, and fails where it does.
    pub(crate) fn arena(&self, args: &[&str], cache: Option<&Path>) -> Result<Run, Failed> {
        let mut command = Command::new(&self.arena);
        command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(cache) = cache {
            command.env("ARENA_CACHE", cache);
        }
        let begun = Instant::now();
        let mut child = command.spawn()?;
        let status = format!("/proc/{}/status", child.id());
        let (mut out, mut err) = (child.stdout.take(), child.stderr.take());
        let reading = std::thread::spawn(move || -> std::io::Result<(String, String)> {
            Ok((read_all(out.as_mut())?, read_all(err.as_mut())?))
        });
        let mut peak = 0;
        while child.try_wait()?.is_none() {
            peak = peak.max(high_water(&status));
            std::thread::sleep(Duration::from_millis(1));
        }
        let took = begun.elapsed();
        let (stdout, stderr) = reading.join().map_err(|_| "reading broke down")??;
        match child.wait()?.success() {
            true => Ok(Run { stdout, took, peak }),
            false => Err(format!("arena {}: {stderr}", args.join(" ")).into()),
        }
    }

    /// What `arena bench` finds, and the memory that it held.
    pub(crate) fn bench(&self, seconds: &str, args: &[&str]) -> Result<(Value, u64), Failed> {
        let common = ["bench", "--format", "json", "--seconds", seconds];
        let run = self.arena(&[&common[..], args].concat(), None)?;
        Ok((serde_json::from_str(&run.stdout)?, run.peak))
    }
}

fn read_all(from: Option<&mut impl std::io::Read>) -> std::io::Result<String> {
    let mut text = String::new();
    from.map_or(Ok(0), |from| from.read_to_string(&mut text))?;
    Ok(text)
}

/// The most memory that a process has held so far; 0 when it is gone.
fn high_water(status: &str) -> u64 {
    let text = std::fs::read_to_string(status).unwrap_or_default();
    let kib = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse().ok());
    kib.unwrap_or(0u64) * 1_024
}

/// A figure of a benchmark's JSON.
pub(crate) fn figure(json: &Value, name: &str) -> Result<f64, Failed> {
    json[name].as_f64().ok_or_else(|| format!("there is no `{name}` in {json}").into())
}

/// What a benchmark prints as JSON.
pub(crate) fn json_of(program: &Path) -> Result<Value, Failed> {
    let said = Command::new(program).args(["--bench", "--json"]).stderr(Stdio::inherit()).output()?;
    Ok(serde_json::from_slice(&said.stdout)?)
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The machine, in words.
pub(crate) fn machine() -> String {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or("an unknown processor", |(_, model)| model);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let rustc = Command::new("rustc").arg("--version").output().ok();
    let rustc = rustc.and_then(|said| String::from_utf8(said.stdout).ok()).unwrap_or_default();
    format!("{model}, {cores} cores, with {}", rustc.split(" (").next().unwrap_or_default())
}
