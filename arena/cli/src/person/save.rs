//! A match that people play, on disk between any two of their decisions.
//!
//! Owns the save file: its shape, its check sum, and who may write it. The dice come from the seed
//! and agents decide again as they did, so the people's decisions are all that must be kept. Refuses
//! to touch a file that is not, to the byte, what this process wrote or read last, and one that
//! another process plays.

use std::fs::{File, TryLockError};
use std::io::Read;
use std::path::{Path, PathBuf};

use arena_core::{EngineId, Limits, Sha256Hex};
use farkle::{Faces, Next, Ruleset};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::failure::Failure;
use crate::output;

/// The format number that this version writes, and the newest it reads.
const FORMAT: u32 = 1;
/// What a save file says that it is.
const KIND: &str = "saved match";
/// How the names of save files end, so that they are found.
const ENDING: &str = ".save.json";
/// Before the check sum, which covers everything up to here.
const CHECK: &str = ",\n \"check\":\"";
/// More than any save takes.
const LARGEST_FILE: u64 = 64 << 20;

/// What a save file says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Saved {
    format: u32,
    kind: String,
    pub(crate) engine: EngineId,
    pub(crate) ruleset: Ruleset,
    /// Decimal digits.
    seed: String,
    pub(crate) limits: Limits,
    pub(crate) seats: Vec<SavedSeat>,
    pub(crate) decisions: Vec<SavedDecision>,
    #[serde(default, skip_serializing)]
    check: String,
}

/// Who sits where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedSeat {
    pub(crate) name: String,
    pub(crate) plays: Plays,
    /// Of the component; a person has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) sha256: Option<Sha256Hex>,
    /// Where the component is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<PathBuf>,
}

/// What plays in a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Plays {
    Person,
    Component,
    /// The component that is part of the program.
    BuiltIn,
}

/// A person's decision, with enough to know that it falls in its place again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedDecision {
    /// What happened before it, in events.
    pub(crate) after: usize,
    pub(crate) seat: u8,
    pub(crate) roll: Faces,
    pub(crate) keep: Faces,
    pub(crate) next: Next,
}

impl Saved {
    /// A match in which nobody has decided anything yet.
    pub(crate) fn new(engine: EngineId, ruleset: Ruleset, seed: u64, limits: Limits, seats: Vec<SavedSeat>) -> Saved {
        let (seed, kind) = (seed.to_string(), KIND.to_owned());
        Saved {
            format: FORMAT,
            kind,
            engine,
            ruleset,
            seed,
            limits,
            seats,
            decisions: Vec::new(),
            check: String::new(),
        }
    }

    pub(crate) fn seed(&self) -> u64 {
        self.seed.parse().expect("checked where it was read or made")
    }

    /// The file's text: a line for each decision, and the check sum.
    fn to_text(&self) -> String {
        let json = |value: Result<String, serde_json::Error>| value.expect("a save is plain data");
        let mut text = format!("{{\"format\":{},\n \"kind\":\"{}\"", self.format, self.kind);
        for (field, value) in [
            ("engine", serde_json::to_string(&self.engine)),
            ("ruleset", serde_json::to_string(&self.ruleset)),
            ("seed", serde_json::to_string(&self.seed)),
            ("limits", serde_json::to_string(&self.limits)),
            ("seats", serde_json::to_string(&self.seats)),
        ] {
            text += &format!(",\n \"{field}\":{}", json(value));
        }
        let decisions: Vec<String> =
            self.decisions.iter().map(|decision| format!("\n  {}", json(serde_json::to_string(decision)))).collect();
        text += &format!(",\n \"decisions\":[{}]", decisions.join(","));
        let check = Sha256Hex::of(text.as_bytes());
        text + &format!("{CHECK}{check}\"}}\n")
    }

    fn from_text(text: &str) -> Result<Saved, String> {
        let broken = |error: &dyn std::fmt::Display| format!("it is no whole save file: {error}");
        let head: Value = serde_json::from_str(text).map_err(|error| broken(&error))?;
        if head.get("kind").and_then(Value::as_str) != Some(KIND) {
            return Err(format!("it is no save file: its `kind` is not `{KIND}`"));
        }
        match head.get("format").and_then(Value::as_u64) {
            Some(format) if format > FORMAT.into() => {
                return Err(format!("format {format} is newer than this arena reads (format {FORMAT})"));
            }
            Some(1) => {}
            _ => return Err(broken(&"no `format` number of 1 or more")),
        }
        let sum = text.rsplit_once(CHECK).map(|(covered, _)| Sha256Hex::of(covered.as_bytes()).to_string());
        if sum.is_none() || sum.as_deref() != head.get("check").and_then(Value::as_str) {
            return Err("it was changed or damaged: its check sum is that of another text".to_owned());
        }
        let saved: Saved = serde_json::from_str(text).map_err(|error| broken(&error))?;
        saved.check()?;
        Ok(saved)
    }

