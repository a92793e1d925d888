//! `arena run`: plays what is left of a tournament.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arena_core::formats::Scored;
use arena_core::rulebook::counted;
use arena_core::schedule::{Encounter, Planned, Queue, block_of};
use farkle::ScoreTable;
use indicatif::{ProgressBar, ProgressStyle};

use crate::agents::{self, LoadedAgent};
use crate::args::RunArgs;
use crate::failure::Failure;
use crate::output;
use crate::output::thousands;
use crate::play::{self, Course};
use crate::runner::{self, Contest, End, PlayedMatch, Work};
use crate::store::{Entry, Settings, Store, Writer};

/// Between two lines of progress where there is no terminal.
const QUIET: Duration = Duration::from_secs(30);

pub(crate) fn run(args: &RunArgs) -> Result<(), Failure> {
    let store = Store::open(&args.file)?;
    let _lock = store.lock_to_play()?;
    let jobs = args.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let until = args.time.map(|time| Instant::now() + time);
    let begun = Instant::now();
    let (store, done) = play_all(store, &Pace { jobs, until, most: args.matches, store: !args.no_store })?;
    let rate = done.matches as f64 / begun.elapsed().as_secs_f64();
    let left = left(&store.planned()?, &store.entries()?);
    let so_far = if store.settings()?.play.looks_at_results() { " of what is planned so far" } else { "" };
    let played = format!("{} played", counted(done.matches as i64, "match").replace("matchs", "matches"));
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
        End::Finished | End::TimeOver | End::Enough => output::print(&text),
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

/// Plans and plays until nothing is left, the time is over, or so many matches are played.
pub(crate) fn play_all(mut store: Store, pace: &Pace) -> Result<(Store, Done), Failure> {
    let settings = store.settings()?;
    let sandbox = super::sandbox()?;
    let rules = Arc::new(ScoreTable::new(&settings.ruleset));
    let mut loaded: BTreeMap<usize, Arc<LoadedAgent>> = BTreeMap::new();
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
        loaded.extend(load_all(&store, &sandbox, &entries, &missing)?);
        let contest = Arc::new(Contest {
            agents: (0..entries.len()).map(|agent| loaded.get(&agent).cloned()).collect(),
            rules: rules.clone(),
            limits: settings.limits,
            seats: settings.seats,
            work: Work::Queue(queue, most_encounters),
            secrets,
            recorder: None,
        });
        let mut writer = Writer::new(store, &sandbox.id())?;
        let mut progress = Progress::new(contest.work.encounters() * settings.seats as u64, &entries);
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
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Failure::failed(format!("the runtime does not start: {error}")))?;
        let time = pace.until.map(|until| until.saturating_duration_since(Instant::now()));
        let end = runtime.block_on(runner::play_all(contest, pace.jobs, time, take));
        progress.finish();
        // What came before a failure is kept.
        store = writer.finish()?;
        done.end = end?;
        if done.end != End::Finished || !pace.store {
            return Ok((store, done));
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
        planned.extend(store.append(next)?);
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
        if play::is_over(&planned, entries) {
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

/// Agents of the store, loaded several at a time.
fn load_all(
    store: &Store,
    sandbox: &arena_host::Sandbox,
    entries: &[Entry],
    wanted: &[usize],
) -> Result<Vec<(usize, Arc<LoadedAgent>)>, Failure> {
    let mut files = Vec::with_capacity(wanted.len());
    for agent in wanted {
        files.push((*agent, &entries[*agent], store.component(entries[*agent].sha256)?));
    }
    let at_once = std::thread::available_parallelism().map_or(1, usize::from);
    let mut loaded = Vec::with_capacity(wanted.len());
    for some in files.chunks(at_once) {
        let several: Vec<Result<_, Failure>> = std::thread::scope(|scope| {
            let load = |(agent, entry, bytes): &(usize, &Entry, Vec<u8>)| {
                let path = std::path::Path::new(&entry.name);
                Ok((*agent, Arc::new(agents::load(sandbox, entry.name.clone(), path, bytes)?)))
            };
            let handles: Vec<_> = some.iter().map(|file| scope.spawn(move || load(file))).collect();
            handles.into_iter().map(|handle| handle.join().expect("loading does not panic")).collect()
        });
        for one in several {
            loaded.push(one?);
        }
    }
    Ok(loaded)
}

/// An agent of the store, loaded.
pub(crate) fn stored_agent(
    store: &Store,
    sandbox: &arena_host::Sandbox,
    entry: &Entry,
) -> Result<LoadedAgent, Failure> {
    let bytes = store.component(entry.sha256)?;
    agents::load(sandbox, entry.name.clone(), std::path::Path::new(&entry.name), &bytes)
}

/// What a run shows of itself: a bar on a terminal, else a line now and then.
struct Progress {
    bar: Option<ProgressBar>,
    total: u64,
    done: u64,
    begun: Instant,
    said: Instant,
    names: Vec<String>,
    /// By agent: matches, and twice the share of opponents outranked.
    scores: Vec<(u64, f64)>,
}

impl Progress {
    fn new(total: u64, entries: &[Entry]) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let template = "{wide_bar} {human_pos}/{human_len} matches, {per_sec}, {eta} left\n{msg}";
            ProgressBar::new(total).with_style(ProgressStyle::with_template(template).expect("the template is sound"))
        });
        let now = Instant::now();
        let names = entries.iter().map(|entry| entry.name.clone()).collect();
        Progress { bar, total, done: 0, begun: now, said: now, names, scores: vec![(0, 0.0); entries.len()] }
    }

    fn add(&mut self, played: &[PlayedMatch]) {
        self.done += played.len() as u64;
        for played in played {
            let ranks = &played.outcome.ranks;
            for (seat, agent) in played.outcome.agents.iter().enumerate() {
                let below = ranks.iter().filter(|rank| **rank > ranks[seat]).count();
                let level = ranks.iter().filter(|rank| **rank == ranks[seat]).count() - 1;
                let rivals = (ranks.len() - 1).max(1) as f64;
                self.scores[*agent].0 += 1;
                self.scores[*agent].1 += (below as f64 + level as f64 / 2.0) / rivals;
            }
        }
        match &self.bar {
            Some(bar) => {
                bar.inc(played.len() as u64);
                if self.said.elapsed() > Duration::from_millis(500) {
                    bar.set_message(self.leaders());
                    self.said = Instant::now();
                }
            }
            None if self.said.elapsed() > QUIET => {
                let rate = self.done as f64 / self.begun.elapsed().as_secs_f64();
                let left = Duration::from_secs(((self.total - self.done) as f64 / rate) as u64);
                eprintln!(
                    "{} of {} matches, {rate:.0} a second, {} left; {}",
                    thousands(self.done as i64),
                    thousands(self.total as i64),
                    indicatif::HumanDuration(left),
                    self.leaders()
                );
                self.said = Instant::now();
            }
            None => {}
        }
    }

    /// The best scores of this run so far.
    fn leaders(&self) -> String {
        let mut order: Vec<usize> = (0..self.names.len()).filter(|agent| self.scores[*agent].0 > 0).collect();
        let score = |agent: usize| self.scores[agent].1 / self.scores[agent].0 as f64;
        order.sort_by(|a, b| score(*b).total_cmp(&score(*a)).then(a.cmp(b)));
        let best = order.iter().take(3).map(|agent| format!("{} {:.1}%", self.names[*agent], 100.0 * score(*agent)));
        format!("leading: {}", best.collect::<Vec<_>>().join(", "))
    }

    fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
