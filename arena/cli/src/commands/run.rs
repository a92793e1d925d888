//! `arena run`: plays what is left of a tournament.

use std::collections::BTreeMap;
use std::time::Instant;

use arena_core::rulebook::counted;

use crate::args::RunArgs;
use crate::failure::Failure;
use crate::loader::Loader;
use crate::output;
use crate::output::thousands;
use crate::playing::{self, OnStderr, Pace, left};
use crate::runner::End;
use crate::store::Store;

pub(crate) fn run(args: &RunArgs) -> Result<(), Failure> {
    let store = Store::open(&args.file)?;
    let _lock = store.lock_to_play()?;
    let jobs = args.jobs.count();
    let until = args.time.map(|time| Instant::now() + time);
    let begun = Instant::now();
    let loader = Loader::new(store.settings()?.wasi)?;
    let pace = Pace { jobs, until, most: args.matches, store: !args.no_store };
    let (store, done) = playing::play_all(store, &loader, &mut BTreeMap::new(), &pace, &mut OnStderr::default())?;
    // What is told is what the file says, read anew: another program may have written over it.
    drop(store);
    let store = Store::open(&args.file)?;
    let rate = done.matches as f64 / begun.elapsed().as_secs_f64();
    let left = left(&store.planned()?, &store.entries()?);
    let so_far = if store.settings()?.play.looks_at_results() { " of what is planned so far" } else { "" };
    let played = format!("{} played", counted(done.matches as i64, "match"));
    let stored = thousands(store.match_count()? as i64);
    let mut text =
        format!("{played}, {stored} stored, {} left{}\n", thousands(left as i64), if left > 0 { so_far } else { "" });
    if args.no_store {
        text += &format!("nothing was stored: {rate:.0} matches a second\n");
    }
    if left > 0 {
        text += &format!("`arena run {}` goes on\n", args.file.display());
    }
    match done.end {
        End::Interrupted => Err(Failure::failed(format!("stopped: {}", text.trim_end()))),
        End::Finished | End::TimeOver | End::Enough | End::HeldUp(_) => output::print(&text),
    }
}
