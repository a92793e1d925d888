//! A match of two, judged: what every decision gave away against best play, and what every roll brought.
//!
//! Owns the comparison of decisions with the [oracle](crate::oracle)'s, the kinds of mistakes, and the sums.
//! Refuses opinions: everything is a chance of winning, in matches won, a shared win counting one half.
//!
//! The parts add up: the result of seat 0 is the chance it had before the match, plus its luck, less the
//! other's; less what its decisions lost, plus what the other's did. (A fault loses what was left.)

use std::sync::Arc;

use farkle::{Chart, Decision, FACES_COUNT, Faces, Keep, Next, Points, Ruleset};

use crate::event::{Event, What};
use crate::luck::{LuckError, NoValue};
use crate::moments::{Moment, go_through};
use crate::oracle::{Oracle, TurnValues};

/// A decision mattered where the worst legal one would have lost this much more than the best: a tenth of a
/// percent of a match.
pub const MATTERS: f64 = 0.001;

/// A loss from here on is called a blunder: two percent of a match.
pub const BLUNDER: f64 = 0.02;

/// A smaller difference than this is none: values of turns are kept in single precision.
const NOTHING: f64 = 1e-6;

/// The seats that are near the target play an endgame: no more than this share of it is left to one of them.
const ENDGAME: f64 = 0.2;

/// A match, judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The chance of seat 0 before the first roll.
    pub start: f64,
    /// Every roll, in order.
    pub rolls: Vec<Roll>,
}

/// A roll and what was made of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Roll {
    /// The situation.
    pub moment: Moment,
    /// The chance of the seat that rolls to win, before the roll.
    pub before: f64,
    /// The same after it, if the best is made of it.
    pub after: f64,
    /// What was decided; nothing of a farkle or a fault.
    pub decided: Option<Decided>,
}

/// A decision beside the best one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decided {
    /// What was decided.
    pub decision: Decision,
    /// The chance to win with it.
    pub value: f64,
    /// The best decision. The one that was made, where it is as good.
    pub best: Decision,
    /// The chance to win with the worst legal decision.
    pub worst: f64,
    /// What was wrong with it, if it lost anything.
    pub mistake: Option<Mistake>,
}

/// What is wrong with a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mistake {
    /// Banked, where rolling on is better.
    BankedEarly,
    /// Rolled on, where banking is better.
    BankedLate,
    /// Kept more dice than is best.
    KeptTooMuch,
    /// Kept fewer dice than is best.
    KeptTooLittle,
    /// Kept as many, but others.
    KeptOthers,
    /// Any of these where one of the seats has a fifth of the target to go, or in a closing turn.
    Endgame,
}

impl Mistake {
    /// All kinds.
    pub const ALL: [Mistake; 6] = [
        Mistake::BankedEarly,
        Mistake::BankedLate,
        Mistake::KeptTooMuch,
        Mistake::KeptTooLittle,
        Mistake::KeptOthers,
        Mistake::Endgame,
    ];

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Mistake::BankedEarly => "banked too early",
            Mistake::BankedLate => "banked too late",
            Mistake::KeptTooMuch => "kept too much",
            Mistake::KeptTooLittle => "kept too little",
            Mistake::KeptOthers => "kept other dice",
            Mistake::Endgame => "endgame",
        }
    }
}

/// What one seat did in one match or more.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Play {
    /// Decisions made.
    pub decisions: u64,
    /// Those that mattered: see [`MATTERS`].
    pub mattered: u64,
    /// What decisions lost, in matches won.
    pub loss: f64,
    /// Those that lost [`BLUNDER`] or more.
    pub blunders: u64,
    /// What the seat's own rolls brought beyond their expectation, in matches won.
    pub luck: f64,
}

impl Play {
    /// The mean loss of a decision that mattered, in percent of a match: the rating of play. 0 is perfect.
    /// After backgammon's performance rating, which is of equity and 500 times it; `None` where no decision
    /// mattered.
    #[must_use]
    pub fn rating(&self) -> Option<f64> {
        (self.mattered > 0).then(|| 100.0 * self.loss / self.mattered as f64)
    }

    /// Takes in what a seat did elsewhere.
    pub fn add(&mut self, other: &Play) {
        self.decisions += other.decisions;
        self.mattered += other.mattered;
        self.loss += other.loss;
        self.blunders += other.blunders;
        self.luck += other.luck;
    }
}

impl Roll {
    /// What it brought to the seat that rolled, beyond its expectation.
    pub fn luck(&self) -> f64 {
        self.after - self.before
    }

    /// What was lost by the decision.
    pub fn loss(&self) -> f64 {
        let decided = self.decided.filter(|decided| decided.mistake.is_some());
        decided.map_or(0.0, |decided| self.after - decided.value)
    }

    /// Whether the decision mattered.
    pub fn mattered(&self) -> bool {
        self.decided.is_some_and(|decided| self.after - decided.worst >= MATTERS)
    }
}

