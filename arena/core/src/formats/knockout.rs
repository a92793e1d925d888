//! Knockout: who loses a tie is out.
//!
//! Owns the bracket: who meets whom, byes, further blocks of tied ties, walkovers. Refuses agents
//! that come after the first round was planned.
//!
//! Blocks come in *waves*: first one for each tie of a round, byes and walkovers included; then, when
//! all have finished, one more for each tie that is level; and so on until the round is decided.

use std::cmp::Reverse;

use serde::Serialize;

use super::{Block, FormatError, Next, View};

/// How many further blocks a level tie plays before the better seed is through.
pub(super) const FURTHER: u32 = 3;

/// How far one agent came in a knockout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct KnockoutRow {
    /// The index of the entry.
    #[serde(skip)]
    pub entry: usize,
    /// From 1. Agents out in the same round share it, and so do all who are still in.
    pub rank: usize,
    /// Rounds it got through, by byes and walkovers too.
    pub rounds_won: u32,
    /// The index of the entry that put it out.
    #[serde(skip)]
    pub lost_to: Option<usize>,
    /// Whether it won the final.
    pub winner: bool,
}

/// What the blocks so far lead to.
struct Progress {
    /// The agents, ascending: the first is the best seed.
    seeds: Vec<usize>,
    /// By seed.
    rounds_won: Vec<u32>,
    /// By seed: the entry that put it out.
    lost_to: Vec<Option<usize>>,
    state: State,
}

enum State {
    /// Blocks are open.
    Open,
    /// These ties, better seed first, each want a block. A single agent has a bye.
    Undecided(Vec<(usize, Option<usize>)>),
    /// The final is decided.
    Won,
}

struct Tie {
    better: usize,
    other: Option<usize>,
    half_points: [u64; 2],
    blocks: u32,
    winner: Option<usize>,
}

pub(super) fn next(view: &View<'_>) -> Result<Next, FormatError> {
    let progress = follow(view)?;
    let ties = match progress.state {
        State::Open => return Ok(Next::Wait),
        State::Won => return Ok(Next::Finished),
        State::Undecided(ties) => ties,
    };
    let in_it: Vec<usize> = ties.iter().flat_map(|(better, other)| [Some(*better), *other]).flatten().collect();
    let first_pair = view.next_first_pair(&in_it);
    let gone = |agent: usize| view.entries[agent].withdrawn;
    let blocks = ties.into_iter().map(|(better, other)| match other {
        Some(other) if !gone(better) && !gone(other) => {
            Block { agents: vec![better, other], first_pair, pairs: view.plan.pairs }
        }
        // A walkover. Of two who are gone the better seed is through, to lose the next tie.
        Some(other) if gone(better) && !gone(other) => Block { agents: vec![other], first_pair, pairs: 0 },
        _ => Block { agents: vec![better], first_pair, pairs: 0 },
    });
    Ok(Next::Play(blocks.collect()))
}

/// All agents, from the winner down; equal ones by seed.
pub(super) fn table(view: &View<'_>) -> Result<Vec<KnockoutRow>, FormatError> {
    let Progress { seeds, rounds_won, lost_to, state } = follow(view)?;
    let won = matches!(state, State::Won);
    // Who is still in ranks before all who are out.
    let mut order: Vec<usize> = (0..seeds.len()).collect();
    let merit = |seed: usize| (lost_to[seed].is_none(), if lost_to[seed].is_none() { 0 } else { rounds_won[seed] });
    order.sort_by_key(|seed| Reverse(merit(*seed)));
    let row = |seed: usize| KnockoutRow {
        entry: seeds[seed],
        rank: 1 + order.iter().filter(|other| merit(**other) > merit(seed)).count(),
        rounds_won: rounds_won[seed],
        lost_to: lost_to[seed],
        winner: won && lost_to[seed].is_none(),
    };
    Ok(order.iter().map(|seed| row(*seed)).collect())
}

