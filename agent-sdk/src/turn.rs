//! What there is to decide on.
//!
//! Owns the state of a turn at one roll, and the questions that most agents ask about it. Refuses
//! to decide: nothing here has an opinion on risk.

use core::cell::Cell;
use core::cmp::Reverse;

use farkle::{EndingRule, Faces, Keep, Points};

use crate::game::Game;
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
pub struct Turn {
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
    pub(crate) game: Game,
    /// The last answer of [`best_keep`](Turn::best_keep), of no dice when there is none yet, and the
    /// roll that it is for: most agents ask twice.
    pub(crate) best: Cell<(Faces, Keep)>,
    /// How many events [`news`](Turn::news) has told.
    pub(crate) news: Cell<u32>,
    pub(crate) watch: Cell<Watch>,
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) seen: crate::testing::Seen,
}

/// Before one is worked out.
pub(crate) const NO_KEEP: Keep = Keep { dice: Faces::NONE, points: 0 };

impl Turn {
    /// Before the first of a match.
    #[cfg(target_arch = "wasm32")]
    pub(crate) const fn blank() -> Turn {
        Turn {
            roll: Faces::NONE,
            at_risk: 0,
            score: 0,
            best_rival: 0,
            opening_due: 0,
            turns: 0,
            rolls: 0,
            farkles_in_a_row: 0,
            closing: false,
            game: Game::blank(),
            best: Cell::new((Faces::NONE, NO_KEEP)),
            news: Cell::new(0),
            watch: Cell::new(Watch { read: 0, out: 0, reached: None }),
        }
    }

    /// The match that this turn belongs to.
    #[inline]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The most valuable keep of this roll; of equal ones that with the fewest dice. Much faster
    /// than the first of [`legal_keeps`](Turn::legal_keeps), which is the same one.
    ///
    /// # Panics
    ///
    /// When the roll is a farkle; the arena asks for no decision on one.
    #[inline]
    pub fn best_keep(&self) -> Keep {
        let (roll, keep) = self.best.get();
        // A turn has a roll of at least one die.
        if roll == self.roll {
            return keep;
        }
        let Some(keep) = self.game.chart().best_keep(self.roll) else {
            // Not `expect`, which formats its words.
            panic!("a decision is asked for only where a keep is legal");
        };
        self.best.set((self.roll, keep));
        keep
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
        let rules = self.game.ruleset();
        // Fewer dice help only against these two; they never reach an opening that more do not.
        if !rules.exact_landing && !rules.must_roll_hot_dice {
            return None;
        }
        let packed = self.best_bank_of_fewer();
        (packed > 0).then(|| Keep { dice: Faces::from_packed(packed as u32), points: (packed >> 32) as Points })
    }

    /// The same of all keeps, one after another: points above the packed dice, 0 where there is none. A
    /// function of its own, and one that returns a number: agents carry it into every decision, few
    /// rulesets need it, and it would have them use the stack.
    #[cold]
    #[inline(never)]
    fn best_bank_of_fewer(&self) -> u64 {
        let keeps = self.game.chart().legal_keeps(self.roll).filter(|keep| self.can_bank(keep));
        keeps.min_by_key(order).map_or(0, |keep| (keep.points as u64) << 32 | u64::from(keep.dice.packed()))
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
        let rules = self.game.ruleset();
        self.at_risk_with(keep) >= self.opening_due
            && !(rules.must_roll_hot_dice && self.is_hot(keep))
            && !(rules.exact_landing && self.score_with(keep) > rules.target)
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
        let rules = self.game.ruleset();
        let total = self.score_with(keep);
        let wins = match rules.ending {
            EndingRule::ImmediateWin if total >= rules.target => true,
            EndingRule::FinalRound if total >= rules.target && !self.closing => false,
            _ => total > self.best_rival && self.nobody_follows(),
        };
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
        let is_last = self.closing || self.is_last_by_limit();
        is_last && self.game.seats() > 1 && self.score_with(keep) < self.best_rival && !self.wins_by_banking(keep)
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
        let news = self.history(self.news.get());
        self.news.set(self.news.get() + news.len() as u32);
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
        let mut watch = self.watch.get();
        let target = self.game.ruleset().target;
        for event in self.history(watch.read) {
            watch.read += 1;
            match event.kind {
                EventKind::Faulted => watch.out |= 1 << event.seat,
                EventKind::Banked if event.banked >= target => watch.reached = watch.reached.or(Some(event.seat)),
                _ => {}
            }
        }
        self.watch.set(watch);
        watch
    }

    /// Whether no rival has a turn after this one.
    fn nobody_follows(&self) -> bool {
        let seats = self.game.seats();
        if self.closing { seats == 2 } else { seats > 1 && self.game.seat() + 1 == seats && self.is_last_by_limit() }
    }

    /// Whether a fixed number of turns ends the match, for this seat, with this one.
    fn is_last_by_limit(&self) -> bool {
        let rules = self.game.ruleset();
        let limit = match rules.ending {
            EndingRule::Turns => rules.turns.min(self.game.turn_limit()),
            EndingRule::ImmediateWin | EndingRule::FinalRound => self.game.turn_limit(),
        };
        self.turns + 1 >= limit
    }
}

/// Most points first, then fewest dice.
fn order(keep: &Keep) -> (Reverse<Points>, u8, Faces) {
    (Reverse(keep.points), keep.dice.len(), keep.dice)
}
