//! `arena watch`: a match in the terminal, as it unfolds.
//!
//! Owns finding the match: played now, recorded, or of a tournament file. Refuses outputs that are no
//! terminal, before anything is played.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;

use arena_core::analysis::{Analysis, Analyst};
use arena_core::{Record, Referee};
use farkle::ScoreTable;

use crate::args::WatchArgs;
use crate::failure::Failure;
use crate::loader::Loader;
use crate::watch::Story;
use crate::{agents, oracles, output, record_file, rules, watch};

/// What is to be watched.
#[derive(Debug, PartialEq, Eq)]
enum Subject<'a> {
    Agents,
    Record(&'a Path),
    Stored(&'a Path, u64),
}

pub(crate) fn run(args: &WatchArgs) -> Result<(), Failure> {
    let subject = subject(&args.what)?;
    if subject != Subject::Agents
        && let Some(option) = args.option_of_a_match()
    {
        return Err(Failure::usage(format!(
            "{option} is for agents that play now: {} says itself what was played",
            args.what[0]
        )));
    }
    if !std::io::stdout().is_terminal() || output::is_dumb() {
        return Err(Failure::usage(
            "a match is watched on a terminal, and the standard output is none that can be drawn on; `arena match` \
             prints a match roll by roll, and `arena show` one of a tournament file",
        ));
    }
    let (record, from) = match subject {
        Subject::Agents => (play(args)?, None),
        Subject::Record(path) => (record_file::read_unchanged(path)?, Some(format!("record {}", path.display()))),
        Subject::Stored(path, number) => {
            let record = super::show::again_as_stored(path, number)?;
            (record, Some(format!("match {number} of {}", path.display())))
        }
    };
    let analysis = if args.no_analysis { Err(None) } else { judge(&record).map_err(Some) };
    watch::watch(&Story::new(record, from.as_deref(), analysis)?, args.speed)
}

/// What the words of the command line are, by the files that they name.
fn subject(words: &[String]) -> Result<Subject<'_>, Failure> {
    let first = Path::new(&words[0]);
    let shown = first.display();
    if record_file::is_tournament(first) {
        return match words {
            [_, number] => match number.parse() {
                Ok(number) => Ok(Subject::Stored(first, number)),
                Err(_) => Err(Failure::usage(format!("`{number}` is no number of a match of {shown}: 1 is the first"))),
            },
            [_] => Err(Failure::usage(format!(
                "{shown} is a tournament file: say which match, as in arena watch {shown} 1"
            ))),
            _ => Err(Failure::usage(format!("{shown} is a tournament file: one match is watched at a time"))),
        };
    }
    if let [_, number] = words
        && let Ok(parsed) = number.parse()
        && !Path::new(number).exists()
    {
        return match first.is_file() {
            true if record_file::is_record(first) => {
                Err(Failure::usage(format!("{shown} is a record, which has one match: leave out the {number}")))
            }
            true => Err(Failure::usage(format!("{shown} is no tournament file, so that it has no match {number}"))),
            false => Ok(Subject::Stored(first, parsed)),
        };
    }
    if words.len() == 1 && (record_file::is_record(first) || first.extension().is_some_and(|e| e == "json")) {
        return Ok(Subject::Record(first));
    }
    for word in words {
        if record_file::is_record(Path::new(word)) {
            return Err(Failure::usage(format!("{word} is the record of a match, which is watched alone")));
        }
        if record_file::is_tournament(Path::new(word)) {
            return Err(Failure::usage(format!(
                "{word} is a tournament file, which comes first and with the number of a match, as in arena watch {word} 1"
            )));
        }
    }
    Ok(Subject::Agents)
}

fn play(args: &WatchArgs) -> Result<Record, Failure> {
    let ruleset = rules::find(&args.rules())?;
    let files = agents::read_all(&args.what)?;
    let table = Arc::new(ScoreTable::new(&ruleset));
    let mut referee = Referee::new(table, files.len(), args.limits()).map_err(Failure::usage)?;
    let loader = Loader::new(args.wasi.wasi())?;
    let loaded = agents::load_all(&loader, &files)?;
    let seed = super::seed_or_random(args.seed)?;
    super::match_::play(&mut referee, seed, &loaded.iter().collect::<Vec<_>>())
}

/// What best play says of a match, or why it says nothing. Solving its ruleset, where it is not solved yet,
/// shows how far it is.
fn judge(record: &Record) -> Result<Analysis, String> {
    let oracle = oracles::of_two(&record.ruleset, record.seats.len()).map_err(|why| why.to_string())?;
    Analyst::new(oracle).judge(record.seats.len(), &record.events).map_err(|why| why.to_string())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// What is said of words that name files of a folder.
    fn said(folder: &Path, words: &[&str]) -> String {
        let words: Vec<String> = words
            .iter()
            .map(|word| if word.contains('.') { folder.join(word).display().to_string() } else { (*word).to_owned() })
            .collect();
        let said = match subject(&words) {
            Ok(subject) => format!("{subject:?}"),
            Err(failure) => failure.to_string(),
        };
        said.replace(&format!("{}/", folder.display()), "")
    }

    #[test]
    fn files_say_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
        file("t.db", b"SQLite format 3\0...");
        file("r.json", b" \n{\"format\":1}");
        file("record", b"{");
        file("a.wasm", b"\0asm");
        for (words, says) in [
            (&["a.wasm", "b.wasm"][..], "Agents"),
            (&["a.wasm"], "Agents"),
            (&["r.json"], "Record(\"r.json\")"),
            (&["gone.json"], "Record(\"gone.json\")"),
            (&["t.db", "12"], "Stored(\"t.db\", 12)"),
            (&["gone.db", "12"], "Stored(\"gone.db\", 12)"),
            (&["t.db"], "t.db is a tournament file: say which match, as in arena watch t.db 1"),
            (&["t.db", "x"], "`x` is no number of a match of t.db: 1 is the first"),
            (&["t.db", "1", "2"], "t.db is a tournament file: one match is watched at a time"),
            (&["r.json", "1"], "r.json is a record, which has one match: leave out the 1"),
            (&["a.wasm", "1"], "a.wasm is no tournament file, so that it has no match 1"),
            (&["a.wasm", "r.json"], "r.json is the record of a match, which is watched alone"),
            (
                &["a.wasm", "t.db"],
                "t.db is a tournament file, which comes first and with the number of a match, as in arena watch t.db 1",
            ),
        ] {
            assert_eq!(said(folder.path(), words), says, "{words:?}");
        }
    }
}
