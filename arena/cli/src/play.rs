//! The format of a stored tournament.
//!
//! Owns the names and settings of formats as they are typed and stored. Refuses to choose matches:
//! [`arena_core::formats`] does.

use arena_core::formats::Format;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::args::PlayArgs;
use crate::failure::Failure;

/// How a tournament chooses its matches, with its settings, as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "format", rename_all = "kebab-case")]
pub(crate) enum Play {
    RoundRobin,
    Gauntlet,
    Swiss { rounds: u32 },
    Knockout,
    Ladder { batch: u64, budget: u64 },
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
    /// Each next pairing is the one that tells most about the order
    Ladder,
    /// Two agents, once
    Duel,
}

impl Play {
    /// From what was typed.
    pub(crate) fn new(args: &PlayArgs) -> Result<Play, Failure> {
        for (given, option, kind, of) in [
            (args.rounds.is_some(), "--rounds", PlayKind::Swiss, "swiss"),
            (args.batch.is_some(), "--batch", PlayKind::Ladder, "ladder"),
            (args.budget.is_some(), "--budget", PlayKind::Ladder, "ladder"),
        ] {
            if given && args.play != kind {
                return Err(Failure::usage(format!("{option} is for --play {of}")));
            }
        }
        Ok(match args.play {
            PlayKind::RoundRobin => Play::RoundRobin,
            PlayKind::Gauntlet => Play::Gauntlet,
            PlayKind::Swiss => Play::Swiss { rounds: args.rounds.unwrap_or(7) },
            PlayKind::Knockout => Play::Knockout,
            PlayKind::Ladder => {
                let (batch, budget) = (args.batch.unwrap_or(50), args.budget.unwrap_or(5_000));
                if batch > budget {
                    return Err(Failure::usage(format!("--batch {batch} is more than --budget {budget}")));
                }
                Play::Ladder { batch, budget }
            }
            PlayKind::Duel => Play::Duel,
        })
    }

    pub(crate) fn name(self) -> &'static str {
        self.format().name()
    }

    /// Whether what it plays next depends on results.
    pub(crate) fn looks_at_results(self) -> bool {
        match self {
            Play::Swiss { .. } | Play::Knockout | Play::Ladder { .. } => true,
            Play::RoundRobin | Play::Gauntlet | Play::Duel => false,
        }
    }

    pub(crate) fn format(self) -> Format {
        match self {
            Play::RoundRobin => Format::RoundRobin,
            Play::Gauntlet => Format::Gauntlet,
            Play::Swiss { rounds } => Format::Swiss { rounds },
            Play::Knockout => Format::Knockout,
            Play::Ladder { batch, budget } => Format::Ladder { batch, budget },
            Play::Duel => Format::Duel,
        }
    }
}
