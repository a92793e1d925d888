//! What rolls offer: the keeps that a solver has to look at, by roll and by kind of roll.
//!
//! Owns the step that all points are multiples of, and the grouping of rolls that offer the same.
//! Refuses to know scores, and so whether a bank is legal.
//!
//! `farkle::Expectation` has such a list of its own, which may leave out more: for the most points from
//! one turn a keep of more points is always better than another one that leaves as many dice. Under a
//! final round it is not (to stand just below the target can be better than to reach it), nor under
//! exact landing, so here that is the caller's choice. Here rolls can also be looked up.

use farkle::{FACES_COUNT, Faces, Points, ScoreTable};

/// A keep as a turn goes on from it: points in steps, and the column of the dice rolled next, which is
/// their number less one. The last column is always that of hot dice: no keep leaves all dice otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Offer {
    pub(super) steps: u32,
    pub(super) column: u32,
}

/// All that the rolls of so many dice can come to.
#[derive(Clone, Debug, Default)]
pub(super) struct Rolls {
    /// The chance of a farkle.
    pub(super) farkle: f64,
    /// The chance of a keep that wins outright.
    pub(super) won: f64,
    pub(super) kinds: Vec<Kind>,
}

/// Rolls that offer the same.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    /// The chance of one of them.
    pub(super) chance: f64,
    pub(super) offers: Vec<Offer>,
}

/// What a ruleset's rolls offer.
#[derive(Clone, Debug)]
pub(super) struct Offers {
    /// The greatest common divisor of all points, the penalty included.
    pub(super) step: Points,
    /// How many dice there are, which is also the number of columns.
    pub(super) dice: usize,
    /// The most that one keep scores, in steps.
    pub(super) most_steps: usize,
    pub(super) must_roll_hot_dice: bool,
    /// By dice rolled less one.
    pub(super) rolls: Vec<Rolls>,
    /// By [`Faces::index`]: where the roll's offers begin and end in `listed`.
    ranges: Box<[(u32, u32); FACES_COUNT]>,
    listed: Vec<Offer>,
    /// By [`Faces::index`]: whether a keep of this roll wins outright.
    wins: Box<[bool; FACES_COUNT]>,
}

impl Offers {
    /// Of a ruleset that validates. With `more_is_better`, of keeps that leave as many dice only that
    /// of the most points.
    pub(super) fn new(table: &ScoreTable, more_is_better: bool) -> Offers {
        let rules = table.ruleset();
        let step = step(table);
        let mut offers = Offers {
            step,
            dice: rules.dice.into(),
            most_steps: 0,
            must_roll_hot_dice: rules.must_roll_hot_dice,
            rolls: Vec::new(),
            ranges: Box::new([(0, 0); FACES_COUNT]),
            listed: Vec::new(),
            wins: Box::new([false; FACES_COUNT]),
        };
        for dice in 1..=rules.dice {
            let rolls = offers.list(table, dice, more_is_better);
            offers.rolls.push(rolls);
        }
        offers
    }

    fn list(&mut self, table: &ScoreTable, dice: u8, more_is_better: bool) -> Rolls {
        let rules = table.ruleset();
        let all = 6f64.powi(dice.into());
        let mut rolls = Rolls::default();
        for roll in Faces::all(dice) {
            let chance = f64::from(roll.ways()) / all;
            let found = offers_of(table, roll, self.step, more_is_better);
            let begin = self.listed.len() as u32;
            self.listed.extend(&found);
            self.ranges[roll.index()] = (begin, self.listed.len() as u32);
            self.most_steps = found.iter().map(|offer| offer.steps as usize).fold(self.most_steps, usize::max);
            let wins = rules.six_wins && table.chart().legal_keeps(roll).any(|keep| keep.dice.counts().contains(&6));
            self.wins[roll.index()] = wins;
            if found.is_empty() {
                rolls.farkle += chance;
            } else if wins {
                rolls.won += chance;
            } else if let Some(same) = rolls.kinds.iter_mut().find(|kind| kind.offers == found) {
                same.chance += chance;
            } else {
                rolls.kinds.push(Kind { chance, offers: found });
            }
        }
        rolls
    }

