//! The null space of a selection of `A`, and the point of it, shifted, that is nearest to zero within bounds.
//!
//! Two questions come down to this: which of many solutions has the least norm, and how far demands contradict each other.

use crate::dense::Dense;
use crate::pivoting::{Limits, Pivoting};
use crate::tolerance::{ATTEMPTS, SOLVED};
use crate::{Error, Row, Run};
use engine2d_math::eigen::symmetric;
use engine2d_math::kernel::{axpy, dot};

/// An orthonormal basis by rows, each of `width` entries.
pub(crate) struct NullSpace {
    basis: Vec<f64>,
    width: usize,
    /// Of the scaled matrix, the smallest pivot relative to the diagonal: nothing of it is left after rounding at `1e-16`.
    least: f64,
}

impl NullSpace {
    /// `√W` times the null space of `A_KK`: eigenvalues of the scaled matrix below `limit` times the largest
    /// count as zero. `roots` holds the diagonal of `√W`.
    pub(crate) fn of(dense: &[f64], n: usize, rows: &[usize], roots: &[f64], limit: f64) -> Self {
        let m = rows.len();
        let diagonal = |i: usize| dense[i * n + i];
        let scale: Vec<f64> =
            rows.iter().map(|&i| if diagonal(i) > 0.0 { 1.0 / diagonal(i).sqrt() } else { 1.0 }).collect();
        let mut scaled = vec![0.0; m * m];
        for (k, &i) in rows.iter().enumerate() {
            for (l, &j) in rows.iter().enumerate() {
                scaled[k * m + l] = dense[i * n + j] * scale[k] * scale[l];
            }
        }
        let eigen = symmetric(&scaled, m);
        let largest = eigen.values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let mut basis: Vec<f64> = Vec::new();
        for (k, value) in eigen.values.iter().enumerate() {
            if value.abs() > limit * largest {
                continue;
            }
            append(&mut basis, (0..m).map(|i| eigen.vectors[k * m + i] * scale[i] * roots[i]).collect());
        }
        let least = eigen.values.iter().fold(1.0_f64, |least, v| least.min(v.abs()));
        Self { basis, width: m, least }
    }

    /// The null space of all of `A`, by elimination with the largest scaled pivot first: pivots of at most `limit` count as zero.
    /// A tenth of the work of [`NullSpace::of`], less sure of ranks that are hard to tell.
    pub(crate) fn eliminated(dense: &[f64], n: usize, limit: f64) -> Self {
        let root = |i: usize| if dense[i * n + i] > 0.0 { dense[i * n + i].sqrt() } else { 1.0 };
        let scale: Vec<f64> = (0..n).map(|i| 1.0 / root(i)).collect();
        let mut order: Vec<usize> = (0..n).collect();
        let mut left: Vec<f64> = (0..n).map(|i| dense[i * n + i] * scale[i] * scale[i]).collect();
        // Rows of L for the rows in `order`, without the pivots.
        let mut lower = vec![0.0; n * n];
        let (mut rank, mut smallest) = (0, 1.0_f64);
        while rank < n {
            let best =
                (rank..n).fold(rank, |best, k| if left[order[k]] > left[order[best]] { k } else { best });
            if !(left[order[best]] > limit) {
                break;
            }
            order.swap(rank, best);
            let i = order[rank];
            smallest = smallest.min(left[i]);
            let pivot = left[i].sqrt();
            for &j in &order[rank + 1..] {
                let known = dot(&lower[i * n..i * n + rank], &lower[j * n..j * n + rank]);
                let entry = (dense[i * n + j] * scale[i] * scale[j] - known) / pivot;
                lower[j * n + rank] = entry;
                left[j] -= entry * entry;
            }
            lower[i * n + rank] = pivot;
            rank += 1;
        }
        let mut basis = Vec::new();
        for &i in &order[rank..] {
            // (−A_CC⁻¹ A_Ci, 1) = (−L⁻ᵀ l_i, 1).
            let mut x = lower[i * n..i * n + rank].to_vec();
            for k in (0..rank).rev() {
                let row = &lower[order[k] * n..=order[k] * n + k];
                x[k] /= row[k];
                let value = x[k];
                x[..k].iter_mut().zip(row).for_each(|(x, l)| *x -= value * l);
            }
            let mut v = vec![0.0; n];
            order[..rank].iter().zip(&x).for_each(|(&j, x)| v[j] = -x * scale[j]);
            v[i] = scale[i];
            append(&mut basis, v);
        }
        let least = order.iter().skip(rank).map(|&i| left[i].abs());
        Self { basis, width: n, least: least.fold(smallest, f64::min) }
    }

