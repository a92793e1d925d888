//! Whom to pair with whom so that nobody meets again who need not.
//!
//! Owns pairings of an even number of players in a given order. Refuses to know scores and byes.
//!
//! How many pairs of players that have not met can be formed at once is a maximum matching in a
//! general graph, found by Edmonds' algorithm (J. Edmonds, *Paths, trees, and flowers*, Canadian
//! Journal of Mathematics 17, 1965). The pairing is then made from the first player down: each takes
//! the nearest one that leaves the others as many pairs as they need.

/// How often each two players have met; symmetric.
pub(super) type Met = [Vec<u32>];

/// What a pairing of all costs at best: the most often that two who are paired have met before, and
/// how many such pairs it takes. `(0, 0)` when nobody has to meet again.
pub(super) fn cost(met: &Met) -> (u32, usize) {
    let all: Vec<usize> = (0..met.len()).collect();
    let half = all.len() / 2;
    let mut short = 0;
    // Nobody has met more often than this.
    let most = met.iter().flatten().copied().max().unwrap_or(0);
    for level in 0..=most {
        let pairs = most_pairs(&all, met, level);
        if pairs == half {
            return (level, short);
        }
        short = half - pairs;
    }
    unreachable!("at the highest level everybody may meet everybody")
}

/// Pairs everybody, at the lowest [`cost`]; the first player gets the nearest one possible, then the
/// next one without a partner, and so on.
pub(super) fn pairing(met: &Met) -> Vec<[usize; 2]> {
    let (level, mut again) = cost(met);
    let limit = level.saturating_sub(1);
    let mut rest: Vec<usize> = (0..met.len()).collect();
    let mut pairs = Vec::with_capacity(rest.len() / 2);
    while let Some((&first, others)) = rest.split_first() {
        let mut candidates = others.to_vec();
        // A stable sort: those that may meet in their order, then the others.
        candidates.sort_by_key(|other| Some(met[first][*other]).filter(|times| *times > limit));
        let found = candidates.into_iter().find_map(|other| {
            let again = if met[first][other] > limit { again.checked_sub(1)? } else { again };
            let left: Vec<usize> = others.iter().copied().filter(|left| *left != other).collect();
            (most_pairs(&left, met, limit) + again >= left.len() / 2).then_some((other, again, left))
        });
        let Some((other, left_again, left)) = found else {
            unreachable!("a pairing of this cost exists");
        };
        pairs.push([first, other]);
        (again, rest) = (left_again, left);
    }
    pairs
}

/// The most pairs that can be formed at once of players that have met at most `limit` times.
fn most_pairs(players: &[usize], met: &Met, limit: u32) -> usize {
    let neighbours = |own: usize| {
        let may_meet = move |other: &usize| *other != own && met[players[own]][players[*other]] <= limit;
        (0..players.len()).filter(may_meet).collect::<Vec<_>>()
    };
    let mut search = Search::new((0..players.len()).map(neighbours).collect());
    search.pair_greedily();
    for root in 0..players.len() {
        if search.partner[root].is_none() {
            search.augment(root);
        }
    }
    search.partner.iter().flatten().count() / 2
}

/// Edmonds' search. Vertices of a blossom share a base.
struct Search {
    neighbours: Vec<Vec<usize>>,
    partner: Vec<Option<usize>>,
    /// The vertex before, on the way from the root to a vertex at odd distance.
    before: Vec<Option<usize>>,
    base: Vec<usize>,
    reached: Vec<bool>,
}

impl Search {
    fn new(neighbours: Vec<Vec<usize>>) -> Search {
        let size = neighbours.len();
        Search {
            neighbours,
            partner: vec![None; size],
            before: vec![None; size],
            base: (0..size).collect(),
            reached: vec![false; size],
        }
    }

    fn pair_greedily(&mut self) {
        for own in 0..self.partner.len() {
            if self.partner[own].is_none()
                && let Some(other) = self.neighbours[own].iter().copied().find(|other| self.partner[*other].is_none())
            {
                (self.partner[own], self.partner[other]) = (Some(other), Some(own));
            }
        }
    }

    /// Looks for a path from `root` to another vertex without partner, along which partners can be
    /// exchanged so that both get one.
    fn augment(&mut self, root: usize) {
        let size = self.partner.len();
        self.before = vec![None; size];
        self.base = (0..size).collect();
        self.reached = vec![false; size];
        self.reached[root] = true;
        let mut queue = std::collections::VecDeque::from([root]);
        while let Some(own) = queue.pop_front() {
            for other in self.neighbours[own].clone() {
                if self.base[own] == self.base[other] || self.partner[own] == Some(other) {
                    continue;
                }
                let even = other == root || self.partner[other].is_some_and(|partner| self.before[partner].is_some());
                if even {
                    queue.extend(self.contract(own, other));
                } else if self.before[other].is_none() {
                    self.before[other] = Some(own);
                    match self.partner[other] {
                        None => return self.exchange(other),
                        Some(partner) => {
                            self.reached[partner] = true;
                            queue.push_back(partner);
                        }
                    }
                }
            }
        }
    }

