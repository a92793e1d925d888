//! Dice and decisions as the contract carries them.
//!
//! Owns the numbers that cross the boundary at every roll. Refuses anything that takes memory.

use farkle::{Decision, Faces, Next};

/// The bit of a decision that says to bank.
const BANK: u32 = 1 << 24;

/// A decision: the dice to keep in bits 0 to 23, whether to bank in bit 24.
#[inline]
pub(crate) fn decision(decision: Decision) -> u32 {
    decision.keep.packed() | if decision.next == Next::Bank { BANK } else { 0 }
}

/// A roll, from how many dice show each face.
#[inline]
pub(crate) fn faces(counts: [u8; 6]) -> Faces {
    let mut packed = 0;
    for (face, count) in counts.into_iter().enumerate() {
        packed |= u32::from(count) << (4 * face);
    }
    Faces::from_packed(packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example in `wit/arena.wit`: two 1s and a 5 are `0x010002`; bit 24 banks.
    #[test]
    fn the_contract_s_example_holds() {
        let keep = Faces::from_dice(&[1, 1, 5]).unwrap();
        assert_eq!(decision(Decision { keep, next: Next::Roll }), 0x001_0002);
        assert_eq!(decision(Decision { keep, next: Next::Bank }), 0x101_0002);
        assert_eq!(faces([2, 0, 0, 0, 1, 0]), keep);
    }
}
