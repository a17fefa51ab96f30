//! The pivoting solver with what comes before it, the lean paths that guess, and what it tries in turn.

use super::dispatch::better;
use super::{Run, Solver, Workspace};
use crate::contradiction::{Verdict, weigh};
use crate::dense::Dense;
use crate::exchange::Outcome;
use crate::pivoting::Limits;
use crate::semidefinite::indefinite;
use crate::small;
use crate::tolerance::{
    ATTEMPTS, FLAT_REDUNDANT, LAST_ATTEMPT, RAY_REACH, RAY_ROWS, SMALLER_FORCES, THIN_ROWS, WELL_WITHIN,
};
use crate::{Certificate, Error, Lcp, Policy, Solution, Status};

impl Solver {
    /// The lean paths, then the pivoting solver with its attempts.
    pub(super) fn pivot_formed(
        &self,
        problem: &Lcp<'_>,
        p: Dense<'_>,
        run: &mut Run<'_>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Result<(), Error> {
        let outcome =
            if self.lean(run) { self.guess(problem, p, run, workspace, solution) } else { Outcome::Nothing };
        self.follow(outcome, problem, p, run, workspace, solution)
    }

    /// The pivoting solver with its attempts, after the lean paths.
    pub(super) fn follow(
        &self,
        outcome: Outcome,
        problem: &Lcp<'_>,
        p: Dense<'_>,
        run: &mut Run<'_>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Result<(), Error> {
        match outcome {
            Outcome::Solved => Ok(()),
            Outcome::Nothing => self.attempt(problem, p, run, workspace, solution),
            Outcome::Sets => {
                let sets = std::mem::take(&mut workspace.exchange.sets);
                let mut from = Run { warm: Some(&sets), ..Run::default() };
                let end = self.attempt(problem, p, &mut from, workspace, solution);
                workspace.exchange.sets = sets;
                end
            }
        }
    }

    /// The lean paths, which guess and look.
    fn guess(
        &self,
        problem: &Lcp<'_>,
        p: Dense<'_>,
        run: &Run<'_>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Outcome {
        let Workspace { small, exchange, pivoting, .. } = workspace;
        let (outcome, left) = if problem.len() <= small::ROWS {
            (small.solve(p, problem.kinds(), run.warm, solution), Outcome::Nothing)
        } else if problem.len() <= THIN_ROWS {
            let outcome = exchange.solve(p, problem.kinds(), pivoting.look(p), run.warm, solution);
            (outcome, Outcome::Sets)
        } else {
            return Outcome::Nothing;
        };
        self.look_at((outcome, left), problem, workspace, solution)
    }

    /// The lean path for rows given by their Jacobian, whose matrix need not be formed for it; nothing where it has to be.
    pub(super) fn guess_unformed(
        &self,
        problem: &Lcp<'_>,
        run: &Run<'_>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Option<Outcome> {
        if !self.lean(run) || problem.len() <= small::ROWS {
            return None;
        }
        let Workspace { exchange, pivoting, .. } = workspace;
        let neighbours = pivoting.look_unformed(problem.matrix())?;
        let p = Dense { a: &[], b: problem.bias() };
        let outcome = exchange.solve(p, problem.kinds(), neighbours, run.warm, solution);
        Some(self.look_at((outcome, Outcome::Sets), problem, workspace, solution))
    }

    /// What a lean path has led to: an answer counts if its certificate holds, else what is left of it.
    fn look_at(
        &self,
        (outcome, left): (Outcome, Outcome),
        problem: &Lcp<'_>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Outcome {
        if outcome == Outcome::Solved {
            solution.status = self.judge(problem, Status::Solved, solution);
            if solution.status != Status::Solved || !(solution.certificate.residual <= self.tolerance) {
                return left;
            }
            workspace.pivoting.look_again();
        }
        outcome
    }

