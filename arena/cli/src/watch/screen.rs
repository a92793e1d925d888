//! What somebody sees who watches a match.
//!
//! Owns the drawing of a place of a match on a screen of any size: a pure function of both. Refuses to tell
//! anything by colour alone, and to write outside its lines.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

use super::parts::View;
use super::plan::{Plan, Wanted};
use super::seats;
use super::state::Watching;
use super::story::Story;

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
pub(super) fn write(line: Line<'_>, area: Rect, buffer: &mut Buffer) {
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
pub(super) fn rule(label: &str, palette: Palette, area: Rect, buffer: &mut Buffer) {
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
    }

    /// docs/watch.md shows a place of a match of two sample agents.
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
        let page = include_str!("../../../../docs/watch.md");
        assert!(page.contains(&format!("```\n{screen}\n```\n")), "docs/watch.md does not show\n{screen}");
    }
}
