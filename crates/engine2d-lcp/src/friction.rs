//! Problems with Coulomb friction rows: a fixed point on the normal forces, then Newton on the coupled
//! conditions.
//!
//! **Problem.** As the others, with bounds `±μ f_n` of some rows that depend on the answer. **Conditions.** With
//! `b` in the range of the Jacobian a solution exists (the matrix of the equivalent linear complementarity
//! problem is copositive [Stewart, Trinkle 1996]); it need not be unique. **Method.** With the bounds frozen at
//! the last normal forces the problem is a convex one, solved by pivoting [Haslinger; Panagiotopoulos]. Its sets
//! tell which contacts press, stick and slip; with these fixed, the conditions are a linear system without
//! symmetry: one step of the semismooth Newton method, exact if the sets are right. Unless bodies are stacked, sweeps of Gauss–Seidel
//! come first; with sets of an earlier answer Newton does; few rows are left to Lemke's method in the end. **Promise.** None:
//! it ends `Solved` with a certificate, or `NotConverged` with the best point found.
//!
//! Redundant contacts make these systems singular. Each is solved near the point before it, with `ε diag(A)` added (the proximal
//! point method): of its many solutions the nearest one is followed.

mod bodies;
mod by_bodies;
mod changes;
mod contact_sweeps;
mod contacts;
mod continuation;
mod directions;
mod entries;
mod homotopy;
mod interior;
#[cfg(feature = "lemke")]
mod last;
mod newton;
mod path;
mod patience;
mod start;
mod sweeps;
mod window;
mod windows;

use crate::dense::Dense;
use crate::gram::Gram;
use crate::pivoting::{Limits, Pivoting};
use crate::scale::Scales;
use crate::tolerance::{
    DENSE_ROWS, FLAT_REDUNDANT, FRICTION_ADOPT, FRICTION_PATIENCE, FRICTION_ROUNDS, FRICTION_SHARES,
    FRICTION_SHARP, LEMKE_ROWS, NEWTON_STEPS, PROXIMAL, ROUNDED, WELL_WITHIN,
};
use crate::{Certificate, Error, Lcp, Matrix, Row, Run, Set, Solution, SparseRows, Stats, Status};
use bodies::Bodies;
use contacts::Contact;
use engine2d_math::lu::Lu;
use engine2d_math::sparse_lu::SparseLu;
use entries::{accelerations, collect, drop_immovable};
use interior::Cone;
use path::Path;
use start::Goal;
pub(crate) use start::Start;
use window::Windows;

/// Scratch of the friction solver.
#[derive(Clone, Debug, Default)]
pub(crate) struct Friction {
    shifted: Vec<f64>,
    /// The nonzero entries of the matrix.
    rows: SparseRows,
    /// `J M^(-1/2)`, and its products.
    scaled: SparseRows,
    gram: Gram,
    bodies: Bodies,
    contacts: Vec<Contact>,
    cones: Vec<Cone>,
    partner: Vec<Option<u32>>,
    diagonal: Vec<f64>,
    scales: Scales,
    bias: Vec<f64>,
    sets: Vec<Set>,
    f: Vec<f64>,
    /// Normal forces that set the limits of friction.
    limit: Vec<f64>,
    a: Vec<f64>,
    trial: Vec<f64>,
    /// The best trial of a Newton iteration, and the sets it started from.
    kept: Vec<f64>,
    start: Vec<Set>,
    kept_sets: Vec<Set>,
    windows: Windows,
    path: Path,
    /// Solves the windows.
    inner: Option<Box<Friction>>,
    best: Vec<f64>,
    active: Vec<usize>,
    place: Vec<usize>,
    rhs: Vec<f64>,
    /// Share of the diagonal added to the systems of Newton.
    proximal: f64,
    lu: Lu,
    sparse_lu: SparseLu,
    /// What `sparse_lu` was analysed for, and the group of each row there.
    analysed: SparseRows,
    analysed_kinds: Vec<Row>,
    group: Vec<usize>,
    pub(crate) deadline: crate::deadline::Deadline,
}

