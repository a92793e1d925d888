//! `arena submit`: a component enters a tournament.

use std::path::Path;

use arena_core::Sha256Hex;
use farkle::{Ruleset, presets};

use crate::agents;
use crate::agents::LoadedAgent;
use crate::args::SubmitArgs;
use crate::commands::create::random_secret;
use crate::commands::run::scored;
use crate::compliance::Trial;
use crate::course::Course;
use crate::failure::Failure;
use crate::harmless::{indented, one_line};
use crate::loader::Loader;
use crate::output;
use crate::play::Play;
use crate::store::{Entry, Settings, Store, Submission, Submitted};

/// Seeds of the trial matches.
const TRIAL_SEEDS: std::ops::Range<u64> = 0..10;

pub(crate) fn run(args: &SubmitArgs) -> Result<(), Failure> {
    let (name, path) = agents::name_and_path(&args.agent)?;
    let name = args.name.clone().unwrap_or(name);
    agents::check_name(&name)?;
    if let Some(author) = &args.author {
        agents::check_name(author).map_err(|_| Failure::usage(format!("`{author}` is no name for an author")))?;
    }
    let mut store = Store::open(&args.to)?;
    let settings = store.settings()?;
    let bytes = agents::read(&path)?;
    let loader = Loader::new(settings.wasi)?;
    let agent = agents::load(&loader, name.clone(), &path, &bytes)?;
    let claim = claim(&agent, &path)?;
    let sha256 = Sha256Hex::of(&bytes);
    let others = store.names_of(sha256)?;
    let entries = store.entries()?;
    if !entries.iter().any(|entry| !entry.withdrawn && entry.name == name && entry.sha256 == sha256) {
        check_format(&store, &settings, entries, &name)?;
    }
    let notes = check(&agent, &settings)?;

    let spare = random_secret()?;
    let author = args.author.as_deref();
    let submission = Submission { name: &name, author, claim: &claim, bytes: &bytes, spare: &spare };
    let (version, fresh_from, needed_spare) = match store.submit(&submission)? {
        Submitted::Known { version } => {
            return output::print(&format!(
                "{name} has these very bytes already, as version {version}: nothing to do\n"
            ));
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
    for note in notes {
        text += &format!("{}\n", one_line(&note));
    }
    output::print(&text)
}

/// Refuses an agent that faults in trial matches under the tournament's rules, or plays one seed in
/// two ways. What it does under other rules is only told.
fn check(agent: &LoadedAgent, settings: &Settings) -> Result<Vec<String>, Failure> {
    let flaw = |ruleset: &Ruleset, seats| {
        let mut trial = Trial::new(ruleset, seats, settings.limits).map_err(Failure::usage)?;
        let tried = trial.play(&agent.component, TRIAL_SEEDS, |_| ()).map_err(Failure::failed)?;
        Ok::<_, Failure>(tried.flaw.map(|flaw| indented(&flaw.to_string())))
    };
    if let Some(flaw) = flaw(&settings.ruleset, settings.seats)? {
        return Err(Failure::Refused(anyhow::anyhow!("agent {} is refused: {flaw}", agent.name)));
    }
    let mut notes = Vec::new();
    for (other, seats) in [(&presets::IMMEDIATE_WIN, 2), (&presets::PLAY_TABLE, 4), (&presets::ELVERSON, 3)] {
        if !other.same_rules(&settings.ruleset)
            && let Some(flaw) = flaw(other, seats)?
        {
            notes.push(format!("note: under other rules {flaw}"));
        }
    }
    Ok(notes)
}

/// Refuses an agent that comes too late for the tournament's format.
fn check_format(store: &Store, settings: &Settings, mut entries: Vec<Entry>, name: &str) -> Result<(), Failure> {
    let (planned, secrets) = (store.planned()?, store.secrets()?);
    let rivals = entries.iter().filter(|entry| !entry.withdrawn && entry.name != name).count();
    if settings.play == Play::Duel && rivals > 1 {
        return Err(Failure::usage("a duel is between two agents, and two take part already"));
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
    course.next_blocks().map(|_| ()).map_err(Failure::usage)
}

/// Who a component says it is.
pub(crate) fn claim(agent: &LoadedAgent, path: &Path) -> Result<String, Failure> {
    let about = agent.component.about().map_err(|refused| {
        Failure::Refused(anyhow::anyhow!("agent {} is refused: {}", path.display(), indented(&refused.to_string())))
    })?;
    Ok(agents::claim(&about))
}
