//! Answers: forces, accelerations, sets, status, certificate, and what it took.

use crate::{Certificate, Set};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// How a solve ended. On every end `f`, `a` and the certificate are those of the last state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Status {
    /// The certificate is within the tolerance.
    Solved,
    /// There is no solution: [`Solution::ray`] proves it.
    Infeasible,
    /// Rounding decides: the answer is as good as its own rounding allows, but that leaves more than a hundred times the
    /// tolerance, or whether there is one depends on the last digits of the data. [`Certificate::condition`] estimates by how
    /// much errors of the data are enlarged.
    IllConditioned,
    /// The method finished, but its answer misses the tolerance.
    #[default]
    ToleranceMissed,
    /// No row could be improved any more.
    NoProgress,
    /// A linear system could not be solved.
    LinearSolveFailed,
    /// The limit on pivots was reached.
    PivotLimit,
    /// An iterative method, or the friction iteration, ran out of its budget.
    NotConverged,
    /// The time of [`Solver::time_limit`](crate::Solver::time_limit) is over.
    TimeLimit,
}

/// Who answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Method {
    /// Choose by size, sparsity and kinds of rows.
    #[default]
    Auto,
    /// Incremental pivoting with an updated factorization.
    Pivoting,
    /// Block principal pivoting.
    BlockPivoting,
    /// Projected Gauss–Seidel.
    GaussSeidel,
    /// Lemke's complementary pivoting.
    Lemke,
    /// Interior point with crossover.
    InteriorPoint,
    /// Fixed point on the normal forces with a Newton polish, for friction rows.
    Friction,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 7] = [
        Self::Auto,
        Self::Pivoting,
        Self::BlockPivoting,
        Self::GaussSeidel,
        Self::Lemke,
        Self::InteriorPoint,
        Self::Friction,
    ];

    /// The name used in reports and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Pivoting => "pivoting",
            Self::BlockPivoting => "block-pivoting",
            Self::GaussSeidel => "gauss-seidel",
            Self::Lemke => "lemke",
            Self::InteriorPoint => "interior-point",
            Self::Friction => "friction",
        }
    }
}

/// What a solve took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// Changes of the sets.
    pub pivots: usize,
    /// Rows deferred because they were redundant when driven.
    pub rejects: usize,
    /// Steps of length zero.
    pub zero_steps: usize,
    /// Factorizations from scratch.
    pub factorizations: usize,
    /// Steps of iterative refinement.
    pub refinements: usize,
    /// Iterations of an iterative method, or outer steps of a composed one.
    pub iterations: usize,
}

impl Stats {
    /// Adds what a part of the problem took.
    pub(crate) fn add(&mut self, part: &Self) {
        self.pivots += part.pivots;
        self.rejects += part.rejects;
        self.zero_steps += part.zero_steps;
        self.factorizations += part.factorizations;
        self.refinements += part.refinements;
        self.iterations += part.iterations;
    }
}

/// The answer to a problem. Reuse one: its vectors keep their capacity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Solution {
    /// Forces.
    pub f: Vec<f64>,
    /// Accelerations `A f + b`, computed from the inputs.
    pub a: Vec<f64>,
    /// The set each row ended in: hand it back to warm-start the next solve.
    pub sets: Vec<Set>,
    /// How the solve ended.
    pub status: Status,
    /// How good the answer is.
    pub certificate: Certificate,
    /// Rows in the order they were driven.
    pub order: Vec<usize>,
    /// What it took.
    pub stats: Stats,
    /// Who answered.
    pub method: Method,
    /// Why this method was chosen.
    pub reason: Cow<'static, str>,
    /// Share of itself by which each diagonal entry was raised to make the matrix semidefinite: 0 unless
    /// [`Solver::psd_slack`](crate::Solver::psd_slack) was granted and used. Accelerations and certificate are those of the raised
    /// matrix.
    #[serde(default)]
    pub psd_shift: f64,
    /// If infeasible: `v` with `A v ≈ 0`, `v ≥ 0` on unilateral rows, 0 on two-sided bounded ones, `bᵀv < 0`.
    pub ray: Vec<f64>,
}

