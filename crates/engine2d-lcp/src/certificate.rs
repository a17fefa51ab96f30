//! How well an answer satisfies a problem, computed from the inputs alone.

use crate::problem::{Matrix, SparseRows};
use crate::scale::Scales;
use crate::tolerance::{ROUNDED, ROUNDING};
use crate::{Lcp, Row};
use engine2d_math::kernel::larger;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The largest scaled violation of the conditions, computed from the inputs and the forces alone.
///
/// `residual` measures by the whole problem. With `bs = max(1, max|b|)` and `fs = max(1, max|f|)`:
/// bilateral `|a|/bs`; unilateral `−a/bs`, `−f/fs`, `|f a|/(bs fs)`; boxed and friction
/// `|f − clip(f − a fs/bs, lo, hi)|/fs`, a friction row's bounds taken from the answer's own normal force.
///
/// `excess` decides. It measures each row in its own unit and island: by `bs_i = √A_ii max_j |b_j|/√A_jj` over the rows of the
/// island, within `1..bs`, in place of `bs`, and by `fs_i = max_j |f_j| √A_jj / √A_ii`, within `1..fs`, in place of `fs`: rows of a
/// larger unit and other islands hide nothing. What rounding explains, an acceleration of at most
/// `1e-13 s_i` with `s_i = |b_i| + Σ_j |A_ij f_j|` (the componentwise backward error [Oettli, Prager 1964]), is left out, but no
/// more than a hundred tolerances of the island's largest bias.
///
/// Whatever is not finite has an infinite certificate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// The largest violation in the scale of the whole problem.
    pub residual: f64,
    /// The largest violation of a row in its own scale that rounding does not explain: what [`Certificate::holds`] judges.
    pub excess: f64,
    /// As `excess` without a limit to what rounding may explain: where this alone is within the tolerance, rounding decides,
    /// and the answer is [`Status::IllConditioned`](crate::Status::IllConditioned).
    pub unexplained: f64,
    /// How much errors of the data are enlarged, where that matters; 0 elsewhere. At least how many times larger than the scale
    /// of its row the terms are that cancel in its acceleration, `max s_i/bs_i` [Skeel 1979]; of a problem that ends undecided,
    /// an estimate of the condition number of its matrix in the units of its rows.
    pub condition: f64,
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

    /// Certificate of the forces `f`, with `a = A f + b` computed anew into `a`. The scales of single rows are worked
    /// out only where the plain violation leaves doubt whether `tolerance` is met.
    ///
    /// # Panics
    /// If `f` or `a` is shorter than the problem.
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
        Self::of_accelerations_with(problem, f, a, tolerance, &mut Scales::default())
    }

    /// As [`Certificate::of_accelerations`] with scratch.
    #[inline]
    pub(crate) fn of_accelerations_with(
        problem: &Lcp<'_>,
        f: &[f64],
        a: &[f64],
        tolerance: f64,
        scales: &mut Scales,
    ) -> Self {
        let bias_scale = largest(problem.bias());
        let force_scale = largest(f);
        let mut certificate = Self { bias_scale, force_scale, ..Self::default() };
        // Small problems feel each division.
        let (per_bias, per_force) = (1.0 / bias_scale, 1.0 / force_scale);
        // What is not finite poisons the sum.
        let mut poison = 0.0;
        for (row, (kind, (&f_i, &a_i))) in problem.kinds().iter().zip(f.iter().zip(a)).enumerate() {
            poison += f_i + a_i;
            let violation = match kind {
                Row::Bilateral => a_i.abs() * per_bias,
                Row::Unilateral => {
                    let product = (f_i * per_force).abs() * (a_i * per_bias).abs();
                    larger(larger(-a_i * per_bias, -f_i * per_force), product)
                }
                _ => boxed_violation(*kind, f, f_i, a_i, bias_scale, force_scale),
            };
            if violation > certificate.residual {
                certificate.residual = violation;
                certificate.row = row;
            }
        }
        certificate.excess = certificate.residual;
        certificate.unexplained = certificate.residual;
        if !(poison.is_finite() && certificate.residual < f64::INFINITY)
            && (f.iter().chain(a).any(|v| !v.is_finite()) || certificate.residual == f64::INFINITY)
        {
            certificate.forbid(f, a);
        } else if tolerance < f64::INFINITY
            && !(certificate.residual * bias_scale * force_scale <= tolerance)
            && largest_raw(problem, f, a) > tolerance
        {
            certificate.judge_rows(problem, f, a, tolerance, scales);
        }
        certificate
    }

    /// What is not finite has no certificate.
    fn forbid(&mut self, f: &[f64], a: &[f64]) {
        let finite = |(f, a): (&f64, &f64)| f.is_finite() && a.is_finite();
        self.row = f.iter().zip(a).position(|row| !finite(row)).unwrap_or(self.row);
        (self.residual, self.excess, self.unexplained) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    }

    /// The violations of rows in their own scales, without what rounding explains.
    fn judge_rows(&mut self, problem: &Lcp<'_>, f: &[f64], a: &[f64], tolerance: f64, scales: &mut Scales) {
        let sums = Sums::of(problem.matrix(), f);
        (self.excess, self.unexplained) = (0.0, 0.0);
        scales.find(problem.matrix(), problem.kinds(), problem.bias());
        scales.find_forces(f);
        for i in 0..f.len() {
            let row_scales = (scales.bias[i], scales.force[i], scales.island[i]);
            self.judge_row(problem, (f, a), i, row_scales, sums.row(i), tolerance);
        }
    }

    /// The violations of one row with the given scales of its bias, its force and its island, and the sum of the sizes of its
    /// terms.
    fn judge_row(
        &mut self,
        problem: &Lcp<'_>,
        (f, a): (&[f64], &[f64]),
        i: usize,
        (row_bs, row_fs, island_bs): (f64, f64, f64),
        sum: f64,
        tolerance: f64,
    ) {
        let kind = &problem.kinds()[i];
        let size = problem.bias()[i].abs() + sum;
        self.condition = self.condition.max(size / row_bs);
        let floor = ROUNDING * size;
        let violation = |a: f64| match kind {
            Row::Bilateral => a.abs() / row_bs,
            // Rounding excuses an acceleration, never the sign of a force.
            Row::Unilateral => {
                let product = (f[i] / row_fs).abs() * (a / row_bs).abs();
                (-a / row_bs).max(-f[i] / row_fs).max(product)
            }
            _ => boxed_violation(*kind, f, f[i], a, row_bs, row_fs),
        };
        let rounded = |floor: f64| if a[i].abs() <= floor { 0.0 } else { a[i] };
        let capped = violation(rounded(floor.min(ROUNDED * tolerance * island_bs)));
        if capped > self.excess {
            (self.excess, self.row) = (capped, i);
        }
        self.unexplained = self.unexplained.max(violation(rounded(floor)));
    }
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3e} (row {})", self.residual, self.row)
    }
}

