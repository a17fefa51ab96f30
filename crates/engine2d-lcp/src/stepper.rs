//! One problem from step to step: numbers change, the pattern stays, and everything known of the last answer is used.
//!
//! **What is kept.** Each island of the problem has its own scratch, so that the order of elimination, its analysis and the last
//! factorization stay, and starts from its own last sets and forces. **At rest** (values and sets as before) a step is a check
//! and triangular solves with the factorization at hand; after a change of the values it is one factorization if the sets are
//! right. **Which forces.** Where there are several answers, the nearest to the last one is followed: the hysteresis of static
//! friction, and the same bits from the same history. With the feature `parallel` islands are solved side by side; the bits are
//! the same for any number of threads, as islands know nothing of each other.

use crate::partition::Partition;
use crate::problem::Part;
use crate::solver::{leave_at_rest, spread};
use crate::{Certificate, Error, Lcp, Method, Run, Set, Solution, Solver, Stats, Status, Workspace};
use std::borrow::Cow;

/// A problem that is solved again and again with other numbers, as a simulation does in each step.
///
/// ```
/// use engine2d_lcp::{Lcp, Row, SparseRows, Stepper};
///
/// // A block of mass 2 on the ground, pushed ever harder: rows of its contact, normal and tangent.
/// let jacobian = SparseRows { start: vec![0, 1, 2], column: vec![1, 0], value: vec![1.0, 1.0] };
/// let rows = [Row::Unilateral, Row::Friction { normal: 0, mu: 0.5 }];
/// let problem = Lcp::jacobian(jacobian, vec![0.5, 0.5], vec![-10.0, 0.0])?.rows(rows)?;
/// let mut stepper = Stepper::new(problem);
/// for push in [0.0, 4.0, 6.0] {
///     stepper.set_bias(&[-10.0, push])?;
///     let solution = stepper.solve()?;
///     assert!(solution.is_solved());
///     let slides = push > 0.5 * 10.0;
///     assert_eq!(solution.a[1] > 0.1, slides);
/// }
/// # Ok::<(), engine2d_lcp::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stepper {
    problem: Lcp<'static>,
    solver: Solver,
    partition: Partition,
    islands: Vec<Island>,
    solution: Solution,
    /// Whether `solution` is an answer to start from.
    known: bool,
    motion: Vec<f64>,
}

/// Rows beside those of the largest island from which islands are solved side by side: fewer are solved sooner, a row in about a
/// microsecond, than another thread wakes for them.
#[cfg(feature = "parallel")]
const SIDE_BY_SIDE: usize = 64;

/// The rows of an island with what is known of it.
#[derive(Clone, Debug, Default)]
struct Island {
    rows: Vec<usize>,
    part: Part,
    workspace: Workspace,
    answer: Solution,
    sets: Vec<Set>,
    forces: Vec<f64>,
    /// Whether it needs no force.
    rests: bool,
    failed: Option<Error>,
}

impl Stepper {
    /// A stepper with the default settings of [`Solver::auto`].
    #[must_use]
    pub fn new(problem: Lcp<'static>) -> Self {
        Self::with(problem, Solver::auto())
    }

    /// A stepper with a solver's settings: its tolerance, slack and label count, orders and selections of forces do too where
    /// they apply.
    #[must_use]
    pub fn with(problem: Lcp<'static>, solver: Solver) -> Self {
        Self {
            problem,
            solver,
            partition: Partition::default(),
            islands: Vec::new(),
            solution: Solution::default(),
            known: false,
            motion: Vec::new(),
        }
    }