    /// The incremental method, with its attempts.
    fn attempt(
        &self,
        problem: &Lcp<'_>,
        p: Dense<'_>,
        run: &mut Run<'_>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Result<(), Error> {
        let Workspace { pivoting, best, deadline, .. } = workspace;
        let given = self.redundancy.map(|limit| [(limit, FLAT_REDUNDANT)]);
        let attempts = given.as_ref().map_or(&ATTEMPTS[..], |one| &one[..]);
        let last = given.is_none().then_some((LAST_ATTEMPT, RAY_REACH * self.tolerance));
        let attempts = attempts.iter().map(|attempt| (*attempt, f64::INFINITY)).chain(last);
        let (mut kept, mut judged, mut enough, mut floored) = (false, false, false, None);
        for (attempt, ((pivot, flat), reach)) in attempts.enumerate() {
            if reach.is_finite() && best.status == Status::Solved && kept {
                break; // as well as can be told
            }
            if attempt > 0 && deadline.passed() {
                break;
            }
            let policy = self.policy.or((attempt > 0).then_some(Policy::MinAccel));
            if attempt > 0 {
                run.warm = None; // the sets given may be what went wrong
            }
            pivoting.load(problem.kinds(), &[]);
            let limits = Limits { pivot, flat, tolerance: self.tolerance, reach };
            let end = match pivoting.solve(p, policy, limits, run) {
                // A negative pivot may be rounding after tiny ones, which the next limits avoid.
                Err(error @ Error::NotPsd { .. }) => {
                    if !judged && indefinite(p.a, problem.len()) {
                        return Err(error);
                    }
                    judged = true;
                    Status::LinearSolveFailed
                }
                other => other?,
            };
            // Only a solve that ended by itself leaves accelerations of its last forces.
            let current = end == Status::Solved && !pivoting.shifted;
            pivoting.hand_over(solution);
            if !current {
                problem.accelerations(&solution.f, &mut solution.a);
            }
            solution.status = self.judge(problem, end, solution);
            if current && self.rounding_counts(p, &solution.certificate) {
                problem.accelerations(&solution.f, &mut solution.a);
                solution.status = self.judge(problem, end, solution);
            }
            let strict = solution.certificate.residual <= self.tolerance;
            if solution.status == Status::Infeasible || solution.status == Status::Solved && strict {
                return Ok(());
            }
            // An answer that only the rounding floor accepts may have needlessly large forces: try on, until the next one of
            // this kind has no smaller ones.
            if solution.status == Status::Solved {
                let scale = solution.certificate.force_scale;
                enough = scale > SMALLER_FORCES * floored.unwrap_or(f64::INFINITY);
                floored = Some(scale);
            }
            if !kept || better(solution, best) {
                best.clone_from(solution);
                kept = true;
            }
            if enough {
                break;
            }
        }
        if problem.len() <= RAY_ROWS && best.status != Status::Solved && !deadline.passed() {
            self.weigh_contradictions(problem, p, run, workspace, solution)?;
        }
        let best = &mut workspace.best;
        let (method, reason) = (solution.method, std::mem::take(&mut solution.reason));
        std::mem::swap(solution, best);
        (solution.method, solution.reason) = (method, reason);
        Ok(())
    }

    /// Decides what no attempt did by how far the demands contradict each other; the best answer so far is in the workspace.
    fn weigh_contradictions(
        &self,
        problem: &Lcp<'_>,
        p: Dense<'_>,
        run: &mut Run<'_>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Result<(), Error> {
        let Workspace { pivoting, best, .. } = workspace;
        let bias = match weigh(problem, p.a, self.tolerance, pivoting) {
            Verdict::Contradiction(ray) => {
                (best.status, best.ray) = (Status::Infeasible, ray);
                return Ok(());
            }
            Verdict::Reconciled(bias) => bias,
            Verdict::Unclear(condition) => {
                best.certificate.condition = best.certificate.condition.max(condition);
                return Ok(());
            }
        };
        pivoting.load(problem.kinds(), &[]);
        run.warm = None;
        let (pivot, flat) = ATTEMPTS[0];
        let limits = Limits { pivot, flat, tolerance: self.tolerance, reach: f64::INFINITY };
        pivoting.solve(Dense { a: p.a, b: &bias }, self.policy, limits, run)?;
        pivoting.hand_over(solution);
        solution.ray.clear();
        problem.accelerations(&solution.f, &mut solution.a);
        solution.status = self.judge(problem, Status::Solved, solution);
        if better(solution, best) {
            best.clone_from(solution);
        }
        Ok(())
    }

    /// Whether nobody asked to see or to set how the rows are driven.
    fn lean(&self, run: &Run<'_>) -> bool {
        self.policy.is_none() && self.redundancy.is_none() && run.trace.is_none()
    }

    /// Whether forces are so large that the order in which accelerations are summed up matters to the certificate.
    fn rounding_counts(&self, p: Dense<'_>, certificate: &Certificate) -> bool {
        let entry = (0..p.b.len()).fold(0.0_f64, |m, i| m.max(p.diagonal(i)));
        let limit = WELL_WITHIN * self.tolerance * certificate.bias_scale;
        f64::EPSILON * entry * certificate.force_scale > limit
    }
}