/// Judges matches of one ruleset.
pub struct Analyst {
    oracle: Arc<Oracle>,
    /// By [`Faces::index`] of a roll: its legal keeps.
    keeps: Box<[Vec<Keep>]>,
}

impl Analyst {
    /// Under a solved ruleset.
    pub fn new(oracle: Arc<Oracle>) -> Analyst {
        let chart = Chart::new(oracle.rules());
        let all = (0..FACES_COUNT).filter_map(Faces::from_index);
        let keeps = all.map(|roll| chart.legal_keeps(roll).collect()).collect();
        Analyst { oracle, keeps }
    }

    /// Judges a match.
    ///
    /// # Errors
    ///
    /// [`LuckError`] for other numbers of seats than two, and events that no match under the ruleset has.
    pub fn judge(&self, seats: usize, events: &[Event]) -> Result<Analysis, LuckError<NoValue>> {
        if seats != 2 {
            return Err(LuckError::Seats(seats));
        }
        let rules = self.oracle.rules();
        let mut rolls = Vec::with_capacity(events.len());
        go_through(rules, events, |moment, event| {
            let no_value = |why| LuckError::NoValue { event: moment.event + 1, why };
            let turn = self.oracle.kept_turn(&moment.position()).map_err(|why| no_value(why.into()))?;
            let off = || no_value(NoValue::Turn { at_risk: moment.at_risk, dice: moment.roll.len() });
            let before = turn.before_roll(moment.at_risk, moment.roll.len()).ok_or_else(off)?;
            let after = turn.after_roll(moment.at_risk, moment.roll).ok_or_else(off)?;
            let decided = match decision(event) {
                None => None,
                Some(decision) => {
                    let value = turn.decision(moment.at_risk, moment.roll, decision).ok_or_else(off)?;
                    Some(self.compare(moment, &turn, decision, value))
                }
            };
            rolls.push(Roll { moment: *moment, before, after, decided });
            Ok(())
        })?;
        Ok(Analysis { start: self.oracle.first_player(), rolls })
    }

    fn compare(&self, moment: &Moment, turn: &TurnValues<'_, f32>, decision: Decision, value: f64) -> Decided {
        let rules = self.oracle.rules();
        let (mut best, mut most, mut worst) = (decision, value, value);
        for keep in &self.keeps[moment.roll.index()] {
            let left = moment.roll.len() - keep.dice.len();
            let hot = left == 0;
            let at_risk = moment.at_risk + keep.points;
            let wins = rules.six_wins && keep.dice.counts().contains(&6);
            let roll = if wins { Some(1.0) } else { turn.before_roll(at_risk, if hot { rules.dice } else { left }) };
            let bank = if wins { None } else { turn.banked(at_risk, hot) };
            for (other, value) in [(keep.roll(), roll), (keep.bank(), bank)] {
                let Some(value) = value else { continue };
                if value > most {
                    (best, most) = (other, value);
                }
                worst = worst.min(value);
            }
        }
        let loses = most - value > NOTHING;
        let best = if loses { best } else { decision };
        let mistake = loses.then(|| mistake(rules, moment, decision, best));
        Decided { decision, value, best, worst, mistake }
    }
}

impl Analysis {
    /// What a seat did.
    pub fn play(&self, seat: u8) -> Play {
        let mut play = Play::default();
        for roll in self.rolls.iter().filter(|roll| roll.moment.seat == seat) {
            play.luck += roll.luck();
            play.loss += roll.loss();
            play.decisions += u64::from(roll.decided.is_some());
            play.mattered += u64::from(roll.mattered());
            play.blunders += u64::from(roll.loss() >= BLUNDER);
        }
        play
    }
}

/// The decision in an event, if it is one.
fn decision(event: &Event) -> Option<Decision> {
    match &event.what {
        // A keep that wins at once wins whatever would be next.
        What::Rolled(keep) | What::Won(keep) => Some(Decision { keep: keep.keep, next: Next::Roll }),
        What::Banked { keep, .. } => Some(Decision { keep: keep.keep, next: Next::Bank }),
        What::Farkled { .. } | What::Faulted { .. } => None,
    }
}

fn mistake(rules: &Ruleset, moment: &Moment, decision: Decision, best: Decision) -> Mistake {
    let near = rules.target - (f64::from(rules.target) * ENDGAME) as Points;
    if moment.closing || moment.scores.iter().any(|score| *score >= near) {
        return Mistake::Endgame;
    }
    match (decision.next, best.next) {
        (Next::Bank, Next::Roll) => Mistake::BankedEarly,
        (Next::Roll, Next::Bank) => Mistake::BankedLate,
        _ => match decision.keep.len().cmp(&best.keep.len()) {
            std::cmp::Ordering::Greater => Mistake::KeptTooMuch,
            std::cmp::Ordering::Less => Mistake::KeptTooLittle,
            std::cmp::Ordering::Equal => Mistake::KeptOthers,
        },
    }
}
