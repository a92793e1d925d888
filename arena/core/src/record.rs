//! A match written down: enough to check it, in JSON, with a hash.
//!
//! Owns the record's shape, the canonical bytes that its hash covers (docs/record.md), and the
//! comparison of two records. Refuses files: it reads and writes text.

use std::fmt;

use farkle::{Ending, MatchResult, Points, Ruleset};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::event::Event;
use crate::fault::FaultKind;
use crate::limits::Limits;

/// The format number that this version writes, and the newest it reads.
pub const FORMAT: u32 = 1;

/// The engine that played: part of what a record names, not of its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineId {
    /// Version of the arena.
    pub arena: String,
    /// Version of wasmtime.
    pub wasmtime: String,
    /// Hash of everything about the engine that can change a result.
    pub fingerprint: String,
    /// Version of the deterministic WASI, where an agent of the match imports WASI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wasi: Option<u32>,
}

/// 32 bytes, as 64 hexadecimal digits in text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sha256Hex(pub [u8; 32]);

impl Sha256Hex {
    /// The SHA-256 of some bytes.
    ///
    /// ```
    /// let nothing = arena_core::Sha256Hex::of(b"");
    /// assert_eq!(nothing.to_string(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    /// ```
    pub fn of(bytes: &[u8]) -> Sha256Hex {
        Sha256Hex(Sha256::digest(bytes).into())
    }
}

/// A seat in a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordSeat {
    /// The name that the agent was submitted under.
    pub name: String,
    /// The SHA-256 of its component.
    pub sha256: Sha256Hex,
}

/// The result in a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedResult {
    /// Banked points, by seat.
    pub scores: Vec<Points>,
    /// Ranks, by seat.
    pub ranks: Vec<u32>,
    /// Why the match ended.
    pub ending: Ending,
    /// Faults, in order.
    pub faults: Vec<RecordedFault>,
}

/// A fault in a record's result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedFault {
    /// Whose.
    pub seat: u8,
    /// Which kind.
    pub kind: FaultKind,
    /// What exactly.
    pub message: String,
}

/// Everything that happened in one match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// [`FORMAT`].
    pub format: u32,
    /// What played.
    pub engine: EngineId,
    /// The complete ruleset.
    pub ruleset: Ruleset,
    /// The match seed, as decimal digits.
    #[serde(with = "seed_digits")]
    pub seed: u64,
    /// The limits.
    pub limits: Limits,
    /// Who sat where.
    pub seats: Vec<RecordSeat>,
    /// What happened.
    pub events: Vec<Event>,
    /// How it ended.
    pub result: RecordedResult,
    /// The hash of it all (docs/record.md).
    pub hash: Sha256Hex,
}

/// Why a text is no record that can be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// Written by a newer version.
    #[error("format {0} is newer than this arena reads (format {FORMAT})")]
    NewerFormat(u64),
    /// Not a record.
    #[error("not a match record: {0}")]
    Malformed(String),
}

/// Where two records of one match part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which part, for people: `event 5`, `result`, `hash`.
    pub place: String,
    /// What the first one says.
    pub recorded: String,
    /// What the second one says.
    pub replayed: String,
}

impl Record {
    /// Puts a record together and hashes it.
    pub fn new(
        engine: EngineId,
        ruleset: Ruleset,
        seed: u64,
        limits: Limits,
        seats: Vec<RecordSeat>,
        events: Vec<Event>,
        result: MatchResult,
    ) -> Record {
        let faults = events
            .iter()
            .filter_map(Event::fault)
            .map(|(seat, kind, message)| RecordedFault { seat, kind, message: message.to_owned() })
            .collect();
        let MatchResult { scores, ranks, ending } = result;
        let result = RecordedResult { scores, ranks, ending, faults };
        let mut record =
            Record { format: FORMAT, engine, ruleset, seed, limits, seats, events, result, hash: Sha256Hex([0; 32]) };
        record.hash = record.computed_hash();
        record
    }

