//! Primal–dual interior point with crossover, for large sparse problems.
//!
//! **Problem.** `min ½ fᵀA f + bᵀf` over the bounds, whose optimality conditions are the complementarity problem.
//! **Method.** First a guess: all rows clamped, wrong ones exchanged while they are few. It ends with one to four
//! factorizations where things rest on each other. Otherwise predictor–corrector steps [Mehrotra 1992] on the scaled
//! problem, all with one symbolic analysis. Then crossover: the sets at the end of the central path, extrapolated from the
//! predictor, are solved exactly and checked as soon as hardly a row changes its direction any more.
//! In the interior the forces tend to the centre of the set of solutions, so redundant contacts share the load and
//! none is at a bound without need: the set is the right one even where `A_CC` is singular. **Promise.** About ten
//! to thirty factorizations whatever the size; the answer carries its certificate. **Failure.** No certificate,
//! then `NotConverged` with the best point; the caller may finish by pivoting from its sets.

mod blocks;
mod crossover;
mod polish;
mod ray;
mod steps;
mod system;

use crate::deadline::Deadline;
use crate::tolerance::{CROSSOVER_FROM, INTERIOR_STEPS, LAST_DIGIT, ROUNDING, TINY};
use crate::{Error, Lcp, Set, Solution, Status};
use crossover::Scratch;
use steps::Steps;
use system::{ABSENT, System};

/// State of the iteration, in scaled terms.
#[derive(Debug, Default)]
struct Point {
    f: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

/// What a solve needs; the analysis of the last pattern stays.
#[derive(Debug, Default)]
pub(crate) struct Interior {
    scaled: Scaled,
    system: Option<System>,
    point: Point,
    steps: Steps,
    crossover: Scratch,
    /// Certificate of the best answer so far.
    best: f64,
    /// Whether a proof that there is no solution is worth its search.
    wanted: bool,
    deadline: Deadline,
}

/// Scratch is not worth copying.
impl Clone for Interior {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Bounds and scaling of a problem.
#[derive(Debug, Default)]
struct Scaled {
    /// `1/√A_ii`.
    scale: Vec<f64>,
    /// Largest scaled bias: forces and accelerations are measured in it.
    unit: f64,
    b: Vec<f64>,
    lo: Vec<f64>,
    hi: Vec<f64>,
    /// Opposed contacts: the first of a pair stands for both.
    pairs: Vec<(usize, usize)>,
    keyed: Vec<(u64, usize)>,
}

/// Solves a problem without friction rows, from the sets `warm` of an earlier answer if given; `Infeasible` is told only if
/// a proof is `wanted`.
pub(crate) fn solve(
    problem: &Lcp<'_>,
    tolerance: f64,
    warm: Option<&[Set]>,
    wanted: bool,
    interior: &mut Interior,
    solution: &mut Solution,
) -> Result<Status, Error> {
    interior.wanted = wanted;
    if !interior.begin(problem, tolerance, warm, solution)? {
        interior.iterate(problem, tolerance, solution);
    }
    Ok(solution.status)
}

impl Interior {
    /// When to give up.
    pub(crate) fn end_at(&mut self, deadline: Deadline) {
        self.deadline = deadline;
        self.crossover.deadline = deadline;
    }

    /// Loads a problem without friction rows, and tries what needs no iteration; `true` if that solves it.
    fn begin(
        &mut self,
        problem: &Lcp<'_>,
        tolerance: f64,
        warm: Option<&[Set]>,
        solution: &mut Solution,
    ) -> Result<bool, Error> {
        if problem.has_friction() {
            return Err(Error::Unsupported { solver: "the interior-point method", what: "friction rows" });
        }
        let n = problem.len();
        solution.clear(n);
        let Self { scaled, system, crossover: scratch, best, .. } = self;
        if at_rest(problem, tolerance, scratch, solution) {
            return Ok(true);
        }
        scaled.load(problem);
        let system = System::prepare(system, problem, &scaled.scale)?;
        *best = f64::INFINITY;
        if let Some(warm) = warm.filter(|sets| sets.iter().any(|set| *set != Set::Untreated)) {
            *best = scratch.guess((problem, scaled), system, Some(warm), tolerance, solution);
        }
        if !scratch.good(*best, tolerance) {
            *best = scratch.guess((problem, scaled), system, None, tolerance, solution);
        }
        let done = scratch.good(*best, tolerance);
        if done {
            self.conclude(problem, tolerance, solution);
        }
        Ok(done)
    }

