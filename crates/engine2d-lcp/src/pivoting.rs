//! The pivoting solver: one row at a time is driven to zero acceleration while the clamped rows hold theirs.
//!
//! **Problem.** Find `f` within the bounds with `a = A f + b`, `a = 0` inside them, `a ≥ 0` at the lower and
//! `a ≤ 0` at the upper one; `A` symmetric positive semidefinite. **Method.** Baraff's [Baraff 1994], with one
//! change: an accepted row at a bound does not block the drive. If the drive made it unacceptable, it is taken
//! up again later, as in the dual method of [Goldfarb, Idnani 1983]. **Promise.** `½ fᵀA f + bᵀf` decreases
//! strictly with each completed drive, and on each choice of sets it has one minimum, so no choice comes
//! back: the method ends, without a rule against cycling, whatever the ties and zero steps. It ends in a
//! solution or in a ray `A v = 0`, `bᵀv < 0` that proves there is none. **In rounding**: a limit on pivots.
//!
//! The factorization `A_CC = L D Lᵀ` is kept up to date. Each test of a pivot is relative to the diagonal entry
//! `A_dd`, each test of a slope to `√A_dd`: this is what scaling the problem by `1/√A_ii` on both sides would
//! do, without doing it.

mod contradiction;
mod drive;
mod finish;
mod join;
mod select;
mod start;

use crate::deadline::Deadline;
use crate::dense::Dense;
use crate::neighbours::Neighbours;
use crate::problem::Matrix;
use crate::scale::Scales;
use crate::tolerance::{ACCEPTABLE, PIVOTS_PER_ROW, RECONCILED, UNIFORM};
use crate::{Error, Pivot, Policy, Reason, Row, Run, Set, Stats, Status, Trace};
use engine2d_math::ldlt::UpdatableLdlt;
use std::borrow::Cow;

/// State and scratch of the pivoting solver.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pivoting {
    pub(crate) lo: Vec<f64>,
    pub(crate) hi: Vec<f64>,
    pub(crate) f: Vec<f64>,
    pub(crate) a: Vec<f64>,
    pub(crate) sets: Vec<Set>,
    /// C in the order of the factorization.
    pub(crate) clamped: Vec<usize>,
    pub(crate) order: Vec<usize>,
    pub(crate) ray: Vec<f64>,
    pub(crate) stats: Stats,
    pub(crate) factor: UpdatableLdlt,
    /// The next factorization, while it is made, and the place of each row in it.
    spare: UpdatableLdlt,
    rank: Vec<usize>,
    /// Entries of the factor when it was last in the cheap order.
    tidy: usize,
    forwarded: Vec<f64>,
    direction: Vec<f64>,
    permutation: Vec<usize>,
    pub(crate) neighbours: Neighbours,
    /// Whether they are those of the next problem already.
    looked: bool,
    guessed: Vec<Set>,
    treated: Vec<bool>,
    remaining: Vec<f64>,
    partial: Vec<f64>,
    /// Products of the null vectors of redundant bilateral rows.
    gram: UpdatableLdlt,
    /// Rows to be driven next.
    candidates: Vec<usize>,
    /// How often rows were taken into C together.
    joins: usize,
    /// Whether a policy asks for one row at a time.
    single: bool,
    redundant: usize,
    /// `b`, or `b` shifted within the tolerance along rows whose demands contradict each other by less.
    bias: Vec<f64>,
    bias_scale: f64,
    /// The scales of the rows, where they matter: found when first asked for.
    scales: Scales,
    scaled: bool,
    /// Whether one scale is good enough to tell which rows need driving.
    uniform: bool,
    tolerance: f64,
    /// Whether `bias` differs from `b`.
    pub(crate) shifted: bool,
    /// Pivot, relative to the diagonal, at which a row counts as redundant.
    threshold: f64,
    /// Component of a redundant row's direction that counts as rounding.
    flat_redundant: f64,
    /// See [`Limits::reach`].
    reach: f64,
    traced: bool,
    /// When to give up.
    pub(crate) deadline: Deadline,
}

/// When rows count as dependent, and how far an answer may miss its conditions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Pivot, relative to the diagonal entry, at which a row counts as a combination of the clamped ones.
    pub(crate) pivot: f64,
    /// Component of a redundant row's direction that counts as rounding.
    pub(crate) flat: f64,
    /// Relative violation that counts as solved.
    pub(crate) tolerance: f64,
    /// Largest step of a redundant row, as a multiple of that whose own rounding moves it by the largest bias: further off,
    /// nothing that could be certified blocks.
    pub(crate) reach: f64,
}

/// What became of a drive.
enum Driven {
    Done,
    /// The row is a combination of C and nothing blocks: it cannot be changed.
    Stuck,
}

impl Pivoting {
    /// Takes over bounds and starting forces; `false` for rows that cannot have any force other than their bound.
    pub(crate) fn load(&mut self, rows: &[Row], normal_forces: &[f64]) {
        let n = rows.len();
        for v in [&mut self.lo, &mut self.hi, &mut self.f] {
            v.clear();
            v.reserve(n);
        }
        for row in rows {
            let normal = row.normal().map_or(0.0, |normal| normal_forces[normal]);
            let (lo, hi) = row.bounds(normal);
            self.lo.push(lo);
            self.hi.push(hi);
            self.f.push(0.0_f64.clamp(lo, hi));
        }
    }

