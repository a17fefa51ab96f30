//! How well an answer satisfies a problem, computed from the inputs alone.

use crate::problem::Matrix;
use crate::tolerance::ROUNDING_FLOOR;
use crate::{Lcp, Row};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The largest scaled violation of the conditions. With `bs = max(1, max|b|)` and `fs = max(1, max|f|)`:
/// bilateral `|a|/bs`; unilateral `−a/bs`, `−f/fs`, `|f a|/(bs fs)`; boxed and friction
/// `|f − clip(f − a fs/bs, lo, hi)|/fs`, a friction row's bounds taken from the answer's own normal force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// The largest scaled violation.
    pub residual: f64,
    /// The same without violations of rows where rounding alone explains them: those with an absolute violation
    /// of at most `1e-13 (|b_i| + Σ_j |A_ij f_j|)`. Differs from `residual` only on badly scaled problems.
    pub excess: f64,
    /// Row with the largest violation.
    pub row: usize,
    /// `bs`.
    pub bias_scale: f64,
    /// `fs`.
    pub force_scale: f64,
}

impl Certificate {
    /// Whether the answer solves the problem to `tolerance`, rounding aside.
    #[must_use]
    pub fn holds(&self, tolerance: f64) -> bool {
        self.excess <= tolerance
    }

    /// Certificate of the forces `f`, with `a = A f + b` computed anew into `a`. The rounding floor is worked
    /// out only if the plain residual misses `tolerance`.
    #[must_use]
    pub fn compute(problem: &Lcp<'_>, f: &[f64], tolerance: f64, a: &mut [f64]) -> Self {
        Self::compute_with(problem, f, tolerance, a, &mut Vec::new())
    }

    /// As [`Certificate::compute`] with scratch.
    pub(crate) fn compute_with(
        problem: &Lcp<'_>,
        f: &[f64],
        tolerance: f64,
        a: &mut [f64],
        motion: &mut Vec<f64>,
    ) -> Self {
        problem.accelerations_with(f, a, motion);
        Self::of_accelerations(problem, f, a, tolerance)
    }

    /// As [`Certificate::compute`] for accelerations just computed from the same problem and forces.
    #[inline]
    pub(crate) fn of_accelerations(problem: &Lcp<'_>, f: &[f64], a: &[f64], tolerance: f64) -> Self {
        let bias_scale = largest(problem.bias());
        let force_scale = largest(f);
        let mut certificate = Self { residual: 0.0, excess: 0.0, row: 0, bias_scale, force_scale };
        // Small problems feel each division.
        let (per_bias, per_force) = (1.0 / bias_scale, 1.0 / force_scale);
        for (row, (kind, (&f_i, &a_i))) in problem.kinds().iter().zip(f.iter().zip(a)).enumerate() {
            let violation = match kind {
                Row::Bilateral => a_i.abs() * per_bias,
                Row::Unilateral => {
                    let product = (f_i * a_i).abs() * per_bias * per_force;
                    (-a_i * per_bias).max(-f_i * per_force).max(product)
                }
                _ => scaled_violation(*kind, f, f_i, a_i, bias_scale, force_scale),
            };
            if !(violation <= certificate.residual) {
                certificate.residual = violation;
                certificate.row = row;
            }
        }
        certificate.excess = certificate.residual;
        if !(certificate.residual <= tolerance) {
            certificate.excess = excess(problem, f, a, bias_scale, force_scale);
        }
        certificate
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3e} (row {})", self.residual, self.row)
    }
}

/// `max(1, max|v|)`.
fn largest(values: &[f64]) -> f64 {
    values.iter().fold(1.0, |m, v| if v.abs() > m { v.abs() } else { m })
}

/// The scaled violation of one row; `NaN` in, `NaN` out, which no comparison accepts.
#[inline(always)]
fn scaled_violation(kind: Row, f: &[f64], f_i: f64, a_i: f64, bs: f64, fs: f64) -> f64 {
    match kind {
        Row::Bilateral => a_i.abs() / bs,
        Row::Unilateral => (-a_i / bs).max(-f_i / fs).max((f_i * a_i).abs() / (bs * fs)),
        Row::Boxed { lo, hi } => (f_i - (f_i - a_i * fs / bs).clamp(lo, hi)).abs() / fs,
        Row::Friction { normal, .. } => {
            let (lo, hi) = kind.bounds(f[normal]);
            (f_i - (f_i - a_i * fs / bs).clamp(lo, hi)).abs() / fs
        }
    }
}