    /// What the types leave open.
    fn check(&self) -> Result<(), String> {
        self.ruleset.validate().map_err(|error| error.to_string())?;
        let digits = self.seed.bytes().all(|byte| byte.is_ascii_digit());
        if !digits || self.seed.parse::<u64>().is_err() {
            return Err(format!("seed `{}` is not a 64-bit decimal number", self.seed));
        }
        for SavedSeat { name, plays, sha256, path } in &self.seats {
            crate::agents::check_name(name).map_err(|failure| failure.to_string())?;
            let needs = match plays {
                Plays::Person => (false, false),
                Plays::BuiltIn => (true, false),
                Plays::Component => (true, true),
            };
            if (sha256.is_some(), path.is_some()) != needs {
                return Err(format!("`{name}` has not the fields of what plays in its seat"));
            }
        }
        Ok(())
    }
}

/// A save on disk, which this process alone may write.
#[derive(Debug)]
pub(crate) struct SaveFile {
    path: PathBuf,
    pub(crate) saved: Saved,
    /// What the file holds.
    text: String,
    /// The file, locked for as long as it is ours.
    _lock: File,
    /// Whether the match is over and the file is gone.
    over: bool,
}

impl SaveFile {
    /// Saves a new match.
    ///
    /// # Errors
    ///
    /// When there is such a file, or it cannot be written.
    pub(crate) fn create(path: PathBuf, saved: Saved) -> Result<SaveFile, Failure> {
        let text = saved.to_text();
        let lock = output::write_locked(&path, text.as_bytes(), false).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => Failure::usage(format!(
                "{0} is there already: `arena play --resume {0}` goes on if it is a match, and --save names another file",
                path.display()
            )),
            _ => Failure::failed(format!("{} cannot be written: {error}", path.display())),
        })?;
        Ok(SaveFile { path, saved, text, _lock: lock, over: false })
    }

    /// Takes up a saved match.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is damaged, or another process plays it.
    pub(crate) fn open(path: PathBuf) -> Result<SaveFile, Failure> {
        // By whatever links it is reached, a save is one file with one lock.
        let path = match std::fs::symlink_metadata(&path) {
            Ok(found) if found.is_symlink() => std::fs::canonicalize(&path).unwrap_or(path),
            _ => path,
        };
        let unusable =
            |why: &dyn std::fmt::Display| Failure::usage(format!("save {} cannot be used: {why}", path.display()));
        let (file, text) = lock(&path)?;
        let saved = Saved::from_text(&text).map_err(|why| unusable(&why))?;
        // Who has replaced the file since has the lock of the new one.
        if std::fs::read_to_string(&path).map_err(|error| unusable(&error))? != text {
            return Err(busy(&path));
        }
        Ok(SaveFile { path, saved, text, _lock: file, over: false })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a decision.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or the file is not what it was. The decision is then not made.
    pub(crate) fn push(&mut self, decision: SavedDecision) -> Result<(), Failure> {
        self.saved.decisions.push(decision);
        let written = self.write();
        if written.is_err() {
            self.saved.decisions.pop();
        }
        written
    }

    fn write(&mut self) -> Result<(), Failure> {
        let text = self.saved.to_text();
        let written = match std::fs::read(&self.path) {
            Ok(bytes) if bytes == self.text.as_bytes() => output::write_locked(&self.path, text.as_bytes(), true),
            Ok(_) => return Err(self.changed()),
            // Whoever removed it gets it again: the match is still played.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                output::write_locked(&self.path, text.as_bytes(), false)
            }
            Err(error) => Err(error),
        };
        self._lock =
            written.map_err(|error| Failure::failed(format!("{} cannot be written: {error}", self.path.display())))?;
        self.text = text;
        Ok(())
    }

    /// The match is over: nothing is left to go on with.
    ///
    /// # Errors
    ///
    /// When the file is not what it was, or cannot be removed.
    pub(crate) fn remove(&mut self) -> Result<(), Failure> {
        match std::fs::read(&self.path) {
            Ok(bytes) if bytes == self.text.as_bytes() => {
                std::fs::remove_file(&self.path)
                    .map_err(|error| Failure::failed(format!("{} cannot be removed: {error}", self.path.display())))?;
            }
            Ok(_) => return Err(self.changed()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(Failure::failed(format!("{} cannot be read: {error}", self.path.display()))),
        }
        self.over = true;
        Ok(())
    }

    /// Whether there is nothing to go on with any more.
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    fn changed(&self) -> Failure {
        Failure::failed(format!(
            "{} was changed by somebody else while this match was played; it is left as it is",
            self.path.display()
        ))
    }
}

/// Opens, locks and reads a file. Where files are not locked, what is compared before each write
/// keeps two processes from harming each other.
fn lock(path: &Path) -> Result<(File, String), Failure> {
    let shown = path.display();
    let unreadable = |error: &dyn std::fmt::Display| Failure::usage(format!("save {shown} cannot be read: {error}"));
    let file = File::open(path).map_err(|error| unreadable(&error))?;
    match if output::LOCKS { file.try_lock() } else { Ok(()) } {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(busy(path)),
        Err(TryLockError::Error(error)) => {
            return Err(Failure::failed(format!("save {shown} cannot be locked: {error}")));
        }
    }
    let mut bytes = Vec::new();
    (&file).take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(unreadable(&format!("it has more than {LARGEST_FILE} bytes")));
    }
    let text = String::from_utf8(bytes).map_err(|error| unreadable(&error))?;
    Ok((file, text))
}

