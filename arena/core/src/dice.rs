//! The dice of a match, counter-based: the dice of a roll depend on the match seed, the seat, the
//! turn and the roll, and on nothing else.
//!
//! Owns the scheme that `docs/dice.md` pins with test vectors: key, streams, words, rejection.
//! **It can never change**: every record ever published depends on it.
//!
//! In short: the key is the match seed and a label; seat `s` reads the ChaCha8 stream `s`; roll
//! `r` of turn `t` is its 32-bit word `8t + r`; one word holds six dice in base 6. A rejected
//! word, or a roll past the eighth of its turn, moves to a stream of the roll's own.
//!
//! Refuses: to count turns and rolls (the referee does), to know what dice are worth, to make
//! seeds ([`crate::seeds`]), and any position outside the scheme ([`DiceError`], never a clamp).

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use farkle::Faces;

/// Rolls of a turn that have a word of their own in the seat's main stream.
const SLOT: u32 = 8;
/// Turns that one refill of the generator covers: 64 words, 8 a turn.
const GROUP: u32 = 8;
/// Words of one refill: four ChaCha blocks.
const GROUP_WORDS: usize = (GROUP * SLOT) as usize;
/// Outcomes of six dice, 6^6.
const OUTCOMES: u32 = 46_656;
/// Words from here on are rejected: the largest multiple of 6^6 that fits in 32 bits.
const ACCEPTED: u32 = u32::MAX / OUTCOMES * OUTCOMES;
/// Turns from here on have no dice: a turn has 24 bits in the name of a spare stream.
const TURNS: u32 = 1 << 24;
/// What follows the match seed in the key.
const KEY_LABEL: &[u8; 24] = b"farkle-arena dice ver. 1";

/// A roll that has no dice: the caller asked for a place outside the scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiceError {
    /// The match has fewer seats.
    #[error("seat {seat} asked for dice in a match of {seats} seats")]
    Seat {
        /// The seat asked for, from 0.
        seat: u8,
        /// Seats in the match.
        seats: u8,
    },
    /// Turns end at 2^24 - 1.
    #[error("turn {turn} has no dice: turns are numbered 0 to {}", TURNS - 1)]
    Turn {
        /// The turn asked for, from 0.
        turn: u32,
    },
    /// Rolls end at 2^32 - 2.
    #[error("roll {roll} has no dice: rolls are numbered 0 to {}", u32::MAX - 1)]
    Roll {
        /// The roll asked for, from 0.
        roll: u32,
    },
    /// A roll has one to six dice.
    #[error("a roll of {dice} dice: a roll has 1 to 6")]
    Dice {
        /// The number of dice asked for.
        dice: u8,
    },
}

/// The dice of one match, with what the current turns need kept ready.
///
/// The order of calls changes the cost, never the dice. Turns of a seat in rising order are
/// cheap: eight of them share one refill of the generator.
///
/// ```
/// # use arena_core::dice::{MatchDice, roll_at};
/// let mut dice = MatchDice::new(2024, 2);
/// let first = dice.roll(0, 0, 0, 6)?;
/// assert_eq!(first, roll_at(2024, 0, 0, 0, 6)?);
/// # Ok::<(), arena_core::dice::DiceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MatchDice {
    /// Left at a block boundary of any stream, so that choosing the next stream costs no refill.
    source: ChaCha8Rng,
    seats: Vec<Group>,
}

/// The words of eight turns of one seat.
#[derive(Clone, Debug)]
struct Group {
    /// Number of the group (turn / 8), or [`Group::EMPTY`].
    number: u32,
    /// Little-endian, in the order of the stream.
    words: [[u8; 4]; GROUP_WORDS],
}

impl Group {
    /// No turn below 2^24 is in this group.
    const EMPTY: u32 = u32::MAX;

    /// The word of a roll below 8 of a turn of this group.
    #[inline]
    fn word(&self, turn: u32, roll: u32) -> u32 {
        u32::from_le_bytes(self.words[(turn * SLOT + roll) as usize % GROUP_WORDS])
    }

    /// Reads the 64 words of group `number` from the seat's main stream.
    ///
    /// Stream first, then position: neither makes a block while the source is at a block
    /// boundary, and reading exactly one refill leaves it at one.
    fn refill(&mut self, source: &mut ChaCha8Rng, seat: u8, number: u32) {
        source.set_stream(u64::from(seat));
        source.set_word_pos(u128::from(number * GROUP * SLOT));
        source.fill_bytes(self.words.as_flattened_mut());
        self.number = number;
    }
}

