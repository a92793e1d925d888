//! What somebody sees who watches a match.
//!
//! Owns the drawing of a place of a match on a screen of any size: a pure function of both. Refuses to tell
//! anything by colour alone, and to write outside its lines.

use arena_core::rulebook::{self, thousands};
use farkle::{EndingRule, Faces};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

use super::bars::bars;
use super::plan::{Dice, Plan, Wanted};
use super::seats;
use super::state::Watching;
use super::story::{Story, kept};
use crate::commands::analyze::{lost, percent, signed};
use crate::commands::score;
use crate::pips;
use crate::play_by_play::{self, dice, heading};

/// How things are emphasised.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Palette {
    /// Whether at all.
    pub(crate) is_adorned: bool,
}

impl Palette {
    fn style(self, style: Style) -> Style {
        if self.is_adorned { style } else { Style::new() }
    }

    pub(super) fn strong(self) -> Style {
        self.style(Style::new().add_modifier(Modifier::BOLD))
    }

    pub(super) fn faint(self) -> Style {
        self.style(Style::new().add_modifier(Modifier::DIM))
    }

    pub(super) fn kept(self) -> Style {
        self.style(Style::new().fg(Color::Green).add_modifier(Modifier::BOLD))
    }

    /// For what can be lost.
    pub(super) fn risk(self) -> Style {
        self.style(Style::new().fg(Color::Yellow))
    }

    /// For what is lost.
    pub(super) fn bad(self) -> Style {
        self.style(Style::new().fg(Color::Red).add_modifier(Modifier::BOLD))
    }
}

/// What the keys do.
const HELP: [&str; 9] = [
    "space      play or pause",
    "→ n        next event",
    "← p        back",
    "] [        next or previous turn",
    "b          next blunder",
    "↑ + ↓ -    faster, slower",
    "Home End   beginning, result",
    "?          these keys",
    "q Esc      quit",
];

/// The same in a line, for those who have room for it.
const KEYS: [&str; 3] = [
    "space pause   ← → step   [ ] turn   b blunder   ↑ ↓ speed   ? help   q quit",
    "space pause  ← → step  ? help  q quit",
    "? help  q quit",
];

/// Draws a place of a match.
pub(crate) fn draw(story: &Story, watching: &Watching, palette: Palette, area: Rect, buffer: &mut Buffer) {
    let wanted = Wanted {
        dice: story.record.ruleset.dice,
        seats: seats::lines(story, area.width),
        is_judged: story.judged.is_some(),
    };
    let plan = Plan::new(area.width, area.height, &wanted);
    let mut top = area.y;
    let mut next = |lines: u16| {
        let part = Rect { y: top, height: lines, ..area };
        top += lines;
        part.intersection(area)
    };
    let view = View { story, place: watching.place, palette };
    view.title(watching, next(plan.title), buffer);
    seats::draw(story, watching.place, palette, next(plan.seats), buffer);
    view.turn(next(plan.turn), buffer);
    view.dice(plan.dice, next(plan.dice_lines()), buffer);
    write(view.happened(), next(plan.happened), buffer);
    write(view.reading(), next(plan.reading), buffer);
    write(view.judgement(), next(plan.judgement), buffer);
    if plan.bars > 0 {
        view.bars(next(plan.bars + 2), buffer);
    }
    view.told(next(plan.told), buffer);
    if plan.keys > 0 {
        let last = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
        let keys = KEYS.iter().find(|keys| keys.chars().count() <= usize::from(area.width));
        let line = match watching.notice {
            Some(notice) => Line::styled(notice, palette.strong()),
            None => Line::styled(*keys.unwrap_or(&"?"), palette.faint()),
        };
        write(line, last, buffer);
    }
    if watching.has_help {
        help(palette, area, buffer);
    }
}

/// A line at the top of an area, as far as it fits.
fn write(line: Line<'_>, area: Rect, buffer: &mut Buffer) {
    if !area.is_empty() {
        line.render(Rect { height: 1, ..area }, buffer);
    }
}

/// Text that is cut where it does not fit, and says so.
pub(super) fn cut(text: &str, width: usize) -> String {
    if Span::raw(text).width() <= width {
        return text.to_owned();
    }
    let mut shown = String::new();
    for c in text.chars() {
        shown.push(c);
        if Span::raw(&shown).width() + 1 > width {
            shown.pop();
            break;
        }
    }
    if width > 0 { shown + "…" } else { String::new() }
}

/// A heading across an area.
fn rule(label: &str, palette: Palette, area: Rect, buffer: &mut Buffer) {
    let label = cut(label, usize::from(area.width).saturating_sub(4));
    let rest = usize::from(area.width).saturating_sub(4 + Span::raw(&label).width());
    let spans = [
        Span::styled("── ", palette.faint()),
        Span::styled(label, palette.strong()),
        Span::styled(format!(" {}", "─".repeat(rest)), palette.faint()),
    ];
    write(Line::from_iter(spans), area, buffer);
}

