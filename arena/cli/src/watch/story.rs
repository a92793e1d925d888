//! A match as it is watched: what is known at every place of it.
//!
//! Owns the scores, the chances to win and the play-by-play by place. Refuses to draw, and records that
//! could be no match's.

use arena_core::analysis::{Analysis, BLUNDER, Roll};
use arena_core::{Event, Record, What};
use farkle::{Chart, Faces, Points};

use super::state::Outline;
use crate::failure::Failure;
use crate::harmless::one_line;
use crate::play_by_play::{self, heading};

/// A line of the play-by-play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Told {
    /// The first place where it is known.
    pub(super) place: usize,
    pub(super) text: String,
    /// Whose turn it is.
    pub(super) is_heading: bool,
    pub(super) is_blunder: bool,
}

/// What best play says of a match.
pub(super) struct Judged {
    /// By place: the chance of seat 0 to win.
    pub(super) chances: Vec<f64>,
    /// By event: the roll, if it was one.
    pub(super) rolls: Vec<Option<Roll>>,
    pub(super) analysis: Analysis,
}

/// A match, ready to be watched.
pub(crate) struct Story {
    /// What happened; strangers' names are harmless.
    pub(super) record: Record,
    /// The ruleset, the seed, and where the match is from.
    pub(super) title: String,
    pub(super) chart: Chart,
    pub(super) outline: Outline,
    /// By event: the banked scores after it.
    scores: Vec<Vec<Points>>,
    /// By event: which roll of its turn it is, from 1.
    pub(super) rolls: Vec<u32>,
    pub(super) told: Vec<Told>,
    pub(super) judged: Option<Judged>,
    /// Why nothing is judged, where somebody might wonder.
    pub(super) not_judged: Option<String>,
}

impl Story {
    /// Of a record, with the judgement of its decisions or why there is none. `from` says where it is from,
    /// if not from here.
    ///
    /// # Errors
    ///
    /// A record whose keeps are not among the dice.
    pub(crate) fn new(
        mut record: Record,
        from: Option<&str>,
        analysis: Result<Analysis, Option<String>>,
    ) -> Result<Story, Failure> {
        for seat in &mut record.seats {
            seat.name = one_line(&seat.name);
        }
        record.ruleset.name = one_line(&record.ruleset.name).into();
        let shown = from.map_or(String::new(), |from| format!(", {}", one_line(from)));
        for (number, event) in (1..).zip(&record.events) {
            if let Some((roll, keep)) = kept(event)
                && !roll.contains(keep)
            {
                return Err(Failure::usage(format!(
                    "event {number} keeps {} of {}{shown}: no match has that",
                    play_by_play::dice(keep),
                    play_by_play::dice(roll)
                )));
            }
        }
        let title = format!("{}, seed {}{shown}", record.ruleset.name, record.seed);
        let (judged, not_judged) = match analysis {
            Ok(analysis) => (Some(Judged::new(&record, analysis)), None),
            Err(why) => (None, why),
        };
        let mut story = Story {
            title,
            chart: Chart::new(&record.ruleset),
            outline: Outline { last: record.events.len() + 1, is_judged: judged.is_some(), ..Outline::default() },
            scores: Vec::with_capacity(record.events.len()),
            rolls: Vec::with_capacity(record.events.len()),
            told: Vec::new(),
            judged,
            not_judged,
            record,
        };
        story.go_through();
        Ok(story)
    }

