//! Weighs every keep: rolling on is worth its chance to score times the points at risk and some
//! more; the best keep is banked or rolled, whichever is worth more.

use core::cmp::Reverse;

use agent_sdk::{Agent, Decision, Keep, Points, Turn};

/// By dice to roll, from one: the rolls of each thousand that score.
const CHANCE: [Points; 6] = [333, 556, 722, 843, 923, 977];
/// What a roll that scores adds, chosen so that rolling and banking are worth alike where an
/// exact solution turns from one to the other: 350, 300, 450, 1,050, 3,100 points; with six dice
/// it is the worth of a fresh turn.
const MORE: [Points; 6] = [700, 240, 173, 196, 259, 620];

/// The agent. It has no memory.
#[derive(Default)]
pub struct KeepChoice;

/// The worth of keeping these dice and rolling on, in thousandths of points.
fn rolling(turn: &Turn, keep: &Keep) -> i64 {
    let dice = usize::from(turn.dice_left(keep)) - 1;
    i64::from(CHANCE[dice]) * i64::from(turn.at_risk_with(keep) + MORE[dice])
}

impl Agent for KeepChoice {
    fn decide(&mut self, turn: &Turn) -> Decision {
        let keeps = turn.legal_keeps();
        let roll = keeps.iter().max_by_key(|keep| (rolling(turn, keep), Reverse(keep.dice.len()))).unwrap_or(&keeps[0]);
        match turn.best_bank() {
            Some(keep) if turn.wins_by_banking(&keep) => keep.bank(),
            Some(keep) if !turn.loses_by_banking(&keep) => {
                if 1_000 * i64::from(turn.at_risk_with(&keep)) >= rolling(turn, roll) {
                    keep.bank()
                } else {
                    roll.roll()
                }
            }
            _ => roll.roll(),
        }
    }
}

agent_sdk::export!(KeepChoice);

#[cfg(test)]
mod tests {
    use agent_sdk::farkle::presets;
    use agent_sdk::testing::{Situation, assert_always_legal};

    use super::*;

    /// Rule case c34, at points where it would roll on with the 1 alone, if it rolled.
    #[test]
    fn c34_banks_every_scorer() {
        let situation = Situation::new(&presets::PLAY_TABLE).roll("123445");
        assert_eq!(situation.at_risk(3_000).decide::<KeepChoice>().to_string(), "keep 1-5, bank");
    }

    /// Of a first roll with a 1 and a 5, the 1 alone: five dice are worth more than 50 points.
    #[test]
    fn keeps_fewer_dice_where_that_pays() {
        let situation = Situation::new(&presets::PLAY_TABLE).roll("123445");
        assert_eq!(situation.decide::<KeepChoice>().to_string(), "keep 1, roll");
    }

    #[test]
    fn is_always_legal() {
        assert_always_legal::<KeepChoice>(20_000);
    }
}
