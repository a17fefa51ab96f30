//! Problems of mechanisms joined with the complementarity solver.

use engine2d_constraint::{Delassus, Problem, RowKind};
use engine2d_lcp::{Lcp, Row, Solver};

/// The forces or impulses of a problem, by the solver of complementarity problems.
pub(crate) fn solve(problem: &Problem) -> Vec<f64> {
    let mut dense = Delassus::default();
    problem.matrix().to_dense(&mut dense);
    let rows: Vec<Row> = problem
        .kinds()
        .iter()
        .map(|kind| match *kind {
            RowKind::Bilateral => Row::Bilateral,
            RowKind::Unilateral => Row::Unilateral,
            RowKind::Boxed { lo, hi } => Row::Boxed { lo, hi },
            RowKind::Friction { normal, mu } => Row::Friction { normal, mu },
        })
        .collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let lcp = Lcp::borrowed(dense.entries(), problem.bias(), &rows).unwrap();
    let solution = Solver::auto().solve(&lcp).unwrap();
    assert!(solution.is_solved());
    solution.f
}
