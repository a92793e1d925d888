//! What an agent may spend in a match.
//!
//! Owns the limits that are part of a match's identity, and their named allowances. Refuses to
//! enforce them: fuel and memory are the sandbox's, turns are the referee's.

use serde::{Deserialize, Serialize};

/// The limits of a match. Together with ruleset, seed and components they fix its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Fuel for instantiating an agent and its `start`, together.
    pub start_fuel: u64,
    /// Fuel for each `decide`.
    pub decide_fuel: u64,
    /// Linear memory of one agent, in bytes, all its memories together.
    pub memory_bytes: u64,
    /// Turns of each seat, closing turns aside, after which the match ends (ruling 14).
    pub turns: u32,
}

/// A named set of limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Allowance {
    /// A tenth of the standard fuel.
    Blitz,
    /// 200 million units of fuel to start, 20 million a decision.
    #[default]
    Standard,
    /// Two hundred times the standard fuel.
    Deep,
}

/// A name that is no allowance.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no allowance `{0}`; allowed are blitz, standard, deep")]
pub struct UnknownAllowance(pub String);

impl Allowance {
    /// All of them, least first.
    pub const ALL: [Allowance; 3] = [Allowance::Blitz, Allowance::Standard, Allowance::Deep];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Allowance::Blitz => "blitz",
            Allowance::Standard => "standard",
            Allowance::Deep => "deep",
        }
    }

    /// The limits of that name.
    ///
    /// ```
    /// use arena_core::Allowance;
    /// assert_eq!(Allowance::Standard.limits().decide_fuel, 20_000_000);
    /// assert_eq!(Allowance::Blitz.limits().decide_fuel, 2_000_000);
    /// ```
    pub fn limits(self) -> Limits {
        let (start_fuel, decide_fuel) = match self {
            Allowance::Blitz => (20_000_000, 2_000_000),
            Allowance::Standard => (200_000_000, 20_000_000),
            Allowance::Deep => (40_000_000_000, 4_000_000_000),
        };
        Limits { start_fuel, decide_fuel, memory_bytes: 64 << 20, turns: 1_000 }
    }
}

impl std::str::FromStr for Allowance {
    type Err = UnknownAllowance;

    fn from_str(name: &str) -> Result<Allowance, UnknownAllowance> {
        let named = Allowance::ALL.into_iter().find(|allowance| allowance.name() == name);
        named.ok_or_else(|| UnknownAllowance(name.to_owned()))
    }
}
