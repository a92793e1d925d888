//! What there is to decide on.
//!
//! Owns the state of a turn at one roll, and the questions that most agents ask about it. Refuses
//! to decide: nothing here has an opinion on risk.

use core::cmp::Reverse;

use farkle::{EndingRule, Faces, Keep, Points};

use crate::game::{Game, GameOf};
use crate::history::{Event, EventKind, Rival, Watch};

/// A roll with at least one legal keep, and all that its seat knows at that moment.
///
/// ```
/// use agent_sdk::{farkle::presets, testing::Situation};
/// let turn = Situation::new(&presets::PLAY_TABLE).roll("112346").at_risk(150).turn();
/// let keep = turn.best_keep();
/// assert_eq!((keep.dice.to_string(), keep.points), ("11".into(), 200));
/// assert_eq!(turn.at_risk_with(&keep), 350);
/// assert_eq!(turn.dice_left(&keep), 4);
/// assert!(turn.can_bank(&keep) && !turn.wins_by_banking(&keep));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Turn<'m> {
    /// The dice on the table.
    pub roll: Faces,
    /// Points kept earlier in this turn and not banked.
    pub at_risk: Points,
    /// The agent's own banked score.
    pub score: Points,
    /// The highest banked score of another seat still in the match; 0 when there is none.
    pub best_rival: Points,
    /// The least that this turn must be worth to be banked; 0 once the score is above 0.
    pub opening_due: Points,
    /// Turns this seat has finished before this one.
    pub turns: u32,
    /// Rolls of this turn, this one included.
    pub rolls: u32,
    /// This seat's farkles in a row before this turn.
    pub farkles_in_a_row: u32,
    /// Whether somebody reached the target and this is the seat's closing turn.
    pub closing: bool,
    pub(crate) game: GameOf<'m>,
    /// What [`best_keep`](Turn::best_keep) answers: nearly every agent asks, and most ask twice.
    #[cfg(target_arch = "wasm32")]
    pub(crate) best: Keep,
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) seen: crate::testing::Seen,
}

