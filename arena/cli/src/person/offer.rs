//! What a roll offers a person: every legal keep with its price.
//!
//! Owns the list of keeps, and why something is not on it. Refuses to judge: the rules do, asked
//! about every keep beforehand.

use std::cmp::Ordering;

use arena_core::rulebook::{counted, dashed, thousands};
use farkle::{Decision, Faces, Fallen, IllegalAction, IllegalBank, MatchState, Next, Phase, Points};

use super::input::Wanted;
use crate::commands::keeps::keeps;

/// The legal keeps of a roll, the most valuable first.
pub(super) struct Offer {
    /// The match with the roll on the table.
    state: MatchState,
    pub(super) roll: Faces,
    pub(super) keeps: Vec<Priced>,
}

/// A legal keep and what it leads to.
pub(super) struct Priced {
    pub(super) dice: Faces,
    pub(super) points: Points,
    /// Points at risk with it.
    pub(super) at_risk: Points,
    /// The dice of the next roll; none where the keep wins the match.
    pub(super) rolls: Option<u8>,
    /// Whether all dice are set aside.
    pub(super) hot: bool,
    /// The total that banking makes, or why it may not be banked.
    pub(super) bank: Result<Points, IllegalBank>,
}

impl Offer {
    /// What the roll on the table of this match offers; none where there is no roll to keep from.
    pub(super) fn new(state: MatchState) -> Option<Offer> {
        let Phase::ToKeep { roll } = state.phase() else { return None };
        let banked = state.seats()[state.to_move()?].banked;
        let price = |keep: farkle::Keep| {
            let kept = state.clone().decide(keep.roll()).ok()?;
            let bank = match state.clone().decide(keep.bank()) {
                Ok(kept) => Ok(banked + kept.at_risk),
                Err(IllegalAction::Bank(why)) => Err(why),
                Err(_) => return None,
            };
            let rolls = match kept.then {
                Fallen::Rolls(dice) => Some(dice),
                Fallen::Wins | Fallen::Banked(_) => None,
            };
            let (points, at_risk) = (kept.points, kept.at_risk);
            Some(Priced { dice: keep.dice, points, at_risk, rolls, hot: keep.dice == roll, bank })
        };
        let keeps = keeps(state.table().chart(), roll).into_iter().filter_map(price).collect();
        Some(Offer { roll, keeps, state })
    }

    /// The keep that somebody names.
    ///
    /// # Errors
    ///
    /// Why there is none, in words.
    pub(super) fn find(&self, wanted: Wanted) -> Result<&Priced, String> {
        match wanted {
            Wanted::Number(number) => self.keeps.get(number - 1).ok_or_else(|| {
                let there = match self.keeps.len() {
                    1 => "there is only number 1".to_owned(),
                    n => format!("there are 1 to {n}"),
                };
                let die =
                    self.keeps.iter().find(|keep| keep.dice.len() == 1 && keep.dice.to_string() == number.to_string());
                let meant = die.map_or(String::new(), |keep| format!("; for the single {} type `keep {0}`", keep.dice));
                format!("there is no keep number {number}: {there}{meant}")
            }),
            Wanted::Dice(dice) => self.keeps.iter().find(|keep| keep.dice == dice).ok_or_else(|| self.why_not(dice)),
        }
    }

    /// What may be typed, in one line.
    pub(super) fn allowed(&self) -> String {
        const MOST: usize = 6;
        let mut keeps: Vec<String> = self.keeps.iter().take(MOST).map(|keep| dashed(keep.dice)).collect();
        if self.keeps.len() > MOST {
            keeps.push(format!("{} more of the list", self.keeps.len() - MOST));
        }
        let then = match self.keeps.iter().filter(|keep| keep.bank.is_ok()).count() {
            0 => "`roll`",
            n if n == self.keeps.len() => "`roll` or `bank`",
            _ => "`roll`, or `bank` where the list says so",
        };
        let numbers = if self.keeps.len() == 1 { "1".to_owned() } else { format!("1 to {}", self.keeps.len()) };
        format!("a keep by number, {numbers}, or dice, {}, and then {then}", keeps.join(" or "))
    }

    /// Whether a decision is one that the rules allow.
    pub(super) fn check(&self, decision: Decision) -> Result<(), String> {
        self.state.clone().decide(decision).map(|_| ()).map_err(|illegal| match illegal {
            IllegalAction::Bank(why) => no_bank(&why),
            other => other.to_string(),
        })
    }

    fn why_not(&self, dice: Faces) -> String {
        let roll = self.roll;
        if let Some(face) = (1..=6).find(|face| dice.count(*face) > roll.count(*face)) {
            let shows = match roll.count(face) {
                0 => format!("there is no {face} in this roll"),
                n => format!("this roll has {n} of the {} {face}s", dice.count(face)),
            };
            return format!("{shows}, which is {}", dashed(roll));
        }
        match self.check(Decision { keep: dice, next: Next::Roll }) {
            Err(why) => why,
            Ok(()) => format!("{} is not on the list", dashed(dice)),
        }
    }
}

