//! The odds of a turn: figures known from elsewhere, and a second way to find them.

use std::collections::BTreeMap;

use arena_core::odds::{DiceOdds, odds};
use farkle::presets::{FIVE_DICE, IMMEDIATE_WIN, MY_TURN_YET, PATCH, PLAY_TABLE, PLAY_TABLE_SIMPLE};
use farkle::{Chart, Faces, Kinds, Points, Ruleset, Undefined, presets};

fn of(rules: &Ruleset) -> Vec<DiceOdds> {
    odds(rules, false).unwrap()
}

#[test]
fn expected_turns_are_the_published_ones() {
    for (rules, expected) in
        [(IMMEDIATE_WIN, 606.9776), (PLAY_TABLE, 601.5587), (PATCH, 542.0632), (PLAY_TABLE_SIMPLE, 446.5714)]
    {
        let found = of(&rules)[5].expected_turn;
        assert!((found - expected).abs() < 5e-5, "{}: {found}", rules.name);
    }
    // The example of the pinned format.
    let one = of(&IMMEDIATE_WIN)[0];
    assert!((one.expected_turn - 222.5475).abs() < 5e-5, "{one:?}");
    assert_eq!((one.farkle.count, one.farkle.of, one.scoring_rolls, one.best_keep_mean), (4, 6, 2, 25.0));
}

#[test]
fn banking_points_are_the_published_ones() {
    let bank_at = |rules: &Ruleset| -> Vec<Points> { of(rules).iter().map(|row| row.bank_at.unwrap()).collect() };
    assert_eq!(bank_at(&IMMEDIATE_WIN), [350, 300, 450, 1_050, 3_100, 18_600]);
    for rules in [PATCH, MY_TURN_YET] {
        assert_eq!(bank_at(&rules), [300, 250, 400, 950, 2_800, 16_800]);
    }
}

#[test]
fn farkles_and_scoring_rolls_are_the_published_ones() {
    for rules in presets::ALL {
        let rows = of(rules);
        let six = if rules.three_pairs > 0 { (1_080, 456) } else { (1_440, 452) };
        let farkles = [4, 16, 60, 204, 600, six.0];
        let scoring = [2, 11, 40, 107, 236, six.1];
        for (number, row) in rows.iter().enumerate() {
            assert_eq!(usize::from(row.dice), number + 1);
            assert_eq!((row.farkle.count, row.farkle.of), (farkles[number], 6u32.pow(row.dice.into())));
            assert_eq!(row.scoring_rolls, scoring[number], "{}", rules.name);
        }
        assert_eq!(rows.len(), usize::from(rules.dice));
    }
}

/// All rolls of so many dice, one after another, counted by faces.
fn rolls(dice: u8) -> BTreeMap<Vec<u8>, f64> {
    let mut rolls = BTreeMap::from([(Vec::new(), 1.0)]);
    for _ in 0..dice {
        let mut next = BTreeMap::new();
        for (roll, ways) in rolls {
            for die in 1..=6 {
                let mut roll: Vec<u8> = roll.clone();
                roll.push(die);
                roll.sort_unstable();
                *next.entry(roll).or_insert(0.0) += ways;
            }
        }
        rolls = next;
    }
    rolls
}

/// Legal keeps of a roll as (points, dice kept), found by trying all masks.
fn keeps(rules: &Ruleset, chart: &Chart, roll: &[u8]) -> Vec<(Points, u8)> {
    if rules.toxic_twos && roll.iter().filter(|die| **die == 2).count() >= 4 {
        return Vec::new();
    }
    let masks = (1..1u32 << roll.len()).map(|mask| {
        let kept: Vec<u8> = (0..roll.len()).filter(|i| mask >> i & 1 == 1).map(|i| roll[i]).collect();
        (chart.points(Faces::from_dice(&kept).unwrap()), kept.len() as u8)
    });
    let mut keeps: Vec<(Points, u8)> = masks.filter_map(|(points, n)| points.map(|points| (points, n))).collect();
    if rules.keep_all {
        let most = keeps.iter().map(|keep| keep.1).max();
        keeps.retain(|keep| Some(keep.1) == most);
    }
    keeps
}

/// How likely a roll is, and its keeps.
type Chance = (f64, Vec<(Points, u8)>);

