//! What an agent does wrong, and what comes of it.

use arena_core::{Answer, Contestant, Event, FaultKind, Played, What};
use farkle::presets::{MY_TURN_YET, PLAY_TABLE};
use farkle::{Ending, Faces, Next, Ruleset};

use crate::scripted::{
    Native, bank_at, banker, fault, host_failure, in_turn, limits, never_banks, play, referee, seed_where,
};

/// The first seat answers the first roll of a match with this; returns what came of it.
fn first_answer(rules: &Ruleset, seed: u64, answer: Answer) -> (Played, Vec<Event>) {
    let wrong = Native::new(1, move |_, _| Ok(answer));
    let other = banker(2, 300);
    let (played, events) = play(rules, seed, &[&wrong, &other]);
    assert_eq!(wrong.asked().len(), 1, "no retry");
    assert!(other.asked().is_empty(), "the other seat had won before its first roll");
    (played, events)
}

/// One fault of seat 0 in its first turn, with the other seat winning at once.
fn assert_forfeit(rules: &Ruleset, seed: u64, answer: Answer, kind: FaultKind, message: &str) {
    let (played, events) = first_answer(rules, seed, answer);
    let [Event { seat: 0, turn: 1, what: What::Faulted { roll: Some(_), fault } }] = &events[..] else {
        panic!("{events:?}")
    };
    assert_eq!(fault.kind, kind, "{answer:?}: {fault}");
    assert!(fault.message.contains(message), "{:?} says nothing of {message:?}", fault.message);
    assert_eq!(played.faults, [(0, fault.clone())]);
    assert_eq!((played.result.ranks, played.result.ending), (vec![2, 1], Ending::Forfeit));
    assert_eq!(played.result.scores, [0, 0]);
}

fn answer(keep: &str, next: Next) -> Answer {
    Answer::from_decision(keep.parse().unwrap(), next)
}

/// A seed whose first roll shows exactly these dice.
fn seed_of(roll: &str) -> u64 {
    let wanted: Faces = roll.parse().unwrap();
    seed_where(0, |roll| roll == wanted)
}

#[test]
fn every_illegal_keep_is_a_fault_that_says_why() {
    let seed = seed_of("123466");
    for next in [Next::Roll, Next::Bank] {
        let illegal = |keep: &str, why: &str| {
            assert_forfeit(&PLAY_TABLE, seed, answer(keep, next), FaultKind::IllegalKeep, why);
        };
        illegal("", "no dice are kept");
        illegal("2", "2 left over scores nothing");
        illegal("1266", "2-6-6 left over score nothing");
        illegal("11", "1-1 are kept, and the roll is 1-2-3-4-6-6");
        illegal("5", "5 is kept, and the roll is 1-2-3-4-6-6");
    }
    let all_kept = Ruleset { keep_all: true, ..PLAY_TABLE };
    let seed = seed_of("123455");
    assert_forfeit(&all_kept, seed, answer("1", Next::Roll), FaultKind::IllegalKeep, "3 dice must be kept");
}

#[test]
fn counts_beyond_the_dice_are_a_fault_and_no_panic() {
    let seed = seed_of("123466");
    for keep in [[7, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 2], [16, 0, 0, 0, 0, 0], [1, 16, 0, 0, 0, 0], [255; 6]] {
        let answer = Answer { keep, next: Next::Bank };
        assert_forfeit(&PLAY_TABLE, seed, answer, FaultKind::IllegalKeep, "the roll is 1-2-3-4-6-6");
    }
    let five = Ruleset {
        dice: 5,
        six_of_a_kind: 0,
        straight: 0,
        three_pairs: 0,
        four_and_pair: 0,
        two_triplets: 0,
        ..PLAY_TABLE
    };
    let sixth = Answer { keep: [6, 0, 0, 0, 0, 0], next: Next::Roll };
    let seed = (0..).find(|seed| arena_core::dice::roll_at(*seed, 0, 0, 0, 5).unwrap().count(1) > 0).unwrap();
    assert_forfeit(&five, seed, sixth, FaultKind::IllegalKeep, "1-1-1-1-1-1 are kept");
}

