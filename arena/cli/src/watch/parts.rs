//! The parts of a screen that show one place of a match, from the title to the play-by-play.
//!
//! Owns their wording and their drawing, each in the lines that it is given. Refuses to choose which parts there
//! are: that is the plan's.

use arena_core::rulebook::{self, thousands};
use farkle::{EndingRule, Faces};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::bars::bars;
use super::plan::Dice;
use super::screen::{Palette, cut, rule, write};
use super::state::Watching;
use super::story::{Story, kept};
use crate::commands::analyze::{lost, percent, signed};
use crate::commands::score;
use crate::pips;
use crate::play_by_play::{self, dice, heading};

/// A place of a match, being drawn.
pub(super) struct View<'a> {
    pub(super) story: &'a Story,
    pub(super) place: usize,
    pub(super) palette: Palette,
}

impl View<'_> {
    pub(super) fn title(&self, watching: &Watching, area: Rect, buffer: &mut Buffer) {
        let events = self.story.record.events.len();
        let how = match watching.is_playing {
            _ if self.story.is_over(self.place) => "the end".to_owned(),
            true => format!("playing, {} a second", watching.speed),
            false => "paused".to_owned(),
        };
        let right = format!("{}/{events}  {how}", self.place.min(events));
        let room = usize::from(area.width).saturating_sub(right.chars().count() + 2);
        write(Line::styled(cut(&self.story.title, room), self.palette.strong()), area, buffer);
        write(Line::raw(right).right_aligned(), area, buffer);
    }

    pub(super) fn turn(&self, area: Rect, buffer: &mut Buffer) {
        let label = match self.story.event(self.place) {
            None if self.story.is_over(self.place) => "the result".to_owned(),
            None => "before the first roll".to_owned(),
            Some(event) => {
                let whose = heading(&self.story.record.seats[usize::from(event.seat)].name, event.turn);
                let roll = self.story.rolls[self.place - 1];
                let roll = if event.turn == 0 { String::new() } else { format!(", roll {roll}") };
                // First what matters, where there is little room.
                match self.story.at_risk(self.place) {
                    0 => format!("{whose}{roll}"),
                    points => format!("{whose}{roll}, {} at risk", thousands(points)),
                }
            }
        };
        rule(&label, self.palette, area, buffer);
    }

    pub(super) fn dice(&self, how: Dice, area: Rect, buffer: &mut Buffer) {
        let Some(event) = self.story.event(self.place) else { return self.summary(area, buffer) };
        let Some(roll) = event.roll() else { return };
        let kept = marks(roll, kept(event).map_or(Faces::NONE, |(_, keep)| keep));
        let style = |is_kept| if is_kept { self.palette.kept() } else { Style::new() };
        match how {
            Dice::Hidden => {}
            Dice::Line => {
                let die = |(face, is_kept): (u8, bool)| match is_kept {
                    true => Span::styled(format!("[{face}]"), style(true)),
                    false => Span::raw(format!(" {face} ")),
                };
                write(Line::from_iter(roll.dice().zip(kept).map(die)), area, buffer);
            }
            Dice::Picture => {
                let width = pips::WIDTH as u16;
                for ((face, is_kept), x) in roll.dice().zip(kept).zip((area.x..).step_by(pips::WIDTH + 1)) {
                    let column = Rect { x, width, ..area }.intersection(area);
                    let mark = if is_kept { "  kept   " } else { "" };
                    let lines = pips::die(face);
                    for (line, y) in lines.iter().map(String::as_str).chain([mark]).zip(column.y..column.bottom()) {
                        write(Line::styled(line, style(is_kept)), Rect { y, ..column }, buffer);
                    }
                }
            }
        }
    }

    /// Where there are no dice: with the result, what all decisions gave away.
    fn summary(&self, area: Rect, buffer: &mut Buffer) {
        let mut lines = Vec::new();
        if self.story.is_over(self.place) {
            let Some(judged) = &self.story.judged else { return };
            for (number, seat) in (0..).zip(&self.story.record.seats) {
                let play = judged.analysis.play(number);
                lines.push(format!(
                    "{}: {}, decisions lost {}, luck {}",
                    seat.name,
                    rulebook::counted(play.blunders as i64, "blunder"),
                    percent(play.loss),
                    signed(play.luck)
                ));
            }
        } else {
            lines.push(rulebook::summary(&self.story.record.ruleset));
            lines.extend(self.story.not_judged.iter().map(|why| format!("not judged: {why}")));
        }
        for (line, y) in lines.into_iter().zip(area.y..area.bottom()) {
            write(Line::raw(cut(&line, area.width.into())), Rect { y, ..area }, buffer);
        }
    }

    pub(super) fn happened(&self) -> Line<'static> {
        let text = match self.story.event(self.place) {
            None if self.story.is_over(self.place) => play_by_play::outcome(&self.story.record),
            None => return Line::raw(self.goal()),
            Some(event) => play_by_play::happened(event),
        };
        let first = text.lines().next().unwrap_or_default().to_owned();
        let is_bad = first.starts_with("farkle") || first.starts_with("forfeits");
        Line::styled(first, if is_bad { self.palette.bad() } else { self.palette.strong() })
    }

    fn goal(&self) -> String {
        let rules = &self.story.record.ruleset;
        match rules.ending {
            EndingRule::Turns => format!("{} for each", rulebook::counted(i64::from(rules.turns), "turn")),
            _ => format!("{} points to reach", thousands(rules.target)),
        }
    }

    /// Why the kept dice score.
    pub(super) fn reading(&self) -> Line<'static> {
        let Some(event) = self.story.event(self.place) else {
            return match self.story.is_over(self.place) {
                true => Line::styled(format!("hash {}", self.story.record.hash), self.palette.faint()),
                false => Line::default(),
            };
        };
        let groups = kept(event).and_then(|(_, keep)| self.story.chart.reading(keep).ok()).unwrap_or_default();
        let part = |group: &farkle::Group| {
            format!("{} {} {}", score::name(group.combination), dice(group.dice), thousands(group.points))
        };
        Line::raw(groups.iter().map(part).collect::<Vec<_>>().join(", "))
    }

    /// What best play says of the decision, and how lucky the roll was.
    pub(super) fn judgement(&self) -> Line<'static> {
        let Some(judged) = &self.story.judged else { return Line::default() };
        let Some(roll) = judged.roll(self.place) else { return Line::default() };
        let luck = format!("luck {}", signed(roll.luck()));
        match roll.decided {
            Some(decided) if judged.is_blunder(self.place) => {
                Line::styled(format!("BLUNDER, lost {}", lost(roll, &decided)), self.palette.bad())
            }
            Some(decided) if decided.mistake.is_some() => Line::raw(format!("{luck}, lost {}", lost(roll, &decided))),
            Some(_) => Line::raw(format!("{luck}, nothing is better")),
            None => Line::raw(luck),
        }
    }

    pub(super) fn bars(&self, area: Rect, buffer: &mut Buffer) {
        let Some(judged) = &self.story.judged else { return };
        let chance = percent(judged.chances[self.place.min(judged.chances.len() - 1)]);
        let label = format!("{} wins {chance}", self.story.record.seats[0].name);
        rule(&label, self.palette, area, buffer);
        let lines = area.height.saturating_sub(2);
        let is_blunder = |place| judged.is_blunder(place);
        let (rows, marks) = bars(&judged.chances, self.place, area.width, lines, is_blunder);
        for (row, y) in rows.into_iter().zip(area.y + 1..area.bottom()) {
            write(Line::raw(row), Rect { y, ..area }, buffer);
        }
        let last = Rect { y: area.bottom().saturating_sub(1), ..area };
        write(Line::styled(marks, self.palette.strong()), last, buffer);
    }

    pub(super) fn told(&self, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        rule("play-by-play", self.palette, area, buffer);
        let rows = usize::from(area.height - 1);
        let told = self.story.told_until(self.place);
        for (line, y) in told[told.len().saturating_sub(rows)..].iter().zip(area.y + 1..area.bottom()) {
            let style = match (line.is_blunder, line.is_heading) {
                (true, _) => self.palette.bad(),
                (_, true) => self.palette.strong(),
                _ => Style::new(),
            };
            write(Line::styled(cut(&line.text, area.width.into()), style), Rect { y, ..area }, buffer);
        }
    }
}

/// Which dice of a roll are kept: of equal ones the first.
fn marks(roll: Faces, keep: Faces) -> Vec<bool> {
    let mut left = keep.counts();
    let is_kept = |face: u8| {
        let left = &mut left[usize::from(face) - 1];
        let is_kept = *left > 0;
        *left -= u8::from(is_kept);
        is_kept
    };
    roll.dice().map(is_kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equal_dice_as_many_are_marked_as_are_kept() {
        assert_eq!(marks("115555".parse().unwrap(), "155".parse().unwrap()), [true, false, true, true, false, false]);
        assert_eq!(marks("234".parse().unwrap(), Faces::NONE), [false; 3]);
    }
}
