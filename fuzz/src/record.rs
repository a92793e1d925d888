//! Texts that claim to be match records.
//!
//! Owns what must hold of a record that was taken: it is the same after it was written and read again,
//! its hash does not change on the way, and it names nothing that its match cannot have.

use arena_core::Record;

/// The text as a record.
pub fn record(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let record = match Record::from_json(text) {
        Ok(record) => record,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let written = record.to_json();
    let again = Record::from_json(&written).unwrap();
    assert_eq!(again, record, "{written}");
    assert_eq!(again.to_json(), written);
    assert_eq!(again.computed_hash(), record.computed_hash());
    assert_eq!(record.first_difference(&again), None);
    record.ruleset.validate().unwrap();
    for rank in &record.result.ranks {
        // The hash takes a byte of each rank, so two records with other ranks must not share it.
        assert!((1..=record.seats.len()).contains(&(*rank as usize)), "rank {rank} of {} seats", record.seats.len());
    }
    for event in &record.events {
        assert!(usize::from(event.seat) < record.seats.len());
    }
}
