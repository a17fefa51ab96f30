//! A factorization `P A = L U` of a square matrix by Gaussian elimination with partial pivoting, for systems
//! without symmetry. Backward stable in practice; `n³/3` multiplications [Golub, Van Loan, §3.4].

use crate::kernel::dot;

/// `P A = L U` in one row-major buffer that only grows.
#[derive(Clone, Debug, Default)]
pub struct Lu {
    len: usize,
    matrix: Vec<f64>,
    rows: Vec<usize>,
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

    /// Factors what was loaded; `None` if a pivot is exactly zero or not finite.
    pub fn factor(&mut self) -> Option<()> {
        let n = self.len;
        self.rows.clear();
        self.rows.extend(0..n);
        for k in 0..n {
            let size = |i: usize| self.matrix[i * n + k].abs();
            let at = (k + 1..n).fold(k, |best, i| if size(i) > size(best) { i } else { best });
            if !(size(at) > 0.0 && size(at).is_finite()) {
                return None;
            }
            if at != k {
                let (low, high) = self.matrix.split_at_mut(at * n);
                low[k * n..(k + 1) * n].swap_with_slice(&mut high[..n]);
                self.rows.swap(k, at);
            }
            let (upper, lower) = self.matrix.split_at_mut((k + 1) * n);
            let pivot_row = &upper[k * n..];
            let inverse = 1.0 / pivot_row[k];
            // Beyond the last nonzero entry of the pivot row nothing changes.
            let end = pivot_row.iter().rposition(|v| *v != 0.0).map_or(k + 1, |last| last + 1);
            for row in lower.chunks_exact_mut(n) {
                if row[k] == 0.0 {
                    continue; // exact: nothing would change
                }
                let factor = row[k] * inverse;
                row[k] = factor;
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
            rest[0] -= dot(&self.matrix[i * n..i * n + i], known);
        }
        for i in (0..n).rev() {
            let row = &self.matrix[i * n..(i + 1) * n];
            x[i] = (self.scratch[i] - dot(&row[i + 1..], &x[i + 1..n])) / row[i];
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
    fn a_singular_matrix_is_refused() {
        let mut lu = Lu::new();
        lu.load(2).copy_from_slice(&[1.0, 2.0, 2.0, 4.0]);
        assert_eq!(lu.factor(), None);
    }
}
