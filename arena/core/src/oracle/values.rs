//! The solved values: for every pair of scores and rows of farkles, what the seat to move wins.
//!
//! Owns the layout in memory. Refuses scores at or past the target: there no turn begins, but for closing
//! ones.

/// Neighbours on an anti-diagonal that are swept together.
pub(super) const LANES: usize = 8;

/// What is where: scores in steps, rows of farkles in turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Place {
    pub(super) own: usize,
    pub(super) rival: usize,
    pub(super) own_streak: usize,
    pub(super) rival_streak: usize,
}

impl Place {
    /// The same position as the other seat sees it.
    pub(super) fn mirrored(self) -> Place {
        let Place { own, rival, own_streak, rival_streak } = self;
        Place { own: rival, rival: own, own_streak: rival_streak, rival_streak: own_streak }
    }
}

/// Values of the seat to move at the start of its turn. By both rows of farkles a plane; in it by the rival's
/// score rows of own scores, so that after a bank the other seat's values lie in a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Values {
    pub(super) target: usize,
    pub(super) streaks: usize,
    pub(super) stride: usize,
    planes: Vec<Vec<f64>>,
}

impl Values {
    pub(super) fn new(target: usize, streaks: usize) -> Values {
        let stride = target + LANES;
        Values { target, streaks, stride, planes: vec![vec![0.5; target * stride]; streaks * streaks] }
    }

    /// The plane of two rows of farkles: own and rival's.
    #[inline]
    pub(super) fn plane(&self, own: usize, rival: usize) -> &[f64] {
        &self.planes[own * self.streaks + rival]
    }

    #[inline]
    pub(super) fn get(&self, at: Place) -> f64 {
        self.plane(at.own_streak, at.rival_streak)[at.rival * self.stride + at.own]
    }

    #[inline]
    pub(super) fn set(&mut self, at: Place, value: f64) {
        self.planes[at.own_streak * self.streaks + at.rival_streak][at.rival * self.stride + at.own] = value;
    }

    /// How many positions there are.
    pub(super) fn positions(&self) -> usize {
        self.target * self.target * self.streaks * self.streaks
    }

    /// A position's number below [`positions`](Values::positions).
    pub(super) fn number(&self, at: Place) -> usize {
        let streaks = at.own_streak * self.streaks + at.rival_streak;
        (streaks * self.target + at.rival) * self.target + at.own
    }

    /// Every value, in the order of the positions' numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = f64> {
        let rows = self.planes.iter().flat_map(|plane| plane.chunks_exact(self.stride));
        rows.flat_map(|row| row[..self.target].iter().copied())
    }

    /// Values in the order of [`iter`](Values::iter).
    pub(super) fn fill(&mut self, mut values: impl Iterator<Item = f64>) {
        let target = self.target;
        let rows = self.planes.iter_mut().flat_map(|plane| plane.chunks_exact_mut(self.stride));
        for place in rows.flat_map(|row| &mut row[..target]) {
            *place = values.next().unwrap_or(0.5);
        }
    }
}