    /// Reads a record.
    ///
    /// # Errors
    ///
    /// [`RecordError`] for a newer format, or text that is no record.
    pub fn from_json(text: &str) -> Result<Record, RecordError> {
        let malformed = |error: serde_json::Error| RecordError::Malformed(error.to_string());
        let head: serde_json::Value = serde_json::from_str(text).map_err(malformed)?;
        match head.get("format").and_then(serde_json::Value::as_u64) {
            Some(format) if format > FORMAT.into() => return Err(RecordError::NewerFormat(format)),
            Some(1) => {}
            _ => return Err(RecordError::Malformed("no `format` number of 1 or more at its top".into())),
        }
        // From the text again, for an error that names the line.
        let record: Record = serde_json::from_str(text).map_err(malformed)?;
        record.ruleset.validate().map_err(|error| RecordError::Malformed(error.to_string()))?;
        record.check_seats().map_err(RecordError::Malformed)?;
        Ok(record)
    }

    /// What the types leave open and the hash does not cover: that seats are those of the match,
    /// and that the result repeats the faults of the events.
    fn check_seats(&self) -> Result<(), String> {
        let seats = self.seats.len();
        let (min, max) = (self.ruleset.min_seats, self.ruleset.max_seats);
        if !(min.into()..=max.into()).contains(&seats) {
            return Err(format!("{seats} seats, and the ruleset is for {min} to {max}"));
        }
        if self.result.scores.len() != seats || self.result.ranks.len() != seats {
            return Err(format!("{seats} seats, but not as many scores and ranks"));
        }
        // The hash has one byte for a rank: of 1 and 257 it would be the same.
        if let Some(rank) = self.result.ranks.iter().find(|rank| !(1..=seats).contains(&(**rank as usize))) {
            return Err(format!("a rank of {rank}, and `ranks` are 1 to {seats}"));
        }
        if let Some(event) = self.events.iter().find(|event| usize::from(event.seat) >= seats) {
            return Err(format!("an event of seat {}, and seats are numbered 0 to {}", event.seat, seats - 1));
        }
        let happened = self.events.iter().filter_map(Event::fault).map(|(seat, kind, _)| (seat, kind));
        if !happened.eq(self.result.faults.iter().map(|fault| (fault.seat, fault.kind))) {
            return Err("the result's `faults` are not those of the events".into());
        }
        Ok(())
    }

    /// The record as JSON: a line for each event, so that records compare line by line.
    pub fn to_json(&self) -> String {
        let mut text = String::from("{");
        let mut field = |name: &str, value: &str| {
            if text.len() > 1 {
                text.push_str(",\n ");
            }
            text.push_str(&format!("\"{name}\":{value}"));
        };
        field("format", &self.format.to_string());
        field("engine", &json(&self.engine));
        field("ruleset", &json(&self.ruleset));
        field("seed", &format!("\"{}\"", self.seed));
        field("limits", &json(&self.limits));
        field("seats", &json(&self.seats));
        let events: Vec<String> = self.events.iter().map(|event| format!("\n  {}", json(event))).collect();
        field("events", &format!("[{}]", events.join(",")));
        field("result", &json(&self.result));
        field("hash", &json(&self.hash));
        text.push_str("}\n");
        text
    }

    /// The hash of what the record says, whatever its `hash` field says.
    pub fn computed_hash(&self) -> Sha256Hex {
        let result = MatchResult {
            scores: self.result.scores.clone(),
            ranks: self.result.ranks.clone(),
            ending: self.result.ending,
        };
        let components: Vec<[u8; 32]> = self.seats.iter().map(|seat| seat.sha256.0).collect();
        Sha256Hex(MatchHasher::new(&self.ruleset, self.limits).hash(self.seed, &components, &self.events, &result))
    }