/// `max(1, max|v|)`.
pub(crate) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(1.0, |m, v| if v.abs() > m { v.abs() } else { m })
}

/// The scaled violation of a row with bounds; infinite where the bounds are not numbers.
#[inline(always)]
fn boxed_violation(kind: Row, f: &[f64], f_i: f64, a_i: f64, bs: f64, fs: f64) -> f64 {
    let normal = kind.normal().map_or(0.0, |normal| f[normal]);
    let (lo, hi) = kind.bounds(normal);
    if !(lo <= hi) {
        return f64::INFINITY;
    }
    let wish = f_i - a_i * (fs / bs);
    let violation = (f_i - wish.clamp(lo, hi)).abs() / fs;
    if violation.is_nan() { f64::INFINITY } else { violation }
}

/// A bound on the violation of any row, whatever its scales of at least 1 are.
fn largest_raw(problem: &Lcp<'_>, f: &[f64], a: &[f64]) -> f64 {
    let rows = problem.kinds().iter().zip(f.iter().zip(a));
    rows.fold(0.0, |largest: f64, (kind, (&f_i, &a_i))| {
        largest.max(match kind {
            Row::Bilateral => a_i.abs(),
            Row::Unilateral => (-a_i).max(-f_i).max(a_i.abs() * f_i.abs().min(1.0)),
            _ => raw_violation(*kind, f, f_i, a_i),
        })
    })
}

/// As [`largest_raw`] of a row with bounds.
fn raw_violation(kind: Row, f: &[f64], f_i: f64, a_i: f64) -> f64 {
    let normal = kind.normal().map_or(0.0, |normal| f[normal]);
    let (lo, hi) = kind.bounds(normal);
    let outside = (lo - f_i).max(f_i - hi).max(0.0);
    let room = if a_i > 0.0 { f_i - lo } else { hi - f_i };
    outside + a_i.abs().min(room.abs())
}

/// The sums `Σ_j |A_ij f_j|`, row by row.
struct Sums<'p> {
    matrix: &'p Matrix<'p>,
    f: &'p [f64],
    /// The sums of a matrix whose rows are not at hand.
    formed: Vec<f64>,
}

impl<'p> Sums<'p> {
    fn of(matrix: &'p Matrix<'p>, f: &'p [f64]) -> Self {
        let mut formed = Vec::new();
        if let Matrix::Jacobian { jacobian, inverse_mass, compliance } = matrix {
            formed.resize(f.len(), 0.0);
            absolute_product(jacobian, inverse_mass, f, &mut formed);
            for (sum, (c, f)) in formed.iter_mut().zip(compliance.iter().zip(f)) {
                *sum += (c * f).abs();
            }
        }
        Self { matrix, f, formed }
    }

    fn row(&self, i: usize) -> f64 {
        let (n, f) = (self.f.len(), self.f);
        match self.matrix {
            Matrix::Dense(a) => a[i * n..(i + 1) * n].iter().zip(f).map(|(a, f)| (a * f).abs()).sum(),
            Matrix::Sparse(a) => {
                let (columns, values) = a.row(i);
                columns.iter().zip(values).map(|(&j, v)| (v * f[j]).abs()).sum()
            }
            Matrix::Jacobian { .. } => self.formed[i],
        }
    }
}

/// `s_i = Σ_j |A_ij f_j|` of a matrix given by its Jacobian: the entries are formed through the columns each row shares, as
/// the sum over those columns would be too large.
fn absolute_product(jacobian: &SparseRows, inverse_mass: &[f64], f: &[f64], sums: &mut [f64]) {
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

/// Columns of a sparse matrix.
struct Transposed {
    start: Vec<usize>,
    entries: Vec<(usize, f64)>,
}

impl Transposed {
    fn of(rows: &SparseRows, columns: usize) -> Self {
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
