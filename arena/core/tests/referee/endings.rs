//! Every way in which a match ends, played by agents.

use arena_core::{Event, What};
use farkle::presets::{IMMEDIATE_WIN, PLAY_TABLE};
use farkle::{Ending, EndingRule, Ruleset};

use crate::scripted::{Native, bank_at, banker, limits, never_banks, play, play_within, seed_where};

fn last_bank(events: &[Event], seat: u8) -> Option<i32> {
    events.iter().rev().find_map(|event| match event.what {
        What::Banked { banked, .. } if event.seat == seat => Some(banked),
        _ => None,
    })
}

#[test]
fn the_first_bank_at_the_target_ends_an_immediate_win() {
    for seed in 0..50 {
        let (played, events) = play(&IMMEDIATE_WIN, seed, &[&banker(1, 300), &banker(2, 1_000)]);
        assert_eq!(played.result.ending, Ending::ImmediateWin);
        let last = events.last().unwrap();
        let winner = usize::from(last.seat);
        assert!(last_bank(&events, last.seat).unwrap() >= 10_000);
        assert!(matches!(last.what, What::Banked { banked, .. } if banked == played.result.scores[winner]));
        assert!(played.result.scores[1 - winner] < 10_000);
        assert_eq!((played.result.ranks[winner], played.result.ranks[1 - winner]), (1, 2));
    }
}

/// Ruling 17.
#[test]
fn with_more_seats_the_others_of_an_immediate_win_rank_by_score() {
    let rules = Ruleset { max_seats: 4, ..IMMEDIATE_WIN };
    let seats = [banker(1, 300), banker(2, 250), banker(3, 400), banker(4, 350)];
    for seed in 0..20 {
        let (played, _) = play(&rules, seed, &[&seats[0], &seats[1], &seats[2], &seats[3]]);
        let result = played.result;
        for a in 0..4 {
            let above = (0..4).filter(|b| result.scores[*b] > result.scores[a]).count();
            assert_eq!(result.ranks[a] as usize, above + 1, "{result:?}");
        }
    }
}

/// Ruling 12: from the trigger on, every other seat once, in rotation.
#[test]
fn closing_turns_of_three_seats_go_on_in_rotation() {
    let mut triggers = [0; 3];
    for seed in 0..60 {
        let seats = [banker(1, 300), banker(2, 300), banker(3, 300)];
        let (played, events) = play(&PLAY_TABLE, seed, &[&seats[0], &seats[1], &seats[2]]);
        assert_eq!(played.result.ending, Ending::FinalRound);
        let trigger = |event: &Event| matches!(event.what, What::Banked { banked, .. } if banked >= 10_000);
        let place = events.iter().position(trigger).expect("somebody reached the target");
        let seat = events[place].seat;
        triggers[usize::from(seat)] += 1;
        let mut closing: Vec<(u8, u32)> = events[place + 1..].iter().map(|event| (event.seat, event.turn)).collect();
        closing.dedup();
        let order: Vec<u8> = closing.iter().map(|turn| turn.0).collect();
        assert_eq!(order, [(seat + 1) % 3, (seat + 2) % 3]);
        // Those that are asked in it are told so; nobody is before.
        for (number, native) in seats.iter().enumerate() {
            for asked in native.asked() {
                let after = asked.happened > place;
                assert_eq!(asked.turn.closing, after, "seat {number} on seed {seed}");
            }
        }
        let best = *played.result.scores.iter().max().unwrap();
        for (score, rank) in played.result.scores.iter().zip(&played.result.ranks) {
            assert_eq!(*score == best, *rank == 1);
        }
    }
    assert!(triggers.iter().all(|n| *n > 5), "{triggers:?}");
}

#[test]
fn ten_turns_are_ten_turns() {
    let rules = Ruleset { ending: EndingRule::Turns, target: 0, turns: 10, min_seats: 1, max_seats: 3, ..PLAY_TABLE };
    let (alone, events) = play(&rules, 1, &[&banker(1, 300)]);
    assert_eq!((alone.result.ending, alone.result.ranks), (Ending::Turns, vec![1]));
    assert_eq!(events.last().unwrap().turn, 10);
    let (three, events) = play(&rules, 1, &[&banker(1, 300), &banker(2, 300), &banker(3, 500)]);
    assert_eq!(three.result.ending, Ending::Turns);
    assert_eq!((events.last().unwrap().seat, events.last().unwrap().turn), (2, 10));
    // A match's own limit, if it is lower, ends it, and the record says which it was.
    let (short, events) = play_within(limits(4), &rules, 1, &[&banker(1, 300)]);
    assert_eq!((short.result.ending, events.last().unwrap().turn), (Ending::TurnLimit, 4));
}

