//! Plays a schedule on several threads and hands the results back in schedule order.
//!
//! Owns the threads. Refuses to let their number or speed reach a result: matches are played in
//! any order and taken in one.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use arena_core::analysis::Analyst;
use arena_core::luck::Measures;
use arena_core::schedule::{Encounter, Queue, Schedule};
use arena_core::standings::Outcome;
use arena_core::style::Style;
use arena_core::{Contestant, Limits, Record, Referee, luck};
use arena_host::Sandbox;
use farkle::ScoreTable;
use tokio::sync::mpsc;

use crate::agents::{self, LoadedAgent};
use crate::failure::Failure;
use crate::played_match::PlayedMatch;
use crate::secrets::Secrets;

/// Encounters that a thread takes at a time.
const CHUNK: u64 = 16;
/// Chunks that threads may be ahead of the oldest one not yet taken, for each thread. Bounds what
/// waits in memory behind a slow match, or while results are written.
const AHEAD: u64 = 64;

/// Everything that fixes the results of a tournament.
pub(crate) struct Contest {
    /// By index; those who play are there.
    pub(crate) agents: Vec<Option<Arc<LoadedAgent>>>,
    pub(crate) rules: Arc<ScoreTable>,
    pub(crate) limits: Limits,
    pub(crate) seats: usize,
    pub(crate) work: Work,
    pub(crate) secrets: Secrets,
    /// What is wanted of its matches.
    pub(crate) wanted: Wanted,
    /// What they are judged by, if they are.
    pub(crate) judge: Option<Judge>,
}

/// What is wanted of matches beside their outcome.
#[derive(Clone)]
pub(crate) enum Judge {
    /// How every seat played.
    Style,
    /// How lucky both seats were.
    Luck(Arc<Measures>),
    /// Every roll and decision.
    Decisions(Arc<Analyst>),
}

/// What is wanted of matches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wanted {
    /// Who played, and how it ended.
    Outcomes,
    /// Hashes as well.
    Hashes,
    /// Records as well.
    Records,
}

/// What is to be played, in order.
pub(crate) enum Work {
    /// All of a schedule.
    Schedule(Schedule),
    /// What is left of a plan, up to so many encounters.
    Queue(Queue, u64),
}

impl Work {
    pub(crate) fn encounters(&self) -> u64 {
        match self {
            Work::Schedule(schedule) => schedule.encounters(),
            Work::Queue(queue, most) => queue.encounters().min(*most),
        }
    }

    pub(crate) fn encounter(&self, index: u64) -> Option<Encounter> {
        match self {
            Work::Schedule(schedule) => schedule.encounter(index),
            Work::Queue(queue, most) => (index < *most).then(|| queue.encounter(index)).flatten(),
        }
    }
}

impl Contest {
    /// An agent that plays.
    pub(crate) fn agent(&self, index: usize) -> &LoadedAgent {
        self.agents[index].as_deref().expect("who plays is loaded")
    }
}

/// Whether everything was played.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    Finished,
    /// Stopped by a signal.
    Interrupted,
    /// Out of time.
    TimeOver,
    /// Who takes the matches needs no more of them.
    Enough,
    /// A match was void twice, since an agent held it up.
    HeldUp(HeldUp),
}

/// An agent whose calls the watchdog stopped, in a match and when that was played again.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HeldUp {
    /// By index.
    pub(crate) agent: usize,
    pub(crate) why: String,
}

impl HeldUp {
    /// For those who have nowhere to suspend it.
    pub(crate) fn failure(&self, contest: &Contest) -> Failure {
        let name = &contest.agent(self.agent).name;
        Failure::failed(format!("{}; leave {name} out to play the others", self.why))
    }
}

/// Plays all of it on `jobs` threads, or as much as there is time for; `take` gets each encounter's
/// matches in order, up to one that is held up. Stopped early it returns at once: what threads still play
/// is thrown away.
///
/// # Errors
///
/// What `take` returns, or a match that was void twice and not for an agent.
pub(crate) fn play_all(
    contest: Arc<Contest>,
    jobs: usize,
    time: Option<Duration>,
    take: impl FnMut(Encounter, Vec<PlayedMatch>) -> Result<ControlFlow<()>, Failure>,
) -> Result<End, Failure> {
    play_chunks_of(CHUNK, contest, jobs, time, take)
}

/// The same with so many encounters at a time for a thread: what is taken is the same, some of it sooner.
///
/// # Errors
///
/// As of [`play_all`].
pub(crate) fn play_chunks_of(
    encounters: u64,
    contest: Arc<Contest>,
    jobs: usize,
    time: Option<Duration>,
    take: impl FnMut(Encounter, Vec<PlayedMatch>) -> Result<ControlFlow<()>, Failure>,
) -> Result<End, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::failed(format!("the runtime does not start: {error}")))?;
    runtime.block_on(play_and_take(encounters, contest, jobs, time, take))
}

