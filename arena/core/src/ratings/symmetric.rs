//! Owns elementary symmetric polynomials in a list of positive numbers, whole and with one or two of
//! the numbers left out.
//!
//! Refuses to divide a number out of a polynomial, which would be shorter, but subtracts what is
//! nearly equal. Here only positive numbers are added and multiplied, so nothing cancels: what is
//! left of a number is multiplied with what is right of it.

/// The polynomials of one list up to one degree. Kept between lists to spare allocations.
#[derive(Clone, Debug, Default)]
pub(super) struct Symmetric {
    values: Vec<f64>,
    degree: usize,
    /// For each place the polynomials of degrees 0 to `degree` in all numbers before it.
    before: Vec<f64>,
    /// The same in all numbers from it on.
    from: Vec<f64>,
    /// Those in the numbers before `j`, one left out.
    row: Vec<f64>,
}

impl Symmetric {
    /// Takes up a new list. `degree` is at least 1 and at most the length of the list.
    pub(super) fn set(&mut self, values: &[f64], degree: usize) {
        self.values.clear();
        self.values.extend_from_slice(values);
        self.degree = degree;
        let width = degree + 1;
        let size = (values.len() + 1) * width;
        self.before.resize(size, 0.0);
        self.from.resize(size, 0.0);
        self.before[..width].fill(0.0);
        self.before[0] = 1.0;
        for (place, value) in values.iter().enumerate() {
            let (known, next) = self.before[place * width..][..2 * width].split_at_mut(width);
            with_one_more(known, *value, next);
        }
        self.from[size - width..size].fill(0.0);
        self.from[size - width] = 1.0;
        for (place, value) in values.iter().enumerate().rev() {
            let (next, known) = self.from[place * width..][..2 * width].split_at_mut(width);
            with_one_more(known, *value, next);
        }
    }

    /// The polynomial of the full degree in all numbers.
    pub(super) fn whole(&self) -> f64 {
        self.from[self.degree]
    }

    /// The polynomial of one degree less in all numbers but that at `place`.
    pub(super) fn without(&self, place: usize) -> f64 {
        let width = self.degree + 1;
        convolve(&self.before[place * width..], &self.from[(place + 1) * width..], self.degree - 1)
    }

    /// The polynomials of two degrees less in all numbers but that at `place` and each one after it in
    /// turn. The degree must be at least 2.
    #[inline]
    pub(super) fn without_two(&mut self, place: usize, mut each: impl FnMut(usize, f64)) {
        let width = self.degree + 1;
        let degree = self.degree - 2;
        self.row.clear();
        self.row.extend_from_slice(&self.before[place * width..][..=degree]);
        for (other, value) in self.values.iter().enumerate().skip(place + 1) {
            each(other, convolve(&self.row, &self.from[(other + 1) * width..], degree));
            for degree in (1..self.row.len()).rev() {
                self.row[degree] += value * self.row[degree - 1];
            }
        }
    }
}

/// `next`: the polynomials with one more number.
fn with_one_more(known: &[f64], value: f64, next: &mut [f64]) {
    next[0] = known[0];
    for (next, known) in next[1..].iter_mut().zip(known.windows(2)) {
        *next = known[1] + value * known[0];
    }
}

/// The polynomial of `degree` in the numbers of both.
fn convolve(left: &[f64], right: &[f64], degree: usize) -> f64 {
    left[..=degree].iter().zip(right[..=degree].iter().rev()).map(|(left, right)| left * right).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let mut symmetric = Symmetric::default();
        symmetric.set(&[1.0, 2.0, 3.0], 2);
        assert_eq!(symmetric.whole(), 11.0);
        assert_eq!([0, 1, 2].map(|place| symmetric.without(place)), [5.0, 4.0, 3.0]);
        symmetric.set(&[1.0, 2.0, 3.0], 3);
        assert_eq!(symmetric.whole(), 6.0);
        let mut found = Vec::new();
        symmetric.without_two(0, |other, value| found.push((other, value)));
        assert_eq!(found, [(1, 3.0), (2, 2.0)]);
        symmetric.set(&[5.0, 7.0], 1);
        assert_eq!((symmetric.whole(), symmetric.without(1)), (12.0, 1.0));
    }

    /// By the definition: the sum over all subsets of a size of the products of their numbers.
    #[test]
    fn by_enumeration() {
        let values: Vec<f64> = (0..7).map(|i| f64::from(i * i % 5 + 1) / 3.0).collect();
        let sum = |degree: usize, skip: &[usize]| -> f64 {
            let sets = (0_u32..1 << values.len()).filter(|set| set.count_ones() as usize == degree);
            let sets = sets.filter(|set| skip.iter().all(|place| set >> place & 1 == 0));
            sets.map(|set| (0..7).filter(|place| set >> place & 1 == 1).map(|i| values[i]).product::<f64>()).sum()
        };
        let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12 * expected);
        let mut symmetric = Symmetric::default();
        for degree in 1..=7 {
            symmetric.set(&values, degree);
            close(symmetric.whole(), sum(degree, &[]));
            for place in 0..7 {
                close(symmetric.without(place), sum(degree - 1, &[place]));
                let mut visited = 0;
                if degree > 1 && degree < 7 {
                    symmetric.without_two(place, |other, value| {
                        close(value, sum(degree - 2, &[place, other]));
                        visited += 1;
                    });
                    assert_eq!(visited, 6 - place);
                }
            }
        }
    }
}
