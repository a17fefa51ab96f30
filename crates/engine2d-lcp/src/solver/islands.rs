//! A sparse problem island by island: what nothing links is solved apart, each island by the method that suits it.
//!
//! A heap of bodies is mostly many small islands: bodies touch a few others, and what does not move links none. An
//! island that is at rest with the forces nearest to zero needs no solver at all. Problems with friction rows too: what
//! an island does not solve leaves the others solved.

#[cfg(feature = "sparse")]
use super::ForceSelection;
use super::{Run, Solver, Workspace};
use crate::friction::Start;
use crate::partition::Partition;
use crate::problem::Part;
use crate::{Certificate, Error, Lcp, Row, Set, Solution, Stats, Status};
use std::borrow::Cow;

/// The islands of a problem, and one of them with its answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Islands {
    /// Whether the problems are known to be of one island each.
    single: bool,
    partition: Partition,
    part: Part,
    answer: Solution,
    motion: Vec<f64>,
    /// What is known of the sets and forces of an island.
    sets: Vec<Set>,
    forces: Vec<f64>,
}

impl Workspace {
    /// Takes its problems for those of one island each, which is not looked at again.
    pub(crate) fn expect_one_island(&mut self) {
        self.islands.single = true;
    }
}

#[cfg(feature = "sparse")]
impl Solver {
    /// Solves island by island; `false` if there is only one, or if the answer is not certified: then nothing is said about
    /// the problem.
    pub(super) fn by_islands(
        &self,
        problem: &Lcp<'_>,
        start: Start<'_>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Result<bool, Error> {
        let apart =
            self.forces == ForceSelection::Any && !matches!(problem.matrix(), crate::Matrix::Dense(_));
        if !apart || workspace.islands.single {
            return Ok(false);
        }
        let mut islands = std::mem::take(&mut workspace.islands);
        islands.partition.find(problem.matrix(), problem.kinds(), problem.len());
        let solved = if islands.partition.len() > 1 {
            self.each_island(problem, start, &mut islands, workspace, solution)
        } else {
            Ok(false)
        };
        workspace.islands = islands;
        solved
    }

    fn each_island(
        &self,
        problem: &Lcp<'_>,
        start: Start<'_>,
        islands: &mut Islands,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Result<bool, Error> {
        let Islands { partition, part, answer, motion, sets, forces, .. } = islands;
        solution.clear(problem.len());
        let (mut stats, mut most) = (Stats::default(), 0);
        for k in 0..partition.len() {
            let rows = partition.rows(k);
            if leave_at_rest(problem, rows, solution) {
                continue;
            }
            let Some(part) = part.take(problem, rows) else { return Ok(false) };
            if workspace.deadline.passed() {
                return Ok(false);
            }
            let known = start.of(rows, sets, forces);
            let mut again = Run { warm: known.sets, ..Run::default() };
            let mut status = self.run_within(part, &mut again, workspace, answer)?;
            if status == Status::Infeasible {
                // Rounding may feign a contradiction among nearly redundant rows: ask the other method too.
                let proof = answer.clone();
                let interior = &mut workspace.interior;
                status = crate::interior_point::solve(part, self.tolerance, None, false, interior, answer)?;
                if !(status == Status::Solved && self.rounded(answer)) {
                    (*answer, status) = (proof, Status::Infeasible);
                }
            }
            stats.add(&answer.stats);
            if rows.len() > most {
                (most, solution.method) = (rows.len(), answer.method);
            }
            spread(answer, rows, solution);
            match status {
                Status::Solved => {}
                Status::Infeasible => {
                    // One island without a solution: neither has the whole.
                    solution.ray.clear();
                    solution.ray.resize(problem.len(), 0.0);
                    rows.iter().zip(&answer.ray).for_each(|(&i, v)| solution.ray[i] = *v);
                }
                _ => return Ok(false),
            }
        }
        solution.stats = stats;
        solution.certificate =
            Certificate::compute_with(problem, &solution.f, self.tolerance, &mut solution.a, motion);
        solution.status = if !solution.ray.is_empty() {
            Status::Infeasible
        } else if solution.certificate.holds(self.tolerance) {
            Status::Solved
        } else {
            return Ok(false);
        };
        solution.reason = Cow::Borrowed("many rows in islands of few");
        Ok(true)
    }
}

impl Solver {
    /// Solves a problem with friction rows island by island; `false` if there is only one.
    pub(super) fn friction_by_islands(
        &self,
        problem: &Lcp<'_>,
        start: Start<'_>,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Result<bool, Error> {
        if workspace.islands.single {
            return Ok(false);
        }
        let mut islands = std::mem::take(&mut workspace.islands);
        islands.partition.find(problem.matrix(), problem.kinds(), problem.len());
        let apart = islands.partition.len() > 1;
        let end = if apart {
            self.each_with_friction(problem, start, &mut islands, workspace, solution)
        } else {
            Ok(())
        };
        workspace.islands = islands;
        end.map(|()| apart)
    }

