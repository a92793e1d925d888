//! The exact chances to win at the start of a turn, for every pair of scores.
//!
//! Owns reading `immediate-win.table`, which `cargo run --release -p arena-tests --example optimal-table`
//! solves and writes (its source describes the bytes). Refuses to solve.
//!
//! Chances are given in units of 1 / 2^18, to the nearest, so they are off by 2e-6 at most. Two choices that
//! differ by less than twice that may be taken for each other, and no others: it costs at most 4e-6 of a
//! match where it happens.

/// Scores below the target, in steps of 50 points.
pub(crate) const SCORES: usize = 200;

static TABLE: &[u8] = include_bytes!("immediate-win.table");

const UNIT: f32 = 1.0 / (1 << 18) as f32;

/// Bytes before the rows: two for each row's length.
const HEAD: usize = 2 * SCORES;

/// What standing at a score is worth before the turn of a rival with this score: shown by score, from the
/// highest to 0.
pub(crate) fn after_turn(rival: usize, mut show: impl FnMut(usize, f32)) {
    let (head, rows) = TABLE.split_at(HEAD);
    let lengths = head.as_chunks::<2>().0;
    let before: usize = lengths.iter().take(rival).map(|length| usize::from(u16::from_le_bytes(*length))).sum();
    let mut bytes = rows.iter().skip(before);
    let (mut wins, mut slope) = (0, 0);
    for score in (0..SCORES).rev() {
        slope += zigzag(&mut bytes);
        wins += slope;
        show(score, 1.0 - wins as f32 * UNIT);
    }
}

/// Seven bits a byte, the lowest first; then the lowest bit is the sign.
#[inline]
fn zigzag<'t>(bytes: &mut impl Iterator<Item = &'t u8>) -> i32 {
    let (mut number, mut shift) = (0u32, 0);
    for byte in bytes {
        number |= u32::from(byte & 127) << shift;
        shift += 7;
        if *byte < 128 {
            break;
        }
    }
    (number >> 1) as i32 ^ -((number & 1) as i32)
}
