//! The null space of a selection of `A`, and the point of it, shifted, that is nearest to zero within bounds.
//!
//! Two questions come down to this: which of many solutions has the least norm, and whether there is a direction
//! that proves a problem infeasible.

use crate::pivoting::{Dense, Limits, Pivoting};
use crate::tolerance::{ATTEMPTS, RAY_RANK, SOLVED};
use crate::ray::bound_within;
use crate::{Error, Lcp, Row, Run};
use engine2d_math::eigen::symmetric;
use engine2d_math::kernel::{axpy, dot};

/// An orthonormal basis by rows, each of `width` entries.
pub(crate) struct NullSpace {
    basis: Vec<f64>,
    width: usize,
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
            let mut v: Vec<f64> = (0..m).map(|i| eigen.vectors[k * m + i] * scale[i] * roots[i]).collect();
            // Gram–Schmidt twice is orthogonal to rounding.
            for _ in 0..2 {
                for known in basis.chunks_exact(m) {
                    let share = dot(known, &v);
                    axpy(-share, known, &mut v);
                }
            }
            let norm = dot(&v, &v).sqrt();
            if norm > 0.0 {
                basis.extend(v.iter().map(|x| x / norm));
            }
        }
        Self { basis, width: m }
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
        let limits = Limits { pivot: ATTEMPTS[1].0, flat: ATTEMPTS[1].1, tolerance: SOLVED };
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

/// Looks for a ray where pivoting has found neither a solution nor one: the direction of the null space, within
/// the signs allowed, that is nearest to `−b`. It is zero if and only if there is no ray.
pub(crate) fn find_ray(
    problem: &Lcp<'_>,
    dense: &[f64],
    tolerance: f64,
    pivoting: &mut Pivoting,
) -> Option<Vec<f64>> {
    let n = problem.len();
    let rows: Vec<usize> = (0..n).collect();
    let space = NullSpace::of(dense, n, &rows, &vec![1.0; n], RAY_RANK);
    if space.is_empty() {
        return None;
    }
    let mut outside = problem.bias().to_vec();
    space.remove(&mut outside);
    let unit = problem.bias().iter().fold(f64::MIN_POSITIVE, |m, b| m.max(b.abs()));
    let mut start: Vec<f64> = problem.bias().iter().zip(&outside).map(|(b, o)| (o - b) / unit).collect();
    let largest = start.iter().fold(f64::MIN_POSITIVE, |m, s| m.max(s.abs()));
    start.iter_mut().for_each(|s| *s /= largest);
    let bounds: Vec<(f64, f64)> = problem
        .kinds()
        .iter()
        .map(|kind| {
            let (lo, hi) = kind.bounds(0.0);
            let open = |bound: f64| if bound.is_finite() { 0.0 } else { bound };
            (open(lo), open(hi))
        })
        .collect();
    let mut v = space.nearest(&start, &bounds, pivoting).ok()?;
    for (v, (lo, hi)) in v.iter_mut().zip(&bounds) {
        *v = v.clamp(*lo, *hi);
    }
    (bound_within(problem, &v, tolerance)? > tolerance).then_some(v)
}
