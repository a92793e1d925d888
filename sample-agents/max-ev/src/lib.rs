//! Plays every turn for the most points: picks keep and bank together by the exact expectation of
//! the turn under the ruleset in play, and looks at the score only when banking wins or loses.

mod worth;

use agent_sdk::{Agent, Decision, Game, Keep, Turn};

use worth::Worth;

/// The agent: it remembers what rolling is worth under the ruleset of the match.
#[derive(Default)]
pub struct MaxEv {
    worth: Worth,
}

impl Agent for MaxEv {
    fn start(&mut self, game: &Game) {
        self.worth = Worth::of(game.ruleset());
    }

    fn decide(&mut self, turn: &Turn) -> Decision {
        let rules = turn.game().ruleset();
        let opened = turn.opening_due == 0;
        let mut most = f64::NEG_INFINITY;
        let mut roll = Keep { dice: turn.roll, points: 0 };
        for keep in turn.game().chart().legal_keeps(turn.roll) {
            if rules.six_wins && keep.dice.counts().contains(&6) {
                return keep.roll();
            }
            let lands = !rules.exact_landing || turn.score_with(&keep) <= rules.target;
            let worth =
                if lands { self.worth.rolling(turn.at_risk_with(&keep), turn.dice_left(&keep), opened) } else { 0.0 };
            if worth > most {
                (most, roll) = (worth, keep);
            }
        }
        let Some(bank) = turn.best_bank() else { return roll.roll() };
        let lands = rules.exact_landing && turn.score_with(&bank) == rules.target;
        let pays = f64::from(turn.at_risk_with(&bank)) >= most && !turn.loses_by_banking(&bank);
        if pays || lands || turn.wins_by_banking(&bank) { bank.bank() } else { roll.roll() }
    }
}

