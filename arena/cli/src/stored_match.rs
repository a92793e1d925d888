//! A stored match, played again from its seed.
//!
//! Owns the finding of a match, and the comparison with what is stored. Refuses to show dice without a
//! note in the file that they were shown.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::anyhow;
use arena_core::schedule::Planned;
use arena_core::{Call, EngineId, Record, Referee};
use arena_host::Sandbox;
use farkle::ScoreTable;

use crate::agents::{self, LoadedAgent};
use crate::failure::Failure;
use crate::loader::Loader;
use crate::store::{Entry, Settings, Store, StoredMatch, ending_name};
use crate::{commands, output};

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

/// Plays matches of a file again, with agents that are loaded once.
pub(crate) struct Replayer<'a> {
    store: &'a Store,
    loader: &'a Loader,
    settings: Settings,
    entries: Vec<Entry>,
    planned: Vec<Planned>,
    loaded: BTreeMap<usize, LoadedAgent>,
    referee: Referee,
}

impl Replayer<'_> {
    /// Of a file that was opened to show dice of it.
    pub(crate) fn new<'a>(store: &'a Store, loader: &'a Loader) -> Result<Replayer<'a>, Failure> {
        let (settings, entries, planned) = (store.settings()?, store.entries()?, store.planned()?);
        let table = Arc::new(ScoreTable::new(&settings.ruleset));
        let mut referee = Referee::new(table, settings.seats, settings.limits).map_err(Failure::usage)?;
        referee.keep_calls();
        Ok(Replayer { store, loader, settings, entries, planned, loaded: BTreeMap::new(), referee })
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
    pub(crate) fn again(&mut self, number: u64) -> Result<Again, Failure> {
        let stored = self.stored(number)?;
        let pair = self.planned[stored.block].encounter_of(number).expect("it is a match of its block").pair;
        let own = Sandbox::id(self.settings.wasi);
        let engines = self.store.engines()?;
        let played_by = engines.into_iter().find(|(code, _)| *code == stored.engine).map(|(_, engine)| engine);
        let other_engine = played_by.filter(|engine| engine.fingerprint != own.fingerprint);
        let playing = &stored.outcome.agents;
        let missing: Vec<usize> = playing.iter().copied().filter(|agent| !self.loaded.contains_key(agent)).collect();
        let agents = agents::load_all(self.loader, &self.store.agent_files(&self.entries, &missing)?)?;
        self.loaded.extend(missing.into_iter().zip(agents));
        let seats: Vec<&LoadedAgent> = playing.iter().map(|agent| &self.loaded[agent]).collect();
        let seed = self.store.secrets()?.match_seed(pair);
        self.store.show_pairs(pair + 1)?;
        let record = commands::match_::play(&mut self.referee, seed, &seats)?;
        let calls = self.referee.calls().to_vec();
        Ok(Again { record, stored, calls, other_engine })
    }
}

/// Plays one stored match again. Its dice count as shown from now on.
pub(crate) fn again(store: &Store, loader: &Loader, number: u64) -> Result<Again, Failure> {
    Replayer::new(store, loader)?.again(number)
}

/// Whether the dice of a match were shown before, or their secret is published. Of a match that is not played
/// there are none to hide.
pub(crate) fn is_shown(store: &Store, number: u64) -> Result<bool, Failure> {
    let planned = store.planned()?;
    let pair = planned.iter().find_map(|planned| planned.encounter_of(number)).map(|encounter| encounter.pair);
    let Some(pair) = pair else { return Ok(true) };
    let secrets = store.secrets()?;
    let secret = secrets.iter().filter(|secret| secret.first_pair <= pair).last();
    Ok(pair < store.shown_pairs()? || secret.is_some_and(|secret| secret.revealed))
}

/// Says that another engine played a match.
pub(crate) fn tell_other_engine(engine: &EngineId) {
    output::tell(&format!(
        "arena: note: the match was played by arena {} on wasmtime {} (fingerprint {}), and another engine may count \
         fuel differently",
        engine.arena, engine.wasmtime, engine.fingerprint
    ));
}