    /// Where `replayed` first differs from this record; `None` when it is the same match. Names,
    /// engines and fault messages are not compared.
    pub fn first_difference(&self, replayed: &Record) -> Option<Difference> {
        let difference = |place: String, recorded: String, replayed: String| Difference { place, recorded, replayed };
        let most = self.events.len().max(replayed.events.len());
        for i in 0..most {
            let (a, b) = (self.events.get(i), replayed.events.get(i));
            let same = matches!((a, b), (Some(a), Some(b)) if a.same_as(b));
            if !same {
                let text = |event: Option<&Event>| event.map_or("no such event".to_owned(), Event::to_string);
                return Some(difference(format!("event {}", i + 1), text(a), text(b)));
            }
        }
        let plain = |r: &RecordedResult| {
            let faults: Vec<_> = r.faults.iter().map(|f| (f.seat, f.kind)).collect();
            (r.scores.clone(), r.ranks.clone(), r.ending, faults)
        };
        if plain(&self.result) != plain(&replayed.result) {
            return Some(difference("result".into(), json(&self.result), json(&replayed.result)));
        }
        if self.hash != replayed.hash {
            return Some(difference("hash".into(), self.hash.to_string(), replayed.hash.to_string()));
        }
        None
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("records hold nothing that JSON cannot")
}

/// Hashes matches of one ruleset and limits; keeps its buffer between them.
pub(crate) struct MatchHasher {
    head: Vec<u8>,
    tail_of_head: Vec<u8>,
    bytes: Vec<u8>,
}

impl MatchHasher {
    pub(crate) fn new(ruleset: &Ruleset, limits: Limits) -> MatchHasher {
        let mut head = b"farkle-arena record 1\n".to_vec();
        head.extend_from_slice(&Sha256::digest(canonical_ruleset(ruleset)));
        let mut tail_of_head = Vec::new();
        for number in [limits.start_fuel, limits.decide_fuel, limits.memory_bytes] {
            tail_of_head.extend_from_slice(&number.to_le_bytes());
        }
        tail_of_head.extend_from_slice(&limits.turns.to_le_bytes());
        MatchHasher { head, tail_of_head, bytes: Vec::new() }
    }

    pub(crate) fn hash(
        &mut self,
        seed: u64,
        components: &[[u8; 32]],
        events: &[Event],
        result: &MatchResult,
    ) -> [u8; 32] {
        let bytes = &mut self.bytes;
        bytes.clear();
        bytes.extend_from_slice(&self.head);
        bytes.extend_from_slice(&seed.to_le_bytes());
        bytes.extend_from_slice(&self.tail_of_head);
        bytes.push(components.len() as u8);
        for component in components {
            bytes.extend_from_slice(component);
        }
        bytes.extend_from_slice(&(events.len() as u32).to_le_bytes());
        for event in events {
            event.encode(bytes);
        }
        bytes.push(match result.ending {
            Ending::ImmediateWin => 1,
            Ending::FinalRound => 2,
            Ending::Turns => 3,
            Ending::TurnLimit => 4,
            Ending::OutrightWin => 5,
            Ending::Forfeit => 6,
        });
        for (score, rank) in result.scores.iter().zip(&result.ranks) {
            bytes.extend_from_slice(&score.to_le_bytes());
            bytes.push(*rank as u8);
        }
        Sha256::digest(bytes).into()
    }
}

/// The rules as text: a line `field=value` for every field but the name, in alphabetical order;
/// fields that are 0 or false are left out, so that a field added later, while off, changes
/// nothing.
fn canonical_ruleset(ruleset: &Ruleset) -> String {
    let serde_json::Value::Object(fields) = serde_json::to_value(ruleset).expect("a ruleset is plain data") else {
        unreachable!("a ruleset is a JSON object")
    };
    let fields: std::collections::BTreeMap<_, _> = fields.into_iter().collect();
    let mut text = String::new();
    for (field, value) in fields {
        let value = match value {
            serde_json::Value::Bool(false) => continue,
            serde_json::Value::Number(n) if n.as_i64() == Some(0) => continue,
            serde_json::Value::String(s) => s,
            other => other.to_string(),
        };
        if field != "name" {
            text.push_str(&format!("{field}={value}\n"));
        }
    }
    text
}

impl fmt::Display for Sha256Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Sha256Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sha256Hex({self})")
    }
}

impl std::str::FromStr for Sha256Hex {
    type Err = String;

    fn from_str(text: &str) -> Result<Sha256Hex, String> {
        let digits = text.as_bytes();
        let error = || format!("`{text}` is not 64 hexadecimal digits");
        if digits.len() != 64 {
            return Err(error());
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let digit = |d: u8| (d as char).to_digit(16).ok_or_else(error);
            *byte = (digit(pair[0])? * 16 + digit(pair[1])?) as u8;
        }
        Ok(Sha256Hex(bytes))
    }
}

impl Serialize for Sha256Hex {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Sha256Hex {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Sha256Hex, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

mod seed_digits {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(seed)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let text = String::deserialize(deserializer)?;
        // A sign is none of the digits, though `parse` takes one.
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let error = || serde::de::Error::custom(format!("seed `{text}` is not a 64-bit decimal number"));
        if digits { text.parse().map_err(|_| error()) } else { Err(error()) }
    }
}
