//! The page of a match.
//!
//! Owns who is told what of it: what a faulting agent said is its author's alone, and not on a page.

use arena_core::{Record, What};
use axum::extract::{Path, State as Shared};
use axum::http::HeaderMap;
use axum::response::Response;

use super::{analysis, answer, number_of, problem_page};
use crate::commands::report::name_of;
use crate::harmless::shell_word;
use crate::pages;
use crate::web::api::asker::Asker;
use crate::web::problem::Problem;
use crate::web::replays::{self, Replay};
use crate::web::state::State;

pub(super) async fn get(
    Shared(state): Shared<State>,
    Path(page): Path<String>,
    asker: Asker,
    headers: HeaderMap,
) -> Response {
    match shown(&state, &page, &asker).await {
        Ok(page) => answer(&headers, page),
        Err(problem) => problem_page(&state, problem),
    }
}

async fn shown(state: &State, page: &str, asker: &Asker) -> Result<String, Problem> {
    let number = number_of(page, "match")?;
    let replay = replays::of(state, asker.address, asker.author.is_some(), number).await?;
    let neighbours = state.read(move |_, store| {
        let is_there = |number| Ok::<_, Problem>(if store.has_match(number)? { Some(number) } else { None });
        Ok([is_there(number - 1)?, is_there(number + 1)?])
    });
    let neighbours = neighbours.await?;
    let state = state.clone();
    // Judging takes some milliseconds.
    let drawn = tokio::task::spawn_blocking(move || draw(&state, number, &replay, neighbours));
    drawn.await.map_err(|_| Problem::broken())
}

fn draw(state: &State, number: u64, replay: &Replay, neighbours: [Option<u64>; 2]) -> String {
    let snapshot = state.now();
    let record = without_words(&replay.record);
    let in_standings = |agent: &usize| {
        let compared = snapshot.report.as_ref().is_some_and(|report| report.compared.contains(agent));
        compared.then_some(*agent as u64 + 1)
    };
    let agents: Vec<Option<u64>> = replay.agents.iter().map(in_standings).collect();
    let command = format!("arena show {} {number}", shell_word(&state.file_name()));
    let analysis = analysis::of(state, &record);
    let shown = pages::replay(&record, analysis.as_ref(), format!("Match {number}"), &agents, command, neighbours);
    let name = name_of(&state.file);
    arena_site::replay_page(arena_site::Site { name: &name, live: true }, &shown)
}

/// The record without what agents said when they faulted; its hash does not cover that.
fn without_words(record: &Record) -> Record {
    let mut record = record.clone();
    let hidden = "what it said is told to its author";
    for event in &mut record.events {
        if let What::Faulted { fault, .. } = &mut event.what {
            fault.message = hidden.to_owned();
        }
    }
    for fault in &mut record.result.faults {
        fault.message = hidden.to_owned();
    }
    record
}
