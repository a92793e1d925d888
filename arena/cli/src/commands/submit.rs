//! `arena submit`: a component enters a tournament.

use std::path::Path;

use arena_core::Sha256Hex;
use sha2::{Digest, Sha256};

use crate::agents::LoadedAgent;
use crate::args::SubmitArgs;
use crate::commands::create::random_secret;
use crate::commands::run::scored;
use crate::failure::Failure;
use crate::output::{self, harmless};
use crate::play::{Course, Play};
use crate::store::{Entry, Settings, Store, Submission, Submitted};
use crate::{agents, compliance};

pub(crate) fn run(args: &SubmitArgs) -> Result<(), Failure> {
    let (name, path) = agents::name_and_path(&args.agent)?;
    let name = args.name.clone().unwrap_or(name);
    agents::check_name(&name)?;
    if let Some(author) = &args.author {
        agents::check_name(author)
            .map_err(|_| Failure::usage(format!("`{}` is no name for an author", harmless(author))))?;
    }
    let mut store = Store::open(&args.to)?;
    let settings = store.settings()?;
    let bytes = agents::read(&path)?;
    let sandbox = super::sandbox()?;
    let agent = agents::load(&sandbox, name.clone(), &path, &bytes)?;
    let claim = claim(&agent, &path)?;
    let sha256 = Sha256Hex(Sha256::digest(&bytes).into());
    let others = store.names_of(sha256)?;
    let secrets = store.secrets()?;
    let mut fresh_from = store.shown_pairs()?;
    let mut new_secret = None;
    if secrets.last().revealed {
        // All dice so far are known to everybody: who comes now plays others.
        let planned = store.planned()?;
        let used = planned.iter().map(|planned| planned.block.first_pair + planned.block.pairs).max().unwrap_or(0);
        fresh_from = fresh_from.max(used).max(secrets.last().first_pair + 1);
        new_secret = Some(random_secret()?);
    }
    let entries = store.entries()?;
    if let Some(owner) = entries.iter().rfind(|entry| entry.name == name).and_then(|entry| entry.author.as_deref())
        && args.author.as_deref() != Some(owner)
    {
        return Err(Failure::usage(format!(
            "`{name}` is an agent of {owner}: a new version of it takes --author {owner:?}, and another agent another \
             name (--name NAME)"
        )));
    }
    let is_known =
        store.entries()?.iter().any(|entry| !entry.withdrawn && entry.name == name && entry.sha256 == sha256);
    if !is_known {
        check_format(&store, &settings, &name, fresh_from)?;
    }
    let notes = compliance::check(&agent, &settings.ruleset, settings.seats, settings.limits)?;

    let author = args.author.as_deref();
    let commitment = new_secret.as_ref().map(|secret| Sha256Hex(secret.commitment()));
    let submission = Submission { name: &name, author, claim: &claim, bytes: &bytes, fresh_from, new_secret };
    let submitted = store.submit(&submission)?;
    let mut text = match submitted {
        Submitted::Known(version) => {
            return output::print(&format!(
                "{name} has these very bytes already, as version {version}: nothing to do\n"
            ));
        }
        Submitted::New => format!("{name} takes part"),
        Submitted::Version(version) => {
            format!("{name} takes part as version {version}; the one before plays no further matches")
        }
    };
    if let Some(commitment) = commitment {
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
    output::print(&harmless(&text))
}

/// Refuses an agent that comes too late for the tournament's format.
fn check_format(store: &Store, settings: &Settings, name: &str, fresh_from: u64) -> Result<(), Failure> {
    let (mut entries, planned, secrets) = (store.entries()?, store.planned()?, store.secrets()?);
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
    entries.push(Entry::newcomer(name, fresh_from));
    let scored = scored(store, settings, &planned)?;
    let course = Course { settings, secrets: &secrets, entries: &entries, planned: &planned, scored: &scored };
    course.next_blocks().map(|_| ()).map_err(Failure::usage)
}

/// Who a component says it is.
pub(crate) fn claim(agent: &LoadedAgent, path: &Path) -> Result<String, Failure> {
    let about = agent.component.about().map_err(|refused| {
        Failure::Refused(anyhow::anyhow!("agent {} is refused: {}", path.display(), harmless(&refused.to_string())))
    })?;
    Ok(one_line(&format!("{} {} by {}", about.name, about.version, about.author)))
}

/// A stranger's words on one line, and not too many.
fn one_line(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    words.chars().take(300).collect()
}
