//! What pages are made of.
//!
//! Owns the shape of it. Refuses to compute.

use std::collections::BTreeMap;

use arena_core::standings::{Checkpoint, Row, Standings};
use arena_core::style::Style;
use arena_core::{FaultKind, Sha256Hex};
use farkle::{Points, Ruleset};

/// A tournament, as far as it is played.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The complete ruleset.
    pub ruleset: Ruleset,
    /// How matches are chosen: `round-robin`.
    pub format: String,
    /// Seats at a table.
    pub seats: usize,
    /// Matches that are played.
    pub played: u64,
    /// Matches that are left of what is planned.
    pub left: u64,
    /// Rows, model, cross table; agents are counted as in [`Tournament::agents`].
    pub standings: Standings,
    /// Those in the standings.
    pub agents: Vec<Agent>,
    /// Who takes part and has not played yet.
    pub waiting: Vec<String>,
    /// The order that the format makes, where it makes one.
    pub order: Option<Order>,
    /// How ratings came about; empty for agents that play alone.
    pub history: Vec<Checkpoint>,
    /// How many matches were played again to see how agents play.
    pub looked_at: u64,
    /// The matches that a static site has replays of, by number. A live one has all.
    pub replays: Vec<Listed>,
}

/// The order that a format makes, which is not that of the ratings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// What it goes by.
    pub title: String,
    /// From the first place down: the place, the agent, and how it came there.
    pub rows: Vec<(usize, String, String)>,
}

/// One agent of a tournament.
#[derive(Clone, Debug)]
pub struct Agent {
    /// From 1, in the order of submission: names its page.
    pub id: u64,
    /// Name, with the version where there are several.
    pub label: String,
    /// From 1.
    pub version: u32,
    /// Who submitted it.
    pub author: Option<String>,
    /// Who the component says it is.
    pub claim: String,
    /// Of its component.
    pub sha256: Sha256Hex,
    /// Why it plays no further matches, if it does not.
    pub left: Option<String>,
    /// How often it ended with each score.
    pub scores: BTreeMap<Points, u64>,
    /// How it plays, if that was looked at.
    pub style: Option<Style>,
}

/// A match in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its number in schedule order, from 1.
    pub number: u64,
    /// By seat: the agents, counted as in [`Tournament::agents`].
    pub agents: Vec<usize>,
    /// Banked points, by seat.
    pub scores: Vec<Points>,
    /// Ranks, by seat.
    pub ranks: Vec<u32>,
    /// How it ended, in words.
    pub ending: String,
    /// Faults: seat and kind.
    pub faults: Vec<(u8, FaultKind)>,
    /// What is special about it, in words.
    pub why: Vec<String>,
}

impl Tournament {
    /// The row of an agent.
    pub(crate) fn row(&self, agent: usize) -> Option<&Row> {
        self.standings.standings.iter().find(|row| row.agent == agent)
    }

    /// The matches of an agent that have a replay.
    pub(crate) fn replays_of(&self, agent: usize) -> impl Iterator<Item = &Listed> {
        self.replays.iter().filter(move |listed| listed.agents.contains(&agent))
    }

    /// Whether there is a page for a match.
    pub(crate) fn has_replay(&self, number: u64) -> bool {
        self.replays.binary_search_by_key(&number, |listed| listed.number).is_ok()
    }
}
