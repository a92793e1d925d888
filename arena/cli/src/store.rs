//! A tournament in one SQLite file.
//!
//! Owns the file's format and every statement that touches it. Refuses files that are no
//! tournament or of a newer format, to play, and to compute anything that can be computed again:
//! it keeps what was put in and what came out.

mod agents;
mod authors;
mod matches;
mod place;
mod settings;
mod submissions;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

pub(crate) use agents::{Attendance, By, Entry, Submission, Submitted, Unwelcome, unknown_agent};
pub(crate) use authors::{Listed, Token};
pub(crate) use matches::{StoredMatch, Writer, ending_name};
pub(crate) use place::Identity;
use place::{Lost, Place};
pub(crate) use settings::Settings;
pub(crate) use submissions::{Door, Received, State, Upload, Uploaded, Verdict, Waiting};

use crate::failure::Failure;
use crate::secrets::Secrets;

/// `Frkl`: tells a tournament from other SQLite files.
const APPLICATION_ID: i64 = 0x4672_6b6c;
/// The format of the file. Goes up by one whenever a table changes.
const FORMAT: i64 = 1 + MIGRATIONS.len() as i64;
/// From each format to the next one, beginning with format 1: statements that change the tables.
const MIGRATIONS: [&str; 3] = [
    "ALTER TABLE tournament ADD COLUMN wasi INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE agents ADD COLUMN suspended TEXT",
    WEB_SCHEMA,
];
const SCHEMA: &str = include_str!("store/schema.sql");
/// What format 4 added: the same statements make it in old files and in new ones.
const WEB_SCHEMA: &str = include_str!("store/web.sql");
/// How long a statement waits for another process.
const PATIENCE: Duration = Duration::from_secs(30);

/// An open tournament file.
pub(crate) struct Store {
    path: PathBuf,
    place: Place,
    connection: Connection,
    /// An older one than [`FORMAT`] only where nothing can be written.
    format: i64,
}