impl Friction {
    /// Solves a problem of many rows over the entries that are not zero.
    pub(crate) fn solve_sparse(
        &mut self,
        problem: &Lcp<'_>,
        tolerance: f64,
        start: Start<'_>,
        solution: &mut Solution,
    ) -> Status {
        self.scale_rows(problem);
        self.reset(problem, start.forces);
        solution.stats = Stats::default();
        let mut best = f64::INFINITY;
        if let Some(sets) = start.sets {
            self.sets.copy_from_slice(sets);
        }
        if self.load_bodies(problem) {
            let goal = Goal { tolerance, aim: start.aim.unwrap_or(tolerance) };
            self.solve_by_bodies(problem, start.sets.is_some(), goal, &mut best, &mut solution.stats);
        } else {
            let goal = Goal::of(tolerance);
            self.form_rows(problem);
            if start.sets.is_some() {
                self.trial.copy_from_slice(&self.f);
                let reached = self.newton(problem, &[], goal, NEWTON_STEPS, &mut solution.stats);
                self.keep(reached, &mut best);
            }
            if !(best <= tolerance) {
                self.sweep_long(problem, goal, &mut best, &mut solution.stats);
            }
        }
        self.hand_over(problem, tolerance, solution);
        solution.status
    }

    /// Solves a problem whose matrix is given densely as `dense`.
    pub(crate) fn solve(
        &mut self,
        problem: &Lcp<'_>,
        dense: &[f64],
        tolerance: f64,
        start: Start<'_>,
        pivoting: &mut Pivoting,
        solution: &mut Solution,
    ) -> Result<Status, Error> {
        let n = problem.len();
        let goal = Goal { tolerance, aim: start.aim.unwrap_or(tolerance) };
        self.load_dense(dense, n);
        self.reset(problem, start.forces);
        solution.stats = Stats::default();
        let mut best = f64::INFINITY;
        let mut known = false;
        if let Some(warm) = start.sets.filter(|w| w.len() == n) {
            self.sets.copy_from_slice(warm);
            known = true;
            // From step to step the sets are mostly right, or nearly; all digits there are, so that nothing trembles.
            let sharp = Goal { aim: WELL_WITHIN * goal.aim, ..goal };
            self.trial.copy_from_slice(&self.f);
            accelerations(&self.rows, problem.bias(), &self.trial, &mut self.a);
            let same = self.measure(problem, goal);
            self.keep(same, &mut best);
            if !(best <= sharp.aim) {
                let reached = self.newton(problem, &[], sharp, NEWTON_STEPS, &mut solution.stats);
                self.keep(reached, &mut best);
            }
        } else {
            let neighbours = pivoting.look(Dense { a: &self.shifted, b: problem.bias() });
            if !neighbours.narrow {
                let order = &neighbours.sequence;
                known = self.sweep_and_polish(problem, order, goal, &mut best, &mut solution.stats);
                if known {
                    self.limit.copy_from_slice(&self.f);
                } else {
                    self.f.fill(0.0);
                }
            }
            pivoting.look_again();
        }
        for share in FRICTION_SHARES {
            if best <= goal.aim {
                break;
            }
            let start = (std::mem::take(&mut known), share);
            self.iterate(problem, dense, goal, start, pivoting, &mut best, &mut solution.stats)?;
            // Long ways are gone to an answer, not to better its digits.
            if n > DENSE_ROWS || best <= tolerance {
                break;
            }
            #[cfg(feature = "lemke")]
            if share == FRICTION_SHARES[0] && n <= LEMKE_ROWS && !(best <= goal.aim) {
                self.pivot_to_the_end(problem, goal, &mut best, &mut solution.stats);
            }
            self.f.fill(0.0);
            self.limit.fill(0.0);
        }
        self.hand_over(problem, tolerance, solution);
        Ok(solution.status)
    }

