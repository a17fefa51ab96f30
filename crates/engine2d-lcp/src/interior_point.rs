//! Primal–dual interior point with crossover, for large sparse problems.
//!
//! **Problem.** `min ½ fᵀA f + bᵀf` over the bounds, whose optimality conditions are the complementarity problem.
//! **Method.** Predictor–corrector steps [Mehrotra 1992] on the scaled problem, all with one symbolic analysis.
//! Then crossover: the set the iteration points at is solved exactly, nearest to the point reached, and checked.
//! In the interior the forces tend to the centre of the set of solutions, so redundant contacts share the load and
//! none is at a bound without need: the set is the right one even where `A_CC` is singular. **Promise.** About ten
//! to twenty factorizations whatever the size; the answer carries its certificate. **Failure.** No certificate,
//! then `NotConverged` with the best point; the caller may finish by pivoting from its sets.

mod blocks;
mod crossover;
mod gram;
mod opposites;
mod polish;
mod ray;
mod steps;
mod system;

use crate::tolerance::{CROSSOVER_FROM, GAP_CLOSED, INTERIOR_ENOUGH, INTERIOR_STEPS};
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

/// Solves a problem without friction rows.
pub(crate) fn solve(
    problem: &Lcp<'_>,
    tolerance: f64,
    interior: &mut Interior,
    solution: &mut Solution,
) -> Result<Status, Error> {
    if !interior.begin(problem, tolerance, solution)? {
        interior.iterate(problem, tolerance, solution);
    }
    Ok(solution.status)
}

impl Interior {
    /// Loads a problem without friction rows, and tries what needs no iteration; `true` if that solves it.
    fn begin(&mut self, problem: &Lcp<'_>, tolerance: f64, solution: &mut Solution) -> Result<bool, Error> {
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
        *best = scratch.guess((problem, scaled), system, tolerance, solution);
        let done = scratch.good(*best, tolerance);
        if done {
            conclude(problem, tolerance, scratch, solution);
        }
        Ok(done)
    }

    /// Goes on from where [`Self::begin`] ended.
    fn iterate(&mut self, problem: &Lcp<'_>, tolerance: f64, solution: &mut Solution) {
        let n = problem.len();
        let Self { scaled, system: Some(system), point, steps, crossover: scratch, best } = self else {
            return;
        };
        for v in [&mut point.f, &mut point.lower, &mut point.upper] {
            v.clear();
            v.resize(n, 0.0);
        }
        steps.reset(n);
        Steps::start(scaled, scratch.last_forces(), point);
        for iteration in 0..INTERIOR_STEPS {
            let (gap, residual) = steps.measure(scaled, system, point);
            solution.stats.iterations = iteration;
            let enough = gap.max(residual) < INTERIOR_ENOUGH;
            if enough || gap.max(residual) < CROSSOVER_FROM && steps.settled() {
                let aim = (&steps.aim[..], &steps.aim_f[..]);
                *best = scratch.finish((problem, scaled), system, aim, tolerance, *best, solution);
                if enough || scratch.good(*best, tolerance) {
                    break;
                }
            }
            if gap > 0.0 && gap < GAP_CLOSED || !steps.advance(scaled, system, point, gap) {
                break;
            }
            solution.stats.factorizations += 1;
        }
        if !scratch.good(*best, tolerance) {
            scratch.keep_interior(problem, scaled, point, tolerance, *best, solution);
        }
        if conclude(problem, tolerance, scratch, solution) != Status::Solved
            && let Some(ray) = ray::find(problem, scaled, system, point)
        {
            solution.ray = ray;
            solution.status = Status::Infeasible;
        }
    }
}

/// Certifies the forces in `solution`.
fn conclude(problem: &Lcp<'_>, tolerance: f64, scratch: &mut Scratch, solution: &mut Solution) -> Status {
    solution.certificate = scratch.certificate(problem, &solution.f, tolerance, &mut solution.a);
    solution.status =
        if solution.certificate.holds(tolerance) { Status::Solved } else { Status::NotConverged };
    solution.status
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
        scale.iter_mut().for_each(|s| *s = if *s > 0.0 { 1.0 / s.sqrt() } else { 1.0 });
        b.clear();
        b.extend(problem.bias().iter().zip(&*scale).map(|(b, s)| b * s));
        let largest = b.iter().fold(0.0_f64, |m, b| m.max(b.abs()));
        *unit = if largest > 0.0 { largest } else { 1.0 };
        b.iter_mut().for_each(|b| *b /= *unit);
        let bounds = || problem.kinds().iter().map(|k| k.bounds(0.0)).zip(&*scale);
        lo.clear();
        lo.extend(bounds().map(|((lo, _), s)| lo / (s * *unit)));
        hi.clear();
        hi.extend(bounds().map(|((_, hi), s)| hi / (s * *unit)));
        opposites::find(problem, keyed, pairs);
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

/// The set a row is heading for: the smaller of force room and acceleration goes to zero. A row whose room is
/// below `doubt` may be degenerate, with both zero: it is taken as at its bound, where it does no harm.
fn heading(p: &Scaled, point: &Point, i: usize, doubt: f64) -> Set {
    if p.lo[i].is_finite() && point.f[i] - p.lo[i] < point.lower[i].max(doubt) {
        Set::Lower
    } else if p.hi[i].is_finite() && p.hi[i] - point.f[i] < point.upper[i].max(doubt) {
        Set::Upper
    } else {
        Set::Clamped
    }
}