/// Follows the blocks through the bracket.
fn follow(view: &View<'_>) -> Result<Progress, FormatError> {
    let seeds = seeds(view)?;
    let mut progress = Progress {
        rounds_won: vec![0; seeds.len()],
        lost_to: vec![None; seeds.len()],
        seeds: seeds.clone(),
        state: State::Won,
    };
    let place = |agent: usize| seeds.binary_search(&agent).unwrap_or_default();
    let mut slots: Vec<Option<usize>> = bracket(seeds.len()).into_iter().map(|seed| seeds.get(seed).copied()).collect();
    let mut read = 0;
    while slots.len() > 1 {
        let mut ties: Vec<Tie> = slots.chunks(2).filter_map(Tie::new).collect();
        while ties.iter().any(|tie| tie.winner.is_none()) {
            let undecided: Vec<&mut Tie> = ties.iter_mut().filter(|tie| tie.winner.is_none()).collect();
            if read == view.blocks.len() {
                progress.state = State::Undecided(undecided.into_iter().map(|tie| (tie.better, tie.other)).collect());
                return Ok(progress);
            }
            let mut open = false;
            for tie in undecided {
                open |= !tie.read(view, read)?;
                read += 1;
            }
            if open {
                progress.state = State::Open;
                return if read == view.blocks.len() { Ok(progress) } else { Err(unplanned(read)) };
            }
        }
        for tie in &ties {
            let Some(winner) = tie.winner else { continue };
            progress.rounds_won[place(winner)] += 1;
            if let Some(other) = tie.other {
                progress.lost_to[place(tie.better + other - winner)] = Some(winner);
            }
        }
        slots = ties.into_iter().map(|tie| tie.winner).collect();
    }
    if read == view.blocks.len() { Ok(progress) } else { Err(unplanned(read)) }
}

/// Who takes part: those of the first wave, or whoever is there before it.
fn seeds(view: &View<'_>) -> Result<Vec<usize>, FormatError> {
    let Some((first, _)) = view.blocks.first() else { return Ok(view.active()) };
    let wave = view.blocks.iter().take_while(|(block, _)| block.first_pair == first.first_pair);
    let mut seeds: Vec<usize> = wave.flat_map(|(block, _)| block.agents.iter().copied()).collect();
    seeds.sort_unstable();
    seeds.dedup();
    match view.active().into_iter().find(|entry| seeds.binary_search(entry).is_err()) {
        Some(entry) => Err(FormatError::Late { format: view.plan.format.name(), entry }),
        None => Ok(seeds),
    }
}

/// The places of the first round by seed, from 0: the best two can meet in the final only, the best
/// four in the semi-finals, and so on. Seeds past the last are byes.
fn bracket(seeds: usize) -> Vec<usize> {
    let mut places = vec![0];
    while places.len() < seeds {
        let last = 2 * places.len() - 1;
        places = places.into_iter().flat_map(|seed| [seed, last - seed]).collect();
    }
    places
}

fn unplanned(block: usize) -> FormatError {
    FormatError::BadBlock { block, why: "is not what this knockout plans there" }
}

impl Tie {
    fn new(slots: &[Option<usize>]) -> Option<Tie> {
        let both = slots.iter().flatten().copied();
        let better = both.clone().min()?;
        let other = both.max().filter(|other| *other != better);
        Some(Tie { better, other, half_points: [0; 2], blocks: 0, winner: None })
    }

    /// Takes a block; gives whether it was finished.
    fn read(&mut self, view: &View<'_>, number: usize) -> Result<bool, FormatError> {
        let (block, scored) = view.blocks.get(number).ok_or(unplanned(number))?;
        match block.agents[..] {
            [agent] if agent == self.better || Some(agent) == self.other => self.winner = Some(agent),
            [better, other] if better == self.better && Some(other) == self.other => {
                let Some(scored) = scored else { return Ok(false) };
                self.blocks += 1;
                self.half_points[0] += scored.points()[0];
                self.half_points[1] += scored.points()[1];
                let [own, others] = self.half_points;
                if own > others || (own == others && self.blocks > FURTHER) {
                    self.winner = Some(better);
                } else if own < others {
                    self.winner = Some(other);
                }
            }
            _ => return Err(unplanned(number)),
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_are_the_usual_ones() {
        assert_eq!(bracket(2), [0, 1]);
        assert_eq!(bracket(3), [0, 3, 1, 2]);
        assert_eq!(bracket(5), [0, 7, 3, 4, 1, 6, 2, 5]);
        assert_eq!(bracket(8), bracket(5));
    }
}
