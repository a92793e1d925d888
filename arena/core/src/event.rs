//! What happened at the table, roll by roll.
//!
//! Owns the typed events and their JSON form. Refuses to interpret them.

use farkle::{Faces, Points};
use serde::{Deserialize, Serialize};

use crate::fault::{Fault, FaultKind};

/// One roll and what came of it, or a fault before the first roll.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Flat", into = "Flat")]
pub struct Event {
    /// Whose roll, from 0.
    pub seat: u8,
    /// Which turn of that seat, from 1; 0 for a fault before the first roll.
    pub turn: u32,
    /// What came of it.
    pub what: What,
}

/// What came of a roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A keep, and the seat rolls on.
    Rolled(Keep),
    /// A keep, and the seat banked.
    Banked {
        /// The keep.
        keep: Keep,
        /// The seat's new total.
        banked: Points,
    },
    /// A keep that won the match outright.
    Won(Keep),
    /// A roll without a legal keep.
    Farkled {
        /// The dice.
        roll: Faces,
        /// The points at risk that are gone.
        lost: Points,
        /// The ruleset's penalty and the total after it, where one fell due.
        penalty: Option<(Points, Points)>,
    },
    /// The seat's fault.
    Faulted {
        /// The dice on the table, none in `start`.
        roll: Option<Faces>,
        /// What it did.
        fault: Fault,
    },
}

/// A keep from a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keep {
    /// The dice on the table.
    pub roll: Faces,
    /// The dice set aside.
    pub keep: Faces,
    /// What they scored.
    pub points: Points,
    /// Points at risk with them.
    pub at_risk: Points,
}

/// The JSON form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Flat {
    seat: u8,
    turn: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    roll: Option<Faces>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    keep: Option<Faces>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    points: Option<Points>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at_risk: Option<Points>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next: Option<FlatNext>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    farkle: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lost: Option<Points>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    penalty: Option<Points>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    banked: Option<Points>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fault: Option<Fault>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum FlatNext {
    Roll,
    Bank,
    Win,
}

impl From<Event> for Flat {
    fn from(event: Event) -> Flat {
        let mut flat = Flat {
            seat: event.seat,
            turn: event.turn,
            roll: None,
            keep: None,
            points: None,
            at_risk: None,
            next: None,
            farkle: None,
            lost: None,
            penalty: None,
            banked: None,
            fault: None,
        };
        let mut kept = |keep: Keep, next| {
            flat.roll = Some(keep.roll);
            flat.keep = Some(keep.keep);
            flat.points = Some(keep.points);
            flat.at_risk = Some(keep.at_risk);
            flat.next = Some(next);
        };
        match event.what {
            What::Rolled(keep) => kept(keep, FlatNext::Roll),
            What::Won(keep) => kept(keep, FlatNext::Win),
            What::Banked { keep, banked } => {
                kept(keep, FlatNext::Bank);
                flat.banked = Some(banked);
            }
            What::Farkled { roll, lost, penalty } => {
                flat.roll = Some(roll);
                flat.farkle = Some(true);
                flat.lost = Some(lost);
                flat.penalty = penalty.map(|p| p.0);
                flat.banked = penalty.map(|p| p.1);
            }
            What::Faulted { roll, fault } => {
                flat.roll = roll;
                flat.fault = Some(fault);
            }
        }
        flat
    }
}

impl TryFrom<Flat> for Event {
    type Error = String;

