//! What a player can do, and what comes of it.
//!
//! Owns the answer to a roll, the consequences of actions, and why an action is illegal. Refuses to
//! judge: the [state of the match](crate::MatchState) does.

use crate::chart::Listed;
use crate::faces::Faces;
use crate::keeps::IllegalKeep;
use crate::ruleset::Points;

/// What an agent or a person answers to a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The dice to set aside.
    pub keep: Faces,
    /// What then.
    pub next: Next,
}

/// What to do after a keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Next {
    /// Roll the dice that are left, or all on hot dice.
    Roll,
    /// Bank the points at risk and end the turn.
    Bank,
}

/// A bank, done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bank {
    /// The points of the turn.
    pub points: Points,
    /// The seat's banked total with them.
    pub banked: Points,
}

/// A farkle, suffered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Farkle {
    /// The points at risk that are gone.
    pub lost: Points,
    /// Whether it completed a row that costs the ruleset's penalty.
    pub penalised: bool,
    /// The seat's banked total after it.
    pub banked: Points,
}

/// What a decision led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Points of the keep.
    pub points: Points,
    /// Points at risk with it, before any bank.
    pub at_risk: Points,
    /// What came of it.
    pub then: Fallen,
}

/// How the dice have fallen for the seat that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallen {
    /// The turn goes on with a roll of so many dice.
    Rolls(u8),
    /// The points are banked, the turn is over.
    Banked(Bank),
    /// The keep itself won the match.
    Wins,
}

/// Why an action is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalAction {
    /// The keep is not legal.
    #[error(transparent)]
    Keep(#[from] IllegalKeep),
    /// The bank is not legal.
    #[error(transparent)]
    Bank(#[from] IllegalBank),
    /// There is no roll to keep from.
    #[error("there is no roll to keep from")]
    NoRoll,
    /// A roll waits for its keep.
    #[error("this roll waits for a keep")]
    RollPending,
    /// A roll of another number of dice than are to be rolled.
    #[error("{rolled} dice were rolled, and {dice} are to be rolled")]
    WrongNumberOfDice {
        /// How many were rolled.
        rolled: u8,
        /// How many are to be rolled.
        dice: u8,
    },
    /// The match is over.
    #[error("the match is over")]
    Over,
}

/// Why a bank is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalBank {
    /// Nothing was kept from this roll (ruling 9).
    #[error("nothing has been kept since the last roll, so there is nothing to bank")]
    NothingKept,
    /// The opening is not reached (ruling 9).
    #[error("{at_risk} points cannot be banked: the opening is {opening}, while the banked score is not above zero")]
    BelowOpening {
        /// Points of this turn.
        at_risk: Points,
        /// What the ruleset asks for.
        opening: Points,
    },
    /// Hot dice must be rolled.
    #[error("hot dice must be rolled under this ruleset")]
    HotDice,
    /// The target may not be passed (ruling 22).
    #[error("banking {at_risk} points makes {total}, past the target of {target}, which must be met exactly")]
    PassesTarget {
        /// Points of this turn.
        at_risk: Points,
        /// The total they would make.
        total: Points,
        /// The target.
        target: Points,
    },
}

impl core::fmt::Display for Decision {
    /// `keep 1-1, bank`.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let next = match self.next {
            Next::Roll => "roll",
            Next::Bank => "bank",
        };
        write!(f, "keep {}, {next}", Listed(self.keep))
    }
}
