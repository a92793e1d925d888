//! What readers get: the standings as they were a moment ago.
//!
//! Owns the thread that reads the file whenever something in it has changed: what is counted at once, and, for
//! a small share of the time, who stands where; and another one that now and then looks how agents play. Refuses to let anybody wait for it: the last snapshot is always
//! there.

use std::ops::Deref;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use arena_core::Sha256Hex;
use arena_site::Tournament;
use tokio::sync::{oneshot, watch};

use super::player::{Bell, Playing};
use super::state::State;
use crate::commands::standings::{self, Extras};
use crate::failure::Failure;
use crate::output;
use crate::pages::{self, Sample, Styles};
use crate::playing::{self, Unseen};
use crate::report::Report;
use crate::store::{Entry, Store};

/// Between two looks whether something has changed.
const LOOK: Duration = Duration::from_millis(100);
/// Between two snapshots, at least.
const PAUSE: Duration = Duration::from_secs(1);
/// And at least so many times what the last one took.
const SHARE: u32 = 8;
/// Matches that are played again to see how agents play.
const LOOKED_AT: u64 = 2_000;

/// Matches that are told to be worth seeing, at most.
const NOTABLE: usize = 200;

/// Why the file could not be read, if it could not.
pub(crate) type Failed = Option<String>;

/// A tournament file at one moment.
pub(crate) struct Snapshot {
    /// Everybody, in the order of submission.
    pub(crate) entries: Vec<Entry>,
    /// Matches that are played.
    pub(crate) played: u64,
    /// Matches that are left of what is planned.
    pub(crate) left: u64,
    /// What the secrets of the dice are committed to, each with the first pair that it is for.
    pub(crate) commitments: Vec<(u64, Sha256Hex)>,
    /// Submissions that wait to be checked.
    pub(crate) waiting: u64,
    /// Matches that were played a second since the snapshot before.
    pub(crate) rate: f64,
    taken: Instant,
    standing: Arc<Standing>,
}

/// Who stands where: it takes longer to find out, and may be of an earlier moment.
pub(crate) struct Standing {
    /// Who stands where; nothing as long as too few take part to play.
    pub(crate) report: Option<Report>,
    /// The same for pages, with what is told of agents there.
    pub(crate) tournament: Option<Tournament>,
    /// As `arena standings --format json` prints them; empty where there is no report.
    pub(crate) standings: String,
    /// By which two snapshots with the same standings are known.
    pub(crate) etag: String,
    /// Who was there.
    of: Vec<Entry>,
}

impl Deref for Snapshot {
    type Target = Standing;

    fn deref(&self) -> &Standing {
        &self.standing
    }
}

impl Snapshot {
    /// The first one.
    pub(super) fn first(file: &Path) -> Result<Snapshot, Failure> {
        let store = Store::open_as_it_is(file)?;
        let standing = Standing::of(&store, &Styled::default())?;
        Snapshot::of(&store, Arc::new(standing))
    }

    /// What is known at once, with a standing that may be older.
    fn of(store: &Store, standing: Arc<Standing>) -> Result<Snapshot, Failure> {
        let (entries, planned, secrets) = (store.entries()?, store.planned()?, store.secrets()?);
        let played = planned.iter().map(|planned| planned.played * planned.block.agents.len() as u64).sum();
        let left = playing::left(&planned, &entries);
        let commitments = secrets.iter().map(|one| (one.first_pair, Sha256Hex(one.secret.commitment()))).collect();
        let waiting = store.waiting()?;
        Ok(Snapshot { entries, played, left, commitments, waiting, rate: 0.0, taken: Instant::now(), standing })
    }

    /// The same, later.
    fn after(&self, store: &Store) -> Result<Snapshot, Failure> {
        let mut now = Snapshot::of(store, self.standing.clone())?;
        let new = now.played.saturating_sub(self.played);
        now.rate = new as f64 / now.taken.duration_since(self.taken).as_secs_f64().max(1e-3);
        Ok(now)
    }

