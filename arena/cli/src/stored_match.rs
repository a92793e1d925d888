//! A stored match, played again from its seed.
//!
//! Owns the finding of a match, and the comparison with what is stored. Refuses to show dice without a
//! note in the file that they were shown.

use std::path::Path;
use std::sync::Arc;

use anyhow::anyhow;
use arena_core::{Call, EngineId, Record, Referee};
use arena_host::Sandbox;
use farkle::ScoreTable;

use crate::failure::Failure;
use crate::loader::Loader;
use crate::store::{Store, StoredMatch, ending_name};
use crate::{agents, commands, output};

/// A match, played again.
pub(crate) struct Again {
    pub(crate) record: Record,
    pub(crate) stored: StoredMatch,
    /// What the agents were asked, and what they noted.
    pub(crate) calls: Vec<Call>,
    /// The engine that played it, if it is another one.
    pub(crate) other_engine: Option<EngineId>,
}

/// Refuses a match that is not what is stored.
pub(crate) fn compare(file: &Path, record: &Record, stored: &StoredMatch) -> Result<(), Failure> {
    let (result, outcome) = (&record.result, &stored.outcome);
    let faults: Vec<_> = result.faults.iter().map(|fault| (fault.seat, fault.kind)).collect();
    for (what, kept, now) in [
        ("hash", stored.hash().to_string(), record.hash.to_string()),
        ("scores", format!("{:?}", outcome.scores), format!("{:?}", result.scores)),
        ("ranks", format!("{:?}", outcome.ranks), format!("{:?}", result.ranks)),
        ("ending", ending_name(outcome.ending), ending_name(result.ending)),
        ("faults", format!("{:?}", outcome.faults), format!("{faults:?}")),
    ] {
        if kept != now {
            return Err(Failure::Difference(anyhow!(
                "match {} of {} is not what is stored: {what} stored {kept}, played again {now}",
                stored.number,
                file.display(),
            )));
        }
    }
    Ok(())
}

/// Plays a stored match again. Its dice count as shown from now on.
pub(crate) fn again(store: &Store, loader: &Loader, number: u64) -> Result<Again, Failure> {
    let planned = store.planned()?;
    let mut found = None;
    store.each_match(&planned, number, |stored| {
        found = (stored.number == number).then_some(stored);
        Ok(false)
    })?;
    let Some(stored) = found else {
        let count = output::thousands(store.match_count()? as i64);
        let is_planned = planned.iter().any(|planned| planned.encounter_of(number).is_some());
        let why = if is_planned { "is not played yet" } else { "is not planned" };
        let shown = store.path().display();
        let run = if planned.is_empty() { format!("; `arena run {shown}` plays some") } else { String::new() };
        return Err(Failure::usage(format!("match {number} of {shown} {why}; {count} matches are stored{run}")));
    };
    let pair = planned[stored.block].encounter_of(number).expect("it is a match of its block").pair;
    let settings = store.settings()?;
    let table = Arc::new(ScoreTable::new(&settings.ruleset));
    let mut referee = Referee::new(table, settings.seats, settings.limits).map_err(Failure::usage)?;
    referee.keep_calls();
    let own = Sandbox::id(settings.wasi);
    let played_by = store.engines()?.into_iter().find(|(code, _)| *code == stored.engine).map(|(_, engine)| engine);
    let other_engine = played_by.filter(|engine| engine.fingerprint != own.fingerprint);
    let entries = store.entries()?;
    let agents = agents::load_all(loader, &store.agent_files(&entries, &stored.outcome.agents)?)?;
    let seed = store.secrets()?.match_seed(pair);
    store.show_pairs(pair + 1)?;
    let record = commands::match_::play(&mut referee, seed, &agents.iter().collect::<Vec<_>>())?;
    let calls = referee.calls().to_vec();
    Ok(Again { record, stored, calls, other_engine })
}
