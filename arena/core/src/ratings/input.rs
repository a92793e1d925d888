//! Owns what goes into a fit: the finishes of matches, grouped in pairs, and their aggregation.
//!
//! Refuses to judge the input; `fit` has checked it before it is aggregated.

use std::collections::BTreeMap;

use super::clusters::Clusters;
use super::likelihood::{Layout, Outcome};
use super::seeds::Seeds;

/// How one match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finish {
    /// The agents by index (from 0), in seat order. An agent may hold several seats: that match
    /// then informs seat effects and ties.
    pub agents: Vec<usize>,
    /// Their ranks in the same order: 1 is best, equal ranks are shared and skip the ones after
    /// (1, 1, 3).
    pub ranks: Vec<u32>,
}

/// The finishes of a pair: the matches on one seed with the seats rotated (two for two seats, n
/// for n; fewer when the pair is incomplete), and where that same set of finishes was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// One per match, in any order, at least one.
    pub finishes: Vec<Finish>,
    /// How often, and what it shares dice with.
    pub seen: Seen,
}

/// Where a pair's finishes were seen; it decides what counts as one independent observation.
///
/// Within a tournament *different pairings meet the same seeds*, and an agent that does not look
/// at its rivals plays a seed the same way against every one of them. Then its luck on that seed
/// enters all its pairs at once, and pairs as independent observations make intervals too narrow:
/// measured on simulated round robins of six such agents over 100 seeds, 95% intervals held the truth
/// in 80% of cases with [`Seen::Times`] and in 95% with [`Seen::Seeds`]. Luck that belongs to a seat,
/// whoever sits there, cancels from the ratings within a pair, but not from the seat advantage, whose
/// interval held in 65% and 95%.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// That many times, each pair independent of all others. Right for one pairing, or when every
    /// pair of the fit has a seed of its own. 0 is allowed and adds nothing.
    Times(u64),
    /// Once on each of these seeds (the seeds, or their numbers); all pairs of the fit with the
    /// same seed, whatever the pairing, are one observation. Right for a tournament. In the same
    /// simulation intervals held in 92% of cases with 5 seeds, 93% with 10, 94% with 20. Empty is
    /// allowed and adds nothing.
    Seeds(Seeds),
}

impl Seen {
    pub(super) fn times(&self) -> u64 {
        match self {
            Self::Times(times) => *times,
            Self::Seeds(seeds) => seeds.len(),
        }
    }
}

/// A correction of scores at two seats, such as [`luck`](crate::luck) makes: what finishes say, and the
/// ranks in which agents stand, stay as they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correction {
    /// Where the corrected pair was seen; of [`Seen::Seeds`].
    pub seed: u64,
    /// The two agents.
    pub agents: [usize; 2],
    /// What is added to the score of the first and taken from that of the second, in matches won.
    pub score: f64,
}

/// Agents and ranks of a finish.
type Key<'a> = (&'a [usize], &'a [u32]);

/// The input, with equal finishes and equal pairs counted together.
///
/// Both are kept in the order of their contents, never in that of the input: sums then come out
/// the same to the last bit however the pairs were listed.
pub(super) struct Data<'a> {
    pub(super) layout: Layout,
    pub(super) outcomes: Vec<Outcome<'a>>,
    pub(super) clusters: Clusters<'a>,
    /// By seed.
    pub(super) corrections: Vec<Correction>,
    /// By agent: the sum of its corrections.
    pub(super) corrected: Vec<f64>,
}

impl<'a> Data<'a> {
    pub(super) fn collect(agents: usize, seats: usize, pairs: &'a [Pair], corrections: &[Correction]) -> Self {
        let key = |finish: &'a Finish| -> Key<'a> { (&finish.agents, &finish.ranks) };
        let seen_pairs = || pairs.iter().filter(|pair| pair.seen.times() > 0);
        // From agents and ranks to the count and the place among the outcomes.
        let mut counts: BTreeMap<Key<'_>, (u64, usize)> = BTreeMap::new();
        for pair in seen_pairs() {
            for finish in &pair.finishes {
                counts.entry(key(finish)).or_default().0 += pair.seen.times();
            }
        }
        let mut outcomes = Vec::with_capacity(counts.len());
        let mut sizes = vec![false; seats + 1];
        for (&(agents, ranks), (count, index)) in &mut counts {
            *index = outcomes.len();
            outcomes.push(Outcome::new(agents, ranks, *count as f64));
            for &own in ranks {
                sizes[ranks.iter().filter(|&&other| other == own).count()] = true;
            }
        }

        let mut clusters = Clusters::default();
        for pair in seen_pairs() {
            let mut pattern: Vec<usize> = pair.finishes.iter().map(|finish| counts[&key(finish)].1).collect();
            pattern.sort_unstable();
            clusters.add(pattern, &pair.seen);
        }
        let sizes = (2..=seats).filter(|&size| sizes[size]).collect();
        let mut corrections = corrections.to_vec();
        corrections.sort_by(|a, b| (a.seed, a.agents).cmp(&(b.seed, b.agents)).then(a.score.total_cmp(&b.score)));
        let mut corrected = vec![0.0; agents];
        for correction in &corrections {
            let [first, second] = correction.agents;
            corrected[first] += correction.score;
            corrected[second] -= correction.score;
        }
        Self { layout: Layout { agents, seats, sizes }, outcomes, clusters, corrections, corrected }
    }
}
