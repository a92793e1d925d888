//! The rule cases that are about agents and the arena: c11, c12, c20, c21, c28, c32, c35 and c36.

use arena_core::standings::{Outcome, Tally};
use arena_core::{Answer, FaultKind, What};
use farkle::presets::{IMMEDIATE_WIN, PLAY_TABLE};
use farkle::{Ending, Faces, Next, Ruleset};

use crate::scripted::{Native, bank_at, banker, fault, in_turn, never_banks, play, seed_where};

#[test]
fn c11_what_an_agent_names_is_compared_with_the_dice_of_the_arena() {
    let roll: Faces = "223466".parse().unwrap();
    // That roll is a farkle, so nobody is asked; with a 1 in it, three 1s are still not there.
    let seed = seed_where(0, |dice| dice == roll);
    let three_ones = Native::new(1, |_, _| Ok(Answer { keep: [3, 0, 0, 0, 0, 0], next: Next::Bank }));
    let (_, events) = play(&PLAY_TABLE, seed, &[&three_ones, &banker(2, 300)]);
    assert!(matches!(events[0].what, What::Farkled { roll: dealt, .. } if dealt == roll));
    let seed = seed_where(0, |dice| dice.count(1) == 1 && dice.count(2) == 2);
    let (played, events) = play(&PLAY_TABLE, seed, &[&three_ones, &banker(2, 300)]);
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].fault().unwrap().1, FaultKind::IllegalKeep);
    assert_eq!(played.result.ranks, [2, 1]);
}

#[test]
fn c12_counts_beyond_six_dice_are_an_illegal_keep() {
    let seed = seed_where(0, |dice| dice == "123466".parse().unwrap());
    for keep in [[0; 6], [0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 2], [2, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 2], [255; 6]] {
        let wrong = Native::new(1, move |_, _| Ok(Answer { keep, next: Next::Roll }));
        let (played, events) = play(&PLAY_TABLE, seed, &[&wrong, &banker(2, 300)]);
        assert_eq!(events[0].fault().unwrap().1, FaultKind::IllegalKeep, "{keep:?}");
        assert_eq!(played.result.scores, [0, 0]);
    }
}

/// A seat leaves while another one is to move: in a match only the mover acts, so the one case is
/// a seat that did not start, with its lower number.
#[test]
fn c20_a_lower_seat_that_left_shifts_nobody() {
    let gone = Native::fails_to_start(1, fault(FaultKind::CannotStart));
    let (_, events) = play(&PLAY_TABLE, 1, &[&gone, &banker(2, 300), &banker(3, 300)]);
    let mut turns: Vec<_> = events[1..].iter().map(|event| (event.seat, event.turn)).collect();
    turns.dedup();
    for (number, turn) in turns.iter().enumerate() {
        assert_eq!(*turn, (1 + (number % 2) as u8, 1 + number as u32 / 2));
    }
}

#[test]
fn c21_the_seat_after_a_disqualified_mover_is_next() {
    let seed = seed_where(0, |dice| dice.count(1) > 0);
    let wrong = in_turn(1, 1, 300, |_| Ok(Answer { keep: [0; 6], next: Next::Roll }));
    let (_, events) = play(&PLAY_TABLE, seed, &[&wrong, &banker(2, 300), &banker(3, 300)]);
    assert_eq!((events[0].seat, events[1].seat), (0, 1));
}

#[test]
fn c28_a_shared_win_counts_one_half_for_both_wherever_they_sit() {
    let outcome = |agents: [usize; 2]| Outcome {
        agents: agents.into(),
        ranks: vec![1, 1],
        scores: vec![10_200, 10_200],
        faults: Vec::new(),
        ending: Ending::FinalRound,
        turns: Vec::new(),
    };
    for seats in [[0, 1], [1, 0]] {
        let mut tally = Tally::new(2);
        tally.add_pair(0, &[outcome(seats), outcome([seats[1], seats[0]])]);
        let rows = tally.standings().unwrap().standings;
        assert!(rows.iter().all(|row| (row.wins, row.draws, row.losses, row.score) == (0, 2, 0, 0.5)));
        assert_eq!(rows[0].elo, rows[1].elo);
    }
}

#[test]
fn c32_four_players_make_one_draw_and_five_decisions() {
    let outcome = Outcome {
        agents: vec![0, 1, 2, 3],
        ranks: vec![1, 1, 3, 4],
        scores: vec![10_000, 10_000, 9_000, 8_000],
        faults: Vec::new(),
        ending: Ending::FinalRound,
        turns: Vec::new(),
    };
    let mut tally = Tally::new(4);
    tally.add_pair(0, &[outcome]);
    let mut rows = tally.standings().unwrap().standings;
    rows.sort_by_key(|row| row.agent);
    // Of three opponents each: two outranked and one level; the same; one; none.
    let shares: Vec<f64> = rows.iter().map(|row| (row.score * 6.0).round()).collect();
    assert_eq!(shares, [5.0, 5.0, 2.0, 0.0]);
    assert_eq!(shares.iter().sum::<f64>(), 12.0, "six pairings, two sixths for each");
}

#[test]
fn c35_an_agent_that_cannot_answer_faults_at_once_and_the_match_ends() {
    for (number, wrong) in [
        Native::new(1, |_, _| Err(fault(FaultKind::OutOfFuel))),
        Native::new(1, |_, _| Ok(Answer { keep: [0; 6], next: Next::Roll })),
        Native::new(1, |_, turn| Ok(Answer { keep: [turn.roll.count(1) + 1, 0, 0, 0, 0, 0], next: Next::Bank })),
    ]
    .iter()
    .enumerate()
    {
        let (played, _) = play(&IMMEDIATE_WIN, 5, &[&banker(2, 300), wrong]);
        assert_eq!(wrong.asked().len(), 1, "agent {number} is asked once, no retry");
        assert_eq!((played.result.ending, played.result.ranks), (Ending::Forfeit, vec![1, 2]));
    }
}

#[test]
fn c36_agents_that_never_bank_end_at_the_turn_limit() {
    // One keeps as little as it may, one as much as it can.
    let least = Native::new(1, |seat, turn| {
        let keep = turn.roll.parts().filter(|part| seat.chart.points(*part).is_some()).min_by_key(|part| part.len());
        Ok(Answer::from_decision(keep.expect("agents are asked only about rolls that score"), Next::Roll))
    });
    let greedy = never_banks(2);
    let (played, events) = play(&PLAY_TABLE, 6, &[&least, &greedy]);
    assert_eq!((played.result.scores, played.result.ranks), (vec![0, 0], vec![1, 1]));
    assert_eq!(played.result.ending, Ending::TurnLimit);
    let most = events.iter().filter_map(|event| match event.what {
        What::Rolled(keep) => Some(keep.at_risk),
        _ => None,
    });
    let low = Ruleset { target: 2_000, ..PLAY_TABLE };
    assert!(most.max().unwrap() > low.target);
    // Points at risk above the target end nothing either.
    let (played, _) = play(&low, 6, &[&least, &greedy]);
    assert_eq!(played.result.ending, Ending::TurnLimit);
    let patient = Native::new(3, |seat, turn| Ok(bank_at(if turn.turns < 3 { i32::MAX } else { 50 }, seat, turn)));
    let (played, _) = play(&low, 6, &[&patient, &greedy]);
    assert_eq!((played.result.ending, played.result.ranks), (Ending::FinalRound, vec![1, 2]));
}
