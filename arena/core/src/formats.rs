//! Which blocks of matches a tournament plays next, by its format.
//!
//! Owns the formats as pure functions: from the settings, the entries and the blocks so far with
//! their results, in schedule order, to the blocks to append. Number of threads, interruptions and
//! the order in which matches end can therefore never change what is played.
//!
//! Refuses to change or renumber a block that was planned, to play, to store, and to know names.
//! Who runs the matches may take those of all planned blocks in any order.
//!
//! `docs/formats.md` says for organisers what each format is for.

mod error;
mod knockout;
mod ladder;
mod matching;
mod round_robin;
mod scored;
mod swiss;

pub use error::FormatError;
pub use knockout::KnockoutRow;
pub use scored::Scored;
pub use swiss::SwissRow;

pub use crate::schedule::Block;

use crate::seeds::TournamentSecret;

/// The most pairs that a block may have: 2^32.
pub const MAX_PAIRS: u64 = 1 << 32;

/// The most pairs that a ladder may spend: 2^38. A rating fit takes a million million matches.
pub const MAX_BUDGET: u64 = 1 << 38;

/// How a tournament chooses its matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Everybody meets everybody. Any number of seats.
    RoundRobin,
    /// The first entry meets each of the others. Two seats.
    Gauntlet,
    /// Rounds, in each of which everybody plays one block against somebody with about as many points.
    /// Two seats.
    Swiss {
        /// How many; more than there are rivals make agents meet again.
        rounds: u32,
    },
    /// Who loses is out. The entries are seeded in their order. Two seats.
    Knockout,
    /// Always the pairing that tells most about the order, until the budget is spent. Two seats. The
    /// plan's `pairs` are not used.
    Ladder {
        /// Pairs of a block.
        batch: u64,
        /// Pairs of all blocks together.
        budget: u64,
    },
    /// Exactly two entries, one block. Two seats.
    Duel,
}

/// What does not change while a tournament runs.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// How matches are chosen.
    pub format: Format,
    /// Seats at a table.
    pub seats: usize,
    /// How many pairs a block has; at more than two seats how many rounds there are.
    pub pairs: u64,
    /// Decides draws.
    pub secret: &'a TournamentSecret,
}

/// An agent in a tournament. Its index in the list of entries is its name here and never changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Whether it gets no further blocks. Blocks already planned stay planned.
    pub withdrawn: bool,
    /// The first pair index it may play. Above 0 for an agent that was submitted after seeds were
    /// shown, since it might have been built to win on those.
    pub fresh_from: u64,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Append these blocks, at least one, in this order; then ask again.
    Play(Vec<Block>),
    /// What comes next depends on planned blocks that are not all finished.
    Wait,
    /// Nothing is left to plan until somebody is added.
    Finished,
}

/// Who stands where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The format has no order of its own: the ratings of [`crate::standings`] decide.
    ByRating,
    /// Of a Swiss, from the first down.
    Swiss(Vec<SwissRow>),
    /// Of a knockout, from the winner down.
    Knockout(Vec<KnockoutRow>),
}

impl Format {
    /// What it is called in commands and messages.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
            Self::Swiss { .. } => "swiss",
            Self::Knockout => "knockout",
            Self::Ladder { .. } => "ladder",
            Self::Duel => "duel",
        }
    }
}

