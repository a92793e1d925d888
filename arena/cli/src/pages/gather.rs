//! A tournament's pages in figures.

use std::collections::BTreeMap;

use arena_core::schedule::Planned;
use arena_core::standings::{Checkpoint, History, Outcome};
use arena_core::style::Style;
use arena_site::{Agent, Listed, Order, Tournament};
use farkle::Points;

use super::notable::Notable;
use crate::failure::Failure;
use crate::play_by_play;
use crate::playing::Onlooker;
use crate::replays;
use crate::report::{Placed, Report};
use crate::runner::Judge;
use crate::store::{Entry, Store, StoredMatch};

/// Points of time at which ratings are fitted.
const CHECKPOINTS: usize = 24;

/// Which matches are looked at more closely.
pub(crate) struct Sample<'a> {
    /// Matches to choose for replays, at most.
    pub(crate) replays: usize,
    /// Matches that are wanted in any case, by number.
    pub(crate) also: &'a [u64],
    /// Where it is known from how agents play.
    pub(crate) styles: Styles<'a>,
}

/// Where it is known from how agents play.
pub(crate) enum Styles<'a> {
    /// It is not.
    Unknown,
    /// From what is known already, of those who are in it.
    Of(&'a Tournament),
    /// Matches are played again.
    Played {
        /// Threads.
        jobs: usize,
        /// About so many matches, but at least a pair of every block.
        most: u64,
        /// Who looks on.
        onlooker: &'a mut dyn Onlooker,
    },
}

/// Everything that pages tell, from a file whose report is made.
pub(crate) fn gather(store: &Store, report: &Report, sample: Sample<'_>) -> Result<Tournament, Failure> {
    let planned = store.planned()?;
    let mut scores = vec![BTreeMap::new(); report.compared.len()];
    let mut notable = Notable::new(sample.replays);
    let history = go_through(store, report, &planned, |stored| {
        for (agent, score) in places(report, &stored.outcome).into_iter().zip(&stored.outcome.scores) {
            if let Some(agent) = agent {
                *scores[agent].entry(*score).or_default() += 1;
            }
        }
        notable.see(stored, sample.also.contains(&stored.number));
    })?;
    let replays = notable.chosen(|entry| report.label(entry));
    let replays = replays.into_iter().map(|(stored, why)| listed(report, &stored, why)).collect();
    let (styles, looked_at) = styles(store, report, &planned, sample.styles)?;
    let agent = |(place, (scores, style)): (usize, (BTreeMap<Points, u64>, Option<Style>))| {
        let (index, entry) = (report.compared[place], report.entry(place));
        Agent {
            id: index as u64 + 1,
            label: report.label(index),
            version: entry.version,
            author: entry.author.clone(),
            claim: entry.claim.clone(),
            sha256: entry.sha256,
            left: why_left(entry, &report.entries),
            scores,
            style,
        }
    };
    Ok(Tournament {
        ruleset: report.settings.ruleset.clone(),
        format: report.settings.play.name().to_owned(),
        seats: report.settings.seats,
        played: report.played,
        left: report.left,
        standings: report.standings.clone(),
        agents: scores.into_iter().zip(styles).enumerate().map(agent).collect(),
        waiting: report.unplayed().map(|entry| report.label(entry)).collect(),
        order: order(report),
        history,
        looked_at,
        replays,
    })
}

/// The order that the format itself makes, where it makes one.
fn order(report: &Report) -> Option<Order> {
    let label = |entry| report.label(entry);
    let order = report.order(label)?;
    let row = |Placed { place, entry, how }| (place, label(entry), how);
    Some(Order { title: order.title.to_owned(), rows: order.rows.into_iter().map(row).collect() })
}

/// The agents of a match by their places in the standings, where they have one.
fn places(report: &Report, outcome: &Outcome) -> Vec<Option<usize>> {
    outcome.agents.iter().map(|agent| report.compared.binary_search(agent).ok()).collect()
}

