//! A second opinion where the method chosen ended without an answer.

use super::dispatch::{better, decided};
use super::{Solver, Workspace};
#[cfg(feature = "sparse")]
use crate::Status;
use crate::friction::Start;
use crate::tolerance::JACOBIAN_ROWS;
#[cfg(feature = "sparse")]
use crate::tolerance::ROUNDED;
use crate::{Error, Lcp, Method, Solution};
use std::borrow::Cow;

/// Why another method than that chosen has the last word.
const REASON: &str = "pivoting ended without a certificate";

impl Solver {
    /// Asks another method where the one chosen has not settled a problem without friction.
    pub(super) fn ask_again(
        &self,
        problem: &Lcp<'_>,
        chosen: Method,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Result<(), Error> {
        let open = self.method == Method::Auto && problem.is_symmetric() && !problem.has_friction();
        if !open || workspace.deadline.passed() {
            return Ok(());
        }
        if self.portable {
            return self.look_by_bodies(problem, chosen, workspace, solution);
        }
        #[cfg(feature = "sparse")]
        if chosen != Method::InteriorPoint {
            self.look_inside(problem, workspace, solution)?;
        }
        Ok(())
    }

    /// The friction solver, of whose rows these are a part: it proves nothing, but goes other ways.
    fn look_by_bodies(
        &self,
        problem: &Lcp<'_>,
        chosen: Method,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Result<(), Error> {
        if chosen != Method::Pivoting || decided(solution.status) {
            return Ok(());
        }
        let mut other = std::mem::take(&mut workspace.best);
        if problem.len() < JACOBIAN_ROWS {
            self.solve_friction(problem, Start::default(), workspace, &mut other)?;
        } else {
            // The ways by the matrix are as long as pivoting's.
            workspace.friction.solve_sparse(problem, self.tolerance, Start::default(), &mut other);
        }
        if better(&other, solution) {
            let condition = solution.certificate.condition;
            std::mem::swap(solution, &mut other);
            solution.certificate.condition = solution.certificate.condition.max(condition);
            solution.method = Method::Friction;
            solution.reason = Cow::Borrowed(REASON);
        }
        solution.stats.add(&other.stats);
        workspace.best = other;
        Ok(())
    }

    /// Whether an answer needs no second opinion: proven, or solved without the help of the rounding floor.
    #[cfg(feature = "sparse")]
    fn settled(&self, solution: &Solution) -> bool {
        match solution.status {
            Status::Infeasible => true,
            Status::Solved => solution.certificate.residual <= self.tolerance,
            _ => false,
        }
    }

    /// As [`Self::settled`], for a method that has worked out all digits there are.
    #[cfg(feature = "sparse")]
    pub(super) fn rounded(&self, solution: &Solution) -> bool {
        let within = solution.certificate.residual <= self.tolerance * ROUNDED;
        solution.status == Status::Infeasible || solution.status == Status::Solved && within
    }

    /// The interior point method.
    #[cfg(feature = "sparse")]
    fn look_inside(
        &self,
        problem: &Lcp<'_>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Result<(), Error> {
        if self.settled(solution) {
            return Ok(());
        }
        let Workspace { best: other, interior, .. } = workspace;
        // A proof counts against what is not solved; where rounding alone explains the rest, it proves only rounding.
        let open = solution.status != Status::Solved;
        let status = crate::interior_point::solve(problem, self.tolerance, None, open, interior, other)?;
        let proven = status == Status::Infeasible;
        let condition = solution.certificate.condition;
        if proven || better(other, solution) {
            std::mem::swap(solution, other);
            solution.certificate.condition = solution.certificate.condition.max(condition);
            solution.method = Method::InteriorPoint;
            solution.reason = Cow::Borrowed(REASON);
        }
        Ok(())
    }
}
