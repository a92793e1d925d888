//! A table to test agents at, natively: no component, no sandbox.
//!
//! Owns scripted situations ([`Situation`]), whole matches against other agents ([`Table`]), and
//! the test that every agent should pass ([`assert_always_legal`]). Refuses to rate agents: that
//! takes thousands of matches, and `arena sprt` has the statistics.
//!
//! Matches are refereed by the arena's own code and played with its dice: what a test sees with a
//! seed, `arena match --seed` shows again. What a test cannot see is what the sandbox adds: fuel,
//! memory limits, and numbers that wrap where they overflow.
//!
//! ```
//! use agent_sdk::farkle::presets;
//! use agent_sdk::testing::{BankAsap, Situation, Table, assert_always_legal};
//! # use agent_sdk::{Agent, Decision, Turn};
//! # #[derive(Default)]
//! # struct MyAgent;
//! # impl Agent for MyAgent {
//! #     fn decide(&mut self, turn: &Turn) -> Decision {
//! #         turn.best_bank().map_or_else(|| turn.best_keep().roll(), |keep| keep.bank())
//! #     }
//! # }
//!
//! let situation = Situation::new(&presets::PLAY_TABLE).roll("123445").at_risk(500);
//! assert_eq!(situation.decide::<MyAgent>().to_string(), "keep 1-5, bank");
//!
//! let played = Table::new(&presets::IMMEDIATE_WIN).seat::<MyAgent>().seat::<BankAsap>().play(7);
//! assert!(played.result.scores.iter().any(|score| *score >= 10_000));
//!
//! assert_always_legal::<MyAgent>(200);
//! ```
//!
//! A decision that forfeits the match fails the test in three lines: what was decided and why it
//! is illegal, the situation as code to paste into a test, and the match that plays it again.

mod legality;
mod opponents;
mod rulesets;
mod situation;
mod table;

use std::rc::Rc;

use arena_core::What;
use farkle::{Faces, Points};

pub use legality::{assert_always_legal, assert_always_legal_under};
pub use opponents::{AtRandom, BankAsap, Threshold};
pub use rulesets::{random_ruleset, ruleset_file};
pub use situation::Situation;
pub use table::{Played, Table};

use crate::{Event, EventKind};

/// What a turn answers where the arena would be asked.
#[derive(Debug)]
pub(crate) enum Seen {
    /// In a scripted situation.
    Scripted {
        /// By seat.
        scores: Vec<Points>,
        /// From the match's beginning.
        history: Vec<Event>,
    },
    /// In a match.
    Table(Rc<arena_core::Table>),
}

impl Seen {
    pub(crate) fn scores(&self) -> Vec<Points> {
        match self {
            Seen::Scripted { scores, .. } => scores.clone(),
            Seen::Table(table) => table.scores().to_vec(),
        }
    }

    pub(crate) fn history(&self, since: u32) -> Vec<Event> {
        match self {
            Seen::Scripted { history, .. } => history.get(since as usize..).unwrap_or_default().to_vec(),
            Seen::Table(table) => events(&table.events(), since as usize),
        }
    }
}

/// The arena's events from one number on, as agents see them.
fn events(events: &[arena_core::Event], since: usize) -> Vec<Event> {
    let mut scores = [0; 256];
    let seen = events.iter().map(|event| {
        let banked = &mut scores[usize::from(event.seat)];
        let (kind, roll, keep, points) = match &event.what {
            What::Rolled(kept) => (EventKind::RolledOn, kept.roll, kept.keep, kept.points),
            What::Won(kept) => (EventKind::Won, kept.roll, kept.keep, kept.points),
            What::Banked { keep: kept, banked: now } => {
                *banked = *now;
                (EventKind::Banked, kept.roll, kept.keep, kept.points)
            }
            What::Farkled { roll, lost, penalty } => {
                *banked = penalty.map_or(*banked, |(_, now)| now);
                (EventKind::Farkled, *roll, Faces::NONE, *lost)
            }
            What::Faulted { roll, .. } => (EventKind::Faulted, roll.unwrap_or(Faces::NONE), Faces::NONE, 0),
        };
        Event { seat: event.seat.into(), turn: event.turn, kind, roll, keep, points, banked: *banked }
    });
    seen.skip(since).collect()
}

#[cfg(test)]
mod tests {
    use farkle::{Decision, EndingRule, Next, Ruleset, presets};

    use super::*;
    use crate::{Agent, Game, Turn};

    #[derive(Default)]
    struct Greedy;

