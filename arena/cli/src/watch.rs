//! A match, watched in the terminal.
//!
//! Owns the loop of clock, keys and screen; what is shown is a [`Story`], where somebody is in it is the
//! state, and the drawing is a pure function of both. Refuses to play: it shows what happened.

mod bars;
mod parts;
mod plan;
#[cfg(test)]
mod played;
mod screen;
mod seats;
mod state;
mod story;
mod terminal;

use std::io;
use std::time::{Duration, Instant};

use ratatui::crossterm::event::{self, Event, KeyEventKind};

use crate::failure::Failure;
use crate::output;

use self::screen::Palette;
pub(crate) use self::state::SPEEDS;
use self::state::Watching;
pub(crate) use self::story::Story;
use self::terminal::Taken;

/// How long nobody looks whether the program was stopped.
const MOMENT: Duration = Duration::from_millis(100);

/// Shows a match until somebody has seen enough.
///
/// # Errors
///
/// A terminal that cannot be drawn on or read from, and a signal that ends the program.
pub(crate) fn watch(story: &Story, speed: f64) -> Result<(), Failure> {
    let unusable = |error: &io::Error| Failure::failed(format!("the terminal cannot be used: {error}"));
    let stop = terminal::listen().map_err(|error| unusable(&error))?;
    // A terminal that is gone may fail before its signal is heard.
    let failed = |error: io::Error| match terminal::is_gone(&error) || stop.is_stopped() {
        true => Failure::Stopped(anyhow::Error::msg("stopped")),
        false => unusable(&error),
    };
    let mut screen = Taken::new(&stop).map_err(failed)?;
    let palette = Palette { is_adorned: !output::is_unadorned() };
    let mut watching = Watching::new(speed);
    let mut shown = Instant::now();
    while !watching.has_quit {
        screen
            .draw(|frame| screen::draw(story, &watching, palette, frame.area(), frame.buffer_mut()))
            .map_err(failed)?;
        let before = watching;
        loop {
            if stop.is_stopped() {
                return Err(Failure::Stopped(anyhow::Error::msg("stopped")));
            }
            let left = watching.pace().map(|pace| pace.saturating_sub(shown.elapsed()));
            if left == Some(Duration::ZERO) {
                watching = watching.played_on(&story.outline);
                break;
            }
            if !event::poll(left.unwrap_or(MOMENT).min(MOMENT)).map_err(failed)? {
                continue;
            }
            match event::read().map_err(failed)? {
                Event::Key(key) if key.kind != KeyEventKind::Release => {
                    let Some(wish) = state::wish(&key) else { continue };
                    watching = watching.after(wish, &story.outline);
                    break;
                }
                Event::Resize(..) => break,
                _ => {}
            }
        }
        if (watching.place, watching.is_playing) != (before.place, before.is_playing) {
            shown = Instant::now();
        }
    }
    Ok(())
}
