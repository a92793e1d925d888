//! What dice cost: the layout in use, and the layouts it was chosen over.
//!
//! Run with `cargo bench --bench dice`. A figure is the time of one whole match's dice, of one
//! roll computed alone, or of the part named.
//!
//! A match here is the list of rolls that agents produce which keep every scoring die and bank
//! at a fixed amount (300: about 70 rolls over two seats; 1000: longer turns) until somebody has
//! 10,000 points. Sixty-four such lists take turns, and every match has a fresh seed.

use std::hint::black_box;

use arena_core::dice::{MatchDice, roll_at};
use divan::Bencher;
use farkle::Faces;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

fn main() {
    let list = scripts(2, 300);
    let rolls: usize = list.iter().map(Vec::len).sum();
    let turns: usize = list.iter().flatten().filter(|place| place.roll == 0).count();
    println!("two seats, bank at 300: {:.1} rolls in {:.1} turns a match", rolls as f64 / 64.0, turns as f64 / 64.0);
    divan::main();
}

/// One roll to come: where it is, and how many dice.
#[derive(Clone, Copy)]
struct Place {
    seat: u8,
    turn: u32,
    roll: u32,
    dice: u8,
}

/// The dice of a match under some layout.
trait Layout {
    fn new(seats: u8) -> Self;
    fn reset(&mut self, seed: u64);
    fn roll(&mut self, place: Place) -> Faces;
    /// One roll alone.
    fn alone(seed: u64, place: Place) -> Faces;
}

/// The layout in use, through its public face.
struct InUse(MatchDice);

impl Layout for InUse {
    fn new(seats: u8) -> Self {
        Self(MatchDice::new(0, seats))
    }
    fn reset(&mut self, seed: u64) {
        self.0.reset(seed);
    }
    #[inline]
    fn roll(&mut self, p: Place) -> Faces {
        self.0.roll(p.seat, p.turn, p.roll, p.dice).expect("a place inside the scheme")
    }
    fn alone(seed: u64, p: Place) -> Faces {
        roll_at(seed, p.seat, p.turn, p.roll, p.dice).expect("a place inside the scheme")
    }
}

/// What tells the cached layouts apart.
trait Scheme {
    /// Turns in one refill of 64 words.
    const GROUP: u32;
    /// Rolls of a turn that need no stream of their own.
    const ROLLS: u32;
    /// Seats that share a stream.
    const SHARED: u8 = 1;
    /// The outcome (0 to 6^6 - 1) of a roll from the turn's bytes in the group, if accepted.
    fn outcome(slot: &[u8], roll: u32) -> Option<u32>;
}

fn word(slot: &[u8], number: usize) -> u32 {
    u32::from_le_bytes(slot[number * 4..number * 4 + 4].try_into().expect("four bytes"))
}

fn double(slot: &[u8], number: usize) -> u64 {
    u64::from_le_bytes(slot[number * 8..number * 8 + 8].try_into().expect("eight bytes"))
}

fn accepted(word: u32) -> Option<u32> {
    (word < u32::MAX / 46_656 * 46_656).then_some(word % 46_656)
}

/// A: a word a roll, 8 rolls a turn.
struct A;
impl Scheme for A {
    const GROUP: u32 = 8;
    const ROLLS: u32 = 8;
    #[inline]
    fn outcome(slot: &[u8], roll: u32) -> Option<u32> {
        accepted(word(slot, roll as usize))
    }
}

/// B: two words a roll, 8 rolls a turn.
struct B;
impl Scheme for B {
    const GROUP: u32 = 4;
    const ROLLS: u32 = 8;
    #[inline]
    fn outcome(slot: &[u8], roll: u32) -> Option<u32> {
        let x = double(slot, roll as usize);
        (x < u64::MAX / 46_656 * 46_656).then_some((x % 46_656) as u32)
    }
}

/// C: a word a roll, 4 rolls a turn.
struct C;
impl Scheme for C {
    const GROUP: u32 = 16;
    const ROLLS: u32 = 4;
    #[inline]
    fn outcome(slot: &[u8], roll: u32) -> Option<u32> {
        accepted(word(slot, roll as usize))
    }
}

