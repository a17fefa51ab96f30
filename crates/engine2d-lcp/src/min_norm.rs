//! The least-norm forces among all solutions.
//!
//! **Problem.** The accelerations `a` of a frictionless problem are unique, the forces are not: with `K` the rows
//! where `a = 0`, every `f + N z` within the bounds is a solution, `N` a basis of the null space of `A_KK`. Find the
//! one with least `Σ w_i f_i²`. **Method.** Let `P` project on that null space. The optimality conditions are
//! themselves a complementarity problem with the semidefinite matrix `P`: `f = P λ + (I − P) f₀` with `f ≥ 0`,
//! `λ ≥ 0`, `λᵀf = 0`. The pivoting solver answers it. **Promise.** Unique, independent of the order of rows; the
//! limit of equal contact stiffness. **Failure.** The rank of `A_KK` is a decision: eigenvalues of the scaled
//! matrix below [`RANK`] count as zero; what lies close to it makes forces uncertain, whoever computes them.

use crate::null_space::NullSpace;
use crate::pivoting::Pivoting;
use crate::tolerance::{MIN_NORM_FREE, RANK};
use crate::{Certificate, Error, Lcp, Row, Solution, Status};

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
    let space = NullSpace::of(dense, n, &free, &roots, RANK);
    if space.is_empty() {
        return Ok(());
    }
    // g = √w f; start = (I − P) g.
    let mut start: Vec<f64> = free.iter().zip(&roots).map(|(&i, r)| r * solution.f[i]).collect();
    space.remove(&mut start);
    let bounds: Vec<(f64, f64)> = free
        .iter()
        .zip(&roots)
        .map(|(&i, root)| {
            let (lo, hi) = problem.kinds()[i].bounds(0.0);
            (lo * root, hi * root)
        })
        .collect();
    let forces = space.nearest(&start, &bounds, pivoting)?;
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
