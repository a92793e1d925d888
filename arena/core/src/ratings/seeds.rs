//! Owns the list of seeds on which something was seen, packed: a tournament of a million matches has
//! half a million of them, and standings are computed while it is played.
//!
//! Refuses nothing: any numbers in any order, repeated ones as well.

/// Seeds, or their numbers, in the order in which they were added.
///
/// Each takes as many bytes as its distance from the one before needs, seven bits a byte: one or two
/// where numbers ascend with the schedule, ten at worst.
///
/// ```
/// use arena_core::ratings::Seeds;
/// let seeds: Seeds = [3, 4, 900, 7].into_iter().collect();
/// assert_eq!(seeds.len(), 4);
/// assert_eq!(seeds.iter().collect::<Vec<_>>(), [3, 4, 900, 7]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seeds {
    /// Distances modulo 2^64 from 0 and from one to the next, the lowest seven bits first, the high
    /// bit of a byte set where more follow.
    distances: Vec<u8>,
    last: u64,
    len: u64,
    falls: bool,
}

impl Seeds {
    /// Adds one at the end.
    pub fn push(&mut self, seed: u64) {
        self.falls |= seed < self.last;
        let mut distance = seed.wrapping_sub(self.last);
        while distance >= 0x80 {
            self.distances.push(distance as u8 | 0x80);
            distance >>= 7;
        }
        self.distances.push(distance as u8);
        self.last = seed;
        self.len += 1;
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        let mut bytes = self.distances.iter();
        let mut seed = 0_u64;
        std::iter::from_fn(move || {
            let (mut distance, mut shift) = (0_u64, 0);
            loop {
                let byte = *bytes.next()?;
                distance |= u64::from(byte & 0x7f) << shift;
                shift += 7;
                if byte < 0x80 {
                    break;
                }
            }
            seed = seed.wrapping_add(distance);
            Some(seed)
        })
    }

    /// The same, ascending, if they are not already.
    pub(super) fn sorted(&self) -> Option<Seeds> {
        self.falls.then(|| {
            let mut seeds: Vec<u64> = self.iter().collect();
            seeds.sort_unstable();
            seeds.into_iter().collect()
        })
    }
}

impl FromIterator<u64> for Seeds {
    fn from_iter<I: IntoIterator<Item = u64>>(seeds: I) -> Seeds {
        let mut list = Seeds::default();
        seeds.into_iter().for_each(|seed| list.push(seed));
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_comes_out_again() {
        // Every length of a distance, both ways, and the ends of the range.
        let lengths = (0..64).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit]);
        let seeds: Vec<u64> = lengths.clone().chain(lengths.rev()).chain([u64::MAX, 0, u64::MAX, u64::MAX]).collect();
        let packed: Seeds = seeds.iter().copied().collect();
        assert_eq!(packed.len(), seeds.len() as u64);
        assert_eq!(packed.iter().collect::<Vec<_>>(), seeds);
        let sorted = packed.sorted().expect("they fall");
        let mut expected = seeds;
        expected.sort_unstable();
        assert_eq!(sorted.iter().collect::<Vec<_>>(), expected);
        assert_eq!(sorted.sorted(), None);
    }

    #[test]
    fn seeds_in_the_order_of_a_schedule_take_a_byte() {
        let packed: Seeds = (0..1_000).map(|pair| pair * 3).collect();
        assert_eq!(packed.distances.len(), 1_000);
        assert!(Seeds::default().is_empty() && Seeds::default().iter().next().is_none());
    }
}