#[test]
fn every_illegal_bank_is_a_fault_that_says_why() {
    let illegal = |rules: &Ruleset, roll: &str, keep: &str, why: &str| {
        assert_forfeit(rules, seed_of(roll), answer(keep, Next::Bank), FaultKind::IllegalBank, why);
    };
    illegal(&MY_TURN_YET, "112346", "11", "the opening is 500");
    let hot = Ruleset { must_roll_hot_dice: true, ..PLAY_TABLE };
    illegal(&hot, "123456", "123456", "hot dice must be rolled");
    let exact = Ruleset { exact_landing: true, target: 150, ..PLAY_TABLE };
    illegal(&exact, "112346", "11", "past the target of 150");
}

/// What is legal is no fault: the same rolls, kept and banked rightly.
#[test]
fn the_same_rolls_answered_rightly_are_no_fault() {
    for (rules, roll, keep, next) in [
        (MY_TURN_YET, "112346", "11", Next::Roll),
        (Ruleset { must_roll_hot_dice: true, ..PLAY_TABLE }, "123456", "123456", Next::Roll),
        (Ruleset { exact_landing: true, target: 150, ..PLAY_TABLE }, "112346", "1", Next::Bank),
        (Ruleset { exact_landing: true, target: 200, ..PLAY_TABLE }, "112346", "11", Next::Bank),
    ] {
        let keep: Faces = keep.parse().unwrap();
        let first = Native::new(1, move |seat, turn| {
            let first = (turn.turns, turn.rolls) == (0, 1);
            Ok(if first { Answer::from_decision(keep, next) } else { bank_at(i32::MAX, seat, turn) })
        });
        let contestants: [&dyn Contestant; 2] = [&first, &never_banks(2)];
        let mut referee = referee(&rules, 2, limits(3));
        let played = referee.play(seed_of(roll), &contestants).unwrap();
        assert!(played.faults.is_empty(), "{:?}", played.faults);
    }
}

#[test]
fn every_kind_of_fault_forfeits_wherever_it_happens() {
    for kind in FaultKind::ALL {
        let start = Native::fails_to_start(1, fault(kind));
        let seated = Native::cannot_be_seated(1, fault(kind));
        let decides = Native::new(1, move |_, _| Err(fault(kind)));
        for (wrong, turn) in [(start, 0), (seated, 0), (decides, 1)] {
            let (played, events) = play(&PLAY_TABLE, 3, &[&banker(2, 300), &wrong]);
            let last = events.last().unwrap();
            assert_eq!((last.seat, last.turn), (1, turn));
            assert_eq!(last.fault().map(|fault| fault.1), Some(kind));
            assert_eq!(played.faults.len(), 1);
            assert_eq!(played.result.ranks, [1, 2]);
            assert_eq!(played.result.ending, Ending::Forfeit);
            let no_roll = matches!(last.what, What::Faulted { roll: None, .. });
            assert_eq!(no_roll, turn == 0, "a fault in `start` has turn 0 and no roll");
        }
    }
}

#[test]
fn a_fault_in_start_of_two_seats_ends_the_match_before_a_roll() {
    let (wrong, other) = (Native::fails_to_start(1, fault(FaultKind::Trap)), banker(2, 300));
    let (played, events) = play(&PLAY_TABLE, 4, &[&wrong, &other]);
    assert_eq!(played.result.ranks, [2, 1]);
    assert_eq!(events.len(), 1);
    assert!(other.asked().is_empty());
    let (played, events) = play(&PLAY_TABLE, 4, &[&other, &wrong]);
    assert_eq!(played.result.ranks, [1, 2]);
    assert_eq!((events.len(), events[0].seat), (1, 1));
    assert!(other.asked().is_empty());
}

