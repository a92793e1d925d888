//! `arena analyze`: what decisions gave away against best play, and what luck was worth.
//!
//! Owns finding what is to be judged: a record, a match of a tournament file, or all of an agent's.
//! Refuses tables of more than two seats and rulesets without an exact solution, before any work.

mod one_agent;
mod one_match;

use arena_core::Record;
use arena_core::analysis::Analyst;

pub(crate) use self::one_match::{lost, percent, signed};
use crate::args::AnalyzeArgs;
use crate::failure::Failure;
use crate::{oracles, record_file};

pub(crate) fn run(args: &AnalyzeArgs) -> Result<(), Failure> {
    let path = args.file.display();
    let is_tournament = record_file::is_tournament(&args.file);
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
        (None, None) => judge(args, &record_file::read_unchanged(&args.file)?, &format!("record {path}")),
    }
}

fn judge(args: &AnalyzeArgs, record: &Record, shown: &str) -> Result<(), Failure> {
    let oracle = oracles::of_two(&record.ruleset, record.seats.len())?;
    let analysis = Analyst::new(oracle)
        .judge(record.seats.len(), &record.events)
        .map_err(|why| Failure::usage(format!("{shown}: {why}")))?;
    one_match::print(args.format, record, &analysis)
}