    /// The fixed point from the forces and limits there are, and from the sets if they are `known`, `share` of the way to the
    /// new normal forces each round, with a polish each; keeps the best point.
    #[expect(clippy::too_many_arguments, reason = "the state of one solve")]
    fn iterate(
        &mut self,
        problem: &Lcp<'_>,
        dense: &[f64],
        goal: Goal,
        (mut known, share): (bool, f64),
        pivoting: &mut Pivoting,
        best: &mut f64,
        stats: &mut Stats,
    ) -> Result<(), Error> {
        let n = problem.len();
        // Few rows have another way out.
        let patience =
            if cfg!(feature = "lemke") && n <= LEMKE_ROWS { FRICTION_PATIENCE } else { FRICTION_ROUNDS };
        let (mut idle, mut last) = (0, f64::INFINITY);
        for _ in 0..FRICTION_ROUNDS {
            if idle == patience || self.deadline.passed() {
                break;
            }
            stats.iterations += 1;
            for i in 0..n {
                self.bias[i] = problem.bias()[i] - PROXIMAL * dense[i * n + i] * self.f[i];
            }
            pivoting.load(problem.kinds(), &self.limit);
            let mut run = Run { warm: known.then_some(&self.sets[..]), ..Run::default() };
            let p = Dense { a: &self.shifted, b: &self.bias };
            let limits = Limits {
                pivot: PROXIMAL * 1e-3,
                flat: FLAT_REDUNDANT,
                tolerance: goal.aim,
                reach: f64::INFINITY,
            };
            pivoting.solve(p, None, limits, &mut run)?;
            known = true;
            self.sets.copy_from_slice(&pivoting.sets);
            self.f.copy_from_slice(&pivoting.f);
            self.limit.iter_mut().zip(&self.f).for_each(|(limit, f)| *limit += share * (f - *limit));
            stats.pivots += pivoting.stats.pivots;
            accelerations(&self.rows, problem.bias(), &self.f, &mut self.a);
            self.trial.copy_from_slice(&self.f);
            let reached = self.measure(problem, goal);
            self.keep(reached, best);
            if *best <= goal.aim * 1e-2 {
                break;
            }
            let polished = self.newton(problem, pivoting.sequence(), goal, NEWTON_STEPS, stats);
            self.keep(polished, best);
            if *best <= goal.aim {
                break;
            }
            if *best <= FRICTION_SHARP && *best < 0.5 * last {
                self.kept_sets.clone_from(&self.sets);
                self.sharpen(problem, goal, best, stats);
                self.sets.clone_from(&self.kept_sets);
                if *best <= goal.aim {
                    break;
                }
            }
            idle += 1;
            if *best < 0.5 * last {
                (idle, last) = (0, *best);
            }
            if polished < FRICTION_ADOPT * reached {
                self.f.copy_from_slice(&self.trial);
                self.limit.copy_from_slice(&self.trial);
                accelerations(&self.rows, problem.bias(), &self.trial, &mut self.a);
                self.update_sets(problem);
            }
        }
        Ok(())
    }

    /// The violation that decides about the forces `trial` with their accelerations; far from a solution and well within the
    /// aim the plain one, which is cheap.
    fn measure(&mut self, problem: &Lcp<'_>, Goal { tolerance, aim }: Goal) -> f64 {
        let Self { trial, a, scales, .. } = self;
        let plain = Certificate::of_accelerations(problem, trial, a, f64::INFINITY).excess;
        if plain > ROUNDED * tolerance || plain <= WELL_WITHIN * aim {
            return plain;
        }
        let judged = Certificate::of_accelerations_with(problem, trial, a, tolerance, scales).excess;
        // What rounding excuses is enough, but no reason to stop where a step more has its digits.
        judged.max(plain.min(tolerance))
    }

    /// Keeps `trial`, whose certificate is given, if it is better than the best point before.
    fn keep(&mut self, certificate: f64, best: &mut f64) {
        if certificate < *best {
            *best = certificate;
            self.best.copy_from_slice(&self.trial);
        }
    }

