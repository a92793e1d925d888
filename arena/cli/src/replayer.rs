//! Single matches of a tournament file, played again from their seeds to be shown.
//!
//! Owns that dice which are shown count as shown. Refuses to take a match for another: [`compare`] says whether
//! it is what is stored.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::anyhow;
use arena_core::schedule::Planned;
use arena_core::{Call, EngineId, Record, Referee};
use arena_host::Sandbox;
use farkle::ScoreTable;

use crate::agents::{self, LoadedAgent};
use crate::commands::match_;
use crate::failure::Failure;
use crate::loader::Loader;
use crate::output;
use crate::store::{Entry, Settings, Store, StoredMatch, ending_name};

/// Plays stored matches again, with agents that are loaded once.
pub(crate) struct Replayer {
    store: Store,
    settings: Settings,
    entries: Vec<Entry>,
    planned: Vec<Planned>,
    loader: Loader,
    loaded: BTreeMap<usize, Arc<LoadedAgent>>,
    referee: Referee,
    /// Engines of which it was told that they played.
    told: Vec<i64>,
}

impl Replayer {
    /// Of a file that was opened to show dice of it.
    pub(crate) fn new(store: Store) -> Result<Replayer, Failure> {
        let (settings, entries, planned) = (store.settings()?, store.entries()?, store.planned()?);
        let table = Arc::new(ScoreTable::new(&settings.ruleset));
        let mut referee = Referee::new(table, settings.seats, settings.limits).map_err(Failure::usage)?;
        referee.keep_calls();
        let loader = Loader::new(settings.wasi)?;
        Ok(Replayer { store, settings, entries, planned, loader, loaded: BTreeMap::new(), referee, told: Vec::new() })
    }

    /// The match of a number as it is stored.
    ///
    /// # Errors
    ///
    /// A match that is not planned, or not played yet.
    fn stored(&self, number: u64) -> Result<StoredMatch, Failure> {
        let mut found = None;
        self.store.each_match(&self.planned, number, |stored| {
            found = (stored.number == number).then_some(stored);
            Ok(false)
        })?;
        if let Some(stored) = found {
            return Ok(stored);
        }
        let count = output::thousands(self.store.match_count()? as i64);
        let is_planned = self.planned.iter().any(|planned| planned.encounter_of(number).is_some());
        let why = if is_planned { "is not played yet" } else { "is not planned" };
        let shown = self.store.path().display();
        let run = if self.planned.is_empty() { format!("; `arena run {shown}` plays some") } else { String::new() };
        Err(Failure::usage(format!("match {number} of {shown} {why}; {count} matches are stored{run}")))
    }

    /// Plays a stored match again. Its dice count as shown from now on.
    pub(crate) fn again(&mut self, number: u64) -> Result<(Record, StoredMatch), Failure> {
        let stored = self.stored(number)?;
        let pair = self.planned[stored.block].encounter_of(number).expect("it is a match of its block").pair;
        self.note_other_engine(&stored)?;
        let playing = &stored.outcome.agents;
        let missing: Vec<usize> = playing.iter().copied().filter(|agent| !self.loaded.contains_key(agent)).collect();
        let agents = agents::load_all(&self.loader, &self.store.agent_files(&self.entries, &missing)?)?;
        self.loaded.extend(missing.into_iter().zip(agents.into_iter().map(Arc::new)));
        let seats: Vec<&LoadedAgent> = playing.iter().map(|agent| &*self.loaded[agent]).collect();
        let seed = self.store.secrets()?.match_seed(pair);
        self.store.show_pairs(pair + 1)?;
        let record = match_::play(&mut self.referee, seed, &seats)?;
        Ok((record, stored))
    }

    /// The calls of the match that was played last.
    pub(crate) fn calls(&self) -> Vec<Call> {
        self.referee.calls().to_vec()
    }

    /// Says so, once, where another engine played the match.
    fn note_other_engine(&mut self, stored: &StoredMatch) -> Result<(), Failure> {
        let own: EngineId = Sandbox::id(self.settings.wasi);
        let engines = self.store.engines()?;
        if let Some((code, engine)) = engines.iter().find(|(code, _)| *code == stored.engine)
            && engine.fingerprint != own.fingerprint
            && !self.told.contains(code)
        {
            self.told.push(*code);
            output::tell(&format!(
                "arena: note: the match was played by arena {} on wasmtime {} (fingerprint {}), and another engine may \
                 count fuel differently",
                engine.arena, engine.wasmtime, engine.fingerprint
            ));
        }
        Ok(())
    }
}

/// Whether a match, played again, is what is stored.
///
/// # Errors
///
/// The first thing in which it is not.
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
