//! The bindings to the arena, generated from `wit/`, and what stands between them and an agent.
//!
//! Owns every call in and out of the component. Refuses to exist natively: there a test plays
//! the arena (the `testing` module), and no import is ever called.

use std::panic::PanicHookInfo;

use farkle::{Faces, Points, Ruleset, presets};

use crate::wire;
use crate::{Agent, Event, EventKind, Turn};

/// What wit-bindgen makes of the contract. Its code needs `unsafe`; ours does not.
#[doc(hidden)]
#[allow(missing_docs, unreachable_pub, rust_2018_idioms)]
pub mod bindings {
    wit_bindgen::generate!({
        path: "../wit",
        world: "contestant",
        pub_export_macro: true,
        default_bindings_module: "agent_sdk::contract::bindings",
    });
}

pub use bindings::exports::farkle::arena::agent as exported;
use bindings::farkle::arena::{scalars, table};

/// The rules that a blank seat already follows.
const BLANK: u64 = presets::IMMEDIATE_WIN.id();

/// The seat that this instance plays: its turn, made once and filled anew at every roll, and its
/// agent. In one piece, so that they lie in one page of memory: every page that an agent writes to
/// is cleared between matches, and that costs more than most decisions.
#[doc(hidden)]
#[derive(Debug)]
pub struct Seated<A> {
    turn: Turn,
    agent: Option<A>,
}

impl<A: Agent> Seated<A> {
    /// Before the match.
    pub const fn blank() -> Seated<A> {
        Seated { turn: Turn::blank(), agent: None }
    }

    /// The arena's `start`.
    pub fn start(&mut self, seat: u32, seats: u32, agent_seed: u64, turn_limit: u32, ruleset_id: u64) {
        std::panic::set_hook(Box::new(report));
        if ruleset_id != BLANK {
            // Asking for the rules costs more than many an agent's whole match.
            self.turn.game.follow(match presets::by_id(ruleset_id) {
                Some(preset) => Ruleset { name: "".into(), ..preset.clone() },
                None => ruleset(),
            });
        }
        self.turn.game.begin(seat, seats, agent_seed, turn_limit);
        self.agent.insert(A::default()).start(&self.turn.game);
    }

    /// The arena's `decide`.
    pub fn decide(&mut self, now: exported::Turn) -> u32 {
        let Some(agent) = &mut self.agent else { panic!("`start` comes before `decide`") };
        let turn = &mut self.turn;
        turn.roll = wire::faces([
            now.roll.ones,
            now.roll.twos,
            now.roll.threes,
            now.roll.fours,
            now.roll.fives,
            now.roll.sixes,
        ]);
        turn.at_risk = now.at_risk;
        turn.score = now.score;
        turn.best_rival = now.best_rival;
        turn.opening_due = now.opening_due;
        turn.turns = now.turns;
        turn.rolls = now.rolls;
        turn.farkles_in_a_row = now.farkles_in_a_row;
        turn.closing = now.closing;
        wire::decision(agent.decide(turn))
    }
}

/// Lets an author see why an agent panicked: the arena stops it next, and shows what it said last.
///
/// The words are those of the standard library. They are put together by hand because what formats
/// numbers knows signs, widths and fills, and is larger than much of a small agent.
#[cold]
fn report(panic: &PanicHookInfo<'_>) {
    let mut said = String::new();
    if let Some(place) = panic.location() {
        push(&mut said, "panicked at ");
        push(&mut said, place.file());
        push(&mut said, ":");
        push_digits(&mut said, place.line());
        push(&mut said, ":");
        push_digits(&mut said, place.column());
        push(&mut said, ":\n");
    }
    push(&mut said, panic.payload_as_str().unwrap_or_default());
    log(&said);
}

#[inline(never)]
fn push(text: &mut String, more: &str) {
    text.push_str(more);
}

#[inline(never)]
fn push_digits(text: &mut String, number: u32) {
    if number >= 10 {
        push_digits(text, number / 10);
    }
    let digit = (number % 10) as usize;
    push(text, "0123456789".get(digit..=digit).unwrap_or_default());
}

pub(crate) fn log(message: &str) {
    for bytes in message.as_bytes().chunks(8) {
        let mut eight = 0;
        for (place, byte) in bytes.iter().enumerate() {
            eight |= u64::from(*byte) << (8 * place);
        }
        scalars::note(eight, bytes.len() as u32);
    }
    scalars::note(0, 0);
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