    /// Refuses fields that contradict each other, so that no two texts with one hash say
    /// different things.
    fn try_from(flat: Flat) -> Result<Event, String> {
        let given = flat.clone();
        let Flat { seat, turn, roll, keep, points, at_risk, next, farkle, lost, penalty, banked, fault } = flat;
        let missing = |field: &str| format!("an event of seat {seat}, turn {turn} has no `{field}`");
        let what = if let Some(fault) = fault {
            if roll.is_none() != (turn == 0) {
                return Err(format!(
                    "a fault of seat {seat} has turn 0 exactly when it has no `roll`, not turn {turn}"
                ));
            }
            What::Faulted { roll, fault }
        } else if farkle == Some(true) {
            let penalty = match (penalty, banked) {
                (Some(0), _) => return Err(format!("a farkle of seat {seat}, turn {turn} has a `penalty` of 0")),
                (Some(penalty), Some(banked)) => Some((penalty, banked)),
                (None, None) => None,
                (Some(_), None) => return Err(missing("banked")),
                (None, Some(_)) => return Err(missing("penalty")),
            };
            let roll = roll.ok_or_else(|| missing("roll"))?;
            What::Farkled { roll, lost: lost.ok_or_else(|| missing("lost"))?, penalty }
        } else {
            let kept = Keep {
                roll: roll.ok_or_else(|| missing("roll"))?,
                keep: keep.ok_or_else(|| missing("keep"))?,
                points: points.ok_or_else(|| missing("points"))?,
                at_risk: at_risk.ok_or_else(|| missing("at_risk"))?,
            };
            match next.ok_or_else(|| missing("next"))? {
                FlatNext::Roll => What::Rolled(kept),
                FlatNext::Win => What::Won(kept),
                FlatNext::Bank => What::Banked { keep: kept, banked: banked.ok_or_else(|| missing("banked"))? },
            }
        };
        let event = Event { seat, turn, what };
        if Flat::from(event.clone()) != given {
            return Err(format!("an event of seat {seat}, turn {turn} has fields that do not go together"));
        }
        Ok(event)
    }
}

impl Event {
    /// Appends the canonical bytes of this event (docs/record.md).
    pub(crate) fn encode(&self, bytes: &mut Vec<u8>) {
        let head = |bytes: &mut Vec<u8>, tag: u8| {
            bytes.extend_from_slice(&[tag, self.seat]);
            bytes.extend_from_slice(&self.turn.to_le_bytes());
        };
        let kept = |bytes: &mut Vec<u8>, keep: &Keep, next: u8, banked: Points| {
            head(bytes, 1);
            for number in [keep.roll.packed(), keep.keep.packed()] {
                bytes.extend_from_slice(&number.to_le_bytes());
            }
            for points in [keep.points, keep.at_risk, banked] {
                bytes.extend_from_slice(&points.to_le_bytes());
            }
            bytes.push(next);
        };
        match &self.what {
            What::Rolled(keep) => kept(bytes, keep, 0, 0),
            What::Banked { keep, banked } => kept(bytes, keep, 1, *banked),
            What::Won(keep) => kept(bytes, keep, 2, 0),
            What::Farkled { roll, lost, penalty } => {
                let (penalty, banked) = penalty.unwrap_or((0, 0));
                head(bytes, 2);
                bytes.extend_from_slice(&roll.packed().to_le_bytes());
                for points in [*lost, penalty, banked] {
                    bytes.extend_from_slice(&points.to_le_bytes());
                }
            }
            What::Faulted { roll, fault } => {
                head(bytes, 3);
                bytes.extend_from_slice(&roll.map_or(0, Faces::packed).to_le_bytes());
                bytes.push(fault.kind.code());
            }
        }
    }

    /// Whether both say the same, messages aside: those are for people and may differ between
    /// engine versions.
    pub fn same_as(&self, other: &Event) -> bool {
        let kind_only = |event: &Event| match &event.what {
            What::Faulted { roll, fault } => Some((event.seat, event.turn, *roll, fault.kind)),
            _ => None,
        };
        match (kind_only(self), kind_only(other)) {
            (Some(a), Some(b)) => a == b,
            _ => self == other,
        }
    }

    /// The dice on the table; none of a fault before the first roll.
    pub fn roll(&self) -> Option<Faces> {
        match &self.what {
            What::Rolled(keep) | What::Won(keep) | What::Banked { keep, .. } => Some(keep.roll),
            What::Farkled { roll, .. } => Some(*roll),
            What::Faulted { roll, .. } => *roll,
        }
    }

    /// The fault, if this is one.
    pub fn fault(&self) -> Option<(u8, FaultKind, &str)> {
        match &self.what {
            What::Faulted { fault, .. } => Some((self.seat, fault.kind, &fault.message)),
            _ => None,
        }
    }
}

impl std::fmt::Display for Event {
    /// Its JSON form, on one line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| std::fmt::Error)?)
    }
}