#[test]
fn with_three_seats_the_others_play_on_without_the_one_that_did_not_start() {
    for out in 0..3usize {
        let wrong = Native::fails_to_start(9, fault(FaultKind::OutOfFuel));
        let (a, b) = (banker(1, 300), banker(2, 500));
        let mut seats = vec![&a, &b];
        seats.insert(out, &wrong);
        let (played, events) = play(&PLAY_TABLE, 5, &seats);
        assert_eq!(played.result.ending, Ending::FinalRound);
        assert_eq!(played.result.ranks[out], 3);
        assert_eq!(played.result.scores[out], 0);
        assert_eq!((events[0].seat, events[0].turn), (out as u8, 0));
        assert!(events[1..].iter().all(|event| usize::from(event.seat) != out));
        // The first roll is of the first seat that is in.
        assert_eq!(events[1].seat, u8::from(out == 0));
        assert!(wrong.asked().is_empty());
        assert_eq!(a.started()[0].seats, 3);
    }
}

#[test]
fn two_of_three_that_do_not_start_leave_a_winner() {
    let wrong = |number| Native::fails_to_start(number, fault(FaultKind::Trap));
    let (played, events) = play(&PLAY_TABLE, 6, &[&wrong(1), &banker(2, 300), &wrong(3)]);
    assert_eq!(played.result.ranks, [3, 1, 2], "of several the later faulted ranks higher");
    assert_eq!(played.result.ending, Ending::Forfeit);
    assert_eq!(events.iter().map(|event| event.seat).collect::<Vec<_>>(), [0, 2]);
}

/// Seats in the order in which they have turns, one entry a turn.
fn turn_order(events: &[Event]) -> Vec<u8> {
    let mut order: Vec<(u8, u32)> = events.iter().map(|event| (event.seat, event.turn)).collect();
    order.dedup();
    order.into_iter().map(|turn| turn.0).collect()
}

#[test]
fn after_a_fault_the_seat_due_next_moves_and_the_score_stands() {
    for out in 0..3u8 {
        let seats: Vec<Native> = (0..3)
            .map(|seat| match seat == out {
                true => in_turn(4, seat, 200, |_| Err(fault(FaultKind::Trap))),
                false => banker(seat, 200),
            })
            .collect();
        let (played, events) = play(&PLAY_TABLE, 7, &[&seats[0], &seats[1], &seats[2]]);
        let place = events.iter().position(|event| event.fault().is_some()).expect("it comes to its fourth turn");
        let fault = &events[place];
        assert_eq!(fault.seat, out);
        // It may have farkled its fourth turn and meet a later roll of it.
        assert!(fault.turn >= 4);
        assert_eq!(events[place + 1].seat, (out + 1) % 3);
        let order = turn_order(&events[..=place]);
        assert!(order.iter().enumerate().all(|(i, seat)| *seat == (i % 3) as u8), "{order:?}");
        let left: Vec<u8> = (1..3).map(|step| (out + step) % 3).collect();
        let order = turn_order(&events[place + 1..]);
        assert!(order.iter().enumerate().all(|(i, seat)| *seat == left[i % 2]), "{order:?}");
        assert_eq!(played.result.ranks[usize::from(out)], 3);
        let banked = events[..place].iter().rev().find_map(|event| match event.what {
            What::Banked { banked, .. } if event.seat == out => Some(banked),
            _ => None,
        });
        assert_eq!(played.result.scores[usize::from(out)], banked.unwrap_or(0));
        assert_eq!(played.result.ending, Ending::FinalRound);
    }
}

#[test]
fn a_leader_that_faults_ranks_last_with_its_score_as_a_figure() {
    let leader = in_turn(6, 1, 1_000, |_| Err(fault(FaultKind::Trap)));
    let slow =
        |number| Native::new(number, |seat, turn| Ok(bank_at(if turn.turns < 8 { i32::MAX } else { 50 }, seat, turn)));
    let (played, _) = play(&PLAY_TABLE, 8, &[&leader, &slow(2), &slow(3)]);
    assert!(played.result.scores[0] > 0);
    assert_eq!(played.result.ranks[0], 3);
}

