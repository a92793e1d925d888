//! Bookkeeping beside a match, straight from the words of the rules: who is to move, what every
//! seat has, when it ends and how it ranks. The walks compare a match with it step by step.

use farkle::{Ending, EndingRule, MatchState, Phase, Points, Ruleset};

use crate::slow_scorer::{Counts, SlowScorer, faces};

pub(crate) struct Ledger {
    pub(crate) slow: SlowScorer,
    turn_limit: u32,
    banked: Vec<Points>,
    turns: Vec<u32>,
    farkles_in_a_row: Vec<u32>,
    /// Seats that forfeited, the first one first.
    out: Vec<usize>,
    pub(crate) to_move: usize,
    /// Keeps of this turn, with their points.
    kept: Vec<(Counts, Points)>,
    rolls: u32,
    /// Dice set aside since the last hot dice.
    aside: u8,
    /// The roll on the table.
    pub(crate) roll: Option<Counts>,
    /// Who triggered the final round, and who has played since, in order.
    trigger: Option<usize>,
    closed: Vec<usize>,
    pub(crate) ending: Option<Ending>,
}

impl Ledger {
    pub(crate) fn new(rules: &Ruleset, seats: usize, turn_limit: u32) -> Ledger {
        Ledger {
            slow: SlowScorer::new(rules),
            turn_limit,
            banked: vec![0; seats],
            turns: vec![0; seats],
            farkles_in_a_row: vec![0; seats],
            out: Vec::new(),
            to_move: 0,
            kept: Vec::new(),
            rolls: 0,
            aside: 0,
            roll: None,
            trigger: None,
            closed: Vec::new(),
            ending: None,
        }
    }

    fn rules(&self) -> &Ruleset {
        &self.slow.rules
    }

    fn at_risk(&self) -> Points {
        self.kept.iter().map(|keep| keep.1).sum()
    }

    pub(crate) fn rules_dice(&self) -> u8 {
        self.rules().dice
    }

    /// Dice that are not set aside.
    pub(crate) fn free(&self) -> u8 {
        self.rules().dice - self.aside
    }

    fn is_hot(&self) -> bool {
        self.aside == 0 && !self.kept.is_empty()
    }

    /// The legal keeps of a roll with their points.
    pub(crate) fn legal_keeps(&self, roll: Counts) -> Vec<(Counts, Points)> {
        if self.slow.is_toxic(roll) {
            return Vec::new();
        }
        let size = |keep: &(Counts, Points)| keep.0.iter().sum::<u8>();
        let scored = |part: farkle::Faces| self.slow.score(part.counts()).map(|score| (part.counts(), score.points));
        let mut legal: Vec<_> = faces(roll).parts().filter_map(scored).collect();
        let most = legal.iter().map(size).max();
        legal.retain(|keep| !self.rules().keep_all || Some(size(keep)) == most);
        legal
    }

    /// Whether the turn could be banked after this further keep (rulings 8, 9 and 22).
    pub(crate) fn may_bank(&self, keep: Option<(Counts, Points)>) -> bool {
        let more = keep.map_or(0, |keep| keep.1);
        let hot = match keep {
            Some((dice, _)) => Some(dice) == self.roll,
            None => self.is_hot(),
        };
        let worth = self.at_risk() + more;
        let banked = self.banked[self.to_move];
        (keep.is_some() || (self.roll.is_none() && !self.kept.is_empty()))
            && (banked > 0 || worth >= self.rules().opening)
            && !(hot && self.rules().must_roll_hot_dice)
            && !(self.rules().exact_landing && banked + worth > self.rules().target)
    }

    /// A roll; returns what a farkle loses and whether it costs the penalty (rulings 6 and 10).
    pub(crate) fn rolled(&mut self, roll: Counts) -> Option<(Points, bool)> {
        self.rolls += 1;
        if !self.legal_keeps(roll).is_empty() {
            self.roll = Some(roll);
            return None;
        }
        let (seat, lost) = (self.to_move, self.at_risk());
        let (penalty, after, floor) = (self.rules().penalty, self.rules().penalty_after, self.rules().penalty_floor);
        self.farkles_in_a_row[seat] += 1;
        let costs = penalty > 0 && self.farkles_in_a_row[seat] == after;
        if costs {
            self.farkles_in_a_row[seat] = 0;
            self.banked[seat] -= penalty;
            if floor && self.banked[seat] < 0 {
                self.banked[seat] = 0;
            }
        }
        self.turn_over();
        Some((lost, costs))
    }

    pub(crate) fn keeps(&mut self, keep: (Counts, Points)) {
        self.roll = None;
        self.kept.push(keep);
        self.aside += keep.0.iter().sum::<u8>();
        if self.aside == self.rules().dice {
            self.aside = 0;
        }
        if self.rules().six_wins && keep.0.contains(&6) {
            self.ending = Some(Ending::OutrightWin);
        }
    }

    pub(crate) fn banks(&mut self) {
        let seat = self.to_move;
        self.banked[seat] += self.at_risk();
        self.farkles_in_a_row[seat] = 0;
        let reached = self.rules().ending != EndingRule::Turns && self.banked[seat] >= self.rules().target;
        let was_closing = self.trigger.is_some();
        if reached && !was_closing && self.rules().ending == EndingRule::FinalRound {
            self.trigger = Some(seat);
        }
        self.turn_over();
        if reached && self.rules().ending == EndingRule::ImmediateWin {
            self.ending = Some(Ending::ImmediateWin);
        }
    }