    /// Looks at who meets whom in a problem, once: before its first [`Pivoting::solve`].
    pub(crate) fn look(&mut self, p: Dense<'_>) -> &Neighbours {
        self.neighbours.find(p);
        self.looked = true;
        &self.neighbours
    }

    /// As [`Pivoting::look`] for a matrix that is not formed; nothing where it has to be.
    pub(crate) fn look_unformed(&mut self, matrix: &Matrix<'_>) -> Option<&Neighbours> {
        self.looked = self.neighbours.find_unformed(matrix);
        self.looked.then_some(&self.neighbours)
    }

    /// Forgets what [`Pivoting::look`] saw.
    pub(crate) fn look_again(&mut self) {
        self.looked = false;
    }

    /// Solves from the bounds loaded before. Leaves forces, accelerations and sets behind.
    pub(crate) fn solve(
        &mut self,
        p: Dense<'_>,
        policy: Option<Policy>,
        limits: Limits,
        run: &mut Run<'_>,
    ) -> Result<Status, Error> {
        (self.threshold, self.flat_redundant, self.tolerance) = (limits.pivot, limits.flat, limits.tolerance);
        self.reach = limits.reach;
        self.reset(p);
        if !std::mem::take(&mut self.looked) {
            self.neighbours.find(p);
        }
        self.single = policy.is_some();
        if let Some(warm) = run.warm {
            self.start_from(p, warm, &mut run.trace)?;
        } else if policy.is_none() && self.neighbours.narrow && self.lo.iter().all(|lo| lo.is_finite()) {
            // In a stack nearly everything carries force, and its factor costs next to nothing.
            let mut all = std::mem::take(&mut self.guessed);
            all.clear();
            all.resize(p.b.len(), Set::Clamped);
            self.start_from(p, &all, &mut run.trace)?;
            self.guessed = all;
        } else {
            self.start_bilateral(p, &mut run.trace)?;
        }
        let limit = PIVOTS_PER_ROW * (p.b.len() + 2);
        match policy {
            None => self.sweep(p, run)?,
            Some(policy) => self.treat(p, policy, run)?,
        }
        loop {
            if let Some(status) = self.settle(p, limit, run)? {
                return Ok(status);
            }
        }
    }

    /// The cheap order of rows of the last problem; empty if it is that of their numbers.
    pub(crate) fn sequence(&self) -> &[usize] {
        &self.neighbours.sequence
    }

    fn reset(&mut self, p: Dense<'_>) {
        let n = p.b.len();
        for v in [&mut self.a, &mut self.bias] {
            v.clear();
            v.extend_from_slice(p.b);
        }
        self.sets.clear();
        self.sets.resize(n, Set::Untreated);
        for v in [&mut self.forwarded, &mut self.direction] {
            v.clear();
            v.resize(n, 0.0);
        }
        self.clamped.clear();
        self.order.clear();
        self.ray.clear();
        self.factor.reset(n);
        self.stats = Stats::default();
        self.redundant = 0;
        self.shifted = false;
        self.joins = 0;
        self.tidy = 0;
        self.bias_scale = p.b.iter().fold(1.0, |m, b| if b.abs() > m { b.abs() } else { m });
        self.scaled = false;
        self.uniform = self.bias_scale <= UNIFORM;
        if !self.uniform {
            self.measure_rows(p);
        }
        #[cfg(feature = "trace")]
        {
            self.traced = tracing::enabled!(tracing::Level::TRACE);
        }
    }

    /// Finds the scales of the rows.
    fn measure_rows(&mut self, p: Dense<'_>) {
        if !self.scaled {
            self.scales.find(&Matrix::Dense(Cow::Borrowed(p.a)), &[], p.b);
            self.scaled = true;
        }
    }

    /// Unwanted acceleration of row `i` that is left alone. Once demands had to be reconciled, a share of the tolerance: smaller
    /// rests of their contradiction would be passed on from row to row.
    #[inline]
    fn acceptable(&self, i: usize) -> f64 {
        if self.shifted {
            return self.scales.bias[i] * ACCEPTABLE.max(RECONCILED * self.tolerance);
        }
        ACCEPTABLE * if self.uniform { self.bias_scale } else { self.scales.bias[i] }
    }

    /// Reports a pivot to the observer and to `tracing`.
    #[inline]
    fn report(&mut self, trace: &mut Option<&mut dyn Trace>, row: usize, reason: Reason, step: f64) {
        self.stats.pivots += 1;
        if self.traced || trace.is_some() {
            let others = self.sets.len() - self.clamped.len() - self.redundant;
            let pivot =
                Pivot { row, reason, step, clamped: self.clamped.len(), redundant: self.redundant, others };
            #[cfg(feature = "trace")]
            if self.traced {
                tracing::trace!(
                    row,
                    ?reason,
                    step,
                    clamped = pivot.clamped,
                    redundant = pivot.redundant,
                    "pivot"
                );
            }
            if let Some(trace) = trace {
                trace.pivot(&pivot);
            }
        }
    }

    /// Moves the result into `solution` by exchanging buffers: nothing is copied or allocated.
    pub(crate) fn hand_over(&mut self, solution: &mut crate::Solution) {
        std::mem::swap(&mut solution.f, &mut self.f);
        std::mem::swap(&mut solution.a, &mut self.a);
        std::mem::swap(&mut solution.sets, &mut self.sets);
        std::mem::swap(&mut solution.order, &mut self.order);
        std::mem::swap(&mut solution.ray, &mut self.ray);
        solution.stats = self.stats;
    }
}
