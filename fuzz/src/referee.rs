//! Whole matches between agents that follow a script.
//!
//! Owns what must hold of every match: nothing panics, a second account agrees with every event, its
//! record comes back from its text, and whoever plays it again gets the same.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use arbitrary::{Result, Unstructured};
use arena_core::{
    Allowance, Contestant, EngineId, Limits, Played, Record, RecordSeat, Referee, RefereeError, Sha256Hex,
};
use farkle::{Ruleset, ScoreTable};

use crate::drawn;
use crate::judge::Judge;
use crate::scripted::Scripted;
use crate::slow_keeps::SlowKeeps;

/// Bytes that a ruleset and a script take at least.
const FEWEST: usize = 16;

/// A ruleset, a seed, limits, and a script for every seat.
pub fn referee(data: &[u8]) {
    if data.len() < FEWEST {
        return;
    }
    // Bytes that end too soon, or name no possible ruleset, are no finding.
    let _ = try_referee(&mut Unstructured::new(data));
}

fn try_referee(u: &mut Unstructured<'_>) -> Result<()> {
    let rules = drawn::ruleset(u)?;
    let seed: u64 = u.arbitrary()?;
    let seats = usize::from(u.int_in_range(rules.min_seats..=rules.max_seats)?);
    let limits = Limits { turns: u.int_in_range(1..=25)?, ..Allowance::Standard.limits() };
    let (table, keeps) = tables(&rules);
    let scripted: Vec<Scripted> =
        (0..seats).map(|seat| Scripted::draw(u, &keeps, seat as u8)).collect::<Result<_>>()?;
    let contestants: Vec<&dyn Contestant> = scripted.iter().map(|agent| agent as &dyn Contestant).collect();

    let new_referee = || Referee::new(table.clone(), seats, limits).unwrap();
    let mut referee = new_referee();
    referee.keep_calls();
    match referee.play(seed, &contestants) {
        Ok(played) => {
            Judge::new(&keeps, seed, limits.turns, seats, &referee.events(), referee.calls()).judge(&played);
            let record = record(&referee, seed, &contestants, &played);
            let again = Record::from_json(&record.to_json()).unwrap();
            assert_eq!(again, record);
            assert_eq!(again.computed_hash().0, played.hash);
            // The same referee, and another one that keeps no calls.
            for referee in [&mut referee, &mut new_referee()] {
                assert_eq!(referee.play(seed, &contestants).as_ref(), Ok(&played));
                let replayed = self::record(referee, seed, &contestants, &played);
                assert_eq!(record.first_difference(&replayed), None);
            }
        }
        Err(_) => {
            // A void match leaves nothing behind in the referee.
            assert!(referee.play_or_retry(seed, &contestants).is_err());
            let calm: Vec<Scripted> = (0..seats).map(|seat| Scripted::calm(&keeps, seat as u8)).collect();
            let calm: Vec<&dyn Contestant> = calm.iter().map(|agent| agent as &dyn Contestant).collect();
            let played = referee.play(seed, &calm).unwrap();
            Judge::new(&keeps, seed, limits.turns, seats, &referee.events(), referee.calls()).judge(&played);
            assert_eq!(new_referee().play(seed, &calm), Ok(played));
        }
    }
    let too_many = Referee::new(table.clone(), usize::from(rules.max_seats) + 1, limits);
    assert!(matches!(too_many, Err(RefereeError::Seats { .. })));
    Ok(())
}

/// The tables of both sides. Most inputs that follow each other are of the same rules, and working these
/// out takes longer than a match.
fn tables(rules: &Ruleset) -> (Arc<ScoreTable>, Arc<SlowKeeps>) {
    type Known = BTreeMap<[i32; Ruleset::FIELDS], (Arc<ScoreTable>, Arc<SlowKeeps>)>;
    static KNOWN: Mutex<Known> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if known.len() >= 500 {
        known.clear();
    }
    let make = || (Arc::new(ScoreTable::new(rules)), Arc::new(SlowKeeps::new(rules)));
    known.entry(rules.numbers()).or_insert_with(make).clone()
}

fn record(referee: &Referee, seed: u64, contestants: &[&dyn Contestant], played: &Played) -> Record {
    let engine = EngineId {
        arena: "fuzz".to_owned(),
        wasmtime: "none".to_owned(),
        fingerprint: "native agents".to_owned(),
        wasi: None,
    };
    let seat = |contestant: &&dyn Contestant| RecordSeat {
        name: "scripted".to_owned(),
        sha256: Sha256Hex(contestant.sha256()),
    };
    Record::new(
        engine,
        referee.ruleset().clone(),
        seed,
        *referee.limits(),
        contestants.iter().map(seat).collect(),
        referee.events().to_vec(),
        played.result.clone(),
    )
}