    /// Whether more is known than who stood where says.
    fn is_ahead(&self) -> bool {
        self.of != self.entries || self.report.as_ref().is_some_and(|report| report.played != self.played)
    }
}

impl Standing {
    fn of(store: &Store, styled: &Styled) -> Result<Standing, Failure> {
        let (settings, of) = (store.settings()?, store.entries()?);
        let active = of.iter().filter(|entry| !entry.withdrawn).count();
        let report = match active < settings.seats && store.planned()?.is_empty() {
            true => None,
            false => Some(Report::read(store, None, None)?),
        };
        let styles = || styled.tournament.as_ref().map_or(Styles::Unknown, Styles::Of);
        let gather = |report| pages::gather(store, report, Sample { replays: NOTABLE, also: &[], styles: styles() });
        let tournament = report.as_ref().map(gather).transpose()?;
        let standings =
            report.as_ref().map_or_else(String::new, |report| standings::in_json(report, &Extras::default()));
        let etag = format!("\"{}\"", &Sha256Hex::of(standings.as_bytes()).to_string()[..32]);
        Ok(Standing { report, tournament, standings, etag, of })
    }
}

/// What is known of how agents play. To know it, matches are played again, which takes as long as agents take:
/// on a thread of its own, so that nothing waits for it.
#[derive(Default)]
struct Styled {
    /// As it was then.
    tournament: Option<Tournament>,
    /// Matches that were played, and agents that were in the standings.
    of: (u64, usize),
    looking: Option<JoinHandle<Result<Tournament, Failure>>>,
    /// Whether the standings that are shown do not know it yet.
    is_new: bool,
}

impl Styled {
    /// Whether it is worth its time to look: the first time, then once twice as many matches are played, or somebody
    /// has come.
    fn is_due(&self, shown: &Tournament) -> bool {
        let (played, agents) = self.of;
        let has_grown = shown.played >= 2 * played || shown.agents.len() != agents;
        shown.played > 0 && has_grown && self.looking.is_none()
    }

    /// Begins to look.
    fn look(&mut self, state: &State, shown: &Tournament) -> Result<(), Failure> {
        self.of = (shown.played, shown.agents.len());
        let state = state.clone();
        let look = move || {
            let store = state.open_as_it_is()?;
            let report = Report::read(&store, None, None)?;
            let styles = Styles::Played { jobs: 1, most: LOOKED_AT, onlooker: &mut Unseen };
            pages::gather(&store, &report, Sample { replays: 0, also: &[], styles })
        };
        let looking = std::thread::Builder::new().name("styles".to_owned()).spawn(look);
        self.looking = Some(looking.map_err(|error| Failure::failed(format!("a thread does not start: {error}")))?);
        Ok(())
    }

    /// Takes what was found, if that has come.
    fn take(&mut self) {
        let Some(looking) = self.looking.take_if(|looking| looking.is_finished()) else { return };
        match looking.join() {
            Ok(Ok(tournament)) => (self.tournament, self.is_new) = (Some(tournament), true),
            // Another engine plays these matches otherwise: pages are as good without.
            Ok(Err(failure)) => output::tell(&format!("arena: note: it is not told how agents play: {failure}")),
            // The panic is told where it happens.
            Err(_) => {}
        }
    }
}

/// Keeps the snapshot new, on a thread of its own, until the server stops. Rings the player's bell
/// where somebody has come or gone.
pub(super) fn keep(
    state: &State,
    tell: (watch::Sender<Arc<Snapshot>>, watch::Sender<Failed>),
    bell: Bell,
    stopping: watch::Receiver<bool>,
) -> Result<oneshot::Receiver<()>, Failure> {
    let (state, (ending, ended)) = (state.clone(), oneshot::channel());
    let keeping = std::thread::Builder::new().name("snapshot".to_owned()).spawn(move || {
        super::give_way();
        look_again(&state, tell, &bell, &stopping);
        drop(ending);
    });
    keeping.map_err(|error| Failure::failed(format!("the snapshot's thread does not start: {error}")))?;
    Ok(ended)
}

