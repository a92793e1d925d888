//! Cases c10 to c12, c15 to c19, c22 to c25, c33 and c40: what a seat may do in its turn.

use farkle::presets::{DUEL, FIVE_DICE, IMMEDIATE_WIN, MY_TURN_YET, PATCH, PLAY_TABLE, PLAY_TABLE_SIMPLE};
use farkle::{
    Bank, Chart, Decision, Faces, IllegalAction, IllegalBank, IllegalKeep, MatchState, Next, NotScoring, Phase,
    Ruleset, ScoreTable,
};

use crate::played::{bank, dice, farkle, gather, table};

/// `my-turn-yet` with its three-farkles penalty on.
fn penalised() -> Ruleset {
    Ruleset { penalty: 1_000, penalty_after: 3, penalty_floor: true, ..MY_TURN_YET }
}

/// One seat plays on and on.
fn alone(rules: &Ruleset) -> MatchState {
    table(&Ruleset { min_seats: 1, ..rules.clone() }, 1)
}

fn refused<T: std::fmt::Debug>(
    game: &mut MatchState,
    act: impl FnOnce(&mut MatchState) -> Result<T, IllegalAction>,
) -> IllegalAction {
    let before = format!("{game:?}");
    let error = act(game).unwrap_err();
    assert_eq!(format!("{game:?}"), before);
    error
}

#[test]
fn c10_a_selection_with_a_dead_die_is_refused_whole() {
    for rules in [IMMEDIATE_WIN, PLAY_TABLE, DUEL, PATCH, MY_TURN_YET, PLAY_TABLE_SIMPLE] {
        let mut game = table(&rules, 2);
        game.roll(dice("153244")).unwrap();
        let why = refused(&mut game, |g| g.keep(dice("153")));
        let roll = dice("153244");
        let dead = NotScoring::DeadDice { dead: dice("3") };
        assert_eq!(why, IllegalKeep::NotScoring { keep: dice("153"), roll, why: dead }.into());
        assert_eq!((game.phase(), game.at_risk()), (Phase::ToKeep { roll }, 0));
        assert_eq!(game.keep(dice("15")), Ok(150));
    }
}

/// The arena's half of this case is in arena-core: what an agent names is compared with the roll.
#[test]
fn c11_dice_that_were_not_rolled_cannot_be_kept() {
    let mut game = table(&PLAY_TABLE, 2);
    game.roll(dice("223461")).unwrap();
    let why = refused(&mut game, |g| g.keep(dice("111")));
    assert_eq!(why, IllegalKeep::NotRolled { keep: dice("111"), roll: dice("223461") }.into());
}

#[test]
fn c12_every_illegal_selection_is_a_typed_error() {
    let mut game = table(&PLAY_TABLE, 2);
    let roll = dice("123466");
    game.roll(roll).unwrap();
    let not_scoring = |keep: &str| {
        let keep = dice(keep);
        IllegalAction::Keep(IllegalKeep::NotScoring { keep, roll, why: NotScoring::DeadDice { dead: keep } })
    };
    assert_eq!(refused(&mut game, |g| g.keep(Faces::NONE)), IllegalKeep::Empty.into());
    for dead in ["2", "66"] {
        assert_eq!(refused(&mut game, |g| g.keep(dice(dead))), not_scoring(dead));
    }
    for more in ["11", "666"] {
        let keep = dice(more);
        assert_eq!(refused(&mut game, |g| g.keep(keep)), IllegalKeep::NotRolled { keep, roll }.into());
    }
    // Seven dice, and counts beyond six, are no selection at all.
    assert!(Faces::from_counts([1, 1, 1, 1, 1, 2]).is_err());
    assert!(Faces::from_counts([7, 0, 0, 0, 0, 0]).is_err());
    assert!(Faces::from_counts([255; 6]).is_err());
    assert!(Faces::from_counts([16, 0, 0, 0, 0, 0]).is_err());
    assert!(Faces::from_dice(&[1; 7]).is_err());
    // With five dice, six are too many, whatever they show.
    let sixth = Chart::new(&FIVE_DICE).reading(dice("111111"));
    assert_eq!(sixth, Err(NotScoring::TooManyDice { selected: 6, dice: 5 }));
}