    fn exchange(&mut self, end: usize) {
        let mut own = Some(end);
        while let Some(odd) = own {
            let before = self.before[odd];
            let next = before.and_then(|before| self.partner[before]);
            self.partner[odd] = before;
            if let Some(before) = before {
                self.partner[before] = Some(odd);
            }
            own = next;
        }
    }

    /// Makes one vertex of the odd cycle that the edge closes; gives those newly reached.
    fn contract(&mut self, own: usize, other: usize) -> Vec<usize> {
        let shared = self.shared_base(own, other);
        let mut inside = vec![false; self.base.len()];
        self.mark(own, shared, other, &mut inside);
        self.mark(other, shared, own, &mut inside);
        let mut new = Vec::new();
        for vertex in 0..self.base.len() {
            if inside[self.base[vertex]] {
                self.base[vertex] = shared;
                if !std::mem::replace(&mut self.reached[vertex], true) {
                    new.push(vertex);
                }
            }
        }
        new
    }

    fn shared_base(&self, own: usize, other: usize) -> usize {
        let mut passed = vec![false; self.base.len()];
        let mut vertex = self.base[own];
        loop {
            passed[vertex] = true;
            match self.up(vertex) {
                Some(above) => vertex = above,
                None => break,
            }
        }
        vertex = self.base[other];
        while !passed[vertex] {
            match self.up(vertex) {
                Some(above) => vertex = above,
                None => unreachable!("both are in the tree of one root"),
            }
        }
        vertex
    }

    /// The base two steps nearer to the root.
    fn up(&self, vertex: usize) -> Option<usize> {
        Some(self.base[self.before[self.partner[vertex]?]?])
    }

    fn mark(&mut self, mut vertex: usize, shared: usize, mut child: usize, inside: &mut [bool]) {
        while self.base[vertex] != shared {
            let Some(partner) = self.partner[vertex] else { return };
            inside[self.base[vertex]] = true;
            inside[self.base[partner]] = true;
            self.before[vertex] = Some(child);
            child = partner;
            let Some(above) = self.before[partner] else { return };
            vertex = above;
        }
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_core::{Rng, SeedableRng};

    use super::*;

    /// All pairings of these players, by enumeration.
    fn all_pairings(players: &[usize]) -> Vec<Vec<[usize; 2]>> {
        let Some((&first, others)) = players.split_first() else { return vec![Vec::new()] };
        let mut all = Vec::new();
        for &other in others {
            let left: Vec<usize> = others.iter().copied().filter(|left| *left != other).collect();
            for mut rest in all_pairings(&left) {
                rest.insert(0, [first, other]);
                all.push(rest);
            }
        }
        all
    }

    fn random(players: usize, dice: &mut ChaCha8Rng) -> Vec<Vec<u32>> {
        let mut met = vec![vec![0; players]; players];
        let (most, few) = (1 + dice.next_u64() % 2, 1 + dice.next_u64() % 4);
        for pairing in (0..players).flat_map(|a| (a + 1..players).map(move |b| [a, b])) {
            let never = dice.next_u64().is_multiple_of(few + 1);
            let times = if never { 0 } else { 1 + dice.next_u64() % most };
            let [a, b] = pairing;
            (met[a][b], met[b][a]) = (times as u32, times as u32);
        }
        met
    }

    /// Against all 3, 15, 105 or 945 pairings: the highest count of meetings and the number of pairs
    /// above the level below it are the least possible.
    #[test]
    fn no_pairing_is_cheaper() {
        let mut dice = ChaCha8Rng::seed_from_u64(1);
        let mut costs = std::collections::BTreeSet::new();
        for round in 0..400 {
            let players = 4 + 2 * (round % 4);
            let met = random(players, &mut dice);
            let worst = |pairs: &[[usize; 2]]| pairs.iter().map(|[a, b]| met[*a][*b]).max().unwrap();
            let all = all_pairings(&(0..players).collect::<Vec<_>>());
            let level = all.iter().map(|pairs| worst(pairs)).min().unwrap();
            let above = |pairs: &[[usize; 2]]| pairs.iter().filter(|[a, b]| level > 0 && met[*a][*b] >= level).count();
            let least = all.iter().map(|pairs| above(pairs)).min().unwrap();
            assert_eq!(cost(&met), (level, least));
            let chosen = pairing(&met);
            assert!(all.contains(&chosen));
            assert_eq!(above(&chosen), least, "{met:?}");
            if level == 0 {
                // The first in the order of partners, top down.
                assert_eq!(Some(&chosen), all.iter().find(|pairs| worst(pairs) == 0));
            }
            costs.insert((level, least));
        }
        assert!(costs.len() >= 5, "{costs:?}");
    }

    /// Two odd cycles and a bridge: greedy pairing fails, blossoms are needed.
    #[test]
    fn odd_cycles_are_seen_through() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)];
        let mut met = vec![vec![1; 6]; 6];
        for (a, b) in edges {
            (met[a][b], met[b][a]) = (0, 0);
        }
        assert_eq!(cost(&met), (0, 0));
        assert_eq!(pairing(&met), [[0, 1], [2, 3], [4, 5]]);
        // Without the bridge each cycle leaves one over.
        (met[2][3], met[3][2]) = (1, 1);
        assert_eq!(cost(&met), (1, 1));
    }
}
