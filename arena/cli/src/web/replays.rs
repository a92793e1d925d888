//! Matches that somebody looks at, played again.
//!
//! Owns how many are played at one time, and the memory of the last ones. Refuses to show one that is not
//! what is stored.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use arena_core::Record;
use axum::http::StatusCode;
use tokio::sync::Semaphore;

use super::problem::Problem;
use super::state::State;
use crate::args::DiceFor;
use crate::failure::Failure;
use crate::store::Store;
use crate::stored_match::{self, Again};

/// Matches that are played again at one time.
const AT_ONE_TIME: usize = 2;
/// Matches that are remembered.
const KEPT: usize = 64;

/// What was played again lately.
pub(crate) struct Replays {
    players: Semaphore,
    /// By number, the newest last.
    kept: Mutex<VecDeque<(u64, Arc<Replay>)>>,
}

/// A match, played again.
pub(crate) struct Replay {
    pub(crate) record: Record,
    /// By seat: the index of its entry.
    pub(crate) agents: Vec<usize>,
    /// What the agents noted: the seat, the index of the event, and the lines.
    pub(crate) notes: Vec<(u8, usize, Vec<String>)>,
}

impl Replays {
    pub(super) fn new() -> Replays {
        Replays { players: Semaphore::new(AT_ONE_TIME), kept: Mutex::default() }
    }

    fn kept(&self, number: u64) -> Option<Arc<Replay>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(known, _)| *known == number).map(|(_, replay)| replay.clone())
    }

    fn keep(&self, number: u64, replay: &Arc<Replay>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back((number, replay.clone()));
        if kept.len() > KEPT {
            kept.pop_front();
        }
    }
}

/// A stored match, played again for somebody at this address, who has a token or has none. Its dice count as
/// shown from now on.
pub(crate) async fn of(state: &State, from: IpAddr, has_token: bool, number: u64) -> Result<Arc<Replay>, Problem> {
    if let Some(replay) = state.replays.kept(number) {
        return Ok(replay);
    }
    state.limits.costly(from)?;
    let Ok(_permit) = state.replays.players.acquire().await else { return Err(Problem::broken()) };
    // Somebody else may have asked for the same one.
    if let Some(replay) = state.replays.kept(number) {
        return Ok(replay);
    }
    let may_show = has_token || state.new_dice_for == DiceFor::Everybody;
    let play = move |state: &State, store: &mut Store| match may_show || stored_match::is_shown(store, number)? {
        true => play(state, store, number),
        false => Err(Problem::new(
            StatusCode::FORBIDDEN,
            "dice-not-shown",
            format!("nobody has seen the dice of match {number}: here they are shown to those who have a token"),
        )),
    };
    let replay = Arc::new(state.with_store(play).await?);
    state.replays.keep(number, &replay);
    Ok(replay)
}

fn play(state: &State, store: &Store, number: u64) -> Result<Replay, Problem> {
    let again = stored_match::again(store, &state.loader, number).map_err(|failure| match failure {
        // There is none of that number.
        Failure::Usage(why) => Problem::unknown(state.in_public(&why.to_string())),
        other => other.into(),
    })?;
    let Again { record, stored, calls, other_engine } = again;
    if let Err(difference) = stored_match::compare(&state.file, &record, &stored) {
        return Err(match other_engine {
            Some(engine) => Problem::new(
                StatusCode::CONFLICT,
                "other-engine",
                format!(
                    "match {number} was played by arena {} on wasmtime {}, and this server's engine plays it otherwise",
                    engine.arena, engine.wasmtime
                ),
            ),
            None => {
                crate::output::tell(&format!("arena: {difference}"));
                let message = format!("match {number}, played again, is not what is stored");
                Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "difference", message)
            }
        });
    }
    let notes = calls.into_iter().filter(|call| !call.notes.is_empty());
    let notes = notes.map(|call| (call.seat, call.event, call.notes)).collect();
    Ok(Replay { record, agents: stored.outcome.agents, notes })
}