/// The worth of rolling, by fifties at risk and dice, by plain iteration: start from "every turn
/// is worth nothing", and look one roll further in each round. Past the end of the table a turn is
/// banked at once, which at so many points is what everybody does.
fn iterated(rules: &Ruleset, opening: Points, fifties: usize) -> Vec<[f64; 7]> {
    let chart = Chart::new(rules);
    let options: Vec<Vec<Chance>> = (0..=rules.dice)
        .map(|dice| {
            let all = 6f64.powi(dice.into());
            rolls(dice).iter().map(|(roll, ways)| (ways / all, keeps(rules, &chart, roll))).collect()
        })
        .collect();
    let mut worth = vec![[0.0f64; 7]; fifties];
    for _round in 0..200 {
        let mut change = 0.0f64;
        let mut next = worth.clone();
        for (at, row) in next.iter_mut().enumerate() {
            for dice in 1..=rules.dice {
                let mut mean = 0.0;
                for (chance, keeps) in &options[usize::from(dice)] {
                    let mut best = 0.0f64;
                    for (points, kept) in keeps {
                        let total = at + *points as usize / 50;
                        let hot = *kept == dice;
                        let bank = (total * 50) as f64;
                        let may_bank = bank as Points >= opening && !(hot && rules.must_roll_hot_dice);
                        let left = if hot { rules.dice } else { dice - kept };
                        let roll_on = worth.get(total).map_or(bank, |row| row[usize::from(left)]);
                        best = best.max(if may_bank { bank } else { 0.0 }).max(roll_on);
                    }
                    mean += chance * best;
                }
                change = change.max((mean - row[usize::from(dice)]).abs());
                row[usize::from(dice)] = mean;
            }
        }
        worth = next;
        if change < 1e-10 {
            return worth;
        }
    }
    panic!("200 rolls of a turn are not enough");
}

fn compare(rules: &Ruleset, with_opening: bool, fifties: usize) {
    rules.validate().unwrap();
    let opening = if with_opening { rules.opening } else { 0 };
    let worth = iterated(rules, opening, fifties);
    for row in odds(rules, with_opening).unwrap() {
        let dice = usize::from(row.dice);
        assert!((row.expected_turn - worth[0][dice]).abs() < 1e-6, "{}: {row:?}, not {}", rules.name, worth[0][dice]);
        let banks = |at: &usize| 50 * *at as Points >= opening && worth[*at][dice] <= (50 * at) as f64 + 1e-7;
        let least = (1..fifties / 2).find(banks).map(|at| 50 * at as Points);
        if !(rules.must_roll_hot_dice && row.dice == rules.dice)
            && row.bank_at.is_some_and(|at| at < 25 * fifties as Points)
        {
            assert_eq!(row.bank_at, least, "{}: {row:?}", rules.name);
        }
    }
}

#[test]
fn plain_iteration_finds_the_same_for_five_dice_all_kept() {
    let rules = Ruleset {
        name: "five dice, all kept, hot dice rolled".into(),
        five_run: 500,
        full_house: 250,
        keep_all: true,
        must_roll_hot_dice: true,
        opening: 500,
        ..FIVE_DICE
    };
    compare(&rules, false, 400);
    compare(&rules, true, 400);
}

#[test]
fn plain_iteration_finds_the_same_for_doubled_kinds_and_toxic_twos() {
    let rules = Ruleset {
        name: "doubling, toxic".into(),
        kinds: Kinds::Doubling,
        four_of_a_kind: 0,
        five_of_a_kind: 0,
        six_of_a_kind: 0,
        toxic_twos: true,
        single_one: 150,
        opening: 1_000,
        ..PLAY_TABLE
    };
    compare(&rules, true, 500);
}

#[test]
fn the_opening_counts_only_where_it_is_asked_for() {
    let (aside, due) = (of(&PATCH), odds(&PATCH, true).unwrap());
    let free = of(&Ruleset { opening: 0, ..PATCH });
    assert_eq!(aside, free);
    for (aside, due) in aside.iter().zip(&due) {
        assert!(due.expected_turn < aside.expected_turn);
        assert_eq!(due.bank_at, aside.bank_at.map(|at| at.max(500)));
        assert_eq!(
            (due.farkle, due.scoring_rolls, due.best_keep_mean),
            (aside.farkle, aside.scoring_rolls, aside.best_keep_mean)
        );
    }
    assert_eq!(odds(&PLAY_TABLE, true).unwrap(), of(&PLAY_TABLE), "no opening");
}

#[test]
fn who_cannot_farkle_never_banks() {
    let rules = Ruleset { no_score: 500, ..PLAY_TABLE };
    let rows = of(&rules);
    assert_eq!((rows[5].farkle.count, rows[5].bank_at, rows[5].scoring_rolls), (0, None, 462));
    assert!(rows[..5].iter().all(|row| row.bank_at.is_some()));
    // Nor does who must roll: before hot dice there is no bank.
    let rows = of(&Ruleset { must_roll_hot_dice: true, ..PLAY_TABLE });
    assert_eq!(rows[5].bank_at, None);
}

#[test]
fn a_match_is_not_points() {
    let rules = Ruleset { six_wins: true, ..PLAY_TABLE };
    assert_eq!(odds(&rules, false), Err(Undefined::SixWins));
}