#[test]
fn c15_a_bank_before_any_keep_is_refused_and_ends_nothing() {
    for rules in [IMMEDIATE_WIN, DUEL, PLAY_TABLE] {
        let mut game = table(&rules, 2);
        assert_eq!(refused(&mut game, MatchState::bank), IllegalBank::NothingKept.into());
        game.roll(dice("123466")).unwrap();
        assert_eq!(refused(&mut game, MatchState::bank), IllegalBank::NothingKept.into());
        assert_eq!(game.to_move(), Some(0));
        // Nor does a keep of an earlier roll allow it while a roll waits.
        game.keep(dice("1")).unwrap();
        game.roll(dice("12346")).unwrap();
        assert_eq!(refused(&mut game, MatchState::bank), IllegalBank::NothingKept.into());
    }
}

#[test]
fn c16_after_hot_dice_bank_and_roll_are_legal() {
    let mut game = table(&PLAY_TABLE, 2);
    game.roll(dice("123456")).unwrap();
    game.keep(dice("123456")).unwrap();
    assert_eq!(game.phase(), Phase::ToChoose { dice: 6, hot: true });
    assert_eq!(refused(&mut game, |g| g.keep(dice("1"))), IllegalAction::NoRoll);
    let why = refused(&mut game, |g| g.roll(dice("12346")));
    assert_eq!(why, IllegalAction::WrongNumberOfDice { rolled: 5, dice: 6 });
    let mut banks = game.clone();
    assert_eq!(banks.bank(), Ok(Bank { points: 1_500, banked: 1_500 }));
    assert_eq!(game.roll(dice("112346")), Ok(None));
    assert_eq!(game.at_risk(), 1_500);
    // Where hot dice must be rolled, only the bank is gone.
    let mut must = table(&Ruleset { must_roll_hot_dice: true, ..PLAY_TABLE }, 2);
    must.roll(dice("123456")).unwrap();
    let both = Decision { keep: dice("123456"), next: Next::Bank };
    assert_eq!(refused(&mut must, |g| g.decide(both)), IllegalBank::HotDice.into());
    must.keep(dice("123456")).unwrap();
    assert_eq!(refused(&mut must, MatchState::bank), IllegalBank::HotDice.into());
    must.roll(dice("112346")).unwrap();
    must.keep(dice("11")).unwrap();
    assert_eq!(must.bank(), Ok(Bank { points: 1_700, banked: 1_700 }));
}

#[test]
fn c17_hot_dice_come_back_all() {
    let mut game = table(&PLAY_TABLE, 2);
    for (roll, keep, free, at_risk) in
        [("123466", "1", 5, 100), ("22255", "22255", 6, 400), ("111234", "111", 3, 1_400), ("555", "555", 6, 1_900)]
    {
        game.roll(dice(roll)).unwrap();
        game.keep(dice(keep)).unwrap();
        assert_eq!(game.phase(), Phase::ToChoose { dice: free, hot: free == 6 }, "{keep} of {roll}");
        assert_eq!(game.at_risk(), at_risk);
    }
    let mut five = table(&FIVE_DICE, 2);
    five.roll(dice("22255")).unwrap();
    five.keep(dice("22255")).unwrap();
    assert_eq!(five.phase(), Phase::ToChoose { dice: 5, hot: true });
}

#[test]
fn c18_dice_of_earlier_rolls_join_no_combination() {
    for rules in [IMMEDIATE_WIN, DUEL, PATCH, MY_TURN_YET] {
        let mut game = table(&rules, 2);
        game.roll(dice("522346")).unwrap();
        assert_eq!(game.keep(dice("5")), Ok(50));
        game.roll(dice("55212")).unwrap();
        assert_eq!(game.keep(dice("551")), Ok(200), "{}", rules.name);
        assert_eq!(game.at_risk(), 250);
    }
}

#[test]
fn c19_an_empty_selection_is_illegal_and_no_panic() {
    for rules in [IMMEDIATE_WIN, PLAY_TABLE, FIVE_DICE] {
        let table = ScoreTable::new(&rules);
        let chart = table.chart();
        assert_eq!(chart.points(Faces::NONE), None);
        assert_eq!(chart.reading(Faces::NONE), Err(NotScoring::Empty));
        assert_eq!(chart.legal_keeps(Faces::NONE).count(), 0);
        assert_eq!(chart.best_keep(Faces::NONE), None);
        assert!(chart.is_farkle(Faces::NONE) && table.is_farkle(Faces::NONE));
        assert_eq!(table.check_keep(dice("1"), Faces::NONE), Err(IllegalKeep::Empty));
        assert_eq!(table.check_keep(Faces::NONE, Faces::NONE), Err(IllegalKeep::Empty));
    }
}

