//! The format of a stored tournament, and what it plays next.
//!
//! Owns the names and settings of formats as they are typed and stored. Refuses to choose matches:
//! [`arena_core::formats`] does.

use arena_core::formats::{self, Block, Format, FormatError, Next, Plan, Scored};
use arena_core::schedule::Planned;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::store::{Entry, Secrets, Settings};

/// How a tournament chooses its matches, with its settings, as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "format", rename_all = "kebab-case")]
pub(crate) enum Play {
    RoundRobin,
    Gauntlet,
    Swiss { rounds: u32 },
    Knockout,
    Duel,
}

/// The same without settings, as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlayKind {
    /// Everybody meets everybody
    RoundRobin,
    /// The first agent meets each of the others
    Gauntlet,
    /// Rounds, in each of which everybody meets somebody with about as many points
    Swiss,
    /// Who loses is out
    Knockout,
    /// Two agents, once
    Duel,
}

impl Play {
    /// From what was typed.
    pub(crate) fn new(kind: PlayKind, rounds: Option<u32>) -> Result<Play, Failure> {
        match (kind, rounds) {
            (PlayKind::Swiss, rounds) => Ok(Play::Swiss { rounds: rounds.unwrap_or(7) }),
            (_, Some(_)) => Err(Failure::usage("--rounds is for --play swiss")),
            (PlayKind::RoundRobin, None) => Ok(Play::RoundRobin),
            (PlayKind::Gauntlet, None) => Ok(Play::Gauntlet),
            (PlayKind::Knockout, None) => Ok(Play::Knockout),
            (PlayKind::Duel, None) => Ok(Play::Duel),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        self.format().name()
    }

    /// Whether what it plays next depends on results.
    pub(crate) fn looks_at_results(self) -> bool {
        match self {
            Play::Swiss { .. } | Play::Knockout => true,
            Play::RoundRobin | Play::Gauntlet | Play::Duel => false,
        }
    }

    fn format(self) -> Format {
        match self {
            Play::RoundRobin => Format::RoundRobin,
            Play::Gauntlet => Format::Gauntlet,
            Play::Swiss { rounds } => Format::Swiss { rounds },
            Play::Knockout => Format::Knockout,
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
