//! What fits on a screen of a size.
//!
//! Owns the order in which parts of the screen get their lines: what happens comes first, the look back last.
//! Refuses to draw.

use crate::pips;

/// The fewest lines of bars.
const BARS: u16 = 2;

/// The most lines of bars.
const MOST_BARS: u16 = 4;

/// How the dice are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dice {
    /// Not at all.
    Hidden,
    /// As digits, on a line.
    Line,
    /// With their pips, and a line of marks below.
    Picture,
}

/// The lines of every part, from the top. What has none is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) title: u16,
    pub(super) seats: u16,
    pub(super) turn: u16,
    pub(super) dice: Dice,
    pub(super) happened: u16,
    pub(super) reading: u16,
    pub(super) judgement: u16,
    /// With a heading above and a line of marks below.
    pub(super) bars: u16,
    /// With a heading.
    pub(super) told: u16,
    pub(super) keys: u16,
}

/// What there is to show.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// The most dice of a roll.
    pub(super) dice: u8,
    /// Lines that all seats take.
    pub(super) seats: u16,
    /// Whether decisions are judged.
    pub(super) is_judged: bool,
}

impl Plan {
    /// For a screen of so many columns and lines.
    pub(super) fn new(width: u16, height: u16, wanted: &Wanted) -> Plan {
        let mut left = height;
        let mut take = |most: u16| {
            let taken = most.min(left);
            left -= taken;
            taken
        };
        let happened = take(1);
        let turn = take(1);
        let line = take(1);
        let some_seats = take(wanted.seats.min(2));
        let title = take(1);
        let keys = take(1);
        let seats = some_seats + take(wanted.seats - some_seats.min(wanted.seats));
        let reading = take(1);
        let judgement = take(wanted.is_judged.into());
        let picture = (pips::WIDTH as u16 + 1) * u16::from(wanted.dice);
        // The line for digits is that of the marks.
        let dice = if width >= picture && left >= pips::HEIGHT as u16 {
            left -= pips::HEIGHT as u16;
            Dice::Picture
        } else if line > 0 {
            Dice::Line
        } else {
            Dice::Hidden
        };
        // Two lines for the heading and the marks, and as many for a look back.
        let bars = match left {
            _ if !wanted.is_judged => 0,
            left if left < BARS + 4 => 0,
            left => BARS.max(left / 4).min(MOST_BARS),
        };
        if bars > 0 {
            left -= bars + 2;
        }
        // A heading of nothing says nothing.
        let told = if left > 1 { left } else { 0 };
        Plan { title, seats, turn, dice, happened, reading, judgement, bars, told, keys }
    }

    /// Lines that the dice take.
    pub(super) fn dice_lines(&self) -> u16 {
        match self.dice {
            Dice::Hidden => 0,
            Dice::Line => 1,
            Dice::Picture => pips::HEIGHT as u16 + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(plan: &Plan) -> u16 {
        let bars = if plan.bars > 0 { plan.bars + 2 } else { 0 };
        let single = plan.title + plan.turn + plan.happened + plan.reading + plan.judgement + plan.keys;
        single + plan.seats + plan.dice_lines() + bars + plan.told
    }

    #[test]
    fn nothing_takes_more_lines_than_there_are() {
        for height in 0..80 {
            for width in [0, 1, 20, 40, 60, 61, 200] {
                for seats in [1, 2, 6, 12] {
                    for is_judged in [false, true] {
                        let plan = Plan::new(width, height, &Wanted { dice: 6, seats, is_judged });
                        assert!(lines(&plan) <= height && height - lines(&plan) <= 1, "{plan:?} of {height}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_usual_terminal_shows_everything_and_a_small_one_what_happens() {
        let wanted = Wanted { dice: 6, seats: 2, is_judged: true };
        let usual = Plan::new(80, 24, &wanted);
        assert_eq!((usual.dice, usual.bars, usual.told), (Dice::Picture, 2, 6));
        let small = Plan::new(40, 12, &wanted);
        assert_eq!((small.dice, small.seats, small.reading, small.told), (Dice::Line, 2, 1, 3));
        let least = Plan::new(20, 5, &wanted);
        assert_eq!((least.happened, least.turn, least.dice, least.seats, least.title), (1, 1, Dice::Line, 2, 0));
        assert_eq!(Plan::new(1, 1, &wanted).happened, 1);
    }
}
