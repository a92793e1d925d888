//! `arena show` and `arena replay FILE MATCH`: a stored match, played again from its seed.

use std::path::Path;
use std::sync::Arc;

use anyhow::anyhow;
use arena_core::{Call, EngineId, Record, Referee};
use arena_host::Sandbox;
use farkle::ScoreTable;

use crate::args::{Format, ShowArgs};
use crate::failure::Failure;
use crate::loader::Loader;
use crate::store::{Store, StoredMatch, ending_name};
use crate::{agents, output, play_by_play};

pub(crate) fn run(args: &ShowArgs) -> Result<(), Failure> {
    let inside = args.inside.of(args.format)?;
    let (record, stored, calls) = again(&args.file, args.number)?;
    match args.format {
        Format::Text => output::print(&play_by_play::tell(&record, &calls, inside))?,
        Format::Json => output::print_json(&record.to_json())?,
    }
    compare(&args.file, &record, &stored)
}

/// `arena replay FILE MATCH`: only the verdict.
pub(crate) fn replay(file: &Path, number: u64, format: Format) -> Result<(), Failure> {
    let (record, stored, _) = again(file, number)?;
    let identical = compare(file, &record, &stored).is_ok();
    if format == Format::Json {
        let verdict = serde_json::json!({
            "identical": identical, "hash": record.hash, "stored": stored.hash(),
        });
        output::print(&format!("{verdict}\n"))?;
    }
    compare(file, &record, &stored)?;
    if format == Format::Text {
        output::print(&format!("identical: {} events, hash {}\n", record.events.len(), record.hash))?;
    }
    Ok(())
}

/// A stored match, played again, that is what is stored.
pub(crate) fn again_as_stored(file: &Path, number: u64) -> Result<Record, Failure> {
    let (record, stored, _) = again(file, number)?;
    compare(file, &record, &stored)?;
    Ok(record)
}

fn compare(file: &Path, record: &Record, stored: &StoredMatch) -> Result<(), Failure> {
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
fn again(file: &Path, number: u64) -> Result<(Record, StoredMatch, Vec<Call>), Failure> {
    let store = Store::open_to_show(file)?;
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
        let shown = file.display();
        let run = if planned.is_empty() { format!("; `arena run {shown}` plays some") } else { String::new() };
        return Err(Failure::usage(format!("match {number} of {shown} {why}; {count} matches are stored{run}")));
    };
    let pair = planned[stored.block].encounter_of(number).expect("it is a match of its block").pair;
    let settings = store.settings()?;
    let loader = Loader::new(settings.wasi)?;
    let table = Arc::new(ScoreTable::new(&settings.ruleset));
    let mut referee = Referee::new(table, settings.seats, settings.limits).map_err(Failure::usage)?;
    referee.keep_calls();
    note_other_engine(&store, &stored, &Sandbox::id(settings.wasi))?;
    let entries = store.entries()?;
    let agents = agents::load_all(&loader, &store.agent_files(&entries, &stored.outcome.agents)?)?;
    let seed = store.secrets()?.match_seed(pair);
    store.show_pairs(pair + 1)?;
    let record = super::match_::play(&mut referee, seed, &agents.iter().collect::<Vec<_>>())?;
    let calls = referee.calls().to_vec();
    Ok((record, stored, calls))
}

/// Says so where another engine played the match.
fn note_other_engine(store: &Store, stored: &StoredMatch, own: &EngineId) -> Result<(), Failure> {
    let engines = store.engines()?;
    if let Some((_, engine)) = engines.iter().find(|(code, _)| *code == stored.engine)
        && engine.fingerprint != own.fingerprint
    {
        crate::output::tell(&format!(
            "arena: note: the match was played by arena {} on wasmtime {} (fingerprint {}), and another engine may \
             count fuel differently",
            engine.arena, engine.wasmtime, engine.fingerprint
        ));
    }
    Ok(())
}
