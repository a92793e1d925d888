//! A moment of a match, scripted.
//!
//! Owns what a test can say of a moment, and how it is said in code. Refuses to play on from it.

use core::fmt;

use farkle::{Decision, Faces, IllegalBank, Keep, Next, Points, Ruleset, ScoreTable};

use super::Seen;
use super::rulesets::code_of;
use crate::game::GameOf;
use crate::{Agent, Event, Game, Turn};

/// A moment of a match, described from what an agent can see of it.
///
/// Starts as the first roll of the first turn of seat 0, of two, nobody having scored.
///
/// ```
/// use agent_sdk::{farkle::presets, testing::{BankAsap, Situation}};
/// let opening = Situation::new(&presets::MY_TURN_YET).roll("15").scores(&[0, 2_000]);
/// assert_eq!(opening.at_risk(300).decide::<BankAsap>().to_string(), "keep 1-5, roll");
/// assert_eq!(opening.at_risk(350).decide::<BankAsap>().to_string(), "keep 1-5, bank");
/// ```
#[derive(Clone, Debug)]
pub struct Situation {
    pub(super) ruleset: Ruleset,
    pub(super) roll: Faces,
    pub(super) seat: usize,
    pub(super) scores: Vec<Points>,
    pub(super) at_risk: Points,
    pub(super) turns: u32,
    pub(super) rolls: u32,
    pub(super) farkles_in_a_row: u32,
    pub(super) closing: bool,
    pub(super) turn_limit: u32,
    pub(super) agent_seed: u64,
    pub(super) history: Vec<Event>,
}

impl Situation {
    /// Under these rules, with a roll of a single 1 (and as many 2, 3, 4, 6 as there are dice).
    ///
    /// # Panics
    ///
    /// When the ruleset is impossible.
    pub fn new(ruleset: &Ruleset) -> Situation {
        if let Err(impossible) = ruleset.validate() {
            panic!("{impossible}");
        }
        Situation {
            ruleset: ruleset.clone(),
            roll: Faces::from_dice(&[1, 2, 3, 4, 6, 6][..ruleset.dice.into()]).expect("faces of dice"),
            seat: 0,
            scores: vec![0, 0],
            at_risk: 0,
            turns: 0,
            rolls: 1,
            farkles_in_a_row: 0,
            closing: false,
            turn_limit: 1_000,
            agent_seed: 0,
            history: Vec::new(),
        }
    }

    /// The dice on the table, as `"123445"`.
    ///
    /// # Panics
    ///
    /// When these are no dice, or more than the ruleset has.
    #[must_use]
    pub fn roll(&self, dice: &str) -> Situation {
        let roll: Faces = dice.parse().unwrap_or_else(|error| panic!("a roll of `{dice}`: {error}"));
        assert!(roll.len() <= self.ruleset.dice, "{dice} are more than {} dice", self.ruleset.dice);
        Situation { roll, ..self.clone() }
    }

    /// Points kept earlier in this turn.
    #[must_use]
    pub fn at_risk(&self, at_risk: Points) -> Situation {
        Situation { at_risk, ..self.clone() }
    }

    /// The banked scores, one for each seat.
    #[must_use]
    pub fn scores(&self, scores: &[Points]) -> Situation {
        Situation { scores: scores.to_vec(), ..self.clone() }
    }

    /// The agent's seat, from 0.
    #[must_use]
    pub fn seat(&self, seat: usize) -> Situation {
        Situation { seat, ..self.clone() }
    }

    /// Turns finished by the seat, and farkles in a row at their end.
    #[must_use]
    pub fn after(&self, turns: u32, farkles_in_a_row: u32) -> Situation {
        Situation { turns, farkles_in_a_row, ..self.clone() }
    }

    /// Rolls of this turn, the one on the table included.
    #[must_use]
    pub fn rolls(&self, rolls: u32) -> Situation {
        Situation { rolls, ..self.clone() }
    }

    /// Whether this is a closing turn.
    #[must_use]
    pub fn closing(&self, closing: bool) -> Situation {
        Situation { closing, ..self.clone() }
    }

    /// The most turns a seat has; 1,000 unless told.
    #[must_use]
    pub fn turn_limit(&self, turn_limit: u32) -> Situation {
        Situation { turn_limit, ..self.clone() }
    }

    /// The seed of the agent's random numbers; 0 unless told.
    #[must_use]
    pub fn agent_seed(&self, agent_seed: u64) -> Situation {
        Situation { agent_seed, ..self.clone() }
    }

