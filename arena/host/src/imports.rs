//! What a component may import: the rules, the table, the log, and some of it in numbers alone.
//!
//! Owns the host's side of those calls and what they cost. Refuses to wait: no import may, since
//! neither fuel nor anything else would end it.

use arena_core::{Event, What};
use farkle::{EndingRule, Kinds, Reading, Ruleset};
use wasmtime::component::Linker;
use wasmtime::{AsContextMut, Result, StoreContextMut, Trap};

use crate::bindings::farkle::arena::{rules, table};
use crate::seat::Seat;

/// Names of the interfaces, for a refusal that says what is on offer.
pub(crate) const OFFERED: [&str; 4] = [
    "farkle:arena/rules@0.1.0",
    "farkle:arena/table@0.1.0",
    "farkle:arena/logging@0.1.0",
    "farkle:arena/scalars@0.1.0",
];

/// Fuel that a call costs beside the agent's own instructions: a call, each event, each byte.
pub(crate) const CALL: u64 = 200;
pub(crate) const EVENT: u64 = 50;
pub(crate) const BYTE: u64 = 1;
/// The same for the engine's fingerprint.
pub(crate) const COSTS: &str = "call 200, event 50, byte 1";

pub(crate) fn add(linker: &mut Linker<Seat>) -> Result<()> {
    let [rules_name, table_name, logging_name, scalars_name] = OFFERED;

    let mut rules = linker.instance(rules_name)?;
    rules.func_wrap("current", |mut store: StoreContextMut<'_, Seat>, (): ()| {
        charge(&mut store, CALL)?;
        Ok((ruleset(store.data().table()?.ruleset()),))
    })?;

    let mut table = linker.instance(table_name)?;
    table.func_wrap("scores", |mut store: StoreContextMut<'_, Seat>, (): ()| {
        charge(&mut store, CALL)?;
        let scores = store.data().table()?.scores().to_vec();
        Ok((scores,))
    })?;
    table.func_wrap("history", |mut store: StoreContextMut<'_, Seat>, (since,): (u32,)| {
        let known = store.data().table()?.events().len();
        let from = known.min(since as usize);
        charge(&mut store, CALL + EVENT * (known - from) as u64)?;
        let table = store.data().table()?;
        let (all, banked) = (table.events(), table.banked());
        let events: Vec<_> = all[from..].iter().zip(&banked[from..]).map(|(e, banked)| event(e, *banked)).collect();
        Ok((events,))
    })?;

    let mut logging = linker.instance(logging_name)?;
    logging.func_wrap("log", |mut store: StoreContextMut<'_, Seat>, (message,): (String,)| {
        charge(&mut store, CALL + BYTE * message.len() as u64)?;
        store.data_mut().note(message);
        Ok(())
    })?;

    let mut scalars = linker.instance(scalars_name)?;
    scalars.func_wrap("rule", |mut store: StoreContextMut<'_, Seat>, (place,): (u32,)| {
        charge(&mut store, CALL)?;
        let numbers = store.data().table()?.ruleset().numbers();
        Ok((numbers.get(place as usize).copied().unwrap_or(0),))
    })?;
    scalars.func_wrap("note", |mut store: StoreContextMut<'_, Seat>, (bytes, count): (u64, u32)| {
        charge(&mut store, CALL + BYTE * u64::from(count.min(8)))?;
        let bytes = bytes.to_le_bytes();
        let Some(bytes) = bytes.get(..count as usize) else {
            return Err(wasmtime::format_err!("`note` takes at most 8 bytes, and {count} were given"));
        };
        store.data_mut().note_bytes(bytes);
        Ok(())
    })?;
    Ok(())
}

/// Takes fuel for a call from the agent's allowance.
pub(crate) fn charge(store: &mut StoreContextMut<'_, Seat>, cost: u64) -> Result<()> {
    let mut store = store.as_context_mut();
    let left = store.get_fuel()?;
    store.set_fuel(left.saturating_sub(cost))?;
    if left < cost { Err(Trap::OutOfFuel.into()) } else { Ok(()) }
}

fn ruleset(rules: &Ruleset) -> rules::Ruleset {
    rules::Ruleset {
        dice: rules.dice,
        reading: match rules.reading {
            Reading::Best => rules::Reading::Best,
            Reading::PerFace => rules::Reading::PerFace,
        },
        single_one: rules.single_one,
        single_five: rules.single_five,
        three_ones: rules.three_ones,
        kinds: match rules.kinds {
            Kinds::Flat => rules::Kinds::Flat,
            Kinds::Doubling => rules::Kinds::Doubling,
            Kinds::Adding => rules::Kinds::Adding,
            Kinds::None => rules::Kinds::None,
        },
        four_of_a_kind: rules.four_of_a_kind,
        five_of_a_kind: rules.five_of_a_kind,
        six_of_a_kind: rules.six_of_a_kind,
        six_wins: rules.six_wins,
        straight: rules.straight,
        three_pairs: rules.three_pairs,
        four_and_pair: rules.four_and_pair,
        two_triplets: rules.two_triplets,
        five_run: rules.five_run,
        full_house: rules.full_house,
        no_score: rules.no_score,
        toxic_twos: rules.toxic_twos,
        keep_all: rules.keep_all,
        must_roll_hot_dice: rules.must_roll_hot_dice,
        exact_landing: rules.exact_landing,
        opening: rules.opening,
        penalty: rules.penalty,
        penalty_after: rules.penalty_after,
        penalty_floor: rules.penalty_floor,
        ending: match rules.ending {
            EndingRule::ImmediateWin => rules::Ending::ImmediateWin,
            EndingRule::FinalRound => rules::Ending::FinalRound,
            EndingRule::Turns => rules::Ending::Turns,
        },
        target: rules.target,
        turns: rules.turns,
        min_seats: rules.min_seats,
        max_seats: rules.max_seats,
    }
}

/// An event as an agent sees it, with the banked score of its seat after it.
fn event(event: &Event, banked: i32) -> table::Event {
    let (kind, roll, keep, points) = match &event.what {
        What::Rolled(k) => (table::EventKind::RolledOn, k.roll.packed(), k.keep.packed(), k.points),
        What::Won(k) => (table::EventKind::Won, k.roll.packed(), k.keep.packed(), k.points),
        What::Banked { keep: k, .. } => (table::EventKind::Banked, k.roll.packed(), k.keep.packed(), k.points),
        What::Farkled { roll, lost, .. } => (table::EventKind::Farkled, roll.packed(), 0, *lost),
        What::Faulted { roll, .. } => (table::EventKind::Faulted, roll.map_or(0, |r| r.packed()), 0, 0),
    };
    table::Event { seat: event.seat.into(), turn: event.turn, kind, roll, keep, points, banked }
}
