//! Who plays what is left while a tournament is served.
//!
//! Owns the thread that plays, with the right to play as `arena run` has it, and what it tells of itself.
//! Refuses to take the server down with it: what goes wrong is told, and the server goes on.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::{oneshot, watch};

use super::LAST_WORDS;
use super::state::State;
use crate::agents::LoadedAgent;
use crate::args::ServeArgs;
use crate::failure::Failure;
use crate::output;
use crate::played_match::PlayedMatch;
use crate::playing::{self, Onlooker, Pace};
use crate::runner::End;
use crate::store::{Entry, PlayLock};

/// Between two looks whether there is something to play.
const LOOK: Duration = Duration::from_millis(200);
/// Before it is tried again to take the right to play, or to play after a failure.
const PAUSE: Duration = Duration::from_secs(5);

/// What the player does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Playing {
    /// Nothing: the server was told not to.
    Off,
    /// Another process plays, or nobody may.
    Elsewhere(String),
    /// Too few agents take part.
    TooFew {
        agents: usize,
        needed: usize,
    },
    /// Everything is played.
    Idle,
    Busy,
    /// It could not go on, and tries again.
    Failed(String),
}

impl Playing {
    /// Its name, for programs.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Playing::Off => "off",
            Playing::Elsewhere(_) => "elsewhere",
            Playing::TooFew { .. } => "too-few-agents",
            Playing::Idle => "idle",
            Playing::Busy => "playing",
            Playing::Failed(_) => "failed",
        }
    }

    /// The same for people.
    pub(crate) fn message(&self) -> String {
        match self {
            Playing::Off => "this server plays nothing, and shows what others play".to_owned(),
            Playing::Elsewhere(why) | Playing::Failed(why) => why.clone(),
            Playing::TooFew { agents, needed } => format!("{agents} of at least {needed} agents take part"),
            Playing::Idle => "everything that is planned is played".to_owned(),
            Playing::Busy => "matches are being played".to_owned(),
        }
    }
}

/// Rung when somebody has come or gone, for a player that is idle.
#[derive(Clone, Default)]
pub(super) struct Bell(Arc<AtomicU64>);

impl Bell {
    pub(super) fn ring(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn rings(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A playing thread, or none.
pub(super) struct Player {
    bell: Bell,
    stop: Arc<AtomicBool>,
    ended: Option<oneshot::Receiver<()>>,
}

impl Player {
    /// Begins to play, unless nothing is to be played here.
    pub(super) fn start(args: &ServeArgs, state: &State, tell: watch::Sender<Playing>) -> Result<Player, Failure> {
        let mut player = Player { bell: Bell::default(), stop: Arc::default(), ended: None };
        if args.no_play {
            return Ok(player);
        }
        let (ending, ended) = oneshot::channel();
        let game =
            Game { state: state.clone(), jobs: args.jobs.into(), bell: player.bell.clone(), stop: player.stop.clone() };
        let playing = std::thread::Builder::new().name("player".to_owned()).spawn(move || {
            // The panic is told where it happens.
            if std::panic::catch_unwind(AssertUnwindSafe(|| game.play(&tell))).is_err() {
                let _ = tell.send(Playing::Failed("the player broke down: start the server again".to_owned()));
            }
            drop(ending);
        });
        playing.map_err(|error| Failure::failed(format!("the playing thread does not start: {error}")))?;
        player.ended = Some(ended);
        Ok(player)
    }

    pub(super) fn bell(&self) -> Bell {
        self.bell.clone()
    }

    /// Ends the playing after the pair that is being taken, and waits until what was played is stored.
    pub(super) async fn stop(self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(ended) = self.ended
            && tokio::time::timeout(LAST_WORDS, ended).await.is_err()
        {
            output::tell("arena: what is still being played is not waited for, and will be played again");
        }
    }
}

/// What the playing thread works with.
struct Game {
    state: State,
    jobs: usize,
    bell: Bell,
    stop: Arc<AtomicBool>,
}

impl Game {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Plays whatever there is to play, until it is stopped.
    fn play(&self, tell: &watch::Sender<Playing>) {
        let mut loaded = BTreeMap::new();
        while !self.is_stopped() {
            let Some(lock) = self.lock(tell) else { return };
            // As long as it is that file, the right to play it is kept.
            loop {
                let rings = self.bell.rings();
                match self.play_what_is_left(tell, &mut loaded) {
                    Ok(End::Interrupted) => return,
                    Ok(_) => self.wait(|| self.bell.rings() == rings),
                    Err(failure) => {
                        self.tell_failure(tell, &failure, Playing::Failed);
                        self.wait_a_little();
                    }
                }
                if self.is_stopped() || self.state.open_store().is_err() {
                    break;
                }
            }
            drop(lock);
        }
    }

    /// Takes the right to play, as soon as nobody else has it.
    fn lock(&self, tell: &watch::Sender<Playing>) -> Option<PlayLock> {
        while !self.is_stopped() {
            match self.state.open_store().map(|store| store.lock_to_play()) {
                Ok(Ok(lock)) => return Some(lock),
                Ok(Err(failure)) => self.tell_failure(tell, &failure, Playing::Elsewhere),
                Err(failure) => self.tell_failure(tell, &failure, Playing::Failed),
            }
            self.wait_a_little();
        }
        None
    }

    fn play_what_is_left(
        &self,
        tell: &watch::Sender<Playing>,
        loaded: &mut BTreeMap<usize, Arc<LoadedAgent>>,
    ) -> Result<End, Failure> {
        let store = self.state.open_store()?;
        let (agents, needed) = (playing_agents(&store.entries()?), self.state.settings.seats);
        if agents < needed {
            let _ = tell.send(Playing::TooFew { agents, needed });
            return Ok(End::Finished);
        }
        let mut onlooker = Watched { game: self, tell };
        let pace = Pace { jobs: self.jobs, until: None, most: None, store: true };
        let (_, done) = playing::play_all(store, &self.state.loader, loaded, &pace, &mut onlooker)?;
        let _ = tell.send(Playing::Idle);
        Ok(done.end)
    }

    /// Tells the organiser, once, and everybody who asks.
    fn tell_failure(&self, tell: &watch::Sender<Playing>, failure: &Failure, what: fn(String) -> Playing) {
        let now = what(self.state.in_public(&failure.to_string()));
        if *tell.borrow() != now {
            output::tell(&format!("arena: {failure}; meanwhile what is stored is served"));
        }
        let _ = tell.send(now);
    }

    fn wait(&self, goes_on: impl Fn() -> bool) {
        while goes_on() && !self.is_stopped() {
            std::thread::sleep(LOOK);
        }
    }

    fn wait_a_little(&self) {
        let begun = std::time::Instant::now();
        self.wait(|| begun.elapsed() < PAUSE);
    }
}

fn playing_agents(entries: &[Entry]) -> usize {
    entries.iter().filter(|entry| !entry.withdrawn).count()
}

/// Looks on for the server: tells that matches are played.
struct Watched<'a> {
    game: &'a Game,
    tell: &'a watch::Sender<Playing>,
}

impl Onlooker for Watched<'_> {
    fn begin(&mut self, _: u64, _: Vec<String>) {
        let _ = self.tell.send(Playing::Busy);
    }

    fn see(&mut self, _: &[PlayedMatch]) {}

    fn end(&mut self) {}

    fn has_enough(&mut self) -> bool {
        self.game.is_stopped()
    }
}
