//! Owns the likelihood of finishes under Plackett–Luce with ties: its logarithm, first and second
//! derivatives, finish by finish, and the prior.
//!
//! Refuses to know about Elo, intervals and input checking: what arrives here is valid.
//!
//! **Model** (H. L. Turner, J. van Etten, D. Firth, I. Kosmidis, *Modelling rankings in R: the
//! PlackettLuce package*, Computational Statistics 35, 2020, which extends R. R. Davidson, *On
//! extending the Bradley–Terry model to accommodate ties*, JASA 65, 1970). The agent in seat `s`
//! has log worth `lambda = strength + seat effect`. Places are given out in stages: of the agents
//! `A` still without a place, the set `C` that shares the next one has probability proportional to
//! `delta(|C|) * exp(mean of lambda over C)`, with `delta(1) = 1`, among all subsets of `A` whose
//! size is 1 or has been seen as a tie.
//!
//! The normaliser needs no enumeration of subsets: the subsets of size `k` sum to the elementary
//! symmetric polynomial of degree `k` in `exp(lambda / k)`, and the expectations in the derivatives
//! to the same polynomials without one or two of their arguments. A stage of twelve agents costs
//! thousands of operations where enumeration would visit 4,095 subsets.

use super::matrix::Square;
use super::symmetric::Symmetric;

/// Where each parameter stands in the vector: strengths, then seat effects, then the logarithm of
/// delta for every size of tie that was seen.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) agents: usize,
    pub(super) seats: usize,
    /// Sizes of ties seen, ascending, each at least 2.
    pub(super) sizes: Vec<usize>,
}

impl Layout {
    pub(super) fn len(&self) -> usize {
        self.agents + self.seats + self.sizes.len()
    }

    pub(super) fn seat(&self, seat: usize) -> usize {
        self.agents + seat
    }

    pub(super) fn tie(&self, index: usize) -> usize {
        self.agents + self.seats + index
    }

    /// Where the prior holds a parameter: strengths and seat effects at 0, the logarithm of
    /// delta(k) at ln k, which makes "all k tie" as probable as "one of the k is first".
    pub(super) fn centre(&self, parameter: usize) -> f64 {
        match parameter.checked_sub(self.agents + self.seats) {
            Some(index) => libm::log(self.sizes[index] as f64),
            None => 0.0,
        }
    }

    /// Parameters that the local variable `local` of a finish adds to: a seat's log worth is made
    /// of two, a tie's of one.
    pub(super) fn targets(&self, agents: &[usize], local: usize) -> ([usize; 2], usize) {
        if local < self.seats { ([agents[local], self.seat(local)], 2) } else { ([self.tie(local - self.seats), 0], 1) }
    }
}

/// One distinct finish with the number of times it was seen.
#[derive(Clone, Debug)]
pub(super) struct Outcome<'a> {
    /// In seat order.
    pub(super) agents: &'a [usize],
    /// Seats, best place first.
    order: Vec<usize>,
    /// How many share each place, best first; sums to the number of seats.
    groups: Vec<usize>,
    pub(super) count: f64,
}

impl<'a> Outcome<'a> {
    pub(super) fn new(agents: &'a [usize], ranks: &[u32], count: f64) -> Self {
        let mut order: Vec<usize> = (0..ranks.len()).collect();
        order.sort_by_key(|&seat| (ranks[seat], seat));
        let groups = order.chunk_by(|&left, &right| ranks[left] == ranks[right]).map(<[usize]>::len).collect();
        Self { agents, order, groups, count }
    }

    /// How many share each place, best first.
    pub(super) fn groups(&self) -> &[usize] {
        &self.groups
    }
}

/// The derivatives of one finish by its local variables: the log worth of each seat, then the
/// logarithm of each delta. Kept between finishes to spare allocations.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    width: usize,
    /// The score: first derivatives of the log likelihood.
    pub(super) gradient: Vec<f64>,
    /// Minus the second derivatives, row after row; symmetric.
    information: Vec<f64>,
    worths: Vec<f64>,
    falling: Vec<f64>,
    roots: Vec<f64>,
    symmetric: Symmetric,
    expected: Vec<f64>,
    products: Vec<f64>,
}

