//! `arena replay`: a recorded match, played again and compared.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;
use arena_core::{Contestant, Referee, Sha256Hex};
use arena_host::{Sandbox, Wasi};
use farkle::ScoreTable;

use crate::args::{Format, ReplayArgs};
use crate::commands::play::BUILT_IN;
use crate::failure::Failure;
use crate::loader::Loader;
use crate::person::{self, Recorded};
use crate::{agents, output, record_file};

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
    if record_file::is_tournament(&args.record) {
        return Err(Failure::usage(format!(
            "{path} is a tournament file: say which match, as in arena replay {path} 1"
        )));
    }
    let record = record_file::read(&args.record)?;

    let table = Arc::new(ScoreTable::new(&record.ruleset));
    let mut referee = Referee::new(table, record.seats.len(), record.limits)
        .map_err(|error| Failure::usage(format!("record {path}: {error}")))?;
    let files = component_files(&args.agents)?;
    let loader = Loader::new(args.wasi.wasi())?;
    let mut contestants: Vec<Box<dyn Contestant>> = Vec::with_capacity(record.seats.len());
    let mut people = Vec::new();
    let mut imported = Wasi::None;
    for (number, seat) in record.seats.iter().enumerate() {
        if seat.sha256.0 == person::sha256() {
            people.push(number);
            contestants.push(Box::new(Recorded::new(&record, number)));
            continue;
        }
        let given = files.iter().find(|(_, _, hash)| *hash == seat.sha256);
        let found = given.map(|(file, bytes, _)| (&**file, &**bytes));
        // The opponent of who named none is at hand everywhere.
        let built_in = || (Sha256Hex::of(BUILT_IN) == seat.sha256).then_some((Path::new("(built in)"), BUILT_IN));
        let Some((file, bytes)) = found.or_else(built_in) else {
            return Err(Failure::usage(format!(
                "the component of `{}` is not at hand: none of the {} files given has the SHA-256 {}{}",
                seat.name,
                files.len(),
                seat.sha256,
                if files.is_empty() { "; --agents says where to look" } else { "" }
            )));
        };
        let component = agents::load(&loader, seat.name.clone(), file, bytes)?.component;
        imported = imported.max(component.wasi());
        contestants.push(Box::new(component));
    }
    let own = Sandbox::id(imported);
    if record.engine.fingerprint != own.fingerprint {
        crate::output::tell(&format!(
            "arena: note: the record is by arena {} on wasmtime {} (fingerprint {}), this is arena {} on wasmtime {} \
             (fingerprint {}); another engine may count fuel differently",
            record.engine.arena,
            record.engine.wasmtime,
            record.engine.fingerprint,
            own.arena,
            own.wasmtime,
            own.fingerprint
        ));
    }
    let names: Vec<String> = record.seats.iter().map(|seat| seat.name.clone()).collect();
    let seated: Vec<&dyn Contestant> = contestants.iter().map(|contestant| &**contestant).collect();
    let replayed = super::match_::play_between(&mut referee, record.seed, &seated, names.clone(), own)?;

    let difference = record.first_difference(&replayed);
    if args.format == Format::Json {
        let difference = difference
            .as_ref()
            .map(|d| serde_json::json!({"place": d.place, "recorded": d.recorded, "replayed": d.replayed}));
        let mut verdict = serde_json::json!({
            "identical": difference.is_none(), "hash": replayed.hash, "difference": difference,
        });
        if !people.is_empty() {
            verdict["people"] = people.clone().into();
        }
        output::print_json(&format!("{verdict}\n"))?;
    }
    match difference {
        None if args.format == Format::Text => {
            let mut text = format!("identical: {} events, hash {}\n", replayed.events.len(), replayed.hash);
            if !people.is_empty() {
                let people: Vec<&str> = people.iter().map(|seat| &*names[*seat]).collect();
                text += &format!(
                    "decided by people, and taken from the record here: all decisions of {}\n",
                    people.join(" and ")
                );
            }
            output::print(&text)
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
            files.extend(agents::components_in(path)?);
        } else {
            files.push(path.clone());
        }
    }
    files.sort();
    files.iter().map(|file: &PathBuf| hashed(file)).collect()
}

fn hashed(file: &Path) -> Result<(PathBuf, Vec<u8>, Sha256Hex), Failure> {
    let bytes = agents::read(file)?;
    let hash = Sha256Hex::of(&bytes);
    Ok((file.to_owned(), bytes, hash))
}
