//! Compiled components, and what else took long to make, kept for the next time.
//!
//! Owns a folder that only this user can write to, and what is checked before code from it is run: whose
//! it is, and that it is whole and for what it says. What is in it is machine code that runs outside the
//! sandbox, so nothing that anybody hands in ever gets there. Refuses to be needed: where it cannot be
//! written to, components are compiled every time.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use arena_core::Sha256Hex;

use crate::failure::Failure;

/// Names the folder; `off` for none.
const VARIABLE: &str = "ARENA_CACHE";
/// What a file begins with, before its hash.
const MAGIC: &[u8] = b"farkle arena code 1\n";
const HASH_BYTES: usize = 32;
/// What all files together may have: beyond it the ones not used for longest go.
const MOST_BYTES: u64 = 2 << 30;
const ENDING: &str = "code";
/// That of solved rulesets, whose bytes say themselves whether they are whole.
const SOLVED: &str = "oracle";

pub(crate) struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// That of the user: in the system's place for such things, or where `ARENA_CACHE` says.
    ///
    /// # Errors
    ///
    /// A folder that is asked for and cannot be used. The usual one that cannot be used is done without,
    /// and that is told if somebody else could write to it.
    pub(super) fn of_user() -> Result<Option<Cache>, Failure> {
        match Cache::folder() {
            None => Ok(None),
            Some((folder, true)) => {
                let cannot = |error| format!("{VARIABLE}={} cannot be used: {error}", folder.display());
                Cache::open(&folder).map(Some).map_err(|error| Failure::usage(cannot(error)))
            }
            Some((folder, false)) => match Cache::open(&folder) {
                Ok(cache) => Ok(Some(cache)),
                Err(error) => {
                    if error.kind() == io::ErrorKind::PermissionDenied && folder.is_dir() {
                        let shown = folder.display();
                        crate::output::tell(&format!("note: compiled agents are not kept in {shown}: {error}"));
                    }
                    Ok(None)
                }
            },
        }
    }

    /// Where that is, and whether it was asked for.
    pub(crate) fn folder() -> Option<(PathBuf, bool)> {
        match std::env::var_os(VARIABLE).filter(|asked| !asked.is_empty()) {
            Some(asked) if asked == OsStr::new("off") => None,
            Some(folder) => Some((folder.into(), true)),
            None => Some((dirs::cache_dir()?.join("farkle-arena"), false)),
        }
    }

    /// Opens it, and makes it where there is none.
    pub(crate) fn open(folder: &Path) -> io::Result<Cache> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder)?;
        let metadata = fs::symlink_metadata(folder)?;
        if !metadata.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, "it is no folder"));
        }
        only_ours(&metadata)?;
        Ok(Cache { folder: folder.to_owned() })
    }

    /// The code that is kept under a key, if it is whole.
    pub(super) fn get(&self, key: &str) -> Option<Vec<u8>> {
        let mut file = File::open(self.file(key)).ok()?;
        only_ours(&file.metadata().ok()?).ok()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        let (hash, code) = bytes.strip_prefix(MAGIC)?.split_at_checked(HASH_BYTES)?;
        if hash != hash_of(key, code).0 {
            return None;
        }
        // It is used now: of many, those go first that were not used for longest.
        let _ = file.set_modified(SystemTime::now());
        bytes.drain(..MAGIC.len() + HASH_BYTES);
        Some(bytes)
    }

    /// Keeps code. Where that fails it is compiled again the next time, and nothing else is lost.
    pub(super) fn put(&self, key: &str, code: &[u8]) {
        let _ = self.write(key, code);
        let _ = self.make_room(MOST_BYTES);
    }

    fn write(&self, key: &str, code: &[u8]) -> io::Result<()> {
        self.write_whole(&self.file(key), &[MAGIC, &hash_of(key, code).0, code])
    }

    /// Writes a file of the folder, made for this user alone, and in place as a whole.
    fn write_whole(&self, path: &Path, parts: &[&[u8]]) -> io::Result<()> {
        let mut file = tempfile::Builder::new().prefix(".").suffix(".part").tempfile_in(&self.folder)?;
        for part in parts {
            file.write_all(part)?;
        }
        file.persist(path)?;
        Ok(())
    }

    /// Where a solved ruleset is kept.
    pub(crate) fn solved(&self, key: &str) -> PathBuf {
        self.folder.join(key).with_added_extension(SOLVED)
    }

    /// Reads one, up to so many bytes.
    pub(crate) fn read_solved(&self, key: &str, most: u64) -> io::Result<Vec<u8>> {
        let mut file = File::open(self.solved(key))?;
        let mut bytes = Vec::new();
        (&mut file).take(most).read_to_end(&mut bytes)?;
        let _ = file.set_modified(SystemTime::now());
        Ok(bytes)
    }

    /// Keeps a solved ruleset.
    pub(crate) fn keep_solved(&self, key: &str, bytes: &[u8]) -> io::Result<()> {
        self.write_whole(&self.solved(key), &[bytes])?;
        let _ = self.make_room(MOST_BYTES);
        Ok(())
    }

    fn file(&self, key: &str) -> PathBuf {
        self.folder.join(key).with_added_extension(ENDING)
    }

    /// Takes away what was not used for longest, down to so many bytes.
    fn make_room(&self, most: u64) -> io::Result<()> {
        let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if [ENDING, SOLVED].map(OsStr::new).map(Some).contains(&path.extension()) {
                let metadata = fs::symlink_metadata(&path)?;
                files.push((metadata.modified()?, metadata.len(), path));
            }
        }
        files.sort();
        let mut bytes: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
        for (_, less, path) in files {
            if bytes <= most {
                break;
            }
            fs::remove_file(path)?;
            bytes -= less;
        }
        Ok(())
    }
}

