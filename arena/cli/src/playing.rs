//! Playing what is left of a tournament file: planned, played and stored, until nothing is left.
//!
//! Owns the order of these steps. Refuses to show how far it has come: whoever looks on does, and may
//! say when to stop.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use arena_core::Contestant as _;
use arena_core::formats::Scored;
use arena_core::schedule::{Encounter, Planned, Queue, block_of};
use arena_host::Sandbox;
use farkle::ScoreTable;

use crate::agents::{self, LoadedAgent};
use crate::course::{self, Course};
use crate::failure::Failure;
use crate::harmless::harmless;
use crate::loader::Loader;
use crate::played_match::PlayedMatch;
use crate::progress::Progress;
use crate::runner::{self, Contest, End, HeldUp, Wanted, Work};
use crate::store::{Attendance, Entry, Settings, Store, Writer};

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

/// Somebody who looks on, and may say when to stop.
pub(crate) trait Onlooker {
    /// So many matches between agents of these names are about to be played.
    fn begin(&mut self, matches: u64, names: Vec<String>);
    /// These were played.
    fn see(&mut self, played: &[PlayedMatch]);
    /// Those that were about to be played are, or no more of them will be.
    fn end(&mut self);
    /// Whether to store what was played, and end; asked after every pair, and before anything is planned.
    fn has_enough(&mut self) -> bool;
}

/// Shows progress on the standard error stream.
#[derive(Default)]
pub(crate) struct OnStderr(Option<Progress>);

impl Onlooker for OnStderr {
    fn begin(&mut self, matches: u64, names: Vec<String>) {
        self.0 = Some(Progress::new(matches, names));
    }

    fn see(&mut self, played: &[PlayedMatch]) {
        if let Some(progress) = &mut self.0 {
            progress.add(played);
        }
    }

    fn end(&mut self) {
        if let Some(progress) = self.0.take() {
            progress.finish();
        }
    }

    fn has_enough(&mut self) -> bool {
        false
    }
}

/// Looks on without a word.
pub(crate) struct Unseen;

impl Onlooker for Unseen {
    fn begin(&mut self, _: u64, _: Vec<String>) {}

    fn see(&mut self, _: &[PlayedMatch]) {}

    fn end(&mut self) {}

    fn has_enough(&mut self) -> bool {
        false
    }
}

/// Plans and plays until nothing is left, the time is over, so many matches are played, or the onlooker
/// says so. Who comes or goes meanwhile is seen when matches are stored: newcomers are planned, and those who
/// went play no further. Agents that are not loaded are. One that holds up a match twice is suspended: it plays no
/// further.
pub(crate) fn play_all(
    mut store: Store,
    loader: &Loader,
    loaded: &mut BTreeMap<usize, Arc<LoadedAgent>>,
    pace: &Pace,
    onlooker: &mut dyn Onlooker,
) -> Result<(Store, Done), Failure> {
    let settings = store.settings()?;
    let rules = Arc::new(ScoreTable::new(&settings.ruleset));
    let mut done = Done { matches: 0, end: End::Finished };
    // Read once: while this process holds the right to play, nobody else plans or stores matches.
    let mut planned = store.planned()?;
    let mut scored = scored(&store, &settings, &planned)?;
    loop {
        if onlooker.has_enough() {
            return Ok((store, Done { end: End::Enough, ..done }));
        }
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
        // Of a file that somebody wrote over, an index may mean somebody else now.
        loaded.retain(|agent, known| {
            entries
                .get(*agent)
                .is_some_and(|entry| entry.sha256.0 == known.component.sha256() && entry.name == known.name)
        });
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
        onlooker.begin(contest.work.encounters() * settings.seats as u64, names);
        let (there, mut plan_anew) = (Attendance::of(&entries), false);
        let take = |encounter: Encounter, played: Vec<PlayedMatch>| {
            done.matches += played.len() as u64;
            onlooker.see(&played);
            if pace.store {
                let block = block_of(&planned, encounter.first_match);
                planned[block].played += 1;
                scored[block].add_pair(&played.iter().map(|played| &played.outcome.ranks[..]).collect::<Vec<_>>());
                writer.add(block, played)?;
            }
            plan_anew = writer.has_seen_others_than(there);
            let goes_on = !plan_anew && !onlooker.has_enough();
            Ok(if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        };
        let time = pace.until.map(|until| until.saturating_duration_since(Instant::now()));
        let end = runner::play_all(contest, pace.jobs, time, take);
        onlooker.end();
        // What came before a failure is kept.
        store = writer.finish()?;
        match end? {
            // The others play on.
            End::HeldUp(HeldUp { agent, why }) => {
                store.suspend(agent, &why)?;
                crate::output::tell(&format!("arena: {} is suspended: {}", entries[agent].name, harmless(&why)));
            }
            End::Finished if pace.store => {}
            End::Enough if plan_anew => {}
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
