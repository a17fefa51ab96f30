//! From a request to the method that answers it.

use super::choice::density;
use super::{ForceSelection, Formed, Run, Solver, Workspace};
use crate::deadline::Deadline;
use crate::dense::Dense;
use crate::exchange::{Outcome, Unclear};
use crate::friction::Start;
use crate::ray::prove;
use crate::tolerance::{
    ATTEMPTS, DENSE_ROWS, FRICTION_BODIES, FULL_SHARE, ILL_CONDITIONED, ISLAND_ROWS, JACOBIAN_ROWS,
    STORED_ROWS, TINY,
};
use crate::{Certificate, Error, Lcp, Matrix, Method, Solution, Status, min_norm};
use std::borrow::Cow;

impl Solver {
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
        #[cfg(feature = "trace")]
        let _span = tracing::trace_span!("lcp", label = self.name(), rows = problem.len()).entered();
        self.check(problem, run)?;
        let deadline = Deadline::after(self.time_limit);
        workspace.end_at(deadline);
        let end = self.run_within(problem, run, workspace, solution);
        if self.time_limit.is_some() {
            workspace.end_at(Deadline::default());
        }
        if end.is_ok() && !decided(solution.status) && deadline.passed() {
            solution.status = Status::TimeLimit;
            return Ok(solution.status);
        }
        end
    }

    /// As [`Solver::run`] for a checked request, within the time that the workspace knows of.
    pub(super) fn run_within(
        &self,
        problem: &Lcp<'_>,
        run: &mut Run<'_>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Result<Status, Error> {
        solution.psd_shift = 0.0;
        let end = self.run_checked(problem, run, workspace, solution);
        let refused = match &end {
            Ok(status) => !decided(*status) && !workspace.deadline.passed(),
            Err(error) => matches!(error, Error::NotPsd { .. }),
        };
        if !refused || self.psd_slack == 0.0 || matches!(problem.matrix(), Matrix::Jacobian { .. }) {
            return end;
        }
        let end = self.run_checked(&problem.raised(self.psd_slack), run, workspace, solution)?;
        solution.psd_shift = self.psd_slack;
        Ok(end)
    }

    /// Solves a problem after the request has been checked.
    fn run_checked(
        &self,
        problem: &Lcp<'_>,
        run: &mut Run<'_>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Result<Status, Error> {
        // What was seen of another problem, and not used, is not of this one.
        workspace.pivoting.look_again();
        let (method, reason) = self.choose(problem, run);
        solution.method = method;
        solution.reason = Cow::Borrowed(reason);
        let start = Start { sets: run.warm, forces: run.forces, aim: self.aim };
        match method {
            #[cfg(feature = "sparse")]
            Method::InteriorPoint => {
                if self.method == Method::Auto && self.by_islands(problem, start, workspace, solution)? {
                    return Ok(solution.status);
                }
                let interior = &mut workspace.interior;
                crate::interior_point::solve(problem, self.tolerance, run.warm, true, interior, solution)?;
                if self.method == Method::Auto && problem.len() <= STORED_ROWS && !self.rounded(solution) {
                    let inside = solution.clone();
                    let mut again = Run { warm: Some(&inside.sets), ..Run::default() };
                    self.pivot(problem, &mut again, workspace, solution)?;
                    if solution.status != Status::Infeasible && better(&inside, solution) {
                        solution.clone_from(&inside);
                    } else {
                        solution.method = Method::Pivoting;
                        solution.reason =
                            Cow::Borrowed("the interior point method ended without a certificate");
                    }
                }
            }
            #[cfg(feature = "gauss-seidel")]
            Method::GaussSeidel => {
                crate::gauss_seidel::solve(
                    problem,
                    self.tolerance,
                    self.sweeps,
                    workspace.deadline,
                    solution,
                );
            }
            #[cfg(feature = "lemke")]
            Method::Lemke => {
                let dense = load(problem, &mut workspace.dense);
                crate::lemke::expand::solve(problem, dense, self.tolerance, workspace.deadline, solution);
            }
            Method::Friction if self.guesses_many(problem, run, workspace, solution) => {
                solution.method = Method::Pivoting;
                solution.reason = Cow::Borrowed("many rows, of which exchange in blocks found the sets");
            }
            Method::Friction => {
                let apart = problem.len() >= ISLAND_ROWS
                    && self.friction_by_islands(problem, start, workspace, solution)?;
                if !apart {
                    self.solve_friction(problem, start, workspace, solution)?;
                } else if solution.status != Status::Solved
                    && problem.len() <= DENSE_ROWS
                    && !workspace.deadline.passed()
                {
                    self.solve_together(problem, start, workspace, solution)?;
                }
            }
            Method::BlockPivoting if !problem.is_symmetric() => {
                self.solve_unsymmetric(problem, run, workspace, solution);
            }
            Method::BlockPivoting => self.exchange_blocks(problem, workspace, solution)?,
            _ => {
                self.pivot(problem, run, workspace, solution)?;
            }
        }
        self.ask_again(problem, method, workspace, solution)?;
        self.select_forces(problem, workspace, solution)?;
        conclude(problem, self.tolerance, solution)?;
        Ok(solution.status)
    }

    /// Whether the lean path solves many rows without friction, which the friction solver is chosen for: it takes a tenth of the time
    /// where the sets of the problem before are near.
    fn guesses_many(
        &self,
        problem: &Lcp<'_>,
        run: &Run<'_>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> bool {
        self.method == Method::Auto
            && !problem.has_friction()
            && self.guess_unformed(problem, run, workspace, solution) == Some(Outcome::Solved)
    }

    /// A second try at what the islands apart did not solve: nothing is sure with friction, and another way to the sets may
    /// get there.
    fn solve_together(
        &self,
        problem: &Lcp<'_>,
        start: Start<'_>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Result<(), Error> {
        let apart = solution.clone();
        self.solve_friction(problem, start, workspace, solution)?;
        if better(&apart, solution) {
            *solution = apart;
        }
        Ok(())
    }

    /// The friction solver.
    pub(super) fn solve_friction(
        &self,
        problem: &Lcp<'_>,
        start: Start<'_>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Result<Status, Error> {
        let Workspace { pivoting, friction, dense, .. } = workspace;
        let n = problem.len();
        let (formed, first) = match problem.matrix() {
            // An order of the rows helps where most entries are zero.
            Matrix::Dense(_) => (true, n >= JACOBIAN_ROWS && density(problem) <= FULL_SHARE),
            _ => (false, n >= FRICTION_BODIES),
        };
        if first {
            let status = friction.solve_sparse(problem, self.tolerance, start, solution);
            if status == Status::Solved || n > STORED_ROWS || workspace.deadline.passed() {
                return Ok(status);
            }
        }
        let dense = load(problem, dense);
        let start = Start { aim: start.aim.filter(|_| !first), ..start };
        // The matrix may lead away from what came near.
        let mut near = first.then(|| solution.clone());
        let status = friction.solve(problem, dense, self.tolerance, start, pivoting, solution)?;
        let last = status == Status::Solved || formed && n < JACOBIAN_ROWS || workspace.deadline.passed();
        if !first && !last {
            near = Some(solution.clone());
            friction.solve_sparse(problem, self.tolerance, Start::default(), solution);
        }
        if let Some(mut near) = near {
            if better(&near, solution) {
                std::mem::swap(&mut near, solution);
            }
            solution.stats.add(&near.stats);
        }
        Ok(solution.status)
    }

    /// Block pivoting, and the pivoting solver for what it leaves open.
    fn exchange_blocks(
        &self,
        problem: &Lcp<'_>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Result<(), Error> {
        let mut dense = std::mem::take(&mut workspace.dense);
        let p = Dense { a: load(problem, &mut dense), b: problem.bias() };
        // Chosen for its speed, the method gives way where it would have to eliminate row by row.
        let quick = self.method == Method::Auto && problem.len() <= DENSE_ROWS;
        let unclear = if quick { Unclear::End } else { Unclear::Eliminate(ATTEMPTS[0].0) };
        let outcome = workspace.exchange.solve_whole(p, problem.kinds(), unclear, solution);
        if outcome == Outcome::Solved {
            solution.status = self.judge(problem, Status::Solved, solution);
            if solution.certificate.residual <= self.tolerance {
                workspace.dense = dense;
                return Ok(());
            }
        }
        let factorizations = solution.stats.factorizations;
        let sets = std::mem::take(&mut workspace.exchange.sets);
        let mut again = Run { warm: (!quick).then_some(&sets[..]), ..Run::default() };
        let end = self.pivot_formed(problem, p, &mut again, workspace, solution);
        solution.stats.factorizations += factorizations;
        workspace.exchange.sets = sets;
        workspace.dense = dense;
        end
    }

    /// The pivoting solver on the matrix of the problem.
    fn pivot(
        &self,
        problem: &Lcp<'_>,
        run: &mut Run<'_>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Result<(), Error> {
        if let Matrix::Dense(a) = problem.matrix() {
            return self.pivot_formed(problem, Dense { a, b: problem.bias() }, run, workspace, solution);
        }
        let guessed = self.guess_unformed(problem, run, workspace, solution);
        if guessed == Some(Outcome::Solved) {
            return Ok(());
        }
        let mut dense = std::mem::take(&mut workspace.dense);
        let p = Dense { a: load(problem, &mut dense), b: problem.bias() };
        let end = match guessed {
            Some(outcome) => self.follow(outcome, problem, p, run, workspace, solution),
            None => self.pivot_formed(problem, p, run, workspace, solution),
        };
        workspace.dense = dense;
        end
    }

    /// The status that the certificate supports.
    pub(super) fn judge(&self, problem: &Lcp<'_>, end: Status, solution: &mut Solution) -> Status {
        solution.certificate =
            Certificate::of_accelerations(problem, &solution.f, &solution.a, self.tolerance);
        match end {
            Status::Infeasible => {
                let bound = prove(problem, &mut solution.ray, self.tolerance);
                if bound.is_some_and(|bound| bound > self.tolerance) {
                    return end;
                }
                solution.ray.clear();
                if solution.certificate.holds(self.tolerance) { Status::Solved } else { Status::NoProgress }
            }
            _ if solution.certificate.holds(self.tolerance) => Status::Solved,
            Status::Solved => Status::ToleranceMissed,
            other => other,
        }
    }

    /// The least-norm forces, if asked for.
    fn select_forces(
        &self,
        problem: &Lcp<'_>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Result<(), Error> {
        let weights = match &self.forces {
            ForceSelection::Any => return Ok(()),
            ForceSelection::MinNorm => None,
            ForceSelection::Weighted(weights) => Some(&weights[..]),
        };
        if solution.status != Status::Solved {
            return Ok(());
        }
        let Workspace { pivoting, dense, .. } = workspace;
        let dense = load(problem, dense);
        min_norm::select(problem, dense, weights, self.tolerance, pivoting, solution)
    }
}

