//! Proofs that a problem has no solution, checked from the inputs alone.

use crate::tolerance::RAY_RESIDUAL;
use crate::{Lcp, Matrix};

/// The bound `−bᵀv / (bs ‖v‖₁)` that `v` puts under the scaled residual of every `f`, if `v` is a ray: zero on
/// rows bounded on both sides, not pointing out of a one-sided bound, `‖A v‖∞ ≤ 1e-12 max|A| ‖v‖₁`. `None` if it
/// is not, or if the problem has friction rows, for which a ray proves nothing.
///
/// For any `f` within its bounds, `vᵀa = vᵀA f + vᵀb ≈ bᵀv < 0` while every acceptable `a` has `vᵀa ≥ 0`: the
/// violations, weighted with `|v|`, must add up to `−bᵀv`.
#[must_use]
pub fn infeasibility_bound(problem: &Lcp<'_>, v: &[f64]) -> Option<f64> {
    if v.len() != problem.len() || problem.has_friction() {
        return None;
    }
    let allowed = problem.kinds().iter().zip(v).all(|(kind, &v)| {
        let (lo, hi) = kind.bounds(0.0);
        v == 0.0 || if v > 0.0 { hi == f64::INFINITY } else { lo == f64::NEG_INFINITY }
    });
    let norm: f64 = v.iter().map(|v| v.abs()).sum();
    if !(allowed && norm > 0.0 && norm.is_finite()) {
        return None;
    }
    let mut image = vec![0.0; v.len()];
    problem.matrix().product(v, &mut image);
    let largest = largest_entry(problem.matrix(), problem.len());
    if image.iter().any(|a| !(a.abs() <= RAY_RESIDUAL * largest * norm)) {
        return None;
    }
    let slope: f64 = v.iter().zip(problem.bias()).map(|(v, b)| v * b).sum();
    let scale = problem.bias().iter().fold(1.0_f64, |m, b| m.max(b.abs()));
    Some(-slope / (scale * norm))
}

/// `max |A_ij|`; in a semidefinite matrix it stands on the diagonal.
fn largest_entry(matrix: &Matrix<'_>, n: usize) -> f64 {
    match matrix {
        Matrix::Dense(a) => a.iter().fold(0.0_f64, |m, a| m.max(a.abs())),
        Matrix::Sparse(a) => a.value.iter().fold(0.0_f64, |m, a| m.max(a.abs())),
        Matrix::Jacobian { jacobian, inverse_mass } => (0..n).fold(0.0_f64, |m, i| {
            let (columns, values) = jacobian.row(i);
            m.max(columns.iter().zip(values).map(|(&c, v)| v * v * inverse_mass[c]).sum())
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Solver, Status};

    #[test]
    fn opposed_contacts_squeezed_together_have_a_ray() {
        let problem = Lcp::dense([[1.0, -1.0], [-1.0, 1.0]], [-1.0, -1.0]).unwrap();
        let solution = Solver::auto().solve(&problem).unwrap();
        assert_eq!(solution.status, Status::Infeasible);
        assert_eq!(infeasibility_bound(&problem, &solution.ray), Some(1.0));
        assert_eq!(infeasibility_bound(&problem, &[1.0, 0.0]), None);
        assert_eq!(infeasibility_bound(&problem, &[-1.0, -1.0]), None);
    }
}
