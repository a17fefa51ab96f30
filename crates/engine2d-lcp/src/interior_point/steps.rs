//! Predictor–corrector steps inside the bounds [Mehrotra 1992], and where they lead.

use super::system::{ABSENT, System};
use super::{Point, Scaled};
use crate::Set;
use crate::tolerance::{BOUNDARY, LEAST_WEIGHT, START_PUSH, START_ROOM, UNDECIDED_SHARE};

/// Scratch of the iteration.
#[derive(Debug, Default)]
pub(super) struct Steps {
    residual: Vec<f64>,
    weight: Vec<f64>,
    step: Vec<f64>,
    lower_step: Vec<f64>,
    upper_step: Vec<f64>,
    /// Where the rows are heading, with which forces, and how many have changed their direction in the last step.
    pub(super) aim: Vec<Set>,
    pub(super) aim_f: Vec<f64>,
    undecided: usize,
    /// How many of these a crossover may meet: fewer each time.
    patience: usize,
}

impl Steps {
    pub(super) fn reset(&mut self, n: usize) {
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
    pub(super) fn start(p: &Scaled, forces: &[f64], point: &mut Point) {
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
    pub(super) fn measure(&mut self, p: &Scaled, system: &mut System, point: &Point) -> (f64, f64) {
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
    pub(super) fn advance(&mut self, p: &Scaled, system: &mut System, point: &mut Point, gap: f64) -> bool {
        let n = p.b.len();
        for i in 0..n {
            let mut weight = 0.0;
            if p.lo[i].is_finite() {
                weight += point.lower[i] / (point.f[i] - p.lo[i]);
            }
            if p.hi[i].is_finite() {
                weight += point.upper[i] / (p.hi[i] - point.f[i]);
            }
            self.weight[i] = if p.fixed(i) { ABSENT } else { weight.max(LEAST_WEIGHT) };
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
    pub(super) fn settled(&mut self) -> bool {
        let settled = self.undecided <= self.patience;
        if settled {
            self.patience = self.undecided / 2;
        }
        settled
    }

    /// Where the central path ends. On it, rows with neither force nor acceleration in the end have both in
    /// proportion to `√gap`, and others follow: `f = f* + c √gap + O(gap)`. The step towards complementarity zero
    /// is `−gap df/dgap = −c √gap / 2` then, so that `f* = f + 2 Δf + O(gap)`; likewise where the path is smooth.
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
