//! `arena match`: one match, told or recorded.

use std::sync::Arc;

use arena_core::{Contestant, Record, RecordSeat, Referee, Sha256Hex};
use arena_host::Sandbox;
use farkle::ScoreTable;
use serde_json::json;

use crate::agents::{self, LoadedAgent};
use crate::args::{Format, MatchArgs};
use crate::failure::Failure;
use crate::fault_search::first_fault;
use crate::loader::Loader;
use crate::output::thousands;
use crate::{output, play_by_play, rules};

pub(crate) fn run(args: &MatchArgs) -> Result<(), Failure> {
    let inside = args.inside.of(args.format)?;
    let ruleset = rules::find(&args.game.rules)?;
    let limits = args.game.limits();
    let table = Arc::new(ScoreTable::new(&ruleset));
    let files = agents::read_all(&args.agents)?;
    let mut referee = Referee::new(table.clone(), files.len(), limits).map_err(Failure::usage)?;
    referee.keep_calls();
    let loader = Loader::new(args.game.wasi.wasi())?;
    let loaded = agents::load_all(&loader, &files)?;
    let seats: Vec<_> = loaded.iter().collect();
    let seed = match args.until_fault {
        None => super::seed_or_random(args.seed)?,
        Some(count) => {
            let first = args.seed.unwrap_or(1);
            let found = first_fault(&table, limits, &contestants(&seats), first, count).map_err(Failure::failed)?;
            let Some(seed) = found else {
                let last = first.wrapping_add(count - 1);
                return output::print(&match args.format {
                    Format::Text => {
                        format!("no fault on the {} seeds from {first} to {last}\n", thousands(count as i64))
                    }
                    Format::Json => {
                        let (first, last) = (first.to_string(), last.to_string());
                        format!("{}\n", json!({ "fault": false, "seeds": count, "first": first, "last": last }))
                    }
                });
            };
            seed
        }
    };

    let record = play(&mut referee, seed, &seats)?;
    match args.format {
        Format::Text => output::print(&play_by_play::tell(&record, referee.calls(), inside))?,
        Format::Json => output::print_json(&record.to_json())?,
    }
    if let Some(path) = &args.record {
        output::write_json(path, &record.to_json())?;
    }
    if args.until_fault.is_some() { Err(Failure::No) } else { Ok(()) }
}

fn contestants<'a>(seats: &[&'a LoadedAgent]) -> Vec<&'a dyn Contestant> {
    seats.iter().map(|agent| &agent.component as &dyn Contestant).collect()
}

/// Plays a match and writes it down. A void match is tried once more.
pub(crate) fn play(referee: &mut Referee, seed: u64, seats: &[&LoadedAgent]) -> Result<Record, Failure> {
    let contestants = contestants(seats);
    let names = seats.iter().map(|agent| agent.name.clone()).collect();
    play_between(referee, seed, &contestants, names, Sandbox::id(agents::wasi_of(seats)))
}

/// The same between any contestants, with their names.
pub(crate) fn play_between(
    referee: &mut Referee,
    seed: u64,
    contestants: &[&dyn Contestant],
    names: Vec<String>,
    engine: arena_core::EngineId,
) -> Result<Record, Failure> {
    let played = referee.play_or_retry(seed, contestants).map_err(Failure::failed)?;
    let events = referee.events().to_vec();
    let seat =
        |(name, contestant): (String, &&dyn Contestant)| RecordSeat { name, sha256: Sha256Hex(contestant.sha256()) };
    let seats = names.into_iter().zip(contestants).map(seat).collect();
    Ok(Record::new(engine, referee.ruleset().clone(), seed, *referee.limits(), seats, events, played.result))
}
