//! The seats of a match that is watched: names, scores and how far it is to the target.
//!
//! Owns their columns. Refuses to leave out the seat to move where there is room for one.

use arena_core::rulebook::thousands;
use farkle::EndingRule;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::screen::{Palette, cut};
use super::story::Story;

/// Seats above each other, before a second column is begun.
const COLUMN: usize = 4;

/// The least width of a column beside others.
const WIDTH: u16 = 38;

/// The most columns of a name.
const NAME: usize = 20;

/// Columns for all seats on a screen of this width.
fn columns(story: &Story, width: u16) -> usize {
    let wanted = story.record.seats.len().div_ceil(COLUMN);
    wanted.min(usize::from(width / WIDTH)).max(1)
}

/// Lines that all seats take.
pub(super) fn lines(story: &Story, width: u16) -> u16 {
    story.record.seats.len().div_ceil(columns(story, width)) as u16
}

/// Draws all seats, or as many as fit around the one to move.
pub(super) fn draw(story: &Story, place: usize, palette: Palette, area: Rect, buffer: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let columns = columns(story, area.width);
    let rows = usize::from(lines(story, area.width));
    let to_move = story.event(place).map(|event| usize::from(event.seat));
    let room = usize::from(area.height);
    let first = to_move.unwrap_or(0) % rows;
    let first = first.saturating_sub(room / 2).min(rows.saturating_sub(room));
    let width = area.width / columns as u16;
    for column in 0..columns {
        for row in first..rows.min(first + room) {
            let seat = column * rows + row;
            if seat >= story.record.seats.len() {
                break;
            }
            let part = Rect {
                x: area.x + column as u16 * width,
                y: area.y + (row - first) as u16,
                width: if column + 1 < columns { width - 1 } else { area.width - column as u16 * width },
                height: 1,
            };
            line(story, place, seat, to_move == Some(seat), palette, part.width).render(part, buffer);
        }
    }
}

fn line(story: &Story, place: usize, seat: usize, moves: bool, palette: Palette, width: u16) -> Line<'static> {
    let record = &story.record;
    let mark = match story.is_over(place) {
        true => format!("{}.", record.result.ranks[seat]),
        false if moves => ">".to_owned(),
        false => String::new(),
    };
    let longest = record.seats.iter().map(|seat| Span::raw(&seat.name).width()).max().unwrap_or(0);
    let score = thousands(story.score(place, seat));
    // The mark, the score, and spaces between them.
    let names = longest.min(NAME).min(usize::from(width).saturating_sub(3 + 1 + 7));
    let name = cut(&record.seats[seat].name, names);
    let name = format!("{name}{}", " ".repeat(names.saturating_sub(Span::raw(&name).width())));
    let style = if moves { palette.strong() } else { Style::new() };
    let mut spans = vec![Span::styled(format!("{mark:<3}{name} {score:>7} "), style)];
    let room = usize::from(width).saturating_sub(3 + names + 9);
    if story.has_forfeited(place, seat) {
        spans.push(Span::styled(cut("forfeited", room), palette.bad()));
    } else if room >= 5 {
        let at_risk = if moves { story.at_risk(place) } else { 0 };
        let scale = scale(story, place);
        let cells = |points: i32| (f64::from(points) / scale * room as f64).clamp(0.0, room as f64) as usize;
        let banked = cells(story.score(place, seat));
        let risked = cells(story.score(place, seat).saturating_add(at_risk)).saturating_sub(banked);
        spans.push(Span::raw("█".repeat(banked)));
        spans.push(Span::styled("▒".repeat(risked), palette.risk()));
        spans.push(Span::styled("·".repeat(room - banked - risked), palette.faint()));
    }
    Line::from(spans)
}

/// The points of a full gauge: the target, or else the best score so far.
fn scale(story: &Story, place: usize) -> f64 {
    let seats = 0..story.record.seats.len();
    let best = seats.map(|seat| story.score(place, seat)).max().unwrap_or(0).saturating_add(story.at_risk(place));
    let rules = &story.record.ruleset;
    let target = if rules.ending == EndingRule::Turns { 0 } else { rules.target };
    f64::from(best.max(target).max(1))
}
