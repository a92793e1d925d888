//! Exact play of two-seat Farkle: what every position and every decision is worth to a seat that wants to
//! win, against one that does too.
//!
//! Solved is the chance that the seat to move wins, for every pair of banked scores (and of rows of
//! farkles, under a penalty), a shared win counting one half; and for rulesets of one seat and a number of
//! turns, the greatest expected total. The values are those of the rules as they are but for one: a match
//! that goes on for the limit of turns (ruling 14) goes on here, which under best play has no chance worth
//! naming. Six alike that win outright (ruling 20) are worth the match, 1.
//!
//! The method is that of Neller and Presser's for Pig ("Optimal Play of the Dice Game Pig", The UMAP
//! Journal 25(1), 2004), with a turn solved by one sweep instead of by iteration; `docs/oracle.md`
//! describes it.
//!
//! Owns solving, looking up, and tables as bytes. Refuses rulesets that have no exact solution here
//! ([`Unsolvable`]) before any work, and positions that there are not ([`Impossible`]).

mod closing;
mod diagonals;
mod game;
mod offers;
mod position;
mod solo;
mod streaks;
mod sweep;
mod table;
mod turn;
mod unsolvable;
mod values;

use std::borrow::Cow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use farkle::{EndingRule, Points, Ruleset, ScoreTable};

use self::diagonals::Endless;
use self::game::Game;
use self::offers::Offers;
use self::position::Spot;
pub use self::position::{Impossible, Position, Whose};
use self::solo::Solo;
use self::sweep::Layout;
pub use self::table::{TABLE_FORMAT, TableError, rules_hash};
pub use self::turn::TurnValues;
pub use self::unsolvable::{MOST_BYTES, Unsolvable};
use self::values::{Place, Values};

/// The most memory that kept turns take: beyond it they are solved every time.
pub(crate) const MOST_KEPT_BYTES: u64 = 1 << 30;

/// One ruleset, solved.
///
/// ```
/// use arena_core::oracle::{Oracle, Position};
/// use farkle::{Ruleset, presets};
///
/// let rules = Ruleset { target: 1_000, ..presets::IMMEDIATE_WIN };
/// let oracle = Oracle::solve(&rules, |_| ())?;
/// assert!((oracle.first_player() - 0.610_787_60).abs() < 1e-7);
///
/// let behind = Position { own: 300, rival: 700, ..Position::default() };
/// let turn = oracle.turn(&behind)?;
/// assert_eq!(turn.after_roll(0, "111346".parse()?), Some(1.0), "three 1s reach the target");
/// assert!(turn.after_roll(0, "223466".parse()?).unwrap() < oracle.value(&behind)?, "a farkle");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Oracle {
    table: ScoreTable,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    // Boxed: it is much the larger one.
    Duel(Box<Duel>),
    Solo(Solo),
}

/// The rows of a turn, once somebody asked for it.
type KeptRows = OnceLock<Box<[f32]>>;

/// What two seats take.
#[derive(Debug)]
struct Duel {
    game: Game,
    layout: Layout,
    values: Values,
    /// Turns that were asked for, by the position's number.
    kept: OnceLock<Box<[KeptRows]>>,
    kept_bytes: AtomicU64,
}

impl Oracle {
    /// Solves a ruleset, on all threads of rayon's pool; the values do not depend on their number.
    /// `progress` is told how much of the work is done, from 0 to 1.
    ///
    /// # Errors
    ///
    /// [`Unsolvable`] for a ruleset without an exact solution here, before any work; and after it for one
    /// under which best play never ends.
    pub fn solve(rules: &Ruleset, progress: impl Fn(f64) + Sync) -> Result<Oracle, Unsolvable> {
        let mut oracle = Oracle::unsolved(rules)?;
        match &mut oracle.kind {
            Kind::Solo(solo) => {
                let offers = Offers::new(&oracle.table, true);
                let opening = (rules.opening as usize).div_ceil(offers.step as usize);
                *solo = Solo::new(&offers, opening, rules.turns as usize)
                    .ok_or_else(|| Unsolvable::too_fine(rules, offers.step))?;
                progress(1.0);
            }
            Kind::Duel(duel) => duel.solve(rules, &progress)?,
        }
        Ok(oracle)
    }

