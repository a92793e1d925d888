//! Where a turn begins.
//!
//! Owns which positions there are under a ruleset. Refuses the others with what is wrong with them.

use farkle::{EndingRule, Points, Ruleset, ScoreTable};

use super::offers;
use super::values::Place;

/// The start of a turn of two seats, as the seat to move sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Banked points of the seat to move.
    pub own: Points,
    /// Banked points of the other seat.
    pub rival: Points,
    /// Farkles in a row of the seat to move; counts only under a penalty.
    pub own_farkles: u32,
    /// Farkles in a row of the other seat; counts only under a penalty.
    pub rival_farkles: u32,
    /// Whether the rival reached the target, so that this is the closing turn of a final round.
    pub closing: bool,
}

/// Whose score or row of farkles is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// That of the seat to move.
    Own,
    /// That of the other seat.
    Rival,
}

impl std::fmt::Display for Whose {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Whose::Own => "the score of the seat to move",
            Whose::Rival => "the score of the other seat",
        })
    }
}

/// Why there is no such position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Impossible {
    /// No seat has less than nothing where these rulesets are solved.
    #[error("{whose} is {points}: it is never below 0")]
    Negative {
        /// Which.
        whose: Whose,
        /// It.
        points: Points,
    },
    /// No sum of keeps makes this.
    #[error("{whose} is {points}: under this ruleset scores are multiples of {step}")]
    OffStep {
        /// Which.
        whose: Whose,
        /// It.
        points: Points,
        /// What scores are multiples of.
        step: Points,
    },
    /// The first bank takes more.
    #[error("{whose} is {points}: the first bank takes {opening}, so it is 0, or {opening} or more")]
    BelowOpening {
        /// Which.
        whose: Whose,
        /// It.
        points: Points,
        /// The opening.
        opening: Points,
    },
    /// The match is over, or its closing turn is due.
    #[error("{whose} is {points}, which reaches the target of {target}: {then}")]
    PastTarget {
        /// Which.
        whose: Whose,
        /// It.
        points: Points,
        /// The target.
        target: Points,
        /// What that means.
        then: &'static str,
    },
    /// A closing turn follows a bank that reaches the target.
    #[error("{whose} is {points}: in a closing turn the rival has at least the target of {target}")]
    NotTriggered {
        /// Which.
        whose: Whose,
        /// It.
        points: Points,
        /// The target.
        target: Points,
    },
    /// Exact landing: nobody passes the target.
    #[error("{whose} is {points}: with exact landing no score passes the target of {target}")]
    Passed {
        /// Which.
        whose: Whose,
        /// It.
        points: Points,
        /// The target.
        target: Points,
    },
    /// This ruleset has no final round.
    #[error("there are no closing turns under this ruleset: its ending is not a final round")]
    NoClosing,
    /// The row would have ended before.
    #[error("{farkles} farkles in a row are too many: {after} cost the penalty and end the row, so allowed are 0 to {}", after - 1)]
    Row {
        /// How many.
        farkles: u32,
        /// How many cost the penalty.
        after: u32,
    },
    /// There is no rival.
    #[error("this ruleset is for one seat alone, and has no positions of two")]
    Solo,
}

/// A position in steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    Ordinary(Place),
    Closing { own: usize, rival: usize },
}

impl Position {
    /// Whether there is such a position, before anything is solved.
    ///
    /// # Errors
    ///
    /// [`Impossible`], with what is wrong.
    ///
    /// ```
    /// use arena_core::oracle::Position;
    /// use farkle::presets::PLAY_TABLE;
    /// assert!(Position { own: 9_950, rival: 10_200, closing: true, ..Position::default() }.check(&PLAY_TABLE).is_ok());
    /// assert!(Position { own: 9_975, ..Position::default() }.check(&PLAY_TABLE).is_err());
    /// ```
    pub fn check(&self, rules: &Ruleset) -> Result<(), Impossible> {
        self.spot(rules, offers::step(&ScoreTable::new(rules))).map(|_| ())
    }

    pub(super) fn spot(&self, rules: &Ruleset, step: Points) -> Result<Spot, Impossible> {
        if rules.ending == EndingRule::Turns {
            return Err(Impossible::Solo);
        }
        let target = rules.target;
        let own = steps(Whose::Own, self.own, rules, step)?;
        let rival = steps(Whose::Rival, self.rival, rules, step)?;
        if self.own >= target {
            let then = "the match is over, or its closing turn is the other seat's";
            return Err(Impossible::PastTarget { whose: Whose::Own, points: self.own, target, then });
        }
        if self.closing {
            if rules.ending != EndingRule::FinalRound {
                return Err(Impossible::NoClosing);
            }
            if self.rival < target {
                return Err(Impossible::NotTriggered { whose: Whose::Rival, points: self.rival, target });
            }
            if rules.exact_landing && self.rival > target {
                return Err(Impossible::Passed { whose: Whose::Rival, points: self.rival, target });
            }
            return Ok(Spot::Closing { own, rival });
        }
        if self.rival >= target {
            let then = match rules.ending {
                EndingRule::FinalRound => "only a closing turn is left",
                _ => "the match is over",
            };
            return Err(Impossible::PastTarget { whose: Whose::Rival, points: self.rival, target, then });
        }
        if rules.penalty == 0 {
            return Ok(Spot::Ordinary(Place { own, rival, ..Place::default() }));
        }
        let farkles = self.own_farkles.max(self.rival_farkles);
        if farkles >= rules.penalty_after {
            return Err(Impossible::Row { farkles, after: rules.penalty_after });
        }
        let (own_streak, rival_streak) = (self.own_farkles as usize, self.rival_farkles as usize);
        Ok(Spot::Ordinary(Place { own, rival, own_streak, rival_streak }))
    }
}

fn steps(whose: Whose, points: Points, rules: &Ruleset, step: Points) -> Result<usize, Impossible> {
    if points < 0 {
        return Err(Impossible::Negative { whose, points });
    }
    if points % step != 0 {
        return Err(Impossible::OffStep { whose, points, step });
    }
    // A penalty can leave less.
    if points > 0 && points < rules.opening && rules.penalty == 0 {
        return Err(Impossible::BelowOpening { whose, points, opening: rules.opening });
    }
    Ok((points / step) as usize)
}
