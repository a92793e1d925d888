//! The format of a stored tournament, and what it plays next.
//!
//! Owns the names and settings of formats as they are typed and stored. Refuses to choose matches:
//! [`arena_core::formats`] does.

use arena_core::formats::{self, Block, Format, FormatError, Next, Plan, Scored};
use arena_core::schedule::Planned;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::store::{Entry, Secrets, Settings};

/// How a tournament chooses its matches, as it is typed and stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(tag = "format", rename_all = "kebab-case")]
pub(crate) enum Play {
    /// Everybody meets everybody
    RoundRobin,
    /// The first agent meets each of the others
    Gauntlet,
    /// Two agents, once
    Duel,
}

impl Play {
    pub(crate) fn name(self) -> &'static str {
        self.format().name()
    }

    /// Whether what it plays next depends on results.
    pub(crate) fn looks_at_results(self) -> bool {
        match self {
            Play::RoundRobin | Play::Gauntlet | Play::Duel => false,
        }
    }

    pub(crate) fn format(self) -> Format {
        match self {
            Play::RoundRobin => Format::RoundRobin,
            Play::Gauntlet => Format::Gauntlet,
            Play::Duel => Format::Duel,
        }
    }
}

/// The blocks to append to those that are planned. `scored` has the results of every block, as far
/// as it is played.
pub(crate) fn next_blocks(
    settings: &Settings,
    secrets: &Secrets,
    entries: &[Entry],
    planned: &[Planned],
    scored: &[Scored],
) -> Result<Vec<Block>, FormatError> {
    let secret = &secrets.last().secret;
    let plan = Plan { format: settings.play.format(), seats: settings.seats, pairs: settings.pairs, secret };
    let entered: Vec<formats::Entry> = entries
        .iter()
        .map(|entry| formats::Entry { withdrawn: entry.withdrawn, fresh_from: entry.fresh_from })
        .collect();
    let blocks: Vec<(Block, Option<Scored>)> = planned
        .iter()
        .zip(scored)
        .map(|(planned, scored)| (planned.block.clone(), is_over(planned, entries).then(|| scored.clone())))
        .collect();
    Ok(match plan.next_blocks(&entered, &blocks)? {
        Next::Play(blocks) => blocks,
        Next::Wait | Next::Finished => Vec::new(),
    })
}

/// Whether no match of a block is still to be played: all are, or somebody has withdrawn.
pub(crate) fn is_over(planned: &Planned, entries: &[Entry]) -> bool {
    planned.played == planned.block.pairs || planned.block.agents.iter().any(|agent| entries[*agent].withdrawn)
}
