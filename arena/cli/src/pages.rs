//! What the pages of a tournament are made of, from its file.
//!
//! Owns the way from stored outcomes and matches played again to [`arena_site`]'s tournaments and replays.
//! Refuses to draw: that is [`arena_site`]'s.

mod gather;
mod notable;
mod replay;

pub(crate) use gather::{Sample, Styles, gather, listed};
pub(crate) use replay::replay;
