//! How a component enters a tournament: what it is asked, and what its author is told.
//!
//! Owns the steps from bytes to an entry, for who submits at the keyboard and who does over the network.
//! Refuses to know which of the two it is.

use std::path::Path;

use anyhow::anyhow;
use arena_core::formats::Next;
use arena_core::rulebook::counted;
use arena_core::{Limits, Sha256Hex};
use arena_host::Wasi;
use farkle::{Ruleset, presets};
use serde::{Deserialize, Serialize};

use crate::agents::{self, LoadedAgent};
use crate::commands::create::random_secret;
use crate::compliance::Trial;
use crate::course::Course;
use crate::failure::Failure;
use crate::harmless::{indented, one_line};
use crate::play::Play;
use crate::playing::scored;
use crate::store::{By, Entry, Settings, Store, Submission, Submitted, Unwelcome};

/// Seeds of the trial matches.
const TRIAL_SEEDS: std::ops::Range<u64> = 0..10;

/// A component that somebody wants to take part.
#[derive(Clone, Copy)]
pub(crate) struct Candidate<'a> {
    pub(crate) name: &'a str,
    pub(crate) by: By<'a>,
    pub(crate) bytes: &'a [u8],
}

/// What a contestant is examined under: what a tournament plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Terms {
    pub(crate) ruleset: Ruleset,
    pub(crate) seats: usize,
    pub(crate) limits: Limits,
    /// Whether it may import WASI.
    pub(crate) wasi: bool,
}

impl Terms {
    pub(crate) fn of(settings: &Settings) -> Terms {
        Terms {
            ruleset: settings.ruleset.clone(),
            seats: settings.seats,
            limits: settings.limits,
            wasi: settings.wasi != Wasi::None,
        }
    }

    pub(crate) fn wasi(&self) -> Wasi {
        if self.wasi { Wasi::Deterministic } else { Wasi::None }
    }
}

/// What an examination found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Examined {
    /// Who the component says it is.
    pub(crate) claim: String,
    /// What it does wrong under other rules.
    pub(crate) notes: Vec<String>,
}

/// Refuses a name that is somebody else's, and an agent that comes too late for the tournament's format:
/// before anything is compiled.
pub(crate) fn may_come(store: &Store, candidate: &Candidate<'_>) -> Result<(), Failure> {
    let Candidate { name, by, bytes } = *candidate;
    agents::check_name(name)?;
    store.check_owner(name, by)?;
    let (entries, sha256) = (store.entries()?, Sha256Hex::of(bytes));
    if entries.iter().any(|entry| !entry.withdrawn && entry.name == name && entry.sha256 == sha256) {
        return Ok(());
    }
    check_format(store, &store.settings()?, entries, name)
}

/// Refuses an agent that comes too late for the tournament's format.
fn check_format(store: &Store, settings: &Settings, mut entries: Vec<Entry>, name: &str) -> Result<(), Failure> {
    let (planned, secrets) = (store.planned()?, store.secrets()?);
    let rivals = entries.iter().filter(|entry| !entry.withdrawn && entry.name != name).count();
    if settings.play == Play::Duel && rivals > 1 {
        return Err(Unwelcome::failure("a duel is between two agents, and two take part already"));
    }
    if planned.is_empty() {
        return Ok(());
    }
    for entry in entries.iter_mut().filter(|entry| entry.name == name) {
        entry.withdrawn = true;
    }
    entries.push(Entry::newcomer(name));
    let scored = scored(store, settings, &planned)?;
    let course = Course { settings, secrets: &secrets, entries: &entries, planned: &planned, scored: &scored };
    let has_rivals = rivals > 0;
    match (course.next().map_err(Unwelcome::failure)?, &settings.play) {
        (Next::Finished, Play::Swiss { rounds }) if has_rivals => Err(Unwelcome::failure(format!(
            "the swiss is over after {}: who comes now would play no match",
            counted(i64::from(*rounds), "round")
        ))),
        (Next::Finished, Play::Ladder { budget, .. }) if has_rivals => Err(Unwelcome::failure(format!(
            "the ladder is over, its budget of {budget} pairs is used up: who comes now would play no match"
        ))),
        _ => Ok(()),
    }
}

/// Refuses an agent that faults in trial matches under the tournament's rules, or plays one seed in
/// two ways. What it does under other rules is only told.
pub(crate) fn examine(agent: &LoadedAgent, path: &Path, terms: &Terms) -> Result<Examined, Failure> {
    let claim = claim(agent, path)?;
    let flaw = |ruleset: &Ruleset, seats| {
        let mut trial = Trial::new(ruleset, seats, terms.limits).map_err(Failure::usage)?;
        let tried = trial.play(&agent.component, TRIAL_SEEDS, |_| ()).map_err(Failure::failed)?;
        Ok::<_, Failure>(tried.flaw.map(|flaw| indented(&flaw.to_string())))
    };
    if let Some(flaw) = flaw(&terms.ruleset, terms.seats)? {
        return Err(Failure::Refused(anyhow!("agent {} is refused: {flaw}", agent.name)));
    }
    let mut notes = Vec::new();
    for (other, seats) in [(&presets::IMMEDIATE_WIN, 2), (&presets::PLAY_TABLE, 4), (&presets::ELVERSON, 3)] {
        if !other.same_rules(&terms.ruleset)
            && let Some(flaw) = flaw(other, seats)?
        {
            notes.push(format!("note: under other rules {flaw}"));
        }
    }
    Ok(Examined { claim, notes })
}

/// Who a component says it is.
pub(crate) fn claim(agent: &LoadedAgent, path: &Path) -> Result<String, Failure> {
    let about = agent.component.about().map_err(|refused| {
        Failure::Refused(anyhow!("agent {} is refused: {}", path.display(), indented(&refused.to_string())))
    })?;
    Ok(agents::claim(&about))
}

/// Enters who was examined, and says what its author should know.
pub(crate) fn enter(store: &mut Store, candidate: &Candidate<'_>, examined: &Examined) -> Result<String, Failure> {
    let Candidate { name, by, bytes } = *candidate;
    let claim = &examined.claim;
    let others = store.names_of(Sha256Hex::of(bytes))?;
    let spare = random_secret()?;
    let (version, fresh_from, needed_spare) =
        match store.submit(&Submission { name, by, claim, bytes, spare: &spare })? {
            Submitted::Known { version } => {
                return Ok(format!("{name} has these very bytes already, as version {version}: nothing to do\n"));
            }
            Submitted::Entered { version, fresh_from, needed_spare } => (version, fresh_from, needed_spare),
        };
    let mut text = match version {
        1 => format!("{name} takes part"),
        _ => format!("{name} takes part as version {version}; the one before plays no further matches"),
    };
    if needed_spare {
        let commitment = Sha256Hex(spare.commitment());
        text += &format!("\nthe dice so far are revealed; commitment to the new ones: {commitment}");
    } else if fresh_from > 0 {
        text += &format!("; it plays from pair {fresh_from} on, the dice before were shown");
    }
    text += &format!("\nthe component says it is {claim}\n");
    if !others.is_empty() {
        text += &format!("note: the same bytes take part as {}\n", others.join(", "));
    }
    for note in &examined.notes {
        text += &format!("{}\n", one_line(note));
    }
    Ok(text)
}
