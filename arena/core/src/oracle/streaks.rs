//! Games with a penalty: a row of farkles costs points.
//!
//! The state grows by both rows of farkles. Scores can fall, so no order of solving meets only what is
//! solved; but they fall only after a whole row of farkles. So all values are gone through again and again
//! in the order of [`diagonals`](super::diagonals), each taking the newest of the others, until none
//! changes any more: each time what is left shrinks by about the chance of such a row. Within one pair of
//! scores a farkle makes a row longer, so longer rows come first, and no equation is left to solve.
//!
//! Refuses scores without a floor: those could fall for ever.

use rayon::prelude::*;

use super::game::Game;
use super::sweep::{Buffer, Layout, Turns};
use super::values::{LANES, Place, Values};

/// Solved when no value of a whole pass changes by more: the next would by a small part of that.
const SETTLED: f64 = 1e-9;
const MOST_PASSES: usize = 2_000;

/// Values still changed after the last pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unsettled;

/// Solves a game, beginning with the values of the same game without its penalty.
pub(super) fn solve(
    game: &Game,
    layout: &Layout,
    without: &Values,
    progress: &(impl Fn(f64) + Sync),
) -> Result<Values, Unsettled> {
    let (n, streaks) = (game.target, game.streaks);
    let mut values = Values::new(n, streaks);
    for (own_streak, rival_streak) in pairs(streaks) {
        for (own, rival) in (0..n).flat_map(|own| (0..n).map(move |rival| (own, rival))) {
            let value = without.get(Place { own, rival, ..Place::default() });
            values.set(Place { own, rival, own_streak, rival_streak }, value);
        }
    }
    let mut told = 0.0f64;
    let mut changed_at_first = None;
    for _ in 0..MOST_PASSES {
        let mut changed = 0.0f64;
        for sum in (0..2 * n - 1).rev() {
            for rows in (0..2 * streaks - 1).rev() {
                changed = changed.max(pass(game, layout, &mut values, sum, rows));
            }
        }
        if changed <= SETTLED {
            progress(1.0);
            return Ok(values);
        }
        // Every pass makes what is left smaller by about the same factor.
        let at_first = *changed_at_first.get_or_insert(changed.max(1e-3) * 30.0);
        told = told.max((at_first / changed).ln() / (at_first / SETTLED).ln());
        progress(told.min(0.99));
    }
    Err(Unsettled)
}

fn pairs(streaks: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..streaks).flat_map(move |own| (0..streaks).map(move |rival| (own, rival)))
}

/// Takes new values of all positions with this sum of scores and this sum of rows, and says how much they
/// changed at most.
fn pass(game: &Game, layout: &Layout, values: &mut Values, sum: usize, rows: usize) -> f64 {
    let n = game.target;
    let (first, last) = (sum.saturating_sub(n - 1), sum.min(n - 1));
    let blocks = || (first..=last).step_by(LANES);
    let turns: Vec<(Place, usize)> = pairs(game.streaks)
        .filter(|(own, rival)| own + rival == rows)
        .flat_map(|(own_streak, rival_streak)| {
            blocks().map(move |rival| {
                let at = Place { own: sum - rival, rival, own_streak, rival_streak };
                (at, LANES.min(last + 1 - rival))
            })
        })
        .collect();
    let known = &*values;
    let swept: Vec<(Place, usize, [f64; LANES])> = turns
        .into_par_iter()
        .map_init(Buffer::new, |buffer, (at, lanes)| {
            let mut farkle = [0.0; LANES];
            for (lane, farkle) in farkle.iter_mut().enumerate().take(lanes) {
                *farkle = 1.0 - known.get(game.after_farkle(at.lane(lane)));
            }
            let turns = Turns {
                game,
                layout,
                own: at.own,
                rival: at.rival,
                farkle,
                after_bank: known.plane(at.rival_streak, 0),
                stride: known.stride,
            };
            (at, lanes, turns.starts(buffer))
        })
        .collect();
    let mut changed = 0.0f64;
    for (at, lanes, starts) in swept {
        for (lane, start) in starts.into_iter().enumerate().take(lanes) {
            changed = changed.max((values.get(at.lane(lane)) - start).abs());
            values.set(at.lane(lane), start);
        }
    }
    changed
}

impl Place {
    fn lane(self, lane: usize) -> Place {
        Place { own: self.own - lane, rival: self.rival + lane, ..self }
    }
}

impl Game {
    /// The position of the other seat after a farkle.
    pub(super) fn after_farkle(&self, at: Place) -> Place {
        let mut after = at;
        if self.penalty > 0 {
            after.own_streak += 1;
            if after.own_streak == self.streaks {
                after.own_streak = 0;
                after.own = at.own.saturating_sub(self.penalty);
            }
        }
        after.mirrored()
    }
}