    /// The problem with its present numbers.
    #[must_use]
    pub fn problem(&self) -> &Lcp<'static> {
        &self.problem
    }

    /// The last answer; empty before the first.
    #[must_use]
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    /// Replaces `b`, one number for each row.
    ///
    /// # Errors
    /// As [`Lcp::set_bias`].
    pub fn set_bias(&mut self, b: &[f64]) -> Result<(), Error> {
        self.problem.set_bias(b)
    }

    /// Replaces the stored entries of `J` or `A`, in the same pattern.
    ///
    /// # Errors
    /// As [`Lcp::set_values`].
    pub fn set_values(&mut self, values: &[f64]) -> Result<(), Error> {
        self.problem.set_values(values)
    }

    /// Replaces the inverse masses.
    ///
    /// # Errors
    /// As [`Lcp::set_inverse_masses`].
    pub fn set_inverse_masses(&mut self, values: &[f64]) -> Result<(), Error> {
        self.problem.set_inverse_masses(values)
    }

    /// Replaces the coefficients of friction: one for each row of kind `Friction` or `Sliding`, in the order of the rows.
    ///
    /// # Errors
    /// As [`Lcp::set_friction`].
    pub fn set_friction(&mut self, mu: &[f64]) -> Result<(), Error> {
        self.problem.set_friction(mu)
    }

    /// Takes another problem, of another pattern: what is known of the last answer is forgotten, the settings stay.
    pub fn set_problem(&mut self, problem: Lcp<'static>) {
        self.problem = problem;
        self.known = false;
    }

    /// Starts the next step from these sets and forces, for instance those of persistent contacts after the pattern has changed.
    ///
    /// # Errors
    /// [`Error::Dimension`], [`Error::NonFinite`].
    pub fn start_from(&mut self, sets: &[Set], forces: &[f64]) -> Result<(), Error> {
        let n = self.problem.len();
        crate::problem::check_length("sets", sets.len(), n)?;
        crate::problem::check_length("forces", forces.len(), n)?;
        crate::problem::check_numbers("forces", forces)?;
        self.solution.clear(n);
        self.solution.sets.copy_from_slice(sets);
        self.solution.f.copy_from_slice(forces);
        self.known = true;
        Ok(())
    }

    /// Forgets the last answer: the next step is a cold one.
    pub fn forget(&mut self) {
        self.known = false;
    }

    /// Solves for the present numbers.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn solve(&mut self) -> Result<&Solution, Error> {
        self.divide();
        let Self { problem, solver, islands, solution, known, motion, .. } = self;
        let start = known.then_some((&solution.sets[..], &solution.f[..]));
        each(islands, |island| island.solve(problem, solver, start));
        solution.clear(problem.len());
        let (mut stats, mut status) = (Stats::default(), Status::Solved);
        let mut most = 0;
        for island in islands.iter_mut() {
            if let Some(error) = island.failed.take() {
                *known = false;
                return Err(error);
            }
            if island.rests {
                leave_at_rest(problem, &island.rows, solution);
                continue;
            }
            let answer = &island.answer;
            stats.add(&answer.stats);
            spread(answer, &island.rows, solution);
            if island.rows.len() > most {
                (most, solution.method) = (island.rows.len(), answer.method);
            }
            if answer.status == Status::Infeasible {
                solution.ray.clear();
                solution.ray.resize(problem.len(), 0.0);
                island.rows.iter().zip(&answer.ray).for_each(|(&i, v)| solution.ray[i] = *v);
            }
            status = worse(status, answer.status);
        }
        solution.stats = stats;
        solution.reason = Cow::Borrowed("island by island, from the last answer");
        solution.certificate =
            Certificate::compute_with(problem, &solution.f, solver.allowed(), &mut solution.a, motion);
        let missed = status == Status::Solved && !solution.certificate.holds(solver.allowed());
        solution.status = if missed { Status::ToleranceMissed } else { status };
        // Even where it is no answer it is the nearest point known, unless there is none at all.
        *known = solution.status != Status::Infeasible;
        Ok(solution)
    }

    /// Finds the islands; those with the same rows as before keep what is known of them.
    fn divide(&mut self) {
        let Self { problem, partition, islands, .. } = self;
        partition.find(problem.matrix(), problem.kinds(), problem.len());
        islands.resize_with(partition.len(), Island::default);
        for (k, island) in islands.iter_mut().enumerate() {
            if island.rows != partition.rows(k) {
                island.rows.clear();
                island.rows.extend_from_slice(partition.rows(k));
            }
        }
    }
}

impl Island {
    fn solve(&mut self, whole: &Lcp<'_>, solver: &Solver, start: Option<(&[Set], &[f64])>) {
        let Self { rows, part, workspace, answer, sets, forces, rests, failed } = self;
        *rests = crate::solver::at_rest(whole, rows);
        if *rests {
            return;
        }
        let Some(part) = part.take(whole, rows) else {
            *failed =
                Some(Error::Unsupported { solver: Method::Auto.name(), what: "rows linked across islands" });
            return;
        };
        let mut run = Run::default();
        if let Some((all, f)) = start {
            sets.clear();
            sets.extend(rows.iter().map(|&i| all[i]));
            forces.clear();
            forces.extend(rows.iter().map(|&i| f[i]));
            (run.warm, run.forces) = (Some(&sets[..]), Some(&forces[..]));
        }
        workspace.expect_one_island();
        let solver = solver.of_rows(whole, rows);
        *failed = solver.and_then(|solver| solver.run(part, &mut run, workspace, answer)).err();
    }
}

/// Calls for each island, side by side with the feature `parallel` where there are threads and enough to do for them.
fn each(islands: &mut [Island], solve: impl Fn(&mut Island) + Sync + Send) {
    #[cfg(feature = "parallel")]
    if islands.len() > 1 && rayon::current_num_threads() > 1 && besides_largest(islands) >= SIDE_BY_SIDE {
        use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};
        islands.par_iter_mut().for_each(solve);
        return;
    }
    islands.iter_mut().for_each(solve);
}

/// Rows of all islands but the largest.
#[cfg(feature = "parallel")]
fn besides_largest(islands: &[Island]) -> usize {
    let rows = || islands.iter().map(|island| island.rows.len());
    rows().sum::<usize>() - rows().max().unwrap_or(0)
}

/// The status of two islands together: no answer of one is none of the whole.
fn worse(a: Status, b: Status) -> Status {
    match (a, b) {
        (Status::Infeasible, _) | (_, Status::Infeasible) => Status::Infeasible,
        (Status::Solved, other) | (other, _) => other,
    }
}

#[cfg(test)]
mod tests;
