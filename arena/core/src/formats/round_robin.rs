//! The formats that need no results: round robin, gauntlet, duel.
//!
//! Owns which tables are still missing. Refuses to look at results, so that nothing here ever waits.

use std::collections::BTreeSet;

use super::{Block, FormatError, View};
use crate::schedule::Schedule;

/// Everybody meets everybody.
pub(super) fn everybody(view: &View<'_>) -> Result<Vec<Block>, FormatError> {
    match view.plan.seats {
        1 => Ok(alone(view)),
        2 => {
            let active = view.active();
            let all = active.iter().enumerate().flat_map(|(n, a)| active[n + 1..].iter().map(|b| [*a, *b]));
            Ok(missing(view, all))
        }
        _ if view.blocks.is_empty() => first_wave(view),
        _ => Ok(newcomers(view)),
    }
}

/// The first entry meets each of the others.
pub(super) fn gauntlet(view: &View<'_>) -> Result<Vec<Block>, FormatError> {
    if view.entries[0].withdrawn {
        return if view.blocks.is_empty() { Err(FormatError::NoRunner) } else { Ok(Vec::new()) };
    }
    Ok(missing(view, view.active().into_iter().skip(1).map(|other| [0, other])))
}

/// One block of the only two.
pub(super) fn duel(view: &View<'_>) -> Result<Vec<Block>, FormatError> {
    let active = view.active();
    match (view.blocks.first(), &active[..]) {
        (Some((block, _)), _) => match active.into_iter().find(|entry| !block.agents.contains(entry)) {
            Some(entry) => Err(FormatError::Late { format: view.plan.format.name(), entry }),
            None => Ok(Vec::new()),
        },
        (None, [a, b]) => Ok(vec![view.block(vec![*a, *b])]),
        (None, _) => Err(FormatError::NotADuel { active: active.len() }),
    }
}

/// A block for each of these pairings that has none.
fn missing(view: &View<'_>, pairings: impl Iterator<Item = [usize; 2]>) -> Vec<Block> {
    let sorted = |a: usize, b: usize| [a.min(b), a.max(b)];
    let met: BTreeSet<_> = view.blocks.iter().map(|(block, _)| sorted(block.agents[0], block.agents[1])).collect();
    pairings.filter(|[a, b]| !met.contains(&sorted(*a, *b))).map(|agents| view.block(agents.to_vec())).collect()
}

/// Agents alone are compared seed by seed, so all play the same pairs. When a later entry may not play
/// those of before, everybody plays new ones with it, which nobody has played.
fn alone(view: &View<'_>) -> Vec<Block> {
    let (active, pairs) = (view.active(), view.plan.pairs);
    let fresh = view.fresh_for(&active);
    let first_pair = match view.blocks.iter().map(|(block, _)| block.first_pair).max() {
        Some(last) if fresh <= last => last,
        Some(last) => fresh.max(last.saturating_add(pairs)),
        None => fresh,
    };
    let there = view.blocks.iter().filter(|(block, _)| block.first_pair == first_pair);
    let have: BTreeSet<usize> = there.map(|(block, _)| block.agents[0]).collect();
    let missing = active.into_iter().filter(|agent| !have.contains(agent));
    missing.map(|agent| Block { agents: vec![agent], first_pair, pairs }).collect()
}

/// The rounds of a [`Schedule`], one block for each table of each round.
fn first_wave(view: &View<'_>) -> Result<Vec<Block>, FormatError> {
    let active = view.active();
    let first = view.fresh_for(&active);
    let schedule = Schedule::new(active.len(), view.plan.seats, view.plan.pairs, view.plan.secret)?;
    let blocks = (0..schedule.encounters()).filter_map(|index| schedule.encounter(index)).map(|encounter| Block {
        agents: encounter.agents.into_iter().map(|agent| active[agent]).collect(),
        first_pair: first.saturating_add(encounter.pair),
        pairs: 1,
    });
    Ok(blocks.collect())
}

/// Rounds for those who have no block yet, one after another: each meets all before it.
///
/// In a round the others stand in a circle, drawn anew, and the newcomer sits down once with every
/// run of `seats - 1` neighbours in it: so it meets each of them `seats - 1` times a round, exactly.
/// Where all others fit at one table with it, a round is that table.
fn newcomers(view: &View<'_>) -> Vec<Block> {
    let seated: BTreeSet<usize> = view.blocks.iter().flat_map(|(block, _)| block.agents.iter().copied()).collect();
    let (mut others, new): (Vec<_>, Vec<_>) = view.active().into_iter().partition(|agent| seated.contains(agent));
    let run = view.plan.seats - 1;
    let mut blocks = Vec::new();
    for newcomer in new {
        let first = view.fresh_for(&others).max(view.entries[newcomer].fresh_from);
        let tables = if others.len() == run { 1 } else { others.len() };
        // Too few others for a table yet: the next newcomer will find this one among them.
        let rounds = if others.len() < run { 0 } else { view.plan.pairs };
        for pair in first..first.saturating_add(rounds) {
            let circle = view.plan.secret.draw(pair, others.len());
            for start in 0..tables {
                let neighbours = (start..start + run).map(|place| others[circle[place % others.len()]]);
                blocks.push(Block {
                    agents: std::iter::once(newcomer).chain(neighbours).collect(),
                    first_pair: pair,
                    pairs: 1,
                });
            }
        }
        others.push(newcomer);
    }
    blocks
}