    /// Goes on from where [`Self::begin`] ended.
    fn iterate(&mut self, problem: &Lcp<'_>, tolerance: f64, solution: &mut Solution) {
        let (n, deadline) = (problem.len(), self.deadline);
        let Self { scaled, system: Some(system), point, steps, crossover: scratch, best, .. } = self else {
            return;
        };
        for v in [&mut point.f, &mut point.lower, &mut point.upper] {
            v.clear();
            v.resize(n, 0.0);
        }
        steps.reset(n);
        Steps::start(scaled, scratch.last_forces(), point);
        for iteration in 0..INTERIOR_STEPS {
            if deadline.passed() {
                break;
            }
            let (gap, residual) = steps.measure(scaled, system, point);
            solution.stats.iterations = iteration;
            let enough = gap.max(residual) < ROUNDING;
            if enough || gap.max(residual) < CROSSOVER_FROM && steps.settled() {
                let aim = (&steps.aim[..], &steps.aim_f[..]);
                *best = scratch.finish((problem, scaled), system, aim, tolerance, *best, solution);
                if enough || scratch.good(*best, tolerance) {
                    break;
                }
            }
            if gap > 0.0 && gap < LAST_DIGIT || !steps.advance(scaled, system, point, gap) {
                break;
            }
            solution.stats.factorizations += 1;
        }
        if !scratch.good(*best, tolerance) {
            scratch.keep_interior(problem, scaled, point, tolerance, *best, solution);
        }
        self.conclude(problem, tolerance, solution);
    }

    /// Certifies the forces in `solution`; where they are no answer, or only to rounding, looks for a contradiction.
    fn conclude(&mut self, problem: &Lcp<'_>, tolerance: f64, solution: &mut Solution) {
        let Self { scaled, system, point, crossover: scratch, wanted, deadline, .. } = self;
        solution.certificate = scratch.certificate(problem, &solution.f, tolerance, &mut solution.a);
        let rounded = solution.certificate.holds(tolerance);
        solution.status = if rounded { Status::Solved } else { Status::NotConverged };
        if solution.certificate.residual <= tolerance || !*wanted || deadline.passed() {
            return;
        }
        let Some(system) = system else { return };
        let forces = if rounded { scratch.last_forces() } else { &point.f };
        if let Some(ray) = ray::find(problem, scaled, system, forces, tolerance, rounded) {
            solution.ray = ray;
            solution.status = Status::Infeasible;
        }
    }
}

/// Whether the forces nearest to zero already solve the problem; then they are in `solution`.
fn at_rest(problem: &Lcp<'_>, tolerance: f64, scratch: &mut Scratch, solution: &mut Solution) -> bool {
    for (i, kind) in problem.kinds().iter().enumerate() {
        let (lo, hi) = kind.bounds(0.0);
        solution.f[i] = 0.0_f64.clamp(lo, hi);
        solution.sets[i] = if solution.f[i] == lo { Set::Lower } else { Set::Upper };
    }
    let certificate = scratch.certificate(problem, &solution.f, f64::INFINITY, &mut solution.a);
    solution.certificate = certificate;
    solution.status = Status::Solved;
    certificate.residual <= tolerance * 1e-4
}

impl Scaled {
    /// Takes over a problem.
    fn load(&mut self, problem: &Lcp<'_>) {
        let Self { scale, unit, b, lo, hi, pairs, keyed } = self;
        scale.clear();
        scale.resize(problem.len(), 0.0);
        problem.matrix().diagonal(scale);
        scale.iter_mut().for_each(|s| *s = if *s > TINY { 1.0 / s.sqrt() } else { 1.0 });
        b.clear();
        b.extend(problem.bias().iter().zip(&*scale).map(|(b, s)| b * s));
        let largest = b.iter().fold(0.0_f64, |m, b| m.max(b.abs()));
        *unit = if largest > TINY { largest } else { 1.0 };
        b.iter_mut().for_each(|b| *b /= *unit);
        let bounds = || problem.kinds().iter().map(|k| k.bounds(0.0)).zip(&*scale);
        lo.clear();
        let scaled = |bound: f64, s: f64| {
            if bound == 0.0 || bound.is_infinite() { bound } else { bound / (s * *unit) }
        };
        lo.extend(bounds().map(|((lo, _), s)| scaled(lo, *s)));
        hi.clear();
        hi.extend(bounds().map(|((_, hi), s)| scaled(hi, *s)));
        crate::presolve::opposed_pairs(problem, keyed, pairs);
        for &(i, j) in &*pairs {
            (lo[i], hi[j]) = (f64::NEG_INFINITY, 0.0);
        }
    }

    /// Gives the force of each pair to the contact it presses.
    fn split_pairs(&self, forces: &mut [f64]) {
        for &(i, j) in &self.pairs {
            (forces[i], forces[j]) = (forces[i].max(0.0), (-forces[i]).max(0.0));
        }
    }

    /// Whether a row's force is fixed by its bounds.
    fn fixed(&self, i: usize) -> bool {
        self.lo[i] == self.hi[i]
    }

    /// Forces in the problem's own unit.
    fn force(&self, i: usize, scaled: f64) -> f64 {
        scaled * self.scale[i] * self.unit
    }
}

/// The set a row is heading for: the smaller of force room and acceleration goes to zero.
fn heading(p: &Scaled, point: &Point, i: usize) -> Set {
    if p.lo[i].is_finite() && point.f[i] - p.lo[i] < point.lower[i] {
        Set::Lower
    } else if p.hi[i].is_finite() && p.hi[i] - point.f[i] < point.upper[i] {
        Set::Upper
    } else {
        Set::Clamped
    }
}
