//! What a stored tournament plays next, and who stands where in it.
//!
//! Owns the way from stored settings, entries and results to the format. Refuses to choose matches:
//! [`arena_core::formats`] does.

use arena_core::formats::{self, Block, FormatError, Next, Plan, Scored, Standing};
use arena_core::schedule::Planned;

use crate::secrets::Secrets;
use crate::store::{Entry, Settings};

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
        Ok(match self.next()? {
            Next::Play(blocks) => blocks,
            Next::Wait | Next::Finished => Vec::new(),
        })
    }

    /// What is to be done next.
    pub(crate) fn next(&self) -> Result<Next, FormatError> {
        self.plan().next_blocks(&self.entered(), &self.blocks())
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
