//! The pivoting solver of the recorded runs, kept as it was: absolute limits, a fresh elimination at each
//! pivot, rows deferred when they would make the active matrix singular.
//!
//! It answers `a = A f + b` with bilateral rows (`a = 0`) and unilateral rows (`f ≥ 0, a ≥ 0, f a = 0`) and
//! exists so that recorded simulations can be replayed draw for draw. New work uses the main solver: it is
//! faster, scales the data, and ends in a certificate. Source: the incremental method of [Baraff 1994] with
//! the deferral rules that the recorded engine added.
//!
//! A zero step of the same row twice within one drive defers that row, even with a proper step between the
//! two; only a new drive forgets. [`ZeroSteps`] offers the original rule as well, by which a proper step forgets too.
//! (The main solver counts zero steps and defers none.)

mod drive;
mod select;
mod zero_steps;

pub use zero_steps::ZeroSteps;

use crate::Policy;
use engine2d_math::elimination::Elimination;
use rand_core::Rng;

/// Size below which forces and accelerations count as zero; absolute. Recorded behaviour depends on it.
pub const EPSILON: f64 = 1e-10;

/// Rows of a problem in the form the recorded solver takes.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// `A`, row-major, `n × n`.
    pub a: &'a [f64],
    /// `b`, length `n`: the accelerations without forces.
    pub b: &'a [f64],
    /// For each row: whether it is bilateral (a joint).
    pub joint: &'a [bool],
    /// Which row is driven next.
    pub policy: Policy,
    /// The list for [`Policy::PreOrdered`]; rows not in it are left untreated.
    pub order: Option<&'a [usize]>,
    /// Tolerance of the final check, absolute, in the unit of `b`; `None` checks nothing.
    pub tolerance: Option<f64>,
}

/// How a solve ended, with the recorded codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// Finished, and the final check (if any) passed.
    Finished,
    /// The final check failed, or a drive made no progress with force committed.
    Failed,
    /// The linear solve of a direction failed.
    LinearSolve,
}

impl Code {
    /// The recorded number: −1, −2 or −999999.
    #[must_use]
    pub fn number(self) -> i32 {
        match self {
            Self::Finished => -1,
            Self::Failed => -2,
            Self::LinearSolve => -999_999,
        }
    }
}

/// What a solve did; `f` and [`Solver::accelerations`] hold the last state on every end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// How it ended.
    pub code: Code,
    /// Row selections, the terminating one included; `n × outer_steps` draws were taken by a drawing policy.
    pub outer_steps: usize,
    /// Steps applied.
    pub inner_steps: usize,
    /// How often a row was put off.
    pub rejects: usize,
    /// Whether a configuration came back and ended the treatment.
    pub loop_detected: bool,
}

/// Why a problem could not be taken up, or which invariant of the recorded method broke on it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A slice has the wrong length.
    #[error("{what} has length {got}, expected {expected}")]
    Length {
        /// Which argument.
        what: &'static str,
        /// Its length.
        got: usize,
        /// What it must be.
        expected: usize,
    },
    /// An entry is infinite or not a number.
    #[error("{what}[{index}] is not finite")]
    NonFinite {
        /// Which argument.
        what: &'static str,
        /// Index of the entry.
        index: usize,
    },
    /// [`Policy::PreOrdered`] needs a list.
    #[error("the pre-ordered policy needs a list of rows")]
    MissingOrder,
    /// The list of [`Policy::PreOrdered`] names a row that does not exist.
    #[error("the order names row {row}, but there are {rows} rows")]
    OrderRow {
        /// The row named.
        row: usize,
        /// Number of rows.
        rows: usize,
    },
    /// A row changed sets with more force than the method allows.
    #[error("row {row} leaves a set with force {force:e}, more than rounding explains")]
    Residue {
        /// The row.
        row: usize,
        /// Its force.
        force: f64,
    },
    /// More steps than 1000 per row in one drive.
    #[error("row {row} was driven with {steps} steps without an end")]
    StepLimit {
        /// The driven row.
        row: usize,
        /// Steps taken.
        steps: usize,
    },
}

/// Which set a row is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    /// Neither clamped nor free: untreated or rejected.
    Out,
    /// C: `a = 0`, may carry force.
    Clamped,
    /// NC: `f = 0`.
    Free,
}

/// The solver with its scratch: reuse it and nothing is allocated after the largest problem.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    elimination: Elimination,
    a: Vec<f64>,
    delta_f: Vec<f64>,
    delta_a: Vec<f64>,
    solution: Vec<f64>,
    set: Vec<Set>,
    treated: Vec<bool>,
    rejected: Vec<bool>,
    zero_steps: zero_steps::Record,
    again: Vec<usize>,
    clamped: Vec<usize>,
    extended: Vec<usize>,
    permutation: Vec<usize>,
    visited: Vec<u32>,
    order: Vec<i64>,
    inner_steps: usize,
    rejects: usize,
}

/// Outcome of driving one row.
enum Drive {
    Solved,
    Deferred,
    Failed(Code),
}

/// Stands for row 0 deferred in [`Solver::order`], where −0 would not do.
pub const ROW_ZERO_DEFERRED: i64 = -9999;

impl Solver {
    /// A solver with empty scratch.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets when zero steps are forgotten; without it, as recorded.
    #[must_use]
    pub fn zero_steps(mut self, rule: ZeroSteps) -> Self {
        self.zero_steps.rule = rule;
        self
    }