impl Terms {
    pub(super) fn new(layout: &Layout) -> Self {
        let width = layout.seats + layout.sizes.len();
        Self {
            width,
            gradient: vec![0.0; width],
            information: vec![0.0; width * width],
            worths: Vec::with_capacity(layout.seats),
            falling: Vec::with_capacity(layout.seats),
            roots: Vec::with_capacity(layout.seats),
            symmetric: Symmetric::default(),
            expected: vec![0.0; width],
            products: vec![0.0; width * width],
        }
    }

    pub(super) fn information(&self, row: usize, column: usize) -> f64 {
        self.information[row * self.width + column]
    }

    /// Fills in the derivatives of `outcome` at `point`; gives its log likelihood.
    pub(super) fn evaluate(&mut self, layout: &Layout, outcome: &Outcome<'_>, point: &[f64]) -> f64 {
        self.gradient.fill(0.0);
        self.information.fill(0.0);
        let mut value = 0.0;
        let mut rest = outcome.order.as_slice();
        for &size in &outcome.groups {
            // The last agent takes the last place with certainty.
            if rest.len() > 1 {
                value += self.stage(layout, outcome.agents, rest, size, point);
            }
            rest = &rest[size..];
        }
        value
    }

    /// One stage: the first `size` of `rest` share the next place.
    fn stage(&mut self, layout: &Layout, agents: &[usize], rest: &[usize], size: usize, point: &[f64]) -> f64 {
        let seats = layout.seats;
        self.worths.clear();
        self.worths.extend(rest.iter().map(|&seat| point[agents[seat]] + point[layout.seat(seat)]));
        self.expected.fill(0.0);
        self.products.fill(0.0);

        // The log weight of the weightiest set of each size is ln delta plus the mean of the
        // greatest worths. All weights are taken relative to the greatest of these: that changes
        // no probability, keeps every exponential in range, and makes the total at least 1.
        self.falling.clear();
        self.falling.extend_from_slice(&self.worths);
        self.falling.sort_unstable_by(|left, right| right.total_cmp(left));
        let tied = layout.sizes.iter().enumerate();
        let tied = tied.map(|(k, &size)| (size, Some(k)));
        let degrees = std::iter::once((1, None)).chain(tied).take_while(|&(degree, _)| degree <= rest.len());
        let log_delta = |tie: Option<usize>| tie.map_or(0.0, |k| point[layout.tie(k)]);
        let top = |falling: &[f64], degree: usize| falling[..degree].iter().sum::<f64>() / degree as f64;
        let greatest =
            degrees.clone().map(|(degree, tie)| log_delta(tie) + top(&self.falling, degree)).fold(f64::MIN, f64::max);

        let mut total = 0.0;
        for (degree, tie) in degrees {
            let share = 1.0 / degree as f64;
            let top = top(&self.falling, degree);
            self.roots.clear();
            for worth in &self.worths {
                self.roots.push(libm::exp((worth - top) * share));
            }
            let delta = libm::exp(log_delta(tie) + top - greatest);
            self.symmetric.set(&self.roots, degree);
            let weight = delta * self.symmetric.whole();
            total += weight;
            if let Some(k) = tie {
                self.expected[seats + k] += weight;
            }
            for (i, &seat) in rest.iter().enumerate() {
                let chosen = share * delta * self.roots[i] * self.symmetric.without(i);
                self.expected[seat] += chosen;
                if let Some(k) = tie {
                    self.products[seat * self.width + seats + k] += chosen;
                    self.products[(seats + k) * self.width + seat] += chosen;
                }
                if degree < 2 {
                    continue;
                }
                let (roots, products, width) = (&self.roots, &mut self.products, self.width);
                self.symmetric.without_two(i, |j, without| {
                    let both = share * share * delta * roots[i] * roots[j] * without;
                    products[seat * width + rest[j]] += both;
                    products[rest[j] * width + seat] += both;
                });
            }
        }

        // A log-linear family: the score is observed minus expected, the information the
        // covariance of the sufficient statistics. A seat's statistic is its share of the place;
        // the shares sum to 1, which settles the variances, and the score of a sole winner, from
        // numbers that do not cancel. Otherwise rounding would swamp the prior where millions of
        // matches all end alike.
        for mean in &mut self.expected {
            *mean /= total;
        }
        for row in 0..self.width {
            let mean = self.expected[row];
            for column in 0..row {
                let at = row * self.width + column;
                let value = self.products[at] / total - mean * self.expected[column];
                self.information[at] += value;
                self.information[column * self.width + row] += value;
                if row < seats {
                    self.information[row * self.width + row] -= value;
                    self.information[column * self.width + column] -= value;
                }
            }
            if row >= seats {
                let at = row * self.width + row;
                self.information[at] += mean - mean * mean;
            }
        }
        let share = 1.0 / size as f64;
        let mut value = -libm::log(total) - greatest;
        for (place, (&seat, worth)) in rest.iter().zip(&self.worths).enumerate() {
            self.gradient[seat] += if size == 1 && place == 0 {
                rest[1..].iter().map(|&other| self.expected[other]).sum()
            } else if place < size {
                share - self.expected[seat]
            } else {
                -self.expected[seat]
            };
            if place < size {
                value += share * worth;
            }
        }
        for local in seats..self.width {
            self.gradient[local] -= self.expected[local];
        }
        if let Ok(k) = layout.sizes.binary_search(&size) {
            self.gradient[seats + k] += 1.0;
            value += point[layout.tie(k)];
        }
        value
    }
}

