//! Where somebody who watches a match is, and what a key changes.
//!
//! Owns the place in the match, the pace, and the meaning of keys. Refuses clocks and screens: it is told
//! when an event's time is over, and it is drawn elsewhere.

use std::time::Duration;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Events a second that may be asked for.
pub(crate) const SPEEDS: std::ops::RangeInclusive<f64> = 0.1..=100.0;

/// Where keys for faster and slower lead.
const STEPS: [f64; 10] = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];

/// The places of a match where keys lead. Place 0 is before the first roll, place `n` shows event `n`, counted
/// from 1, and the last place is the result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outline {
    /// The place of the result.
    pub(crate) last: usize,
    /// The first event of every turn, in order.
    pub(crate) turns: Vec<usize>,
    /// The blunders, in order.
    pub(crate) blunders: Vec<usize>,
    /// Whether the decisions were judged.
    pub(crate) is_judged: bool,
}

/// What somebody wants who presses a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Play, or pause.
    PlayOrPause,
    /// The next event.
    Next,
    /// The event before.
    Back,
    /// More events a second.
    Faster,
    /// Fewer.
    Slower,
    /// Before the first roll.
    Beginning,
    /// The result.
    Result,
    /// The first event of the next turn.
    NextTurn,
    /// The first event of this turn, or of the one before.
    PreviousTurn,
    /// The next decision that was a blunder.
    NextBlunder,
    /// The keys, explained, or not any more.
    Help,
    /// Out of the help, or else out of the program.
    Escape,
    /// Out of the program.
    Quit,
}

/// What a key means, if anything.
pub(crate) fn wish(key: &KeyEvent) -> Option<Wish> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return matches!(key.code, KeyCode::Char('c' | 'C')).then_some(Wish::Quit);
    }
    if key.modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    Some(match key.code {
        KeyCode::Char(' ') => Wish::PlayOrPause,
        KeyCode::Right | KeyCode::Char('n') => Wish::Next,
        KeyCode::Left | KeyCode::Char('p') => Wish::Back,
        // The plus without a shift key, too.
        KeyCode::Up | KeyCode::Char('+' | '=') => Wish::Faster,
        KeyCode::Down | KeyCode::Char('-') => Wish::Slower,
        KeyCode::Home => Wish::Beginning,
        KeyCode::End => Wish::Result,
        KeyCode::Char(']') => Wish::NextTurn,
        KeyCode::Char('[') => Wish::PreviousTurn,
        KeyCode::Char('b') => Wish::NextBlunder,
        KeyCode::Char('?') => Wish::Help,
        KeyCode::Esc => Wish::Escape,
        KeyCode::Char('q') => Wish::Quit,
        _ => return None,
    })
}

/// Where somebody is in a match, and how it goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Watching {
    /// The place that is shown: see [`Outline`].
    pub(crate) place: usize,
    /// Whether events follow by themselves.
    pub(crate) is_playing: bool,
    /// Events a second.
    pub(crate) speed: f64,
    /// Whether the keys are explained.
    pub(crate) has_help: bool,
    /// Why the last key changed nothing.
    pub(crate) notice: Option<&'static str>,
    /// Whether it is over.
    pub(crate) has_quit: bool,
}

impl Watching {
    /// Before the first roll, playing.
    pub(crate) fn new(speed: f64) -> Watching {
        Watching { place: 0, is_playing: true, speed, has_help: false, notice: None, has_quit: false }
    }

    /// How long the place is shown before the next one follows by itself, if it does.
    pub(crate) fn pace(&self) -> Option<Duration> {
        self.is_playing.then(|| Duration::from_secs_f64(1.0 / self.speed))
    }

    /// When the time of the place is over.
    pub(crate) fn played_on(self, outline: &Outline) -> Watching {
        let place = (self.place + 1).min(outline.last);
        Watching { place, is_playing: self.is_playing && place < outline.last, ..self }
    }

