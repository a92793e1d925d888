//! What agents are told, roll by roll, against what had happened by then.

use arena_core::What;
use farkle::Ruleset;
use farkle::presets::{IMMEDIATE_WIN, MY_TURN_YET, PLAY_TABLE};

use crate::scripted::{Native, banker, fault, in_turn, limits, never_banks, play_within};

/// Scores, turns, farkles in a row and the points of the unfinished turn, from events alone.
struct Past {
    scores: Vec<i32>,
    turns: Vec<u32>,
    farkles: Vec<u32>,
    out: Vec<bool>,
    at_risk: i32,
    rolls: u32,
    closing: bool,
}

fn past(rules: &Ruleset, seats: usize, events: &[arena_core::Event]) -> Past {
    let mut past = Past {
        scores: vec![0; seats],
        turns: vec![0; seats],
        farkles: vec![0; seats],
        out: vec![false; seats],
        at_risk: 0,
        rolls: 0,
        closing: false,
    };
    for event in events {
        let seat = usize::from(event.seat);
        (past.at_risk, past.rolls) = match &event.what {
            What::Rolled(keep) | What::Won(keep) => (keep.at_risk, past.rolls + 1),
            What::Banked { banked, .. } => {
                past.scores[seat] = *banked;
                past.turns[seat] += 1;
                past.farkles[seat] = 0;
                past.closing |= *banked >= rules.target;
                (0, 0)
            }
            What::Farkled { penalty, .. } => {
                past.turns[seat] += 1;
                past.farkles[seat] += 1;
                if let Some((_, banked)) = penalty {
                    past.scores[seat] = *banked;
                    past.farkles[seat] = 0;
                }
                (0, 0)
            }
            What::Faulted { .. } => {
                past.out[seat] = true;
                (0, 0)
            }
        };
    }
    past
}

#[test]
fn agents_are_told_what_happened_and_see_the_table_live() {
    let penalised = Ruleset { penalty: 500, penalty_after: 2, penalty_floor: false, target: 5_000, ..MY_TURN_YET };
    for rules in [penalised, PLAY_TABLE, Ruleset { max_seats: 4, ..IMMEDIATE_WIN }] {
        for seed in 0..10 {
            let seats = [
                banker(1, 300),
                never_banks(2),
                in_turn(6, 3, 400, |_| Err(fault(arena_core::FaultKind::Trap))),
                banker(4, 1_000),
            ];
            let seats = seats.map(Native::watching);
            let [a, b, c, d] = &seats;
            let (_, events) = play_within(limits(40), &rules, seed, &[a, b, c, d]);
            for (seat, native) in seats.iter().enumerate() {
                for asked in native.asked() {
                    let so_far = &events[..asked.happened];
                    assert_eq!(asked.events, so_far, "the table's events are those of the record so far");
                    let past = past(&rules, 4, so_far);
                    let next = &events[so_far.len()];
                    assert_eq!((usize::from(next.seat), next.turn), (seat, asked.turn.turns + 1));
                    let told = asked.turn;
                    assert_eq!(asked.scores, past.scores);
                    assert_eq!(told.score, past.scores[seat]);
                    assert_eq!(told.at_risk, past.at_risk);
                    assert_eq!(told.turns, past.turns[seat]);
                    assert_eq!(told.rolls, past.rolls + 1);
                    assert_eq!(told.farkles_in_a_row, past.farkles[seat]);
                    assert_eq!(told.closing, past.closing);
                    assert_eq!(told.opening_due, if past.scores[seat] > 0 { 0 } else { rules.opening });
                    let rivals = (0..4).filter(|rival| *rival != seat && !past.out[*rival]);
                    assert_eq!(told.best_rival, rivals.map(|rival| past.scores[rival]).max().unwrap());
                }
            }
        }
    }
}
