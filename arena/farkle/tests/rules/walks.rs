//! Random walks through matches of drawn rulesets: every step against the bookkeeping, every
//! illegal action refused without a trace.

use std::collections::BTreeMap;
use std::sync::Arc;

use farkle::{
    Decision, Ending, Faces, Fallen, IllegalAction, IllegalBank, MatchState, Next, Phase, Ruleset, ScoreTable,
};

use crate::drawn_rulesets::{Draw, presets_and_variants};
use crate::ledger::Ledger;
use crate::slow_scorer::{Counts, count, faces};

/// What of a match can be seen, with what seats owe.
fn seen(game: &MatchState) -> impl PartialEq + std::fmt::Debug + use<> {
    (
        game.phase(),
        game.to_move(),
        game.seats().to_vec(),
        game.at_risk(),
        game.rolls(),
        game.is_closing(),
        game.result(),
    )
}

struct Walk {
    draw: Draw,
    game: MatchState,
    ledger: Ledger,
    steps: usize,
}

impl Walk {
    fn roll(&mut self, dice: u8) -> Counts {
        // Now and then dice that are alike, so that rare combinations come.
        let few = 1 + self.draw.below(6);
        count((0..dice).map(|_| 1 + self.draw.below(few) as u8).collect::<Vec<_>>())
    }

    /// Refused, and nothing has changed.
    fn refused<T: std::fmt::Debug>(
        &mut self,
        what: &str,
        act: impl FnOnce(&mut MatchState) -> Result<T, IllegalAction>,
    ) -> IllegalAction {
        let before = seen(&self.game);
        let error = act(&mut self.game).expect_err(what);
        assert_eq!(seen(&self.game), before, "{what}");
        error
    }

    fn refuses_all_that_is_illegal(&mut self) {
        // Every few steps the whole state is compared, fields that nothing shows included.
        let whole = self.steps.is_multiple_of(5).then(|| format!("{:?}", self.game));
        let dice = self.ledger.rules_dice();
        let any = faces(self.roll(dice));
        let decision = Decision { keep: any, next: self.draw.pick(&[Next::Roll, Next::Bank]) };
        let wrong = (0..=6).filter(|n| *n != self.ledger.free()).collect::<Vec<u8>>();
        let wrong = self.draw.pick(&wrong);
        let wrong_roll = faces(self.roll(wrong));
        match self.game.phase() {
            Phase::ToRoll { .. } => {
                assert_eq!(self.refused("keep", |g| g.keep(any)), IllegalAction::NoRoll);
                assert_eq!(self.refused("decide", |g| g.decide(decision)), IllegalAction::NoRoll);
                assert_eq!(self.refused("bank", MatchState::bank), IllegalBank::NothingKept.into());
                self.refused("wrong number of dice", |g| g.roll(wrong_roll));
            }
            Phase::ToKeep { roll } => {
                assert_eq!(self.refused("roll", |g| g.roll(any)), IllegalAction::RollPending);
                assert_eq!(self.refused("bank", MatchState::bank), IllegalBank::NothingKept.into());
                self.refuses_illegal_keeps(roll, any);
            }
            Phase::ToChoose { .. } => {
                assert_eq!(self.refused("keep", |g| g.keep(any)), IllegalAction::NoRoll);
                assert_eq!(self.refused("decide", |g| g.decide(decision)), IllegalAction::NoRoll);
                self.refused("wrong number of dice", |g| g.roll(wrong_roll));
                let may_bank = self.ledger.may_bank(None);
                assert_eq!(self.game.can_bank().is_ok(), may_bank);
                if !may_bank {
                    self.refused("bank", MatchState::bank);
                }
            }
            Phase::Over(_) => {
                assert_eq!(self.refused("keep", |g| g.keep(any)), IllegalAction::Over);
                assert_eq!(self.refused("decide", |g| g.decide(decision)), IllegalAction::Over);
                assert_eq!(self.refused("bank", MatchState::bank), IllegalAction::Over);
                assert_eq!(self.refused("roll", |g| g.roll(any)), IllegalAction::Over);
                for seat in 0..self.game.seats().len() {
                    assert_eq!(self.refused("forfeit", |g| g.forfeit(seat)), IllegalAction::Over);
                }
            }
        }
        let seats = self.game.seats().len();
        self.refused("no such seat", |g| g.forfeit(seats));
        if let Some(out) = self.game.seats().iter().position(|seat| seat.forfeited.is_some()) {
            self.refused("forfeit again", |g| g.forfeit(out));
        }
        if let Some(before) = whole {
            assert_eq!(format!("{:?}", self.game), before);
        }
    }

