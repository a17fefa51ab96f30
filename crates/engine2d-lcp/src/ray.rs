//! Proofs that a problem has no solution, checked from the inputs alone.

use crate::double::{Double, product};
use crate::scale::Scales;
use crate::tolerance::{RAY_REACH, RAY_RESIDUAL, SOLVED};
use crate::{Lcp, Row};

/// The bound that `v` puts under the scaled residual of every `f`, if `v` is a ray: zero on rows bounded on both sides, not
/// pointing out of a one-sided bound, and `A v = 0` in each row up to the rounding of its own terms. `None` if it is not, if it
/// proves nothing, or if the problem has friction rows, for which a ray proves nothing.
///
/// For any `f` within its bounds `vᵀa = (A v)ᵀf + bᵀv`, while every acceptable `a` has `vᵀa ≥ 0`: the violations, weighted with
/// `|v|`, must add up to `−bᵀv − |A v|ᵀ|f|`. With the scales `bs_i` of the rows (see [`crate::Certificate`]) the bound is
/// `(−bᵀv − Σ |A v|_i F_i) / Σ bs_i |v_i|`, where `F_i` are forces so large that rounding moves their own accelerations `A_ii F_i`
/// by twice the default tolerance: it holds for every `f` that could be certified at all. `A v` and `bᵀv` are computed with
/// twice the digits.
#[must_use]
pub fn infeasibility_bound(problem: &Lcp<'_>, v: &[f64]) -> Option<f64> {
    bound_within(problem, v, SOLVED)
}

/// As [`infeasibility_bound`] for another tolerance.
pub(crate) fn bound_within(problem: &Lcp<'_>, v: &[f64], tolerance: f64) -> Option<f64> {
    let n = problem.len();
    if v.len() != n || problem.has_friction() {
        return None;
    }
    let norm: f64 = v.iter().map(|v| v.abs()).sum();
    if !(norm > 0.0 && norm.is_finite() && problem.kinds().iter().zip(v).all(|(kind, &v)| allowed(*kind, v))) {
        return None;
    }
    let scales = Scales::of(problem).bias;
    let weight: f64 = v.iter().zip(&scales).map(|(v, scale)| v.abs() * scale).sum();
    let mut image = vec![(Double::default(), 0.0); n];
    product(problem.matrix(), v, &mut image);
    let mut diagonal = vec![0.0; n];
    problem.matrix().diagonal(&mut diagonal);
    let mut rest = 0.0;
    for (i, (exact, terms)) in image.iter().enumerate() {
        let left = exact.value().abs();
        if !(left <= RAY_RESIDUAL * terms) {
            return None;
        }
        if left > 0.0 && diagonal[i] > 0.0 {
            let (lo, hi) = problem.kinds()[i].bounds(0.0);
            let force = RAY_REACH * tolerance * scales[i] / (f64::EPSILON * diagonal[i]);
            rest += left * force.min(lo.abs().max(hi.abs()));
        }
    }
    let slope = v.iter().zip(problem.bias()).fold(Double::default(), |sum, (v, b)| sum.add_product(*v, *b));
    let bound = (-slope.value() - rest) / weight;
    (bound > 0.0).then_some(bound)
}

/// Whether a ray may have such an entry in a row.
fn allowed(kind: Row, v: f64) -> bool {
    let (lo, hi) = kind.bounds(0.0);
    v == 0.0 || if v > 0.0 { hi == f64::INFINITY } else { lo == f64::NEG_INFINITY }
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

    #[test]
    fn what_only_large_forces_solve_is_not_refuted() {
        // Two contacts opposed up to an angle of 1e-6: forces of a million hold both.
        let problem = Lcp::dense([[1.0, -1.0], [-1.0, 1.0 + 1e-12]], [-1.0, 1.0 - 1e-6]).unwrap();
        assert_eq!(infeasibility_bound(&problem, &[1.0, 1.0]), None);
        // An entry of another island, however large, changes nothing.
        let with = |other: f64| {
            let a = [[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 0.0, other]];
            let problem = Lcp::dense(a, [-1.0, -1.0, -other]).unwrap();
            infeasibility_bound(&problem, &[1.0, 1.0, 0.0])
        };
        assert_eq!(with(1.0), with(1e12));
    }
}
