//! One match of a tournament, on its way from whoever plays it to whoever counts or stores it.

use arena_core::standings::Outcome;

/// One match of a tournament, played.
pub(crate) struct PlayedMatch {
    pub(crate) number: u64,
    pub(crate) seed: u64,
    pub(crate) outcome: Outcome,
    /// Its hash, if wanted.
    pub(crate) hash: Option<[u8; 32]>,
    /// The record as JSON, if wanted.
    pub(crate) record: Option<String>,
}
