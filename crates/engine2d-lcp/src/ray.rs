//! Proofs that a problem has no solution, checked from the inputs alone.

use crate::double::{Double, product};
use crate::scale::Scales;
use crate::tolerance::{
    ATTEMPTS, RAY_OWN_ERROR, RAY_REACH, RAY_RESIDUAL, RAY_ROWS, REFINEMENTS, SOLVED, TINY,
};
use crate::{Lcp, Row};
use engine2d_math::ldlt::UpdatableLdlt;

/// The bound that `v` puts under the scaled residual of every `f`, if `v` is a ray: zero on rows bounded on both sides, not
/// pointing out of a one-sided bound, and `A v = 0` up to rounding. `None` if it is not, if it proves nothing, or if the
/// problem has friction rows or is not symmetric, for which such a ray proves nothing.
///
/// For any `f` within its bounds `vᵀa = (A v)ᵀf + bᵀv`, while every acceptable `a` has `vᵀa ≥ 0`: the violations, weighted with
/// `|v|`, must add up to `−bᵀv − |A v|ᵀ|f|`. With the scales `bs_i` of the rows (see [`crate::Certificate`]) the bound is
/// `(−bᵀv − Σ |A v|_i F_i) / Σ bs_i |v_i|`. It holds for every `f` with `|f_i| ≤ F_i`. These are so large that rounding moves
/// their own accelerations `A_ii F_i` by twice the default tolerance, so that no larger ones could be certified, where the
/// rounding of `A` explains `(A v)_i`; elsewhere so large that it moves them by all of `bs_i`. `A v` and `bᵀv` are computed
/// with twice the digits.
#[must_use]
pub fn infeasibility_bound(problem: &Lcp<'_>, v: &[f64]) -> Option<f64> {
    prove(problem, &mut v.to_vec(), SOLVED)
}

/// As [`infeasibility_bound`] for another tolerance; takes from `v` what is not in the null space, if that is needed.
pub(crate) fn prove(problem: &Lcp<'_>, v: &mut [f64], tolerance: f64) -> Option<f64> {
    let n = problem.len();
    if v.len() != n || problem.has_friction() || !problem.is_symmetric() {
        return None;
    }
    let norm: f64 = v.iter().map(|v| v.abs()).sum();
    if !(norm > 0.0
        && norm.is_finite()
        && problem.kinds().iter().zip(&*v).all(|(kind, &v)| allowed(*kind, v)))
    {
        return None;
    }
    if !is_near(problem, v) {
        return None;
    }
    let mut ray = Ray::new(problem, v);
    let (mut bound, ideal) = ray.bounds(tolerance);
    // The rounding of `v` itself is no weakness of the proof.
    if bound <= tolerance && ideal > tolerance && n <= RAY_ROWS && ray.refine().is_some() {
        let refined = ray.bounds(tolerance).0;
        if refined > bound {
            bound = refined;
            let rest = ray.rest;
            v.iter_mut().zip(&rest).for_each(|(v, rest)| *v += rest);
        }
    }
    (bound > 0.0).then_some(bound)
}

/// Whether `bᵀv < 0` and `A v` is small enough to be an error of how `v` was found: a look before twice the digits are spent.
fn is_near(problem: &Lcp<'_>, v: &[f64]) -> bool {
    let n = v.len();
    let slope: f64 = v.iter().zip(problem.bias()).map(|(v, b)| v * b).sum();
    let (mut image, mut diagonal) = (vec![0.0; n], vec![0.0; n]);
    problem.matrix().product(v, &mut image);
    problem.matrix().diagonal(&mut diagonal);
    let size: f64 = v.iter().zip(&diagonal).map(|(v, a)| v.abs() * a.sqrt()).sum();
    slope < 0.0
        && image.iter().zip(&diagonal).all(|(image, a)| image.abs() <= RAY_OWN_ERROR * a.sqrt() * size)
}