    /// Solves `problem` for the forces `f` (overwritten). Hybrid and random policies draw exactly `n` numbers
    /// at each selection; a single row is solved directly, without draws and without the final check.
    ///
    /// # Errors
    /// [`Error`]: bad lengths, non-finite data, a missing order; or a broken invariant of the method, in which
    /// case `f` holds the state reached.
    pub fn solve(
        &mut self,
        problem: &Problem<'_>,
        rng: &mut impl Rng,
        f: &mut [f64],
    ) -> Result<Report, Error> {
        validate(problem, f)?;
        let n = problem.b.len();
        self.reset(problem, f);
        if n <= 1 {
            return Ok(self.solve_single(problem, f));
        }
        let mut report =
            Report { code: Code::Finished, outer_steps: 0, inner_steps: 0, rejects: 0, loop_detected: false };
        let mut end = None;
        loop {
            report.outer_steps += 1;
            let Some(d) = self.select(problem, rng) else { break };
            if self.rejected[d] {
                self.again.push(d);
            }
            if self.is_repeated(d) {
                report.loop_detected = true;
                break;
            }
            self.order.push(d as i64);
            match self.drive(problem, f, d)? {
                Drive::Solved => {
                    self.again.clear();
                    self.rejected[d] = false;
                }
                Drive::Deferred => {
                    self.set[d] = Set::Out;
                    self.reject(d);
                    self.order.push(if d == 0 { ROW_ZERO_DEFERRED } else { -(d as i64) });
                }
                Drive::Failed(code) => {
                    end = Some(code);
                    break;
                }
            }
            self.treated[d] = true;
        }
        report.inner_steps = self.inner_steps;
        report.rejects = self.rejects;
        report.code = end.unwrap_or_else(|| match problem.tolerance {
            Some(t) if !check_force_accel(t, f, &self.a, problem.joint) => Code::Failed,
            _ => Code::Finished,
        });
        Ok(report)
    }

    /// The accelerations of the last solve as the method kept them, by increments.
    #[must_use]
    pub fn accelerations(&self) -> &[f64] {
        &self.a
    }

    /// The rows in the order treated; a deferral adds the negated row ([`ROW_ZERO_DEFERRED`] for row 0).
    #[must_use]
    pub fn order(&self) -> &[i64] {
        &self.order
    }

    fn reset(&mut self, problem: &Problem<'_>, f: &mut [f64]) {
        let n = problem.b.len();
        f.fill(0.0);
        self.a.clear();
        self.a.extend_from_slice(problem.b);
        fill(&mut self.delta_f, n, 0.0);
        fill(&mut self.delta_a, n, 0.0);
        fill(&mut self.solution, n, 0.0);
        fill(&mut self.set, n, Set::Out);
        fill(&mut self.treated, n, false);
        fill(&mut self.rejected, n, false);
        self.again.clear();
        self.clamped.clear();
        self.visited.clear();
        self.order.clear();
        self.inner_steps = 0;
        self.rejects = 0;
    }

    /// `n ≤ 1`: closed form, exact zero as the limit.
    fn solve_single(&mut self, problem: &Problem<'_>, f: &mut [f64]) -> Report {
        if let [b] = *problem.b {
            if problem.joint[0] || b < 0.0 {
                let force = -b / problem.a[0];
                f[0] = if force.is_finite() { force } else { 0.0 };
            }
            self.a[0] = problem.a[0] * f[0] + b;
        }
        Report { code: Code::Finished, outer_steps: 0, inner_steps: 0, rejects: 0, loop_detected: false }
    }

    /// Flags `row` as put off.
    fn reject(&mut self, row: usize) {
        self.rejected[row] = true;
        self.rejects += 1;
    }
}

fn fill<T: Clone>(v: &mut Vec<T>, n: usize, value: T) {
    v.clear();
    v.resize(n, value);
}

fn validate(problem: &Problem<'_>, f: &[f64]) -> Result<(), Error> {
    let n = problem.b.len();
    let lengths = [("A", problem.a.len(), n * n), ("joint", problem.joint.len(), n), ("f", f.len(), n)];
    for (what, got, expected) in lengths {
        if got != expected {
            return Err(Error::Length { what, got, expected });
        }
    }
    for (what, values) in [("A", problem.a), ("b", problem.b)] {
        if let Some(index) = values.iter().position(|v| !v.is_finite()) {
            return Err(Error::NonFinite { what, index });
        }
    }
    if problem.policy == Policy::PreOrdered {
        let order = problem.order.ok_or(Error::MissingOrder)?;
        if let Some(&row) = order.iter().find(|&&row| row >= n) {
            return Err(Error::OrderRow { row, rows: n });
        }
    }
    Ok(())
}

/// Whether forces and accelerations satisfy the conditions to the absolute tolerance: `|a| ≤ tolerance` on
/// bilateral rows and rows that carry force, `a ≥ −tolerance` on the others. `NaN` never passes.
#[must_use]
pub fn check_force_accel(tolerance: f64, f: &[f64], a: &[f64], joint: &[bool]) -> bool {
    a.len() >= f.len()
        && f.iter().zip(a).zip(joint).all(|((f, a), joint)| {
            if *joint || f.abs() > EPSILON { a.abs() <= tolerance } else { *a >= -tolerance }
        })
}

/// The largest acceleration that should not be: `|a|` on bilateral rows, `−a` on the others; at least 0.
#[must_use]
pub fn max_unwanted_accel(a: &[f64], joint: &[bool]) -> f64 {
    a.iter().zip(joint).fold(0.0, |worst, (a, joint)| {
        let unwanted = if *joint { a.abs() } else { -a };
        if unwanted > worst { unwanted } else { worst }
    })
}

#[cfg(test)]
mod tests;
