//! What goes to the standard output and to files.
//!
//! Owns the printing of results. Refuses to print anything else: progress and diagnostics go to
//! the standard error stream.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

pub(crate) use arena_core::rulebook::thousands;

use crate::failure::Failure;
use crate::harmless::{harmless, harmless_json};

/// Prints a result for people, or a table for a spreadsheet; whatever strangers put into it, it is text.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    print_bytes(&harmless(text))
}

/// The same for JSON, which has escapes of its own.
pub(crate) fn print_json(json: &str) -> Result<(), Failure> {
    print_bytes(&harmless_json(json))
}

/// A reader that has gone away (`| head`) is no failure.
fn print_bytes(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::failed(format!("the result cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Whether the user of a terminal wants no colours and no emphasis (<https://no-color.org>).
pub(crate) fn is_unadorned() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// Whether the terminal says that it knows no commands.
pub(crate) fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Tells something beside the result. Where nobody can read it, there is nobody to tell.
pub(crate) fn tell(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", harmless(text));
}

/// Writes a result as JSON to a file, whole or not at all.
pub(crate) fn write_json(path: &Path, json: &str) -> Result<(), Failure> {
    write_whole(path, harmless_json(json).as_bytes())
        .map_err(|error| Failure::failed(format!("{} cannot be written: {error}", path.display())))
}

/// Writes a file whole or not at all: whoever reads it finds the old bytes or the new ones.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A link stands for what it leads to.
    let found = std::fs::canonicalize(path);
    let path = found.as_deref().unwrap_or(path);
    if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        // A device or a pipe is written to, never replaced.
        return std::fs::OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    written_beside(path, bytes)?.persist(path).map(|_| ()).map_err(|error| error.error)
}

/// The same for a file that is not there yet; one that is stays as it is.
pub(crate) fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    written_beside(path, bytes)?.persist_noclobber(path).map(|_| ()).map_err(|error| error.error)
}

/// The same for a file that its writer locks: there is no moment in which others could. Without
/// `over` a file that is there stays as it is.
pub(crate) fn write_locked(path: &Path, bytes: &[u8], over: bool) -> io::Result<File> {
    let file = written_beside(path, bytes)?;
    if LOCKS {
        file.as_file().lock()?;
    }
    let persisted = if over { file.persist(path) } else { file.persist_noclobber(path) };
    persisted.map_err(|error| error.error)
}

/// Whether files are locked. On Windows a lock bars every other reader, its owner's other handles too.
pub(crate) const LOCKS: bool = !cfg!(windows);

fn written_beside(path: &Path, bytes: &[u8]) -> io::Result<tempfile::NamedTempFile> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new().prefix(".arena-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    // A temporary file is private; a result is as readable as any other file.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))?;
    }
    Ok(file)
}

/// A field of a CSV line (RFC 4180). A spreadsheet takes text that begins like a formula for one;
/// an apostrophe before it keeps it text.
pub(crate) fn csv_field(text: &str) -> String {
    // In their wide forms, too, and where semicolons part the fields.
    let formula = if text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) { "'" } else { "" };
    match text.contains(['"', ',', ';', '\n', '\r']) {
        true => format!("\"{formula}{}\"", text.replace('"', "\"\"")),
        false => format!("{formula}{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (-12_345_678, "-12,345,678")] {
            assert_eq!(thousands(number), text);
        }
    }
}
