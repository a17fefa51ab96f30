//! The entry point: which solver answers, and with what settings.

use crate::friction::Friction;
use crate::pivoting::{Dense, Pivoting};
use crate::tolerance::{ATTEMPTS, FLAT_REDUNDANT, SOLVED};
use crate::{Certificate, Error, Lcp, Matrix, Method, Policy, Set, Solution, Status, Trace};
use rand_core::Rng;

/// A solver with its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Solver {
    method: Method,
    tolerance: f64,
    policy: Option<Policy>,
    redundancy: Option<f64>,
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
    friction: Friction,
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
        Self { method, tolerance: SOLVED, policy: None, redundancy: None }
    }

    /// Whether the method can answer problems of this kind at all.
    #[must_use]
    pub fn applies(&self, problem: &Lcp<'_>) -> bool {
        match self.method {
            Method::Auto => true,
            Method::Pivoting => !problem.has_friction(),
            _ => false,
        }
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

    /// Sets the pivot, relative to the diagonal entry, at which a row counts as a combination of the active
    /// ones; without it the solver tries [`crate::tolerance::ATTEMPTS`] in turn.
    #[must_use]
    pub fn redundancy(mut self, limit: f64) -> Self {
        self.redundancy = Some(limit);
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
        let Workspace { pivoting, friction, dense } = workspace;
        let a = match problem.matrix() {
            Matrix::Dense(a) => &a[..],
            other => {
                other.to_dense(problem.len(), dense);
                &dense[..]
            }
        };
        if problem.has_friction() {
            solution.method = Method::Friction;
            return friction.solve(problem, a, self.tolerance, run.warm, pivoting, solution);
        }
        let p = Dense { a, b: problem.bias() };
        let mut failure = None;
        let given = self.redundancy.map(|limit| [(limit, FLAT_REDUNDANT)]);
        for (attempt, &limits) in given.as_ref().map_or(&ATTEMPTS[..], |one| &one[..]).iter().enumerate() {
            let policy = self.policy.or((attempt > 0).then_some(Policy::MinAccel));
            pivoting.load(problem.kinds(), &[]);
            match pivoting.solve(p, policy, limits, run) {
                Ok(end) => {
                    pivoting.hand_over(solution);
                    solution.status = self.judge(problem, end, solution);
                    failure = None;
                    if matches!(solution.status, Status::Solved | Status::Infeasible) {
                        break;
                    }
                }
                Err(error @ Error::NotPsd { .. }) => failure = Some(error),
                Err(error) => return Err(error),
            }
        }
        if let Some(error) = failure {
            return Err(error);
        }
        solution.method = Method::Pivoting;
        Ok(solution.status)
    }

    /// The status that the certificate supports.
    fn judge(&self, problem: &Lcp<'_>, end: Status, solution: &mut Solution) -> Status {
        solution.certificate =
            Certificate::of_accelerations(problem, &solution.f, &solution.a, self.tolerance);
        match end {
            Status::Infeasible => end,
            _ if solution.certificate.holds(self.tolerance) => Status::Solved,
            Status::Solved => Status::ToleranceMissed,
            other => other,
        }
    }
}
