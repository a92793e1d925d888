//! Stored matches, played again to be looked at: all of some agents', on all threads.
//!
//! Owns that what is looked at is what is stored: every hash is compared. Refuses matches of which it is
//! not, as of another engine.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use anyhow::anyhow;
use arena_core::luck::{LuckyPair, MEASURES, Measures};
use arena_core::oracle::Oracle;
use arena_core::pentanomial::PairScore;
use arena_core::schedule::{Encounter, Planned, Queue};
use arena_core::standings::Outcome;
use farkle::ScoreTable;

use crate::agents;
use crate::failure::Failure;
use crate::loader::Loader;
use crate::played_match::PlayedMatch;
use crate::playing::{OnStderr, Onlooker};
use crate::runner::{self, Contest, End, Judge, Wanted, Work};
use crate::store::Store;

/// Plays again so many seeds of every block as `seeds` says, no more than are played, and gives them to `take`
/// one by one, judged.
///
/// # Errors
///
/// A match that is not what is stored, and what `take` says.
pub(crate) fn play_again(
    store: &Store,
    judge: Judge,
    jobs: usize,
    seeds: impl Fn(&Planned) -> u64,
    onlooker: &mut dyn Onlooker,
    mut take: impl FnMut(&Encounter, Vec<PlayedMatch>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (settings, entries, planned) = (store.settings()?, store.entries()?, store.planned()?);
    let again: Vec<Planned> = planned
        .into_iter()
        .map(|mut planned| {
            (planned.block.pairs, planned.played) = (seeds(&planned).min(planned.played), 0);
            planned
        })
        .filter(|planned| planned.block.pairs > 0)
        .collect();
    let playing: BTreeSet<usize> = again.iter().flat_map(|planned| planned.block.agents.iter().copied()).collect();
    let playing: Vec<usize> = playing.into_iter().collect();
    let loader = Loader::new(settings.wasi)?;
    let loaded = agents::load_all(&loader, &store.agent_files(&entries, &playing)?)?;
    let mut agents = vec![None; entries.len()];
    for (agent, loaded) in playing.into_iter().zip(loaded) {
        agents[agent] = Some(Arc::new(loaded));
    }
    let queue = Queue::new(again);
    onlooker.begin(queue.matches(), entries.iter().map(|entry| entry.name.clone()).collect());
    let contest = Arc::new(Contest {
        agents,
        rules: Arc::new(ScoreTable::new(&settings.ruleset)),
        limits: settings.limits,
        seats: settings.seats,
        work: Work::Queue(queue, u64::MAX),
        secrets: store.secrets()?,
        wanted: Wanted::Hashes,
        judge: Some(judge),
    });
    let end = runner::play_all(contest.clone(), jobs, None, |encounter, played| {
        compare(store, &played)?;
        onlooker.see(&played);
        take(&encounter, played)?;
        Ok(ControlFlow::Continue(()))
    });
    onlooker.end();
    match end? {
        End::HeldUp(held_up) => Err(held_up.failure(&contest)),
        End::Interrupted => Err(Failure::failed("stopped")),
        End::Finished | End::TimeOver | End::Enough => Ok(()),
    }
}

fn compare(store: &Store, played: &[PlayedMatch]) -> Result<(), Failure> {
    let (Some(first), Some(last)) = (played.first(), played.last()) else { return Ok(()) };
    let stored = store.hashes(first.number, last.number)?;
    for (played, stored) in played.iter().zip(&stored) {
        if played.hash != Some(*stored) {
            let (number, file) = (played.number, store.path().display());
            return Err(Failure::Difference(anyhow!(
                "match {number} of {file} is not what is stored, played again; `arena show {file} {number}` says more"
            )));
        }
    }
    Ok(())
}

/// Every pair of a tournament of two seats, with its luck; agents by their place among `compared`.
///
/// # Errors
///
/// As of [`play_again`].
pub(crate) fn lucky_pairs(
    store: &Store,
    oracle: Arc<Oracle>,
    compared: &[usize],
    jobs: usize,
) -> Result<Vec<LuckyPair>, Failure> {
    let mut pairs = Vec::new();
    let of_compared = |planned: &Planned| {
        let all = planned.block.agents.iter().all(|agent| compared.binary_search(agent).is_ok());
        if all { planned.played } else { 0 }
    };
    let judge = Judge::Luck(Arc::new(Measures::new(oracle)));
    play_again(store, judge, jobs, of_compared, &mut OnStderr::default(), |encounter, played| {
        let mut pair = lucky_pair(encounter, &played)?;
        pair.agents = pair.agents.map(|agent| compared.partition_point(|other| *other < agent));
        pairs.push(pair);
        Ok(())
    })?;
    Ok(pairs)
}

/// A pair and its luck, as its agent of the lower index sees it.
///
/// # Errors
///
/// Matches that are no pair.
pub(crate) fn lucky_pair(encounter: &Encounter, played: &[PlayedMatch]) -> Result<LuckyPair, Failure> {
    let (a, b) = match encounter.agents[..] {
        [a, b] => (a.min(b), a.max(b)),
        _ => return Err(Failure::failed("luck is that of two seats")),
    };
    let outcomes: Vec<Outcome> = played.iter().map(|played| played.outcome.clone()).collect();
    let score = f64::from(PairScore::of(a, &outcomes).map_err(Failure::failed)?.half_points()) / 2.0;
    let mut luck = [[0.0; MEASURES]; 2];
    for played in played {
        let by_seat = played.luck.expect("these matches are judged by their luck");
        for (agent, of_seat) in played.outcome.agents.iter().zip(by_seat) {
            let sums = &mut luck[usize::from(*agent == b)];
            sums.iter_mut().zip(of_seat).for_each(|(sum, luck)| *sum += luck);
        }
    }
    Ok(LuckyPair { pair: encounter.pair, agents: [a, b], score, luck })
}
