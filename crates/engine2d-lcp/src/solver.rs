//! The entry point: which solver answers, and with what settings.

mod attempts;
mod choice;
mod dispatch;
mod islands;
mod request;
mod second;
mod unsymmetric;

pub(crate) use islands::{at_rest, leave_at_rest, spread};

use crate::deadline::Deadline;
use crate::exchange::Exchange;
use crate::friction::Friction;
use crate::pivoting::Pivoting;
use crate::principal::Principal;
use crate::problem::Forming;
use crate::small::Small;
use crate::tolerance::SOLVED;
use crate::{Error, Lcp, Method, Policy, Set, Solution, Status, Trace};
use rand_core::Rng;
use std::borrow::Cow;
use std::time::Duration;

/// A solver with its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Solver {
    method: Method,
    tolerance: f64,
    aim: Option<f64>,
    policy: Option<Policy>,
    redundancy: Option<f64>,
    forces: ForceSelection,
    sweeps: Option<usize>,
    psd_slack: f64,
    portable: bool,
    time_limit: Option<Duration>,
    label: Cow<'static, str>,
}

/// Which of the possible forces to return where rows are redundant.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ForceSelection {
    /// Whichever the method finds; depends on the order of the rows.
    #[default]
    Any,
    /// The one with least `‖f‖₂`: unique, independent of the order.
    MinNorm,
    /// The one with least `Σ w_i f_i²` for these positive weights, one for each row.
    Weighted(Vec<f64>),
}

/// What one solve may be given beside the problem.
#[derive(Default)]
pub struct Run<'r> {
    /// Sets of an earlier answer to start from.
    pub warm: Option<&'r [Set]>,
    /// Forces of an earlier answer: with friction, which leaves many answers, the nearest is preferred. Other methods
    /// start from the sets alone.
    pub forces: Option<&'r [f64]>,
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
    pub(crate) small: Small,
    pub(crate) exchange: Exchange,
    pub(crate) pivoting: Pivoting,
    pub(crate) friction: Friction,
    principal: Principal,
    deadline: Deadline,
    #[cfg(feature = "sparse")]
    pub(crate) interior: crate::interior_point::Interior,
    islands: islands::Islands,
    pub(crate) dense: Formed,
    pub(crate) best: Solution,
}

/// The matrix of a problem that is not given densely.
#[derive(Clone, Debug, Default)]
pub(crate) struct Formed {
    dense: Vec<f64>,
    scratch: Forming,
}

impl Workspace {
    /// An empty workspace.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells all methods when to end.
    fn end_at(&mut self, deadline: Deadline) {
        self.deadline = deadline;
        self.pivoting.deadline = deadline;
        self.exchange.end_at(deadline);
        self.friction.deadline = deadline;
        #[cfg(feature = "sparse")]
        self.interior.end_at(deadline);
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::auto()
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
        Self {
            method,
            tolerance: SOLVED,
            aim: None,
            policy: None,
            redundancy: None,
            forces: ForceSelection::Any,
            sweeps: None,
            psd_slack: 0.0,
            portable: false,
            time_limit: None,
            label: Cow::Borrowed(""),
        }
    }

    /// Whether the method can answer problems of this kind at all, and is part of this build.
    #[must_use]
    pub fn applies(&self, problem: &Lcp<'_>) -> bool {
        match self.method {
            Method::Auto => problem.is_symmetric() || !problem.has_friction() || cfg!(feature = "lemke"),
            Method::GaussSeidel => cfg!(feature = "gauss-seidel"),
            Method::Lemke => cfg!(feature = "lemke"),
            Method::BlockPivoting => !problem.has_friction(),
            Method::Pivoting => problem.is_symmetric() && !problem.has_friction(),
            Method::InteriorPoint => {
                cfg!(feature = "sparse") && problem.is_symmetric() && !problem.has_friction()
            }
            Method::Friction => problem.is_symmetric() && problem.has_friction(),
        }
    }

    /// Sets the certificate that counts as solved.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Sets a certificate, smaller than the tolerance, that a start from an earlier answer to a problem with friction is improved
    /// to where Newton does it: what is solved again and again then does not creep by what the tolerance allows. By default the
    /// tolerance is enough.
    #[must_use]
    pub fn aim(mut self, aim: f64) -> Self {
        self.aim = Some(aim);
        self
    }

    /// Has [`Method::Auto`] take only methods whose answers to symmetric problems have the same bits on every processor and whatever
    /// features of this crate are on beside `lemke`: no interior point method and no block pivoting, whose factorizations are as wide as the
    /// processor; many rows without friction may take longer then. Only the matrix of a Jacobian with few zeros and dozens of rows
    /// and columns is still formed that way.
    #[must_use]
    pub fn portable(mut self) -> Self {
        self.portable = true;
        self
    }

    /// The certificate that counts as solved.
    pub(crate) fn allowed(&self) -> f64 {
        self.tolerance
    }

    /// Sets the order in which rows are driven; without one the solver takes the cheapest.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = Some(policy);
        self
    }

    /// Sets the pivot, relative to the diagonal entry, at which a row counts as a combination of the active
    /// ones; without it the solver tries several, the most likely first.
    #[must_use]
    pub fn redundancy(mut self, limit: f64) -> Self {
        self.redundancy = Some(limit);
        self
    }

    /// Sets which forces to return where rows are redundant.
    #[must_use]
    pub fn forces(mut self, forces: ForceSelection) -> Self {
        self.forces = forces;
        self
    }

    /// Sets the budget of [`Method::GaussSeidel`].
    #[must_use]
    pub fn sweeps(mut self, sweeps: usize) -> Self {
        self.sweeps = Some(sweeps);
        self
    }

    /// Grants matrices that are indefinite by the rounding of their data, such as those printed with a few digits, a slack: where
    /// the problem as it stands is refused or ends undecided, each diagonal entry is raised by this share of itself, and
    /// [`Solution::psd_shift`] says so. A matrix whose smallest eigenvalue, in the units of its rows, is at least `−slack` is
    /// semidefinite then. 0, the default, grants rounding only; problems given by their Jacobian need none.
    #[must_use]
    pub fn psd_slack(mut self, slack: f64) -> Self {
        self.psd_slack = slack;
        self
    }

    /// Sets the time of the clock after which a solve gives up, with [`Status::TimeLimit`] and the last point it had. It is looked
    /// at between pivots, sweeps, factorizations and islands, so that a solve may outlast it by one of these. Answers that are
    /// found in time do not depend on it. Without one, the default, every method has limits of its own that end it.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// Names the solver in `tracing` and in reports, for instance "forces" or "impulses".
    #[must_use]
    pub fn label(mut self, label: impl Into<Cow<'static, str>>) -> Self {
        self.label = label.into();
        self
    }

    /// The name given with [`Solver::label`].
    #[must_use]
    pub fn name(&self) -> &str {
        &self.label
    }

    /// Solves once, with fresh scratch.
    ///
    /// # Errors
    /// [`Error`] for a request that makes no sense (a time limit where there is no clock, as on `wasm32-unknown-unknown`, is one) or
    /// a matrix that is not positive semidefinite; never for a problem without solution, which is a [`Status`].
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
}