/// Code under another name is other code.
fn hash_of(key: &str, code: &[u8]) -> Sha256Hex {
    let mut all = Vec::with_capacity(key.len() + 1 + code.len());
    all.extend_from_slice(key.as_bytes());
    all.push(b'\n');
    all.extend_from_slice(code);
    Sha256Hex::of(&all)
}

/// Refuses what somebody else has, or can write to.
#[cfg(unix)]
fn only_ours(metadata: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt as _;
    let denied = |why| Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return denied("it belongs to another user");
    }
    if metadata.mode() & 0o022 != 0 {
        return denied("other users can write to it (chmod go-w)");
    }
    Ok(())
}

/// Elsewhere a user's own folders are theirs.
#[cfg(not(unix))]
fn only_ours(_: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache() -> (tempfile::TempDir, Cache) {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open(&folder.path().join("code")).unwrap();
        (folder, cache)
    }

    #[test]
    fn code_comes_back_as_it_was_and_only_under_its_key() {
        let (_folder, cache) = cache();
        assert_eq!(cache.get("a"), None);
        cache.put("a", b"code of a");
        assert_eq!(cache.get("a").as_deref(), Some(&b"code of a"[..]));
        fs::copy(cache.file("a"), cache.file("b")).unwrap();
        assert_eq!(cache.get("b"), None);
    }

    #[test]
    fn a_file_that_is_not_whole_is_no_code() {
        let (_folder, cache) = cache();
        cache.put("a", b"code of a");
        let whole = fs::read(cache.file("a")).unwrap();
        for place in 0..whole.len() {
            let mut other = whole.clone();
            other[place] ^= 1;
            fs::write(cache.file("a"), &other).unwrap();
            assert_eq!(cache.get("a"), None, "byte {place}");
            fs::write(cache.file("a"), &whole[..place]).unwrap();
            assert_eq!(cache.get("a"), None, "{place} bytes");
        }
        fs::write(cache.file("a"), &whole).unwrap();
        assert!(cache.get("a").is_some());
    }

    #[cfg(unix)]
    #[test]
    fn what_others_can_write_to_is_not_used() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let (folder, cache) = cache();
        cache.put("a", b"code of a");
        fs::set_permissions(cache.file("a"), fs::Permissions::from_mode(0o666)).unwrap();
        assert_eq!(cache.get("a"), None);

        let mode = fs::metadata(&cache.folder).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        fs::set_permissions(&cache.folder, fs::Permissions::from_mode(0o770)).unwrap();
        let refused = Cache::open(&cache.folder).err().unwrap();
        assert_eq!(refused.to_string(), "other users can write to it (chmod go-w)");
        fs::set_permissions(&cache.folder, fs::Permissions::from_mode(0o700)).unwrap();
        let link = folder.path().join("link");
        symlink(&cache.folder, &link).unwrap();
        assert!(Cache::open(&link).is_err());
    }

    #[test]
    fn the_ones_not_used_for_longest_make_room() {
        let (_folder, cache) = cache();
        for (key, second) in [("old", 3), ("older", 2), ("oldest", 1)] {
            cache.put(key, &[7; 100]);
            let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(second);
            File::options().write(true).open(cache.file(key)).unwrap().set_modified(time).unwrap();
        }
        assert!(cache.get("oldest").is_some(), "and is used again thereby");
        cache.make_room(2 * 200).unwrap();
        let kept = ["old", "older", "oldest"].map(|key| cache.get(key).is_some());
        assert_eq!(kept, [true, false, true]);
    }
}
