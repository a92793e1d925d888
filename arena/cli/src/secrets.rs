//! The secrets of a tournament.
//!
//! Owns which secret the dice of a pair come from. Refuses to be printed by itself.

use arena_core::seeds::TournamentSecret;

/// The secrets that the match seeds come from, by the first pair that each is for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Secrets(pub(crate) Vec<Secret>);

#[derive(Clone, Debug)]
pub(crate) struct Secret {
    pub(crate) first_pair: u64,
    pub(crate) secret: TournamentSecret,
    /// The hand-chosen seed that it comes from.
    pub(crate) seed: Option<u64>,
    pub(crate) revealed: bool,
}

impl Secret {
    /// One that nobody has seen.
    pub(crate) fn unrevealed(first_pair: u64, secret: TournamentSecret) -> Secret {
        Secret { first_pair, secret, seed: None, revealed: false }
    }
}

impl Secrets {
    /// The secret of a new tournament.
    pub(crate) fn first(secret: TournamentSecret, seed: Option<u64>) -> Secrets {
        Secrets(vec![Secret { first_pair: 0, secret, seed, revealed: false }])
    }

    /// The seed of a pair.
    pub(crate) fn match_seed(&self, pair: u64) -> u64 {
        self.of(pair).secret.match_seed(pair)
    }

    fn of(&self, pair: u64) -> &Secret {
        let after = self.0.partition_point(|secret| secret.first_pair <= pair);
        &self.0[after.max(1) - 1]
    }

    /// The one that seeds to come are made from.
    pub(crate) fn last(&self) -> &Secret {
        self.0.last().expect("a tournament has a secret")
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Secret> {
        self.0.iter()
    }
}
