//! One turn, solved from high totals to low.
//!
//! Owns the inner loop of the solver. With `t` the total that a bank would make, rolling `d` dice is
//! worth `W(t, d)`: the mean over all rolls of the best keep's worth, where a keep of `k` that leaves `e`
//! dice is worth the greater of banking `t + k` and `W(t + k, e)`; a farkle is worth what the position
//! after it is. Every keep scores, so a sweep from the top meets only what it has already solved.
//!
//! Several positions on one anti-diagonal (own score + rival's score) are swept together, lane by lane: at
//! one total they differ only in what a bank and a farkle are worth, so their arithmetic is the same.
//! Refuses to find out what a farkle is worth.

use super::game::{Game, Past};

/// The offers of all rolls, laid out for the loop.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    columns: usize,
    most_steps: usize,
    rolls: Vec<Column>,
}

#[derive(Clone, Debug)]
struct Column {
    farkle: f64,
    won: f64,
    may_bank: bool,
    /// Chance, and how many of `places` belong to it.
    kinds: Vec<(f64, usize)>,
    /// Distances in the buffer from the row above the one being solved.
    places: Vec<usize>,
}

impl Layout {
    pub(super) fn new(game: &Game) -> Layout {
        let columns = game.offers.dice;
        let column = |(column, rolls): (usize, &super::offers::Rolls)| {
            let place = |offer: &super::offers::Offer| (offer.steps as usize - 1) * columns + offer.column as usize;
            Column {
                farkle: rolls.farkle,
                won: rolls.won,
                may_bank: game.offers.may_bank(column),
                kinds: rolls.kinds.iter().map(|kind| (kind.chance, kind.offers.len())).collect(),
                places: rolls.kinds.iter().flat_map(|kind| kind.offers.iter().map(place)).collect(),
            }
        };
        Layout {
            columns,
            most_steps: game.offers.most_steps,
            rolls: game.offers.rolls.iter().enumerate().map(column).collect(),
        }
    }
}

/// Turns of neighbours on an anti-diagonal: lane `l` has `own - l` against `rival + l`. Lanes whose own
/// score would be below zero, or whose rival is past the target, hold nothing of meaning.
#[derive(Clone, Copy)]
pub(super) struct Turns<'a, const LANES: usize> {
    pub(super) game: &'a Game,
    pub(super) layout: &'a Layout,
    pub(super) own: usize,
    pub(super) rival: usize,
    /// What a farkle is worth.
    pub(super) farkle: [f64; LANES],
    /// What the position after a bank short of the target is worth to the rival: by total, then rival's
    /// score, in rows of `stride`.
    pub(super) after_bank: &'a [f64],
    pub(super) stride: usize,
}

/// Room for the rows that a sweep still reads.
pub(super) type Buffer<const LANES: usize> = Vec<[f64; LANES]>;

/// Rows swept between two moves of those still read.
const FREE_ROWS: usize = 128;

/// What no bank is worth: less than anything.
pub(super) const ILLEGAL: f64 = -1.0;

impl<const LANES: usize> Turns<'_, LANES> {
    /// Sweeps from the highest total that has to be looked at to the lowest own score, and shows every
    /// row: the total, what rolling is worth by column, and what banking is worth. Rows below a lane's own
    /// score hold nothing of meaning in that lane.
    pub(super) fn sweep(
        &self,
        buffer: &mut Buffer<LANES>,
        mut show: impl FnMut(usize, &[[f64; LANES]; 6], &[f64; LANES]),
    ) {
        let (columns, span) = (self.layout.columns, self.layout.most_steps);
        let rows = span + FREE_ROWS;
        buffer.resize(rows * columns, [0.0; LANES]);
        let cap = self.fill_top(&mut buffer[FREE_ROWS * columns..]);
        let lowest = self.own.saturating_sub(LANES - 1);
        let mut free = FREE_ROWS;
        for total in (lowest..cap).rev() {
            if free == 0 {
                buffer.copy_within(..span * columns, FREE_ROWS * columns);
                free = FREE_ROWS;
            }
            free -= 1;
            let (row, above) = buffer[free * columns..].split_at_mut(columns);
            let bank = self.bank(total);
            let mut rolls = [[0.0; LANES]; 6];
            for ((column, kept), rolls) in self.layout.rolls.iter().zip(row).zip(&mut rolls) {
                let roll = self.roll(column, above);
                *rolls = roll;
                *kept = if column.may_bank { larger(roll, bank) } else { roll };
            }
            show(total, &rolls, &bank);
        }
    }

    /// The mean over all rolls of the best keep's worth.
    #[inline(always)]
    fn roll(&self, column: &Column, above: &[[f64; LANES]]) -> [f64; LANES] {
        let mut value = [0.0; LANES];
        for (value, farkle) in value.iter_mut().zip(self.farkle) {
            *value = column.won + column.farkle * farkle;
        }
        let mut places = &column.places[..];
        for &(chance, offers) in &column.kinds {
            let (these, others) = places.split_at(offers);
            places = others;
            let mut best = above[these[0]];
            for place in &these[1..] {
                best = larger(best, above[*place]);
            }
            for lane in 0..LANES {
                value[lane] += chance * best[lane];
            }
        }
        value
    }

    /// What banking this total is worth.
    #[inline(always)]
    fn bank(&self, total: usize) -> [f64; LANES] {
        let mut bank = [0.0; LANES];
        if total < self.game.target {
            let row = &self.after_bank[total * self.stride + self.rival..][..LANES];
            for lane in 0..LANES {
                bank[lane] = 1.0 - row[lane];
            }
        } else {
            for (lane, bank) in bank.iter_mut().enumerate() {
                *bank = self.game.bank_past(total, self.rival + lane).unwrap_or(ILLEGAL);
            }
        }
        // The opening is due only from the lane that has nothing.
        if self.own < LANES && total < self.game.opening {
            bank[self.own] = ILLEGAL;
        }
        bank
    }

    /// Fills the rows from the cap on and says where it is.
    fn fill_top(&self, top: &mut [[f64; LANES]]) -> usize {
        let columns = self.layout.columns;
        let farkle = self.farkle.iter().copied().fold(0.0, f64::max);
        let (cap, proven) = self.game.cap(self.rival + LANES - 1, farkle.min(1.0));
        for lane in 0..LANES {
            let past = self.game.past(proven, self.farkle[lane]);
            for (above, row) in top.chunks_exact_mut(columns).enumerate() {
                for (column, kept) in row.iter_mut().enumerate() {
                    kept[lane] = match past {
                        Past::Bank => self.game.bank_past(cap + above, self.rival + lane).unwrap_or(ILLEGAL),
                        Past::Same(values) => values[column],
                    };
                }
            }
        }
        cap
    }
}

#[inline(always)]
fn larger<const LANES: usize>(mut a: [f64; LANES], b: [f64; LANES]) -> [f64; LANES] {
    for lane in 0..LANES {
        a[lane] = if a[lane] > b[lane] { a[lane] } else { b[lane] };
    }
    a
}