    /// Takes over the diagonal and, if there is a Jacobian, its rows in the unit of the masses.
    fn scale_rows(&mut self, problem: &Lcp<'_>) {
        let Self { scaled, diagonal, .. } = self;
        if let Matrix::Jacobian { jacobian, inverse_mass, .. } = problem.matrix() {
            scaled.start.clone_from(&jacobian.start);
            scaled.column.clone_from(&jacobian.column);
            scaled.value.clear();
            let entries = jacobian.column.iter().zip(&jacobian.value);
            scaled.value.extend(entries.map(|(&c, v)| v * inverse_mass[c].sqrt()));
            drop_immovable(scaled, inverse_mass);
        }
        diagonal.clear();
        diagonal.resize(problem.len(), 0.0);
        problem.matrix().diagonal(diagonal);
    }

    /// Takes over the entries that are not zero of a matrix that is not given densely, from the scaled rows if there are.
    fn form_rows(&mut self, problem: &Lcp<'_>) {
        let Self { rows, scaled, gram, .. } = self;
        match problem.matrix() {
            Matrix::Jacobian { inverse_mass, compliance, .. } => {
                gram.form(scaled, inverse_mass.len());
                std::mem::swap(rows, &mut gram.product);
                for (i, soft) in compliance.iter().enumerate() {
                    let range = rows.start[i]..rows.start[i + 1];
                    if let Ok(place) = rows.column[range.clone()].binary_search(&i) {
                        rows.value[range.start + place] += soft;
                    }
                }
            }
            Matrix::Sparse(a) => rows.clone_from(a),
            Matrix::Dense(a) => collect(a, problem.len(), rows),
        }
    }

    /// Takes over a matrix given densely.
    fn load_dense(&mut self, dense: &[f64], n: usize) {
        self.shifted.clear();
        self.shifted.extend_from_slice(dense);
        self.diagonal.clear();
        self.diagonal.extend((0..n).map(|i| dense[i * n + i]));
        for i in 0..n {
            self.shifted[i * n + i] *= 1.0 + PROXIMAL;
        }
        collect(dense, n, &mut self.rows);
    }

    /// Makes room, and starts from the given forces, else from none.
    fn reset(&mut self, problem: &Lcp<'_>, forces: Option<&[f64]>) {
        let n = problem.len();
        self.proximal = PROXIMAL;
        for v in [
            &mut self.bias,
            &mut self.limit,
            &mut self.f,
            &mut self.a,
            &mut self.trial,
            &mut self.best,
            &mut self.rhs,
        ] {
            v.clear();
            v.resize(n, 0.0);
        }
        self.sets.clear();
        self.sets.resize(n, Set::Untreated);
        if let Some(forces) = forces {
            self.f.copy_from_slice(forces);
            self.limit.copy_from_slice(forces);
        }
    }

    /// Fills the solution with the best point and the sets it shows.
    fn hand_over(&mut self, problem: &Lcp<'_>, tolerance: f64, solution: &mut Solution) {
        let n = problem.len();
        for (target, source) in [(&mut solution.f, &self.best), (&mut solution.a, &self.a)] {
            target.clear();
            target.extend_from_slice(source);
        }
        solution.certificate = Certificate::compute(problem, &solution.f, tolerance, &mut solution.a);
        solution.status =
            if solution.certificate.holds(tolerance) { Status::Solved } else { Status::NotConverged };
        solution.sets.clear();
        for i in 0..n {
            let normal = problem.kinds()[i].normal().map_or(0.0, |normal| solution.f[normal]);
            let (lo, hi) = problem.kinds()[i].bounds(normal);
            let f = solution.f[i];
            solution.sets.push(if f > lo && f < hi {
                Set::Clamped
            } else if f <= lo {
                Set::Lower
            } else {
                Set::Upper
            });
        }
        solution.order.clear();
        solution.ray.clear();
    }
}
