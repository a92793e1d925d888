//! What stands between the bindings to the arena and an agent.
//!
//! Owns every call in and out of the component. Refuses to exist natively: there a test plays
//! the arena (the `testing` module), and no import is ever called.

use core::cell::RefCell;

use std::panic::PanicHookInfo;

use farkle::{Faces, Points, Ruleset};

use crate::wire;
use crate::{Agent, Event, EventKind, Game, Turn};

/// What wit-bindgen makes of the contract; `tests/src/bindings.rs` says how. Its code needs
/// `unsafe`; ours does not.
#[doc(hidden)]
#[allow(missing_docs, unreachable_pub, unsafe_code, rust_2018_idioms, clippy::all)]
#[rustfmt::skip]
pub mod bindings;

pub use bindings::exports::farkle::arena::agent as exported;
use bindings::farkle::arena::{scalars, table};

/// The seat that this instance plays. In one piece and aligned, so that it lies in one page of
/// memory: every page that an agent writes to is cleared between matches, and that costs more than
/// most decisions.
#[doc(hidden)]
#[derive(Debug)]
#[repr(align(1024))]
pub struct Seat<A>(RefCell<Seated<A>>);

impl<A: Agent> Seat<A> {
    /// Before the match.
    pub const fn blank() -> Seat<A> {
        Seat(RefCell::new(Seated { game: Game::blank(), agent: None }))
    }

    /// The arena's `start`.
    #[inline]
    pub fn start(&self, seat: u32, seats: u32, agent_seed: u64, turn_limit: u32, ruleset_id: u64) {
        let Ok(mut seated) = self.0.try_borrow_mut() else { out_of_turn() };
        seated.start(seat, seats, agent_seed, turn_limit, ruleset_id);
    }

    /// The arena's `decide`.
    #[inline]
    pub fn decide(&self, now: exported::Turn) -> u32 {
        let Ok(mut seated) = self.0.try_borrow_mut() else { out_of_turn() };
        seated.decide(now)
    }
}

/// The arena lets this happen to no agent. One panic for all, and not that of `borrow_mut`, which
/// formats its words: agents carry them.
#[cold]
#[inline(never)]
fn out_of_turn() -> ! {
    panic!("a call out of turn: `start` comes first, and one call at a time")
}

#[derive(Debug)]
struct Seated<A> {
    game: Game,
    agent: Option<A>,
}

impl<A: Agent> Seated<A> {
    #[inline]
    fn start(&mut self, seat: u32, seats: u32, agent_seed: u64, turn_limit: u32, ruleset_id: u64) {
        std::panic::set_hook(Box::new(report));
        self.game.follow(ruleset_id, ruleset);
        self.game.begin(seat, seats, agent_seed, turn_limit);
        self.agent.insert(A::default()).start(&self.game);
    }

    #[inline]
    fn decide(&mut self, now: exported::Turn) -> u32 {
        let Some(agent) = &mut self.agent else { out_of_turn() };
        let roll = wire::faces([
            now.roll.ones,
            now.roll.twos,
            now.roll.threes,
            now.roll.fours,
            now.roll.fives,
            now.roll.sixes,
        ]);
        // A turn is made for one decision and not kept, so that an agent has in registers what it asks
        // for, and the rest is not stored.
        let turn = Turn {
            roll,
            at_risk: now.at_risk,
            score: now.score,
            best_rival: now.best_rival,
            opening_due: now.opening_due,
            turns: now.turns,
            rolls: now.rolls,
            farkles_in_a_row: now.farkles_in_a_row,
            closing: now.closing,
            best: self.game.best_keep(roll),
            game: &self.game,
        };
        wire::decision(agent.decide(&turn))
    }
}

/// Lets an author see why an agent panicked: the arena stops it next, and shows what it said last.
///
/// The words are those of the standard library. They are noted piece by piece, and by hand: what
/// formats numbers knows signs, widths and fills, and is larger than much of a small agent.
#[cold]
fn report(panic: &PanicHookInfo<'_>) {
    if let Some(place) = panic.location() {
        note("panicked at ");
        note(place.file());
        note(":");
        note_number(place.line());
        note(":");
        note_number(place.column());
        note(":\n");
    }
    note(panic.payload_as_str().unwrap_or_default());
    end_note();
}

#[inline(never)]
fn note_number(number: u32) {
    if number >= 10 {
        note_number(number / 10);
    }
    scalars::note(u64::from(b'0') + u64::from(number % 10), 1);
}

/// Adds to the note that is being made.
#[inline(never)]
fn note(text: &str) {
    for bytes in text.as_bytes().chunks(8) {
        let mut eight = 0;
        for (place, byte) in bytes.iter().enumerate() {
            eight |= u64::from(*byte) << (8 * place);
        }
        scalars::note(eight, bytes.len() as u32);
    }
}

fn end_note() {
    scalars::note(0, 0);
}

pub(crate) fn log(message: &str) {
    note(message);
    end_note();
}

pub(crate) fn scores() -> Vec<Points> {
    table::scores()
}

pub(crate) fn history(since: u32) -> Vec<Event> {
    let event = |e: table::Event| Event {
        seat: e.seat,
        turn: e.turn,
        kind: match e.kind {
            table::EventKind::RolledOn => EventKind::RolledOn,
            table::EventKind::Banked => EventKind::Banked,
            table::EventKind::Won => EventKind::Won,
            table::EventKind::Farkled => EventKind::Farkled,
            table::EventKind::Faulted => EventKind::Faulted,
        },
        roll: Faces::from_packed(e.roll),
        keep: Faces::from_packed(e.keep),
        points: e.points,
        banked: e.banked,
    };
    table::history(since).into_iter().map(event).collect()
}

#[cold]
fn ruleset() -> Ruleset {
    let numbers = core::array::from_fn(|place| scalars::rule(place as u32));
    let Some(ruleset) = Ruleset::from_numbers(numbers) else { panic!("these rules are newer than this agent") };
    ruleset
}