    fn go_through(&mut self) {
        let mut scores = vec![0; self.record.seats.len()];
        let mut turn = None;
        let mut roll = 0;
        for (place, event) in (1..).zip(&self.record.events) {
            roll += 1;
            if turn != Some((event.seat, event.turn)) {
                turn = Some((event.seat, event.turn));
                roll = 1;
                self.outline.turns.push(place);
                let text = heading(&self.record.seats[usize::from(event.seat)].name, event.turn);
                self.told.push(Told { place, text, is_heading: true, is_blunder: false });
            }
            let own = &mut scores[usize::from(event.seat)];
            match &event.what {
                What::Banked { banked, .. } | What::Farkled { penalty: Some((_, banked)), .. } => *own = *banked,
                What::Rolled(_) | What::Won(_) | What::Farkled { .. } | What::Faulted { .. } => {}
            }
            self.scores.push(scores.clone());
            self.rolls.push(roll);
            let is_blunder = self.judged.as_ref().is_some_and(|judged| judged.is_blunder(place));
            if is_blunder {
                self.outline.blunders.push(place);
            }
            let line = play_by_play::line(event);
            let lines = line.split('\n').enumerate().map(|(number, line)| Told {
                place,
                text: format!("{}{line}", if is_blunder && number == 0 { "! " } else { "  " }),
                is_heading: false,
                is_blunder,
            });
            self.told.extend(lines);
        }
        let place = self.outline.last;
        for (number, line) in play_by_play::outcome(&self.record).split('\n').enumerate() {
            self.told.push(Told { place, text: line.to_owned(), is_heading: number == 0, is_blunder: false });
        }
    }

    /// The event that is shown at a place; none before the first roll and with the result.
    pub(super) fn event(&self, place: usize) -> Option<&Event> {
        place.checked_sub(1).and_then(|event| self.record.events.get(event))
    }

    /// Whether a place is the result.
    pub(super) fn is_over(&self, place: usize) -> bool {
        place >= self.outline.last
    }

    /// The banked score of a seat at a place.
    pub(super) fn score(&self, place: usize, seat: usize) -> Points {
        match place.checked_sub(1) {
            None => 0,
            Some(event) => self.scores.get(event).unwrap_or(&self.record.result.scores)[seat],
        }
    }

    /// The points that the seat to move has not banked at a place.
    pub(super) fn at_risk(&self, place: usize) -> Points {
        match self.event(place).map(|event| &event.what) {
            Some(What::Rolled(keep) | What::Won(keep)) => keep.at_risk,
            _ => 0,
        }
    }

    /// Whether a seat has forfeited at a place.
    pub(super) fn has_forfeited(&self, place: usize, seat: usize) -> bool {
        let happened = self.record.events.iter().take(place);
        happened.filter_map(Event::fault).any(|(at, ..)| usize::from(at) == seat)
    }

    /// The play-by-play up to a place.
    pub(super) fn told_until(&self, place: usize) -> &[Told] {
        &self.told[..self.told.partition_point(|told| told.place <= place)]
    }
}

/// The dice of an event that keeps some, and those that it keeps.
pub(super) fn kept(event: &Event) -> Option<(Faces, Faces)> {
    match &event.what {
        What::Rolled(keep) | What::Won(keep) | What::Banked { keep, .. } => Some((keep.roll, keep.keep)),
        What::Farkled { .. } | What::Faulted { .. } => None,
    }
}

impl Judged {
    /// Of a match of two.
    fn new(record: &Record, analysis: Analysis) -> Judged {
        let mut rolls = vec![None; record.events.len()];
        for roll in &analysis.rolls {
            rolls[roll.moment.event] = Some(*roll);
        }
        let mut chance = analysis.start;
        let mut chances = vec![chance];
        for (event, roll) in record.events.iter().zip(&rolls) {
            let own = match (&event.what, roll) {
                (What::Faulted { .. }, _) => Some(0.0),
                (_, Some(roll)) => Some(roll.decided.map_or(roll.after, |decided| decided.value)),
                (_, None) => None,
            };
            if let Some(own) = own {
                chance = if event.seat == 0 { own } else { 1.0 - own };
            }
            chances.push(chance);
        }
        let result = &record.result;
        chances.push(match (result.ranks[0], result.ranks[1]) {
            (own, other) if own < other => 1.0,
            (own, other) if own > other => 0.0,
            _ => 0.5,
        });
        Judged { chances, rolls, analysis }
    }

    /// The roll of a place, judged.
    pub(super) fn roll(&self, place: usize) -> Option<&Roll> {
        place.checked_sub(1).and_then(|event| self.rolls.get(event)).and_then(Option::as_ref)
    }