#[test]
fn a_later_fault_ranks_higher() {
    let faulty = |number, turn| in_turn(turn, number, 300, |_| Err(fault(FaultKind::Trap)));
    let (played, _) = play(&PLAY_TABLE, 9, &[&faulty(1, 3), &faulty(2, 1), &banker(3, 300), &faulty(4, 2)]);
    assert_eq!(played.result.ranks, [2, 4, 1, 3]);
    assert_eq!(played.result.ending, Ending::Forfeit);
    let order: Vec<u8> = played.faults.iter().map(|fault| fault.0).collect();
    assert_eq!(order, [1, 3, 0]);
}

#[test]
fn a_fault_in_a_closing_turn_leaves_the_others_theirs() {
    let target = Ruleset { target: 1_000, ..PLAY_TABLE };
    let closes = |number| {
        Native::new(
            number,
            |seat, turn| {
                if turn.closing { Err(fault(FaultKind::Trap)) } else { Ok(bank_at(300, seat, turn)) }
            },
        )
    };
    let (played, events) = play(&target, 10, &[&banker(1, 300), &closes(2), &banker(3, 300)]);
    assert_eq!(played.result.ending, Ending::FinalRound);
    let Some(place) = events.iter().position(|event| event.fault().is_some()) else {
        panic!("seat 1 is asked in its closing turn on this seed: {:?}", played.result)
    };
    assert_eq!(events[place].seat, 1);
    assert_eq!(played.result.ranks[1], 3);
    let trigger = events.iter().position(|event| matches!(event.what, What::Banked { banked, .. } if banked >= 1_000));
    let trigger = trigger.expect("somebody reached the target");
    let seat = events[trigger].seat;
    assert_eq!(turn_order(&events[trigger + 1..]), [(seat + 1) % 3, (seat + 2) % 3]);
}

#[test]
fn a_fault_alone_ends_the_match_without_a_winner_beside_it() {
    let rules =
        Ruleset { ending: farkle::EndingRule::Turns, target: 0, turns: 10, min_seats: 1, max_seats: 1, ..PLAY_TABLE };
    let (played, _) = play(&rules, 11, &[&in_turn(3, 1, 300, |_| Err(fault(FaultKind::StackOverflow)))]);
    assert_eq!((played.result.ending, played.faults.len()), (Ending::Forfeit, 1));
    let (played, events) = play(&rules, 11, &[&Native::fails_to_start(1, fault(FaultKind::CannotStart))]);
    assert_eq!((played.result.ending, events.len()), (Ending::Forfeit, 1));
}

#[test]
fn a_host_failure_is_an_error_and_never_a_result() {
    let fine = banker(2, 300);
    let failing = [
        Native::cannot_be_seated(1, host_failure()),
        Native::fails_to_start(1, host_failure()),
        in_turn(1, 1, 300, |_| Err(host_failure())),
        in_turn(5, 1, 300, |_| Err(host_failure())),
    ];
    let mut used = referee(&PLAY_TABLE, 2, limits(1_000));
    let expected = used.play(12, &[&fine, &fine]).unwrap();
    for failing in &failing {
        for seats in [[failing as &dyn Contestant, &fine], [&fine, failing]] {
            let error = used.play(12, &seats).unwrap_err();
            assert_eq!(error.to_string(), "the match is void: a test pulled the plug");
            // Nothing of the void match is left in the next one.
            assert_eq!(used.play(12, &[&fine, &fine]).unwrap(), expected);
        }
    }
}

#[test]
fn as_many_seats_as_the_ruleset_allows_and_no_others() {
    for (seats, fits) in [(0, false), (1, false), (2, true), (12, true), (13, false), (258, false)] {
        let table = std::sync::Arc::new(farkle::ScoreTable::new(&PLAY_TABLE));
        let made = arena_core::Referee::new(table, seats, limits(1_000));
        match made {
            Ok(_) => assert!(fits, "{seats}"),
            Err(error) => {
                assert!(!fits, "{seats}");
                assert_eq!(error.to_string(), format!("ruleset `play-table` is for 2 to 12 seats, not {seats}"));
            }
        }
    }
}
