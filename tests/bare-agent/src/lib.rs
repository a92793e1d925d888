//! `threshold-300` without the SDK: the same decisions under `immediate-win`, from tables written
//! by hand.
//!
//! Owns what the SDK's cost is measured against (`tests/examples/sdk-cost.rs`): the least that an
//! author could write straight on the bindings. Refuses any other ruleset, and knows no limit of
//! turns.

#![cfg(target_arch = "wasm32")]
// Generated code needs it, at the place where the exports are made too.
#![allow(unsafe_code)]

/// What wit-bindgen makes of the contract.
#[allow(missing_docs, unreachable_pub, rust_2018_idioms)]
mod bindings {
    wit_bindgen::generate!({ path: "../../wit", world: "contestant" });
}

use bindings::exports::farkle::arena::agent::{About, Guest, Turn};

/// The best that so many dice of one face offer: points in the high half, in the low one the dice
/// kept, packed. By number of dice, 0 to 6; two more so that a mask is bound enough.
type Best = [u64; 8];

const fn best(face: u32, parts: [(u64, u64); 7]) -> Best {
    let mut table = [0; 8];
    let mut dice = 0;
    while dice < 7 {
        table[dice] = parts[dice].0 << 32 | parts[dice].1 << (4 * (face - 1));
        dice += 1;
    }
    table
}

/// Four of a kind are 1,000, five 2,000, six 3,000; three 1s are 1,000 already.
static BEST: [Best; 6] = [
    best(1, [(0, 0), (100, 1), (200, 2), (1_000, 3), (1_000, 3), (2_000, 5), (3_000, 6)]),
    best(2, [(0, 0), (0, 0), (0, 0), (200, 3), (1_000, 4), (2_000, 5), (3_000, 6)]),
    best(3, [(0, 0), (0, 0), (0, 0), (300, 3), (1_000, 4), (2_000, 5), (3_000, 6)]),
    best(4, [(0, 0), (0, 0), (0, 0), (400, 3), (1_000, 4), (2_000, 5), (3_000, 6)]),
    best(5, [(0, 0), (50, 1), (100, 2), (500, 3), (1_000, 4), (2_000, 5), (3_000, 6)]),
    best(6, [(0, 0), (0, 0), (0, 0), (600, 3), (1_000, 4), (2_000, 5), (3_000, 6)]),
];

const BANK: u32 = 1 << 24;

struct Bare;

impl Guest for Bare {
    fn identity() -> About {
        About { name: "bare-agent".into(), version: env!("CARGO_PKG_VERSION").into(), author: String::new() }
    }

    fn start(_seat: u32, _seats: u32, _agent_seed: u64, _turn_limit: u32, _ruleset_id: u64) {}

    fn decide(turn: Turn) -> u32 {
        let roll = turn.roll;
        let counts = [roll.ones, roll.twos, roll.threes, roll.fours, roll.fives, roll.sixes];
        let (mut sum, mut packed) = (0, 0);
        for (face, count) in counts.into_iter().enumerate() {
            sum += BEST[face][usize::from(count & 7)];
            packed |= u32::from(count) << (4 * face);
        }
        let (mut points, mut keep) = ((sum >> 32) as i32, sum as u32);
        // Every count is one, or all are even and none is six: a straight, three pairs, or four of
        // a kind and a pair.
        let of_six = match packed {
            0x11_1111 => 2_500,
            even if even & 0x11_1111 == 0 && counts.iter().sum::<u8>() == 6 && !counts.contains(&6) => 1_500,
            _ => 0,
        };
        if of_six > points {
            (points, keep) = (of_six, packed);
        }
        let at_risk = turn.at_risk + points;
        if at_risk >= 300 || turn.score + at_risk >= 10_000 { keep | BANK } else { keep }
    }
}

bindings::export!(Bare with_types_in bindings);