async fn play_and_take(
    at_a_time: u64,
    contest: Arc<Contest>,
    jobs: usize,
    time: Option<Duration>,
    mut take: impl FnMut(Encounter, Vec<PlayedMatch>) -> Result<ControlFlow<()>, Failure>,
) -> Result<End, Failure> {
    let encounters = contest.work.encounters();
    let window = Arc::new(Window::new(encounters.div_ceil(at_a_time), AHEAD * jobs as u64));
    let (sender, mut receiver) = mpsc::channel(AHEAD as usize * jobs);
    let mut threads = Vec::with_capacity(jobs);
    for _ in 0..jobs {
        let (contest, own, sender) = (contest.clone(), window.clone(), sender.clone());
        let thread = std::thread::Builder::new().spawn(move || {
            let _closing = CloseOnPanic(&own);
            play_chunks(&contest, &own, at_a_time, &sender);
        });
        match thread {
            Ok(thread) => threads.push(thread),
            Err(error) => {
                window.close();
                return Err(Failure::failed(format!(
                    "only {} of {jobs} playing threads start: {error}; --jobs N asks for fewer",
                    threads.len()
                )));
            }
        }
    }
    drop(sender);

    let mut waiting: BTreeMap<u64, Chunk> = BTreeMap::new();
    let mut next = 0;
    let mut end = Ok(End::Finished);
    let interrupt = stop_signal();
    // Half a century is for ever.
    let time_over = tokio::time::sleep(time.unwrap_or(Duration::from_secs(50 * 365 * 86_400)));
    tokio::pin!(interrupt, time_over);
    'playing: loop {
        tokio::select! {
            _ = &mut interrupt => {
                end = Ok(End::Interrupted);
                break;
            }
            () = &mut time_over => {
                end = Ok(End::TimeOver);
                break;
            }
            received = receiver.recv() => {
                let Some((number, chunk)) = received else { break };
                waiting.insert(number, chunk);
                while let Some(chunk) = waiting.remove(&next) {
                    next += 1;
                    for (encounter, played) in chunk.played {
                        match take(encounter, played) {
                            Ok(ControlFlow::Continue(())) => {}
                            Ok(ControlFlow::Break(())) => {
                                end = Ok(End::Enough);
                                break 'playing;
                            }
                            Err(failure) => {
                                end = Err(failure);
                                break 'playing;
                            }
                        }
                    }
                    if let Some(stopped) = chunk.stopped {
                        end = match stopped {
                            Stopped::Failed(failure) => Err(failure),
                            Stopped::HeldUp(held_up) => Ok(End::HeldUp(held_up)),
                        };
                        break 'playing;
                    }
                }
                window.advance(next);
            }
        }
    }
    window.close();
    // Threads that are sending would wait for ever.
    drop(receiver);
    if !matches!(end, Ok(End::Finished)) {
        return end;
    }
    for thread in threads {
        if thread.join().is_err() {
            return Err(Failure::failed("a playing thread broke down; this is a fault of the arena, not of an agent"));
        }
    }
    end
}

/// Ctrl-C, or being asked to end.
pub(crate) async fn stop_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

/// Encounters that a thread played.
#[derive(Default)]
struct Chunk {
    played: Vec<(Encounter, Vec<PlayedMatch>)>,
    /// Why there are not all of them.
    stopped: Option<Stopped>,
}

enum Stopped {
    Failed(Failure),
    HeldUp(HeldUp),
}

fn play_chunks(contest: &Contest, window: &Window, at_a_time: u64, sender: &mpsc::Sender<(u64, Chunk)>) {
    let referee = Referee::new(contest.rules.clone(), contest.seats, contest.limits);
    let mut referee = match referee {
        Ok(referee) => referee,
        Err(error) => {
            let stopped = Some(Stopped::Failed(Failure::usage(error)));
            let _ = sender.blocking_send((0, Chunk { stopped, ..Chunk::default() }));
            return;
        }
    };
    while let Some(number) = window.claim() {
        let first = number * at_a_time;
        let encounters = (first..first + at_a_time).map_while(|index| contest.work.encounter(index));
        let mut chunk = Chunk::default();
        for encounter in encounters {
            match play_encounter(contest, &mut referee, &encounter) {
                Ok(played) => chunk.played.push((encounter, played)),
                Err(stopped) => {
                    chunk.stopped = Some(stopped);
                    break;
                }
            }
        }
        let stopped = chunk.stopped.is_some();
        if sender.blocking_send((number, chunk)).is_err() || stopped {
            return;
        }
    }
}