impl MatchDice {
    /// The dice of the match with this seed and number of seats. The only call that allocates.
    #[must_use]
    pub fn new(seed: u64, seats: u8) -> Self {
        let empty = Group { number: Group::EMPTY, words: [[0; 4]; GROUP_WORDS] };
        Self { source: source(seed), seats: vec![empty; usize::from(seats)] }
    }

    /// Turns to another match with as many seats, without allocating.
    pub fn reset(&mut self, seed: u64) {
        self.source = source(seed);
        for group in &mut self.seats {
            group.number = Group::EMPTY;
        }
    }

    /// The faces of `dice` dice (1 to 6) at roll `roll` of turn `turn` of `seat`, all from 0.
    ///
    /// # Errors
    ///
    /// [`DiceError`] when the match has no such seat, or the scheme no such turn, roll or number
    /// of dice.
    #[inline]
    pub fn roll(&mut self, seat: u8, turn: u32, roll: u32, dice: u8) -> Result<Faces, DiceError> {
        // The common case makes only the checks that it needs: a group in the cache has a turn
        // below 2^24, and only a roll past its slot can be too high.
        if let Some(group) = self.seats.get(usize::from(seat))
            && group.number == turn / GROUP
            && roll < SLOT
            && (1..=6).contains(&dice)
            && let Some(outcome) = outcome(group.word(turn, roll))
        {
            return Ok(faces(outcome, dice));
        }
        self.uncached(seat, turn, roll, dice)
    }

    /// As [`Self::roll`], for a turn not yet in the cache, a roll with no accepted word in its
    /// slot, or a place outside the scheme.
    #[cold]
    fn uncached(&mut self, seat: u8, turn: u32, roll: u32, dice: u8) -> Result<Faces, DiceError> {
        let seats = self.seats.len() as u8;
        let group = self.seats.get_mut(usize::from(seat)).ok_or(DiceError::Seat { seat, seats })?;
        check(turn, roll, dice)?;
        if roll < SLOT {
            if group.number != turn / GROUP {
                group.refill(&mut self.source, seat, turn / GROUP);
            }
            if let Some(outcome) = outcome(group.word(turn, roll)) {
                return Ok(faces(outcome, dice));
            }
        }
        Ok(faces(spare(&mut self.source, seat, turn, roll), dice))
    }
}

/// The faces of one roll alone: what [`MatchDice::roll`] gives, for any seat below 256.
///
/// ```
/// # use arena_core::dice::roll_at;
/// // Seed 2024, seat 1, turn 3, roll 0: 3 1 1 2 3 1, so three ones, a two and two threes.
/// assert_eq!(roll_at(2024, 1, 3, 0, 6)?.packed(), 0x0213);
/// # Ok::<(), arena_core::dice::DiceError>(())
/// ```
///
/// # Errors
///
/// [`DiceError`] when the scheme has no such turn, roll or number of dice.
pub fn roll_at(seed: u64, seat: u8, turn: u32, roll: u32, dice: u8) -> Result<Faces, DiceError> {
    check(turn, roll, dice)?;
    Ok(faces(outcome_at(seed, seat, turn, roll), dice))
}

fn check(turn: u32, roll: u32, dice: u8) -> Result<(), DiceError> {
    if turn >= TURNS {
        return Err(DiceError::Turn { turn });
    }
    if roll == u32::MAX {
        return Err(DiceError::Roll { roll });
    }
    if !(1..=6).contains(&dice) {
        return Err(DiceError::Dice { dice });
    }
    Ok(())
}

/// The outcome (0 to 46,655) of a checked roll.
fn outcome_at(seed: u64, seat: u8, turn: u32, roll: u32) -> u32 {
    let mut source = source(seed);
    if roll < SLOT {
        source.set_stream(u64::from(seat));
        source.set_word_pos(u128::from(turn * SLOT + roll));
        if let Some(outcome) = outcome(source.next_u32()) {
            return outcome;
        }
        // Back to a block boundary, where `spare` expects the source.
        source.set_word_pos(0);
    }
    spare(&mut source, seat, turn, roll)
}

/// ChaCha8 under the key of this match: the seed, 8 bytes little-endian, then the label.
fn source(seed: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..].copy_from_slice(KEY_LABEL);
    ChaCha8Rng::from_seed(key)
}

