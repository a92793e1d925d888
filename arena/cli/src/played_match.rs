//! One match of a tournament, on its way from whoever plays it to whoever counts or stores it.

use arena_core::analysis::Analysis;
use arena_core::luck::Luck;
use arena_core::standings::Outcome;
use arena_core::style::Style;

/// One match of a tournament, played.
pub(crate) struct PlayedMatch {
    pub(crate) number: u64,
    pub(crate) seed: u64,
    pub(crate) outcome: Outcome,
    /// Its hash, if wanted.
    pub(crate) hash: Option<[u8; 32]>,
    /// The record as JSON, if wanted.
    pub(crate) record: Option<String>,
    /// The luck of both seats, if wanted.
    pub(crate) luck: Option<[Luck; 2]>,
    /// What its decisions gave away, if wanted.
    pub(crate) analysis: Option<Box<Analysis>>,
    /// How every seat played, if wanted.
    pub(crate) style: Option<Vec<Style>>,
}

impl PlayedMatch {
    /// What is stored of a match.
    pub(crate) fn new(number: u64, seed: u64, outcome: Outcome, hash: Option<[u8; 32]>) -> PlayedMatch {
        PlayedMatch { number, seed, outcome, hash, record: None, luck: None, analysis: None, style: None }
    }
}
