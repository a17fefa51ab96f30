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
mod opposites;
mod polish;
mod ray;
mod system;

use crate::tolerance::{
    BILATERAL_WEIGHT, BOUNDARY, CROSSOVER_FROM, GAP_CLOSED, INTERIOR_ENOUGH, INTERIOR_STEPS, START_PUSH,
    START_ROOM, UNDECIDED_SHARE,
};
use crate::{Error, Lcp, Set, Solution, Status};
use crossover::Scratch;
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
        if *best > tolerance {
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

/// Scratch of the iteration.
#[derive(Debug, Default)]
struct Steps {
    residual: Vec<f64>,
    weight: Vec<f64>,
    step: Vec<f64>,
    lower_step: Vec<f64>,
    upper_step: Vec<f64>,
    /// Where the rows are heading, with which forces, and how many have changed their direction in the last step.
    aim: Vec<Set>,
    aim_f: Vec<f64>,
    undecided: usize,
    /// How many of these a crossover may meet: fewer each time.
    patience: usize,
}

impl Steps {
    fn reset(&mut self, n: usize) {
        let Self { residual, weight, step, lower_step, upper_step, aim_f, .. } = self;
        for v in [residual, weight, step, lower_step, upper_step, aim_f] {
            v.clear();
            v.resize(n, 0.0);
        }
        self.aim.clear();
        self.aim.resize(n, Set::Untreated);
        (self.undecided, self.patience) = (n, n / UNDECIDED_SHARE);
    }

    /// Starting point: forces of the right size, such as those that would hold every row, pushed inside the bounds
    /// [Mehrotra 1992, §7].
    fn start(p: &Scaled, forces: &[f64], point: &mut Point) {
        for (i, &f) in forces.iter().enumerate() {
            // What holds every row leaves accelerations of zero; START_PUSH says in which direction they would grow.
            let (lo, hi) = (p.lo[i], p.hi[i]);
            let room = 0.5 * f.abs() + START_ROOM;
            let push = START_PUSH * f;
            let speed = 0.5 * push.abs() + START_ROOM;
            let (mut inside, mut lower, mut upper) = (f, 0.0, 0.0);
            if lo.is_finite() {
                inside = inside.max(lo + room);
                lower = (-push).max(0.0) + speed;
            }
            if hi.is_finite() {
                inside =
                    if lo.is_finite() { inside.min(lo + (hi - lo) * 0.9) } else { inside.min(hi - room) };
                upper = push.max(0.0) + speed;
            }
            if p.fixed(i) {
                (inside, lower, upper) = (lo, 0.0, 0.0);
            }
            (point.f[i], point.lower[i], point.upper[i]) = (inside, lower, upper);
        }
    }

    /// Mean complementarity product and largest residual of `A f + b = lower − upper`.
    fn measure(&mut self, p: &Scaled, system: &mut System, point: &Point) -> (f64, f64) {
        system.product(&point.f, &mut self.residual);
        let (mut gap, mut count, mut largest) = (0.0, 0.0, 0.0_f64);
        for i in 0..p.b.len() {
            if p.fixed(i) {
                self.residual[i] = 0.0;
                continue;
            }
            self.residual[i] += p.b[i] - point.lower[i] + point.upper[i];
            largest = largest.max(self.residual[i].abs());
            if p.lo[i].is_finite() {
                gap += point.lower[i] * (point.f[i] - p.lo[i]);
                count += 1.0;
            }
            if p.hi[i].is_finite() {
                gap += point.upper[i] * (p.hi[i] - point.f[i]);
                count += 1.0;
            }
        }
        (if count > 0.0 { gap / count } else { 0.0 }, largest)
    }

    /// One predictor–corrector step; `false` if the system cannot be factored or the step is nothing.
    fn advance(&mut self, p: &Scaled, system: &mut System, point: &mut Point, gap: f64) -> bool {
        let n = p.b.len();
        for i in 0..n {
            let mut weight = 0.0;
            if p.lo[i].is_finite() {
                weight += point.lower[i] / (point.f[i] - p.lo[i]);
            }
            if p.hi[i].is_finite() {
                weight += point.upper[i] / (p.hi[i] - point.f[i]);
            }
            self.weight[i] = if p.fixed(i) { ABSENT } else { weight.max(BILATERAL_WEIGHT) };
        }
        if !system.factor(&self.weight) {
            return false;
        }
        // Predictor: aim at complementarity zero.
        self.direction(p, system, point, 0.0, false);
        let affine = self.longest(p, point);
        self.take_aim(p, point, gap);
        let mut ahead = 0.0;
        let mut count = 0.0;
        for i in (0..n).filter(|&i| !p.fixed(i)) {
            let f = point.f[i] + affine * self.step[i];
            if p.lo[i].is_finite() {
                ahead += (point.lower[i] + affine * self.lower_step[i]) * (f - p.lo[i]);
                count += 1.0;
            }
            if p.hi[i].is_finite() {
                ahead += (point.upper[i] + affine * self.upper_step[i]) * (p.hi[i] - f);
                count += 1.0;
            }
        }
        let ratio: f64 = if gap > 0.0 && count > 0.0 { ahead / count / gap } else { 0.0 };
        let centring = (ratio * ratio * ratio).clamp(0.0, 1.0);
        self.direction(p, system, point, centring * gap, true);
        let length = (BOUNDARY * self.longest(p, point)).min(1.0);
        for i in (0..n).filter(|&i| !p.fixed(i)) {
            point.f[i] += length * self.step[i];
            point.lower[i] += length * self.lower_step[i];
            point.upper[i] += length * self.upper_step[i];
        }
        length > 1e-10
    }

    /// Whether so few rows are undecided that a crossover may succeed; asks for fewer next time.
    fn settled(&mut self) -> bool {
        let settled = self.undecided <= self.patience;
        if settled {
            self.patience = self.undecided / 2;
        }
        settled
    }

    /// Where the central path ends. On it, rows with neither force nor acceleration in the end have both in proportion to `√gap`, and others follow:
    /// `f = f* + c √gap + O(gap)`. The step towards complementarity zero is `−gap df/dgap = −c √gap / 2` then, so that
    /// `f* = f + 2 Δf + O(gap)`; likewise where the path is smooth in `gap`.
    fn take_aim(&mut self, p: &Scaled, point: &Point, gap: f64) {
        self.undecided = 0;
        for i in 0..p.b.len() {
            let f = point.f[i] + 2.0 * self.step[i];
            self.aim_f[i] = f;
            let lower = (point.lower[i] + 2.0 * self.lower_step[i]).max(gap);
            let upper = (point.upper[i] + 2.0 * self.upper_step[i]).max(gap);
            let set = if p.lo[i].is_finite() && f - p.lo[i] < lower {
                Set::Lower
            } else if p.hi[i].is_finite() && p.hi[i] - f < upper {
                Set::Upper
            } else {
                Set::Clamped
            };
            self.undecided += usize::from(set != self.aim[i]);
            self.aim[i] = set;
        }
    }

    /// Newton direction towards complementarity `target`, with the second-order term of the last direction if
    /// `corrected`.
    fn direction(&mut self, p: &Scaled, system: &mut System, point: &Point, target: f64, corrected: bool) {
        let n = p.b.len();
        for i in 0..n {
            let mut rhs = -self.residual[i];
            let second = self.step[i];
            if p.lo[i].is_finite() {
                let room = point.f[i] - p.lo[i];
                let wish = target - if corrected { second * self.lower_step[i] } else { 0.0 };
                self.lower_step[i] = wish;
                rhs += wish / room - point.lower[i];
            }
            if p.hi[i].is_finite() {
                let room = p.hi[i] - point.f[i];
                let wish = target + if corrected { second * self.upper_step[i] } else { 0.0 };
                self.upper_step[i] = wish;
                rhs -= wish / room - point.upper[i];
            }
            self.step[i] = if p.fixed(i) { 0.0 } else { rhs };
        }
        system.solve(&mut self.step);
        for i in 0..n {
            if p.fixed(i) {
                (self.step[i], self.lower_step[i], self.upper_step[i]) = (0.0, 0.0, 0.0);
                continue;
            }
            let step = self.step[i];
            if p.lo[i].is_finite() {
                let room = point.f[i] - p.lo[i];
                self.lower_step[i] = (self.lower_step[i] - point.lower[i] * (room + step)) / room;
            }
            if p.hi[i].is_finite() {
                let room = p.hi[i] - point.f[i];
                self.upper_step[i] = (self.upper_step[i] - point.upper[i] * (room - step)) / room;
            }
        }
    }

    /// The longest step that keeps everything nonnegative.
    fn longest(&self, p: &Scaled, point: &Point) -> f64 {
        let mut length = 1.0 / BOUNDARY;
        let mut limit = |value: f64, change: f64| {
            if change < 0.0 && -value > length * change {
                length = -value / change;
            }
        };
        for i in (0..p.b.len()).filter(|&i| !p.fixed(i)) {
            if p.lo[i].is_finite() {
                limit(point.f[i] - p.lo[i], self.step[i]);
                limit(point.lower[i], self.lower_step[i]);
            }
            if p.hi[i].is_finite() {
                limit(p.hi[i] - point.f[i], -self.step[i]);
                limit(point.upper[i], self.upper_step[i]);
            }
        }
        length
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