/// A ray with twice the digits: `v + rest`, and what is needed to judge it.
struct Ray<'r> {
    problem: &'r Lcp<'r>,
    v: &'r [f64],
    rest: Vec<f64>,
    image: Vec<Double>,
    diagonal: Vec<f64>,
    scales: Vec<f64>,
}

impl<'r> Ray<'r> {
    fn new(problem: &'r Lcp<'r>, v: &'r [f64]) -> Self {
        let n = v.len();
        let mut diagonal = vec![0.0; n];
        problem.matrix().diagonal(&mut diagonal);
        let scales = Scales::of(problem).bias;
        let mut ray =
            Self { problem, v, rest: vec![0.0; n], image: vec![Double::default(); n], diagonal, scales };
        product(problem.matrix(), v, &mut ray.image);
        ray
    }

    /// The bound, and what it would be if `A v` were zero; negative infinity where nothing can be told.
    fn bounds(&self, tolerance: f64) -> (f64, f64) {
        let Self { problem, v, rest, image, diagonal, scales } = self;
        let weight: f64 = v.iter().zip(scales).map(|(v, scale)| v.abs() * scale).sum();
        let size: f64 = v.iter().zip(diagonal).map(|(v, a)| v.abs() * a.sqrt()).sum();
        let mut exploited = 0.0;
        for (i, exact) in image.iter().enumerate() {
            let left = exact.value().abs();
            // Squares of what is near the smallest numbers have no digits to judge by.
            if !left.is_finite() || v[i] != 0.0 && diagonal[i] > 0.0 && diagonal[i] < TINY {
                return (f64::NEG_INFINITY, f64::NEG_INFINITY);
            }
            if left > 0.0 {
                let (lo, hi) = problem.kinds()[i].bounds(0.0);
                let rounded = left <= RAY_RESIDUAL * diagonal[i].sqrt() * size;
                let share = if rounded { RAY_REACH * tolerance } else { 1.0 };
                let force = share * scales[i] / (f64::EPSILON * diagonal[i]);
                exploited += left * force.min(lo.abs().max(hi.abs()));
            }
        }
        let terms = v.iter().zip(rest).zip(problem.bias());
        let slope = terms
            .fold(Double::default(), |sum, ((v, rest), b)| sum.add_product(*v, *b).add_product(*rest, *b));
        ((-slope.value() - exploited) / weight, -slope.value() / weight)
    }

    /// Takes from the ray what is not in the null space, by refinement on independent rows of its own; `None`
    /// if that takes it out of the bounds, or if it was no ray.
    fn refine(&mut self) -> Option<()> {
        let n = self.v.len();
        let mut dense = Vec::new();
        self.problem.matrix().to_dense(&mut dense);
        let mut factor = UpdatableLdlt::new();
        factor.reset(n);
        let mut independent: Vec<usize> = Vec::new();
        for i in (0..n).filter(|&i| self.v[i] != 0.0) {
            let row = &dense[i * n..(i + 1) * n];
            let mut y: Vec<f64> = independent.iter().map(|&j| row[j]).collect();
            factor.forward(&mut y);
            let pivot = factor.pivot_of(row[i], &y);
            if pivot > ATTEMPTS[0].0 * row[i] {
                factor.push(&y, pivot);
                independent.push(i);
            }
        }
        let largest = self.v.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        for _ in 0..REFINEMENTS {
            let mut change: Vec<f64> = independent.iter().map(|&i| -self.image[i].value()).collect();
            factor.solve(&mut change);
            for (&i, change) in independent.iter().zip(&change) {
                self.rest[i] += change;
                let small = self.rest[i].abs() <= RAY_OWN_ERROR * largest;
                if !(small && allowed(self.problem.kinds()[i], self.v[i] + self.rest[i])) {
                    return None;
                }
            }
            product(self.problem.matrix(), self.v, &mut self.image);
            let mut change = vec![Double::default(); n];
            product(self.problem.matrix(), &self.rest, &mut change);
            self.image.iter_mut().zip(&change).for_each(|(sum, part)| *sum = sum.add(*part));
        }
        Some(())
    }
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
