//! People at the table.
//!
//! Owns what makes a person a contestant: lines instead of calls, decisions that are saved and asked
//! for again. Refuses to run matches ([`arena_core::Referee`] does) and to let a mistyped line cost
//! anything: what reaches the referee is legal.

mod input;
mod offer;
mod recorded;
mod save;
mod screen;
mod seat;

use arena_core::Sha256Hex;

pub(crate) use self::recorded::Recorded;
pub(crate) use self::save::{Plays, SaveFile, Saved, SavedSeat, only_one, usual_name};
pub(crate) use self::seat::{Console, Person, Stop};

/// What stands in a record where a component has its SHA-256: that of this text (docs/record.md). It
/// is the same for everybody; people are not made of bytes.
const PERSON: &str = "farkle-arena person 1\n";

/// The `sha256` of a person's seat.
pub(crate) fn sha256() -> [u8; 32] {
    Sha256Hex::of(PERSON.as_bytes()).0
}

#[cfg(test)]
mod tests {
    /// By `printf 'farkle-arena person 1\n' | sha256sum`.
    #[test]
    fn a_person_has_the_hash_that_the_page_names() {
        let page = include_str!("../../../docs/record.md");
        let hash = arena_core::Sha256Hex(super::sha256()).to_string();
        assert_eq!(hash, "6a1c39080ccc23c9743034ed34f96d08ec3cbfad9905672ebdc6a0f34ca19ab6");
        assert!(page.contains(&hash));
    }
}
