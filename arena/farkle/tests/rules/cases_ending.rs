//! Cases c09, c20, c21, c26 to c32 and c36: how matches end and who wins.

use std::sync::Arc;

use farkle::presets::{DUEL, IMMEDIATE_WIN, MY_TURN_YET, PATCH, PLAY_TABLE, SOLO_TEN};
use farkle::{Ending, IllegalBank, MatchState, Phase, Ruleset, ScoreTable};

use crate::played::{bank, farkle, gather, table, turns};

fn over(game: &MatchState) -> (Vec<i32>, Vec<u32>, Ending) {
    let result = game.result().expect("over");
    (result.scores, result.ranks, result.ending)
}

#[test]
fn c09_the_target_met_or_passed() {
    for (before, total) in [(9_900, 10_000), (9_950, 10_050)] {
        let mut game = table(&IMMEDIATE_WIN, 2);
        turns(&mut game, &[before, 0]);
        assert_eq!(bank(&mut game, 100), Ok(total));
        assert_eq!(over(&game), (vec![total, 0], vec![1, 2], Ending::ImmediateWin));
        for rules in [PLAY_TABLE, DUEL, MY_TURN_YET] {
            let mut game = table(&rules, 2);
            turns(&mut game, &[before, 0]);
            assert!(!game.is_closing());
            assert_eq!(bank(&mut game, 100), Ok(total));
            assert!(game.is_closing() && game.to_move() == Some(1), "{}", rules.name);
            farkle(&mut game);
            assert_eq!(over(&game), (vec![total, 0], vec![1, 2], Ending::FinalRound));
        }
    }
    // 50 short is short, and points at risk count for nothing (ruling 11).
    let mut game = table(&IMMEDIATE_WIN, 2);
    turns(&mut game, &[9_850, 0, 100, 0]);
    assert_eq!(game.seats()[0].banked, 9_950);
    gather(&mut game, 3_000);
    assert_eq!(game.to_move(), Some(0));
}

#[test]
fn c20_a_leaving_seat_does_not_shift_who_is_to_move() {
    let mut game = table(&PLAY_TABLE, 3);
    turns(&mut game, &[100, 200]);
    gather(&mut game, 150);
    game.forfeit(0).unwrap();
    assert_eq!((game.to_move(), game.at_risk()), (Some(2), 150));
    game.bank().unwrap();
    assert_eq!(game.to_move(), Some(1), "seat 0 is skipped from now on");
}

#[test]
fn c21_after_the_mover_leaves_the_next_seat_moves() {
    let mut game = table(&PLAY_TABLE, 3);
    gather(&mut game, 100);
    game.forfeit(0).unwrap();
    assert_eq!((game.to_move(), game.at_risk()), (Some(1), 0));
    assert_eq!(game.phase(), Phase::ToRoll { dice: 6 });
    // Two left, then one: that one wins at once, whatever it has.
    turns(&mut game, &[500]);
    game.forfeit(1).unwrap();
    assert_eq!(over(&game), (vec![0, 500, 0], vec![3, 2, 1], Ending::Forfeit));
}

#[test]
fn c26_the_trigger_is_followed_by_one_turn_of_every_other_seat() {
    let mut game = table(&PLAY_TABLE, 3);
    turns(&mut game, &[100, 10_000]);
    assert_eq!(game.to_move(), Some(2));
    turns(&mut game, &[300]);
    assert_eq!(game.to_move(), Some(0));
    turns(&mut game, &[300]);
    assert_eq!(over(&game), (vec![400, 10_000, 300], vec![2, 1, 3], Ending::FinalRound));
    let played: Vec<_> = game.seats().iter().map(|seat| seat.turns).collect();
    assert_eq!(played, [2, 1, 1]);
}

#[test]
fn c27_closing_turns_go_on_in_rotation_and_see_overtakes() {
    let mut game = table(&PLAY_TABLE, 3);
    turns(&mut game, &[100, 10_000]);
    assert_eq!((game.to_move(), game.best_rival()), (Some(2), 10_000));
    turns(&mut game, &[10_500]);
    // Passing the leader triggers nothing further (ruling 12).
    assert_eq!((game.to_move(), game.best_rival()), (Some(0), 10_500));
    turns(&mut game, &[50]);
    assert_eq!(over(&game), (vec![150, 10_000, 10_500], vec![3, 2, 1], Ending::FinalRound));
}

#[test]
fn c28_equal_top_scores_share_the_win_whoever_came_first() {
    for rules in [PLAY_TABLE, DUEL, MY_TURN_YET] {
        let mut game = table(&rules, 2);
        turns(&mut game, &[10_200, 10_200]);
        assert_eq!(over(&game), (vec![10_200; 2], vec![1, 1], Ending::FinalRound), "{}", rules.name);
        let mut swapped = table(&rules, 2);
        turns(&mut swapped, &[0, 10_200, 10_200]);
        assert_eq!(over(&swapped), (vec![10_200; 2], vec![1, 1], Ending::FinalRound), "{}", rules.name);
    }
}

