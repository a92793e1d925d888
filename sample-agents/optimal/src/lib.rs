//! Plays two-seat `immediate-win` as well as it can be played: solves every turn exactly, with the chance
//! to win of every pair of scores, solved beforehand. Nobody beats it in the long run; against whoever plays
//! worse it wins by that much.
//!
//! What it keeps and whether it banks are one choice: the most chance to win. No rival is looked at but by
//! score, so against weak ones it may win less often than could be.
//!
//! Under all other rules, and at other tables, it plays by a rule of thumb.

mod lanes;
mod rule_of_thumb;
mod sweep;
mod table;

use agent_sdk::farkle::presets;
use agent_sdk::{Agent, Decision, Game, Points, Turn};

use sweep::Solved;
use table::SCORES;

/// Points of one step: all scores are multiples of it.
const STEP: Points = 50;

/// The agent: it remembers the turn that it solved last.
#[derive(Default)]
pub struct Optimal {
    is_solved: bool,
    solved: Solved,
}

impl Agent for Optimal {
    fn start(&mut self, game: &Game) {
        self.is_solved = game.seats() == 2 && game.ruleset().same_rules(&presets::IMMEDIATE_WIN);
        if !self.is_solved {
            rule_of_thumb::prepare(game);
        }
    }

    fn decide(&mut self, turn: &Turn) -> Decision {
        // The solution knows no limit of turns: nobody comes there but who never banks.
        let is_last = turn.turns + 1 >= turn.game().turn_limit();
        let scores = if self.is_solved && !is_last { steps(turn.score).zip(steps(turn.best_rival)) } else { None };
        match scores {
            Some((own, rival)) => {
                self.solved.solve(own, rival);
                best(turn, own, &self.solved)
            }
            None => rule_of_thumb::decide(turn),
        }
    }
}

/// A score that a turn can begin with, in steps.
fn steps(score: Points) -> Option<usize> {
    let steps = usize::try_from(score / STEP).ok()?;
    (score % STEP == 0 && steps < SCORES).then_some(steps)
}

/// The keep that is worth most; banked, unless rolling is worth more.
fn best(turn: &Turn, own: usize, solved: &Solved) -> Decision {
    let (mut most, mut decision) = (-1.0, turn.best_keep().bank());
    for keep in turn.game().chart().legal_keeps(turn.roll) {
        let total = own + (turn.at_risk_with(&keep) / STEP) as usize;
        let worth = solved.kept(total, turn.dice_left(&keep));
        if worth > most {
            most = worth;
            decision = if worth > solved.bank(total) { keep.roll() } else { keep.bank() };
        }
    }
    decision
}

agent_sdk::export!(Optimal);

#[cfg(test)]
mod tests {
    use agent_sdk::farkle::{EndingRule, Ruleset};
    use agent_sdk::testing::{Situation, Table, Threshold, assert_always_legal};
    use agent_sdk::{Faces, Next, Random};
    use arena_core::oracle::{Oracle, Position};

    use super::*;

    #[test]
    fn is_always_legal() {
        assert_always_legal::<Optimal>(20_000);
    }

    fn solved(own: usize, rival: usize) -> Solved {
        let mut solved = Solved::default();
        solved.solve(own, rival);
        solved
    }

    /// What the table says of the seat to move: what a bank leaves to the rival is the rest.
    fn chance(own: usize, rival: usize) -> f32 {
        1.0 - solved(rival, own).bank(rival)
    }

    /// Published by the project's rule documents, from another program.
    #[test]
    fn the_first_player_wins_as_published() {
        assert!((chance(0, 0) - 0.532_499_95).abs() < 2e-6);
        assert!((solved(0, 0).kept(0, 6) - 0.532_499_95).abs() < 4e-6);
    }

    /// A turn solved with the table's chances is worth what the table says of it: no other table does that
    /// everywhere.
    #[test]
    fn the_table_is_made_of_its_own_turns() {
        let mut turn = Solved::default();
        let mut most = 0.0f32;
        for own in (0..SCORES).step_by(13).chain([SCORES - 1]) {
            for rival in (0..SCORES).step_by(11).chain([SCORES - 1]) {
                turn.solve(own, rival);
                most = most.max((turn.kept(own, 6) - chance(own, rival)).abs());
            }
        }
        // Half a unit for the table, as much for what it is made of, and some rounding.
        assert!(most < 4.5e-6, "off by {most}");
    }

    /// Near the end by hand: who needs 50 points against one who needs 50 as well banks any scorer.
    #[test]
    fn banks_what_wins() {
        let level = Situation::new(&presets::IMMEDIATE_WIN).scores(&[9_950, 9_950]);
        assert_eq!(level.roll("523446").decide::<Optimal>().next, Next::Bank);
        assert_eq!(level.roll("123446").decide::<Optimal>().next, Next::Bank);
        // A bank leaves the rival six dice for its 50 points, which fail one time in 43; one die scores one
        // time in three, and then six of them for 850 points.
        let far = level.scores(&[5_000, 9_950]).roll("13").at_risk(4_000);
        assert_eq!(far.decide::<Optimal>().to_string(), "keep 1, roll");
    }

