//! Projected Gauss–Seidel: the matrix-free baseline.
//!
//! **Problem.** Any, friction rows included (each sweep takes the bounds from the latest normal force).
//! **Promise.** For frictionless problems the objective decreases with each row and the iteration converges, at a
//! rate that a stack of bodies makes very slow; for friction none. **Failure.** `NotConverged` with the certificate
//! of the last sweep. [Cottle, Pang, Stone, §5.2], [Jean 1999] for friction.

use crate::deadline::Deadline;
use crate::problem::Matrix;
use crate::{Certificate, Lcp, Set, Solution, Status};
use engine2d_math::kernel::dot;

/// Sweeps at most, unless the caller says otherwise.
const SWEEPS: usize = 20_000;

/// Sweeps between two looks at the certificate.
const SWEEPS_PER_CHECK: usize = 10;

/// Sweeps until the certificate holds or the budget is used up; starts from the forces in `solution` if it has
/// any, otherwise from zero.
pub(crate) fn solve(
    problem: &Lcp<'_>,
    tolerance: f64,
    sweeps: Option<usize>,
    deadline: Deadline,
    solution: &mut Solution,
) -> Status {
    let n = problem.len();
    let warm = solution.f.len() == n;
    let start = if warm { std::mem::take(&mut solution.f) } else { Vec::new() };
    solution.clear(n);
    if warm {
        solution.f = start;
    }
    let budget = sweeps.unwrap_or(SWEEPS);
    let mut diagonal = vec![0.0; n];
    problem.matrix().diagonal(&mut diagonal);
    let mut motion = Vec::new();
    if let Matrix::Jacobian { jacobian, inverse_mass, .. } = problem.matrix() {
        motion.resize(inverse_mass.len(), 0.0);
        jacobian.transposed_product_add(&solution.f, &mut motion);
        motion.iter_mut().zip(inverse_mass).for_each(|(v, m)| *v *= m);
    }
    solution.certificate = Certificate::compute(problem, &solution.f, tolerance, &mut solution.a);
    while !solution.certificate.holds(tolerance) && solution.stats.iterations < budget && !deadline.passed() {
        for _ in 0..SWEEPS_PER_CHECK.min(budget - solution.stats.iterations) {
            sweep(problem, &diagonal, &mut motion, &mut solution.f);
            solution.stats.iterations += 1;
        }
        solution.certificate = Certificate::compute(problem, &solution.f, tolerance, &mut solution.a);
    }
    for i in 0..n {
        let (lo, hi) = bounds(problem, &solution.f, i);
        let f = solution.f[i];
        solution.sets[i] = if f > lo && f < hi {
            Set::Clamped
        } else if f <= lo {
            Set::Lower
        } else {
            Set::Upper
        };
    }
    solution.status =
        if solution.certificate.holds(tolerance) { Status::Solved } else { Status::NotConverged };
    solution.status
}

fn bounds(problem: &Lcp<'_>, f: &[f64], i: usize) -> (f64, f64) {
    let kind = problem.kinds()[i];
    kind.bounds(kind.normal().map_or(0.0, |normal| f[normal]))
}

/// Each row in turn to the force that makes its acceleration zero, or to the nearer bound.
fn sweep(problem: &Lcp<'_>, diagonal: &[f64], motion: &mut [f64], f: &mut [f64]) {
    for i in (0..f.len()).filter(|&i| diagonal[i] > 0.0) {
        let force_part = match problem.matrix() {
            Matrix::Dense(a) => dot(&a[i * f.len()..(i + 1) * f.len()], f),
            Matrix::Sparse(a) => {
                let (columns, values) = a.row(i);
                columns.iter().zip(values).map(|(&j, v)| v * f[j]).sum()
            }
            Matrix::Jacobian { jacobian, compliance, .. } => {
                let (columns, values) = jacobian.row(i);
                let soft = compliance.get(i).map_or(0.0, |c| c * f[i]);
                columns.iter().zip(values).map(|(&c, v)| v * motion[c]).sum::<f64>() + soft
            }
        };
        let (lo, hi) = bounds(problem, f, i);
        let new = (f[i] - (force_part + problem.bias()[i]) / diagonal[i]).clamp(lo, hi);
        if let Matrix::Jacobian { jacobian, inverse_mass, .. } = problem.matrix() {
            let (columns, values) = jacobian.row(i);
            for (&c, v) in columns.iter().zip(values) {
                motion[c] += v * inverse_mass[c] * (new - f[i]);
            }
        }
        f[i] = new;
    }
}
