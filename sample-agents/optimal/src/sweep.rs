//! One turn under `immediate-win`, solved from the target down.
//!
//! Owns what rolling and banking is worth at every total. Refuses to know dice: what rolls offer is written
//! out by `build.rs`.
//!
//! With `t` the total that a bank would make, rolling `d` dice is worth `W(t, d)`: the mean over all rolls
//! of the best keep's worth, where a keep of `k` that leaves `e` dice is worth the greater of banking
//! `t + k` and `W(t + k, e)`. A farkle leaves the rival to move, and so does a bank of nothing: both are
//! worth the same. From the target on everything is worth 1.
//!
//! Four totals at once are one vector. A keep of a single 5 leads one row up, into the same four; so
//! columns of few dice, which such keeps lead to, are some rows ahead of those of many. The chain is closed
//! by hot dice, from one die back to six; but all around it lie six keeps of 50 points at least, which is
//! more than four rows. Vectors are kept for every row, and not for every fourth: so whatever a keep leads
//! to is read at once.

use crate::lanes::{LANES, Lanes};
use crate::table::{self, SCORES};

include!(concat!(env!("OUT_DIR"), "/rolls.rs"));

/// Rows below a score of 0, so that blocks end there.
const BELOW: usize = LANES;

/// Rows of a column.
const ROWS: usize = BELOW + SCORES + MOST_STEPS + LANES + LEADS[0];

/// What one round reads and writes, from its first row in the first column.
const WINDOW: usize = 5 * ROWS + MOST_STEPS + LANES + LEADS[0];
type Window = [Lanes; WINDOW];

/// What standing behind a keep is worth: of a column of dice, from some row of the window on.
#[inline(always)]
fn kept(rows: &Window, column: usize, row: usize) -> Lanes {
    rows[column * ROWS + row]
}

/// A turn, solved.
#[derive(Default)]
pub(crate) struct Solved {
    /// Own score and the rival's, of the turn that is solved; at first none.
    scores: Option<(usize, usize)>,
    /// By row: what banking is worth.
    bank: Vec<f32>,
    /// By dice - 1, then row: what the better of banking and rolling is worth, in that row and the next three.
    /// Not inside of this: an agent's place stands in its component byte by byte.
    kept: Vec<Lanes>,
}

impl Solved {
    /// Solves the turn at these scores, in steps and below the target, unless that is the last one solved.
    pub(crate) fn solve(&mut self, own: usize, rival: usize) {
        if self.scores == Some((own, rival)) {
            return;
        }
        self.scores = Some((own, rival));
        // Once in a match. What stands from the target on is never written again.
        self.bank.resize(ROWS, 1.0);
        self.kept.resize(6 * ROWS, Lanes::all(1.0));
        table::after_turn(rival, |score, worth| self.bank[BELOW + score] = worth);
        self.sweep(own);
    }

    /// Down to the row above that of the own score in all columns, and to that row with six dice.
    #[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
    fn sweep(&mut self, own: usize) {
        let farkle = self.bank[BELOW + own];
        let lowest = (BELOW + own - LEADS[0] + 1) / LANES * LANES;
        for row in (lowest..BELOW + SCORES).step_by(LANES).rev() {
            let banks = self.bank[row..].first_chunk::<{ LANES + LEADS[0] }>();
            let rows = self.kept[row..].first_chunk_mut::<WINDOW>();
            let (Some(banks), Some(rows)) = (banks, rows) else { continue };
            let roll = roll_1(farkle, rows);
            store(rows, banks, 0, roll);
            let roll = roll_2(farkle, rows);
            store(rows, banks, 1, roll);
            let roll = roll_3(farkle, rows);
            store(rows, banks, 2, roll);
            let roll = roll_4(farkle, rows);
            store(rows, banks, 3, roll);
            let roll = roll_5(farkle, rows);
            store(rows, banks, 4, roll);
            let roll = roll_6(farkle, rows);
            store(rows, banks, 5, roll);
        }
    }

    /// What banking this total is worth.
    pub(crate) fn bank(&self, total: usize) -> f32 {
        self.bank.get(BELOW + total).copied().unwrap_or(1.0)
    }

    /// What the better of banking this total and rolling so many dice is worth. Of totals above the own
    /// score; with six dice also of that.
    pub(crate) fn kept(&self, total: usize, dice: u8) -> f32 {
        let column = usize::from(dice).saturating_sub(1).min(5);
        if total < SCORES { self.kept[column * ROWS + BELOW + total].first() } else { 1.0 }
    }
}

/// Writes down the better of banking and rolling.
#[inline(always)]
fn store(rows: &mut Window, banks: &[f32; LANES + LEADS[0]], column: usize, roll: Lanes) {
    let lead = LEADS[column];
    let better = roll.or(Lanes::new([banks[lead], banks[lead + 1], banks[lead + 2], banks[lead + 3]]));
    let from = column * ROWS + lead;
    let moved = better.and_on(rows[from + LANES]);
    for (place, lanes) in rows[from..].iter_mut().zip(moved) {
        *place = lanes;
    }
}
