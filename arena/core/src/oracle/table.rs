//! Solved values as bytes, to be kept.
//!
//! Owns the format: a first line, a version, whose ruleset it is, the values, and a hash of all that.
//! Refuses whatever is not whole, not of this version, or of other rules.

use std::borrow::Cow;

use farkle::{EndingRule, Ruleset};

use super::{Kind, Oracle, Unsolvable};
use crate::Sha256Hex;

/// What a table begins with.
const MAGIC: &[u8] = b"farkle arena oracle\n";
/// The version of the format, and of what is solved: another one is solved anew.
pub const TABLE_FORMAT: u32 = 1;
const HASH_BYTES: usize = 32;
/// First line, version, ruleset's hash, number of values.
const HEAD_BYTES: usize = MAGIC.len() + 4 + HASH_BYTES + 8;

/// Why bytes are no table of a ruleset.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// Something else.
    #[error("it is no table of solved values")]
    Foreign,
    /// Made by a newer arena.
    #[error("it has format {0}, and this arena reads {TABLE_FORMAT}: a newer arena made it")]
    Newer(u32),
    /// Made by an older arena.
    #[error("it has format {0}, and this arena reads {TABLE_FORMAT}: an older arena made it")]
    Older(u32),
    /// It holds the values of other rules.
    #[error("it is of another ruleset")]
    OtherRules,
    /// It was cut off, or something was added.
    #[error("it has {found} bytes of {expected}")]
    Length {
        /// How many there are.
        found: u64,
        /// How many there should be.
        expected: u64,
    },
    /// It was changed.
    #[error("its bytes are not those that were written: the SHA-256 differs")]
    Damaged,
    /// No table can be of this ruleset.
    #[error(transparent)]
    Unsolvable(#[from] Unsolvable),
}

/// The hash of everything about a ruleset that solved values depend on: not its name, and not how many
/// seats it allows beside the two.
///
/// ```
/// use arena_core::oracle::rules_hash;
/// use farkle::presets::{DUEL, PATCH, MY_TURN_YET};
/// assert_eq!(rules_hash(&PATCH), rules_hash(&MY_TURN_YET));
/// assert_ne!(rules_hash(&PATCH), rules_hash(&DUEL));
/// ```
pub fn rules_hash(rules: &Ruleset) -> Sha256Hex {
    let seats = if rules.ending == EndingRule::Turns { 1 } else { 2 };
    let bare = Ruleset { name: Cow::Borrowed(""), min_seats: seats, max_seats: seats, ..rules.clone() };
    let json = serde_json::to_string(&bare).expect("a ruleset is plain data");
    Sha256Hex::of(json.as_bytes())
}

impl Oracle {
    /// The solved values as bytes. Turns that are kept are not part of them.
    pub fn to_bytes(&self) -> Vec<u8> {
        let values: Vec<f64> = match &self.kind {
            Kind::Duel(duel) => duel.values.iter().collect(),
            Kind::Solo(solo) => solo.numbers(),
        };
        let mut bytes = Vec::with_capacity(HEAD_BYTES + 8 * values.len() + HASH_BYTES);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&TABLE_FORMAT.to_le_bytes());
        bytes.extend_from_slice(&rules_hash(self.rules()).0);
        bytes.extend_from_slice(&(values.len() as u64).to_le_bytes());
        bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        let hash = Sha256Hex::of(&bytes);
        bytes.extend_from_slice(&hash.0);
        bytes
    }

    /// Takes solved values back from [`to_bytes`](Oracle::to_bytes).
    ///
    /// # Errors
    ///
    /// [`TableError`] for bytes that are not whole, of another format or of other rules.
    ///
    /// ```
    /// use arena_core::oracle::{Oracle, TableError};
    /// use farkle::{Ruleset, presets};
    /// let rules = Ruleset { target: 500, ..presets::IMMEDIATE_WIN };
    /// let bytes = Oracle::solve(&rules, |_| ())?.to_bytes();
    /// let again = Oracle::from_bytes(&bytes, &rules)?;
    /// assert_eq!(again.to_bytes(), bytes);
    /// assert_eq!(Oracle::from_bytes(&bytes, &presets::PLAY_TABLE).unwrap_err(), TableError::OtherRules);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_bytes(bytes: &[u8], rules: &Ruleset) -> Result<Oracle, TableError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(TableError::Foreign)?;
        let short = |expected: usize| TableError::Length { found: bytes.len() as u64, expected: expected as u64 };
        let (version, rest) = rest.split_first_chunk().ok_or(short(HEAD_BYTES + HASH_BYTES))?;
        match u32::from_le_bytes(*version) {
            TABLE_FORMAT => {}
            older if older < TABLE_FORMAT => return Err(TableError::Older(older)),
            newer => return Err(TableError::Newer(newer)),
        }
        let (hash, rest) = rest.split_first_chunk::<HASH_BYTES>().ok_or(short(HEAD_BYTES + HASH_BYTES))?;
        let (count, rest) = rest.split_first_chunk().ok_or(short(HEAD_BYTES + HASH_BYTES))?;
        let expected = u64::from_le_bytes(*count).saturating_mul(8).saturating_add((HEAD_BYTES + HASH_BYTES) as u64);
        if bytes.len() as u64 != expected {
            return Err(TableError::Length { found: bytes.len() as u64, expected });
        }
        let (whole, sum) = bytes.split_at(bytes.len() - HASH_BYTES);
        if Sha256Hex::of(whole).0 != *sum {
            return Err(TableError::Damaged);
        }
        if rules_hash(rules).0 != *hash {
            return Err(TableError::OtherRules);
        }
        let (numbers, _) = rest.split_at(rest.len() - HASH_BYTES);
        let values = numbers.as_chunks().0.iter().map(|number| f64::from_le_bytes(*number));
        let mut oracle = Oracle::unsolved(rules)?;
        let places = match &oracle.kind {
            Kind::Duel(duel) => duel.values.positions(),
            Kind::Solo(solo) => solo.numbers().len(),
        };
        if values.len() != places {
            return Err(TableError::Length {
                found: bytes.len() as u64,
                expected: (HEAD_BYTES + HASH_BYTES + 8 * places) as u64,
            });
        }
        match &mut oracle.kind {
            Kind::Duel(duel) => duel.values.fill(values),
            Kind::Solo(solo) => solo.set(values),
        }
        Ok(oracle)
    }
}
