//! `arena replay`: a recorded match, played again and compared.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;
use arena_core::{Record, Referee, Sha256Hex};
use arena_host::{Sandbox, Wasi};
use farkle::ScoreTable;
use sha2::{Digest, Sha256};

use crate::agents::LoadedAgent;
use crate::args::{Format, ReplayArgs};
use crate::failure::Failure;
use crate::{agents, output};

pub(crate) fn run(args: &ReplayArgs) -> Result<(), Failure> {
    if let Some(number) = args.number {
        if args.wasi.wasi() != Wasi::None {
            return Err(Failure::usage(
                "--allow-wasi is for records: a tournament file says itself what agents may import",
            ));
        }
        return super::show::replay(&args.record, number, args.format);
    }
    let path = args.record.display();
    if std::fs::read(&args.record).is_ok_and(|bytes| bytes.starts_with(b"SQLite format 3\0")) {
        return Err(Failure::usage(format!(
            "{path} is a tournament file: say which match, as in arena replay {path} 1"
        )));
    }
    let text = std::fs::read_to_string(&args.record)
        .map_err(|error| Failure::usage(format!("record {path} cannot be read: {error}")))?;
    let record = Record::from_json(&text).map_err(|error| Failure::usage(format!("record {path}: {error}")))?;

    let table = Arc::new(ScoreTable::new(&record.ruleset));
    let mut referee = Referee::new(table, record.seats.len(), record.limits)
        .map_err(|error| Failure::usage(format!("record {path}: {error}")))?;
    let files = component_files(&args.agents)?;
    let sandbox = super::sandbox(args.wasi.wasi())?;
    let mut loaded = Vec::with_capacity(record.seats.len());
    for seat in &record.seats {
        let Some((file, bytes, _)) = files.iter().find(|(_, _, hash)| *hash == seat.sha256) else {
            return Err(Failure::usage(format!(
                "the component of `{}` is not at hand: none of the {} files given has the SHA-256 {}",
                seat.name,
                files.len(),
                seat.sha256
            )));
        };
        loaded.push(agents::load(&sandbox, seat.name.clone(), file, bytes)?);
    }
    let seats: Vec<&LoadedAgent> = loaded.iter().collect();
    let own = Sandbox::id(agents::wasi_of(&seats));
    if record.engine.fingerprint != own.fingerprint {
        eprintln!(
            "arena: note: the record is by arena {} on wasmtime {} (fingerprint {}), this is arena {} on wasmtime {} \
             (fingerprint {}); another engine may count fuel differently",
            record.engine.arena,
            record.engine.wasmtime,
            record.engine.fingerprint,
            own.arena,
            own.wasmtime,
            own.fingerprint
        );
    }
    let replayed = super::match_::play(&mut referee, record.seed, &seats)?;

    let difference = record.first_difference(&replayed);
    if args.format == Format::Json {
        let difference = difference
            .as_ref()
            .map(|d| serde_json::json!({"place": d.place, "recorded": d.recorded, "replayed": d.replayed}));
        let verdict = serde_json::json!({
            "identical": difference.is_none(), "hash": replayed.hash, "difference": difference,
        });
        output::print(&format!("{verdict}\n"))?;
    }
    match difference {
        None if args.format == Format::Text => {
            output::print(&format!("identical: {} events, hash {}\n", replayed.events.len(), replayed.hash))
        }
        None => Ok(()),
        Some(d) => Err(Failure::Difference(anyhow!(
            "the match differs from its record, first in {}:\n  recorded: {}\n  replayed: {}",
            d.place,
            d.recorded,
            d.replayed
        ))),
    }
}

/// Every component among the paths, with its hash; folders are searched for `.wasm` files.
fn component_files(paths: &[PathBuf]) -> Result<Vec<(PathBuf, Vec<u8>, Sha256Hex)>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let unreadable = |error| Failure::usage(format!("folder {} cannot be read: {error}", path.display()));
            for entry in std::fs::read_dir(path).map_err(unreadable)? {
                let file = entry.map_err(unreadable)?.path();
                if file.extension().is_some_and(|ending| ending == "wasm") {
                    files.push(file);
                }
            }
        } else {
            files.push(path.clone());
        }
    }
    files.sort();
    files.iter().map(|file: &PathBuf| hashed(file)).collect()
}

fn hashed(file: &Path) -> Result<(PathBuf, Vec<u8>, Sha256Hex), Failure> {
    let bytes = agents::read(file)?;
    let hash = Sha256Hex(Sha256::digest(&bytes).into());
    Ok((file.to_owned(), bytes, hash))
}