    /// Other rules, other tables, the last turn before the limit, and scores that no turn begins with.
    #[test]
    fn plays_by_the_rule_of_thumb_elsewhere() {
        let same = |situation: &Situation| {
            assert_eq!(situation.decide::<Optimal>(), rule_of_thumb::decide(&situation.turn()), "{situation}");
        };
        let exact = Situation::new(&presets::IMMEDIATE_WIN).roll("13").at_risk(4_000).scores(&[5_000, 9_950]);
        assert_eq!(rule_of_thumb::decide(&exact.turn()).next, Next::Bank);
        same(&exact.turn_limit(1));
        same(&exact.scores(&[5_025, 9_950]));
        same(&exact.scores(&[-50, 9_950]));
        same(&exact.scores(&[5_000, 10_000]));
        for other in [
            Ruleset { ending: EndingRule::FinalRound, ..presets::IMMEDIATE_WIN },
            Ruleset { target: 12_000, ..presets::IMMEDIATE_WIN },
            Ruleset { max_seats: 3, ..presets::IMMEDIATE_WIN },
        ] {
            same(&Situation::new(&other).roll("13").at_risk(4_000).scores(&[5_000, 9_950]));
        }
        let renamed = Ruleset { name: "house".into(), ..presets::IMMEDIATE_WIN };
        let renamed = Situation::new(&renamed).roll("13").at_risk(4_000).scores(&[5_000, 9_950]);
        assert_eq!(renamed.decide::<Optimal>().next, Next::Roll);
    }

    #[test]
    fn wins_more_than_a_rule_of_thumb() {
        let first = Table::new(&presets::IMMEDIATE_WIN).seat::<Optimal>().seat::<Threshold<300>>();
        let second = Table::new(&presets::IMMEDIATE_WIN).seat::<Threshold<300>>().seat::<Optimal>();
        let won = (0..200)
            .flat_map(|seed| [first.play(seed).result.ranks[0], second.play(seed).result.ranks[1]])
            .filter(|rank| *rank == 1)
            .count();
        // Were they alike, 250 of 400 would be five standard deviations away.
        assert!(won >= 250, "{won} of 400");
    }

    /// Every value of the table and of some turns, and thousands of decisions, against the exact solution.
    /// Takes seconds in a release build: `cargo test --release -p optimal -- --ignored --nocapture`.
    #[test]
    #[ignore = "solves the whole game"]
    fn decisions_are_those_of_the_exact_solution() {
        let rules = &presets::IMMEDIATE_WIN;
        let oracle = Oracle::solve(rules, |_| ()).unwrap();
        let at = |own: usize, rival: usize| Position {
            own: own as Points * STEP,
            rival: rival as Points * STEP,
            ..Position::default()
        };

        let (mut table_off, mut turn) = (0.0f64, Solved::default());
        for own in 0..SCORES {
            // The rival's row, by own scores: all of it is read for any turn.
            turn.solve(SCORES - 1, own);
            for rival in 0..SCORES {
                let said = 1.0 - f64::from(turn.bank(rival));
                table_off = table_off.max((said - oracle.value(&at(own, rival)).unwrap()).abs());
            }
        }
        println!("table: off by at most {table_off:.2e}");
        assert!(table_off < 2e-6);

        // What `build.rs` leaves out is never best: else rolling would be worth more than we say.
        let mut turn_off = 0.0f64;
        for own in (0..SCORES).step_by(7) {
            for rival in (0..SCORES).step_by(7) {
                turn.solve(own, rival);
                let exact = oracle.turn(&at(own, rival)).unwrap();
                for total in own + 1..SCORES {
                    let at_risk = (total - own) as Points * STEP;
                    for dice in 1..=6 {
                        let roll = exact.before_roll(at_risk, dice).unwrap();
                        let best = roll.max(exact.banked(at_risk, false).unwrap());
                        let off = (f64::from(turn.kept(total, dice)) - best).abs();
                        turn_off = turn_off.max(off);
                    }
                }
            }
        }
        println!("turns: off by at most {turn_off:.2e}");
        assert!(turn_off < 4e-6);

        let random = Random::new(1);
        let (mut asked, mut lost, mut most_lost) = (0, 0.0, 0.0f64);
        let mut agent = Optimal::default();
        let mut moment = Situation::new(rules).turn();
        agent.start(moment.game());
        while asked < 200_000 {
            let position = at(random.below(SCORES as u32) as usize, random.below(SCORES as u32) as usize);
            let exact = oracle.turn(&position).unwrap();
            (moment.score, moment.best_rival, moment.at_risk) = (position.own, position.rival, 0);
            let mut dice = 6;
            // A turn that goes on now and then where the agent would bank, to see more of turns.
            loop {
                let rolled: Vec<u8> = (0..dice).map(|_| 1 + random.below(6) as u8).collect();
                moment.roll = Faces::from_dice(&rolled).unwrap();
                if moment.game().chart().is_farkle(moment.roll) {
                    break;
                }
                let decision = agent.decide(&moment);
                let worth = exact.decision(moment.at_risk, moment.roll, decision).expect("a legal decision");
                let loss = exact.after_roll(moment.at_risk, moment.roll).unwrap() - worth;
                (asked, lost, most_lost) = (asked + 1, lost + loss, most_lost.max(loss));
                if decision.next == Next::Bank && random.below(2) == 0 {
                    break;
                }
                moment.at_risk += moment.game().chart().points(decision.keep).unwrap();
                let left = moment.roll.len() - decision.keep.len();
                dice = if left == 0 { 6 } else { left };
            }
        }
        println!("{asked} decisions: lost at most {most_lost:.2e}, {:.2e} on average", lost / f64::from(asked));
        assert!(most_lost < 4e-6);
    }
}
