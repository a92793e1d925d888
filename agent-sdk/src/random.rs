//! An agent's own random numbers.
//!
//! Owns the generator and how a number below a bound is drawn from it. Refuses any other source
//! of chance: an agent plays the same match the same way every time.
//!
//! The generator is xoshiro256++, seeded by SplitMix64, both fixed by their published reference
//! code (<https://prng.di.unimi.it/>): its numbers can never change with a version of this crate,
//! as those of a generator chosen by a library may, and its code is a few dozen instructions.

use core::cell::RefCell;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Random numbers that depend on the match and the seat alone, and say nothing about the dice.
///
/// ```
/// use agent_sdk::Random;
/// let random = Random::new(7);
/// assert!(random.below(6) < 6);
/// assert!([1, 2, 3].contains(random.pick(&[1, 2, 3]).unwrap()));
/// ```
#[derive(Debug)]
pub struct Random(RefCell<Xoshiro256PlusPlus>);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Random {
        Random(RefCell::new(Xoshiro256PlusPlus::seed_from_u64(seed)))
    }

    /// 64 random bits.
    pub fn bits(&self) -> u64 {
        self.0.borrow_mut().next_u64()
    }

    /// A number from 0 to `bound - 1`, each equally likely.
    ///
    /// # Panics
    ///
    /// When `bound` is 0.
    pub fn below(&self, bound: u32) -> u32 {
        assert!(bound > 0, "no number is below 0");
        // The upper half of a 32 × 32 bit product is the number; products whose lower half is
        // below 2^32 mod bound would come once too often.
        let surplus = bound.wrapping_neg() % bound;
        loop {
            let product = (self.bits() >> 32) * u64::from(bound);
            if product as u32 >= surplus {
                return (product >> 32) as u32;
            }
        }
    }

    /// Heads or tails.
    pub fn coin(&self) -> bool {
        self.bits() >> 63 == 1
    }

    /// One of several, each equally likely; `None` of none.
    pub fn pick<'a, T>(&self, of: &'a [T]) -> Option<&'a T> {
        if of.is_empty() { None } else { of.get(self.below(of.len() as u32) as usize) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs of the reference code in C for a state filled by SplitMix64 from 0.
    #[test]
    fn numbers_are_those_of_the_reference() {
        let random = Random::new(0);
        let expected = [0x5317_5d61_490b_23df, 0x61da_6f3d_c380_d507, 0x5c0f_df91_ec9a_7bfc];
        assert_eq!([random.bits(), random.bits(), random.bits()], expected);
    }

    #[test]
    fn every_number_below_a_bound_comes_up_alike() {
        let random = Random::new(1);
        let mut seen = [0u32; 6];
        for _ in 0..60_000 {
            seen[random.below(6) as usize] += 1;
        }
        // Five standard deviations of a binomial with n = 60,000, p = 1/6 are 456.
        assert!(seen.iter().all(|n| n.abs_diff(10_000) < 456), "{seen:?}");
        assert_eq!(random.below(1), 0);
        assert_eq!(random.pick::<u8>(&[]), None);
    }
}