/// Plays an encounter in this thread, as a playing thread does.
///
/// # Errors
///
/// A match that was void twice.
pub(crate) fn play_here(
    contest: &Contest,
    referee: &mut Referee,
    encounter: &Encounter,
) -> Result<Vec<PlayedMatch>, Failure> {
    play_encounter(contest, referee, encounter).map_err(|stopped| match stopped {
        Stopped::Failed(failure) => failure,
        Stopped::HeldUp(held_up) => held_up.failure(contest),
    })
}

fn play_encounter(
    contest: &Contest,
    referee: &mut Referee,
    encounter: &Encounter,
) -> Result<Vec<PlayedMatch>, Stopped> {
    let seed = contest.secrets.match_seed(encounter.pair);
    encounter.matches().map(|(number, seats)| play_match(contest, referee, number, seed, seats)).collect()
}

fn play_match(
    contest: &Contest,
    referee: &mut Referee,
    number: u64,
    seed: u64,
    seats: Vec<usize>,
) -> Result<PlayedMatch, Stopped> {
    let contestants: Vec<&dyn Contestant> =
        seats.iter().map(|agent| &contest.agent(*agent).component as &dyn Contestant).collect();
    referee.play_or_retry_in_place(seed, &contestants).map_err(|void| {
        let agent = void.seat.map(|seat| seats[usize::from(seat)]);
        let who = agent.map_or(String::new(), |agent| format!("{}: ", contest.agent(agent).name));
        let why = format!("match {number} is void, twice: {who}{}", void.failure);
        match (void.held_up_by(), agent) {
            (Some(_), Some(agent)) => Stopped::HeldUp(HeldUp { agent, why }),
            _ => Stopped::Failed(Failure::failed(why)),
        }
    })?;
    let hash = (contest.wanted >= Wanted::Hashes).then(|| referee.hash());
    let record = (contest.wanted >= Wanted::Records).then(|| {
        let agents: Vec<&LoadedAgent> = seats.iter().map(|agent| contest.agent(*agent)).collect();
        let engine = Sandbox::id(agents::wasi_of(&agents));
        let seats = agents.iter().map(|agent| agent.record_seat()).collect();
        let (ruleset, limits, events) = (referee.ruleset().clone(), *referee.limits(), referee.events().to_vec());
        Record::new(engine, ruleset, seed, limits, seats, events, referee.result().clone()).to_json()
    });
    let events = referee.events();
    let unjudged = |why: &dyn std::fmt::Display| {
        Stopped::Failed(Failure::failed(format!("match {number} has no values under best play: {why}")))
    };
    let (mut luck, mut analysis, mut style) = (None, None, None);
    match &contest.judge {
        None => {}
        Some(Judge::Style) => style = Some(Style::of_match(seats.len(), &events)),
        Some(Judge::Luck(measures)) => {
            let by_seat = luck::of_match(&**measures, measures.oracle().rules(), seats.len(), &events);
            luck = Some(by_seat.map_err(|why| unjudged(&why))?);
        }
        Some(Judge::Decisions(analyst)) => {
            let judged = analyst.judge(seats.len(), &events).map_err(|why| unjudged(&why))?;
            analysis = Some(Box::new(judged));
        }
    }
    let outcome = Outcome::new(seats, referee.result(), &events);
    Ok(PlayedMatch { number, seed, outcome, hash, record, luck, analysis, style })
}

/// Lets nobody wait for a chunk that a broken-down thread has taken with it.
struct CloseOnPanic<'a>(&'a Window);

impl Drop for CloseOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
        }
    }
}

/// Which chunks may be played now.
struct Window {
    state: Mutex<WindowState>,
    moved: Condvar,
    chunks: u64,
    ahead: u64,
}

struct WindowState {
    next: u64,
    taken: u64,
    closed: bool,
}

impl Window {
    fn new(chunks: u64, ahead: u64) -> Window {
        let state = Mutex::new(WindowState { next: 0, taken: 0, closed: false });
        Window { state, moved: Condvar::new(), chunks, ahead }
    }

    /// The next chunk to play, once it is near enough; `None` when there is no more to do.
    fn claim(&self) -> Option<u64> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = self
            .moved
            .wait_while(state, |s| !s.closed && s.next < self.chunks && s.next >= s.taken + self.ahead)
            .unwrap_or_else(PoisonError::into_inner);
        if state.closed || state.next >= self.chunks {
            return None;
        }
        state.next += 1;
        Some(state.next - 1)
    }

    fn advance(&self, taken: u64) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).taken = taken;
        self.moved.notify_all();
    }

    fn close(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        self.moved.notify_all();
    }
}