    fn refuses_illegal_keeps(&mut self, roll: Faces, any: Faces) {
        let legal = self.ledger.legal_keeps(roll.counts());
        let is_legal = |keep: Faces| legal.iter().any(|legal| legal.0 == keep.counts());
        for keep in roll.parts().chain([any, Faces::NONE]).filter(|keep| !is_legal(*keep)) {
            self.refused("illegal keep", |g| g.keep(keep));
            self.refused("illegal keep", |g| g.decide(Decision { keep, next: Next::Roll }));
            self.refused("illegal keep", |g| g.decide(Decision { keep, next: Next::Bank }));
        }
        for keep in legal {
            let wins = self.ledger.slow.rules.six_wins && keep.0.contains(&6);
            if !wins && !self.ledger.may_bank(Some(keep)) {
                let decision = Decision { keep: faces(keep.0), next: Next::Bank };
                let error = self.refused("illegal bank", |g| g.decide(decision));
                assert!(matches!(error, IllegalAction::Bank(_)), "{error:?}");
            }
        }
    }

    fn step(&mut self) {
        if self.draw.one_in(80) {
            let seat = self.draw.below(self.game.seats().len());
            if self.game.seats()[seat].forfeited.is_none() {
                self.game.forfeit(seat).unwrap();
                self.ledger.forfeits(seat);
                return;
            }
        }
        match self.game.phase() {
            Phase::ToKeep { roll } => self.keep(roll),
            Phase::ToChoose { .. } if self.ledger.may_bank(None) && self.draw.one_in(2) => self.bank(),
            _ => {
                let roll = self.roll(self.ledger.free());
                let farkle = self.game.roll(faces(roll)).unwrap();
                let expected = self.ledger.rolled(roll);
                assert_eq!(farkle.map(|farkle| (farkle.lost, farkle.penalised)), expected);
            }
        }
    }

    fn bank(&mut self) {
        let points = self.game.at_risk();
        let before = self.game.seats()[self.ledger.to_move].banked;
        let bank = self.game.bank().unwrap();
        assert_eq!((bank.points, bank.banked), (points, before + points));
        self.ledger.banks();
    }

    /// Keeps and goes on: as one action or as two, which must come to the same.
    fn keep(&mut self, roll: Faces) {
        let legal = self.ledger.legal_keeps(roll.counts());
        let keep = self.draw.pick(&legal);
        let bank = self.ledger.may_bank(Some(keep)) && self.draw.one_in(2);
        let dice = faces(keep.0);
        let mut other = self.game.clone();
        let next = if bank { Next::Bank } else { Next::Roll };
        let kept = other.decide(Decision { keep: dice, next }).unwrap();
        assert_eq!(self.game.keep(dice), Ok(keep.1));
        assert_eq!((kept.points, kept.at_risk), (keep.1, self.game.at_risk()));
        self.ledger.keeps(keep);
        if self.ledger.ending.is_some() {
            assert_eq!(kept.then, Fallen::Wins);
        } else if bank {
            self.ledger.compare(&self.game);
            let banked = self.game.bank().unwrap();
            assert_eq!(kept.then, Fallen::Banked(banked));
            self.ledger.banks();
        } else {
            assert_eq!(kept.then, Fallen::Rolls(self.ledger.free()));
        }
        assert_eq!(seen(&self.game), seen(&other));
    }
}

/// Walks one match to its end.
fn walk(rules: &Ruleset, seats: usize, turn_limit: u32, draw: Draw) -> (Draw, Ending) {
    let game = MatchState::new(Arc::new(ScoreTable::new(rules)), seats, turn_limit);
    let mut walk = Walk { draw, game, ledger: Ledger::new(rules, seats, turn_limit), steps: 0 };
    loop {
        walk.ledger.compare(&walk.game);
        walk.refuses_all_that_is_illegal();
        if let Some(ending) = walk.ledger.ending {
            walk.game.restart();
            let fresh = MatchState::new(walk.game.table().clone(), seats, turn_limit);
            assert_eq!(seen(&walk.game), seen(&fresh), "a restart leaves nothing of the match before");
            return (walk.draw, ending);
        }
        walk.step();
        walk.steps += 1;
        assert!(walk.steps < 100_000, "no end under {rules:?}");
    }
}

#[test]
fn random_matches_go_as_the_rules_say() {
    let mut draw = Draw::new(5);
    let mut endings: BTreeMap<Ending, usize> = BTreeMap::new();
    let mut seats_seen = [0; 13];
    for _ in 0..500 {
        let rules = draw.ruleset();
        let seats = 1 + draw.below(12);
        let turn_limit = 1 + draw.below(15) as u32;
        let ending;
        (draw, ending) = walk(&rules, seats, turn_limit, draw);
        *endings.entry(ending).or_default() += 1;
        seats_seen[seats] += 1;
    }
    let all = [
        Ending::ImmediateWin,
        Ending::FinalRound,
        Ending::Turns,
        Ending::TurnLimit,
        Ending::OutrightWin,
        Ending::Forfeit,
    ];
    for ending in all {
        assert!(endings.get(&ending).is_some_and(|n| *n >= 3), "{ending:?}: {endings:?}");
    }
    assert!(seats_seen[1..].iter().all(|n| *n > 10), "{seats_seen:?}");
}

#[test]
fn random_matches_at_the_presets_tables_go_as_the_rules_say() {
    let mut draw = Draw::new(6);
    for rules in presets_and_variants() {
        for seats in [1, 2, 3, 12] {
            (draw, _) = walk(&rules, seats, 40, draw);
        }
    }
}
