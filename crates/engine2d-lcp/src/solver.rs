//! The entry point: which solver answers, and with what settings.

use crate::pivoting::{Dense, Pivoting};
use crate::tolerance::SOLVED;
use crate::{Certificate, Error, Lcp, Matrix, Method, Policy, Set, Solution, Status, Trace};
use rand_core::Rng;

/// A solver with its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Solver {
    method: Method,
    tolerance: f64,
    policy: Option<Policy>,
}

/// What one solve may be given beside the problem.
#[derive(Default)]
pub struct Run<'r> {
    /// Sets of an earlier answer to start from.
    pub warm: Option<&'r [Set]>,
    /// The order of [`Policy::PreOrdered`].
    pub order: Option<&'r [usize]>,
    /// Generator of policies that draw.
    pub rng: Option<&'r mut dyn Rng>,
    /// Observer of the pivots.
    pub trace: Option<&'r mut dyn Trace>,
}

/// Scratch of all solvers: reuse it, and nothing is allocated after the first solve of a size.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pivoting: Pivoting,
    dense: Vec<f64>,
}

impl Workspace {
    /// An empty workspace.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Solver {
    /// Chooses the method by size, sparsity and kinds of rows.
    #[must_use]
    pub fn auto() -> Self {
        Self::with(Method::Auto)
    }

    /// Incremental pivoting.
    #[must_use]
    pub fn pivoting() -> Self {
        Self::with(Method::Pivoting)
    }

    /// A given method.
    #[must_use]
    pub fn with(method: Method) -> Self {
        Self { method, tolerance: SOLVED, policy: None }
    }

    /// Sets the certificate that counts as solved.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Sets the order in which rows are driven; without one the solver takes the cheapest.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = Some(policy);
        self
    }

    /// Solves once, with fresh scratch.
    ///
    /// # Errors
    /// [`Error`] for a request that makes no sense or a matrix that is not positive semidefinite; never for a
    /// problem without solution, which is a [`Status`].
    pub fn solve(&self, problem: &Lcp<'_>) -> Result<Solution, Error> {
        let mut solution = Solution::default();
        self.solve_into(problem, None, &mut Workspace::new(), &mut solution)?;
        Ok(solution)
    }

    /// Solves into `solution` with reused scratch, from the sets `warm` of an earlier answer if given.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn solve_into(
        &self,
        problem: &Lcp<'_>,
        warm: Option<&[Set]>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Result<Status, Error> {
        self.run(problem, &mut Run { warm, ..Run::default() }, workspace, solution)
    }

    /// As [`Solver::solve_into`] with everything a solve may be given.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn run(
        &self,
        problem: &Lcp<'_>,
        run: &mut Run<'_>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Result<Status, Error> {
        let Workspace { pivoting, dense } = workspace;
        let a = match problem.matrix() {
            Matrix::Dense(a) => &a[..],
            other => {
                other.to_dense(problem.len(), dense);
                &dense[..]
            }
        };
        pivoting.load(problem.kinds(), &[]);
        let end = pivoting.solve(Dense { a, b: problem.bias() }, self.policy, run)?;
        pivoting.hand_over(solution);
        solution.certificate =
            Certificate::of_accelerations(problem, &solution.f, &solution.a, self.tolerance);
        solution.status = match end {
            Status::Infeasible => end,
            _ if solution.certificate.holds(self.tolerance) => Status::Solved,
            Status::Solved => Status::ToleranceMissed,
            other => other,
        };
        solution.method = Method::Pivoting;
        Ok(solution.status)
    }
}
