//! Play where no exact solution is at hand: other rules, other tables, the last turn before the limit.
//!
//! Owns a guess at what rolling is worth, from the odds of the rules in play. Refuses to solve: that takes
//! more fuel than the smallest allowance has.

use agent_sdk::{Decision, Game, Keep, Turn};

/// By dice - 1: the points that a roll adds, if it scores, to what is at risk: chosen so that rolling and
/// banking are worth alike where the most points of a turn under `immediate-win` turn from one to the
/// other, at 350, 300, 450, 1,050, 3,100 and 18,600 points.
const MORE: [f64; 6] = [700.0, 240.0, 173.0, 196.0, 259.0, 440.0];

/// Has the odds worked out: under some rules that takes most of what a decision has, and a start has ten
/// times as much.
pub(crate) fn prepare(game: &Game) {
    for dice in 1..=game.chart().dice() {
        game.farkle_chance(dice);
    }
}

/// The best keep by that guess, banked or rolled, whichever is worth more.
pub(crate) fn decide(turn: &Turn) -> Decision {
    let rules = turn.game().ruleset();
    let mut most = f64::NEG_INFINITY;
    let mut roll = Keep { dice: turn.roll, points: 0 };
    for keep in turn.game().chart().legal_keeps(turn.roll) {
        if rules.six_wins && keep.dice.counts().contains(&6) {
            return keep.roll();
        }
        let more = MORE[usize::from(turn.dice_left(&keep) - 1)];
        let lands = !rules.exact_landing || turn.score_with(&keep) <= rules.target;
        let worth = (1.0 - turn.farkle_chance(&keep)) * (f64::from(turn.at_risk_with(&keep)) + more);
        let worth = if lands { worth } else { 0.0 };
        if worth > most {
            (most, roll) = (worth, keep);
        }
    }
    let Some(bank) = turn.best_bank() else { return roll.roll() };
    let lands = rules.exact_landing && turn.score_with(&bank) == rules.target;
    let pays = f64::from(turn.at_risk_with(&bank)) >= most && !turn.loses_by_banking(&bank);
    if pays || lands || turn.wins_by_banking(&bank) { bank.bank() } else { roll.roll() }
}
