//! Reads the events of a match back as a person with a pencil would: every number in them must
//! follow from the rolls and keeps.

use arena_core::{Event, What, dice};
use farkle::{Faces, MatchResult, Points, Ruleset, ScoreTable};

/// The turn that a seat is in, while it has not ended.
struct OpenTurn {
    seat: u8,
    at_risk: Points,
    rolls: u32,
    /// Dice of the next roll.
    dice: u8,
}

/// Checks dice, points, points at risk, totals, penalties and turn numbers.
pub(crate) fn check(rules: &Ruleset, seed: u64, result: &MatchResult, events: &[Event]) {
    let table = ScoreTable::new(rules);
    let seats = result.scores.len();
    let mut totals = vec![0; seats];
    let mut turns = vec![0u32; seats];
    let mut farkles_in_a_row = vec![0; seats];
    let mut out = vec![false; seats];
    let mut open: Option<OpenTurn> = None;
    for event in events {
        let seat = usize::from(event.seat);
        assert!(!out[seat], "a seat that forfeited does nothing more: {event}");
        let roll = match &event.what {
            What::Rolled(keep) | What::Banked { keep, .. } | What::Won(keep) => Some(keep.roll),
            What::Farkled { roll, .. } => Some(*roll),
            What::Faulted { roll, .. } => *roll,
        };
        let Some(roll) = roll else {
            assert_eq!(event.turn, 0, "only a fault in `start` has no roll: {event}");
            out[seat] = true;
            continue;
        };
        let mut turn = open.take().unwrap_or(OpenTurn { seat: event.seat, at_risk: 0, rolls: 0, dice: rules.dice });
        assert_eq!(turn.seat, event.seat, "nobody interrupts a turn: {event}");
        assert_eq!(event.turn, turns[seat] + 1, "{event}");
        let dealt = dice::roll_at(seed, event.seat, event.turn - 1, turn.rolls, turn.dice).unwrap();
        assert_eq!(roll, dealt, "the dice are those of the seed: {event}");
        turn.rolls += 1;
        let mut kept = |keep: Faces, points: Points, at_risk: Points| {
            assert_eq!(table.check_keep(roll, keep), Ok(points), "{event}");
            turn.at_risk += points;
            assert_eq!(at_risk, turn.at_risk, "{event}");
            let left = roll.len() - keep.len();
            turn.dice = if left == 0 { rules.dice } else { left };
        };
        match &event.what {
            What::Rolled(keep) => {
                kept(keep.keep, keep.points, keep.at_risk);
                open = Some(turn);
            }
            What::Won(keep) => kept(keep.keep, keep.points, keep.at_risk),
            What::Banked { keep, banked } => {
                kept(keep.keep, keep.points, keep.at_risk);
                totals[seat] += turn.at_risk;
                assert_eq!(*banked, totals[seat], "{event}");
                farkles_in_a_row[seat] = 0;
                turns[seat] += 1;
            }
            What::Farkled { lost, penalty, .. } => {
                assert!(table.is_farkle(roll), "{event}");
                assert_eq!(*lost, turn.at_risk, "{event}");
                farkles_in_a_row[seat] += 1;
                turns[seat] += 1;
                let due = rules.penalty > 0 && farkles_in_a_row[seat] == rules.penalty_after;
                assert_eq!(penalty.is_some(), due, "{event}");
                if due {
                    farkles_in_a_row[seat] = 0;
                    totals[seat] -= rules.penalty;
                    if rules.penalty_floor {
                        totals[seat] = totals[seat].max(0);
                    }
                    assert_eq!(*penalty, Some((rules.penalty, totals[seat])), "{event}");
                }
            }
            What::Faulted { .. } => out[seat] = true,
        }
    }
    assert_eq!(result.scores, totals, "the result's scores are the sums of the banks");
}
