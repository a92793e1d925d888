//! The order of solving: anti-diagonals of the two scores, from the target down to nothing.
//!
//! A bank makes the sum of the scores greater; a farkle hands the same scores to the other seat. So the
//! values of one anti-diagonal depend on those above it and on each other in pairs, `(i, j)` and `(j, i)`.
//! What a turn is worth, `T(f)`, grows with what a farkle is worth, `f`, along a convex line of straight
//! pieces, whose slope is the chance that the turn ends in a farkle under best play. The pair
//! `x = T1(1 - y)`, `y = T2(1 - x)` is solved by Newton's method; the slopes are taken from the last two
//! sweeps, and at first from the neighbour above, which spares the sweep of the slopes themselves.
//!
//! Refuses penalties, after which scores fall: see [`streaks`](super::streaks).

use rayon::prelude::*;

use super::game::Game;
use super::sweep::{Buffer, Layout, Turns};
use super::values::{LANES, Place, Values};

/// A correction this small is made without looking again: what is left after it is the square, by far.
const SMALL: f64 = 2e-9;
/// A slope is taken from two sweeps this far apart, or the rounding of their values would show.
const APART: f64 = 1e-8;
/// Newton's method takes 2 or 3 rounds. After so many, plain rounds, which always close in.
const NEWTON_ROUNDS: usize = 12;
const MOST_ROUNDS: usize = 100_000;

/// Two positions at which a turn ends in a farkle for ever under best play.
#[derive(Clone, Copy, Debug)]
pub(super) struct Endless {
    pub(super) own: usize,
    pub(super) rival: usize,
}

/// One position while its diagonal is solved, by the rival's score.
#[derive(Clone, Copy, Default)]
struct Unknown {
    value: f64,
    /// The slope of the turn's value in that of a farkle.
    slope: f64,
    /// At the last sweep: the farkle's worth and the turn's; the latter less than nothing before one.
    at: f64,
    turn: f64,
    done: bool,
}

/// Solves a game without penalties.
pub(super) fn solve(game: &Game, layout: &Layout, progress: &(impl Fn(f64) + Sync)) -> Result<Values, Endless> {
    let n = game.target;
    let mut values = Values::new(n, 1);
    let mut slopes = vec![0.35; n];
    let work = |sum: usize| (sum.saturating_sub(n - 1)..=sum.min(n - 1)).map(|own| n + 20 - own).sum::<usize>() as f64;
    let all: f64 = (0..2 * n - 1).map(work).sum();
    let mut done = 0.0;
    for sum in (0..2 * n - 1).rev() {
        solve_diagonal(game, layout, &mut values, &mut slopes, sum)?;
        done += work(sum);
        progress(done / all);
    }
    Ok(values)
}

fn solve_diagonal(
    game: &Game,
    layout: &Layout,
    values: &mut Values,
    slopes: &mut [f64],
    sum: usize,
) -> Result<(), Endless> {
    let n = game.target;
    let (first, last) = (sum.saturating_sub(n - 1), sum.min(n - 1));
    let mut unknowns: Vec<Unknown> = (first..=last)
        .map(|rival| {
            let value = guess(values, sum - rival, rival);
            Unknown { value, slope: slopes[rival], turn: -1.0, ..Unknown::default() }
        })
        .collect();
    let count = unknowns.len();
    for round in 0..MOST_ROUNDS {
        let blocks: Vec<usize> =
            (0..count).step_by(LANES).filter(|block| unknowns[*block..].iter().take(LANES).any(|u| !u.done)).collect();
        if blocks.is_empty() {
            break;
        }
        let farkle = |place: usize| unknowns.get(count - 1 - place).map_or(0.0, |mirrored| 1.0 - mirrored.value);
        let swept: Vec<(usize, [f64; LANES], [f64; LANES])> = blocks
            .into_par_iter()
            .map_init(Buffer::new, |buffer, block| {
                let mut worth = [0.0; LANES];
                for (lane, worth) in worth.iter_mut().enumerate().take(count - block) {
                    *worth = farkle(block + lane);
                }
                let turns = Turns {
                    game,
                    layout,
                    own: sum - first - block,
                    rival: first + block,
                    farkle: worth,
                    after_bank: values.plane(0, 0),
                    stride: values.stride,
                };
                (block, worth, turns.starts(buffer))
            })
            .collect();
        for (block, worth, turns) in swept {
            for (lane, unknown) in unknowns[block..].iter_mut().enumerate().take(LANES) {
                unknown.see(worth[lane], turns[lane], round < NEWTON_ROUNDS);
            }
        }
        correct(&mut unknowns, round).map_err(|place| Endless { own: sum - first - place, rival: first + place })?;
    }
    for (place, unknown) in unknowns.iter().enumerate() {
        let rival = first + place;
        values.set(Place { own: sum - rival, rival, ..Place::default() }, unknown.value);
        slopes[rival] = unknown.slope;
    }
    Ok(())
}