    impl Agent for Greedy {
        fn decide(&mut self, turn: &Turn) -> Decision {
            match turn.best_bank() {
                Some(keep) => keep.bank(),
                None => turn.best_keep().roll(),
            }
        }
    }

    #[derive(Default)]
    struct KeepsNothing;

    impl Agent for KeepsNothing {
        fn decide(&mut self, _: &Turn) -> Decision {
            Decision { keep: Faces::NONE, next: Next::Roll }
        }
    }

    #[test]
    fn a_legal_agent_passes() {
        assert_always_legal::<Greedy>(5_000);
        let played = Table::new(&presets::PLAY_TABLE).seat::<Greedy>().seat::<Greedy>().play(1);
        assert!(played.result.scores.iter().any(|score| *score >= 10_000));
    }

    #[test]
    #[should_panic(expected = "no dice are kept")]
    fn an_illegal_keep_is_found() {
        assert_always_legal::<KeepsNothing>(1);
    }

    /// A failed test says what was decided and why it is illegal, and what asks it again.
    #[test]
    fn a_complaint_can_be_pasted_into_a_test() {
        #[derive(Default)]
        struct BanksTooSoon;
        impl Agent for BanksTooSoon {
            fn decide(&mut self, turn: &Turn) -> Decision {
                turn.best_keep().bank()
            }
        }
        let said = |test: &dyn Fn()| {
            let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(test)).unwrap_err();
            panic.downcast_ref::<String>().unwrap().clone()
        };
        let table = Table::new(&presets::MY_TURN_YET).seat::<BanksTooSoon>().seat::<Greedy>();
        let in_a_match = said(&|| assert!(table.play(7).events.is_empty()));
        let lines: Vec<_> = in_a_match.lines().collect();
        assert_eq!(lines.len(), 3, "{in_a_match}");
        assert!(lines[0].contains("bank: illegal under `my-turn-yet`") && lines[0].contains("the opening is 500"));
        assert!(lines[1].starts_with("  asked: Situation::new(&presets::MY_TURN_YET).roll(\""), "{in_a_match}");
        assert_eq!(
            lines[2],
            "  again: Table::new(&presets::MY_TURN_YET).seat::<BanksTooSoon>().seat::<Greedy>().play(7)"
        );
        let asked = Situation::new(&presets::MY_TURN_YET).roll("15").at_risk(50);
        let alone = said(&|| assert!(asked.decide::<BanksTooSoon>().keep.is_empty()));
        assert_eq!(
            alone,
            "keep 1-5, bank: illegal under `my-turn-yet`: 200 points cannot be banked: the opening is 500, while the \
             banked score is not above zero\n  asked: Situation::new(&presets::MY_TURN_YET).roll(\"15\").at_risk(50)"
        );
        let odd = random_ruleset(5);
        assert!(Situation::new(&odd).to_string().starts_with("Situation::new(&random_ruleset(5)).roll("));
    }

    /// Who forfeited and who began the last round is read from the events once.
    #[test]
    fn rivals_out_of_the_match_are_known() {
        let event =
            |seat, kind, banked| Event { seat, turn: 1, kind, roll: Faces::NONE, keep: Faces::NONE, points: 0, banked };
        let history =
            [event(2, EventKind::Faulted, 0), event(1, EventKind::Banked, 10_000), event(3, EventKind::Banked, 12_000)];
        let situation = Situation::new(&presets::PLAY_TABLE).scores(&[0, 10_000, 0, 12_000]).history(&history);
        let turn = situation.closing(true).turn();
        for _ in 0..2 {
            assert_eq!(turn.closed_by(), Some(1));
            assert_eq!(turn.rivals().iter().map(|rival| rival.out).collect::<Vec<_>>(), [false, true, false]);
        }
        assert_eq!(situation.turn().closed_by(), None);
    }

    /// By counting: of one to six dice, those that show no 1, no 5 and nothing else that scores.
    #[test]
    fn farkle_chances_are_exact() {
        let turn = Situation::new(&presets::PLAY_TABLE_SIMPLE).turn();
        // Three alike score: of three dice showing 2, 3, 4 or 6, all but four of the 64.
        let farkles = [4.0 / 6.0, 16.0 / 36.0, 60.0 / 216.0, 204.0 / 1_296.0];
        for (dice, chance) in (1..).zip(farkles) {
            assert_eq!(turn.game().farkle_chance(dice), chance);
        }
    }

    /// `can_bank` answers as the referee does, in every situation of many random matches.
    #[test]
    fn can_bank_agrees_with_the_referee() {
        #[derive(Default)]
        struct Prober;
        impl Agent for Prober {
            fn decide(&mut self, turn: &Turn) -> Decision {
                let keeps = turn.legal_keeps();
                assert_eq!(keeps[0].points, turn.best_keep().points);
                assert_eq!(keeps[0].dice.len(), turn.best_keep().dice.len());
                let random = turn.game().random();
                let keep = *random.pick(&keeps).expect("a roll with a keep");
                // Banks whenever it thinks it may; the referee objects to any error on that side.
                if turn.can_bank(&keep) && random.below(3) == 0 { keep.bank() } else { keep.roll() }
            }
        }
        assert_always_legal::<Prober>(20_000);
    }

    /// The history that agents see adds up to the scores that they see.
    #[test]
    fn history_adds_up_to_the_scores() {
        #[derive(Default)]
        struct Historian {
            read: u32,
            banked: Vec<Points>,
        }
        impl Agent for Historian {
            fn start(&mut self, game: &Game) {
                self.banked = vec![0; game.seats() as usize];
            }
            fn decide(&mut self, turn: &Turn) -> Decision {
                let mut turn_points = 0;
                for event in turn.history(self.read) {
                    self.read += 1;
                    self.banked[event.seat as usize] = event.banked;
                    turn_points = match event.kind {
                        EventKind::RolledOn if event.seat == turn.game().seat() => turn_points + event.points,
                        _ => 0,
                    };
                }
                assert_eq!(self.banked, turn.scores());
                assert!(turn.rolls == 1 || turn_points > 0);
                let keep = turn.best_keep();
                if turn.can_bank(&keep) && turn.at_risk_with(&keep) >= 300 { keep.bank() } else { keep.roll() }
            }
        }
        assert_always_legal::<Historian>(2_000);
    }

    #[test]
    fn a_bank_is_refused_for_its_reasons() {
        let hot = Ruleset { must_roll_hot_dice: true, ..presets::PLAY_TABLE };
        let turn = Situation::new(&hot).roll("111555").turn();
        assert!(!turn.can_bank(&turn.best_keep()));
        assert_eq!(turn.dice_left(&turn.best_keep()), 6);
        // The best of the keeps that leave a die: three 1s and two 5s.
        assert_eq!(turn.best_bank().unwrap().points, 1_100);

        let opening = Situation::new(&presets::MY_TURN_YET).roll("11").at_risk(300);
        assert!(opening.turn().can_bank(&opening.turn().best_keep()), "exactly the opening is enough");
        assert!(!opening.at_risk(299).turn().can_bank(&opening.turn().best_keep()));
        assert!(opening.at_risk(0).scores(&[50, 0]).turn().can_bank(&opening.turn().best_keep()));
    }

    #[test]
    fn winning_is_known_for_certain_only() {
        let wins = |situation: &Situation| {
            let turn = situation.turn();
            turn.wins_by_banking(&turn.best_keep())
        };
        let loses = |situation: &Situation| {
            let turn = situation.turn();
            turn.loses_by_banking(&turn.best_keep())
        };
        // Each roll below is worth 100.
        let at_once = Situation::new(&presets::IMMEDIATE_WIN).scores(&[9_900, 9_999]);
        assert!(wins(&at_once));
        assert!(!wins(&at_once.scores(&[9_899, 0])));

        let last_turn = Situation::new(&presets::PLAY_TABLE).scores(&[9_950, 10_000]).closing(true);
        assert!(wins(&last_turn) && !loses(&last_turn));
        assert!(!wins(&last_turn.scores(&[9_900, 10_000])), "a shared win is no win");
        assert!(!loses(&last_turn.scores(&[9_900, 10_000])));
        assert!(loses(&last_turn.scores(&[9_899, 10_000])));
        assert!(!wins(&last_turn.scores(&[9_950, 10_000, 0])), "another may still close");
        let target = Situation::new(&presets::PLAY_TABLE).scores(&[9_950, 0]);
        assert!(!wins(&target), "the rival has a closing turn");

        let ten = Ruleset { ending: EndingRule::Turns, turns: 10, target: 0, min_seats: 1, ..presets::PLAY_TABLE };
        let tenth = Situation::new(&ten).seat(1).scores(&[500, 450]).after(9, 0);
        assert!(wins(&tenth));
        assert!(!wins(&tenth.after(8, 0)));
        assert!(!wins(&tenth.seat(0)), "seat 1 has its tenth turn to come");
        assert!(loses(&tenth.seat(0).scores(&[450, 551])));
        assert!(!wins(&Situation::new(&ten).scores(&[450]).after(9, 0)), "alone, only points count");
    }
}
