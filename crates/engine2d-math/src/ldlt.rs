//! A factorization `A = L D Lᵀ` of a symmetric matrix that grows and shrinks by rows.
//!
//! **Conditions.** The matrix is symmetric; the caller appends only rows whose pivot (Schur complement) it
//! accepts. **Costs.** With `n` rows: append `n²/2`, solve `n²`, remove row `k` `(n − k)²`, rank-one update
//! `n²` multiplications. **Stability.** Without interchanges it is backward stable for positive definite
//! matrices; removal is a positive rank-one update, stable too [Gill, Golub, Murray, Saunders 1974, C1].

use crate::kernel::{axpy, dot, weighted_square};

/// `L D Lᵀ` with unit lower triangular `L`, stored by rows in a buffer that only grows. Leading zeros of a row
/// are known and skipped, so that an order of rows that keeps neighbours close makes everything cheap.
#[derive(Clone, Debug, Default)]
pub struct UpdatableLdlt {
    len: usize,
    stride: usize,
    lower: Vec<f64>,
    /// First column that may be nonzero in each row of `L`.
    first: Vec<usize>,
    diagonal: Vec<f64>,
    inverse: Vec<f64>,
    /// The vector of an update, and what it adds to each column.
    scratch: Vec<f64>,
    share: Vec<f64>,
}

impl UpdatableLdlt {
    /// An empty factorization.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets all rows and makes room for `capacity` of them.
    pub fn reset(&mut self, capacity: usize) {
        self.len = 0;
        self.stride = capacity;
        if self.diagonal.len() < capacity {
            self.lower.resize(capacity * capacity, 0.0);
            self.first.resize(capacity, 0);
            self.diagonal.resize(capacity, 0.0);
            self.inverse.resize(capacity, 0.0);
            self.scratch.resize(capacity, 0.0);
            self.share.resize(capacity, 0.0);
        }
    }

    /// Number of rows.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no rows.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The pivots `D`.
    #[must_use]
    pub fn pivots(&self) -> &[f64] {
        &self.diagonal[..self.len]
    }

    /// Number of entries of `L` that are stored: what a solve costs.
    #[must_use]
    pub fn profile(&self) -> usize {
        self.first[..self.len].iter().enumerate().map(|(i, first)| i - first).sum()
    }

    /// Columns `first..i` of row `i` of `L`; those before are zero.
    #[inline]
    fn row(&self, i: usize) -> (usize, &[f64]) {
        let first = self.first[i];
        (first, &self.lower[i * self.stride + first..i * self.stride + i])
    }

    /// Row `i` of `L` without its unit diagonal.
    #[must_use]
    pub fn lower_row(&self, i: usize) -> &[f64] {
        &self.lower[i * self.stride..i * self.stride + i]
    }

    /// `x ← L⁻¹ x`; returns the index of the first entry that is not zero.
    #[inline]
    pub fn forward(&self, x: &mut [f64]) -> usize {
        let n = self.len;
        let x = &mut x[..n];
        let start = x.iter().position(|x| *x != 0.0).unwrap_or(n);
        for i in start + 1..n {
            let (first, row) = self.row(i);
            let from = first.max(start);
            if from < i {
                let sum = dot(&row[from - first..], &x[from..i]);
                x[i] -= sum;
            }
        }
        start
    }

    /// `x ← L⁻ᵀ x`.
    #[inline]
    pub fn backward(&self, x: &mut [f64]) {
        let x = &mut x[..self.len];
        for i in (1..self.len).rev() {
            let (first, row) = self.row(i);
            let (rest, known) = x.split_at_mut(i);
            if known[0] != 0.0 {
                axpy(-known[0], row, &mut rest[first..]);
            }
        }
    }

    /// `x ← D⁻¹ x`.
    #[inline]
    pub fn divide(&self, x: &mut [f64]) {
        for (x, inverse) in x.iter_mut().zip(&self.inverse[..self.len]) {
            *x *= inverse;
        }
    }

    /// `x ← A⁻¹ x`.
    pub fn solve(&self, x: &mut [f64]) {
        self.forward(x);
        self.divide(x);
        self.backward(x);
    }

    /// The pivot a new last row would have: `diagonal − yᵀ D⁻¹ y` for `y = L⁻¹ r`, `r` the off-diagonal part.
    #[inline]
    #[must_use]
    pub fn pivot_of(&self, diagonal: f64, forwarded: &[f64]) -> f64 {
        diagonal - weighted_square(forwarded, &self.inverse[..self.len])
    }

    /// Appends a last row given `y = L⁻¹ r` and its pivot, which must not be zero.
    #[inline]
    pub fn push(&mut self, forwarded: &[f64], pivot: f64) {
        let n = self.len;
        assert!(n < self.stride, "the factorization is full");
        let row = &mut self.lower[n * self.stride..n * self.stride + n];
        let first = forwarded.iter().position(|y| *y != 0.0).unwrap_or(n).min(n);
        row[..first].fill(0.0);
        for ((l, y), inverse) in row[first..].iter_mut().zip(&forwarded[first..]).zip(&self.inverse[first..n])
        {
            *l = y * inverse;
        }
        self.first[n] = first;
        self.diagonal[n] = pivot;
        self.inverse[n] = 1.0 / pivot;
        self.len = n + 1;
    }