/// D: a word a roll, 16 rolls a turn.
struct D;
impl Scheme for D {
    const GROUP: u32 = 4;
    const ROLLS: u32 = 16;
    #[inline]
    fn outcome(slot: &[u8], roll: u32) -> Option<u32> {
        accepted(word(slot, roll as usize))
    }
}

/// E: two words hold three rolls (18 dice), 6 rolls a turn.
struct E;
impl Scheme for E {
    const GROUP: u32 = 16;
    const ROLLS: u32 = 6;
    #[inline]
    fn outcome(slot: &[u8], roll: u32) -> Option<u32> {
        const THREE: u64 = 6u64.pow(18);
        let x = double(slot, (roll / 3) as usize);
        let divided = match roll % 3 {
            0 => x,
            1 => x / 46_656,
            _ => x / 46_656u64.pow(2),
        };
        (x < u64::MAX / THREE * THREE).then_some((divided % 46_656) as u32)
    }
}

/// F: as A, with seats 2k and 2k + 1 taking turns in one stream.
struct F;
impl Scheme for F {
    const GROUP: u32 = 4;
    const ROLLS: u32 = 8;
    const SHARED: u8 = 2;
    #[inline]
    fn outcome(slot: &[u8], roll: u32) -> Option<u32> {
        accepted(word(slot, roll as usize))
    }
}

fn source(seed: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..].copy_from_slice(b"farkle-arena dice ver. 1");
    ChaCha8Rng::from_seed(key)
}

#[cold]
fn spare(source: &mut ChaCha8Rng, p: Place) -> u32 {
    source.set_stream((u64::from(p.roll) + 1) << 32 | u64::from(p.turn) << 8 | u64::from(p.seat));
    source.set_word_pos(0);
    let outcome = loop {
        if let Some(outcome) = accepted(source.next_u32()) {
            break outcome;
        }
    };
    source.set_word_pos(0);
    outcome
}

/// A cached layout: 64 words kept for each stream.
struct Cached<S> {
    source: ChaCha8Rng,
    groups: Vec<(u32, [u8; 256])>,
    scheme: std::marker::PhantomData<S>,
}

/// Bytes of a turn of one seat.
const fn slot_bytes<S: Scheme>() -> usize {
    256 / S::GROUP as usize / S::SHARED as usize
}

#[cold]
fn refill(source: &mut ChaCha8Rng, stream: u8, number: u32, bytes: &mut [u8; 256]) {
    source.set_stream(u64::from(stream));
    source.set_word_pos(u128::from(number * 64));
    source.fill_bytes(bytes);
}

impl<S: Scheme> Layout for Cached<S> {
    fn new(seats: u8) -> Self {
        let streams = seats.div_ceil(S::SHARED);
        Self {
            source: source(0),
            groups: vec![(u32::MAX, [0; 256]); usize::from(streams)],
            scheme: std::marker::PhantomData,
        }
    }
    fn reset(&mut self, seed: u64) {
        self.source = source(seed);
        for group in &mut self.groups {
            group.0 = u32::MAX;
        }
    }
    #[inline]
    fn roll(&mut self, p: Place) -> Faces {
        if p.roll < S::ROLLS {
            let stream = p.seat / S::SHARED;
            let (number, bytes) = &mut self.groups[usize::from(stream)];
            if *number != p.turn / S::GROUP {
                *number = p.turn / S::GROUP;
                refill(&mut self.source, stream, *number, bytes);
            }
            let slot = usize::from(p.seat % S::SHARED) + (p.turn % S::GROUP) as usize * usize::from(S::SHARED);
            let slot = &bytes[slot * slot_bytes::<S>()..][..slot_bytes::<S>()];
            if let Some(outcome) = S::outcome(slot, p.roll) {
                return faces(outcome, p.dice);
            }
        }
        faces(spare(&mut self.source, p), p.dice)
    }
    fn alone(seed: u64, p: Place) -> Faces {
        let mut source = source(seed);
        if p.roll < S::ROLLS {
            source.set_stream(u64::from(p.seat / S::SHARED));
            let slot = p.turn * u32::from(S::SHARED) + u32::from(p.seat % S::SHARED);
            source.set_word_pos(u128::from(slot * slot_bytes::<S>() as u32 / 4));
            let mut bytes = [0; 64];
            let bytes = &mut bytes[..slot_bytes::<S>()];
            source.fill_bytes(bytes);
            if let Some(outcome) = S::outcome(bytes, p.roll) {
                return faces(outcome, p.dice);
            }
            source.set_word_pos(0);
        }
        faces(spare(&mut source, p), p.dice)
    }
}