/// The penalised log likelihood with its derivatives.
#[derive(Clone, Debug)]
pub(super) struct Evaluation {
    pub(super) value: f64,
    pub(super) gradient: Vec<f64>,
    /// Minus the second derivatives; positive definite thanks to the prior.
    pub(super) information: Square,
}

impl Evaluation {
    pub(super) fn new(layout: &Layout) -> Self {
        Self { value: 0.0, gradient: vec![0.0; layout.len()], information: Square::zero(layout.len()) }
    }

    /// Evaluates all outcomes, in the given order, and the prior.
    pub(super) fn at(&mut self, layout: &Layout, outcomes: &[Outcome<'_>], point: &[f64], terms: &mut Terms) {
        self.value = 0.0;
        self.gradient.fill(0.0);
        self.information.clear();
        for outcome in outcomes {
            self.value += outcome.count * terms.evaluate(layout, outcome, point);
            for row in 0..terms.width {
                let (rows, used) = layout.targets(outcome.agents, row);
                for &target in &rows[..used] {
                    self.gradient[target] += outcome.count * terms.gradient[row];
                }
                for column in 0..terms.width {
                    let value = outcome.count * terms.information(row, column);
                    let (columns, used_columns) = layout.targets(outcome.agents, column);
                    for &target in &rows[..used] {
                        for &other in &columns[..used_columns] {
                            self.information.add(target, other, value);
                        }
                    }
                }
            }
        }
        for (parameter, &value) in point.iter().enumerate() {
            let prior = Prior::at(value - layout.centre(parameter));
            self.value += prior.value;
            self.gradient[parameter] += prior.win + prior.loss;
            self.information.add(parameter, parameter, prior.information);
        }
    }

    /// Adds to the scores of agents: a term that is linear in the strengths, so that the maximum stays
    /// unique.
    pub(super) fn correct(&mut self, corrected: &[f64], point: &[f64]) {
        for ((slope, more), strength) in self.gradient.iter_mut().zip(corrected).zip(point) {
            *slope += more;
            self.value += more * strength;
        }
    }
}

/// One virtual win and one virtual loss of a parameter against a fixed reference, Bradley–Terry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prior {
    value: f64,
    /// Score of the virtual win.
    pub(super) win: f64,
    /// Score of the virtual loss.
    pub(super) loss: f64,
    pub(super) information: f64,
}

