//! Problems whose matrix is not symmetric: exchange in blocks, then Lemke's method.

#[cfg(feature = "lemke")]
use super::dispatch::{better, load};
use super::{Run, Solver, Workspace};
#[cfg(feature = "lemke")]
use crate::Method;
use crate::{Certificate, Lcp, Solution, Status};
#[cfg(feature = "lemke")]
use std::borrow::Cow;

/// Rows up to which Lemke's method is tried where the blocks left a problem open: some seconds.
#[cfg(feature = "lemke")]
const LEMKE_ROWS: usize = 600;

impl Solver {
    /// Solves a problem without friction rows whose matrix is not symmetric.
    pub(super) fn solve_unsymmetric(
        &self,
        problem: &Lcp<'_>,
        run: &Run<'_>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) {
        let answered = workspace.principal.solve(problem, run.warm, workspace.deadline, solution);
        solution.certificate = Certificate::compute(problem, &solution.f, self.tolerance, &mut solution.a);
        solution.status = match answered {
            _ if solution.certificate.holds(self.tolerance) => Status::Solved,
            true => Status::ToleranceMissed,
            false => Status::NoProgress,
        };
        #[cfg(feature = "lemke")]
        if self.method == Method::Auto
            && solution.status != Status::Solved
            && problem.len() <= LEMKE_ROWS
            && !workspace.deadline.passed()
        {
            let (blocks, reason) = (solution.clone(), std::mem::take(&mut solution.reason));
            let dense = load(problem, &mut workspace.dense);
            crate::lemke::expand::solve(problem, dense, self.tolerance, workspace.deadline, solution);
            (solution.method, solution.reason) = (Method::Lemke, reason);
            if better(&blocks, solution) {
                *solution = blocks;
            } else {
                solution.reason =
                    Cow::Borrowed("the matrix is not symmetric, and exchange in blocks found no answer");
            }
        }
        if solution.status != Status::Solved && !finite(solution) {
            // The best that is known of such a problem is that nothing is.
            solution.clear(problem.len());
            solution.status = Status::NoProgress;
            solution.certificate =
                Certificate::compute(problem, &solution.f, self.tolerance, &mut solution.a);
        }
    }
}

fn finite(solution: &Solution) -> bool {
    solution.f.iter().chain(&solution.a).all(|v| v.is_finite())
}
