//! Whether a tournament is still in the file that was opened.
//!
//! Owns the comparison of what is at a path with what was there. SQLite goes on writing to a file that
//! somebody has deleted or replaced, and finds nothing wrong with it. Refuses to open the file for
//! that: closing it again would let go of SQLite's own locks.

use std::cell::Cell;
use std::fs::Metadata;
use std::path::{Path, PathBuf};

/// Where a file was when it was opened, and which one it was.
#[derive(Debug)]
pub(super) struct Place {
    /// By whatever links it was reached.
    path: PathBuf,
    file: FileId,
    /// In bytes. A tournament never gets shorter.
    length: Cell<u64>,
}

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    /// There is none, or another one: the one that was opened can still be read.
    Elsewhere(&'static str),
    /// It is the same one, with something cut off.
    Cut,
}

/// Which file it is, whatever lies at its path later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity(FileId);

impl Identity {
    /// Of the file at a path, if there is one.
    pub(crate) fn at(path: &Path) -> Option<Identity> {
        std::fs::metadata(path).ok().map(|found| Identity(file_id(&found)))
    }
}

impl Place {
    /// Of a file that is being opened.
    pub(super) fn new(path: &Path, found: &Metadata) -> Place {
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        Place { path, file: file_id(found), length: Cell::new(found.len()) }
    }

    /// The path without links: the same one for everybody who opens this file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What happened to the file since it was opened, if anything did.
    pub(super) fn lost(&self) -> Option<Lost> {
        let Ok(found) = std::fs::metadata(&self.path) else { return Some(Lost::Elsewhere("is gone")) };
        if file_id(&found) != self.file {
            return Some(Lost::Elsewhere("was replaced by another file"));
        }
        if found.len() < self.length.replace(found.len()) {
            return Some(Lost::Cut);
        }
        None
    }
}

/// A file, by whatever name. Elsewhere than on Unix an open file can be neither deleted nor replaced.
#[cfg(unix)]
type FileId = (u64, u64);
#[cfg(not(unix))]
type FileId = ();

#[cfg(unix)]
fn file_id(found: &Metadata) -> FileId {
    use std::os::unix::fs::MetadataExt;
    (found.dev(), found.ino())
}

#[cfg(not(unix))]
fn file_id(_: &Metadata) -> FileId {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_no_longer_the_same_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "12345").unwrap();
        let place = Place::new(&path, &std::fs::metadata(&path).unwrap());
        assert_eq!(place.lost(), None);
        std::fs::write(&path, "1234567").unwrap();
        assert_eq!(place.lost(), None);
        std::fs::write(&path, "123456").unwrap();
        assert_eq!(place.lost(), Some(Lost::Cut));
        std::fs::write(folder.path().join("b"), "12345678").unwrap();
        std::fs::rename(folder.path().join("b"), &path).unwrap();
        assert_eq!(place.lost(), Some(Lost::Elsewhere("was replaced by another file")));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(place.lost(), Some(Lost::Elsewhere("is gone")));
    }
}
