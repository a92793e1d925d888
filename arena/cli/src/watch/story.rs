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