    /// Whether the decision of a place was a blunder.
    pub(super) fn is_blunder(&self, place: usize) -> bool {
        self.roll(place).is_some_and(|roll| roll.loss() >= BLUNDER)
    }
}

#[cfg(test)]
mod tests {
    use super::super::played::{TWO_SEATS, all, record, short, story};
    use super::*;

    /// Read off the record by hand.
    #[test]
    fn every_place_knows_the_scores() {
        let story = story(Record::from_json(TWO_SEATS).unwrap());
        let scores: Vec<[Points; 2]> = (0..=6).map(|place| [0, 1].map(|seat| story.score(place, seat))).collect();
        assert_eq!(scores, [[0, 0], [0, 0], [0, 0], [0, 0], [0, 500], [1050, 500], [1050, 500]]);
        let at_risk: Vec<Points> = (0..=6).map(|place| story.at_risk(place)).collect();
        assert_eq!(at_risk, [0, 250, 0, 450, 0, 0, 0]);
        assert_eq!((&story.outline.turns, story.outline.last), (&vec![1, 3, 5], 6));
        assert_eq!(story.rolls, [1, 2, 1, 2, 1]);
    }

    /// The scores of the events lead to those of the result, in every match.
    #[test]
    fn the_last_event_leads_to_the_result() {
        for story in all() {
            let (last, result) = (story.outline.last, &story.record.result);
            for seat in 0..story.record.seats.len() {
                assert_eq!(story.score(last - 1, seat), result.scores[seat]);
                assert_eq!(story.score(last, seat), result.scores[seat]);
                let forfeited = result.faults.iter().any(|fault| usize::from(fault.seat) == seat);
                assert_eq!((story.has_forfeited(0, seat), story.has_forfeited(last, seat)), (false, forfeited));
            }
        }
    }

    /// Nothing is told before it has happened, and everything in the end.
    #[test]
    fn the_play_by_play_grows_as_the_match_does() {
        for story in all() {
            let told = play_by_play::tell(&story.record, &[], Default::default());
            let all = story.told_until(story.outline.last);
            for line in told.lines().skip(1 + story.record.seats.len()).filter(|line| !line.is_empty()) {
                let line = line.trim_start();
                let has = |told: &Told| told.text.trim_start_matches(['!', ' ']) == line;
                assert!(line.starts_with("hash ") || all.iter().any(has), "{line}");
            }
            for place in 0..story.outline.last {
                assert!(story.told_until(place).iter().all(|told| told.place <= place));
                assert!(story.told_until(place).len() < story.told_until(place + 1).len());
            }
        }
    }

    /// From one place to the next a chance changes by the luck of the roll and by what the decision lost.
    #[test]
    fn chances_change_by_luck_and_loss() {
        let story = story(record(&short(), 3, &["left", "right"]));
        let judged = story.judged.as_ref().unwrap();
        assert_eq!(judged.chances.len(), story.outline.last + 1);
        assert!((judged.chances[0] - 0.610_787_60).abs() < 1e-7, "as of another program");
        for place in 1..story.outline.last {
            let roll = judged.roll(place).unwrap();
            let change = roll.luck() - roll.loss();
            let change = if roll.moment.seat == 0 { change } else { -change };
            assert!((judged.chances[place] - judged.chances[place - 1] - change).abs() < 1e-5, "{place}");
        }
        let won = f64::from(u8::from(story.record.result.ranks[0] == 1));
        assert_eq!(judged.chances[story.outline.last], won);
        assert!((judged.chances[story.outline.last - 1] - won).abs() < 1e-6);
        assert!(!story.outline.blunders.is_empty() && story.outline.is_judged);
    }

    #[test]
    fn keeps_of_dice_that_were_not_rolled_are_refused() {
        let forged = TWO_SEATS.replacen("\"keep\":[2,2,2,5]", "\"keep\":[1,1,1,1]", 1);
        let refused = Story::new(Record::from_json(&forged).unwrap(), None, Err(None)).err().unwrap();
        assert_eq!(refused.to_string(), "event 1 keeps 1-1-1-1 of 2-2-2-4-5-6: no match has that");
    }
}