#[test]
fn c22_the_opening_binds_banks_not_keeps() {
    let mut game = table(&DUEL, 2);
    game.roll(dice("522346")).unwrap();
    assert_eq!(game.keep(dice("5")), Ok(50));
    assert_eq!(refused(&mut game, MatchState::bank), IllegalBank::BelowOpening { at_risk: 50, opening: 500 }.into());
    assert_eq!(game.roll(dice("12346")), Ok(None));
}

#[test]
fn c23_exactly_the_opening_is_enough() {
    let mut game = alone(&DUEL);
    gather(&mut game, 450);
    assert_eq!(refused(&mut game, MatchState::bank), IllegalBank::BelowOpening { at_risk: 450, opening: 500 }.into());
    gather(&mut game, 500);
    assert_eq!(game.bank(), Ok(Bank { points: 500, banked: 500 }));
    assert_eq!(bank(&mut game, 50), Ok(550));
}

#[test]
fn c24_an_opened_seat_banks_what_it_likes() {
    for rules in [DUEL, PATCH, MY_TURN_YET] {
        let mut game = alone(&rules);
        bank(&mut game, 500).unwrap();
        assert_eq!(bank(&mut game, 100), Ok(600), "{}", rules.name);
        for _ in 0..5 {
            assert_eq!(farkle(&mut game), 600);
        }
        assert_eq!(bank(&mut game, 100), Ok(700), "{}", rules.name);
    }
    let mut game = alone(&penalised());
    bank(&mut game, 500).unwrap();
    assert_eq!([farkle(&mut game), farkle(&mut game), farkle(&mut game)], [500, 500, 0]);
    assert!(matches!(bank(&mut game, 100), Err(IllegalAction::Bank(IllegalBank::BelowOpening { .. }))));
}

#[test]
fn c25_a_score_that_fell_to_zero_must_open_again() {
    let mut game = alone(&penalised());
    bank(&mut game, 600).unwrap();
    assert_eq!([farkle(&mut game), farkle(&mut game), farkle(&mut game)], [600, 600, 0]);
    assert_eq!(game.opening_due(), 500);
    gather(&mut game, 450);
    assert_eq!(refused(&mut game, MatchState::bank), IllegalBank::BelowOpening { at_risk: 450, opening: 500 }.into());
    gather(&mut game, 500);
    assert_eq!(game.bank().unwrap().banked, 500);
    // Below zero, where the penalty has no floor, is not opened either (ruling 9).
    let mut game = alone(&Ruleset { penalty_floor: false, ..penalised() });
    bank(&mut game, 600).unwrap();
    assert_eq!([farkle(&mut game), farkle(&mut game), farkle(&mut game)], [600, 600, -400]);
    assert_eq!(game.opening_due(), 500);
    assert_eq!(bank(&mut game, 500), Ok(100));
}

#[test]
fn c33_the_third_farkle_in_a_row_costs_and_the_row_starts_again() {
    let mut game = alone(&penalised());
    bank(&mut game, 1_400).unwrap();
    let after: Vec<_> = (0..6).map(|_| farkle(&mut game)).collect();
    assert_eq!(after, [1_400, 1_400, 400, 400, 400, 0]);
    assert_eq!(game.seats()[0].farkles_in_a_row, 0);
    // A bank ends a row.
    let mut game = alone(&penalised());
    bank(&mut game, 1_400).unwrap();
    for _ in 0..3 {
        assert_eq!([farkle(&mut game), farkle(&mut game)], [game.seats()[0].banked; 2]);
        bank(&mut game, 50).unwrap();
    }
    assert_eq!(game.seats()[0].banked, 1_550);
    // Farkles before the opening count too (ruling 10).
    let mut game = alone(&penalised());
    assert_eq!([farkle(&mut game), farkle(&mut game)], [0, 0]);
    assert_eq!(game.seats()[0].farkles_in_a_row, 2);
    for rules in [IMMEDIATE_WIN, DUEL] {
        let mut game = alone(&rules);
        bank(&mut game, 1_400).unwrap();
        assert!((0..9).all(|_| farkle(&mut game) == 1_400), "{}", rules.name);
    }
}

#[test]
fn c40_a_second_bank_is_refused_and_the_score_rises_once() {
    let mut game = table(&PLAY_TABLE, 2);
    bank(&mut game, 300).unwrap();
    assert_eq!(game.to_move(), Some(1));
    assert_eq!(refused(&mut game, MatchState::bank), IllegalBank::NothingKept.into());
    assert_eq!(game.seats()[0].banked, 300);
    assert_eq!((game.seats()[0].turns, game.seats()[1].turns), (1, 0));
}