    /// What has happened so far.
    #[must_use]
    pub fn history(&self, history: &[Event]) -> Situation {
        Situation { history: history.to_vec(), ..self.clone() }
    }

    /// The turn, as an agent gets it.
    ///
    /// # Panics
    ///
    /// When the agent's seat has no score.
    pub fn turn(&self) -> Turn<'static> {
        assert!(self.seat < self.scores.len(), "seat {} of {}", self.seat, self.scores.len());
        let score = self.scores[self.seat];
        let rivals = self.scores.iter().enumerate().filter(|(seat, _)| *seat != self.seat).map(|(_, score)| *score);
        let mut game = Game::blank();
        game.follow(self.ruleset.id(), || Ruleset { name: "".into(), ..self.ruleset.clone() });
        game.begin(self.seat as u32, self.scores.len() as u32, self.agent_seed, self.turn_limit);
        Turn {
            roll: self.roll,
            at_risk: self.at_risk,
            score,
            best_rival: rivals.max().unwrap_or(0),
            opening_due: if score > 0 { 0 } else { self.ruleset.opening },
            turns: self.turns,
            rolls: self.rolls,
            farkles_in_a_row: self.farkles_in_a_row,
            closing: self.closing,
            game: GameOf::new(game),
            seen: Seen::Scripted { scores: self.scores.clone(), history: self.history.clone() },
        }
    }

    /// What a fresh agent decides here, having been started.
    ///
    /// # Panics
    ///
    /// When the decision would forfeit the match, or the roll is a farkle.
    pub fn decide<A: Agent>(&self) -> Decision {
        let turn = self.turn();
        let mut agent = A::default();
        agent.start(turn.game());
        let decision = agent.decide(&turn);
        let keep = match ScoreTable::new(&self.ruleset).check_keep(turn.roll, decision.keep) {
            Ok(points) => Keep { dice: decision.keep, points },
            Err(illegal) => panic!("{}", self.complaint(decision, &illegal)),
        };
        let wins_outright = self.ruleset.six_wins && keep.dice.counts().contains(&6);
        if decision.next == Next::Bank && !turn.can_bank(&keep) && !wins_outright {
            panic!("{}", self.complaint(decision, &self.why_no_bank(&turn, &keep)));
        }
        decision
    }

    fn why_no_bank(&self, turn: &Turn, keep: &Keep) -> IllegalBank {
        if turn.at_risk_with(keep) < turn.opening_due {
            IllegalBank::BelowOpening { at_risk: turn.at_risk_with(keep), opening: turn.opening_due }
        } else if self.ruleset.must_roll_hot_dice && turn.is_hot(keep) {
            IllegalBank::HotDice
        } else {
            let (at_risk, total) = (turn.at_risk_with(keep), turn.score_with(keep));
            IllegalBank::PassesTarget { at_risk, total, target: self.ruleset.target }
        }
    }

    /// What a test says of a decision that forfeits the match.
    pub(super) fn complaint(&self, decision: Decision, why: &dyn fmt::Display) -> String {
        format!("{decision}: illegal under `{}`: {why}\n  asked: {self}", self.ruleset.name)
    }
}

/// As code that makes it: to be pasted into a test. The history is left out.
///
/// ```
/// use agent_sdk::{farkle::presets, testing::Situation};
/// let situation = Situation::new(&presets::PLAY_TABLE).roll("155").at_risk(300);
/// assert_eq!(situation.to_string(), r#"Situation::new(&presets::PLAY_TABLE).roll("155").at_risk(300)"#);
/// ```
impl fmt::Display for Situation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = Situation::new(&self.ruleset);
        write!(f, "Situation::new(&{}).roll(\"{}\")", code_of(&self.ruleset), self.roll)?;
        if self.at_risk != 0 {
            write!(f, ".at_risk({})", self.at_risk)?;
        }
        if self.scores != plain.scores {
            write!(f, ".scores(&{:?})", self.scores)?;
        }
        if self.seat != 0 {
            write!(f, ".seat({})", self.seat)?;
        }
        if (self.turns, self.farkles_in_a_row) != (0, 0) {
            write!(f, ".after({}, {})", self.turns, self.farkles_in_a_row)?;
        }
        if self.rolls != plain.rolls {
            write!(f, ".rolls({})", self.rolls)?;
        }
        if self.closing {
            f.write_str(".closing(true)")?;
        }
        if self.turn_limit != plain.turn_limit {
            write!(f, ".turn_limit({})", self.turn_limit)?;
        }
        if self.agent_seed != 0 {
            write!(f, ".agent_seed({})", self.agent_seed)?;
        }
        Ok(())
    }
}