    /// What a roll offers; nothing for a farkle.
    #[inline]
    pub(super) fn of(&self, roll: Faces) -> &[Offer] {
        let (begin, end) = self.ranges[roll.index()];
        &self.listed[begin as usize..end as usize]
    }

    /// Whether a keep of this roll wins outright.
    #[inline]
    pub(super) fn wins(&self, roll: Faces) -> bool {
        self.wins[roll.index()]
    }

    /// The column of hot dice.
    #[inline]
    pub(super) fn hot(&self) -> usize {
        self.dice - 1
    }

    /// Whether who stands in this column may bank, as far as hot dice go.
    #[inline]
    pub(super) fn may_bank(&self, column: usize) -> bool {
        !(self.must_roll_hot_dice && column == self.hot())
    }

    /// The least chance of a farkle that a roll of any number of dice has.
    pub(super) fn least_farkle(&self) -> f64 {
        self.rolls.iter().map(|rolls| rolls.farkle).fold(1.0, f64::min)
    }

    /// By steps up to `most`, then column: whether a turn can have so many at risk, all kept, and so many
    /// dice to roll.
    pub(super) fn at_risk(&self, most: usize) -> Vec<[bool; 6]> {
        let mut stands = vec![[false; 6]; most + 1];
        for from in 0..=most {
            for column in 0..self.dice {
                if !(stands[from][column] || from == 0 && column == self.hot()) {
                    continue;
                }
                for offer in self.rolls[column].kinds.iter().flat_map(|kind| &kind.offers) {
                    if let Some(to) = stands.get_mut(from + offer.steps as usize) {
                        to[offer.column as usize] = true;
                    }
                }
            }
        }
        stands
    }

    /// What rolling is worth in every column, given what standing behind a keep is worth.
    pub(super) fn roll_on(&self, column: usize, farkle: f64, kept: impl Fn(Offer) -> f64) -> f64 {
        let rolls = &self.rolls[column];
        let mut value = rolls.won + rolls.farkle * farkle;
        for kind in &rolls.kinds {
            value += kind.chance * kind.offers.iter().map(|offer| kept(*offer)).fold(f64::NEG_INFINITY, f64::max);
        }
        value
    }

    /// What standing behind a keep is worth, by column, where every bank is worth the same whatever is
    /// at risk. Iterated: each round is a roll, and most rolls end.
    pub(super) fn stationary(&self, bank: f64, farkle: f64) -> [f64; 6] {
        let mut kept = [bank; 6];
        if self.must_roll_hot_dice {
            kept[self.hot()] = farkle;
        }
        for _ in 0..10_000 {
            let before = kept;
            for (column, kept) in kept.iter_mut().enumerate().take(self.dice) {
                let roll = self.roll_on(column, farkle, |offer| before[offer.column as usize]);
                *kept = if self.may_bank(column) { roll.max(bank) } else { roll };
            }
            if kept.iter().zip(&before).all(|(a, b)| (a - b).abs() < 1e-16) {
                break;
            }
        }
        kept
    }
}

/// The keeps of a roll, in order, each once.
fn offers_of(table: &ScoreTable, roll: Faces, step: Points, more_is_better: bool) -> Vec<Offer> {
    let keeps = table.chart().legal_keeps(roll);
    let mut found: Vec<Offer> =
        keeps.map(|keep| offer(keep.points, roll.len() - keep.dice.len(), step, table)).collect();
    found.sort_unstable_by_key(|offer| (offer.column, std::cmp::Reverse(offer.steps)));
    if more_is_better {
        found.dedup_by_key(|offer| offer.column);
    } else {
        found.dedup();
    }
    found
}

fn offer(points: Points, left: u8, step: Points, table: &ScoreTable) -> Offer {
    let next = if left == 0 { table.ruleset().dice } else { left };
    Offer { steps: (points / step) as u32, column: u32::from(next) - 1 }
}

/// The greatest common divisor of everything that changes a score.
pub(super) fn step(table: &ScoreTable) -> Points {
    let rules = table.ruleset();
    let selections = (1..=rules.dice).flat_map(Faces::all);
    let points = selections.filter_map(|dice| table.chart().points(dice)).chain([rules.penalty]);
    points.fold(0, greatest_common_divisor).max(1)
}

fn greatest_common_divisor(mut a: Points, mut b: Points) -> Points {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
