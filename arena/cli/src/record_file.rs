//! The file that a command is given for a match: a record, or a tournament.
//!
//! Owns telling the two apart, and reading a record. Refuses to judge a record against a replay.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use arena_core::Record;

use crate::failure::Failure;

/// How every SQLite file begins.
const SQLITE: &[u8; 16] = b"SQLite format 3\0";

/// Whether a file is a tournament, as far as its beginning says.
pub(crate) fn is_tournament(path: &Path) -> bool {
    let mut beginning = [0; SQLITE.len()];
    File::open(path).is_ok_and(|mut file| file.read_exact(&mut beginning).is_ok() && beginning == *SQLITE)
}

/// Whether a file is a record, as far as its beginning says: JSON, which no component and no database is.
pub(crate) fn is_record(path: &Path) -> bool {
    let mut beginning = Vec::new();
    let read = File::open(path).and_then(|file| file.take(64).read_to_end(&mut beginning));
    read.is_ok() && beginning.trim_ascii_start().starts_with(b"{")
}

/// Reads a record that nobody has changed since it was written.
///
/// # Errors
///
/// A file that cannot be read, is no record, or says something else than its hash covers.
pub(crate) fn read_unchanged(path: &Path) -> Result<Record, Failure> {
    let record = read(path)?;
    if record.computed_hash() != record.hash {
        let shown = path.display();
        return Err(Failure::usage(format!("record {shown} was changed: its hash is not that of what it says")));
    }
    Ok(record)
}

/// Reads a record.
///
/// # Errors
///
/// A file that cannot be read, or is none.
pub(crate) fn read(path: &Path) -> Result<Record, Failure> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("record {shown} cannot be read: {error}")))?;
    Record::from_json(&text).map_err(|error| Failure::usage(format!("record {shown}: {error}")))
}
