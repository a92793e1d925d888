//! `arena show` and `arena replay FILE MATCH`: a stored match, played again from its seed.

use std::path::Path;

use arena_core::{Call, Record};

use crate::args::{Format, ShowArgs};
use crate::failure::Failure;
use crate::replayer::{Replayer, compare};
use crate::store::{Store, StoredMatch};
use crate::{output, play_by_play};

pub(crate) fn run(args: &ShowArgs) -> Result<(), Failure> {
    let inside = args.inside.of(args.format)?;
    let (record, stored, calls) = again(&args.file, args.number)?;
    match args.format {
        Format::Text => output::print(&play_by_play::tell(&record, &calls, inside))?,
        Format::Json => output::print_json(&record.to_json())?,
    }
    compare(&args.file, &record, &stored)
}

/// `arena replay FILE MATCH`: only the verdict.
pub(crate) fn replay(file: &Path, number: u64, format: Format) -> Result<(), Failure> {
    let (record, stored, _) = again(file, number)?;
    let identical = compare(file, &record, &stored).is_ok();
    if format == Format::Json {
        let verdict = serde_json::json!({
            "identical": identical, "hash": record.hash, "stored": stored.hash(),
        });
        output::print(&format!("{verdict}\n"))?;
    }
    compare(file, &record, &stored)?;
    if format == Format::Text {
        output::print(&format!("identical: {} events, hash {}\n", record.events.len(), record.hash))?;
    }
    Ok(())
}

/// A stored match, played again, that is what is stored.
pub(crate) fn again_as_stored(file: &Path, number: u64) -> Result<Record, Failure> {
    let (record, stored, _) = again(file, number)?;
    compare(file, &record, &stored)?;
    Ok(record)
}

/// Plays a stored match again. Its dice count as shown from now on.
fn again(file: &Path, number: u64) -> Result<(Record, StoredMatch, Vec<Call>), Failure> {
    let mut replayer = Replayer::new(Store::open_to_show(file)?)?;
    let (record, stored) = replayer.again(number)?;
    Ok((record, stored, replayer.calls()))
}