/// Whether a solve came to a conclusion.
pub(super) fn decided(status: Status) -> bool {
    matches!(status, Status::Solved | Status::Infeasible)
}

/// Whether an answer is better than another: first whether it is solved, then by its plain residual.
pub(super) fn better(answer: &Solution, other: &Solution) -> bool {
    let solved = |s: &Solution| s.status == Status::Solved;
    if solved(answer) != solved(other) {
        return solved(answer);
    }
    answer.certificate.residual < other.certificate.residual
}

/// The matrix densely: borrowed if it is given so.
pub(super) fn load<'m>(problem: &'m Lcp<'_>, formed: &'m mut Formed) -> &'m [f64] {
    match problem.matrix() {
        Matrix::Dense(a) => a,
        other => {
            other.form(&mut formed.dense, &mut formed.scratch);
            &formed.dense
        }
    }
}

/// Last words on an answer: forces that are no numbers are an error, and where rounding decides, that is said.
fn conclude(problem: &Lcp<'_>, tolerance: f64, solution: &mut Solution) -> Result<(), Error> {
    if solution.certificate.residual == f64::INFINITY {
        let finite = |(f, a): (&f64, &f64)| f.is_finite() && a.is_finite();
        let row = solution.f.iter().zip(&solution.a).position(|row| !finite(row));
        solution.clear(problem.len());
        return Err(Error::Overflow { row: row.unwrap_or(0) });
    }
    if matches!(solution.status, Status::Solved | Status::Infeasible) || problem.has_friction() {
        return Ok(());
    }
    // A row that hardly moves, and must: its force is no number.
    let mut diagonal = vec![0.0; problem.len()];
    problem.matrix().diagonal(&mut diagonal);
    if (0.0..TINY).contains(&diagonal[solution.certificate.row]) && diagonal[solution.certificate.row] > 0.0 {
        return Err(Error::Overflow { row: solution.certificate.row });
    }
    let Certificate { unexplained, condition, .. } = solution.certificate;
    let exhausted =
        matches!(solution.method, Method::Auto | Method::Pivoting | Method::InteriorPoint | Method::Friction);
    if unexplained <= tolerance || exhausted && condition > ILL_CONDITIONED {
        solution.status = Status::IllConditioned;
    }
    Ok(())
}
