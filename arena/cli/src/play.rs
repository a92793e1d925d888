//! The format of a stored tournament, and what it plays next.
//!
//! Owns the names and settings of formats as they are typed and stored. Refuses to choose matches:
//! [`arena_core::formats`] does.

use arena_core::formats::{self, Block, Format, FormatError, Next, Plan, Scored, Standing};
use arena_core::schedule::Planned;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::args::PlayArgs;
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

    fn format(self) -> Format {
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

/// Everything that decides what is played next.
pub(crate) struct Course<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) secrets: &'a Secrets,
    pub(crate) entries: &'a [Entry],
    pub(crate) planned: &'a [Planned],
    /// The results of every block, as far as it is played.
    pub(crate) scored: &'a [Scored],
}

impl Course<'_> {
    /// The blocks to append to those that are planned.
    pub(crate) fn next_blocks(&self) -> Result<Vec<Block>, FormatError> {
        Ok(match self.plan().next_blocks(&self.entered(), &self.blocks())? {
            Next::Play(blocks) => blocks,
            Next::Wait | Next::Finished => Vec::new(),
        })
    }

    /// Who stands where by the format's own order.
    pub(crate) fn standing(&self) -> Result<Standing, FormatError> {
        self.plan().standing(&self.entered(), &self.blocks())
    }

    fn plan(&self) -> Plan<'_> {
        let (settings, secret) = (self.settings, &self.secrets.last().secret);
        Plan { format: settings.play.format(), seats: settings.seats, pairs: settings.pairs, secret }
    }

    fn entered(&self) -> Vec<formats::Entry> {
        let entry = |entry: &Entry| formats::Entry { withdrawn: entry.withdrawn, fresh_from: entry.fresh_from };
        self.entries.iter().map(entry).collect()
    }

    fn blocks(&self) -> Vec<(Block, Option<Scored>)> {
        let block = |(planned, scored): (&Planned, &Scored)| {
            (planned.block.clone(), is_over(planned, self.entries).then(|| scored.clone()))
        };
        self.planned.iter().zip(self.scored).map(block).collect()
    }
}

/// Whether no match of a block is still to be played: all are, or somebody has withdrawn.
pub(crate) fn is_over(planned: &Planned, entries: &[Entry]) -> bool {
    planned.played == planned.block.pairs || planned.block.agents.iter().any(|agent| entries[*agent].withdrawn)
}
