//! `arena show` and `arena replay FILE MATCH`: a stored match, played again from its seed.

use std::path::Path;

use arena_core::Record;

use crate::args::{Format, ShowArgs};
use crate::failure::Failure;
use crate::loader::Loader;
use crate::store::Store;
use crate::stored_match::{Again, compare};
use crate::{output, play_by_play, stored_match};

pub(crate) fn run(args: &ShowArgs) -> Result<(), Failure> {
    let inside = args.inside.of(args.format)?;
    let Again { record, stored, calls, .. } = again(&args.file, args.number)?;
    match args.format {
        Format::Text => output::print(&play_by_play::tell(&record, &calls, inside))?,
        Format::Json => output::print_json(&record.to_json())?,
    }
    compare(&args.file, &record, &stored)
}

/// `arena replay FILE MATCH`: only the verdict.
pub(crate) fn replay(file: &Path, number: u64, format: Format) -> Result<(), Failure> {
    let Again { record, stored, .. } = again(file, number)?;
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
    let Again { record, stored, .. } = again(file, number)?;
    compare(file, &record, &stored)?;
    Ok(record)
}

/// Plays a match again, and says so where another engine played it.
fn again(file: &Path, number: u64) -> Result<Again, Failure> {
    let store = Store::open_to_show(file)?;
    let again = stored_match::again(&store, &Loader::new(store.settings()?.wasi)?, number)?;
    if let Some(engine) = &again.other_engine {
        stored_match::tell_other_engine(engine);
    }
    Ok(again)
}