    /// After a key. Whoever goes somewhere by hand stays there.
    pub(crate) fn after(self, wish: Wish, outline: &Outline) -> Watching {
        let now = Watching { notice: None, has_help: false, ..self };
        let at = |place: usize| Watching { place, is_playing: false, ..now };
        let or = |place: Option<usize>, notice| match place {
            Some(place) => at(place),
            None => Watching { notice: Some(notice), ..now },
        };
        let paced = |speed: Option<&f64>, notice| match speed {
            Some(speed) => Watching { speed: *speed, ..now },
            None => Watching { notice: Some(notice), ..now },
        };
        match wish {
            // From the result, once more.
            Wish::PlayOrPause if self.place == outline.last => Watching { place: 0, is_playing: true, ..now },
            Wish::PlayOrPause => Watching { is_playing: !self.is_playing, ..now },
            Wish::Next => or((self.place < outline.last).then_some(self.place + 1), "this is the result"),
            Wish::Back => or(self.place.checked_sub(1), "this is the beginning"),
            Wish::Faster => paced(STEPS.iter().find(|step| **step > self.speed), "faster is not possible"),
            Wish::Slower => paced(STEPS.iter().rfind(|step| **step < self.speed), "slower is not possible"),
            Wish::Beginning => at(0),
            Wish::Result => at(outline.last),
            Wish::NextTurn => {
                let turn = outline.turns.iter().find(|turn| **turn > self.place).copied();
                or(turn.or((self.place < outline.last).then_some(outline.last)), "this is the result")
            }
            Wish::PreviousTurn => {
                let turn = outline.turns.iter().rfind(|turn| **turn < self.place).copied();
                or(turn.or((self.place > 0).then_some(0)), "this is the beginning")
            }
            Wish::NextBlunder if !outline.is_judged => Watching { notice: Some("the decisions are not judged"), ..now },
            Wish::NextBlunder => {
                or(outline.blunders.iter().find(|blunder| **blunder > self.place).copied(), "no blunder from here on")
            }
            Wish::Help => Watching { has_help: !self.has_help, ..now },
            Wish::Escape if self.has_help => now,
            Wish::Escape | Wish::Quit => Watching { has_quit: true, ..now },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline() -> Outline {
        Outline { last: 9, turns: vec![1, 3, 6], blunders: vec![4, 7], is_judged: true }
    }

    fn key(code: KeyCode) -> KeyEvent {
        KeyEvent::new(code, KeyModifiers::NONE)
    }

    /// The places that keys lead to, one after another.
    fn places(begin: usize, keys: &[KeyCode]) -> Vec<usize> {
        let mut watching = Watching { place: begin, ..Watching::new(1.0) };
        let mut pressed = |code: &KeyCode| {
            watching = watching.after(wish(&key(*code)).unwrap(), &outline());
            watching.place
        };
        keys.iter().map(&mut pressed).collect()
    }

    #[test]
    fn keys_lead_through_the_match() {
        use KeyCode::{Char, End, Home, Left, Right};
        assert_eq!(places(0, &[Right, Char('n'), Left, Char('p'), Left]), [1, 2, 1, 0, 0]);
        assert_eq!(places(0, &[Char(']'), Char(']'), Char(']'), Char(']'), Char(']')]), [1, 3, 6, 9, 9]);
        assert_eq!(places(8, &[Char('['), Char('['), Char('['), Char('['), Char('[')]), [6, 3, 1, 0, 0]);
        assert_eq!(places(2, &[Char('b'), Char('b'), Char('b')]), [4, 7, 7]);
        assert_eq!(places(2, &[End, Right, Home, Left]), [9, 9, 0, 0]);
    }

    #[test]
    fn a_key_that_changes_nothing_says_why() {
        let here = Watching { place: 9, is_playing: false, ..Watching::new(100.0) };
        let says = |wish| here.after(wish, &outline()).notice;
        assert_eq!(says(Wish::Next), Some("this is the result"));
        assert_eq!(says(Wish::NextTurn), Some("this is the result"));
        assert_eq!(says(Wish::Faster), Some("faster is not possible"));
        assert_eq!(says(Wish::NextBlunder), Some("no blunder from here on"));
        let not_judged = Outline { is_judged: false, ..outline() };
        assert_eq!(here.after(Wish::NextBlunder, &not_judged).notice, Some("the decisions are not judged"));
        let begin = Watching::new(0.1);
        assert_eq!(begin.after(Wish::Back, &outline()).notice, Some("this is the beginning"));
        assert_eq!(begin.after(Wish::Slower, &outline()).notice, Some("slower is not possible"));
        assert_eq!(begin.after(Wish::Slower, &outline()).after(Wish::Next, &outline()).notice, None);
    }

    #[test]
    fn it_plays_to_the_result_and_stays_there() {
        let mut watching = Watching::new(2.0);
        assert_eq!(watching.pace(), Some(Duration::from_millis(500)));
        for place in 1..=9 {
            watching = watching.played_on(&outline());
            assert_eq!((watching.place, watching.is_playing), (place, place < 9));
        }
        assert_eq!((watching.pace(), watching.played_on(&outline())), (None, watching));
        let again = watching.after(Wish::PlayOrPause, &outline());
        assert_eq!((again.place, again.is_playing), (0, true));
        let paused = again.after(Wish::PlayOrPause, &outline());
        assert_eq!((paused.place, paused.pace()), (0, None));
        assert!(!again.after(Wish::Next, &outline()).is_playing, "by hand");
    }

    #[test]
    fn speeds_go_in_steps_from_wherever_they_are() {
        let mut watching = Watching::new(3.0);
        let mut up = Vec::new();
        for _ in 0..6 {
            watching = watching.after(Wish::Faster, &outline());
            up.push(watching.speed);
        }
        assert_eq!(up, [5.0, 10.0, 20.0, 50.0, 100.0, 100.0]);
        assert_eq!(Watching::new(3.0).after(Wish::Slower, &outline()).speed, 2.0);
        assert!(STEPS.iter().all(|step| SPEEDS.contains(step)) && STEPS.is_sorted());
    }

    #[test]
    fn every_way_out_is_one() {
        let control = |c| KeyEvent::new(KeyCode::Char(c), KeyModifiers::CONTROL);
        for out in [key(KeyCode::Char('q')), key(KeyCode::Esc), control('c')] {
            assert!(Watching::new(1.0).after(wish(&out).unwrap(), &outline()).has_quit, "{out:?}");
        }
        let helped = Watching::new(1.0).after(Wish::Help, &outline());
        assert!(helped.has_help && !helped.after(Wish::Help, &outline()).has_help);
        let back = helped.after(Wish::Escape, &outline());
        assert!(!back.has_help && !back.has_quit);
        for nothing in [control('x'), control('b'), key(KeyCode::Char('x')), key(KeyCode::Tab)] {
            assert_eq!(wish(&nothing), None, "{nothing:?}");
        }
    }
}