/// Held by the one process that plays; let go by the operating system when that process ends,
/// however it ends.
pub(crate) struct PlayLock(#[expect(dead_code, reason = "held, not read")] File);

impl Store {
    /// A new file; refuses to touch one that is there.
    pub(crate) fn create(path: &Path, settings: &Settings, secrets: &Secrets) -> Result<Store, Failure> {
        if path.exists() {
            return Err(Failure::usage(format!("{} exists already; choose another name", path.display())));
        }
        // SQLite would take it for a part of the new file.
        if let Some(left) = [wal_of(path), beside(path, "-journal")].into_iter().find(|left| left.exists()) {
            let (shown, left) = (path.display(), left.display());
            return Err(Failure::usage(format!(
                "{left} belongs to an earlier {shown}, and may hold matches of it: put that {shown} back, or remove \
                 {left}, or choose another name"
            )));
        }
        // Whole or not at all: made beside its place, and moved there when it is complete.
        let unwritable = |error: std::io::Error| Failure::usage(format!("{} cannot be made: {error}", path.display()));
        let made = draft_of(path).map_err(unwritable)?.into_temp_path();
        {
            let failed = |error: rusqlite::Error| match error.sqlite_error_code() {
                Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure) => Failure::failed(format!(
                    "{} is not made: the disk is full, or fails ({error}); make room and run the command again",
                    path.display()
                )),
                _ => explained(path, &error),
            };
            let mut connection = connect(&made, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(failed)?;
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate);
            let transaction = transaction.map_err(failed)?;
            transaction.execute_batch(SCHEMA).map_err(failed)?;
            transaction.execute_batch(WEB_SCHEMA).map_err(failed)?;
            transaction.pragma_update(None, "application_id", APPLICATION_ID).map_err(failed)?;
            transaction.pragma_update(None, "user_version", FORMAT).map_err(failed)?;
            matches::insert_endings(&transaction).map_err(failed)?;
            settings::insert(&transaction, settings, secrets).map_err(failed)?;
            transaction.commit().map_err(failed)?;
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // It holds the secret of the dice to come.
            std::fs::set_permissions(&made, std::fs::Permissions::from_mode(0o600)).map_err(unwritable)?;
        }
        made.persist_noclobber(path).map_err(|error| unwritable(error.error))?;
        Store::open(path)
    }

    /// Opens a file to read and write.
    pub(crate) fn open(path: &Path) -> Result<Store, Failure> {
        Store::open_with(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
    }

    /// Opens a file to read. Where it could be written, SQLite's own files beside it are tidied away
    /// at the end.
    pub(crate) fn open_to_read(path: &Path) -> Result<Store, Failure> {
        // Where the folder cannot be written to, or the disk is full, it can still be read. Dice are shown
        // only where that can be noted.
        let store = Store::open_to_show(path).or_else(|failure| match is_at_rest(path) {
            true => Store::open_with(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(|_| failure),
            false => Err(failure),
        })?;
        store.read_only()?;
        Ok(store)
    }

    /// The file as it is now, to be read in a process that has it open elsewhere as well.
    pub(crate) fn open_as_it_is(path: &Path) -> Result<Store, Failure> {
        let store = Store::open(path)?;
        store.read_only()?;
        Ok(store)
    }

    /// From now on nothing is written, and all that is read is of one moment, however much is stored
    /// meanwhile.
    fn read_only(&self) -> Result<(), Failure> {
        self.connection.pragma_update(None, "query_only", true).map_err(self.failing())?;
        self.connection.execute_batch("BEGIN").map_err(self.failing())
    }

    /// Refuses a file that cannot be written.
    pub(crate) fn check_writable(&self) -> Result<(), Failure> {
        // The right to write is taken and given back.
        self.connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK").map_err(self.failing())
    }

    /// A number that is another one whenever somebody else has changed the file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is no longer the one that was opened.
    pub(crate) fn version(&self) -> Result<i64, Failure> {
        if self.place.lost().is_some() {
            return Err(Failure::failed(format!("{} is not the file that was opened", self.path.display())));
        }
        let version = self.connection.pragma_query_value(None, "data_version", |row| row.get(0));
        version.map_err(self.failing())
    }

    /// Opens a file to show dice of it, which it takes note of. In an archive that nobody can write to
    /// there is no need: no newcomer can be submitted to it.
    pub(crate) fn open_to_show(path: &Path) -> Result<Store, Failure> {
        // Only a file is opened to see whether it can be: a pipe would wait for its other end.
        if std::fs::metadata(path).is_ok_and(|found| found.is_file()) && File::options().write(true).open(path).is_err()
        {
            return Store::open_with(path, OpenFlags::SQLITE_OPEN_READ_ONLY);
        }
        Store::open_with(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
    }

    fn open_with(path: &Path, flags: OpenFlags) -> Result<Store, Failure> {
        let shown = path.display();
        let unusable = |error: std::io::Error| Failure::usage(format!("tournament {shown} cannot be opened: {error}"));
        let metadata = std::fs::metadata(path).map_err(unusable)?;
        if metadata.is_dir() {
            return Err(Failure::usage(format!("tournament {shown} is a folder")));
        }
        if !metadata.is_file() {
            return Err(Failure::usage(format!("{shown} is no file, and so no tournament")));
        }
        let connection = connect(path, flags).map_err(|error| match error.sqlite_error_code() {
            // SQLite does not say why it cannot. Where it can, the file must not be opened beside it: closing
            // it again would let go of the locks of every connection of this process.
            Some(ErrorCode::CannotOpen) => File::open(path).err().map_or_else(|| explained(path, &error), unusable),
            _ => explained(path, &error),
        })?;
        let place = Place::new(path, &metadata);
        let mut store = Store { path: path.to_owned(), place, connection, format: FORMAT };
        let failed = store.failing();
        let pragma = |name: &str| store.connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let (id, format) = (pragma("application_id").map_err(&failed)?, pragma("user_version").map_err(&failed)?);
        if id != APPLICATION_ID {
            return Err(Failure::usage(format!("{shown} is no tournament: `arena create` makes one")));
        }
        if !(1..=FORMAT).contains(&format) {
            let age = if format > FORMAT { "newer" } else { "unknown" };
            return Err(Failure::usage(format!(
                "tournament {shown} has the {age} format {format}; this arena reads format {FORMAT}"
            )));
        }
        if flags.contains(OpenFlags::SQLITE_OPEN_READ_WRITE) {
            migrate(&mut store.connection, format, &MIGRATIONS).map_err(&failed)?;
        } else {
            store.format = format;
        }
        Ok(store)
    }

    /// Takes the right to play, which one process has at a time.
    pub(crate) fn lock_to_play(&self) -> Result<PlayLock, Failure> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            // SQLite keeps what is new in a file that is named after this one: by two names it would be two.
            if std::fs::metadata(self.place.path()).is_ok_and(|found| found.nlink() > 1) {
                return Err(Failure::failed(format!(
                    "{} has a second name (a hard link), and who plays it by both loses matches: play a copy of it, or \
                     remove the other name",
                    self.path.display()
                )));
            }
        }
        // By whatever links a file is reached, it has one lock.
        let path = beside(self.place.path(), "-playing");
        let unlockable = |error: &dyn std::fmt::Display| {
            Failure::failed(format!("the lock {} cannot be taken: {error}", path.display()))
        };
        let file = File::options().create(true).append(true).open(&path).map_err(|error| unlockable(&error))?;
        match file.try_lock() {
            Ok(()) => Ok(PlayLock(file)),
            Err(std::fs::TryLockError::WouldBlock) => Err(Failure::failed(format!(
                "another `arena run` or `arena serve` is playing {}; stop it first, or wait for its end",
                self.path.display()
            ))),
            Err(std::fs::TryLockError::Error(error)) => Err(unlockable(&error)),
        }
    }

    /// Whether SQLite finds its own file in order: its complaints, none if it is.
    pub(crate) fn complaints(&self) -> Result<Vec<String>, Failure> {
        let failed = self.failing();
        let mut statement = self.connection.prepare("PRAGMA integrity_check(20)").map_err(&failed)?;
        let lines = statement.query_map([], |row| row.get::<_, String>(0)).map_err(&failed)?;
        let mut found = lines.collect::<Result<Vec<_>, _>>().map_err(&failed)?;
        found.retain(|line| line != "ok");
        let mut statement = self.connection.prepare("PRAGMA foreign_key_check").map_err(&failed)?;
        let broken = statement
            .query_map([], |row| {
                Ok(format!(
                    "a row of {} refers to a row of {} that is gone",
                    row.get::<_, String>(0)?,
                    row.get::<_, String>(2)?
                ))
            })
            .map_err(&failed)?;
        found.extend(broken.collect::<Result<Vec<_>, _>>().map_err(&failed)?);
        Ok(found)
    }

    /// Refuses to go on where the file is no longer the one that was opened, and saves what is in that
    /// one: SQLite still holds it, and nobody else can.
    fn still_there(&self) -> Result<(), Failure> {
        if let Some(lost) = self.lost() {
            return Err(self.save(lost));
        }
        let (shown, wal) = (self.path.display(), wal_of(self.place.path()));
        match wal.exists() {
            true => Ok(()),
            // SQLite still has it, and brings it home when it closes the file; after a loss of power it could not.
            false => Err(Failure::failed(format!(
                "{} was removed by another program while {shown} was open: nothing is lost yet; run the command again",
                wal.display()
            ))),
        }
    }

    /// What happened to the file since it was opened, if anything did: cut short it is told once.
    pub(crate) fn lost(&self) -> Option<Lost> {
        self.place.lost()
    }

    /// Saves what is in a file that can be reached no more, and says what there is to say.
    pub(crate) fn save(&self, lost: Lost) -> Failure {
        let shown = self.path.display();
        Failure::failed(match lost {
            Lost::Cut => format!(
                "{shown} was cut short by another program while it was open: `arena verify {shown}` says what is left of it"
            ),
            Lost::Elsewhere(what) => match self.rescue() {
                Ok(rescued) => format!(
                    "{shown} {what} while it was open: all that was stored is in {0}, and `arena run {0}` goes on",
                    rescued.display()
                ),
                Err(why) => format!("{shown} {what} while it was open, and what was stored cannot be saved: {why}"),
            },
        })
    }

    /// Writes everything to a new file beside the place of the old one.
    fn rescue(&self) -> anyhow::Result<PathBuf> {
        let draft = draft_of(&self.path)?;
        let name = draft.path().to_str().ok_or_else(|| anyhow::anyhow!("its path is no UTF-8"))?;
        self.connection.execute("VACUUM INTO ?1", [name])?;
        draft.as_file().sync_all()?;
        let (mut number, mut rescued) = (1, beside(&self.path, "-rescued"));
        while rescued.exists() {
            number += 1;
            rescued = beside(&self.path, &format!("-rescued-{number}"));
        }
        draft.persist_noclobber(&rescued)?;
        // What is left under the old name would be taken for a part of whatever file has it now.
        self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
        Ok(rescued)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What an error of SQLite means to a person.
    fn failing(&self) -> impl Fn(rusqlite::Error) -> Failure + use<> {
        let path = self.path.clone();
        move |error| explained(&path, &error)
    }
}

/// Brings the tables from a format to the one after the last of the steps: all of it or nothing.
fn migrate(connection: &mut Connection, format: i64, steps: &[&str]) -> rusqlite::Result<()> {
    let due = steps.get(format as usize - 1..).unwrap_or_default();
    if due.is_empty() {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have been faster.
    let now: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    for step in steps.get(now as usize - 1..).unwrap_or_default() {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", steps.len() as i64 + 1)?;
    transaction.commit()
}

fn connect(file: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    // Some names mean something to SQLite; a path never does.
    let file = &if file.is_absolute() { file.to_owned() } else { Path::new(".").join(file) };
    let connection = if flags.contains(OpenFlags::SQLITE_OPEN_READ_ONLY) && is_at_rest(file) {
        // Where nothing can be written, SQLite can make no file to share with others either. Nobody
        // else is at work there.
        let file = file.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        let uri = format!("file:{file}?immutable=1");
        Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI)?
    } else {
        Connection::open_with_flags(file, flags)?
    };
    connection.busy_timeout(PATIENCE)?;
    // In KiB. Matches are written and read one after another, so that more pages would be kept for nothing.
    connection.pragma_update(None, "cache_size", -512)?;
    if flags.contains(OpenFlags::SQLITE_OPEN_READ_WRITE) {
        // Readers see a running tournament, and what is committed survives a loss of power.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
    }
    Ok(connection)
}

/// Where SQLite keeps what is not in the file yet.
fn wal_of(file: &Path) -> PathBuf {
    beside(file, "-wal")
}

/// Whether everything is in the file itself, and no process works on it. One that does shares at least
/// 32 KiB with others; where there is no room for that, SQLite leaves less.
fn is_at_rest(file: &Path) -> bool {
    // SQLite names its own files after the one that a link leads to.
    let file = &std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let length = |path: PathBuf| std::fs::metadata(path).map_or(0, |found| found.len());
    length(wal_of(file)) == 0 && length(beside(file, "-shm")) < 32_768
}

/// A file whose name is that of another one with something after it.
fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// An empty, private file in the folder of another one, which it may become.
fn draft_of(path: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    tempfile::Builder::new().prefix(".arena-").tempfile_in(folder)
}

/// That a disk is full, or fails: the reason of a [`Failure`] by which this one is known.
#[derive(Debug)]
pub(crate) struct NoRoom(String);

impl std::fmt::Display for NoRoom {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoRoom {}

impl NoRoom {
    fn failure(message: String) -> Failure {
        Failure::Failed(NoRoom(message).into())
    }
}

fn explained(path: &Path, error: &rusqlite::Error) -> Failure {
    let shown = path.display();
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => Failure::usage(format!("{shown} is no tournament: `arena create` makes one")),
        Some(ErrorCode::DatabaseCorrupt) => Failure::usage(format!("tournament {shown} is damaged: {error}")),
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
            Failure::usage(format!("tournament {shown} cannot be written: {error}"))
        }
        Some(ErrorCode::DiskFull) => NoRoom::failure(format!(
            "the disk is full: what was committed to {shown} is safe; make room and run the command again"
        )),
        Some(ErrorCode::SystemIoFailure) => NoRoom::failure(format!(
            "the disk of {shown} is full, or fails ({error}): what was committed stays; make room and run the command again"
        )),
        Some(ErrorCode::ConstraintViolation) => Failure::failed(format!(
            "another process plays {shown} as well, and was faster ({error}): its matches stay; end one of the two"
        )),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            Failure::failed(format!("tournament {shown} is held by another process; try again"))
        }
        _ => Failure::failed(format!("tournament {shown}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With steps that are made up.
    /// Before format 2 no agent could import WASI.
    #[test]
    fn files_of_old_formats_are_read_and_brought_up_to_date() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old.db");
        let settings = Settings {
            ruleset: farkle::presets::IMMEDIATE_WIN.clone(),
            play: crate::play::Play::Duel,
            seats: 2,
            pairs: 3,
            limits: arena_core::Allowance::Standard.limits(),
            wasi: arena_host::Wasi::None,
        };
        let secret = arena_core::seeds::TournamentSecret::from_seed(1);
        let mut store = Store::create(&path, &settings, &Secrets::first(secret.clone(), Some(1))).unwrap();
        let submission =
            Submission { name: "a", by: By::Organiser(None), claim: "a 1", bytes: b"its bytes", spare: &secret };
        store.submit(&submission).unwrap();
        let entries = store.entries().unwrap();
        drop(store);
        let back = [
            "DROP INDEX faulty_matches; DROP TABLE submissions; DROP TABLE authors; PRAGMA user_version = 3",
            "ALTER TABLE agents DROP COLUMN suspended; PRAGMA user_version = 2",
            "ALTER TABLE tournament DROP COLUMN wasi; PRAGMA user_version = 1",
        ];
        for steps in 1..=back.len() {
            let old = Connection::open(&path).unwrap();
            old.execute_batch(&back[..steps].join(";")).unwrap();
            drop(old);

            let archive = Store::open_with(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
            assert_eq!((archive.settings().unwrap(), archive.entries().unwrap()), (settings.clone(), entries.clone()));
            assert_eq!((archive.authors().unwrap(), archive.waiting().unwrap()), (vec![], 0));
            drop(archive);
            let store = Store::open(&path).unwrap();
            assert_eq!((store.settings().unwrap(), store.entries().unwrap()), (settings.clone(), entries.clone()));
            let now = Connection::open(&path).unwrap();
            assert_eq!(now.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0)).unwrap(), 4);
            assert_eq!(store.set_token("Ann", [7; 32]).unwrap(), Token::First);
            assert_eq!(now.query_row("SELECT wasi FROM tournament", [], |row| row.get::<_, i64>(0)).unwrap(), 0);
        }
    }

    #[test]
    fn migrations_run_once_in_order_and_all_or_nothing() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE a (x); PRAGMA user_version = 1").unwrap();
        let steps = ["ALTER TABLE a ADD COLUMN y", "UPDATE a SET y = 1; CREATE TABLE b (z)"];
        let format = |connection: &Connection| -> i64 {
            connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
        };
        let broken = [steps[0], "CREATE TABLE a (again)"];
        assert!(migrate(&mut connection, 1, &broken).is_err());
        assert_eq!(format(&connection), 1);
        assert!(connection.prepare("SELECT y FROM a").is_err(), "the first step is taken back");
        migrate(&mut connection, 1, &steps[..1]).unwrap();
        assert_eq!(format(&connection), 2);
        migrate(&mut connection, 2, &steps).unwrap();
        assert_eq!(format(&connection), 3);
        migrate(&mut connection, 3, &steps).unwrap();
        assert!(connection.prepare("SELECT y, z FROM a, b").is_ok());
    }
}
