//! Owns the little linear algebra of the fit: square matrices, Cholesky, the inverse of a
//! positive definite matrix.
//!
//! Refuses to be fast or general. It is written out, in plain loops over `f64`, because a general
//! library multiplies matrices with kernels chosen by the processor it finds (fused multiply-add
//! or not), and ratings must come out the same, bit for bit, on every machine. With 200 agents an
//! inverse takes milliseconds.

/// A dense square matrix, row after row.
#[derive(Clone, Debug)]
pub(crate) struct Square {
    size: usize,
    cells: Vec<f64>,
}

impl Square {
    pub(crate) fn zero(size: usize) -> Self {
        Self { size, cells: vec![0.0; size * size] }
    }

    pub(crate) fn clear(&mut self) {
        self.cells.fill(0.0);
    }

    pub(crate) fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(crate) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..(row + 1) * self.size]
    }

    fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.cells[row * self.size..(row + 1) * self.size]
    }

    /// `self` times `other`.
    pub(crate) fn times(&self, other: &Self) -> Self {
        let mut product = Self::zero(self.size);
        for row in 0..self.size {
            for inner in 0..self.size {
                let factor = self.at(row, inner);
                let source = other.row(inner);
                for (cell, value) in product.row_mut(row).iter_mut().zip(source) {
                    *cell += factor * value;
                }
            }
        }
        product
    }

    /// The lower Cholesky factor, or `None` when the matrix is not positive definite. Only the
    /// lower triangle is read.
    pub(crate) fn cholesky(&self) -> Option<Cholesky> {
        let mut lower = Self::zero(self.size);
        for row in 0..self.size {
            for column in 0..=row {
                let known = dot(&lower.row(row)[..column], &lower.row(column)[..column]);
                let rest = self.at(row, column) - known;
                let value = if row == column {
                    // Also false for NaN.
                    if rest > 0.0 && rest.is_finite() {
                        rest.sqrt()
                    } else {
                        return None;
                    }
                } else {
                    rest / lower.at(column, column)
                };
                lower.cells[row * self.size + column] = value;
            }
        }
        Some(Cholesky { lower })
    }
}

/// A factored positive definite matrix.
#[derive(Clone, Debug)]
pub(crate) struct Cholesky {
    lower: Square,
}

impl Cholesky {
    /// Replaces `vector` by the inverse of the factored matrix times `vector`.
    pub(crate) fn solve(&self, vector: &mut [f64]) {
        let size = self.lower.size();
        for row in 0..size {
            let known = dot(&self.lower.row(row)[..row], &vector[..row]);
            vector[row] = (vector[row] - known) / self.lower.at(row, row);
        }
        for row in (0..size).rev() {
            vector[row] /= self.lower.at(row, row);
            let solved = vector[row];
            for (cell, factor) in vector[..row].iter_mut().zip(self.lower.row(row)) {
                *cell -= factor * solved;
            }
        }
    }

    /// The inverse of the factored matrix.
    pub(crate) fn inverse(&self) -> Square {
        let size = self.lower.size();
        let mut inverse = Square::zero(size);
        for row in 0..size {
            // The inverse is symmetric, so its rows are its columns.
            let unit = inverse.row_mut(row);
            unit[row] = 1.0;
            self.solve(unit);
        }
        inverse
    }
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverts_a_small_matrix_done_by_hand() {
        // [[4, 2], [2, 3]] has determinant 8 and inverse [[3, -2], [-2, 4]] / 8.
        let mut matrix = Square::zero(2);
        matrix.add(0, 0, 4.0);
        matrix.add(1, 0, 2.0);
        matrix.add(0, 1, 2.0);
        matrix.add(1, 1, 3.0);
        let inverse = matrix.cholesky().unwrap().inverse();
        for (cell, expected) in inverse.cells.iter().zip([0.375, -0.25, -0.25, 0.5]) {
            assert!((cell - expected).abs() < 1e-15);
        }
        let unit = matrix.times(&inverse);
        assert!((unit.at(0, 0) - 1.0).abs() < 1e-15 && unit.at(0, 1).abs() < 1e-15);
    }

    #[test]
    fn an_indefinite_matrix_has_no_factor() {
        let mut matrix = Square::zero(2);
        matrix.add(0, 1, 1.0);
        matrix.add(1, 0, 1.0);
        assert!(matrix.cholesky().is_none());
    }
}