impl Solution {
    /// How good the answer is.
    #[must_use]
    pub fn certificate(&self) -> Certificate {
        self.certificate
    }

    /// Whether the problem is solved.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.status == Status::Solved
    }

    /// The bound `−bᵀv / (bs ‖v‖₁)` that an infeasibility ray puts under the scaled residual of *every* `f`;
    /// 0 without a ray.
    #[must_use]
    pub fn ray_bound(&self, b: &[f64]) -> f64 {
        let norm: f64 = self.ray.iter().map(|v| v.abs()).sum();
        if norm == 0.0 {
            return 0.0;
        }
        let slope: f64 = self.ray.iter().zip(b).map(|(v, b)| v * b).sum();
        -slope / (self.certificate.bias_scale * norm)
    }

    /// Which set `row` ended in and why; `None` beyond the last row.
    #[must_use]
    pub fn explain(&self, row: usize) -> Option<Explanation> {
        let set = *self.sets.get(row)?;
        Some(Explanation {
            row,
            set,
            f: self.f[row],
            a: self.a[row],
            in_ray: self.ray.get(row).is_some_and(|v| *v != 0.0),
        })
    }

    /// As [`Solution::clear`] for who writes all forces, accelerations and sets.
    pub(crate) fn prepare(&mut self, n: usize) {
        if self.f.len() != n || self.a.len() != n || self.sets.len() != n {
            return self.clear(n);
        }
        self.order.clear();
        self.ray.clear();
        self.stats = Stats::default();
        self.status = Status::default();
        self.psd_shift = 0.0;
    }

    /// Empties the answer and makes room for `n` rows.
    pub(crate) fn clear(&mut self, n: usize) {
        for v in [&mut self.f, &mut self.a] {
            v.clear();
            v.resize(n, 0.0);
        }
        self.sets.clear();
        self.sets.resize(n, Set::Untreated);
        self.order.clear();
        self.ray.clear();
        self.stats = Stats::default();
        self.status = Status::default();
        self.psd_shift = 0.0;
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            out,
            "{:?} by {} in {} pivots, certificate {}",
            self.status,
            self.method.name(),
            self.stats.pivots,
            self.certificate
        )?;
        writeln!(out, "{:>5} {:>22} {:>22}  set", "row", "force", "acceleration")?;
        for (i, ((f, a), set)) in self.f.iter().zip(&self.a).zip(&self.sets).enumerate() {
            writeln!(out, "{i:>5} {f:>22.15e} {a:>22.15e}  {set:?}")?;
        }
        Ok(())
    }
}

/// Where a row stands in an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Explanation {
    /// The row.
    pub row: usize,
    /// Its set.
    pub set: Set,
    /// Its force.
    pub f: f64,
    /// Its acceleration.
    pub a: f64,
    /// Whether it takes part in the proof that there is no solution.
    pub in_ray: bool,
}

impl fmt::Display for Explanation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { row, f, a, .. } = self;
        match self.set {
            Set::Clamped => {
                write!(out, "row {row} is clamped (C): force {f:e} holds its acceleration at zero")?
            }
            Set::Lower => {
                write!(out, "row {row} is at its lower bound (NC): force {f:e}, acceleration {a:e}")?
            }
            Set::Upper => {
                write!(out, "row {row} is at its upper bound (NC): force {f:e}, acceleration {a:e}")?
            }
            Set::Redundant => write!(
                out,
                "row {row} is redundant (R): the clamped rows already determine its acceleration {a:e}"
            )?,
            Set::Untreated => write!(out, "row {row} was never taken up: force {f:e}, acceleration {a:e}")?,
        }
        if self.in_ray {
            write!(out, "; it is one of the rows whose demands contradict each other")?;
        }
        Ok(())
    }
}
