//! The figures that the arena is held to, each a ratio of two things measured side by side.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::Effort;
use crate::program::{Failed, Programs, figure, json_of, median};

/// A table of them.
pub(crate) fn measure(programs: &Programs, effort: Effort) -> Result<String, Failed> {
    let folder = tempfile::tempdir()?;
    eprintln!("the sandbox and its floor");
    let floor = json_of(&programs.floor)?;
    eprintln!("the referee and a loop by hand");
    let referee = json_of(&programs.referee)?;
    eprintln!("one job and two");
    let jobs = (0..effort.rounds).map(|_| two_jobs(programs, effort)).collect::<Result<Vec<_>, _>>()?;
    eprintln!("storing and not storing");
    let storing = storing(programs, effort, folder.path())?;
    eprintln!("the memory of few matches and of many");
    let (few, many) = memory(programs, effort, folder.path())?;
    eprintln!("starting");
    let (warm, cold) = starting(programs, effort, folder.path())?;
    let rolls = instructions_a_roll(programs).map_or_else(|why| format!("not counted: {why}"), |n| format!("{n:.0}"));

    let us = |json: &Value, name: &str| figure(json, name).map(|ns| ns / 1e3);
    let rows = [
        (
            "a match of two sandboxed agents / its floor",
            "at most 1.2",
            format!(
                "{:.2} ({:.1} / {:.1} µs)",
                figure(&floor, "ratio_whole_to_floor")?,
                us(&floor, "whole_ns")?,
                us(&floor, "floor_ns")?
            ),
        ),
        (
            "`decide` of a trivial agent / a bare component call",
            "at most 1.4",
            format!(
                "{:.2} (a bare call: {:.0} ns)",
                figure(&floor, "ratio_decide_to_bare_call")?,
                figure(&floor, "bare_call_ns")?
            ),
        ),
        (
            "native referee / a loop by hand",
            "at most 1.5",
            format!(
                "{:.2} ({:.2} / {:.2} µs; with the match's hash {:.2})",
                figure(&referee, "ratio")?,
                us(&referee, "native_ns")?,
                us(&referee, "by_hand_ns")?,
                figure(&referee, "ratio_with_hash")?
            ),
        ),
        ("instructions of the native referee a roll (callgrind)", "", rolls),
        ("two jobs / one job, matches a second", "1.9", format!("{:.2}", median(jobs))),
        ("storing on / off, matches a second", "0.9", format!("{storing:.2}")),
        (
            "peak memory of many matches / of 10,000, stored",
            "at most 1.1",
            format!(
                "{:.2} ({:.1} MB after {} matches)",
                many as f64 / few as f64,
                many as f64 / 1e6,
                2 * effort.many_pairs
            ),
        ),
        ("six agents' first round of 30 matches, code kept", "under 50 ms", format!("{:.0} ms", 1e3 * warm)),
        ("the same, code made anew", "under 1 s", format!("{cold:.2} s")),
    ];
    let mut text = "| figure | aim | measured |\n|---|---|---|\n".to_owned();
    for (name, aim, measured) in rows {
        text += &format!("| {name} | {aim} | {measured} |\n");
    }
    Ok(text)
}

fn two_jobs(programs: &Programs, effort: Effort) -> Result<f64, Failed> {
    let (bench, _) = programs.bench(effort.seconds, &["--jobs", "2"])?;
    let rate = |place: usize| figure(&bench["speeds"][place], "matches_per_second");
    Ok(rate(1)? / rate(0)?)
}

/// The same matches played and stored, and played and forgotten, in turns.
fn storing(programs: &Programs, effort: Effort, folder: &Path) -> Result<f64, Failed> {
    let empty = folder.join("empty.db").display().to_string();
    let pairs = effort.pairs_to_store.to_string();
    programs.arena(&["create", &empty, "--pairs", &pairs, "--seed", "1"], None)?;
    for (name, sample) in [("one", "threshold-300"), ("two", "bank-asap")] {
        programs.arena(&["submit", &programs.sample(sample), "--name", name, "--to", &empty], None)?;
    }
    let file = folder.join("played.db").display().to_string();
    let mut ratios = Vec::new();
    for _ in 0..effort.rounds {
        let took = |more: &[&str]| -> Result<f64, Failed> {
            std::fs::copy(&empty, &file)?;
            let run = programs.arena(&[&["run", &file, "--jobs", "1"], more].concat(), None)?;
            Ok(run.took.as_secs_f64())
        };
        let (off, on) = (took(&["--no-store"])?, took(&[])?);
        ratios.push(off / on);
    }
    Ok(median(ratios))
}

fn memory(programs: &Programs, effort: Effort, folder: &Path) -> Result<(u64, u64), Failed> {
    let agents = [programs.sample("threshold-300"), programs.sample("bank-asap")];
    let peak = |pairs: u64| -> Result<u64, Failed> {
        let file = folder.join(format!("{pairs}.db")).display().to_string();
        let pairs = pairs.to_string();
        let args = ["tournament", &agents[0], &agents[1], "--pairs", &pairs, "--seed", "1", "--db", &file];
        Ok(programs.arena(&args, None)?.peak)
    };
    Ok((peak(5_000)?, peak(effort.many_pairs)?))
}

/// Seconds of a whole tournament of 30 matches, with kept code and without.
fn starting(programs: &Programs, effort: Effort, folder: &Path) -> Result<(f64, f64), Failed> {
    let names = ["random", "bank-asap", "threshold-300", "dice-count", "keep-choice", "max-ev"];
    let agents = names.map(|name| programs.sample(name));
    let agents: Vec<&str> = agents.iter().map(String::as_str).collect();
    let args = [&["tournament", "--pairs", "1", "--seed", "1"], &agents[..]].concat();
    let (mut warm, mut cold) = (Vec::new(), Vec::new());
    for round in 0..effort.rounds {
        let cache = folder.join(format!("code-{round}"));
        cold.push(programs.arena(&args, Some(&cache))?.took.as_secs_f64());
        warm.push(programs.arena(&args, Some(&cache))?.took.as_secs_f64());
    }
    Ok((median(warm), median(cold)))
}

/// Counted, so that it is the same on a busy machine. What is counted hashes without the processor's own
/// instructions for it, which the counter does not know; that part is left out.
fn instructions_a_roll(programs: &Programs) -> Result<f64, Failed> {
    let folder = tempfile::tempdir()?;
    let count = |matches: u64| -> Result<(f64, f64), Failed> {
        let file = folder.path().join("counted");
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=callgrind", &format!("--callgrind-out-file={}", file.display())]);
        let run = valgrind.arg(&programs.referee).args(["native", &matches.to_string()]).stderr(Stdio::null()).output();
        let run = run.map_err(|_| "there is no valgrind")?;
        let rolls = String::from_utf8(run.stdout)?.trim().parse()?;
        let listed = Command::new("callgrind_annotate").arg("--threshold=100").arg(&file).output()?;
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        let of = |word: &str| -> f64 {
            let lines = listed.lines().filter(|line| line.contains(word));
            let counts = lines.filter_map(|line| line.split_whitespace().next()?.replace(',', "").parse::<f64>().ok());
            counts.sum()
        };
        Ok((of("PROGRAM TOTALS") - of("sha2::"), rolls))
    };
    let ((few, few_rolls), (many, many_rolls)) = (count(100)?, count(2_100)?);
    Ok((many - few) / (many_rolls - few_rolls))
}
