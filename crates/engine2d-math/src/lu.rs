//! A factorization `P A = L U` of a square matrix by Gaussian elimination with partial pivoting, for systems
//! without symmetry. Backward stable in practice; `n³/3` multiplications [Golub, Van Loan, §3.4].

use crate::kernel::dot;

/// `P A = L U` in one row-major buffer that only grows. Each row's first and last entries that may be nonzero are known, so
/// that an order of rows that keeps neighbours close makes everything cheap.
#[derive(Clone, Debug, Default)]
pub struct Lu {
    len: usize,
    matrix: Vec<f64>,
    rows: Vec<usize>,
    /// First column that may be nonzero in each row, and the one after the last.
    first: Vec<usize>,
    end: Vec<usize>,
    /// One more than the last row that may have an entry in this column or before.
    reach: Vec<usize>,
    scratch: Vec<f64>,
}

impl Lu {
    /// An empty factorization.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The buffer for an `n × n` row-major matrix, zeroed: fill it, then call [`Lu::factor`].
    pub fn load(&mut self, n: usize) -> &mut [f64] {
        self.len = n;
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        &mut self.matrix
    }

    /// Notes where the nonzero entries are.
    fn outline(&mut self) {
        let n = self.len;
        for v in [&mut self.rows, &mut self.first, &mut self.end, &mut self.reach] {
            v.clear();
        }
        self.rows.extend(0..n);
        self.reach.resize(n, 0);
        for (i, row) in self.matrix.chunks_exact(n.max(1)).enumerate() {
            let first = row.iter().position(|v| *v != 0.0).unwrap_or(n);
            self.first.push(first);
            self.end.push(row.iter().rposition(|v| *v != 0.0).map_or(0, |last| last + 1));
            if let Some(reach) = self.reach.get_mut(first) {
                *reach = i + 1;
            }
        }
        let mut furthest = 0;
        for (k, reach) in self.reach.iter_mut().enumerate() {
            furthest = furthest.max(*reach).max(k + 1);
            *reach = furthest;
        }
    }

    /// Factors what was loaded; `None` if a pivot is exactly zero or not finite.
    pub fn factor(&mut self) -> Option<()> {
        self.outline();
        let n = self.len;
        for k in 0..n {
            // Interchanges stay within these rows, so none beyond them gets an entry in this column.
            let reach = self.reach[k];
            let size = |i: usize| self.matrix[i * n + k].abs();
            let at = (k + 1..reach).fold(k, |best, i| if size(i) > size(best) { i } else { best });
            if !(size(at) > 0.0 && size(at).is_finite()) {
                return None;
            }
            if at != k {
                let (low, high) = self.matrix.split_at_mut(at * n);
                low[k * n..(k + 1) * n].swap_with_slice(&mut high[..n]);
                self.rows.swap(k, at);
                self.first.swap(k, at);
                self.end.swap(k, at);
            }
            let (upper, lower) = self.matrix.split_at_mut((k + 1) * n);
            let pivot_row = &upper[k * n..];
            let inverse = 1.0 / pivot_row[k];
            let end = self.end[k];
            for (row, row_end) in lower.chunks_exact_mut(n).zip(&mut self.end[k + 1..reach]) {
                if row[k] == 0.0 {
                    continue; // exact: nothing would change
                }
                let factor = row[k] * inverse;
                row[k] = factor;
                *row_end = end.max(*row_end);
                for (target, source) in row[k + 1..end].iter_mut().zip(&pivot_row[k + 1..end]) {
                    *target -= factor * source;
                }
            }
        }
        Some(())
    }

    /// `x ← A⁻¹ x`.
    pub fn solve(&mut self, x: &mut [f64]) {
        let n = self.len;
        self.scratch.clear();
        self.scratch.extend(self.rows.iter().map(|&i| x[i]));
        for i in 1..n {
            let (known, rest) = self.scratch.split_at_mut(i);
            let first = self.first[i].min(i);
            rest[0] -= dot(&self.matrix[i * n + first..i * n + i], &known[first..]);
        }
        for i in (0..n).rev() {
            let (row, end) = (&self.matrix[i * n..(i + 1) * n], self.end[i].max(i + 1));
            x[i] = (self.scratch[i] - dot(&row[i + 1..end], &x[i + 1..end])) / row[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Lcg32;

    #[test]
    fn a_general_system_is_solved() {
        let mut rng = Lcg32::new(1);
        for n in [1, 2, 7, 20] {
            let a: Vec<f64> = (0..n * n).map(|_| rng.next_unit() - 0.5).collect();
            let expected: Vec<f64> = (0..n).map(|i| i as f64 - 2.0).collect();
            let mut x: Vec<f64> = a.chunks(n).map(|row| dot(row, &expected)).collect();
            let mut lu = Lu::new();
            lu.load(n).copy_from_slice(&a);
            lu.factor().unwrap();
            lu.solve(&mut x);
            assert!(x.iter().zip(&expected).all(|(x, e)| (x - e).abs() < 1e-10));
        }
    }

    #[test]
    fn a_narrow_matrix_with_interchanges_is_solved() {
        let mut rng = Lcg32::new(4);
        let n = 40;
        // A small diagonal makes nearly every step interchange rows.
        let mut entry = |i: usize, j: usize| match i.abs_diff(j) {
            0 => 1e-3,
            1..4 => rng.next_unit() - 0.5,
            _ => 0.0,
        };
        let a: Vec<f64> = (0..n * n).map(|k| entry(k / n, k % n)).collect();
        let expected: Vec<f64> = (0..n).map(|i| 1.0 + i as f64).collect();
        let mut x: Vec<f64> = a.chunks(n).map(|row| dot(row, &expected)).collect();
        let mut lu = Lu::new();
        lu.load(n).copy_from_slice(&a);
        lu.factor().unwrap();
        lu.solve(&mut x);
        assert!(x.iter().zip(&expected).all(|(x, e)| (x - e).abs() < 1e-8 * e), "{x:?}");
    }

    #[test]
    fn a_singular_matrix_is_refused() {
        let mut lu = Lu::new();
        lu.load(2).copy_from_slice(&[1.0, 2.0, 2.0, 4.0]);
        assert_eq!(lu.factor(), None);
    }
}