    /// Removes row and column `k`; the later ones move up by one.
    pub fn remove(&mut self, k: usize) {
        assert!(k < self.len, "row {k} of {}", self.len);
        let (n, s) = (self.len - 1, self.stride);
        for i in k..n {
            self.scratch[i] = self.lower[(i + 1) * s + k];
        }
        let weight = self.diagonal[k];
        for i in k..n {
            let (target, source) = self.lower.split_at_mut((i + 1) * s);
            let (target, source) = (&mut target[i * s..], &source[..=i]);
            self.diagonal[i] = self.diagonal[i + 1];
            self.inverse[i] = self.inverse[i + 1];
            // What stands before the first entry is zero in both rows.
            let first = self.first[i + 1];
            let from = first.min(self.first[i]);
            if from < k {
                target[from..k].copy_from_slice(&source[from..k]);
            }
            let from = k.max(from.saturating_sub(1));
            target[from..i].copy_from_slice(&source[from + 1..=i]);
            self.first[i] = if first > k { first - 1 } else { first };
        }
        self.len = n;
        self.update_from(k, weight);
    }

    /// `A ← A + weight · w wᵀ`; the result must stay nonsingular (positive weight on a definite matrix is safe).
    pub fn rank_one_update(&mut self, weight: f64, w: &[f64]) {
        self.scratch[..self.len].copy_from_slice(&w[..self.len]);
        self.update_from(0, weight);
    }

    /// Rank-one update of the trailing block from `start`, with the vector `w` in `scratch[start..len]`, row by row: each
    /// gets what the columns before it, already finished, do to it.
    fn update_from(&mut self, start: usize, mut weight: f64) {
        let (n, s) = (self.len, self.stride);
        for i in start..n {
            let mut w = self.scratch[i];
            // Where both the row and `w` are zero, nothing changes.
            let from = if w == 0.0 { self.first[i].max(start) } else { start };
            let row = &mut self.lower[i * s + from..i * s + i];
            let finished = self.scratch[from..i].iter().zip(&self.share[from..i]);
            for (l, (p, beta)) in row.iter_mut().zip(finished) {
                w -= p * *l;
                *l += beta * w;
            }
            if from < self.first[i] {
                let new = self.lower[i * s + from..i * s + self.first[i]].iter().position(|l| *l != 0.0);
                self.first[i] = new.map_or(self.first[i], |k| from + k);
            }
            self.scratch[i] = w;
            let old = self.diagonal[i];
            let new = old + weight * w * w;
            self.diagonal[i] = new;
            self.inverse[i] = 1.0 / new;
            self.share[i] = weight * w / new;
            weight *= old / new;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Lcg32;

    /// A random positive definite matrix, row-major.
    fn matrix(n: usize, rng: &mut Lcg32) -> Vec<f64> {
        let g: Vec<f64> = (0..n * n).map(|_| rng.next_unit() - 0.5).collect();
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                a[i * n + j] = dot(&g[i * n..(i + 1) * n], &g[j * n..(j + 1) * n]);
            }
            a[i * n + i] += 0.1;
        }
        a
    }

    fn append(factor: &mut UpdatableLdlt, a: &[f64], n: usize, rows: &[usize], row: usize) {
        let mut y: Vec<f64> = rows.iter().map(|&j| a[row * n + j]).collect();
        factor.forward(&mut y);
        let pivot = factor.pivot_of(a[row * n + row], &y);
        factor.push(&y, pivot);
    }

    fn check(factor: &UpdatableLdlt, a: &[f64], n: usize, rows: &[usize]) {
        let expected: Vec<f64> = (0..rows.len()).map(|k| 1.0 + k as f64).collect();
        let mut x: Vec<f64> =
            rows.iter().map(|&i| rows.iter().zip(&expected).map(|(&j, e)| a[i * n + j] * e).sum()).collect();
        factor.solve(&mut x);
        for (x, e) in x.iter().zip(&expected) {
            assert!((x - e).abs() < 1e-9 * e, "{x} {e}");
        }
    }

    #[test]
    fn rows_come_and_go() {
        let mut rng = Lcg32::new(3);
        let n = 17;
        let a = matrix(n, &mut rng);
        let mut factor = UpdatableLdlt::new();
        factor.reset(n);
        let mut rows = Vec::new();
        for row in [3, 1, 0, 16, 7, 8, 2, 11] {
            append(&mut factor, &a, n, &rows, row);
            rows.push(row);
            check(&factor, &a, n, &rows);
        }
        for k in [0, 3, 5, 4] {
            factor.remove(k);
            rows.remove(k);
            check(&factor, &a, n, &rows);
        }
        append(&mut factor, &a, n, &rows, 12);
        rows.push(12);
        check(&factor, &a, n, &rows);
    }

    #[test]
    fn a_rank_one_update_is_that_of_the_matrix() {
        let mut rng = Lcg32::new(5);
        let n = 6;
        let mut a = matrix(n, &mut rng);
        let rows: Vec<usize> = (0..n).collect();
        let mut factor = UpdatableLdlt::new();
        factor.reset(n);
        for row in 0..n {
            append(&mut factor, &a, n, &rows[..row], row);
        }
        let w: Vec<f64> = (0..n).map(|_| rng.next_unit()).collect();
        factor.rank_one_update(2.5, &w);
        for i in 0..n {
            for j in 0..n {
                a[i * n + j] += 2.5 * w[i] * w[j];
            }
        }
        check(&factor, &a, n, &rows);
    }
}
