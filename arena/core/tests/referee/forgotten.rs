//! Events of rules that people forget, as agents meet them at the table.

use arena_core::{Answer, Event, FaultKind, What};
use farkle::presets::{IMMEDIATE_WIN, MY_TURN_YET, PLAY_TABLE};
use farkle::{Chart, Ending, Next, Ruleset};

use crate::scripted::{Native, bank_at, banker, limits, play, play_within, seed_where};

/// Ruling 19: six dice that score nothing are worth something, whole, and come back hot.
#[test]
fn six_dice_without_a_score_are_kept_whole_and_come_back() {
    let rules = Ruleset { no_score: 500, ..PLAY_TABLE };
    let plain = Chart::new(&PLAY_TABLE);
    let seed = seed_where(0, |roll| plain.is_farkle(roll));
    let first = banker(1, 550);
    let (_, events) = play(&rules, seed, &[&first, &banker(2, 300)]);
    let What::Rolled(keep) = &events[0].what else { panic!("{}", events[0]) };
    assert_eq!((keep.keep, keep.points, keep.at_risk), (keep.roll, 500, 500));
    let second = match &events[1].what {
        What::Rolled(keep) | What::Banked { keep, .. } => keep.roll,
        What::Farkled { roll, lost: 500, .. } => *roll,
        _ => panic!("{}", events[1]),
    };
    assert_eq!((second.len(), events[1].seat), (6, 0));
    // Where the table has no such bonus, the same roll is a farkle.
    let (_, events) = play(&PLAY_TABLE, seed, &[&banker(1, 550), &banker(2, 300)]);
    assert!(matches!(events[0].what, What::Farkled { .. }));
}

/// Ruling 21.
#[test]
fn who_leaves_a_scorer_where_all_must_be_kept_is_at_fault() {
    let rules = Ruleset { keep_all: true, ..PLAY_TABLE };
    let seed = seed_where(0, |roll| roll.count(1) == 1 && roll.count(5) == 1 && roll.count(2) == 2);
    let only_the_one = || Native::new(1, |_, _| Ok(Answer { keep: [1, 0, 0, 0, 0, 0], next: Next::Roll }));
    let (played, events) = play(&rules, seed, &[&only_the_one(), &banker(2, 300)]);
    assert_eq!(events[0].fault().unwrap().1, FaultKind::IllegalKeep);
    assert_eq!((played.result.ending, played.result.ranks), (Ending::Forfeit, vec![2, 1]));
    let (_, events) = play(&PLAY_TABLE, seed, &[&only_the_one(), &banker(2, 300)]);
    assert!(matches!(events[0].what, What::Rolled(keep) if keep.points == 100), "{}", events[0]);
}

#[test]
fn who_banks_hot_dice_where_they_must_be_rolled_is_at_fault() {
    let rules = Ruleset { must_roll_hot_dice: true, ..PLAY_TABLE };
    let chart = Chart::new(&PLAY_TABLE);
    let seed = seed_where(0, |roll| chart.points(roll).is_some());
    let takes_all = |next| {
        Native::new(1, move |seat, turn| match turn.turns + turn.rolls {
            1 => Ok(Answer::from_decision(turn.roll, next)),
            _ => Ok(bank_at(300, seat, turn)),
        })
    };
    let (_, events) = play(&rules, seed, &[&takes_all(Next::Bank), &banker(2, 300)]);
    assert_eq!(events[0].fault().unwrap().1, FaultKind::IllegalBank);
    let (_, events) = play(&PLAY_TABLE, seed, &[&takes_all(Next::Bank), &banker(2, 300)]);
    assert!(matches!(events[0].what, What::Banked { .. }), "{}", events[0]);
    let (_, events) = play(&rules, seed, &[&takes_all(Next::Roll), &banker(2, 300)]);
    assert!(matches!(events[0].what, What::Rolled(_)), "{}", events[0]);
}

/// Ruling 9, in play: after a fall to zero or below, the next bank reaches the opening again.
#[test]
fn a_fallen_score_opens_again() {
    for penalty_floor in [true, false] {
        let rules = Ruleset { penalty: 1_000, penalty_after: 1, penalty_floor, ..MY_TURN_YET };
        let (mut fallen, mut again, mut small) = (0, 0, 0);
        for seed in 0..40 {
            let (_, events) = play_within(limits(60), &rules, seed, &[&banker(1, 300), &banker(2, 300)]);
            let mut banked = [0; 2];
            for event in &events {
                let score = &mut banked[usize::from(event.seat)];
                match event.what {
                    What::Farkled { penalty: Some((_, after)), .. } => {
                        fallen += u32::from(*score > 0 && after <= 0);
                        assert!(after >= 0 || !penalty_floor);
                        *score = after;
                    }
                    What::Banked { keep, banked } => {
                        if *score > 0 {
                            small += u32::from(keep.at_risk < 500);
                        } else {
                            assert!(keep.at_risk >= 500, "{event} with {score} banked");
                            again += 1;
                        }
                        *score = banked;
                    }
                    _ => {}
                }
            }
        }
        assert!(fallen > 20 && again > 80 && small > 40, "{fallen} {again} {small}");
    }
}

/// Ruling 11: points at risk beyond the target end nothing, not even between hot dice; the bank
/// does, and a farkle before it leaves nothing.
#[test]
fn a_hot_dice_chain_wins_only_when_it_is_banked() {
    let rules = Ruleset { target: 1_000, ..IMMEDIATE_WIN };
    // Takes all dice where it can, rolls hot dice whatever is at risk, and banks after them.
    let chaser = |number| {
        Native::new(number, |seat, turn| {
            let hot = seat.chart.points(turn.roll).is_some();
            let best = bank_at(1_000, seat, turn);
            Ok(if hot { Answer::from_decision(turn.roll, Next::Roll) } else { best })
        })
    };
    let past_target =
        |event: &Event| matches!(&event.what, What::Rolled(keep) if keep.at_risk >= 1_000 && keep.keep == keep.roll);
    let (mut banked, mut lost) = (0, 0);
    for seed in 0..400 {
        let (played, events) = play(&rules, seed, &[&chaser(1), &chaser(2)]);
        assert_eq!(played.result.ending, Ending::ImmediateWin);
        for (number, event) in events.iter().enumerate().filter(|(_, event)| past_target(event)) {
            let next = &events[number + 1];
            assert_eq!((next.seat, next.turn), (event.seat, event.turn), "the turn goes on");
            match &next.what {
                What::Banked { banked: total, .. } => {
                    assert_eq!(number + 2, events.len(), "the bank ends the match");
                    assert_eq!(played.result.scores[usize::from(event.seat)], *total);
                    banked += 1;
                }
                What::Farkled { lost: gone, .. } => {
                    assert!(*gone >= 1_000 && number + 2 < events.len(), "the match goes on");
                    lost += 1;
                }
                _ => {}
            }
        }
        let winner = usize::from(events.last().unwrap().seat);
        assert!(matches!(events.last().unwrap().what, What::Banked { .. }));
        assert!(played.result.scores[1 - winner] < 1_000);
    }
    assert!(banked > 10 && lost > 0, "{banked} {lost}");
}
