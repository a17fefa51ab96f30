//! Complementarity problems: what the solver calls solved satisfies the conditions, computed here from their definition, and a
//! proof that there is no solution is one.

use super::bytes::Bytes;
use super::verdict::Verdict;
use engine2d_lcp::{Lcp, Method, Row, Solution, Solver, Status, Workspace};

/// Violation of a condition that an answer may have, relative to the sizes of the terms of its row.
const ACCEPTED: f64 = 1e-7;

/// Part by which a proof may miss, relative to the sizes of its terms.
const PROVEN: f64 = 1e-6;

/// Most rows of a problem.
const ROWS: usize = 12;

pub(super) fn judge(bytes: &mut Bytes<'_>) -> Verdict {
    let (n, inner) = (1 + bytes.below(ROWS), 1 + bytes.below(ROWS + 4));
    // A = J Jᵀ is positive semidefinite, and redundant where there are more rows than columns.
    let coarse = bytes.byte().is_multiple_of(2);
    let jacobian: Vec<f64> = (0..n * inner)
        .map(|_| if coarse { bytes.below(5) as f64 - 2.0 } else { bytes.between(-2.0, 2.0) })
        .collect();
    let row = |i: usize| &jacobian[i * inner..(i + 1) * inner];
    let a: Vec<f64> =
        (0..n * n).map(|at| row(at / n).iter().zip(row(at % n)).map(|(x, y)| x * y).sum()).collect();
    let b: Vec<f64> =
        (0..n).map(|_| if coarse { bytes.below(9) as f64 - 4.0 } else { bytes.between(-5.0, 5.0) }).collect();
    let kinds: Vec<Row> = (0..n)
        .map(|_| match bytes.byte() % 6 {
            0 => Row::Bilateral,
            1 => Row::Boxed { lo: -bytes.between(0.0, 3.0), hi: bytes.between(0.0, 3.0) },
            _ => Row::Unilateral,
        })
        .collect();
    let method = [Method::Auto, Method::Pivoting, Method::BlockPivoting, Method::Lemke][bytes.below(4)];
    let problem = match Lcp::borrowed(&a, &b, &kinds) {
        Ok(problem) => problem,
        Err(error) => return Verdict::Wrong(format!("a sound problem is refused: {error}")),
    };
    let solver = Solver::with(method);
    if !solver.applies(&problem) {
        return Verdict::Refused("not for this method");
    }
    let mut solution = Solution::default();
    match solver.solve_into(&problem, None, &mut Workspace::new(), &mut solution) {
        Err(_) => Verdict::Refused("error"),
        Ok(Status::Solved) => answer(&a, &b, &kinds, &solution.f),
        Ok(Status::Infeasible) => proof(&a, &b, &kinds, &solution.ray),
        Ok(_) => Verdict::Refused("without an answer"),
    }
}

/// Whether forces satisfy the conditions.
fn answer(a: &[f64], b: &[f64], kinds: &[Row], f: &[f64]) -> Verdict {
    let n = b.len();
    if f.len() != n || f.iter().any(|f| !f.is_finite()) {
        return Verdict::Wrong(format!("solved with {f:?}"));
    }
    let largest = f.iter().chain(b).fold(1.0, |most: f64, value| most.max(value.abs()));
    for i in 0..n {
        let terms = (0..n).map(|j| a[i * n + j] * f[j]);
        let scale = largest + terms.clone().map(f64::abs).sum::<f64>();
        let (rate, slack) = (terms.sum::<f64>() + b[i], ACCEPTED * scale);
        let force_slack = ACCEPTED * largest;
        let sound = match kinds[i] {
            Row::Bilateral => rate.abs() <= slack,
            Row::Boxed { lo, hi } => {
                let (at_low, at_high) = (f[i] <= lo + force_slack, f[i] >= hi - force_slack);
                let inside = f[i] >= lo - force_slack && f[i] <= hi + force_slack;
                inside && (rate.abs() <= slack || at_low && rate > 0.0 || at_high && rate < 0.0)
            }
            _ => f[i] >= -force_slack && rate >= -slack && (f[i] <= force_slack || rate <= slack),
        };
        if !sound {
            return Verdict::Wrong(format!(
                "row {i} {:?}: force {:e}, rate {rate:e}, slack {slack:e}",
                kinds[i], f[i]
            ));
        }
    }
    Verdict::Sound
}

/// Whether a ray proves that there is no solution: `v` with `A v = 0` where rows must hold or press, `v ≥ 0` where they only press,
/// and `bᵀ v < 0`. Rows with limits have no part in it: their forces cannot grow.
fn proof(a: &[f64], b: &[f64], kinds: &[Row], ray: &[f64]) -> Verdict {
    let n = b.len();
    let size = ray.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
    let slope: f64 = ray.iter().zip(b).map(|(v, b)| v * b).sum();
    if ray.len() != n || !size.is_finite() || size <= 0.0 {
        return Verdict::Wrong(format!("no solution, by the ray {ray:?}"));
    }
    let terms: f64 = ray.iter().zip(b).map(|(v, b)| (v * b).abs()).sum();
    if slope >= -PROVEN * terms {
        return Verdict::Refused("proof at the limit of rounding");
    }
    for i in 0..n {
        let products = (0..n).map(|j| a[i * n + j] * ray[j]);
        let scale = products.clone().map(f64::abs).sum::<f64>();
        let is_pressing = !matches!(kinds[i], Row::Boxed { .. });
        if is_pressing && products.sum::<f64>().abs() > PROVEN * (scale + size) {
            return Verdict::Wrong(format!("no solution, by a ray that moves row {i}"));
        }
        if matches!(kinds[i], Row::Unilateral) && ray[i] < -PROVEN * size {
            return Verdict::Wrong(format!("no solution, by a ray that pulls at row {i}"));
        }
    }
    Verdict::Refused("proven to have none")
}