/// Shows every stored match, in schedule order, and gives how the ratings came about.
fn go_through(
    store: &Store,
    report: &Report,
    planned: &[Planned],
    mut see: impl FnMut(&StoredMatch),
) -> Result<Vec<Checkpoint>, Failure> {
    // Rounds follow each other, and on the same seeds; else play goes seed by seed.
    let by_number = report.settings.play.looks_at_results();
    let end = match by_number {
        true => planned.iter().map(Planned::end).max().unwrap_or(1),
        false => planned.iter().map(|planned| planned.block.first_pair + planned.played).max().unwrap_or(1),
    };
    let mut history = History::new(report.compared.len(), CHECKPOINTS, end);
    let mut pair: Vec<Outcome> = Vec::new();
    store.each_match(planned, 1, |stored| {
        see(&stored);
        let seats = stored.outcome.agents.len();
        if seats == 1 {
            return Ok(true);
        }
        let places = places(report, &stored.outcome).into_iter().collect::<Option<Vec<usize>>>();
        let Some(places) = places else { return Ok(true) };
        pair.push(Outcome { agents: places, ..stored.outcome });
        if pair.len() == seats {
            let block = &planned[stored.block];
            let position = match by_number {
                true => stored.number,
                false => block.block.first_pair + (stored.number - block.first_match) / seats as u64,
            };
            history.add_pair(position, pair.iter());
            pair.clear();
        }
        Ok(true)
    })?;
    history.checkpoints(&report.options).map_err(Failure::failed)
}

/// A match in a list.
pub(crate) fn listed(report: &Report, stored: &StoredMatch, why: Vec<String>) -> Listed {
    let outcome = &stored.outcome;
    Listed {
        number: stored.number,
        // Those who left a tournament of agents alone have no place.
        agents: places(report, outcome).into_iter().map(|place| place.unwrap_or(usize::MAX)).collect(),
        scores: outcome.scores.clone(),
        ranks: outcome.ranks.clone(),
        ending: play_by_play::ending(outcome.ending).to_owned(),
        faults: outcome.faults.clone(),
        why,
    }
}

/// How those in the standings play, by place, and of how many matches that is said.
fn styles(
    store: &Store,
    report: &Report,
    planned: &[Planned],
    from: Styles<'_>,
) -> Result<(Vec<Option<Style>>, u64), Failure> {
    let mut styles = vec![None; report.compared.len()];
    let (jobs, most, onlooker) = match from {
        Styles::Played { jobs, most, onlooker } if report.played > 0 => (jobs, most, onlooker),
        Styles::Of(known) => {
            for (style, entry) in styles.iter_mut().zip(&report.compared) {
                let agent = known.agents.iter().find(|agent| agent.id == *entry as u64 + 1);
                *style = agent.and_then(|agent| agent.style.clone());
            }
            return Ok((styles, known.looked_at));
        }
        Styles::Unknown | Styles::Played { .. } => return Ok((styles, 0)),
    };
    let blocks = planned.iter().filter(|planned| planned.played > 0);
    let a_seed: u64 = blocks.map(|planned| planned.block.agents.len() as u64).sum();
    let seeds = most.div_ceil(a_seed.max(1));
    let mut looked_at = 0;
    replays::play_again(
        store,
        Judge::Style,
        jobs,
        |planned| planned.played.min(seeds),
        onlooker,
        |_, played| {
            looked_at += played.len() as u64;
            for played in &played {
                for (place, own) in places(report, &played.outcome).into_iter().zip(played.style.iter().flatten()) {
                    if let Some(place) = place {
                        styles[place].get_or_insert_with(Style::default).add(own);
                    }
                }
            }
            Ok(())
        },
    )?;
    Ok((styles, looked_at))
}

fn why_left(entry: &Entry, entries: &[Entry]) -> Option<String> {
    if !entry.withdrawn {
        return None;
    }
    let newer = entries.iter().any(|other| other.name == entry.name && other.version > entry.version);
    Some(match &entry.suspended {
        Some(why) => format!("Suspended: {why}"),
        None if newer => "Replaced by a newer version.".to_owned(),
        None => "Withdrawn: it plays no further matches.".to_owned(),
    })
}