/// The outcome of a roll that has no accepted word in its slot: the first accepted word of the
/// roll's own stream. No main stream has a number above 255, so none is met here.
#[cold]
fn spare(source: &mut ChaCha8Rng, seat: u8, turn: u32, roll: u32) -> u32 {
    source.set_stream((u64::from(roll) + 1) << 32 | u64::from(turn) << 8 | u64::from(seat));
    source.set_word_pos(0);
    let outcome = loop {
        if let Some(outcome) = outcome(source.next_u32()) {
            break outcome;
        }
    };
    source.set_word_pos(0);
    outcome
}

/// The outcome in a word, or none where taking it would favour some outcomes.
#[inline]
fn outcome(word: u32) -> Option<u32> {
    (word < ACCEPTED).then_some(word % OUTCOMES)
}

/// Die `i` of an outcome shows 1 + its base-6 digit `i`, least digit first; a roll takes the
/// first dice of the six.
#[inline]
fn faces(outcome: u32, dice: u8) -> Faces {
    let dice = usize::from(dice);
    let (low, high) = ((outcome % 216) as usize, (outcome / 216) as usize);
    Faces::from_packed(COUNTS[dice.min(3)][low] + COUNTS[dice.saturating_sub(3)][high])
}

/// `COUNTS[n][d]`: packed face counts of the first `n` of the three base-6 digits of `d`.
static COUNTS: [[u32; 216]; 4] = {
    let mut counts = [[0; 216]; 4];
    let mut n = 1;
    while n <= 3 {
        let mut d = 0;
        while d < 216 {
            let digit = d / 6usize.pow(n as u32 - 1) % 6;
            counts[n][d] = counts[n - 1][d] + (1 << (4 * digit));
            d += 1;
        }
        n += 1;
    }
    counts
};

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    /// (seed, seat, turn, roll), words read in order, dice in order.
    type Vector = ((u64, u8, u32, u32), &'static [u32], [u8; 6]);

    /// From `docs/check-dice.py --print`, whose ChaCha8 shares no code with this crate.
    const VECTORS: [Vector; 17] = [
        ((0, 0, 0, 0), &[0x5727_6eb6], [5, 2, 6, 2, 3, 1]),
        ((0, 0, 0, 1), &[0x5e24_3b10], [5, 1, 4, 1, 3, 5]),
        ((0, 1, 0, 0), &[0x331c_6c47], [4, 1, 6, 5, 2, 2]),
        ((2024, 0, 0, 0), &[0x9ab4_7dc2], [3, 1, 1, 1, 1, 1]),
        ((2024, 1, 3, 0), &[0x86fe_7cba], [3, 1, 1, 2, 3, 1]),
        ((2024, 1, 3, 7), &[0xfd94_11bd], [2, 5, 2, 3, 4, 2]),
        ((2024, 1, 7, 7), &[0x9b63_db3d], [4, 4, 1, 6, 6, 2]),
        ((2024, 1, 8, 0), &[0x5fc5_924a], [3, 5, 5, 1, 5, 6]),
        ((u64::MAX, 11, 1000, 2), &[0xabc9_5b82], [3, 1, 1, 5, 3, 3]),
        ((u64::MAX, 255, 16_777_215, 7), &[0x8717_bf17], [4, 1, 6, 3, 2, 4]),
        // Past the slot's end.
        ((2024, 1, 3, 8), &[0x094a_b509], [4, 2, 3, 2, 5, 2]),
        ((2024, 0, 12, 9), &[0xe580_ef86], [5, 2, 6, 4, 5, 1]),
        ((u64::MAX, 255, 16_777_215, 4_294_967_294), &[0xec03_21f2], [5, 2, 3, 5, 3, 4]),
        // A rejected word in the slot.
        ((2843, 0, 11, 0), &[0xffff_f64c, 0x512e_84ad], [4, 6, 6, 2, 5, 3]),
        ((10_968, 1, 2, 3), &[0xffff_f7ba, 0xdd9d_b6d5], [6, 5, 1, 6, 5, 5]),
        ((26_160, 1, 10, 1), &[0xffff_f9e3, 0xac4c_2acf], [6, 6, 4, 3, 6, 1]),
        // A rejected word past the slot's end.
        ((5524, 1, 1, 12), &[0xffff_fa94, 0x81d8_1bd8], [1, 3, 2, 4, 1, 2]),
    ];

    /// The six dice of an outcome in order, by the definition.
    fn in_order(outcome: u32) -> [u8; 6] {
        std::array::from_fn(|i| 1 + (outcome / 6u32.pow(i as u32) % 6) as u8)
    }

    fn counts(dice: &[u8]) -> Faces {
        Faces::from_packed(dice.iter().map(|face| 1 << (4 * (face - 1))).sum())
    }

    /// A stream of words for choosing cases, unrelated to any match.
    fn cases() -> ChaCha8Rng {
        ChaCha8Rng::from_seed([0xca; 32])
    }

    #[test]
    fn the_key_label_fills_the_key() {
        assert_eq!(
            source(0x0807_0605_0403_0201).get_seed(),
            *b"\x01\x02\x03\x04\x05\x06\x07\x08farkle-arena dice ver. 1"
        );
        assert_eq!(u64::from(ACCEPTED), (1u64 << 32) / 46_656 * 46_656);
        assert_eq!(ACCEPTED, 0xffff_f600);
    }

    /// The cipher itself: ChaCha8, 256-bit key, TC1 and TC8 of
    /// draft-strombergson-chacha-test-vectors-01 (first words of blocks 0 and 1).
    #[test]
    fn the_generator_is_chacha8() {
        let mut zero = ChaCha8Rng::from_seed([0; 32]);
        assert_eq!([zero.next_u32(), zero.next_u32()], [0x2fef_003e, 0xd640_5f89]);
        zero.set_word_pos(16);
        assert_eq!(zero.next_u32(), 0x0dfa_aed2);

        let key = [
            0xc4, 0x6e, 0xc1, 0xb1, 0x8c, 0xe8, 0xa8, 0x78, 0x72, 0x5a, 0x37, 0xe7, 0x80, 0xdf, 0xb7, 0x35, 0x1f, 0x68,
            0xed, 0x2e, 0x19, 0x4c, 0x79, 0xfb, 0xc6, 0xae, 0xbe, 0xe1, 0xa6, 0x67, 0x97, 0x5d,
        ];
        let mut random = ChaCha8Rng::from_seed(key);
        random.set_stream(0x2182_68cf_d531_da1a);
        assert_eq!(random.next_u32(), 0xb451_8783);
        random.set_word_pos(16);
        assert_eq!(random.next_u32(), 0xa1fd_f216);
    }

    #[test]
    fn rolls_match_the_vectors() {
        for ((seed, seat, turn, roll), words, dice) in VECTORS {
            for n in 1..=6 {
                let expected = counts(&dice[..usize::from(n)]);
                assert_eq!(roll_at(seed, seat, turn, roll, n), Ok(expected), "{seed} {seat} {turn} {roll} {n}");
                let mut kept = MatchDice::new(seed, 255);
                if seat < 255 {
                    assert_eq!(kept.roll(seat, turn, roll, n), Ok(expected), "{seed} {seat} {turn} {roll} {n}");
                    assert_eq!(kept.roll(seat, turn, roll, n), Ok(expected), "again, from the cache");
                }
            }
            let (last, rejected) = words.split_last().expect("at least one word");
            assert!(rejected.iter().all(|&word| outcome(word).is_none()));
            assert_eq!(in_order(outcome(*last).expect("accepted")), dice);
            // The words themselves, read with nothing but the generator.
            let mut source = source(seed);
            let spare = (u64::from(roll) + 1) << 32 | u64::from(turn) << 8 | u64::from(seat);
            for (i, &word) in words.iter().enumerate() {
                let (stream, position) = match (roll < 8, i) {
                    (true, 0) => (u64::from(seat), turn * 8 + roll),
                    (true, i) => (spare, i as u32 - 1),
                    (false, i) => (spare, i as u32),
                };
                source.set_stream(stream);
                source.set_word_pos(position.into());
                assert_eq!(source.next_u32(), word);
            }
        }
    }

    /// The bulk vector of `docs/check-dice.py --print`: 4,000 rolls, a byte a die, hashed.
    #[test]
    fn rolls_match_the_bulk_vector() {
        let mut sha = Sha256::new();
        for seed in 0..10 {
            for (seat, turn) in (0..2).flat_map(|seat| (0..20).map(move |turn| (seat, turn))) {
                for roll in 0..10 {
                    sha.update(in_order(outcome_at(seed, seat, turn, roll)));
                }
            }
        }
        let digest: String = sha.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, "1f2d225c5801c52290461c2fa505d8fd657a1e3a4dc923b0df89f31a92ee4ebc");
    }

    #[test]
    fn kept_and_lone_rolls_agree_in_any_order() {
        let mut cases = cases();
        let mut dice = MatchDice::new(0, 12);
        for _ in 0..200 {
            let seed = cases.next_u64() >> (cases.next_u32() % 64);
            dice.reset(seed);
            for _ in 0..200 {
                let word = cases.next_u32();
                let seat = (word % 12) as u8;
                let turn = if word & 1 << 31 == 0 { cases.next_u32() % 40 } else { cases.next_u32() % TURNS };
                let roll = if word & 1 << 30 == 0 { cases.next_u32() % 12 } else { cases.next_u32() % u32::MAX };
                let n = (cases.next_u32() % 6) as u8 + 1;
                let alone = roll_at(seed, seat, turn, roll, n).expect("inside the scheme");
                assert_eq!(dice.roll(seat, turn, roll, n), Ok(alone), "{seed} {seat} {turn} {roll} {n}");
                let shown: u32 = (0..6).map(|face| alone.packed() >> (4 * face) & 15).sum();
                assert_eq!(shown, u32::from(n));
            }
        }
    }

    #[test]
    fn a_rejected_word_leaves_the_rest_of_the_match_alone() {
        let mut dice = MatchDice::new(2843, 2);
        for turn in 0..24 {
            for seat in 0..2 {
                for roll in 0..10 {
                    assert_eq!(dice.roll(seat, turn, roll, 6), roll_at(2843, seat, turn, roll, 6));
                }
            }
        }
    }

    #[test]
    fn one_seat_never_shifts_anothers_dice() {
        let mut cases = cases();
        for seed in 0..50 {
            let (mut steady, mut wild) = (MatchDice::new(seed, 2), MatchDice::new(seed, 2));
            for turn in 0..30 {
                // Seat 0 rolls once here, and any number of times, of any dice, there.
                let _ = steady.roll(0, turn, 0, 6);
                for roll in 0..cases.next_u32() % 20 {
                    let _ = wild.roll(0, turn, roll, (cases.next_u32() % 6) as u8 + 1);
                }
                for roll in 0..3 {
                    assert_eq!(steady.roll(1, turn, roll, 6), wild.roll(1, turn, roll, 6));
                }
            }
        }
    }

    #[test]
    fn fewer_dice_are_the_first_of_the_six() {
        for y in 0..OUTCOMES {
            let dice = in_order(y);
            for n in 1..=6 {
                assert_eq!(faces(y, n), counts(&dice[..usize::from(n)]));
            }
        }
    }

    #[test]
    fn reset_equals_new() {
        let mut dice = MatchDice::new(1, 3);
        for turn in 0..20 {
            let _ = dice.roll(2, turn, 9, 6);
        }
        dice.reset(2);
        let mut fresh = MatchDice::new(2, 3);
        for turn in (0..40).rev() {
            assert_eq!(dice.roll(2, turn, 1, 5), fresh.roll(2, turn, 1, 5));
        }
    }

    #[test]
    fn places_outside_the_scheme_are_errors() {
        let mut dice = MatchDice::new(1, 2);
        assert_eq!(dice.roll(2, 0, 0, 6), Err(DiceError::Seat { seat: 2, seats: 2 }));
        for n in [0, 7, 255] {
            // Before and after the turn is in the cache.
            assert_eq!(dice.roll(0, 0, 0, n), Err(DiceError::Dice { dice: n }));
            assert!(dice.roll(0, 0, 0, 6).is_ok());
            assert_eq!(dice.roll(0, 0, 0, n), Err(DiceError::Dice { dice: n }));
            assert_eq!(roll_at(1, 0, 0, 0, n), Err(DiceError::Dice { dice: n }));
        }
        for turn in [TURNS, u32::MAX, u32::MAX - 7] {
            assert_eq!(dice.roll(1, turn, 0, 6), Err(DiceError::Turn { turn }));
            assert_eq!(roll_at(1, 0, turn, 0, 6), Err(DiceError::Turn { turn }));
        }
        assert_eq!(dice.roll(1, 0, u32::MAX, 6), Err(DiceError::Roll { roll: u32::MAX }));
        assert_eq!(roll_at(1, 1, 0, u32::MAX, 6), Err(DiceError::Roll { roll: u32::MAX }));
        assert_eq!(
            DiceError::Turn { turn: TURNS }.to_string(),
            "turn 16777216 has no dice: turns are numbered 0 to 16777215"
        );
    }

    /// Pearson's statistic over cells that should be equally full.
    fn chi_square(cells: &[u32]) -> f64 {
        let total: f64 = cells.iter().map(|&n| f64::from(n)).sum();
        let expected = total / cells.len() as f64;
        cells.iter().map(|&n| (f64::from(n) - expected).powi(2) / expected).sum()
    }

    /// Outcomes of main-slot rolls: `matches` fixed seeds, two seats, 16 turns, 8 rolls.
    fn for_each_outcome(matches: u64, mut each: impl FnMut(u32, u32)) {
        for seed in 0..matches {
            let mut dice = MatchDice::new(seed, 2);
            for seat in 0..2 {
                for turn in 0..16 {
                    for roll in 0..8 {
                        dice.roll(seat, turn, roll, 6).expect("inside the scheme");
                        let group = &dice.seats[usize::from(seat)];
                        if let Some(outcome) = outcome(group.word(turn, roll)) {
                            each(roll, outcome);
                        }
                    }
                }
            }
        }
    }

    /// Each die of the six, at each roll of the slot: 48 statistics with 5 degrees of freedom,
    /// none above 30.9, which a true one exceeds once in 100,000.
    #[test]
    fn every_die_is_even() {
        let mut cells = [[[0; 6]; 6]; 8];
        for_each_outcome(2000, |roll, outcome| {
            for (die, face) in in_order(outcome).into_iter().enumerate() {
                cells[roll as usize][die][usize::from(face) - 1] += 1;
            }
        });
        for (roll, dice) in cells.iter().enumerate() {
            for (die, faces) in dice.iter().enumerate() {
                let statistic = chi_square(faces);
                assert!(statistic < 30.9, "roll {roll}, die {die}: {statistic:.1}");
            }
        }
    }

    /// All 46,656 outcomes, about 50 times each: 46,655 degrees of freedom, so mean 46,655 and
    /// standard deviation 305.5; within 4 of those (once in 15,000).
    #[test]
    fn every_outcome_is_even() {
        let mut cells = vec![0; OUTCOMES as usize];
        for_each_outcome(9113, |_, outcome| cells[outcome as usize] += 1);
        let statistic = chi_square(&cells);
        assert!((statistic - 46_655.0).abs() < 4.0 * 305.5, "{statistic:.0}");
    }

    /// The same for rolls past the slot's end, each from a stream of its own: 216 outcomes of
    /// three dice, 215 degrees of freedom, mean 215, standard deviation 20.7, within 4 of those.
    #[test]
    fn spare_streams_are_even() {
        let mut cells = [0; 216];
        for seed in 0..200 {
            for turn in 0..10 {
                for roll in 8..18 {
                    for seat in 0..2 {
                        cells[(outcome_at(seed, seat, turn, roll) % 216) as usize] += 1;
                    }
                }
            }
        }
        let statistic = chi_square(&cells);
        assert!((statistic - 215.0).abs() < 4.0 * 20.7, "{statistic:.0}");
    }

    /// Neighbouring rolls, turns, seats and seeds share nothing: pairs of first dice fall evenly
    /// into 36 cells (35 degrees of freedom; 82 is exceeded once in 80,000).
    #[test]
    fn neighbours_are_independent() {
        let first = |seed, seat, turn, roll| (outcome_at(seed, seat, turn, roll) % 6) as usize;
        let mut cells = [[0; 36]; 4];
        for seed in 0..3000 {
            for turn in 0..4 {
                let here = first(seed, 0, turn, 0);
                cells[0][here * 6 + first(seed, 0, turn, 1)] += 1;
                cells[1][here * 6 + first(seed, 0, turn + 1, 0)] += 1;
                cells[2][here * 6 + first(seed, 1, turn, 0)] += 1;
                cells[3][here * 6 + first(seed + 1, 0, turn, 0)] += 1;
            }
        }
        for (neighbour, cells) in cells.iter().enumerate() {
            let statistic = chi_square(cells);
            assert!(statistic < 82.0, "neighbour {neighbour}: {statistic:.1}");
        }
    }
}