agent_sdk::export!(MaxEv);

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use agent_sdk::farkle::presets;
    use agent_sdk::testing::{Situation, Table, Threshold, assert_always_legal};
    use agent_sdk::{Expectation, Faces, Next, Points, Ruleset};

    use super::*;
    use crate::worth::TABLES;

    #[test]
    fn is_always_legal() {
        assert_always_legal::<MaxEv>(3_000);
    }

    /// Rule case c34, at points where this agent banks with four dice left.
    #[test]
    fn c34_banks_every_scorer() {
        let situation = Situation::new(&presets::PLAY_TABLE).roll("123445");
        assert_eq!(situation.at_risk(3_000).decide::<MaxEv>().to_string(), "keep 1-5, bank");
        assert_eq!(situation.at_risk(500).decide::<MaxEv>().to_string(), "keep 1, roll");
    }

    #[test]
    fn tables_are_the_exact_expectation() {
        for (preset, table) in presets::ALL.iter().zip(&TABLES) {
            let Ok(exact) = Expectation::solve(preset) else {
                assert!(table.is_none(), "{}", preset.name);
                continue;
            };
            let table = table.as_ref().expect("a ruleset with an expectation has its table");
            for dice in 1..=preset.dice {
                for opened in [true, false] {
                    // Past the tables of six dice, all of them: there banking must be best.
                    for at_risk in (0..30_000).step_by(exact.step() as usize) {
                        let (ours, right) = (table.rolling(at_risk, dice, opened), exact.roll(at_risk, dice, opened));
                        let (bank, off) = (f64::from(at_risk), (ours - right).abs());
                        let both_bank = ours <= bank && right <= bank && (opened || at_risk >= preset.opening);
                        assert!(
                            off <= table.unit / 2.0 + 1e-9 || both_bank,
                            "{}: {dice} dice at {at_risk}: {ours}, not {right}",
                            preset.name
                        );
                    }
                }
            }
        }
    }

    /// What the agent's decisions are worth in one turn from nothing, for points alone: every roll
    /// of every state that they lead to, weighed by its chance.
    struct Evaluation {
        agent: MaxEv,
        turn: Turn<'static>,
        known: BTreeMap<(Points, u8), f64>,
    }

    impl Evaluation {
        /// From a score at which no decision looks at the target.
        fn of(ruleset: &Ruleset) -> Evaluation {
            let turn = Situation::new(ruleset).scores(&[-1_000_000, 0]).turn();
            let mut agent = MaxEv::default();
            agent.start(turn.game());
            Evaluation { agent, turn, known: BTreeMap::new() }
        }

        fn rolling(&mut self, at_risk: Points, dice: u8) -> f64 {
            if let Some(known) = self.known.get(&(at_risk, dice)) {
                return *known;
            }
            let mut sum = 0.0;
            for roll in Faces::all(dice) {
                if self.turn.game().chart().is_farkle(roll) {
                    continue;
                }
                self.turn.roll = roll;
                self.turn.at_risk = at_risk;
                let decision = self.agent.decide(&self.turn);
                let points = self.turn.game().chart().points(decision.keep).expect("a legal keep");
                let left = self.turn.dice_left(&Keep { dice: decision.keep, points });
                sum += f64::from(roll.ways())
                    * match decision.next {
                        Next::Bank => f64::from(at_risk + points),
                        Next::Roll => self.rolling(at_risk + points, left),
                    };
            }
            let expected = sum / 6f64.powi(dice.into());
            self.known.insert((at_risk, dice), expected);
            expected
        }
    }

    /// Figures from the project's rule documents, made by another program.
    #[test]
    fn a_turn_is_worth_the_published_points() {
        for (preset, published) in [(&presets::IMMEDIATE_WIN, 606.98), (&presets::PLAY_TABLE, 601.56)] {
            let mut baked = Evaluation::of(preset);
            assert!(matches!(baked.agent.worth, Worth::Baked(_)));
            let baked = baked.rolling(0, 6);
            assert!((baked - published).abs() < 0.006, "baked: {baked}, not {published}");

            let mut solved = Evaluation::of(&Ruleset { target: 12_000, ..preset.clone() });
            assert!(matches!(solved.agent.worth, Worth::Solved(_)));
            let solved = solved.rolling(0, 6);
            assert!((solved - published).abs() < 0.006, "solved: {solved}, not {published}");
        }
    }

    #[test]
    fn never_banks_what_surely_loses() {
        let behind = Situation::new(&presets::PLAY_TABLE).scores(&[5_000, 10_000]).closing(true);
        for at_risk in [0, 500, 2_000, 4_000, 4_850, 4_900] {
            // One 1 and three dice left; 4,900 and 100 draw level.
            let decision = behind.roll("1236").at_risk(at_risk).decide::<MaxEv>();
            assert_eq!(decision.next == Next::Bank, at_risk >= 4_900, "{at_risk}");
        }
        let ahead = behind.scores(&[9_950, 10_000]);
        assert_eq!(ahead.roll("123446").decide::<MaxEv>().to_string(), "keep 1, bank");
    }

    /// By the rules themselves: the opening binds, and below it the unopened table decides.
    #[test]
    fn respects_the_opening() {
        let unopened = Situation::new(&presets::MY_TURN_YET).roll("15");
        assert_eq!(unopened.at_risk(300).decide::<MaxEv>().next, Next::Roll);
        assert_eq!(unopened.at_risk(350).decide::<MaxEv>().to_string(), "keep 1-5, roll");
        assert_eq!(unopened.scores(&[50, 0]).roll("13").at_risk(400).decide::<MaxEv>().to_string(), "keep 1, bank");
    }

    #[test]
    fn odd_rulesets_are_rounded_or_guessed() {
        let fine = Ruleset { single_one: 101, single_five: 53, ..presets::PLAY_TABLE };
        assert!(matches!(Worth::of(&fine), Worth::Solved(_)));
        let steep = Ruleset { straight: 100_000, single_one: 100_000, ..presets::PLAY_TABLE };
        assert!(matches!(Worth::of(&steep), Worth::Guessed));
        let outright = Ruleset { six_wins: true, ..presets::PLAY_TABLE };
        assert!(matches!(Worth::of(&outright), Worth::Solved(_)));
        assert_eq!(Situation::new(&outright).roll("222222").decide::<MaxEv>().keep.to_string(), "222222");
    }

    #[test]
    fn wins_more_than_a_rule_of_thumb() {
        let matches = 400;
        let first = Table::new(&presets::IMMEDIATE_WIN).seat::<MaxEv>().seat::<Threshold<300>>();
        let second = Table::new(&presets::IMMEDIATE_WIN).seat::<Threshold<300>>().seat::<MaxEv>();
        let won = (0..matches / 2)
            .flat_map(|seed| [first.play(seed).result.ranks[0], second.play(seed).result.ranks[1]])
            .filter(|rank| *rank == 1)
            .count();
        // Were they alike, 250 of 400 would be five standard deviations away.
        assert!(won >= 250, "{won} of {matches}");
    }
}