    pub(crate) fn forfeits(&mut self, seat: usize) {
        self.out.push(seat);
        let left = self.banked.len() - self.out.len();
        if left == 0 || (left == 1 && self.banked.len() > 1) {
            self.ending = Some(Ending::Forfeit);
        } else if seat == self.to_move {
            self.pass();
        }
    }

    fn turn_over(&mut self) {
        let seat = self.to_move;
        self.turns[seat] += 1;
        if self.trigger.is_some_and(|trigger| trigger != seat) {
            self.closed.push(seat);
        }
        self.pass();
    }

    /// In seat order to the next that has a turn to play (rulings 12 to 15).
    fn pass(&mut self) {
        self.kept.clear();
        self.rolls = 0;
        self.aside = 0;
        self.roll = None;
        let by_ruleset = self.rules().ending == EndingRule::Turns && self.rules().turns <= self.turn_limit;
        let limit = if by_ruleset { self.rules().turns } else { self.turn_limit };
        let seats = self.banked.len();
        for step in 1..=seats {
            let seat = (self.to_move + step) % seats;
            let has_turn = match self.trigger {
                Some(trigger) => seat != trigger && !self.closed.contains(&seat),
                None => self.turns[seat] < limit,
            };
            if has_turn && !self.out.contains(&seat) {
                self.to_move = seat;
                return;
            }
        }
        self.ending = Some(match self.trigger {
            Some(_) => Ending::FinalRound,
            None if by_ruleset => Ending::Turns,
            None => Ending::TurnLimit,
        });
    }

    /// Ranks from the best group of equals down: shared ranks, the next one skips.
    fn ranks(&self) -> Vec<u32> {
        let seats = self.banked.len();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        if self.ending == Some(Ending::OutrightWin) {
            groups.push(vec![self.to_move]);
        }
        let placed = |groups: &[Vec<usize>], seat: usize| groups.iter().flatten().any(|other| *other == seat);
        let mut scores = self.banked.clone();
        scores.sort_unstable();
        scores.dedup();
        for score in scores.into_iter().rev() {
            let equals = (0..seats).filter(|seat| self.banked[*seat] == score && !self.out.contains(seat));
            let equals = equals.filter(|seat| !placed(&groups, *seat)).collect();
            groups.push(equals);
        }
        groups.extend(self.out.iter().rev().map(|seat| vec![*seat]));
        let mut ranks = vec![0; seats];
        let mut above = 0;
        for group in groups {
            for seat in &group {
                ranks[*seat] = above + 1;
            }
            above += group.len() as u32;
        }
        ranks
    }

    /// Everything that a match shows must be what the bookkeeping says.
    pub(crate) fn compare(&self, game: &MatchState) {
        let rules = self.rules();
        for (seat, state) in game.seats().iter().enumerate() {
            assert_eq!(state.banked, self.banked[seat], "banked by seat {seat} under {rules:?}");
            assert_eq!(state.turns, self.turns[seat], "turns of seat {seat}");
            assert_eq!(state.farkles_in_a_row, self.farkles_in_a_row[seat], "farkles of seat {seat}");
            let order = self.out.iter().position(|out| *out == seat).map(|order| order as u32);
            assert_eq!(state.forfeited, order, "forfeit of seat {seat}");
        }
        if let Some(ending) = self.ending {
            assert_eq!(game.phase(), Phase::Over(ending), "under {rules:?}");
            assert_eq!(game.to_move(), None);
            let result = game.result().expect("a match that is over has a result");
            assert_eq!((&result.scores, result.ending), (&self.banked, ending));
            assert_eq!(result.ranks, self.ranks(), "{:?} by {:?} under {rules:?}", result, self.out);
            self.compare_closing(ending);
            return;
        }
        assert_eq!(game.result(), None);
        assert_eq!(game.to_move(), Some(self.to_move), "under {rules:?}");
        assert_eq!(game.at_risk(), self.at_risk(), "turn points are the sum of the keeps");
        assert_eq!(game.rolls(), self.rolls);
        assert_eq!(game.is_closing(), self.trigger.is_some());
        let own = self.banked[self.to_move];
        assert_eq!(game.opening_due(), if own > 0 { 0 } else { rules.opening });
        let rivals = (0..self.banked.len()).filter(|seat| *seat != self.to_move && !self.out.contains(seat));
        assert_eq!(game.best_rival(), rivals.map(|seat| self.banked[seat]).max().unwrap_or(0));
        // Kept and free dice make up the ruleset's dice.
        let (free, hot) = match game.phase() {
            Phase::ToRoll { dice } => {
                assert!(self.kept.is_empty());
                (dice, false)
            }
            Phase::ToKeep { roll } => {
                assert_eq!(Some(roll.counts()), self.roll);
                (roll.len(), self.is_hot())
            }
            Phase::ToChoose { dice, hot } => (dice, hot),
            Phase::Over(_) => unreachable!(),
        };
        assert_eq!((free, hot), (self.free(), self.is_hot()));
        assert_eq!(free + self.aside, rules.dice);
    }

    /// Closing turns: in seat order from the trigger on, one each for all that stayed.
    fn compare_closing(&self, ending: Ending) {
        let Some(trigger) = self.trigger else { return };
        let seats = self.banked.len();
        let round: Vec<usize> = (1..seats).map(|step| (trigger + step) % seats).collect();
        let mut rest = round.iter();
        for seat in &self.closed {
            assert!(rest.any(|due| due == seat), "{:?} closed out of order after {trigger}", self.closed);
        }
        if ending == Ending::FinalRound {
            for seat in round {
                assert!(self.closed.contains(&seat) || self.out.contains(&seat), "seat {seat} had no closing turn");
            }
        }
    }
}