#[test]
fn c29_a_closing_seat_may_bank_short_of_the_leader() {
    for rules in [PLAY_TABLE, DUEL, PATCH, MY_TURN_YET] {
        let mut game = table(&rules, 2);
        turns(&mut game, &[0, 9_000, 10_000]);
        assert_eq!(bank(&mut game, 600), Ok(9_600), "{}", rules.name);
        assert_eq!(over(&game), (vec![10_000, 9_600], vec![1, 2], Ending::FinalRound));
    }
    // The opening binds in closing turns too (ruling 9).
    let mut game = table(&DUEL, 2);
    turns(&mut game, &[10_000]);
    gather(&mut game, 450);
    assert_eq!(game.bank().unwrap_err(), IllegalBank::BelowOpening { at_risk: 450, opening: 500 }.into());
}

#[test]
fn c30_the_target_may_be_passed_unless_it_must_be_met() {
    let mut game = table(&IMMEDIATE_WIN, 2);
    turns(&mut game, &[9_900, 0]);
    assert_eq!(bank(&mut game, 500), Ok(10_400));
    assert_eq!(over(&game).2, Ending::ImmediateWin);
    let exact = Ruleset { exact_landing: true, ..IMMEDIATE_WIN };
    let mut game = table(&exact, 2);
    turns(&mut game, &[9_900, 0]);
    gather(&mut game, 500);
    let passes = IllegalBank::PassesTarget { at_risk: 500, total: 10_400, target: 10_000 };
    assert_eq!(game.bank().unwrap_err(), passes.into());
    let mut game = table(&exact, 2);
    turns(&mut game, &[9_900, 0]);
    assert_eq!(bank(&mut game, 100), Ok(10_000));
    assert_eq!(over(&game), (vec![10_000, 0], vec![1, 2], Ending::ImmediateWin));
}

#[test]
fn c31_seats_that_played_this_round_still_get_their_closing_turn() {
    let mut game = table(&PLAY_TABLE, 3);
    turns(&mut game, &[100, 100, 10_000]);
    assert_eq!(game.to_move(), Some(0));
    turns(&mut game, &[100]);
    assert_eq!(game.to_move(), Some(1));
    turns(&mut game, &[0]);
    assert_eq!(over(&game), (vec![200, 100, 10_000], vec![2, 3, 1], Ending::FinalRound));
}

#[test]
fn c32_equal_ranks_are_shared_and_the_next_ones_skip() {
    let mut game = table(&PLAY_TABLE, 4);
    turns(&mut game, &[10_000, 10_000, 9_000, 8_000]);
    let (scores, ranks, _) = over(&game);
    assert_eq!((scores, ranks.as_slice()), (vec![10_000, 10_000, 9_000, 8_000], &[1, 1, 3, 4][..]));
    let pairs = (0..4).flat_map(|a| (0..a).map(move |b| (a, b)));
    let (drawn, decisive): (Vec<_>, Vec<_>) = pairs.partition(|(a, b)| ranks[*a] == ranks[*b]);
    assert_eq!((drawn.len(), decisive.len()), (1, 5));
}

/// The agents' half of this case is in arena-core.
#[test]
fn c36_points_at_risk_never_end_a_match() {
    let mut game = MatchState::new(Arc::new(ScoreTable::new(&IMMEDIATE_WIN)), 2, 3);
    for turn in 0..6 {
        assert_eq!(game.to_move(), Some(turn % 2));
        gather(&mut game, 12_000);
        assert_eq!(farkle(&mut game), 0);
    }
    assert_eq!(over(&game), (vec![0, 0], vec![1, 1], Ending::TurnLimit));
}

/// Ruling 13.
#[test]
fn ten_turns_alone_end_after_ten_whatever_the_total() {
    let mut game = table(&SOLO_TEN, 1);
    turns(&mut game, &[3_000; 9]);
    assert_eq!(game.seats()[0].banked, 27_000);
    turns(&mut game, &[0]);
    assert_eq!(over(&game), (vec![27_000], vec![1], Ending::Turns));
}

/// Ruling 14: closing turns still owed are played first.
#[test]
fn the_turn_limit_waits_for_closing_turns() {
    let mut game = MatchState::new(Arc::new(ScoreTable::new(&PLAY_TABLE)), 3, 2);
    turns(&mut game, &[100, 100, 100, 100, 100, 10_000]);
    assert_eq!(game.to_move(), Some(0));
    turns(&mut game, &[10_000, 0]);
    assert_eq!(over(&game), (vec![10_200, 200, 10_100], vec![1, 3, 2], Ending::FinalRound));
    let mut game = MatchState::new(Arc::new(ScoreTable::new(&PLAY_TABLE)), 3, 2);
    turns(&mut game, &[100, 100, 100, 200, 100, 9_000]);
    assert_eq!(over(&game), (vec![300, 200, 9_100], vec![2, 3, 1], Ending::TurnLimit));
}

/// Ruling 20: at the keep, at once, and whatever others have.
#[test]
fn six_alike_win_outright_where_the_table_says_so() {
    let rules = Ruleset { six_wins: true, opening: 5_000, ..PLAY_TABLE };
    let mut game = table(&rules, 3);
    turns(&mut game, &[6_000, 7_000]);
    game.roll("444444".parse().unwrap()).unwrap();
    game.keep("444444".parse().unwrap()).unwrap();
    assert_eq!(over(&game), (vec![6_000, 7_000, 0], vec![3, 2, 1], Ending::OutrightWin));
}