fn look_again(
    state: &State,
    tell: (watch::Sender<Arc<Snapshot>>, watch::Sender<Failed>),
    bell: &Bell,
    stopping: &watch::Receiver<bool>,
) {
    let (snapshot, unread) = tell;
    let (next, next_standing) = (Instant::now(), Instant::now());
    let mut look = Look { open: None, gone: None, seen: None, next, next_standing, styled: Styled::default() };
    let publish = |now: Snapshot| {
        let _ = snapshot.send(Arc::new(now));
    };
    while !*stopping.borrow() {
        std::thread::sleep(LOOK);
        if Instant::now() < look.next {
            continue;
        }
        let before = state.now();
        let looked = std::panic::catch_unwind(AssertUnwindSafe(|| look.again(state, &before, bell, &publish)));
        match looked.unwrap_or_else(|_| Err(Failure::failed("the reading of the standings broke down"))) {
            Ok(()) => {
                if unread.borrow().is_some() {
                    let _ = unread.send(None);
                }
            }
            Err(failure) => {
                // What nobody else can reach is held for as long as it may come back.
                if look.gone.is_none() {
                    look.open = None;
                }
                look.seen = None;
                let failure = failure.to_string();
                if unread.borrow().as_ref() != Some(&failure) {
                    output::tell(&format!("arena: the standings stay as they are: {failure}"));
                }
                let _ = unread.send(Some(failure));
                look.next = Instant::now() + PAUSE;
            }
        }
    }
    // It ends by the same signal.
    if let Some(looking) = look.styled.looking {
        let _ = looking.join();
    }
}

/// What is remembered between two looks.
struct Look {
    /// Held open: a change is one that others make.
    open: Option<Store>,
    /// What was said when that was no longer the file in its place, as long as it is not.
    gone: Option<String>,
    seen: Option<i64>,
    /// When to look again, and when again at who stands where.
    next: Instant,
    next_standing: Instant,
    styled: Styled,
}

impl Look {
    /// Publishes what is new, or what time has made untrue, as a rate.
    fn again(
        &mut self,
        state: &State,
        before: &Snapshot,
        bell: &Bell,
        publish: &dyn Fn(Snapshot),
    ) -> Result<(), Failure> {
        let open = match &mut self.open {
            Some(open) => open,
            none => none.insert(state.open_store()?),
        };
        match open.lost() {
            None => self.gone = None,
            Some(lost) => {
                let is_new = self.gone.is_none();
                // Whoever plays saves it.
                let busy = *state.playing.borrow() == Playing::Busy;
                let gone = self.gone.get_or_insert_with(|| match busy {
                    true => format!("{} is no longer the file that is served", state.file.display()),
                    false => open.save(lost).to_string(),
                });
                if is_new {
                    bell.ring();
                }
                return Err(Failure::failed(gone.clone()));
            }
        }
        let version = open.version()?;
        self.styled.take();
        let has_changed = self.seen != Some(version) || before.rate > 0.0;
        if !has_changed && !before.is_ahead() && !self.styled.is_new {
            return Ok(());
        }
        let begun = Instant::now();
        let store = state.open_as_it_is()?;
        let mut now = before.after(&store)?;
        self.seen = Some(version);
        if now.entries != before.entries {
            bell.ring();
        }
        self.next = Instant::now() + PAUSE.max(begun.elapsed() * SHARE);
        // The last matches are not waited for: where nothing is left, standings are those of the end.
        let is_due = Instant::now() >= self.next_standing || now.left == 0;
        if (is_due && now.is_ahead()) || self.styled.is_new {
            let begun = Instant::now();
            now.standing = Arc::new(Standing::of(&store, &self.styled)?);
            self.styled.is_new = false;
            self.next_standing = Instant::now() + PAUSE.max(begun.elapsed() * SHARE);
        }
        if let Some(shown) = now.tournament.as_ref().filter(|shown| self.styled.is_due(shown)) {
            self.styled.look(state, shown)?;
        }
        publish(now);
        Ok(())
    }
}
