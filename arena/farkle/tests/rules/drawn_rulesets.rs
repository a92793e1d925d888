//! Rulesets drawn at random over all fields, and the tables of the presets with their variants.

use farkle::{EndingRule, Kinds, Points, Reading, Ruleset, presets};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// A generator with a fixed seed: every run of a test draws the same.
pub(crate) struct Draw(ChaCha8Rng);

impl Draw {
    pub(crate) fn new(test: u8) -> Draw {
        Draw(ChaCha8Rng::from_seed([test; 32]))
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n as u64) as usize
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// Points of a combination: often off, often a value that makes two readings equal, now and
    /// then something odd.
    fn points(&mut self) -> Points {
        match self.below(6) {
            0 | 1 => 0,
            2 => self.pick(&[1, 7, 33, 1_234, 9_999, 10_000]),
            _ => self.pick(&[50, 100, 150, 200, 250, 300, 400, 500, 600, 750, 1_000, 1_500, 2_000, 2_500, 3_000]),
        }
    }

    fn some_points(&mut self) -> Points {
        self.pick(&[50, 100, 200, 300, 400, 1_000, 2_000])
    }

    /// A possible ruleset with every field drawn.
    pub(crate) fn ruleset(&mut self) -> Ruleset {
        loop {
            let drawn = self.any_ruleset();
            if drawn.validate().is_ok() {
                return drawn;
            }
        }
    }

    fn any_ruleset(&mut self) -> Ruleset {
        let dice = if self.one_in(4) { 5 } else { 6 };
        let six = |points: Points| if dice == 6 { points } else { 0 };
        let reading = self.pick(&[Reading::Best, Reading::Best, Reading::PerFace]);
        let mixed = |points: Points| if reading == Reading::Best { points } else { 0 };
        let kinds = self.pick(&[Kinds::Flat, Kinds::Flat, Kinds::Doubling, Kinds::Adding, Kinds::None]);
        let flat = |points: Points| if kinds == Kinds::Flat { points } else { 0 };
        let ending = self.pick(&[EndingRule::ImmediateWin, EndingRule::FinalRound, EndingRule::Turns]);
        let (target, turns) = match ending {
            EndingRule::Turns => (0, 1 + self.below(12) as u32),
            _ => (self.pick(&[50, 1_000, 2_500, 5_000]), 0),
        };
        let (penalty, penalty_after, penalty_floor) = if self.one_in(2) {
            (self.pick(&[1, 500, 1_000]), 1 + self.below(3) as u32, self.one_in(2))
        } else {
            (0, 0, false)
        };
        let max_seats = 1 + self.below(12) as u8;
        Ruleset {
            name: "drawn".into(),
            dice,
            reading,
            // Two draws of three give the usual singles: else most selections would be dead.
            single_one: if self.one_in(3) { self.points() } else { 100 },
            single_five: if self.one_in(3) { self.points() } else { 50 },
            three_ones: if self.one_in(3) { self.points() } else { self.some_points() },
            kinds,
            four_of_a_kind: flat(self.points()),
            five_of_a_kind: flat(self.points()),
            six_of_a_kind: six(self.points()),
            six_wins: dice == 6 && self.one_in(5),
            straight: six(self.points()),
            three_pairs: six(self.points()),
            four_and_pair: six(self.points()),
            two_triplets: six(self.points()),
            five_run: mixed(self.points()),
            full_house: mixed(self.points()),
            no_score: if self.one_in(2) { six(self.points()) } else { 0 },
            toxic_twos: self.one_in(4),
            keep_all: self.one_in(4),
            must_roll_hot_dice: self.one_in(4),
            exact_landing: ending != EndingRule::Turns && self.one_in(4),
            opening: if self.one_in(2) { 0 } else { self.pick(&[50, 500, 1_000]) },
            penalty,
            penalty_after,
            penalty_floor,
            ending,
            target,
            turns,
            min_seats: 1 + self.below(max_seats.into()) as u8,
            max_seats,
        }
    }
}

/// The presets, then each with one field changed that matters to keeps.
pub(crate) fn presets_and_variants() -> Vec<Ruleset> {
    let mut all: Vec<Ruleset> = presets::ALL.into_iter().cloned().collect();
    let bases = all.clone();
    for base in &bases {
        all.push(Ruleset { name: format!("{}, all kept", base.name).into(), keep_all: true, ..base.clone() });
        all.push(Ruleset { name: format!("{}, toxic twos", base.name).into(), toxic_twos: true, ..base.clone() });
    }
    let changes: [fn(Ruleset) -> Ruleset; 5] = [
        |base| Ruleset { no_score: 500, ..base },
        |base| Ruleset { toxic_twos: true, keep_all: true, no_score: 500, ..base },
        |base| Ruleset { five_run: 500, full_house: 250, ..base },
        |base| Ruleset { five_run: 500, full_house: 250, keep_all: true, ..base },
        |base| Ruleset { kinds: Kinds::Doubling, four_of_a_kind: 0, five_of_a_kind: 0, six_of_a_kind: 0, ..base },
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let base = change(presets::PLAY_TABLE);
        all.push(Ruleset { name: format!("play-table, change {number}").into(), ..base });
    }
    all.push(Ruleset { five_run: 500, full_house: 250, ..presets::FIVE_DICE });
    for rules in &all {
        rules.validate().unwrap();
    }
    all
}

#[test]
fn the_draw_reaches_every_field() {
    let mut draw = Draw::new(1);
    let drawn: Vec<Ruleset> = (0..400).map(|_| draw.ruleset()).collect();
    type Holds = fn(&Ruleset) -> bool;
    let tests: [(&str, Holds); 22] = [
        ("five dice", |r| r.dice == 5),
        ("per face", |r| r.reading == Reading::PerFace),
        ("doubling", |r| r.kinds == Kinds::Doubling),
        ("adding", |r| r.kinds == Kinds::Adding),
        ("none", |r| r.kinds == Kinds::None),
        ("no single 1", |r| r.single_one == 0),
        ("no single 5", |r| r.single_five == 0),
        ("no three 1s", |r| r.three_ones == 0),
        ("six of a kind beside other kinds", |r| r.six_of_a_kind > 0 && r.kinds != Kinds::Flat),
        ("six wins", |r| r.six_wins),
        ("four and pair without three pairs", |r| r.four_and_pair > 0 && r.three_pairs == 0),
        ("five-die run", |r| r.five_run > 0),
        ("full house", |r| r.full_house > 0),
        ("no score", |r| r.no_score > 0),
        ("toxic twos", |r| r.toxic_twos),
        ("keep all", |r| r.keep_all),
        ("hot dice", |r| r.must_roll_hot_dice),
        ("exact landing", |r| r.exact_landing),
        ("penalty without floor", |r| r.penalty > 0 && !r.penalty_floor),
        ("turns", |r| r.ending == EndingRule::Turns),
        ("twelve seats", |r| r.max_seats == 12),
        ("one seat", |r| r.min_seats == 1),
    ];
    for (name, holds) in tests {
        assert!(drawn.iter().filter(|rules| holds(rules)).count() >= 10, "{name}");
    }
}