impl Prior {
    /// `distance`: how far the parameter is above its reference.
    pub(super) fn at(distance: f64) -> Self {
        // ln p(win) + ln p(loss) = -|d| - 2 ln(1 + exp(-|d|)), which cannot overflow.
        let small = libm::exp(-distance.abs());
        let lesser = small / (1.0 + small);
        let greater = 1.0 / (1.0 + small);
        let (win, loss) = if distance >= 0.0 { (lesser, -greater) } else { (greater, -lesser) };
        Self { value: -distance.abs() - 2.0 * libm::log1p(small), win, loss, information: 2.0 * lesser * greater }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout() -> Layout {
        Layout { agents: 5, seats: 4, sizes: vec![2, 3] }
    }

    #[test]
    fn two_equal_agents_are_davidsons() {
        // Davidson 1970: equal worths tie with probability delta / (2 + delta).
        let layout = Layout { agents: 2, seats: 2, sizes: vec![2] };
        let outcome = Outcome::new(&[0, 1], &[1, 1], 1.0);
        let point = [0.0, 0.0, 0.0, 0.0, libm::log(0.5)];
        let value = Terms::new(&layout).evaluate(&layout, &outcome, &point);
        assert!((value - libm::log(0.2)).abs() < 1e-15);
    }

    #[test]
    fn the_probabilities_of_all_finishes_sum_to_one() {
        // All 75 weak orders of four, less the one with all four tied, which was never seen.
        let layout = layout();
        let point = [0.3, -1.0, 0.7, 0.0, 2.0, 0.4, -0.1, 0.0, -0.3, -0.5, -2.0];
        let mut terms = Terms::new(&layout);
        let (mut sum, mut orders) = (0.0, 0);
        for code in 0..256_u32 {
            let raw = [code & 3, (code >> 2) & 3, (code >> 4) & 3, (code >> 6) & 3];
            let ranks = raw.map(|own| 1 + raw.iter().filter(|&&other| other < own).count() as u32);
            // Each weak order is met once in its own rank form.
            if raw.map(|rank| rank + 1) == ranks && ranks != [1; 4] {
                let outcome = Outcome::new(&[4, 1, 0, 2], &ranks, 1.0);
                sum += libm::exp(terms.evaluate(&layout, &outcome, &point));
                orders += 1;
            }
        }
        assert_eq!(orders, 74);
        assert!((sum - 1.0).abs() < 1e-14, "{sum}");
    }

    #[test]
    fn derivatives_agree_with_differences() {
        let layout = layout();
        let outcomes = [
            Outcome::new(&[4, 1, 0, 2], &[1, 3, 1, 4], 3.0),
            Outcome::new(&[3, 2, 1, 4], &[2, 2, 1, 2], 2.0),
            Outcome::new(&[0, 3, 2, 1], &[4, 2, 3, 1], 5.0),
        ];
        let point = [0.3, -1.0, 0.7, 0.0, 2.0, 0.4, -0.1, 0.0, -0.3, -0.5, -2.0];
        let mut terms = Terms::new(&layout);
        let mut here = Evaluation::new(&layout);
        here.at(&layout, &outcomes, &point, &mut terms);
        let (mut up, mut down) = (here.clone(), here.clone());
        let step = 1e-5;
        for parameter in 0..layout.len() {
            let mut moved = point;
            moved[parameter] += step;
            up.at(&layout, &outcomes, &moved, &mut terms);
            moved[parameter] -= 2.0 * step;
            down.at(&layout, &outcomes, &moved, &mut terms);
            let slope = (up.value - down.value) / (2.0 * step);
            assert!((slope - here.gradient[parameter]).abs() < 1e-7);
            for other in 0..layout.len() {
                let bend = (down.gradient[other] - up.gradient[other]) / (2.0 * step);
                assert!((bend - here.information.at(parameter, other)).abs() < 1e-7);
            }
        }
    }
}
