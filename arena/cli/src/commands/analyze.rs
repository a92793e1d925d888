//! `arena analyze`: what decisions gave away against best play, and what luck was worth.
//!
//! Owns finding what is to be judged: a record, a match of a tournament file, or all of an agent's.
//! Refuses tables of more than two seats and rulesets without an exact solution, before any work.

mod one_agent;
mod one_match;

use std::path::Path;
use std::sync::Arc;

use arena_core::Record;
use arena_core::analysis::Analyst;
use arena_core::oracle::Oracle;

use crate::args::AnalyzeArgs;
use crate::failure::Failure;
use crate::oracles::solved;

pub(crate) fn run(args: &AnalyzeArgs) -> Result<(), Failure> {
    let path = args.file.display();
    let is_tournament = std::fs::read(&args.file).is_ok_and(|bytes| bytes.starts_with(b"SQLite format 3\0"));
    match (&args.agent, args.number) {
        (Some(name), None) if is_tournament => one_agent::run(args, name),
        (Some(_), _) => Err(Failure::usage(format!("--agent is for tournament files, and {path} is none"))),
        (None, Some(number)) if !is_tournament && args.file.is_file() => {
            Err(Failure::usage(format!("{path} is no tournament file; a record has one match: leave out the {number}")))
        }
        (None, Some(number)) => {
            let record = super::show::again_as_stored(&args.file, number)?;
            judge(args, &record, &format!("match {number} of {path}"))
        }
        (None, None) if is_tournament => Err(Failure::usage(format!(
            "{path} is a tournament file: say which match, as in arena analyze {path} 1, or whose, with --agent NAME"
        ))),
        (None, None) => judge(args, &read(&args.file)?, &format!("record {path}")),
    }
}

fn read(path: &Path) -> Result<Record, Failure> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("record {shown} cannot be read: {error}")))?;
    let record = Record::from_json(&text).map_err(|error| Failure::usage(format!("record {shown}: {error}")))?;
    if record.computed_hash() != record.hash {
        return Err(Failure::usage(format!("record {shown} was changed: its hash is not that of what it says")));
    }
    Ok(record)
}

fn judge(args: &AnalyzeArgs, record: &Record, shown: &str) -> Result<(), Failure> {
    let oracle = oracle_for(record)?;
    let analysis = Analyst::new(oracle)
        .judge(record.seats.len(), &record.events)
        .map_err(|why| Failure::usage(format!("{shown}: {why}")))?;
    one_match::print(args.format, record, &analysis)
}

fn oracle_for(record: &Record) -> Result<Arc<Oracle>, Failure> {
    if record.seats.len() != 2 {
        return Err(Failure::usage(format!(
            "best play is known for tables of two seats, and this one has {}",
            record.seats.len()
        )));
    }
    Ok(Arc::new(solved(&record.ruleset, false)?.oracle))
}
