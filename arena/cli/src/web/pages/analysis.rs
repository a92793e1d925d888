//! Best play, where it is known.
//!
//! Owns that it is found while the server already answers. Refuses to be waited for: until then matches are
//! shown without.

use arena_core::Record;
use arena_core::analysis::{Analysis, Analyst};

use crate::failure::Failure;
use crate::oracles;
use crate::output;
use crate::web;
use crate::web::state::State;

/// Finds best play under the tournament's rules, on a thread of its own, if it can be found.
pub(in crate::web) fn solve(state: &State) -> Result<(), Failure> {
    if state.settings.seats != 2 {
        return Ok(());
    }
    let state = state.clone();
    let solving = std::thread::Builder::new().name("solve".to_owned()).spawn(move || {
        // The solver's own threads take after this one.
        web::give_way();
        match oracles::of_two(&state.settings.ruleset, state.settings.seats) {
            Ok(oracle) => _ = state.analyst.set(Analyst::new(oracle)),
            Err(why) => output::tell(&format!("arena: note: matches are not judged: {why}")),
        }
    });
    solving.map(drop).map_err(|error| Failure::failed(format!("the solver's thread does not start: {error}")))
}

/// What best play says of a match, if it is known.
pub(super) fn of(state: &State, record: &Record) -> Option<Analysis> {
    state.analyst.get()?.judge(record.seats.len(), &record.events).ok()
}
