//! Where seeds come from: a tournament's secret, the seed of each pair, the draw of each round,
//! the seed an agent gets.
//!
//! Owns the five SHA-256 derivations and their labels. Every input has a fixed length, so no two
//! inputs of one derivation share a byte string, and every label differs, so no derivation can
//! stand in for another. Integers go in, and come out, little-endian. `docs/dice.md` pins all of
//! it with test vectors: it can never change.
//!
//! Refuses: to draw randomness (the caller brings the 32 bytes from the operating system), to
//! decide when a secret is revealed, and to make dice ([`crate::dice`]).

use std::fmt;

use sha2::{Digest, Sha256};

const AGENT_SEED: &[u8] = b"farkle-arena agent-seed 1\n";
const TOURNAMENT_SEED: &[u8] = b"farkle-arena tournament-seed 1\n";
const MATCH_SEED: &[u8] = b"farkle-arena match-seed 1\n";
const DRAW: &[u8] = b"farkle-arena draw 1\n";
const COMMITMENT: &[u8] = b"farkle-arena commitment 1\n";

/// The seed handed to the agent in `seat`, for its own randomness: the first 8 bytes of
/// SHA-256(label ‖ match seed, 8 bytes ‖ seat, 1 byte).
///
/// It tells the agent nothing about the dice: going back from it means trying match seeds one by
/// one, all 2^64 of them unless the seed was chosen by hand from a small range.
///
/// ```
/// # use arena_core::seeds::agent_seed;
/// assert_ne!(agent_seed(7, 0), agent_seed(7, 1));
/// ```
#[must_use]
pub fn agent_seed(match_seed: u64, seat: u8) -> u64 {
    first_u64(hash(AGENT_SEED, &[&match_seed.to_le_bytes(), &[seat]]))
}

/// The 32 bytes from which every match seed of a tournament derives. Whoever knows them knows
/// all the dice, so they stay out of `Debug` output.
#[derive(Clone, PartialEq, Eq)]
pub struct TournamentSecret([u8; 32]);

impl TournamentSecret {
    /// The secret itself: 32 bytes from the operating system, or those revealed at the close.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The secret of a tournament made with a hand-chosen seed: SHA-256(label ‖ seed, 8 bytes).
    ///
    /// For reproducing and trying. A small seed can be found by search from the commitment alone.
    #[must_use]
    pub fn from_seed(seed: u64) -> Self {
        Self(hash(TOURNAMENT_SEED, &[&seed.to_le_bytes()]))
    }

    /// The secret bytes, to store them or to reveal them.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The match seed of the pair `pair_index` (from 0): the first 8 bytes of
    /// SHA-256(label ‖ secret, 32 bytes ‖ pair index, 8 bytes).
    ///
    /// ```
    /// # use arena_core::seeds::TournamentSecret;
    /// let secret = TournamentSecret::from_seed(1);
    /// assert_eq!(secret.match_seed(0), 0x0ab2_f9ef_371a_2ed9);
    /// ```
    #[must_use]
    pub fn match_seed(&self, pair_index: u64) -> u64 {
        first_u64(hash(MATCH_SEED, &[&self.0, &pair_index.to_le_bytes()]))
    }

    /// The numbers below `agents` in the order drawn for the pair `pair_index`: by
    /// SHA-256(label ‖ secret, 32 bytes ‖ pair index, 8 bytes ‖ number, 8 bytes), as bytes.
    ///
    /// ```
    /// # use arena_core::seeds::TournamentSecret;
    /// assert_eq!(TournamentSecret::from_seed(1).draw(0, 6), [2, 0, 5, 1, 4, 3]);
    /// ```
    #[must_use]
    pub fn draw(&self, pair_index: u64, agents: usize) -> Vec<usize> {
        let key = |number: usize| hash(DRAW, &[&self.0, &pair_index.to_le_bytes(), &(number as u64).to_le_bytes()]);
        let mut drawn: Vec<_> = (0..agents).map(|number| (key(number), number)).collect();
        drawn.sort_unstable();
        drawn.into_iter().map(|(_, number)| number).collect()
    }

    /// What is published when the tournament is made: SHA-256(label ‖ secret, 32 bytes).
    #[must_use]
    pub fn commitment(&self) -> [u8; 32] {
        hash(COMMITMENT, &[&self.0])
    }
}

impl fmt::Debug for TournamentSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TournamentSecret(..)")
    }
}

fn hash(label: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut sha = Sha256::new_with_prefix(label);
    for part in parts {
        sha.update(part);
    }
    sha.finalize().into()
}

fn first_u64(digest: [u8; 32]) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = digest;
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(bytes: &[u8; 32]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// From `docs/check-dice.py --print`.
    #[test]
    fn agent_seeds_match_the_vectors() {
        assert_eq!(agent_seed(0, 0), 0x8ca6_c57c_0f27_7bc3);
        assert_eq!(agent_seed(2024, 0), 0x4224_b44e_554e_d78a);
        assert_eq!(agent_seed(2024, 1), 0xbf49_f2cb_9562_035c);
        assert_eq!(agent_seed(u64::MAX, 11), 0x32ed_b034_faf9_1ff7);
    }

    /// From `docs/check-dice.py --print`.
    #[test]
    fn tournament_seeds_match_the_vectors() {
        let secret = TournamentSecret::from_seed(0);
        assert_eq!(hex(secret.as_bytes()), "6685d96addd2433beb789608ff6b1342f24a16572be6c2a3697e6c067161ddcd");
        assert_eq!(hex(&secret.commitment()), "700150ea1c06d6c0112e6679054556f754639049be219e7f99fbb26fb5e72a7b");
        assert_eq!(secret.match_seed(0), 0x7767_7c0e_ec65_730e);
        assert_eq!(secret.match_seed(1), 0x918e_50f1_ccec_805a);
        assert_eq!(secret.match_seed(1 << 32), 0x9c0d_a6b4_dbc9_e63e);

        let secret = TournamentSecret::from_seed(1);
        assert_eq!(hex(secret.as_bytes()), "764be017d70f7eef9817abebe99e2a90bbe42cb1d424b3e08f5766be0a72ae9e");
        assert_eq!(hex(&secret.commitment()), "df74663373010aeedde0d6440e369a387773d335837d43e2a285e86baa17e024");
        assert_eq!(secret.match_seed(0), 0x0ab2_f9ef_371a_2ed9);
        assert_eq!(secret.match_seed(1), 0xe179_5e97_d261_04f0);
        assert_eq!(secret.match_seed(1 << 32), 0x3d72_0074_e65d_82c1);
    }

    /// From `docs/check-dice.py --print`.
    #[test]
    fn draws_match_the_vectors() {
        assert_eq!(TournamentSecret::from_seed(0).draw(0, 6), [0, 3, 5, 1, 2, 4]);
        assert_eq!(TournamentSecret::from_seed(1).draw(1 << 32, 12), [11, 4, 3, 7, 9, 1, 6, 10, 2, 8, 0, 5]);
    }

    #[test]
    fn a_revealed_secret_gives_the_same_seeds() {
        let secret = TournamentSecret::from_seed(9);
        let revealed = TournamentSecret::from_bytes(*secret.as_bytes());
        assert_eq!(revealed.commitment(), secret.commitment());
        assert_eq!(revealed.match_seed(5), secret.match_seed(5));
    }

    #[test]
    fn debug_output_hides_the_secret() {
        assert_eq!(format!("{:?}", TournamentSecret::from_bytes([7; 32])), "TournamentSecret(..)");
    }
}