/// Moves every pair to where its two lines meet.
fn correct(unknowns: &mut [Unknown], round: usize) -> Result<(), usize> {
    let count = unknowns.len();
    for place in 0..count.div_ceil(2) {
        let mirrored = count - 1 - place;
        let (a, b) = (unknowns[place], unknowns[mirrored]);
        if a.done && b.done {
            continue;
        }
        let (a_off, b_off) = (a.turn - a.value, b.turn - b.value);
        let (mut a_by, mut b_by) = (a_off, b_off);
        if round < NEWTON_ROUNDS {
            let rest = 1.0 - a.slope * b.slope;
            if rest > 1e-12 {
                (a_by, b_by) = ((a_off - a.slope * b_off) / rest, (b_off - b.slope * a_off) / rest);
            }
        }
        let done = a_by.abs().max(b_by.abs()) < if round < NEWTON_ROUNDS { SMALL } else { 1e-13 };
        for (at, by) in [(place, a_by), (mirrored, b_by)] {
            unknowns[at].done = done;
            // The middle pair is one position.
            unknowns[at].value = (if at == place { a.value } else { b.value } + by).clamp(0.0, 1.0);
        }
        if round + 1 == MOST_ROUNDS && !done {
            return Err(place);
        }
    }
    Ok(())
}

/// What is likely: the surface of values is smooth but for the grain of the dice.
fn guess(values: &Values, own: usize, rival: usize) -> f64 {
    let n = values.target;
    let at = |own: usize, rival: usize| values.get(Place { own, rival, ..Place::default() });
    match (own + 1 < n, rival + 1 < n) {
        (true, true) => (at(own + 1, rival) + at(own, rival + 1) - at(own + 1, rival + 1)).clamp(0.0, 1.0),
        (true, false) => at(own + 1, rival),
        (false, true) => at(own, rival + 1),
        (false, false) => 0.6,
    }
}

impl Unknown {
    /// Takes in a sweep, and the slope since the one before.
    fn see(&mut self, farkle: f64, turn: f64, newton: bool) {
        let apart = farkle - self.at;
        if newton && self.turn >= 0.0 && apart.abs() > APART {
            self.slope = ((turn - self.turn) / apart).clamp(0.0, 1.0);
        }
        (self.at, self.turn) = (farkle, turn);
    }
}

impl Turns<'_, LANES> {
    /// What every lane's turn is worth at its start.
    pub(super) fn starts(&self, buffer: &mut Buffer<LANES>) -> [f64; LANES] {
        let hot = self.game.offers.hot();
        let mut starts = [0.0; LANES];
        self.sweep(buffer, |total, rolls, _| {
            if let Some(lane) = self.own.checked_sub(total)
                && lane < LANES
            {
                starts[lane] = rolls[hot][lane];
            }
        });
        starts
    }
}

#[cfg(test)]
mod tests {
    use farkle::presets::{IMMEDIATE_WIN, MY_TURN_YET, PLAY_TABLE};
    use farkle::{Ruleset, ScoreTable};

    use super::*;
    use crate::oracle::offers::Offers;

    /// The first player's chance, where of keeps that leave as many dice only the best may be chosen.
    fn first_player(rules: &Ruleset, only_the_best: bool) -> f64 {
        let game = Game::new(rules, Offers::new(&ScoreTable::new(rules), only_the_best)).unwrap();
        let values = solve(&game, &Layout::new(&game), &|_| ()).unwrap();
        values.get(Place::default())
    }

    #[test]
    fn fewer_points_are_never_better_under_an_immediate_win() {
        let rules = Ruleset { target: 500, ..IMMEDIATE_WIN };
        assert!((first_player(&rules, true) - first_player(&rules, false)).abs() < 1e-11);
    }

    /// Known from another program, which looks only at the most valuable of keeps that leave as many dice.
    /// Under a final round that is not all: just below the target can be a better place than on it.
    #[test]
    #[ignore = "slow: run by hand, in a release build"]
    fn known_solutions_with_only_the_best_keeps() {
        for (rules, known) in [(&PLAY_TABLE, 0.532_185_21), (&MY_TURN_YET, 0.528_845_38)] {
            let found = first_player(rules, true);
            assert!((found - known).abs() < 1e-7, "{}: {found:.9}", rules.name);
            let all = first_player(rules, false);
            assert!((found - all).abs() > 1e-8 && (found - all).abs() < 1e-5, "{}: {all:.9}", rules.name);
        }
    }
}