/// Z: as A, but every roll seeks: no cache at all.
struct Seeking(ChaCha8Rng);

impl Layout for Seeking {
    fn new(_seats: u8) -> Self {
        Self(source(0))
    }
    fn reset(&mut self, seed: u64) {
        self.0 = source(seed);
    }
    fn roll(&mut self, p: Place) -> Faces {
        if p.roll < 8 {
            self.0.set_word_pos(0);
            self.0.set_stream(u64::from(p.seat));
            self.0.set_word_pos(u128::from(p.turn * 8 + p.roll));
            if let Some(outcome) = accepted(self.0.next_u32()) {
                return faces(outcome, p.dice);
            }
        }
        self.0.set_word_pos(0);
        faces(spare(&mut self.0, p), p.dice)
    }
    fn alone(seed: u64, p: Place) -> Faces {
        Self(source(seed)).roll(p)
    }
}

/// No dice: what the measuring loop itself costs.
struct Nothing;

impl Layout for Nothing {
    fn new(_seats: u8) -> Self {
        Self
    }
    fn reset(&mut self, _seed: u64) {}
    fn roll(&mut self, p: Place) -> Faces {
        Faces::from_packed(black_box(p.dice.into()))
    }
    fn alone(seed: u64, p: Place) -> Faces {
        Faces::from_packed(u32::from(p.dice) & seed as u32)
    }
}

#[inline]
fn faces(outcome: u32, dice: u8) -> Faces {
    static COUNTS: [[u32; 216]; 4] = {
        let mut counts = [[0; 216]; 4];
        let mut n = 1;
        while n <= 3 {
            let mut d = 0;
            while d < 216 {
                counts[n][d] = counts[n - 1][d] + (1 << (4 * (d / 6usize.pow(n as u32 - 1) % 6)));
                d += 1;
            }
            n += 1;
        }
        counts
    };
    let dice = usize::from(dice);
    let (low, high) = ((outcome % 216) as usize, (outcome / 216) as usize);
    Faces::from_packed(COUNTS[dice.min(3)][low] + COUNTS[dice.saturating_sub(3)][high])
}

/// The rolls of 64 matches between agents that keep every scoring die and bank at `bank` points.
fn scripts(seats: u8, bank: u32) -> Vec<Vec<Place>> {
    (0..64).map(|seed| script(seed, seats, bank)).collect()
}

fn script(seed: u64, seats: u8, bank: u32) -> Vec<Place> {
    let mut places = Vec::new();
    let mut scores = vec![0; usize::from(seats)];
    for turn in 0.. {
        for seat in 0..seats {
            let (mut at_risk, mut dice) = (0, 6);
            for roll in 0.. {
                places.push(Place { seat, turn, roll, dice });
                let thrown = roll_at(seed, seat, turn, roll, dice).expect("a place inside the scheme");
                let (points, used) = score(thrown);
                if used == 0 {
                    break;
                }
                at_risk += points;
                dice = if used == dice { 6 } else { dice - used };
                if at_risk >= bank {
                    scores[usize::from(seat)] += at_risk;
                    break;
                }
            }
        }
        if scores.iter().any(|&score| score >= 10_000) {
            return places;
        }
    }
    unreachable!("turns do not run out")
}

