//! Tournament files that are made to be written to, and thrown away.
//!
//! Owns what such a file needs before matches can be stored in it. Refuses to be read from: what is
//! planned in it is not what is stored.

use std::path::Path;
use std::time::{Duration, Instant};

use arena_core::formats::Block;
use arena_core::seeds::TournamentSecret;
use arena_core::standings::Outcome;
use arena_core::{Allowance, Limits, TurnFigures};
use arena_host::{Sandbox, Wasi};
use farkle::{Ending, Ruleset, presets};

use crate::failure::Failure;
use crate::play::Play;
use crate::played_match::PlayedMatch;
use crate::secrets::Secrets;
use crate::store::{Settings, Store, Writer};

/// A writer of matches into a new file.
///
/// # Errors
///
/// When there can be no such file.
pub(crate) fn writer(
    file: &Path,
    ruleset: &Ruleset,
    seats: usize,
    limits: Limits,
    wasi: Wasi,
) -> Result<Writer, Failure> {
    let settings = Settings { ruleset: ruleset.clone(), play: Play::RoundRobin, seats, pairs: 1, limits, wasi };
    let secrets = Secrets::first(TournamentSecret::from_seed(0), Some(0));
    let mut store = Store::create(file, &settings, &secrets)?;
    store.append(0, vec![Block { agents: (0..seats).collect(), first_pair: 0, pairs: 1 }])?;
    Writer::new(store, &Sandbox::id(wasi))
}

/// How long a new tournament file takes to store so many made-up matches of two seats, committed.
///
/// # Errors
///
/// When there can be no such file, or the disk is full.
///
/// # Examples
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let took = arena::bench::store_matches(&folder.path().join("many.db"), 100)?;
/// assert!(took > std::time::Duration::ZERO);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn store_matches(file: &Path, matches: u64) -> Result<Duration, Failure> {
    let limits = Allowance::Standard.limits();
    let mut writer = writer(file, &presets::IMMEDIATE_WIN, 2, limits, Wasi::None)?;
    let begun = Instant::now();
    for number in 1..=matches {
        let outcome = Outcome {
            agents: vec![0, 1],
            ranks: vec![1, 2],
            scores: vec![10_000, (number % 200 * 50) as i32],
            faults: Vec::new(),
            ending: Ending::ImmediateWin,
            turns: vec![TurnFigures::default(); 2],
        };
        // Hashes hardly compress: neither do these.
        let hash = std::array::from_fn(|byte| (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (byte % 8 * 8)) as u8);
        writer.add(0, vec![PlayedMatch::new(number, number, outcome, Some(hash))])?;
    }
    writer.finish()?;
    Ok(begun.elapsed())
}