impl Plan<'_> {
    /// The blocks to append to `blocks`, which are all blocks so far in schedule order, each with its
    /// results once it is finished.
    ///
    /// A function of its arguments alone: the caller keeps what it returns, all of it or nothing, and
    /// asks again when blocks have finished or entries have changed. Entries are only ever added at
    /// the end.
    ///
    /// It takes time in proportion to the blocks, so ask when the answer may be a new one: when the
    /// last planned block has finished, or entries have changed.
    ///
    /// A block that will not be played to its end, since an agent was withdrawn, has to be given
    /// results all the same before a format that waits goes on: those it has, or [`Scored::forfeit`].
    /// Results once given must not change.
    ///
    /// ```
    /// use arena_core::formats::{Entry, Format, Next, Plan};
    /// use arena_core::seeds::TournamentSecret;
    /// let secret = TournamentSecret::from_seed(1);
    /// let plan = Plan { format: Format::RoundRobin, seats: 2, pairs: 100, secret: &secret };
    /// let Next::Play(blocks) = plan.next_blocks(&[Entry::default(); 3], &[])? else { panic!() };
    /// let agents: Vec<_> = blocks.iter().map(|block| &block.agents[..]).collect();
    /// assert_eq!(agents, [[0, 1], [0, 2], [1, 2]]);
    /// # Ok::<(), arena_core::formats::FormatError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`FormatError`]: settings that the format does not know, too few agents at the start, or
    /// blocks that it did not plan.
    pub fn next_blocks(&self, entries: &[Entry], blocks: &[(Block, Option<Scored>)]) -> Result<Next, FormatError> {
        self.check(entries, blocks)?;
        let view = View { plan: self, entries, blocks };
        let planned = match self.format {
            Format::RoundRobin => round_robin::everybody(&view)?,
            Format::Gauntlet => round_robin::gauntlet(&view)?,
            Format::Swiss { rounds } => return Ok(swiss::next(&view, rounds)),
            Format::Knockout => return knockout::next(&view),
            Format::Ladder { batch, budget } => return ladder::next(&view, batch, budget),
            Format::Duel => round_robin::duel(&view)?,
        };
        Ok(if planned.is_empty() { Next::Finished } else { Next::Play(planned) })
    }

    /// Who stands where, by blocks that have finished.
    ///
    /// # Errors
    ///
    /// As [`Plan::next_blocks`].
    pub fn standing(&self, entries: &[Entry], blocks: &[(Block, Option<Scored>)]) -> Result<Standing, FormatError> {
        self.check(entries, blocks)?;
        let view = View { plan: self, entries, blocks };
        Ok(match self.format {
            Format::Swiss { .. } => Standing::Swiss(swiss::table(&view)),
            Format::Knockout => Standing::Knockout(knockout::table(&view)?),
            _ => Standing::ByRating,
        })
    }

    fn check(&self, entries: &[Entry], blocks: &[(Block, Option<Scored>)]) -> Result<(), FormatError> {
        if !matches!(self.format, Format::Ladder { .. }) && !(1..=MAX_PAIRS).contains(&self.pairs) {
            return Err(FormatError::Pairs(self.pairs));
        }
        if self.format != Format::RoundRobin && self.seats != 2 {
            return Err(FormatError::TwoSeats { format: self.format.name(), seats: self.seats });
        }
        match self.format {
            Format::Swiss { rounds: 0 } => return Err(FormatError::NoRounds),
            Format::Ladder { batch, budget } if batch == 0 || batch > budget || budget > MAX_BUDGET => {
                return Err(FormatError::Budget { batch, budget });
            }
            _ => {}
        }
        let with_byes = matches!(self.format, Format::Swiss { .. } | Format::Knockout);
        for (number, (block, scored)) in blocks.iter().enumerate() {
            let bad = |why| Err(FormatError::BadBlock { block: number, why });
            let agents = &block.agents;
            if agents.iter().any(|agent| *agent >= entries.len()) {
                return bad("has an agent that was not entered");
            }
            if block.is_bye() && !with_byes {
                return bad("has no pairs");
            }
            if agents.len() != if block.is_bye() { 1 } else { self.seats } {
                return bad("has not as many agents as there are seats");
            }
            if (1..agents.len()).any(|seat| agents[..seat].contains(&agents[seat])) {
                return bad("seats an agent twice");
            }
            if !block.is_bye() && scored.as_ref().is_some_and(|scored| scored.points().len() != self.seats) {
                return bad("has results of another number of seats");
            }
        }
        let needed = self.seats.max(if self.format == Format::RoundRobin { 1 } else { 2 });
        let active = entries.iter().filter(|entry| !entry.withdrawn).count();
        if blocks.is_empty() && active < needed {
            return Err(FormatError::TooFewAgents { format: self.format.name(), seats: self.seats, needed, active });
        }
        Ok(())
    }
}

/// What every format looks at, checked.
struct View<'a> {
    plan: &'a Plan<'a>,
    entries: &'a [Entry],
    blocks: &'a [(Block, Option<Scored>)],
}

impl View<'_> {
    /// The entries that are not withdrawn, in order.
    fn active(&self) -> Vec<usize> {
        (0..self.entries.len()).filter(|entry| !self.entries[*entry].withdrawn).collect()
    }

    /// The first pair that all of these may play.
    fn fresh_for(&self, agents: &[usize]) -> u64 {
        agents.iter().map(|agent| self.entries[*agent].fresh_from).max().unwrap_or(0)
    }

    /// The plan's number of pairs, from the first that all of these may play.
    fn block(&self, agents: Vec<usize>) -> Block {
        Block { first_pair: self.fresh_for(&agents), agents, pairs: self.plan.pairs }
    }

    /// Whether a planned block is not finished.
    fn is_open(&self) -> bool {
        self.blocks.iter().any(|(block, scored)| !block.is_bye() && scored.is_none())
    }

    /// The first pair of a round in which all of these take part: after those of the round before.
    fn next_first_pair(&self, agents: &[usize]) -> u64 {
        let last = self.blocks.last().map_or(0, |(block, _)| block.first_pair.saturating_add(self.plan.pairs));
        last.max(self.fresh_for(agents))
    }
}