impl Turn<'_> {
    /// The match that this turn belongs to.
    #[inline]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The most valuable keep of this roll; of equal ones that with the fewest dice. Much faster
    /// than the first of [`legal_keeps`](Turn::legal_keeps), which is the same one.
    ///
    /// Of no dice when the roll is a farkle; the arena asks for no decision on one.
    #[inline]
    pub fn best_keep(&self) -> Keep {
        #[cfg(target_arch = "wasm32")]
        return self.best;
        // A test may put other dice into a turn.
        #[cfg(not(target_arch = "wasm32"))]
        return self.game.best_keep(self.roll);
    }

    /// Every legal keep of this roll, most points first, then fewest dice.
    ///
    /// ```
    /// use agent_sdk::{farkle::presets, testing::Situation};
    /// let turn = Situation::new(&presets::PLAY_TABLE).roll("113456").turn();
    /// let keeps: Vec<_> = turn.legal_keeps().iter().map(|keep| (keep.dice.to_string(), keep.points)).collect();
    /// assert_eq!(keeps, [("115", 250), ("11", 200), ("15", 150), ("1", 100), ("5", 50)].map(|(d, p)| (d.into(), p)));
    /// ```
    pub fn legal_keeps(&self) -> Vec<Keep> {
        let mut keeps: Vec<Keep> = Vec::with_capacity(16);
        for keep in self.game.chart().legal_keeps(self.roll) {
            // By insertion: there are few, and the library's sort would be a fifth of an agent.
            let place = keeps.iter().rposition(|before| order(before) < order(&keep)).map_or(0, |at| at + 1);
            keeps.insert(place, keep);
        }
        keeps
    }

    /// The most valuable keep that may be banked, if any may.
    ///
    /// ```
    /// use agent_sdk::farkle::{Ruleset, presets};
    /// use agent_sdk::testing::Situation;
    /// let exactly = Ruleset { exact_landing: true, ..presets::PLAY_TABLE };
    /// let turn = Situation::new(&exactly).scores(&[9_900, 0]).roll("123445").turn();
    /// assert_eq!(turn.best_keep().points, 150, "9,900 and 150 pass the target");
    /// assert_eq!(turn.best_bank().map(|keep| keep.points), Some(100));
    /// ```
    pub fn best_bank(&self) -> Option<Keep> {
        let best = self.best_keep();
        if self.can_bank(&best) {
            return Some(best);
        }
        // Fewer dice help only against what bars some banks; they never reach an opening that more do not.
        if self.game.banks_freely {
            return None;
        }
        let packed = best_bank_of_fewer(&self.game, self.roll, self.at_risk, self.score, self.opening_due);
        (packed > 0).then(|| Keep { dice: Faces::from_packed(packed as u32), points: (packed >> 32) as Points })
    }

    /// The points at risk with this keep.
    #[inline]
    pub fn at_risk_with(&self, keep: &Keep) -> Points {
        self.at_risk + keep.points
    }

    /// The banked score, were this keep banked.
    #[inline]
    pub fn score_with(&self, keep: &Keep) -> Points {
        self.score + self.at_risk_with(keep)
    }

    /// Whether this keep sets the last die aside, so that all of them are rolled next.
    #[inline]
    pub fn is_hot(&self, keep: &Keep) -> bool {
        keep.dice == self.roll
    }

    /// How many dice would be rolled next: those that the keep leaves, or on hot dice all.
    #[inline]
    pub fn dice_left(&self, keep: &Keep) -> u8 {
        if self.is_hot(keep) { self.game.chart().dice() } else { self.roll.len() - keep.dice.len() }
    }

    /// Whether the rules allow banking this (legal) keep: the opening is reached, hot dice that
    /// must be rolled are not banked, and a target that must be met exactly is not passed.
    ///
    /// ```
    /// use agent_sdk::{farkle::presets, testing::Situation};
    /// let turn = Situation::new(&presets::MY_TURN_YET).roll("123445").at_risk(300).turn();
    /// assert!(!turn.can_bank(&turn.best_keep()), "450 points, and the opening is 500");
    /// ```
    #[inline]
    pub fn can_bank(&self, keep: &Keep) -> bool {
        let at_risk = self.at_risk_with(keep);
        at_risk >= self.opening_due
            && (self.game.banks_freely || !self.game.bars_bank(self.is_hot(keep), self.score + at_risk))
    }

    /// Whether banking this keep wins the match for certain: it reaches a target that wins at
    /// once, or it ends the last turn of the match ahead of every rival. Never so for a seat that
    /// plays alone for points.
    ///
    /// Where more than two seats play their closing turns, a seat cannot tell how many are still
    /// to come, and this is `false`.
    ///
    /// ```
    /// use agent_sdk::{farkle::presets, testing::Situation};
    /// let turn = Situation::new(&presets::IMMEDIATE_WIN).scores(&[9_900, 9_950]).roll("123446").turn();
    /// assert!(turn.wins_by_banking(&turn.best_keep()));
    /// ```
    #[inline]
    pub fn wins_by_banking(&self, keep: &Keep) -> bool {
        let total = self.score_with(keep);
        let wins = total >= self.game.wins_from || self.is_last() && total > self.best_rival && self.ends_match(total);
        wins && self.can_bank(keep)
    }

    /// Whether banking this keep cannot win any more: this is the seat's last turn, and a rival
    /// stays ahead of it. (Ahead for good, unless a penalty or a forfeit brings the rival down.)
    ///
    /// ```
    /// use agent_sdk::{farkle::presets, testing::Situation};
    /// let behind = Situation::new(&presets::PLAY_TABLE).scores(&[9_000, 10_000]).closing(true).roll("123446");
    /// let turn = behind.at_risk(800).turn();
    /// assert!(turn.loses_by_banking(&turn.best_keep()), "9,900 is short of 10,000");
    /// let turn = behind.at_risk(900).turn();
    /// assert!(!turn.loses_by_banking(&turn.best_keep()), "10,000 shares the win");
    /// ```
    pub fn loses_by_banking(&self, keep: &Keep) -> bool {
        let stays_behind = self.score_with(keep) < self.best_rival;
        self.is_last() && self.game.seats() > 1 && stays_behind && !self.wins_by_banking(keep)
    }

    /// The banked scores of all seats, in seat order. Asks the arena at every call.
    pub fn scores(&self) -> Vec<Points> {
        #[cfg(target_arch = "wasm32")]
        return crate::contract::scores();
        #[cfg(not(target_arch = "wasm32"))]
        return self.seen.scores();
    }

    /// The events of this match from number `since` on, counted from 0, oldest first. Asks the
    /// arena at every call, and costs fuel by the length of the answer: remember how many you
    /// have seen.
    ///
    /// ```
    /// use agent_sdk::{farkle::presets, testing::Situation};
    /// let turn = Situation::new(&presets::PLAY_TABLE).turn();
    /// assert!(turn.history(0).is_empty());
    /// ```
    pub fn history(&self, since: u32) -> Vec<Event> {
        #[cfg(target_arch = "wasm32")]
        return crate::contract::history(since);
        #[cfg(not(target_arch = "wasm32"))]
        return self.seen.history(since);
    }

    /// What has happened since this was asked last, oldest first: at the first call, everything.
    /// Costs fuel by the length of the answer, as [`history`](Turn::history) does.
    ///
    /// ```
    /// use agent_sdk::{Event, EventKind, farkle::presets, testing::Situation};
    /// let farkle = Event {
    ///     seat: 1, turn: 1, kind: EventKind::Farkled, roll: "223466".parse()?, keep: "".parse()?, points: 0, banked: 0,
    /// };
    /// let turn = Situation::new(&presets::PLAY_TABLE).history(&[farkle]).turn();
    /// assert_eq!(turn.news(), [farkle]);
    /// assert!(turn.news().is_empty());
    /// # Ok::<(), agent_sdk::farkle::FacesError>(())
    /// ```
    pub fn news(&self) -> Vec<Event> {
        let news = self.history(self.game.news.get());
        self.game.news.set(self.game.news.get() + news.len() as u32);
        news
    }

    /// The other seats, in seat order: their scores, and who forfeited. Asks the arena for the
    /// scores and for what has happened since it was asked last.
    ///
    /// ```
    /// use agent_sdk::{farkle::presets, testing::Situation};
    /// let turn = Situation::new(&presets::PLAY_TABLE).seat(1).scores(&[2_500, 0, 4_000]).turn();
    /// let rivals: Vec<_> = turn.rivals().iter().map(|rival| (rival.seat, rival.score, rival.out)).collect();
    /// assert_eq!(rivals, [(0, 2_500, false), (2, 4_000, false)]);
    /// ```
    pub fn rivals(&self) -> Vec<Rival> {
        let out = self.watched().out;
        let rival = |(seat, score): (u32, Points)| Rival { seat, score, out: out >> seat & 1 == 1 };
        let all = (0..).zip(self.scores()).filter(|(seat, _)| *seat != self.game.seat());
        all.map(rival).collect()
    }

    /// In a closing turn, the seat that reached the target and thereby began the last round; else
    /// `None`. Asks the arena for what has happened since it was asked last.
    ///
    /// ```
    /// use agent_sdk::{Event, EventKind, farkle::presets, testing::Situation};
    /// let bank = Event {
    ///     seat: 1, turn: 9, kind: EventKind::Banked, roll: "1".parse()?, keep: "1".parse()?, points: 100, banked: 10_050,
    /// };
    /// let turn = Situation::new(&presets::PLAY_TABLE).scores(&[0, 10_050]).closing(true).history(&[bank]).turn();
    /// assert_eq!(turn.closed_by(), Some(1));
    /// # Ok::<(), agent_sdk::farkle::FacesError>(())
    /// ```
    pub fn closed_by(&self) -> Option<u32> {
        if self.closing { self.watched().reached } else { None }
    }

    /// How far the score is from the target; 0 where it is reached, or no target ends the match.
    ///
    /// ```
    /// use agent_sdk::{farkle::presets, testing::Situation};
    /// let turn = Situation::new(&presets::PLAY_TABLE).scores(&[9_200, 0]).turn();
    /// assert_eq!(turn.points_to_target(), 800);
    /// ```
    #[inline]
    pub fn points_to_target(&self) -> Points {
        let rules = self.game.ruleset();
        if rules.ending == EndingRule::Turns { 0 } else { (rules.target - self.score).max(0) }
    }

    /// The chance that rolling on with this keep is a farkle. Costs what
    /// [`Game::farkle_chance`] says.
    ///
    /// ```
    /// use agent_sdk::{farkle::presets, testing::Situation};
    /// let turn = Situation::new(&presets::PLAY_TABLE).roll("12").turn();
    /// assert_eq!(turn.farkle_chance(&turn.best_keep()), 4.0 / 6.0, "a die is left, and only 1 and 5 score");
    /// ```
    pub fn farkle_chance(&self, keep: &Keep) -> f64 {
        self.game.farkle_chance(self.dice_left(keep))
    }

    /// How many points rolling on with this keep gains on average over banking it, if the turn
    /// is then played for the most points: below 0 where banking is better. Where the keep may not
    /// be banked, all that rolling on is worth. `None` where [`Game::expectation`] is, which should
    /// be asked for in `start`.
    ///
    /// ```
    /// use agent_sdk::{farkle::presets, testing::Situation};
    /// let four_dice_left = Situation::new(&presets::IMMEDIATE_WIN).roll("112346");
    /// let gain = |at_risk| {
    ///     let turn = four_dice_left.at_risk(at_risk).turn();
    ///     turn.gain_by_rolling(&turn.best_keep()).unwrap()
    /// };
    /// assert!(gain(0) > 0.0 && gain(2_000) < 0.0);
    /// ```
    pub fn gain_by_rolling(&self, keep: &Keep) -> Option<f64> {
        let at_risk = self.at_risk_with(keep);
        let rolling = self.game.expectation()?.roll(at_risk, self.dice_left(keep), self.opening_due == 0);
        Some(rolling - if self.can_bank(keep) { f64::from(at_risk) } else { 0.0 })
    }

    /// What the events tell of all seats, with those that are new.
    fn watched(&self) -> Watch {
        let mut watch = self.game.watch.get();
        let target = self.game.ruleset().target;
        for event in self.history(watch.read) {
            watch.read += 1;
            match event.kind {
                EventKind::Faulted => watch.out |= 1 << event.seat,
                EventKind::Banked if event.banked >= target => watch.reached = watch.reached.or(Some(event.seat)),
                _ => {}
            }
        }
        self.game.watch.set(watch);
        watch
    }

    /// Whether this is the seat's last turn, unless it reaches a target that gives it no other.
    #[inline]
    fn is_last(&self) -> bool {
        self.closing || self.turns + 1 >= self.game.turns
    }

    /// Whether no rival has a turn after this last one, if it ends with this score.
    fn ends_match(&self, total: Points) -> bool {
        let (rules, seats) = (self.game.ruleset(), self.game.seats());
        if self.closing {
            seats == 2
        } else {
            let closes = rules.ending == EndingRule::FinalRound && total >= rules.target;
            !closes && seats > 1 && self.game.seat() + 1 == seats
        }
    }
}

/// The most valuable of all keeps that may be banked: points above the packed dice, 0 where there
/// is none. A function of its own, and one of numbers: agents carry it into every decision, few
/// rulesets need it, and it would have them keep the turn on the stack.
#[cold]
#[inline(never)]
fn best_bank_of_fewer(game: &Game, roll: Faces, at_risk: Points, score: Points, opening_due: Points) -> u64 {
    let may_bank = |keep: &Keep| {
        let at_risk = at_risk + keep.points;
        at_risk >= opening_due && !game.bars_bank(keep.dice == roll, score + at_risk)
    };
    let keeps = game.chart().legal_keeps(roll).filter(may_bank);
    keeps.min_by_key(order).map_or(0, |keep| (keep.points as u64) << 32 | u64::from(keep.dice.packed()))
}

/// Most points first, then fewest dice.
fn order(keep: &Keep) -> (Reverse<Points>, u8, Faces) {
    (Reverse(keep.points), keep.dice.len(), keep.dice)
}
