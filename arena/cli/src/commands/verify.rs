//! `arena verify`: stored matches, played again and compared.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::anyhow;
use arena_core::rulebook::counted;
use arena_core::{Contestant, Referee};
use arena_host::Sandbox;
use farkle::ScoreTable;

use crate::args::VerifyArgs;
use crate::failure::Failure;
use crate::loader::Loader;
use crate::output::thousands;
use crate::store::Store;
use crate::{agents, output};

/// Differences that are named, at most.
const NAMED: usize = 10;

pub(crate) fn run(args: &VerifyArgs) -> Result<(), Failure> {
    let store = Store::open_to_read(&args.file)?;
    let shown = args.file.display();
    let difference = |failure| match failure {
        Failure::Usage(error) => Failure::Difference(error),
        other => other,
    };
    let complaints = store.complaints().map_err(difference)?;
    if !complaints.is_empty() {
        return Err(Failure::Difference(anyhow!("{shown} is damaged: {}", complaints.join("; "))));
    }
    let (settings, entries) = (store.settings().map_err(difference)?, store.entries().map_err(difference)?);
    let (planned, secrets) = (store.planned().map_err(difference)?, store.secrets().map_err(difference)?);
    let loader = Loader::new(settings.wasi)?;
    // Every component is read, and so compared with its hash, whether it plays or not.
    let all: Vec<usize> = (0..entries.len()).collect();
    let files = store.agent_files(&entries, &all).map_err(difference)?;
    let agents = agents::load_all(&loader, &files).map_err(|failure| Failure::Difference(anyhow!("{failure}")))?;
    let engines: BTreeMap<i64, String> =
        store.engines()?.into_iter().map(|(code, engine)| (code, engine.fingerprint)).collect();
    let total = store.match_count()?;
    // Evenly spread, so that no stretch is left out.
    let sample = if args.all { total } else { args.sample.min(total) };
    let is_sampled = |place: u64| place * sample / total.max(1) != (place + 1) * sample / total.max(1);

    let table = Arc::new(ScoreTable::new(&settings.ruleset));
    let mut referee = Referee::new(table, settings.seats, settings.limits).map_err(Failure::usage)?;
    let own = Sandbox::id(settings.wasi).fingerprint;
    let (mut place, mut compared, mut by_others) = (0, 0u64, 0u64);
    let mut differences: Vec<String> = Vec::new();
    let read = store.each_match(&planned, 1, |stored| {
        let sampled = is_sampled(place);
        place += 1;
        if !sampled {
            return Ok(true);
        }
        if engines.get(&stored.engine) != Some(&own) {
            by_others += 1;
            return Ok(true);
        }
        let pair = planned[stored.block].encounter_of(stored.number).expect("it is a match of its block").pair;
        let seats: Vec<&dyn Contestant> =
            stored.outcome.agents.iter().map(|agent| &agents[*agent].component as &dyn Contestant).collect();
        let played = referee.play(secrets.match_seed(pair), &seats).map_err(Failure::failed)?;
        let again =
            arena_core::standings::Outcome::new(stored.outcome.agents.clone(), &played.result, &referee.events());
        let same_turns = stored.outcome.turns.is_empty() || stored.outcome.turns == again.turns;
        let same = (&again.ranks, &again.scores, &again.faults, again.ending)
            == (&stored.outcome.ranks, &stored.outcome.scores, &stored.outcome.faults, stored.outcome.ending);
        if played.hash != stored.hash || !same || !same_turns {
            differences.push(stored.number.to_string());
        }
        compared += 1;
        Ok(true)
    });
    // A row that cannot even be read is a difference as well.
    read.map_err(difference)?;
    if !differences.is_empty() {
        let named = differences.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        let more = if differences.len() > NAMED { ", …" } else { "" };
        return Err(Failure::Difference(anyhow!(
            "{} of {} matches compared in {shown} are not what is stored: {named}{more}; `arena show {shown} NUMBER` \
             plays one again",
            thousands(differences.len() as i64),
            thousands(compared as i64),
        )));
    }
    let mut text = format!(
        "{shown}: {} of {} stored matches played again, all identical\n",
        thousands(compared as i64),
        thousands(total as i64)
    );
    if by_others > 0 {
        text += &format!(
            "{} were played by another engine and cannot be compared with this one\n",
            counted(by_others as i64, "match")
        );
    }
    output::print(&text)
}