/// Ruling 14.
#[test]
fn agents_that_never_bank_share_nothing_at_the_turn_limit() {
    for rules in [IMMEDIATE_WIN, PLAY_TABLE] {
        let (a, b) = (never_banks(1), never_banks(2));
        let (played, events) = play(&rules, 2, &[&a, &b]);
        assert_eq!(played.result.scores, [0, 0]);
        assert_eq!(played.result.ranks, [1, 1]);
        assert_eq!(played.result.ending, Ending::TurnLimit);
        assert!(played.faults.is_empty());
        assert_eq!((events.last().unwrap().seat, events.last().unwrap().turn), (1, 1_000));
        assert_eq!(a.started()[0].turn_limit, 1_000);
    }
}

#[test]
fn the_highest_total_wins_at_the_turn_limit() {
    let (played, _) = play_within(limits(5), &PLAY_TABLE, 2, &[&never_banks(1), &banker(2, 300), &never_banks(3)]);
    assert_eq!((played.result.ending, played.result.ranks), (Ending::TurnLimit, vec![2, 1, 2]));
}

/// Ruling 20: six alike win at the keep, even against a higher total and below the opening.
#[test]
fn six_alike_win_outright() {
    let rules = Ruleset { six_wins: true, opening: 5_000, ..PLAY_TABLE };
    let seed = seed_where(1, |roll| roll.counts().contains(&6));
    for next in [farkle::Next::Roll, farkle::Next::Bank] {
        let takes_all = Native::new(2, move |_, turn| Ok(arena_core::Answer::from_decision(turn.roll, next)));
        let (played, events) = play(&rules, seed, &[&banker(1, 300), &takes_all, &banker(3, 300)]);
        assert_eq!(played.result.ending, Ending::OutrightWin);
        assert_eq!(played.result.ranks[1], 1);
        assert_eq!(played.result.scores[1], 0, "a win without points");
        let last = events.last().unwrap();
        assert!(matches!(last.what, What::Won(_)) && last.seat == 1 && last.turn == 1, "{last}");
        assert!(last.to_string().contains(r#""next":"win""#));
    }
    // Kept in part, they win nothing.
    let takes_three = Native::new(2, |seat, turn| {
        let three = turn.roll.parts().find(|part| part.len() == 3 && seat.chart.points(*part).is_some());
        match (turn.turns, turn.rolls, three) {
            (0, 1, Some(three)) => Ok(arena_core::Answer::from_decision(three, farkle::Next::Roll)),
            _ => Ok(bank_at(300, seat, turn)),
        }
    });
    let (played, events) = play(&rules, seed, &[&banker(1, 300), &takes_three]);
    let first = events.iter().find(|event| event.seat == 1).unwrap();
    assert!(matches!(first.what, What::Rolled(_)), "{first}");
    assert_ne!(played.result.ending, Ending::Forfeit);
}

/// Ruling 18: such a roll is a farkle, and the agent is not asked about it.
#[test]
fn four_twos_wipe_the_turn_where_they_are_toxic() {
    let rules = Ruleset { toxic_twos: true, ..PLAY_TABLE };
    let seed = seed_where(0, |roll| roll.count(2) >= 4 && roll.count(1) > 0);
    let first = banker(1, 300);
    let (_, events) = play(&rules, seed, &[&first, &banker(2, 300)]);
    assert!(matches!(events[0].what, What::Farkled { roll, lost: 0, .. } if roll.count(2) >= 4), "{}", events[0]);
    assert!(first.asked()[0].turn.turns >= 1);
    let first = banker(1, 300);
    let (_, events) = play(&PLAY_TABLE, seed, &[&first, &banker(2, 300)]);
    assert!(matches!(events[0].what, What::Banked { .. }), "{}", events[0]);
}

/// Ruling 10: with a floor a score stops at zero, without one it falls below.
#[test]
fn farkles_in_a_row_cost_with_and_without_a_floor() {
    let penalty = Ruleset { penalty: 1_000, penalty_after: 3, penalty_floor: true, ..PLAY_TABLE };
    // Banks once, then never again.
    let once = |number| {
        Native::new(number, |seat, turn| {
            Ok(bank_at(if turn.score == 0 && turn.turns < 20 { 50 } else { i32::MAX }, seat, turn))
        })
    };
    let falls = |rules: &Ruleset| -> Vec<(i32, i32)> {
        let (_, events) = play_within(limits(30), rules, 3, &[&once(1), &never_banks(2)]);
        let falls = events.iter().filter_map(|event| match event.what {
            What::Farkled { penalty, .. } => penalty,
            _ => None,
        });
        falls.collect()
    };
    let floored = falls(&penalty);
    assert!(floored.len() >= 15, "{floored:?}");
    assert!(floored.iter().all(|(cost, banked)| *cost == 1_000 && *banked >= 0), "{floored:?}");
    let free = falls(&Ruleset { penalty_floor: false, ..penalty.clone() });
    assert!(free.iter().any(|(_, banked)| *banked <= -5_000), "{free:?}");
    assert!(falls(&PLAY_TABLE).is_empty());
    // The one that never banks: 30 turns, a penalty each third, none forgiven.
    let (played, _) =
        play_within(limits(30), &Ruleset { penalty_floor: false, ..penalty }, 3, &[&never_banks(1), &never_banks(2)]);
    assert_eq!(played.result.scores, [-10_000, -10_000]);
}
