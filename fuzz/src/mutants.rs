//! Blind mutants of a seed.
//!
//! Owns small changes of bytes, drawn from a number: for `component`, whose guided fuzzer takes long to
//! build, and which is to run with stable Rust too. Refuses to know what the bytes mean.

/// A generator of 64-bit numbers, the same on every run (SplitMix64).
pub struct Mutants(u64);

impl Mutants {
    /// The mutants of that number.
    pub fn new(number: u64) -> Mutants {
        Mutants(number)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// The seed with one to four changes. Most keep the length, so that the sizes of sections still fit.
    pub fn mutant(&mut self, seed: &[u8]) -> Vec<u8> {
        let mut bytes = seed.to_vec();
        for _ in 0..1 + self.below(4) {
            if bytes.is_empty() {
                return bytes;
            }
            let at = self.below(bytes.len());
            match self.below(16) {
                0..5 => bytes[at] ^= 1 << self.below(8),
                5..9 => bytes[at] = self.next() as u8,
                9 => bytes[at] = bytes[at].wrapping_add(1),
                10 => bytes[at] = bytes[at].wrapping_sub(1),
                11 => bytes[at] = [0, 0x7f, 0x80, 0xff][self.below(4)],
                // A stretch from elsewhere.
                12 | 13 => {
                    let length = 1 + self.below(8);
                    let from = self.below(bytes.len());
                    for i in 0..length.min(bytes.len() - at.max(from)) {
                        bytes[at + i] = bytes[from + i];
                    }
                }
                14 => bytes.insert(at, self.next() as u8),
                _ => {
                    bytes.remove(at);
                }
            }
        }
        bytes
    }
}