fn busy(path: &Path) -> Failure {
    Failure::failed(format!("another `arena play` is playing {}; end that one first", path.display()))
}

/// The name of a save that nobody named.
pub(crate) fn usual_name(seed: u64) -> PathBuf {
    PathBuf::from(format!("farkle-{seed}{ENDING}"))
}

/// The only save in the current folder.
///
/// # Errors
///
/// When there is none, or a choice.
pub(crate) fn only_one() -> Result<PathBuf, Failure> {
    let unreadable = |error| Failure::failed(format!("the current folder cannot be read: {error}"));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(".").map_err(unreadable)? {
        let name = PathBuf::from(entry.map_err(unreadable)?.file_name());
        if name.to_string_lossy().ends_with(ENDING) {
            found.push(name);
        }
    }
    found.sort();
    match &found[..] {
        [one] => Ok(one.clone()),
        [] => Err(Failure::usage(format!(
            "there is no saved match in the current folder: none of its files ends with {ENDING}; --resume FILE names one"
        ))),
        several => Err(Failure::usage(format!(
            "there are {} saved matches in the current folder; say which, as in --resume {}: {}",
            several.len(),
            several[0].display(),
            several.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
        ))),
    }
}

#[cfg(test)]
mod tests {
    use arena_core::Allowance;
    use farkle::presets;

    use super::*;

    fn saved() -> Saved {
        let engine = EngineId { arena: "0".into(), wasmtime: "0".into(), fingerprint: "0".into(), wasi: None };
        let seat = |name: &str, plays, sha256, path: Option<&str>| SavedSeat {
            name: name.into(),
            plays,
            sha256,
            path: path.map(PathBuf::from),
        };
        let seats = vec![
            seat("you", Plays::Person, None, None),
            seat("b", Plays::Component, Some(Sha256Hex([7; 32])), Some("b.wasm")),
        ];
        Saved::new(engine, presets::IMMEDIATE_WIN, u64::MAX, Allowance::Blitz.limits(), seats)
    }

    fn decision(after: usize) -> SavedDecision {
        let dice = |text: &str| text.parse().unwrap();
        SavedDecision { after, seat: 0, roll: dice("112346"), keep: dice("11"), next: Next::Roll }
    }

    #[test]
    fn a_save_says_what_was_saved() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.save.json");
        let mut file = SaveFile::create(path.clone(), saved()).unwrap();
        file.push(decision(0)).unwrap();
        file.push(decision(3)).unwrap();
        let written = file.saved.clone();
        assert!(SaveFile::open(path.clone()).unwrap_err().to_string().contains("another `arena play` is playing"));
        drop(file);
        let mut again = SaveFile::open(path.clone()).unwrap();
        let check = again.saved.check.clone();
        assert_eq!(again.saved, Saved { check, ..written });
        assert_eq!(again.saved.seed(), u64::MAX);
        again.remove().unwrap();
        assert!(again.is_over() && !path.exists());
    }

    #[test]
    fn what_is_not_ours_is_never_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.save.json");
        std::fs::write(&path, "mine").unwrap();
        assert!(SaveFile::create(path.clone(), saved()).unwrap_err().to_string().contains("is there already"));
        std::fs::remove_file(&path).unwrap();
        let mut file = SaveFile::create(path.clone(), saved()).unwrap();
        std::fs::write(&path, "mine").unwrap();
        assert!(file.push(decision(0)).unwrap_err().to_string().contains("was changed by somebody else"));
        assert!(file.remove().is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
        assert!(file.saved.decisions.is_empty(), "not made");
        std::fs::remove_file(&path).unwrap();
        file.push(decision(0)).unwrap();
        assert_eq!(Saved::from_text(&std::fs::read_to_string(&path).unwrap()).unwrap().decisions, [decision(0)]);
    }

    #[test]
    fn damaged_saves_are_refused() {
        let mut whole = saved();
        whole.decisions = vec![decision(0)];
        let text = whole.to_text();
        assert!(Saved::from_text(&text).is_ok());
        // Cut anywhere but before its last line end, or with any byte changed.
        for cut in 0..text.len() - 1 {
            assert!(Saved::from_text(&text[..cut]).is_err(), "cut at {cut}");
        }
        for place in 0..text.len() - 1 {
            let mut bytes = text.clone().into_bytes();
            bytes[place] ^= 1;
            assert!(
                String::from_utf8(bytes).map_or(true, |text| Saved::from_text(&text).is_err()),
                "changed at {place}"
            );
        }
        let newer = text.replacen("\"format\":1", "\"format\":2", 1);
        assert_eq!(Saved::from_text(&newer).unwrap_err(), "format 2 is newer than this arena reads (format 1)");
        assert!(Saved::from_text("{}").unwrap_err().contains("it is no save file"));
        assert!(Saved::from_text("[").unwrap_err().contains("it is no whole save file"));
        whole.seats[1].sha256 = None;
        assert!(Saved::from_text(&whole.to_text()).unwrap_err().contains("`b` has not the fields"));
    }
}
