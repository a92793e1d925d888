//! Faults by kind, each with a match that shows it.
//!
//! Owns counts and the least match number. Refuses to judge a fault.

use std::collections::BTreeMap;

use crate::fault::FaultKind;

/// Faults of one agent.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults {
    counts: [u64; FaultKind::ALL.len()],
    /// The number of the first match with each kind, where matches are numbered.
    first: [Option<u64>; FaultKind::ALL.len()],
}

impl Faults {
    /// Counts one fault. Matches are numbered in schedule order, so that the least number is the
    /// first, whichever was counted first.
    pub(super) fn add(&mut self, kind: FaultKind, number: Option<u64>) {
        let index = usize::from(kind.code() - 1);
        self.counts[index] += 1;
        let first = &mut self.first[index];
        *first = match (*first, number) {
            (Some(first), Some(number)) => Some(first.min(number)),
            (known, new) => known.or(new),
        };
    }

    /// How many of each kind; every kind is listed.
    pub(super) fn counts(&self) -> BTreeMap<FaultKind, u64> {
        FaultKind::ALL.into_iter().zip(self.counts).collect()
    }

    /// The number of the first match with each kind that has one.
    pub(super) fn first_matches(&self) -> BTreeMap<FaultKind, u64> {
        FaultKind::ALL.into_iter().zip(self.first).filter_map(|(kind, first)| Some((kind, first?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_match_is_that_of_the_least_number() {
        let mut faults = Faults::default();
        for (kind, number) in [(FaultKind::Trap, Some(9)), (FaultKind::Trap, Some(4)), (FaultKind::Trap, Some(7))] {
            faults.add(kind, number);
        }
        faults.add(FaultKind::IllegalBank, None);
        faults.add(FaultKind::OutOfFuel, None);
        faults.add(FaultKind::OutOfFuel, Some(12));
        faults.add(FaultKind::OutOfFuel, None);
        let counts = faults.counts();
        assert_eq!(counts.len(), FaultKind::ALL.len());
        assert_eq!((counts[&FaultKind::Trap], counts[&FaultKind::OutOfFuel]), (3, 3));
        assert_eq!((counts[&FaultKind::IllegalBank], counts[&FaultKind::CannotStart]), (1, 0));
        assert_eq!(faults.first_matches(), [(FaultKind::Trap, 4), (FaultKind::OutOfFuel, 12)].into());
    }
}