/// Points and dice of every scorer: ones, fives, three or more of a kind (doubling), a straight.
fn score(faces: Faces) -> (u32, u8) {
    if faces.packed() == 0x11_1111 {
        return (1500, 6);
    }
    let (mut points, mut used) = (0, 0);
    for face in 1..=6u32 {
        let count = faces.packed() >> (4 * (face - 1)) & 15;
        let single = match face {
            1 => 100,
            5 => 50,
            _ => 0,
        };
        if count >= 3 {
            points += if face == 1 { 1000 } else { 100 * face } << (count - 3);
            used += count;
        } else if single > 0 {
            points += single * count;
            used += count;
        }
    }
    (points, used as u8)
}

fn play<L: Layout>(bencher: Bencher<'_, '_>, seats: u8, bank: u32) {
    let scripts = scripts(seats, bank);
    let mut dice = L::new(seats);
    let mut seed = 0u64;
    bencher.bench_local(|| {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        dice.reset(black_box(seed));
        let mut sum = 0u32;
        for &place in &scripts[(seed >> 58) as usize] {
            sum = sum.wrapping_add(dice.roll(place).packed());
        }
        sum
    });
}

#[divan::bench(types = [InUse, Cached<A>, Cached<B>, Cached<C>, Cached<D>, Cached<E>, Cached<F>, Seeking, Nothing], sample_size = 640)]
fn match_of_2_seats<L: Layout>(bencher: Bencher<'_, '_>) {
    play::<L>(bencher, 2, 300);
}

#[divan::bench(types = [InUse, Cached<A>, Cached<B>, Cached<C>, Cached<D>, Cached<E>, Cached<F>, Seeking, Nothing], sample_size = 640)]
fn match_of_2_bold_seats<L: Layout>(bencher: Bencher<'_, '_>) {
    play::<L>(bencher, 2, 1000);
}

#[divan::bench(types = [InUse, Cached<A>, Cached<B>, Cached<C>, Cached<D>, Cached<E>, Cached<F>, Seeking, Nothing], sample_size = 640)]
fn match_of_8_seats<L: Layout>(bencher: Bencher<'_, '_>) {
    play::<L>(bencher, 8, 300);
}

#[divan::bench(types = [InUse, Cached<A>, Cached<B>, Cached<C>, Cached<D>, Cached<E>, Cached<F>, Seeking, Nothing], sample_size = 640)]
fn roll_alone<L: Layout>(bencher: Bencher<'_, '_>) {
    let mut seed = 0u64;
    bencher.bench_local(|| {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let place = Place { seat: 1, turn: (seed >> 60) as u32, roll: (seed >> 50 & 3) as u32, dice: 6 };
        L::alone(black_box(seed), black_box(place))
    });
}

/// Sixty-four rolls whose turns are in the cache.
#[divan::bench(sample_size = 1000)]
fn part_64_rolls_cached(bencher: Bencher<'_, '_>) {
    let mut dice = MatchDice::new(1, 2);
    bencher.bench_local(|| {
        let mut sum = 0u32;
        for n in 0..64 {
            let faces = dice.roll(0, n >> 3, n & 7, (n % 6) as u8 + 1).expect("a place inside the scheme");
            sum = sum.wrapping_add(faces.packed());
        }
        black_box(sum)
    });
}

/// One refill of a seat: eight turns.
#[divan::bench(sample_size = 1000)]
fn part_refill(bencher: Bencher<'_, '_>) {
    let mut source = source(1);
    let mut bytes = [0; 256];
    let mut number = 0;
    bencher.bench_local(|| {
        number += 1;
        refill(&mut source, black_box(1), number & 0xffff, black_box(&mut bytes));
    });
}

/// Turning to the next match.
#[divan::bench(sample_size = 1000)]
fn part_reset(bencher: Bencher<'_, '_>) {
    let mut dice = MatchDice::new(1, 2);
    let mut seed = 0u64;
    bencher.bench_local(|| {
        seed += 1;
        black_box(&mut dice).reset(black_box(seed));
    });
}
