//! `arena run`: plays what is left of a tournament.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use arena_core::formats::Scored;
use arena_core::rulebook::counted;
use arena_core::schedule::{Encounter, Planned, Queue, block_of};
use arena_host::Sandbox;
use farkle::ScoreTable;

use crate::agents::{self, LoadedAgent};
use crate::args::RunArgs;
use crate::course::{self, Course};
use crate::failure::Failure;
use crate::harmless::harmless;
use crate::loader::Loader;
use crate::output;
use crate::output::thousands;
use crate::played_match::PlayedMatch;
use crate::progress::Progress;
use crate::runner::{self, Contest, End, HeldUp, Wanted, Work};
use crate::store::{Entry, Settings, Store, Writer};

pub(crate) fn run(args: &RunArgs) -> Result<(), Failure> {
    let store = Store::open(&args.file)?;
    let _lock = store.lock_to_play()?;
    let jobs = args.jobs.count();
    let until = args.time.map(|time| Instant::now() + time);
    let begun = Instant::now();
    let loader = Loader::new(store.settings()?.wasi)?;
    let (store, done) =
        play_all(store, &loader, BTreeMap::new(), &Pace { jobs, until, most: args.matches, store: !args.no_store })?;
    // What is told is what the file says, read anew: another program may have written over it.
    drop(store);
    let store = Store::open(&args.file)?;
    let rate = done.matches as f64 / begun.elapsed().as_secs_f64();
    let left = left(&store.planned()?, &store.entries()?);
    let so_far = if store.settings()?.play.looks_at_results() { " of what is planned so far" } else { "" };
    let played = format!("{} played", counted(done.matches as i64, "match"));
    let stored = thousands(store.match_count()? as i64);
    let mut text =
        format!("{played}, {stored} stored, {} left{}\n", thousands(left as i64), if left > 0 { so_far } else { "" });
    if args.no_store {
        text += &format!("nothing was stored: {rate:.0} matches a second\n");
    }
    if left > 0 {
        text += &format!("`arena run {}` goes on\n", args.file.display());
    }
    match done.end {
        End::Interrupted => Err(Failure::failed(format!("stopped: {}", text.trim_end()))),
        End::Finished | End::TimeOver | End::Enough | End::HeldUp(_) => output::print(&text),
    }
}

/// How a run ended.
pub(crate) struct Done {
    pub(crate) matches: u64,
    pub(crate) end: End,
}

/// How fast and how long a run plays.
#[derive(Clone, Copy)]
pub(crate) struct Pace {
    pub(crate) jobs: usize,
    pub(crate) until: Option<Instant>,
    /// Matches to play, if not all.
    pub(crate) most: Option<u64>,
    /// Whether results are kept.
    pub(crate) store: bool,
}