    /// Everything but the values.
    fn unsolved(rules: &Ruleset) -> Result<Oracle, Unsolvable> {
        unsolvable::check(rules)?;
        let table = ScoreTable::new(rules);
        let kind = if rules.ending == EndingRule::Turns {
            Kind::Solo(Solo::unsolved(rules.turns as usize))
        } else {
            // Where more points are never worse: a bank of more is as good at once, and the match is won
            // by the points alone. Elsewhere it can be better to stand just below the target.
            let more_is_better = rules.ending == EndingRule::ImmediateWin && !rules.exact_landing;
            Kind::Duel(Box::new(Duel::unsolved(rules, Offers::new(&table, more_is_better))?))
        };
        Ok(Oracle { table, kind })
    }

    /// The ruleset.
    pub fn rules(&self) -> &Ruleset {
        self.table.ruleset()
    }

    /// Whether the ruleset is for one seat alone, so that values are points.
    pub fn is_solo(&self) -> bool {
        matches!(self.kind, Kind::Solo(_))
    }

    /// What every score is a multiple of.
    pub fn step(&self) -> Points {
        match &self.kind {
            Kind::Duel(duel) => duel.game.offers.step,
            Kind::Solo(_) => offers::step(&self.table),
        }
    }

    /// How many positions are solved: pairs of scores and of rows of farkles, or turns of one seat.
    pub fn positions(&self) -> usize {
        match &self.kind {
            Kind::Duel(duel) => duel.values.positions(),
            Kind::Solo(_) => self.rules().turns as usize,
        }
    }

    /// The chance that the first player wins, from the start of the match; for one seat alone the expected
    /// total.
    pub fn first_player(&self) -> f64 {
        match &self.kind {
            Kind::Duel(duel) => duel.values.get(Place::default()),
            Kind::Solo(solo) => solo.unopened[self.rules().turns as usize],
        }
    }

    /// The chance that the seat to move wins, at the start of its turn.
    ///
    /// # Errors
    ///
    /// [`Impossible`] for a position that there is not.
    pub fn value(&self, position: &Position) -> Result<f64, Impossible> {
        let (duel, spot) = self.spot(position)?;
        Ok(match (spot, &duel.game.closing) {
            (Spot::Ordinary(place), _) => duel.values.get(place),
            (Spot::Closing { own, rival }, Some(closing)) => {
                closing.roll(rival as i64 - own as i64, duel.game.offers.hot())
            }
            (Spot::Closing { .. }, None) => return Err(Impossible::NoClosing),
        })
    }

    /// Solves the turn at a position.
    ///
    /// # Errors
    ///
    /// [`Impossible`] for a position that there is not.
    pub fn turn(&self, position: &Position) -> Result<TurnValues<'_>, Impossible> {
        let (duel, spot) = self.spot(position)?;
        let rows = match spot {
            Spot::Ordinary(place) => Cow::Owned(duel.rows(place, |value| value).into_vec()),
            Spot::Closing { .. } => Cow::Borrowed(&[][..]),
        };
        Ok(TurnValues::new(self, duel, spot, rows))
    }

    /// The turn at a position, solved at most once and kept in single precision; for programs that ask for
    /// many. All threads share what is kept, up to 1 GiB of it.
    ///
    /// # Errors
    ///
    /// [`Impossible`] for a position that there is not.
    pub fn kept_turn(&self, position: &Position) -> Result<TurnValues<'_, f32>, Impossible> {
        let (duel, spot) = self.spot(position)?;
        let rows = match spot {
            Spot::Ordinary(place) => duel.kept_rows(place),
            Spot::Closing { .. } => Cow::Borrowed(&[][..]),
        };
        Ok(TurnValues::new(self, duel, spot, rows))
    }

    fn spot(&self, position: &Position) -> Result<(&Duel, Spot), Impossible> {
        match &self.kind {
            Kind::Duel(duel) => Ok((duel, position.spot(self.rules(), duel.game.offers.step)?)),
            Kind::Solo(_) => Err(Impossible::Solo),
        }
    }
}

/// What every score of a ruleset is a multiple of: the greatest common divisor of all that keeps score, and of
/// the penalty.
///
/// ```
/// use arena_core::oracle::step;
/// use farkle::{Ruleset, presets::PLAY_TABLE};
/// assert_eq!((step(&PLAY_TABLE), step(&Ruleset { single_five: 0, ..PLAY_TABLE })), (50, 100));
/// ```
pub fn step(rules: &Ruleset) -> Points {
    offers::step(&ScoreTable::new(rules))
}

