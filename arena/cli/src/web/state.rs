//! What the parts of a server share.
//!
//! Owns the way from a request to the file: on other threads, and on few of them at a time. Refuses to open
//! the file but through [`Store::open`], since this process has it open all the time, and another one that
//! lies in its place.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use arena_core::analysis::Analyst;
use axum::http::StatusCode;
use tokio::sync::{Notify, Semaphore, watch};

use super::guard::Names;
use super::limits::Limits;
use super::player::Playing;
use super::problem::Problem;
use super::replays::Replays;
use super::snapshot::{Failed, Snapshot};
use crate::args::{DiceFor, ServeArgs};
use crate::failure::Failure;
use crate::loader::Loader;
use crate::store::{Identity, Settings, Store};

/// Requests that work with the file at one time.
const AT_ONE_TIME: usize = 4;
/// Uploads that are taken at one time: what they hold in memory is bounded by it.
const UPLOADS_AT_ONE_TIME: usize = 16;

/// What the parts of a server share.
#[derive(Clone)]
pub(crate) struct State(Arc<Shared>);

/// The same, behind [`State`].
pub(crate) struct Shared {
    pub(crate) file: PathBuf,
    /// Which one that was when it was opened first.
    identity: Option<Identity>,
    pub(crate) settings: Settings,
    pub(crate) loader: Loader,
    /// What readers get.
    pub(crate) snapshot: watch::Receiver<Arc<Snapshot>>,
    /// Why it is not the newest, if it is not.
    pub(crate) unread: watch::Receiver<Failed>,
    pub(crate) playing: watch::Receiver<Playing>,
    /// Rung when something was submitted.
    pub(crate) submitted: Notify,
    pub(crate) limits: Limits,
    pub(crate) replays: Replays,
    /// Who judges matches, once best play is known, if it ever is.
    pub(crate) analyst: OnceLock<Analyst>,
    pub(crate) names: Names,
    pub(crate) behind_proxy: bool,
    pub(crate) new_dice_for: DiceFor,
    /// Agents of one author that may take part.
    pub(crate) agents_of_author: usize,
    pub(crate) uploads: Semaphore,
    file_users: Semaphore,
}

/// What the threads behind a server tell.
pub(super) struct Watching {
    pub(super) snapshot: (watch::Sender<Arc<Snapshot>>, watch::Sender<Failed>),
    pub(super) playing: watch::Sender<Playing>,
}

impl Deref for State {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Shared {
    /// Opens a file to serve it.
    pub(super) fn open(args: &ServeArgs) -> Result<(State, Watching), Failure> {
        // Old tables are brought up to date, and a file that cannot be written is refused.
        let store = Store::open(&args.file)?;
        store.check_writable()?;
        let settings = store.settings()?;
        let (snapshot_sender, snapshot) = watch::channel(Arc::new(Snapshot::first(&args.file)?));
        let (unread_sender, unread) = watch::channel(None);
        let (playing_sender, playing) = watch::channel(Playing::Off);
        let loader = Loader::new(settings.wasi)?;
        let shared = Shared {
            file: args.file.clone(),
            identity: Identity::at(&args.file),
            settings,
            loader,
            snapshot,
            unread,
            playing,
            submitted: Notify::new(),
            limits: Limits::new(),
            replays: Replays::new(),
            analyst: OnceLock::new(),
            names: Names::new(args),
            behind_proxy: args.behind_proxy,
            new_dice_for: args.new_dice_for,
            agents_of_author: args.agents.into(),
            uploads: Semaphore::new(UPLOADS_AT_ONE_TIME),
            file_users: Semaphore::new(AT_ONE_TIME),
        };
        let watching = Watching { snapshot: (snapshot_sender, unread_sender), playing: playing_sender };
        Ok((State(Arc::new(shared)), watching))
    }

    /// Opens the file to read and write.
    ///
    /// # Errors
    ///
    /// When it cannot be opened, or another file has its place: what is known of the one that is served, rules,
    /// agents and secrets, is not that one's.
    pub(crate) fn open_store(&self) -> Result<Store, Failure> {
        self.check_is_the_same()?;
        Store::open(&self.file)
    }

    /// The file as it is now, to be read. Errors as of [`Shared::open_store`].
    pub(crate) fn open_as_it_is(&self) -> Result<Store, Failure> {
        self.check_is_the_same()?;
        Store::open_as_it_is(&self.file)
    }

    fn check_is_the_same(&self) -> Result<(), Failure> {
        match Identity::at(&self.file) {
            there @ Some(_) if there != self.identity => Err(Failure::failed(format!(
                "another file has taken the place of {0}: start the server again to serve that one, or put the one that \
                 is served back",
                self.file.display()
            ))),
            // Where there is none, opening says so.
            _ => Ok(()),
        }
    }

    /// What the file is called, without where it lies.
    pub(crate) fn file_name(&self) -> String {
        self.file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }

    /// What the organiser is told, as everybody may hear it: without where the file lies.
    pub(crate) fn in_public(&self, failure: &str) -> String {
        let named = failure.replace(&self.file.display().to_string(), &self.file_name());
        match std::fs::canonicalize(&self.file) {
            Ok(path) => named.replace(&path.display().to_string(), &self.file_name()),
            Err(_) => named,
        }
    }
}

impl State {
    /// The newest snapshot.
    pub(crate) fn now(&self) -> Arc<Snapshot> {
        self.snapshot.borrow().clone()
    }

    /// Does something that takes its time with the open file, on another thread.
    pub(crate) async fn with_store<T: Send + 'static>(
        &self,
        what: impl FnOnce(&State, &mut Store) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let Ok(_permit) = self.file_users.acquire().await else { return Err(Problem::broken()) };
        let state = self.clone();
        let work = tokio::task::spawn_blocking(move || what(&state, &mut state.open_store()?));
        work.await.unwrap_or_else(|_| Err(Problem::broken()))
    }

    /// The same with the file as it is at one moment.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        what: impl FnOnce(&State, &Store) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let Ok(_permit) = self.file_users.acquire().await else { return Err(Problem::broken()) };
        let state = self.clone();
        let work = tokio::task::spawn_blocking(move || what(&state, &state.open_as_it_is()?));
        work.await.unwrap_or_else(|_| Err(Problem::broken()))
    }

    /// The standings, or that there are none.
    pub(crate) fn standings(&self) -> Result<Arc<Snapshot>, Problem> {
        let snapshot = self.now();
        match snapshot.report.is_some() {
            true => Ok(snapshot),
            false => Err(Problem::new(
                StatusCode::NOT_FOUND,
                "too-few-agents",
                format!("too few agents take part in {} to play", self.file_name()),
            )),
        }
    }
}
