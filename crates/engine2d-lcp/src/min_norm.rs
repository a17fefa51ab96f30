//! The least-norm forces among all solutions.
//!
//! **Problem.** The accelerations `a` of a frictionless problem are unique, the forces are not: with `K` the rows
//! where `a = 0`, every `f + N z` within the bounds is a solution, `N` a basis of the null space of `A_KK`. Find the
//! one with least `Σ w_i f_i²`. **Method.** Let `P` project on that null space. The optimality conditions are
//! themselves a complementarity problem with the semidefinite matrix `P`: `f = P λ + (I − P) f₀` with `f ≥ 0`,
//! `λ ≥ 0`, `λᵀf = 0`. The pivoting solver answers it. **Promise.** Unique, independent of the order of rows; the
//! limit of equal contact stiffness. **Failure.** The rank of `A_KK` is a decision: eigenvalues of the scaled
//! matrix below [`RANK`] count as zero; what lies close to it makes forces uncertain, whoever computes them.

use crate::pivoting::{Dense, Pivoting};
use crate::tolerance::{ATTEMPTS, MIN_NORM_FREE, RANK};
use crate::{Certificate, Error, Lcp, Row, Run, Solution, Status};
use engine2d_math::eigen::symmetric;
use engine2d_math::kernel::{axpy, dot};

/// Replaces the forces of a solved problem by the least-norm ones, with the given positive weights (1 if none).
pub(crate) fn select(
    problem: &Lcp<'_>,
    dense: &[f64],
    weights: Option<&[f64]>,
    tolerance: f64,
    pivoting: &mut Pivoting,
    solution: &mut Solution,
) -> Result<(), Error> {
    let n = problem.len();
    let scale = solution.certificate.bias_scale;
    let free: Vec<usize> = (0..n)
        .filter(|&i| problem.kinds()[i] == Row::Bilateral || solution.a[i].abs() <= MIN_NORM_FREE * scale)
        .filter(|&i| {
            let (lo, hi) = problem.kinds()[i].bounds(0.0);
            lo < hi
        })
        .collect();
    let roots: Vec<f64> = free.iter().map(|&i| weights.map_or(1.0, |w| w[i]).sqrt()).collect();
    let basis = null_basis(dense, n, &free, &roots);
    let m = free.len();
    if basis.is_empty() {
        return Ok(());
    }
    // g = √w f; start = (I − P) g.
    let mut start: Vec<f64> = free.iter().zip(&roots).map(|(&i, r)| r * solution.f[i]).collect();
    for v in basis.chunks_exact(m) {
        let share = dot(v, &start);
        axpy(-share, v, &mut start);
    }
    let forces = project(problem, &free, &roots, &basis, &start, pivoting)?;
    let mut f = solution.f.clone();
    for ((&i, g), root) in free.iter().zip(&forces).zip(&roots) {
        let (lo, hi) = problem.kinds()[i].bounds(0.0);
        f[i] = (g / root).clamp(lo, hi);
    }
    let mut a = solution.a.clone();
    let certificate = Certificate::compute(problem, &f, tolerance, &mut a);
    if certificate.holds(tolerance) {
        (solution.f, solution.a, solution.certificate) = (f, a, certificate);
    } else {
        solution.status = Status::ToleranceMissed;
    }
    Ok(())
}

/// Orthonormal basis, by rows, of `√W` times the null space of `A_KK`.
fn null_basis(dense: &[f64], n: usize, free: &[usize], roots: &[f64]) -> Vec<f64> {
    let m = free.len();
    let scale: Vec<f64> = free
        .iter()
        .map(|&i| if dense[i * n + i] > 0.0 { 1.0 / dense[i * n + i].sqrt() } else { 1.0 })
        .collect();
    let mut scaled = vec![0.0; m * m];
    for (k, &i) in free.iter().enumerate() {
        for (l, &j) in free.iter().enumerate() {
            scaled[k * m + l] = dense[i * n + j] * scale[k] * scale[l];
        }
    }
    let eigen = symmetric(&scaled, m);
    let largest = eigen.values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let mut basis: Vec<f64> = Vec::new();
    for (k, value) in eigen.values.iter().enumerate() {
        if value.abs() > RANK * largest {
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
    basis
}

/// Solves `g = P λ + start` with `g` within the scaled bounds and `λ` pushing only at them.
fn project(
    problem: &Lcp<'_>,
    free: &[usize],
    roots: &[f64],
    basis: &[f64],
    start: &[f64],
    pivoting: &mut Pivoting,
) -> Result<Vec<f64>, Error> {
    let m = free.len();
    // One row for each finite bound: (row, sign, bound) demands sign (g − bound) ≥ 0.
    let mut demands = Vec::new();
    for (k, &i) in free.iter().enumerate() {
        let (lo, hi) = problem.kinds()[i].bounds(0.0);
        if lo.is_finite() {
            demands.push((k, 1.0, lo * roots[k]));
        }
        if hi.is_finite() {
            demands.push((k, -1.0, hi * roots[k]));
        }
    }
    let d = demands.len();
    let mut matrix = vec![0.0; d * d];
    for (r, &(k, s, _)) in demands.iter().enumerate() {
        for (c, &(l, t, _)) in demands.iter().enumerate().take(r + 1) {
            let sum: f64 = basis.chunks_exact(m).map(|v| v[k] * v[l]).sum();
            matrix[r * d + c] = s * t * sum;
            matrix[c * d + r] = s * t * sum;
        }
    }
    let bias: Vec<f64> = demands.iter().map(|&(k, s, bound)| s * (start[k] - bound)).collect();
    let rows = vec![Row::Unilateral; d];
    pivoting.load(&rows, &[]);
    pivoting.solve(Dense { a: &matrix, b: &bias }, None, ATTEMPTS[1], &mut Run::default())?;
    let mut g = start.to_vec();
    for v in basis.chunks_exact(m) {
        let share: f64 = demands.iter().zip(&pivoting.f).map(|(&(k, s, _), lambda)| v[k] * s * lambda).sum();
        axpy(share, v, &mut g);
    }
    Ok(g)
}
