//! The presets, cell by cell, against their table in the rules.

use farkle::{EndingRule, Kinds, Points, Reading, Ruleset, presets};

/// One row of the table, as it stands there; `-` for a combination that the table lacks.
/// Columns: name, three 1s, straight, three pairs, four and pair, two triplets, kinds, reading,
/// opening, ending, seats.
const TABLE: &str = "
immediate-win     1000 2500 1500 1500 -    1000/2000/3000 per-face 0   immediate-win 2
play-table        1000 1500 1500 1500 2500 1000/2000/3000 best     0   final-round   2-12
play-table-simple 1000 -    -    -    -    -/-/-          best     0   final-round   2-12
duel              1000 1500 1500 1500 2500 1000/2000/3000 best     500 final-round   2
solo-ten          1000 1500 1500 1500 2500 1000/2000/3000 best     500 ten-turns     1
patch             300  1500 1500 1500 2500 1000/2000/3000 best     500 final-round   2-12
elverson          1000 1500 1500 -    2500 1000/2000/3000 best     0   final-round   2-12
pocket            300  1500 1500 -    -    1000/2000/3000 best     0   final-round   2-12
five-dice         1000 -    -    -    -    1000/2000/-    best     0   final-round   2-12
my-turn-yet       300  1500 1500 1500 2500 1000/2000/3000 best     500 final-round   2-12
my-turn-yet-plain 300  -    -    -    -    -/-/-          best     500 final-round   2-12
";

fn points(cell: &str) -> Points {
    if cell == "-" { 0 } else { cell.parse().unwrap() }
}

#[test]
fn every_cell_of_the_table() {
    let rows: Vec<Vec<&str>> = TABLE.trim().lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), presets::ALL.len());
    for (row, preset) in rows.iter().zip(presets::ALL) {
        let [name, ones, straight, pairs, four_pair, triplets, kinds, reading, opening, ending, seats] = row[..] else {
            panic!("{row:?}");
        };
        let kinds: Vec<Points> = kinds.split('/').map(points).collect();
        let (least, most) = seats.split_once('-').unwrap_or((seats, seats));
        let penalised = name == "elverson";
        let expected = Ruleset {
            name: name.to_owned().into(),
            dice: if name == "five-dice" { 5 } else { 6 },
            reading: if reading == "best" { Reading::Best } else { Reading::PerFace },
            single_one: 100,
            single_five: 50,
            three_ones: points(ones),
            kinds: if kinds == [0, 0, 0] { Kinds::None } else { Kinds::Flat },
            four_of_a_kind: kinds[0],
            five_of_a_kind: kinds[1],
            six_of_a_kind: kinds[2],
            six_wins: false,
            straight: points(straight),
            three_pairs: points(pairs),
            four_and_pair: points(four_pair),
            two_triplets: points(triplets),
            five_run: 0,
            full_house: 0,
            no_score: 0,
            toxic_twos: false,
            keep_all: false,
            must_roll_hot_dice: false,
            exact_landing: false,
            opening: points(opening),
            penalty: if penalised { 1_000 } else { 0 },
            penalty_after: if penalised { 3 } else { 0 },
            penalty_floor: penalised,
            ending: match ending {
                "immediate-win" => EndingRule::ImmediateWin,
                "final-round" => EndingRule::FinalRound,
                _ => EndingRule::Turns,
            },
            target: if ending == "ten-turns" { 0 } else { 10_000 },
            turns: if ending == "ten-turns" { 10 } else { 0 },
            min_seats: least.parse().unwrap(),
            max_seats: most.parse().unwrap(),
        };
        assert_eq!(*preset, expected);
        expected.validate().unwrap();
        assert_eq!(presets::by_name(name), Some(preset));
    }
}

/// `patch` and `my-turn-yet` are two tables of one game: the pages that describe them agree.
#[test]
fn no_other_two_presets_are_the_same_game() {
    for (number, a) in presets::ALL.iter().enumerate() {
        for b in &presets::ALL[..number] {
            let same = (&*a.name, &*b.name) == ("my-turn-yet", "patch");
            assert_eq!(a.same_rules(b), same, "{} and {}", a.name, b.name);
        }
    }
}