/// The largest violation among rows where rounding does not explain it.
fn excess(problem: &Lcp<'_>, f: &[f64], a: &[f64], bs: f64, fs: f64) -> f64 {
    let mut sums = vec![0.0; f.len()];
    absolute_product(problem.matrix(), f, &mut sums);
    let mut worst = 0.0;
    for (i, kind) in problem.kinds().iter().enumerate() {
        let floor = ROUNDING_FLOOR * (problem.bias()[i].abs() + sums[i]);
        let rounded = |a: f64| if a.abs() <= floor { 0.0 } else { a };
        let violation = match kind {
            // The floor applies to the acceleration, never to the sign of the force.
            Row::Unilateral => {
                let product = (f[i] * a[i]).abs();
                let product = if product <= floor * fs { 0.0 } else { product / (bs * fs) };
                (-rounded(a[i]) / bs).max(-f[i] / fs).max(product)
            }
            _ => scaled_violation(*kind, f, f[i], rounded(a[i]), bs, fs),
        };
        if !(violation <= worst) {
            worst = violation;
        }
    }
    worst
}

/// `s_i = Σ_j |A_ij f_j|`.
fn absolute_product(matrix: &Matrix<'_>, f: &[f64], sums: &mut [f64]) {
    match matrix {
        Matrix::Dense(a) => {
            let n = f.len();
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum = a[i * n..(i + 1) * n].iter().zip(f).map(|(a, f)| (a * f).abs()).sum();
            }
        }
        Matrix::Sparse(a) => {
            for (i, sum) in sums.iter_mut().enumerate() {
                let (columns, values) = a.row(i);
                *sum = columns.iter().zip(values).map(|(&j, v)| (v * f[j]).abs()).sum();
            }
        }
        Matrix::Jacobian { jacobian, inverse_mass } => {
            // Entries of A are sums over the columns of J: the bound Σ_j Σ_c |J_ic m_c J_jc f_j| is not smaller
            // than Σ_j |A_ij f_j|, so form the entries themselves through the columns each row shares.
            let columns = Transposed::of(jacobian, inverse_mass.len());
            let mut entries = vec![0.0; f.len()];
            let mut touched = Vec::new();
            for (i, sum) in sums.iter_mut().enumerate() {
                let (row, values) = jacobian.row(i);
                for (&c, v) in row.iter().zip(values) {
                    for &(j, w) in columns.column(c) {
                        if entries[j] == 0.0 {
                            touched.push(j);
                        }
                        entries[j] += v * inverse_mass[c] * w;
                    }
                }
                *sum = 0.0;
                for j in touched.drain(..) {
                    *sum += (entries[j] * f[j]).abs();
                    entries[j] = 0.0;
                }
            }
        }
    }
}

/// Columns of a sparse matrix.
struct Transposed {
    start: Vec<usize>,
    entries: Vec<(usize, f64)>,
}

impl Transposed {
    fn of(rows: &crate::SparseRows, columns: usize) -> Self {
        let mut start = vec![0; columns + 1];
        rows.column.iter().for_each(|&c| start[c + 1] += 1);
        for c in 0..columns {
            start[c + 1] += start[c];
        }
        let mut next = start.clone();
        let mut entries = vec![(0, 0.0); rows.column.len()];
        for i in 0..rows.rows() {
            let (row, values) = rows.row(i);
            for (&c, &v) in row.iter().zip(values) {
                entries[next[c]] = (i, v);
                next[c] += 1;
            }
        }
        Self { start, entries }
    }

    fn column(&self, c: usize) -> &[(usize, f64)] {
        &self.entries[self.start[c]..self.start[c + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_violation_is_seen() {
        let one = |row: Row, f: f64, b: f64| {
            let problem = Lcp::dense([[1.0]], [b]).unwrap().rows(vec![row]).unwrap();
            Certificate::compute(&problem, &[f], 1e-8, &mut [0.0]).residual
        };
        assert_eq!(one(Row::Unilateral, 2.0, -2.0), 0.0);
        assert_eq!(one(Row::Unilateral, 0.0, -2.0), 1.0);
        assert_eq!(one(Row::Unilateral, -0.5, 2.0), 0.5);
        assert_eq!(one(Row::Unilateral, 1.0, 0.0), 1.0);
        assert_eq!(one(Row::Bilateral, 1.0, 0.0), 1.0);
        assert_eq!(one(Row::Boxed { lo: -1.0, hi: 1.0 }, 1.0, -3.0), 0.0);
        assert_eq!(one(Row::Boxed { lo: -1.0, hi: 1.0 }, 2.0, -3.0), 0.5);
        assert!(one(Row::Unilateral, f64::NAN, -2.0).is_nan() || one(Row::Unilateral, f64::NAN, -2.0) > 1e-8);
    }
}
