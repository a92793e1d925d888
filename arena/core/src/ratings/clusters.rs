//! Owns what counts as one observation: the matches that share dice.
//!
//! Refuses to depend on the order of the input, and to write the seeds out: they are merged from the
//! packed lists they came in, as there can be millions.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::input::Seen;
use super::seeds::Seeds;

/// The finishes of pairs, equal ones counted together, and where they were seen.
///
/// A pattern lists the matches of a pair by their index among the distinct outcomes, ascending.
#[derive(Default)]
pub(super) struct Clusters<'a> {
    patterns: BTreeMap<Vec<usize>, Sightings<'a>>,
}

/// Where one pattern was seen.
#[derive(Default)]
struct Sightings<'a> {
    /// Times it was seen as a cluster of its own.
    alone: u64,
    /// Seeds on which it was seen, each list ascending.
    seeds: Vec<Cow<'a, Seeds>>,
}

impl<'a> Clusters<'a> {
    pub(super) fn add(&mut self, pattern: Vec<usize>, seen: &'a Seen) {
        let sightings = self.patterns.entry(pattern).or_default();
        match seen {
            Seen::Times(times) => sightings.alone += times,
            Seen::Seeds(seeds) => sightings.seeds.push(seeds.sorted().map_or(Cow::Borrowed(seeds), Cow::Owned)),
        }
    }

    /// Patterns that are clusters of their own, and how often.
    pub(super) fn alone(&self) -> impl Iterator<Item = (&[usize], u64)> {
        let seen = self.patterns.iter().filter(|(_, sightings)| sightings.alone > 0);
        seen.map(|(pattern, sightings)| (&**pattern, sightings.alone))
    }

    /// Seeds and patterns, ascending: the patterns of one seed form one cluster.
    pub(super) fn shared(&self) -> impl Iterator<Item = (u64, &[usize])> {
        let lists = self
            .patterns
            .iter()
            .flat_map(|(pattern, sightings)| sightings.seeds.iter().map(move |seeds| (&**pattern, seeds.iter())));
        let mut lists: Vec<_> = lists.collect();
        let first = |(list, (_, seeds)): (usize, &mut (_, _))| next_of(seeds, list);
        // Lists are in the order of their patterns.
        let mut ahead: BinaryHeap<Reverse<(u64, usize)>> = lists.iter_mut().enumerate().filter_map(first).collect();
        std::iter::from_fn(move || {
            let mut least = ahead.peek_mut()?;
            let Reverse((seed, list)) = *least;
            let (pattern, seeds) = &mut lists[list];
            match next_of(seeds, list) {
                Some(next) => *least = next,
                None => drop(std::collections::binary_heap::PeekMut::pop(least)),
            }
            Some((seed, *pattern))
        })
    }
}

fn next_of(seeds: &mut impl Iterator<Item = u64>, list: usize) -> Option<Reverse<(u64, usize)>> {
    seeds.next().map(|seed| Reverse((seed, list)))
}