/// Why points may not be banked, for who would like to.
pub(super) fn no_bank(why: &IllegalBank) -> String {
    match why {
        IllegalBank::BelowOpening { at_risk, opening } => {
            format!(
                "{} is {} short of the opening of {}",
                thousands(*at_risk),
                thousands(opening - at_risk),
                thousands(*opening)
            )
        }
        IllegalBank::HotDice => "hot dice must be rolled here".to_owned(),
        IllegalBank::PassesTarget { total, target, .. } => {
            format!("{} is {} past the target, which must be met exactly", thousands(*total), thousands(total - target))
        }
        other => other.to_string(),
    }
}

impl Priced {
    /// What rolling on means.
    pub(super) fn then(&self) -> String {
        match (self.rolls, self.hot) {
            (None, _) => "wins the match".to_owned(),
            (Some(dice), true) => format!("hot dice: all {dice}"),
            (Some(1), _) => "1 die".to_owned(),
            (Some(dice), _) => format!("{dice} dice"),
        }
    }

    /// What banking means.
    pub(super) fn banking(&self, target: Points) -> String {
        match &self.bank {
            Ok(_) if self.rolls.is_none() => String::new(),
            Ok(total) => {
                let reached = match (target, total.cmp(&target)) {
                    (1.., Ordering::Equal | Ordering::Greater) => ", the target",
                    _ => "",
                };
                format!("bank: {}{reached}", thousands(*total))
            }
            Err(IllegalBank::BelowOpening { at_risk, opening }) => {
                format!("no bank: {} short of the opening", thousands(opening - at_risk))
            }
            Err(IllegalBank::PassesTarget { total, target, .. }) => {
                format!("no bank: {} past the target", thousands(total - target))
            }
            Err(why) => format!("no bank: {}", no_bank(why)),
        }
    }

    /// As in a sentence.
    pub(super) fn named(&self) -> String {
        format!("{} for {}", dashed(self.dice), counted(self.points, "point"))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use farkle::{Ruleset, ScoreTable, presets};

    use super::*;

    fn offer(rules: &Ruleset, roll: &str) -> Offer {
        let mut state = MatchState::new(Arc::new(ScoreTable::new(rules)), 2, 1_000);
        assert_eq!(state.roll(roll.parse().unwrap()), Ok(None));
        Offer::new(state).unwrap()
    }

    fn dice(text: &str) -> Wanted {
        Wanted::Dice(text.parse().unwrap())
    }

    /// By hand: 1s are 100, 5s 50, the opening 500.
    #[test]
    fn keeps_are_priced() {
        let offer = offer(&presets::MY_TURN_YET, "112356");
        let listed: Vec<_> =
            offer.keeps.iter().map(|k| (k.dice.to_string(), k.points, k.rolls, k.banking(10_000))).collect();
        let short = |points: Points| format!("no bank: {} short of the opening", 500 - points);
        let expected = [("115", 250, 3), ("11", 200, 4), ("15", 150, 4), ("1", 100, 5), ("5", 50, 5)];
        let expected: Vec<_> = expected
            .iter()
            .map(|(dice, points, left)| ((*dice).to_owned(), *points, Some(*left), short(*points)))
            .collect();
        assert_eq!(listed, expected);
    }

    #[test]
    fn hot_dice_and_targets_have_their_words() {
        let rules = Ruleset { must_roll_hot_dice: true, ..presets::PLAY_TABLE };
        let hot = &offer(&rules, "123456").keeps[0];
        assert_eq!(
            (hot.then().as_str(), hot.banking(10_000).as_str()),
            ("hot dice: all 6", "no bank: hot dice must be rolled here")
        );
        let rules = Ruleset { target: 1_000, exact_landing: true, ..presets::PLAY_TABLE };
        let offered = offer(&rules, "123456");
        let past = "no bank: 500 past the target";
        assert_eq!(offered.keeps[0].banking(1_000), past);
        let rules = Ruleset { target: 1_000, ..presets::PLAY_TABLE };
        assert_eq!(offer(&rules, "123456").keeps[0].banking(1_000), "bank: 1,500, the target");
        let rules = Ruleset { six_wins: true, ..presets::PLAY_TABLE };
        let six = &offer(&rules, "222222").keeps[0];
        assert_eq!((six.then().as_str(), six.banking(10_000).as_str()), ("wins the match", ""));
    }

    #[test]
    fn what_is_not_offered_has_its_reason() {
        let offered = offer(&presets::IMMEDIATE_WIN, "112356");
        for (wanted, says) in [
            (dice("4"), "there is no 4 in this roll, which is 1-1-2-3-5-6"),
            (dice("111"), "this roll has 2 of the 3 1s, which is 1-1-2-3-5-6"),
            (dice("12"), "2 left over scores nothing"),
            (Wanted::Number(6), "there is no keep number 6: there are 1 to 5"),
        ] {
            let said = offered.find(wanted).err().unwrap();
            assert!(said.contains(says), "{said}");
        }
        assert_eq!(offered.find(dice("511")).unwrap().points, 250);
        assert_eq!(offered.find(Wanted::Number(5)).unwrap().dice.to_string(), "5");
        let single = offer(&presets::IMMEDIATE_WIN, "223456");
        let said = single.find(Wanted::Number(5)).err().unwrap();
        assert_eq!(said, "there is no keep number 5: there is only number 1; for the single 5 type `keep 5`");
        let all = Ruleset { keep_all: true, ..presets::PLAY_TABLE };
        assert!(offer(&all, "112356").find(dice("1")).err().unwrap().contains("3 dice must be kept"));
    }
}