fn help(palette: Palette, area: Rect, buffer: &mut Buffer) {
    let width = HELP.iter().map(|line| line.chars().count()).max().unwrap_or(0) as u16 + 4;
    let (width, height) = (width.min(area.width), (HELP.len() as u16 + 2).min(area.height));
    let frame = Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    Clear.render(frame, buffer);
    let block = Block::bordered().title(" keys ").border_style(palette.faint());
    let inner = block.inner(frame);
    block.render(frame, buffer);
    for (y, line) in (inner.y..inner.bottom()).zip(HELP) {
        write(Line::raw(format!(" {line}")), Rect { y, ..inner }, buffer);
    }
}

/// A place of a match, being drawn.
struct View<'a> {
    story: &'a Story,
    place: usize,
    palette: Palette,
}

impl View<'_> {
    fn title(&self, watching: &Watching, area: Rect, buffer: &mut Buffer) {
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

    fn turn(&self, area: Rect, buffer: &mut Buffer) {
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

    fn dice(&self, how: Dice, area: Rect, buffer: &mut Buffer) {
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

    fn happened(&self) -> Line<'static> {
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
    fn reading(&self) -> Line<'static> {
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
    fn judgement(&self) -> Line<'static> {
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

    fn bars(&self, area: Rect, buffer: &mut Buffer) {
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

    fn told(&self, area: Rect, buffer: &mut Buffer) {
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
    use std::sync::Arc;

    use arena_core::{Allowance, Contestant, Record, RecordSeat, Referee, Sha256Hex};
    use arena_host::{Sandbox, Wasi};
    use farkle::{Ruleset, ScoreTable, presets};
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::buffer::Cell;

    use super::super::played::{TWO_SEATS, all, analysis, story};
    use super::super::state::Wish;
    use super::*;

    const PLAIN: Palette = Palette { is_adorned: false };

    fn at(place: usize) -> Watching {
        Watching { place, is_playing: false, ..Watching::new(2.0) }
    }

    /// The lines of a screen, without spaces at their ends.
    fn drawn(story: &Story, watching: &Watching, width: u16, height: u16) -> Vec<String> {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(story, watching, PLAIN, frame.area(), frame.buffer_mut())).unwrap();
        let buffer = terminal.backend().buffer();
        let line = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
        (0..height).map(line).collect()
    }

    /// Every place of every match fits on every screen, and leaves what is around it alone.
    #[test]
    fn nothing_is_drawn_outside() {
        const AROUND: &str = "#";
        for story in all() {
            for width in [0, 1, 2, 3, 4, 5, 9, 20, 39, 40, 60, 61, 80, 133] {
                for height in [0, 1, 2, 3, 5, 7, 12, 13, 16, 24, 50] {
                    let area = Rect { x: 2, y: 1, width, height };
                    for place in 0..=story.outline.last {
                        let mut buffer = Buffer::filled(Rect::new(0, 0, width + 4, height + 2), Cell::new(AROUND));
                        Clear.render(area, &mut buffer);
                        let watching = Watching { has_help: place % 3 == 2, ..at(place) };
                        draw(&story, &watching, Palette { is_adorned: place % 2 == 0 }, area, &mut buffer);
                        for y in 0..height + 2 {
                            for x in 0..width + 4 {
                                let symbol = buffer[(x, y)].symbol();
                                assert!(area.contains((x, y).into()) || symbol == AROUND, "{width}x{height} {x},{y}");
                                assert!(!symbol.contains(char::is_control), "{symbol:?}");
                            }
                        }
                    }
                }
            }
        }
    }

    /// Somebody without colours is told the same.
    #[test]
    fn nothing_is_told_by_colour_alone() {
        for story in all() {
            for place in 0..=story.outline.last {
                let area = Rect::new(0, 0, 80, 24);
                let [mut plain, mut adorned] = [Buffer::empty(area), Buffer::empty(area)];
                draw(&story, &at(place), PLAIN, area, &mut plain);
                draw(&story, &at(place), Palette { is_adorned: true }, area, &mut adorned);
                assert!(plain.content.iter().all(|cell| cell.style() == Cell::EMPTY.style()));
                assert!(plain.content.iter().zip(&adorned.content).all(|(a, b)| a.symbol() == b.symbol()));
            }
        }
    }

    /// The record says what there is to be seen.
    #[test]
    fn a_keep_is_drawn_and_told() {
        let story = story(Record::from_json(TWO_SEATS).unwrap());
        let screen = drawn(&story, &at(1), 80, 24);
        let begins = |line: usize, text: &str| assert!(screen[line].starts_with(text), "{}", screen.join("\n"));
        begins(0, "immediate-win, seed 215");
        assert!(screen[0].ends_with("1/5  paused"), "{}", screen[0]);
        begins(1, ">  banks-at-300       0 ▒▒▒▒▒▒▒▒▒▒▒▒▒▒···");
        begins(2, "   banks-at-500       0 ····");
        begins(3, "── banks-at-300, turn 1, roll 1, 250 at risk ─────");
        begins(4, "┌───────┐ ┌───────┐ ┌───────┐ ┌───────┐ ┌───────┐ ┌───────┐");
        begins(5, "│ o     │ │ o     │ │ o     │ │ o   o │ │ o   o │ │ o   o │");
        begins(6, "│       │ │       │ │       │ │       │ │   o   │ │ o   o │");
        begins(9, "  kept      kept      kept                kept");
        begins(10, "keeps 2-2-2-5 for 250, rolls 2 dice with 250 at risk");
        begins(11, "single 5 50, three of a kind 2-2-2 200");
        begins(17, "── play-by-play ─");
        begins(18, "banks-at-300, turn 1");
        assert_eq!(screen[19].trim_start_matches(['!', ' ']), story.told[1].text.trim_start_matches(['!', ' ']));
        assert!(screen[23].contains("space pause") && screen[23].contains("q quit"), "{}", screen[23]);

        let farkle = drawn(&story, &at(2), 40, 12);
        assert_eq!(farkle[4..6], [" 4  4", "farkle, 250 lost"]);
        let result = drawn(&story, &at(6), 80, 24);
        assert!(result[0].ends_with("5/5  the end"), "{}", result[0]);
        assert!(result[1].starts_with("1. banks-at-300   1,050 █████"), "{}", result[1]);
        assert!(result[2].starts_with("2. banks-at-500     500 █████"), "{}", result[2]);
        assert!(result.contains(&"banks-at-300 wins by reaching the target".to_owned()), "{}", result.join("\n"));
    }

    #[test]
    fn the_keys_are_explained_and_notices_shown() {
        let story = story(Record::from_json(TWO_SEATS).unwrap());
        let helped = at(1).after(Wish::Help, &story.outline);
        for (width, height) in [(80, 24), (40, 12)] {
            let screen = drawn(&story, &helped, width, height).join("\n");
            assert!(HELP.iter().all(|line| screen.contains(line)), "{screen}");
        }
        let noticed = at(0).after(Wish::Back, &story.outline);
        assert_eq!(drawn(&story, &noticed, 80, 24)[23], "this is the beginning");
        assert_eq!(KEYS.map(|keys| keys.chars().count() <= 40), [false, true, true]);
    }

    /// The best-known part of a match on a screen of a line is what happens.
    #[test]
    fn the_smallest_screens_show_what_happens() {
        let story = story(Record::from_json(TWO_SEATS).unwrap());
        assert_eq!(drawn(&story, &at(4), 80, 1), ["keeps 5 for 50, banks 500: now 500"]);
        assert_eq!(drawn(&story, &at(2), 6, 1), ["farkle"]);
    }

    #[test]
    fn text_is_cut_where_it_can_be_read() {
        assert_eq!([cut("threshold", 9), cut("threshold", 8), cut("threshold", 1)], ["threshold", "thresho…", "…"]);
        assert_eq!([cut("骰子骰", 6), cut("骰子骰", 5), cut("骰子骰", 2), cut("a", 0)], ["骰子骰", "骰子…", "…", ""]);
        assert_eq!(marks("115555".parse().unwrap(), "155".parse().unwrap()), [true, false, true, true, false, false]);
    }

    /// docs/play.md shows a place of a match of two sample agents.
    #[test]
    fn the_page_shows_a_real_screen() {
        let rules = Ruleset { target: 3_000, name: "immediate-win with target=3000".into(), ..presets::IMMEDIATE_WIN };
        let sandbox = Sandbox::new().unwrap();
        let samples: [(&str, &[u8]); 2] = [
            ("threshold-300", include_bytes!("../../../../sample-agents/built/threshold-300.wasm")),
            ("max-ev", include_bytes!("../../../../sample-agents/built/max-ev.wasm")),
        ];
        let agents = samples.map(|(name, bytes)| (name, sandbox.load(bytes).unwrap()));
        let seated = agents.each_ref().map(|(_, agent)| agent as &dyn Contestant);
        let limits = Allowance::Standard.limits();
        let mut referee = Referee::new(Arc::new(ScoreTable::new(&rules)), 2, limits).unwrap();
        let result = referee.play(42, &seated).unwrap().result;
        let seats = agents
            .iter()
            .map(|(name, agent)| RecordSeat { name: (*name).to_owned(), sha256: Sha256Hex(agent.sha256()) });
        let events = referee.events().to_vec();
        let record = Record::new(Sandbox::id(Wasi::None), rules, 42, limits, seats.collect(), events, result);
        let judged = analysis(&record);
        let screen = drawn(&Story::new(record, None, Ok(judged)).unwrap(), &at(21), 80, 24).join("\n");
        let page = include_str!("../../../../docs/play.md");
        assert!(page.contains(&format!("```\n{screen}\n```\n")), "docs/play.md does not show\n{screen}");
    }
}