/// Whether a turn can come to roll so many dice with so many points at risk, all of them kept before.
///
/// ```
/// use arena_core::oracle::comes_to;
/// use farkle::presets::PLAY_TABLE;
/// assert!(comes_to(&PLAY_TABLE, 0, 6) && comes_to(&PLAY_TABLE, 50, 5));
/// assert!(!comes_to(&PLAY_TABLE, 50, 6) && !comes_to(&PLAY_TABLE, 75, 5));
/// ```
pub fn comes_to(rules: &Ruleset, at_risk: Points, dice: u8) -> bool {
    let offers = Offers::new(&ScoreTable::new(rules), false);
    if at_risk == 0 || at_risk % offers.step != 0 {
        return at_risk == 0 && dice == rules.dice;
    }
    let Some(column) = usize::from(dice).checked_sub(1).filter(|column| *column < offers.dice) else { return false };
    match usize::try_from(at_risk / offers.step) {
        // Far up, everything comes about after a few hot dice.
        Ok(steps) if steps > 5 * offers.most_steps => true,
        Ok(steps) => offers.at_risk(steps)[steps][column],
        Err(_) => false,
    }
}

impl Duel {
    fn unsolved(rules: &Ruleset, offers: Offers) -> Result<Duel, Unsolvable> {
        unsolvable::check_banks(rules, &offers)?;
        let step = offers.step;
        let game = Game::new(rules, offers).ok_or_else(|| Unsolvable::too_fine(rules, step))?;
        Ok(Duel {
            layout: Layout::new(&game),
            values: Values::new(game.target, game.streaks),
            game,
            kept: OnceLock::new(),
            kept_bytes: AtomicU64::new(0),
        })
    }

    fn solve(&mut self, rules: &Ruleset, progress: &(impl Fn(f64) + Sync)) -> Result<(), Unsolvable> {
        let endless = |Endless { own, rival }: Endless| {
            let points = |steps: usize| steps as i64 * i64::from(self.game.offers.step);
            let reason = format!(
                "at {} to {} best play goes on for ever, and a match is solved only without its limit of turns",
                points(own),
                points(rival)
            );
            Unsolvable::new(if rules.exact_landing { "exact_landing" } else { "target" }, rules.target, reason)
        };
        if self.game.penalty == 0 {
            self.values = diagonals::solve(&self.game, &self.layout, progress).map_err(endless)?;
            return Ok(());
        }
        // About a tenth of the work, and it spares more.
        let without = diagonals::solve(&self.game, &self.layout, &|done| progress(0.1 * done)).map_err(endless)?;
        let rest = |done: f64| progress(0.1 + 0.9 * done);
        self.values = streaks::solve(&self.game, &self.layout, &without, &rest).map_err(|_| {
            let reason = "the values under this penalty do not settle, so that best play may never end";
            Unsolvable::new("penalty", rules.penalty, reason)
        })?;
        Ok(())
    }

    fn kept_rows(&self, place: Place) -> Cow<'_, [f32]> {
        let single = |value: f64| value as f32;
        let kept = self.kept.get_or_init(|| (0..self.values.positions()).map(|_| OnceLock::new()).collect());
        let turn = &kept[self.values.number(place)];
        if let Some(rows) = turn.get() {
            return Cow::Borrowed(rows);
        }
        if self.kept_bytes.load(Ordering::Relaxed) >= MOST_KEPT_BYTES {
            return Cow::Owned(self.rows(place, single).into_vec());
        }
        // Its neighbours cost little more than it alone, and most are asked for sooner or later. Solved before
        // any of them is written: two threads that write while they wait for each other would wait for ever.
        for (neighbour, rows) in self.rows_of_neighbours(place) {
            let bytes = 4 * rows.len() as u64;
            // Whoever was first has the same.
            if kept[self.values.number(neighbour)].set(rows).is_ok() {
                self.kept_bytes.fetch_add(bytes, Ordering::Relaxed);
            }
        }
        match turn.get() {
            Some(rows) => Cow::Borrowed(rows),
            None => Cow::Owned(self.rows(place, single).into_vec()),
        }
    }
}