/// Plans and plays until nothing is left, the time is over, or so many matches are played. Agents that
/// are not loaded are. One that holds up a match twice is suspended: it plays no further.
pub(crate) fn play_all(
    mut store: Store,
    loader: &Loader,
    mut loaded: BTreeMap<usize, Arc<LoadedAgent>>,
    pace: &Pace,
) -> Result<(Store, Done), Failure> {
    let settings = store.settings()?;
    let rules = Arc::new(ScoreTable::new(&settings.ruleset));
    let mut done = Done { matches: 0, end: End::Finished };
    // Read once: while this process holds the right to play, nobody else plans or stores matches.
    let mut planned = store.planned()?;
    let mut scored = scored(&store, &settings, &planned)?;
    loop {
        let entries = store.entries()?;
        plan(&mut store, &settings, &entries, &mut planned, &mut scored)?;
        // Once they are planned, no newcomer's secret can be put under these pairs any more.
        let secrets = store.secrets()?;
        let queue = left_of(&planned, &entries);
        let most_encounters =
            pace.most.map_or(u64::MAX, |most| most.saturating_sub(done.matches).div_ceil(settings.seats as u64));
        if queue.encounters() == 0 || most_encounters == 0 {
            return Ok((store, done));
        }
        let missing: Vec<usize> = queue.agents().into_iter().filter(|agent| !loaded.contains_key(agent)).collect();
        let agents = agents::load_all(loader, &store.agent_files(&entries, &missing)?)?;
        loaded.extend(missing.into_iter().zip(agents.into_iter().map(Arc::new)));
        let contest = Arc::new(Contest {
            agents: (0..entries.len()).map(|agent| loaded.get(&agent).cloned()).collect(),
            rules: rules.clone(),
            limits: settings.limits,
            seats: settings.seats,
            work: Work::Queue(queue, most_encounters),
            secrets,
            wanted: Wanted::Hashes,
            judge: None,
        });
        let mut writer = Writer::new(store, &Sandbox::id(settings.wasi))?;
        let names = entries.iter().map(|entry| entry.name.clone()).collect();
        let mut progress = Progress::new(contest.work.encounters() * settings.seats as u64, names);
        let take = |encounter: Encounter, played: Vec<PlayedMatch>| {
            done.matches += played.len() as u64;
            progress.add(&played);
            if pace.store {
                let block = block_of(&planned, encounter.first_match);
                planned[block].played += 1;
                scored[block].add_pair(&played.iter().map(|played| &played.outcome.ranks[..]).collect::<Vec<_>>());
                writer.add(block, played)?;
            }
            Ok(ControlFlow::Continue(()))
        };
        let time = pace.until.map(|until| until.saturating_duration_since(Instant::now()));
        let end = runner::play_all(contest, pace.jobs, time, take);
        progress.finish();
        // What came before a failure is kept.
        store = writer.finish()?;
        match end? {
            // The others play on.
            End::HeldUp(HeldUp { agent, why }) => {
                store.suspend(agent, &why)?;
                crate::output::tell(&format!("arena: {} is suspended: {}", entries[agent].name, harmless(&why)));
            }
            End::Finished if pace.store => {}
            end => {
                done.end = end;
                return Ok((store, done));
            }
        }
    }
}

/// Appends blocks as long as the format names any.
fn plan(
    store: &mut Store,
    settings: &Settings,
    entries: &[Entry],
    planned: &mut Vec<Planned>,
    scored: &mut Vec<Scored>,
) -> Result<(), Failure> {
    let secrets = store.secrets()?;
    loop {
        let next = Course { settings, secrets: &secrets, entries, planned, scored }.next_blocks();
        let next = next.map_err(Failure::usage)?;
        if next.is_empty() {
            return Ok(());
        }
        scored.extend(next.iter().map(|block| Scored::new(block.agents.len())));
        planned.extend(store.append(planned.len(), next)?);
    }
}

/// The results of every block, as far as it is played and the format looks at them.
pub(crate) fn scored(store: &Store, settings: &Settings, planned: &[Planned]) -> Result<Vec<Scored>, Failure> {
    let mut scored: Vec<Scored> = planned.iter().map(|planned| Scored::new(planned.block.agents.len())).collect();
    if !settings.play.looks_at_results() {
        return Ok(scored);
    }
    let mut pair: Vec<Vec<u32>> = Vec::new();
    store.each_match(planned, 1, |stored| {
        let seats = stored.outcome.ranks.len();
        pair.push(stored.outcome.ranks);
        if pair.len() == seats {
            scored[stored.block].add_pair(&pair.iter().map(Vec::as_slice).collect::<Vec<_>>());
            pair.clear();
        }
        Ok(true)
    })?;
    Ok(scored)
}

/// What is left to play; nothing of blocks of which somebody has withdrawn.
fn left_of(planned: &[Planned], entries: &[Entry]) -> Queue {
    let left = planned.iter().cloned().map(|mut planned| {
        if course::is_over(&planned, entries) {
            planned.played = planned.block.pairs;
        }
        planned
    });
    Queue::new(left.collect())
}

/// How many matches are left of what is planned.
pub(crate) fn left(planned: &[Planned], entries: &[Entry]) -> u64 {
    left_of(planned, entries).matches()
}
