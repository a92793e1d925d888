//! `arena match`: one match, told or recorded.

use std::sync::Arc;

use arena_core::{Contestant, Record, Referee};
use arena_host::Sandbox;
use farkle::ScoreTable;

use crate::agents::{self, LoadedAgent};
use crate::args::{Format, MatchArgs};
use crate::failure::Failure;
use crate::{output, play_by_play, rules};

pub(crate) fn run(args: &MatchArgs) -> Result<(), Failure> {
    if args.logs && args.format == Format::Json {
        return Err(Failure::usage("--logs is for text: a record has no place for notes"));
    }
    let ruleset = rules::find(&args.game.rules)?;
    let limits = args.game.limits();
    let table = Arc::new(ScoreTable::new(&ruleset));
    let mut referee = Referee::new(table, args.agents.len(), limits).map_err(Failure::usage)?;
    if args.logs {
        referee.keep_notes();
    }
    let sandbox = super::sandbox(args.game.wasi.wasi())?;
    let loaded = agents::load_all(&sandbox, &agents::read_all(&args.agents)?)?;
    let seed = super::seed_or_random(args.seed)?;

    let record = play(&mut referee, seed, &loaded.iter().collect::<Vec<_>>())?;
    if let Some(path) = &args.record {
        output::write_file(path, &record.to_json())?;
    }
    match args.format {
        Format::Text => output::print(&play_by_play::tell(&record, referee.notes())),
        Format::Json => output::print(&record.to_json()),
    }
}

/// Plays a match and writes it down. A void match is tried once more.
pub(crate) fn play(referee: &mut Referee, seed: u64, seats: &[&LoadedAgent]) -> Result<Record, Failure> {
    let contestants: Vec<&dyn Contestant> = seats.iter().map(|agent| &agent.component as &dyn Contestant).collect();
    let played =
        referee.play(seed, &contestants).or_else(|_| referee.play(seed, &contestants)).map_err(Failure::failed)?;
    let engine = Sandbox::id(agents::wasi_of(seats));
    let events = referee.events().to_vec();
    let seats = seats.iter().map(|agent| agent.record_seat()).collect();
    Ok(Record::new(engine, referee.ruleset().clone(), seed, *referee.limits(), seats, events, played.result))
}
