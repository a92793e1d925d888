//! What readers get: the standings as they were a moment ago.
//!
//! Owns the thread that reads the file whenever something in it has changed, and never more than a
//! twentieth of the time. Refuses to let anybody wait for it: the last snapshot is always there.

use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arena_core::Sha256Hex;
use arena_site::Tournament;
use tokio::sync::{oneshot, watch};

use super::player::Bell;
use super::state::State;
use crate::commands::standings::{self, Extras};
use crate::failure::Failure;
use crate::output;
use crate::pages::{self, Sample, Styles};
use crate::playing::Unseen;
use crate::report::Report;
use crate::store::{Entry, Store};

/// Between two looks whether something has changed.
const LOOK: Duration = Duration::from_millis(100);
/// Between two snapshots, at least.
const PAUSE: Duration = Duration::from_secs(1);
/// And at least so many times what the last one took.
const SHARE: u32 = 20;

/// Matches that are told to be worth seeing, at most.
const NOTABLE: usize = 200;

/// Why the file could not be read, if it could not.
pub(crate) type Failed = Option<String>;

/// A tournament file at one moment.
pub(crate) struct Snapshot {
    /// Everybody, in the order of submission.
    pub(crate) entries: Vec<Entry>,
    /// Who stands where; nothing as long as too few take part to play.
    pub(crate) report: Option<Report>,
    /// The same for pages, with what is told of agents there.
    pub(crate) tournament: Option<Tournament>,
    /// Matches that were played when it was looked at last how agents play.
    styles_of: u64,
    /// As `arena standings --format json` prints them; empty where there is no report.
    pub(crate) standings: String,
    /// By which two snapshots with the same standings are known.
    pub(crate) etag: String,
    /// What the secrets of the dice are committed to, each with the first pair that it is for.
    pub(crate) commitments: Vec<(u64, Sha256Hex)>,
    /// Submissions that wait to be checked.
    pub(crate) waiting: u64,
    /// Matches that were played a second since the snapshot before.
    pub(crate) rate: f64,
    taken: Instant,
}

impl Snapshot {
    /// The first one.
    pub(super) fn first(file: &Path) -> Result<Snapshot, Failure> {
        Snapshot::read(file, None)
    }

    fn read(file: &Path, before: Option<&Snapshot>) -> Result<Snapshot, Failure> {
        let store = Store::open_as_it_is(file)?;
        let (settings, entries) = (store.settings()?, store.entries()?);
        let active = entries.iter().filter(|entry| !entry.withdrawn).count();
        let report = match active < settings.seats && store.planned()?.is_empty() {
            true => None,
            false => Some(Report::read(&store, None, None)?),
        };
        let (tournament, styles_of) = match &report {
            None => (None, 0),
            Some(report) => gather(&store, report, before).map(|(gathered, of)| (Some(gathered), of))?,
        };
        let standings =
            report.as_ref().map_or_else(String::new, |report| standings::in_json(report, &Extras::default()));
        let etag = format!("\"{}\"", &Sha256Hex::of(standings.as_bytes()).to_string()[..32]);
        let secrets = store.secrets()?;
        let commitments = secrets.iter().map(|one| (one.first_pair, Sha256Hex(one.secret.commitment()))).collect();
        let taken = Instant::now();
        let waiting = store.waiting()?;
        let mut snapshot = Snapshot {
            entries,
            report,
            tournament,
            styles_of,
            standings,
            etag,
            commitments,
            waiting,
            rate: 0.0,
            taken,
        };
        if let Some(before) = before {
            let new = snapshot.played().saturating_sub(before.played());
            snapshot.rate = new as f64 / taken.duration_since(before.taken).as_secs_f64().max(1e-3);
        }
        Ok(snapshot)
    }

    /// Matches that are played.
    pub(crate) fn played(&self) -> u64 {
        self.report.as_ref().map_or(0, |report| report.played)
    }

    /// Matches that are left of what is planned.
    pub(crate) fn left(&self) -> u64 {
        self.report.as_ref().map_or(0, |report| report.left)
    }
}

/// What pages tell, and how many matches were played when it was looked at last how agents play: anew once
/// twice as many are, or somebody has come. Readers of the first snapshot do not wait for it.
fn gather(store: &Store, report: &Report, before: Option<&Snapshot>) -> Result<(Tournament, u64), Failure> {
    let sample = |styles| Sample { replays: NOTABLE, also: &[], styles };
    let Some(before) = before else { return Ok((pages::gather(store, report, sample(Styles::Unknown))?, 0)) };
    let known = before.tournament.as_ref().filter(|_| report.played < 2 * before.styles_of);
    if let Some(known) = known.filter(|known| known.agents.len() == report.compared.len()) {
        return Ok((pages::gather(store, report, sample(Styles::Of(known)))?, before.styles_of));
    }
    match pages::gather(store, report, sample(Styles::Played(1, &mut Unseen))) {
        // Another engine plays these matches otherwise: pages are as good without.
        Err(Failure::Difference(why)) => {
            output::tell(&format!("arena: note: it is not told how agents play: {why}"));
            Ok((pages::gather(store, report, sample(Styles::Unknown))?, report.played))
        }
        gathered => Ok((gathered?, report.played)),
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
    let mut look = Look { open: None, seen: None };
    let mut next = Instant::now();
    while !*stopping.borrow() {
        std::thread::sleep(LOOK);
        if Instant::now() < next {
            continue;
        }
        let begun = Instant::now();
        let before = state.now();
        let looked = std::panic::catch_unwind(AssertUnwindSafe(|| look.if_changed(state, &before)));
        match looked.unwrap_or_else(|_| Err(Failure::failed("the reading of the standings broke down"))) {
            Ok(None) => continue,
            Ok(Some(now)) => {
                if now.entries != before.entries {
                    bell.ring();
                }
                let _ = snapshot.send(Arc::new(now));
                let _ = unread.send(None);
            }
            Err(failure) => {
                look = Look { open: None, seen: None };
                let failure = failure.to_string();
                if unread.borrow().as_ref() != Some(&failure) {
                    output::tell(&format!("arena: the standings stay as they are: {failure}"));
                }
                let _ = unread.send(Some(failure));
            }
        }
        next = Instant::now() + PAUSE.max(begun.elapsed() * SHARE);
    }
}

/// What is remembered between two looks.
struct Look {
    /// Held open: a change is one that others make.
    open: Option<Store>,
    seen: Option<i64>,
}

impl Look {
    /// A new snapshot, if there is something new, or time has made a rate untrue.
    fn if_changed(&mut self, state: &State, before: &Snapshot) -> Result<Option<Snapshot>, Failure> {
        let open = match &mut self.open {
            Some(open) => open,
            none => none.insert(Store::open(&state.file)?),
        };
        let version = open.version()?;
        if self.seen == Some(version) && before.rate == 0.0 {
            return Ok(None);
        }
        self.seen = Some(version);
        Snapshot::read(&state.file, Some(before)).map(Some)
    }
}
