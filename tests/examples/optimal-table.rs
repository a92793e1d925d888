//! Solves `immediate-win` and writes the table that the sample agent `optimal` is built with.
//!
//!     cargo run --release -p arena-tests --example optimal-table
//!
//! Owns the table's bytes, which `sample-agents/optimal/src/table.rs` reads: for every score of the seat
//! to move, from 0 in steps of 50, a row; at the file's beginning two bytes a row, how long it is. A row
//! holds the chances of the seat to move by the other's score, from the highest down, in units of
//! 1 / 2^18: the second differences, as zigzag numbers of seven bits a byte, the lowest first, the
//! eighth bit set where more follow. Chances change smoothly, so most take a byte.
//!
//! The same bytes every time: solved values do not depend on the number of threads.

use std::error::Error;
use std::path::Path;

use arena_core::oracle::{Oracle, Position};
use farkle::{Points, presets};

/// Chances are counted in units of 1 / 2^18.
const UNITS: f64 = (1 << 18) as f64;

fn main() -> Result<(), Box<dyn Error>> {
    let rules = &presets::IMMEDIATE_WIN;
    let oracle = Oracle::solve(rules, |_| ())?;
    let step = oracle.step();
    let scores = || (0..rules.target).step_by(step as usize);
    let mut lengths = Vec::new();
    let mut rows = Vec::new();
    for own in scores() {
        let before = rows.len();
        let (mut last, mut slope) = (0, 0);
        for rival in scores().rev() {
            let value = units(&oracle, own, rival)?;
            write_zigzag(value - last - slope, &mut rows);
            (slope, last) = (value - last, value);
        }
        lengths.extend(u16::try_from(rows.len() - before)?.to_le_bytes());
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sample-agents/optimal/src/immediate-win.table");
    lengths.extend(rows);
    std::fs::write(path, &lengths)?;
    println!("{} bytes; the first player wins {:.8}", lengths.len(), oracle.first_player());
    Ok(())
}

/// The chance of the seat to move, in units, to the nearest.
fn units(oracle: &Oracle, own: Points, rival: Points) -> Result<i32, Box<dyn Error>> {
    let value = oracle.value(&Position { own, rival, ..Position::default() })?;
    Ok((value * UNITS).round() as i32)
}

fn write_zigzag(number: i32, bytes: &mut Vec<u8>) {
    let mut rest = (number << 1 ^ number >> 31) as u32;
    while rest >= 1 << 7 {
        bytes.push(rest as u8 | 1 << 7);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}
