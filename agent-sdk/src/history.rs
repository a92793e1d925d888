//! What has happened in a match, as its seats can see it.
//!
//! Owns the shape of an event. Refuses to keep any: the arena does, and hands them out on demand
//! ([`Turn::history`](crate::Turn::history)).

use farkle::{Faces, Points};

/// One roll and what came of it.
///
/// ```
/// use agent_sdk::{EventKind, farkle::presets, testing::{BankAsap, Table}};
/// let events = Table::new(&presets::PLAY_TABLE).seat::<BankAsap>().seat::<BankAsap>().play(7).events;
/// let first = events[0];
/// assert_eq!((first.seat, first.turn), (0, 1));
/// assert!(matches!(first.kind, EventKind::Banked | EventKind::Farkled));
/// assert!(first.roll.contains(first.keep));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Whose.
    pub seat: u32,
    /// Which turn of that seat, from 1; 0 for a fault before the first roll.
    pub turn: u32,
    /// What happened.
    pub kind: EventKind,
    /// The dice rolled.
    pub roll: Faces,
    /// The dice kept; none for a farkle or a fault.
    pub keep: Faces,
    /// Points of the keep; for a farkle the points lost; else 0.
    pub points: Points,
    /// The seat's banked score after it.
    pub banked: Points,
}

/// What can happen on a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A keep, and the seat rolled on.
    RolledOn,
    /// A keep, and the seat banked.
    Banked,
    /// A keep that won the match.
    Won,
    /// A farkle.
    Farkled,
    /// The seat forfeited.
    Faulted,
}

/// Another seat, as [`Turn::rivals`](crate::Turn::rivals) tells of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rival {
    /// Which.
    pub seat: u32,
    /// Its banked score.
    pub score: Points,
    /// Whether it forfeited: it plays no more, and can not win.
    pub out: bool,
}

/// What is remembered of events already read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Watch {
    pub(crate) read: u32,
    /// A bit for each seat that forfeited.
    pub(crate) out: u32,
    /// Who reached the target first.
    pub(crate) reached: Option<u32>,
}
