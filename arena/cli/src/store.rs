//! A tournament in one SQLite file.
//!
//! Owns the file's format and every statement that touches it. Refuses files that are no
//! tournament or of a newer format, to play, and to compute anything that can be computed again:
//! it keeps what was put in and what came out.

mod agents;
mod matches;
mod settings;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

pub(crate) use agents::{Entry, Submission, Submitted};
pub(crate) use matches::{StoredMatch, Writer, ending_name};
pub(crate) use settings::Settings;

use crate::failure::Failure;
use crate::secrets::Secrets;

/// `Frkl`: tells a tournament from other SQLite files.
const APPLICATION_ID: i64 = 0x4672_6b6c;
/// The format of the file. Goes up by one whenever a table changes.
const FORMAT: i64 = 1 + MIGRATIONS.len() as i64;
/// From each format to the next one, beginning with format 1: statements that change the tables.
const MIGRATIONS: [&str; 1] = ["ALTER TABLE tournament ADD COLUMN wasi INTEGER NOT NULL DEFAULT 0"];
const SCHEMA: &str = include_str!("store/schema.sql");
/// How long a statement waits for another process.
const PATIENCE: Duration = Duration::from_secs(30);

/// An open tournament file.
pub(crate) struct Store {
    path: PathBuf,
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
        // Whole or not at all: made beside its place, and moved there when it is complete.
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let unwritable = |error: std::io::Error| Failure::usage(format!("{} cannot be made: {error}", path.display()));
        let made = tempfile::Builder::new().prefix(".arena-").tempfile_in(folder).map_err(unwritable)?.into_temp_path();
        {
            let mut store = Store {
                path: path.to_owned(),
                connection: connect(&made, OpenFlags::SQLITE_OPEN_READ_WRITE, path)?,
                format: FORMAT,
            };
            let failed = store.failing();
            let transaction = store.connection.transaction_with_behavior(TransactionBehavior::Immediate);
            let transaction = transaction.map_err(&failed)?;
            transaction.execute_batch(SCHEMA).map_err(&failed)?;
            transaction.pragma_update(None, "application_id", APPLICATION_ID).map_err(&failed)?;
            transaction.pragma_update(None, "user_version", FORMAT).map_err(&failed)?;
            matches::insert_endings(&transaction).map_err(&failed)?;
            settings::insert(&transaction, settings, secrets).map_err(&failed)?;
            transaction.commit().map_err(&failed)?;
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
        let store = Store::open_to_show(path)?;
        store.connection.pragma_update(None, "query_only", true).map_err(store.failing())?;
        // All that is read is of one moment, however much is stored meanwhile.
        store.connection.execute_batch("BEGIN").map_err(store.failing())?;
        Ok(store)
    }

    /// Opens a file to show dice of it, which it takes note of. In an archive that nobody can write to
    /// there is no need: no newcomer can be submitted to it.
    pub(crate) fn open_to_show(path: &Path) -> Result<Store, Failure> {
        let is_writable = File::options().write(true).open(path).is_ok();
        Store::open_with(
            path,
            if is_writable { OpenFlags::SQLITE_OPEN_READ_WRITE } else { OpenFlags::SQLITE_OPEN_READ_ONLY },
        )
    }

    fn open_with(path: &Path, flags: OpenFlags) -> Result<Store, Failure> {
        let shown = path.display();
        let metadata = std::fs::metadata(path)
            .map_err(|error| Failure::usage(format!("tournament {shown} cannot be opened: {error}")))?;
        if metadata.is_dir() {
            return Err(Failure::usage(format!("tournament {shown} is a folder")));
        }
        let mut store = Store { path: path.to_owned(), connection: connect(path, flags, path)?, format: FORMAT };
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
        let mut name = self.path.as_os_str().to_owned();
        name.push("-playing");
        let path = PathBuf::from(name);
        let unlockable = |error: &dyn std::fmt::Display| {
            Failure::failed(format!("the lock {} cannot be taken: {error}", path.display()))
        };
        let file = File::options().create(true).append(true).open(&path).map_err(|error| unlockable(&error))?;
        match file.try_lock() {
            Ok(()) => Ok(PlayLock(file)),
            Err(std::fs::TryLockError::WouldBlock) => Err(Failure::failed(format!(
                "another `arena run` is playing {}; stop it first, or wait for its end",
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

fn connect(file: &Path, flags: OpenFlags, shown: &Path) -> Result<Connection, Failure> {
    let failed = |error: rusqlite::Error| explained(shown, &error);
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    // Some names mean something to SQLite; a path never does.
    let file = &if file.is_absolute() { file.to_owned() } else { Path::new(".").join(file) };
    let connection = if flags.contains(OpenFlags::SQLITE_OPEN_READ_ONLY) && !wal_of(file).exists() {
        // Where nothing can be written, SQLite can make no file to share with others either. Nobody
        // else is at work there.
        let file = file.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        let uri = format!("file:{file}?immutable=1");
        Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI).map_err(failed)?
    } else {
        Connection::open_with_flags(file, flags).map_err(failed)?
    };
    connection.busy_timeout(PATIENCE).map_err(failed)?;
    if flags.contains(OpenFlags::SQLITE_OPEN_READ_WRITE) {
        // Readers see a running tournament, and what is committed survives a loss of power.
        connection.pragma_update(None, "journal_mode", "WAL").map_err(failed)?;
        connection.pragma_update(None, "synchronous", "FULL").map_err(failed)?;
        connection.pragma_update(None, "foreign_keys", true).map_err(failed)?;
    }
    Ok(connection)
}

/// Where SQLite keeps what is not in the file yet.
fn wal_of(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push("-wal");
    PathBuf::from(name)
}

fn explained(path: &Path, error: &rusqlite::Error) -> Failure {
    let shown = path.display();
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => Failure::usage(format!("{shown} is no tournament: `arena create` makes one")),
        Some(ErrorCode::DatabaseCorrupt) => Failure::usage(format!("tournament {shown} is damaged: {error}")),
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
            Failure::usage(format!("tournament {shown} cannot be written: {error}"))
        }
        Some(ErrorCode::DiskFull) => Failure::failed(format!(
            "the disk is full: what was committed to {shown} is safe; make room and run the command again"
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
    fn a_file_of_format_1_is_read_and_brought_up_to_date() {
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
        drop(Store::create(&path, &settings, &Secrets::first(secret, Some(1))).unwrap());
        let old = Connection::open(&path).unwrap();
        old.execute_batch("ALTER TABLE tournament DROP COLUMN wasi; PRAGMA user_version = 1").unwrap();
        drop(old);

        let archive = Store::open_with(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
        assert_eq!(archive.settings().unwrap(), settings);
        drop(archive);
        assert_eq!(Store::open(&path).unwrap().settings().unwrap(), settings);
        let now = Connection::open(&path).unwrap();
        assert_eq!(now.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0)).unwrap(), 2);
        assert_eq!(now.query_row("SELECT wasi FROM tournament", [], |row| row.get::<_, i64>(0)).unwrap(), 0);
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