    /// An estimate of the condition number of the matrix in the units of its rows.
    pub(crate) fn condition(&self) -> f64 {
        1.0 / self.least.max(f64::EPSILON)
    }

    /// The same space with each entry multiplied by its own positive factor, orthonormal again.
    pub(crate) fn stretched(&self, factors: &[f64]) -> Self {
        let mut basis: Vec<f64> = Vec::with_capacity(self.basis.len());
        for vector in self.vectors() {
            let stretched: Vec<f64> = vector.iter().zip(factors).map(|(v, factor)| v * factor).collect();
            append(&mut basis, stretched);
        }
        Self { basis, width: self.width, least: self.least }
    }

    /// Whether only zero is in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.basis.is_empty()
    }

    fn vectors(&self) -> impl Iterator<Item = &[f64]> {
        self.basis.chunks_exact(self.width.max(1))
    }

    /// `x ← (I − P) x` with `P` the projector on the space.
    pub(crate) fn remove(&self, x: &mut [f64]) {
        for v in self.vectors() {
            let share = dot(v, x);
            axpy(-share, v, x);
        }
    }

    /// The point nearest to zero of `start` plus the space, for `start` orthogonal to it (or nearest to the
    /// component of `start` within it), among those within `bounds`: `g = start + P λ`, where `λ` pushes only at
    /// the bounds.
    pub(crate) fn nearest(
        &self,
        start: &[f64],
        bounds: &[(f64, f64)],
        pivoting: &mut Pivoting,
    ) -> Result<Vec<f64>, Error> {
        // One row for each finite bound: (row, sign, bound) demands sign (g − bound) ≥ 0.
        let mut demands = Vec::new();
        for (k, &(lo, hi)) in bounds.iter().enumerate() {
            if lo.is_finite() {
                demands.push((k, 1.0, lo));
            }
            if hi.is_finite() {
                demands.push((k, -1.0, hi));
            }
        }
        let d = demands.len();
        let mut matrix = vec![0.0; d * d];
        for (r, &(k, s, _)) in demands.iter().enumerate() {
            for (c, &(l, t, _)) in demands.iter().enumerate().take(r + 1) {
                let sum: f64 = self.vectors().map(|v| v[k] * v[l]).sum();
                matrix[r * d + c] = s * t * sum;
                matrix[c * d + r] = s * t * sum;
            }
        }
        let bias: Vec<f64> = demands.iter().map(|&(k, s, bound)| s * (start[k] - bound)).collect();
        let rows = vec![Row::Unilateral; d];
        pivoting.load(&rows, &[]);
        let limits =
            Limits { pivot: ATTEMPTS[1].0, flat: ATTEMPTS[1].1, tolerance: SOLVED, reach: f64::INFINITY };
        pivoting.solve(Dense { a: &matrix, b: &bias }, None, limits, &mut Run::default())?;
        let mut g = start.to_vec();
        for v in self.vectors() {
            let share: f64 =
                demands.iter().zip(&pivoting.f).map(|(&(k, s, _), lambda)| v[k] * s * lambda).sum();
            axpy(share, v, &mut g);
        }
        Ok(g)
    }
}

/// Appends the direction of `v` that is orthogonal to an orthonormal basis, if there is one.
fn append(basis: &mut Vec<f64>, mut v: Vec<f64>) {
    // Gram–Schmidt twice is orthogonal to rounding.
    for _ in 0..2 {
        for known in basis.chunks_exact(v.len().max(1)) {
            let share = dot(known, &v);
            axpy(-share, known, &mut v);
        }
    }
    let norm = dot(&v, &v).sqrt();
    if norm > 0.0 {
        basis.extend(v.iter().map(|x| x / norm));
    }
}