    fn each_with_friction(
        &self,
        problem: &Lcp<'_>,
        start: Start<'_>,
        islands: &mut Islands,
        workspace: &mut Workspace,
        solution: &mut Solution,
    ) -> Result<(), Error> {
        let Islands { partition, part, answer, motion, sets, forces, .. } = islands;
        solution.clear(problem.len());
        let mut stats = Stats::default();
        for k in 0..partition.len() {
            let rows = partition.rows(k);
            if leave_at_rest(problem, rows, solution) {
                continue;
            }
            let Some(part) = part.take(problem, rows) else { continue };
            if workspace.deadline.passed() {
                break;
            }
            let known = start.of(rows, sets, forces);
            if part.has_friction() {
                self.solve_friction(part, known, workspace, answer)?;
            } else {
                self.run_within(part, &mut Run { warm: known.sets, ..Run::default() }, workspace, answer)?;
            }
            stats.add(&answer.stats);
            spread(answer, rows, solution);
        }
        solution.stats = stats;
        solution.certificate =
            Certificate::compute_with(problem, &solution.f, self.tolerance, &mut solution.a, motion);
        solution.status =
            if solution.certificate.holds(self.tolerance) { Status::Solved } else { Status::NotConverged };
        solution.reason = Cow::Borrowed("there are friction rows, in islands");
        Ok(())
    }
}

/// Whether an island needs no force.
pub(crate) fn at_rest(problem: &Lcp<'_>, rows: &[usize]) -> bool {
    rows.iter().all(|&i| resting(problem.kinds()[i], problem.bias()[i]).is_some())
}

/// Gives the rows of an island their sets if it is at rest without forces; whether it is.
pub(crate) fn leave_at_rest(problem: &Lcp<'_>, rows: &[usize], solution: &mut Solution) -> bool {
    let all = at_rest(problem, rows);
    if all {
        let set = |i: usize| resting(problem.kinds()[i], problem.bias()[i]).unwrap_or_default();
        rows.iter().for_each(|&i| solution.sets[i] = set(i));
    }
    all
}

/// Takes the answer of an island over.
pub(crate) fn spread(answer: &Solution, rows: &[usize], solution: &mut Solution) {
    for (&i, (f, set)) in rows.iter().zip(answer.f.iter().zip(&answer.sets)) {
        (solution.f[i], solution.sets[i]) = (*f, *set);
    }
}

/// The set of a row that no force moves and that is satisfied without one of its own.
fn resting(kind: Row, b: f64) -> Option<Set> {
    let (lo, hi) = kind.bounds(0.0);
    if lo == 0.0 && b >= 0.0 {
        Some(Set::Lower)
    } else if hi == 0.0 && b <= 0.0 {
        Some(Set::Upper)
    } else {
        (lo < 0.0 && 0.0 < hi && b == 0.0).then_some(Set::Clamped)
    }
}
