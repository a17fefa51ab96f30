//! Distance of cores of which at least one is an ellipse.
//!
//! The signed distance is the maximum over unit vectors `m` of `g(m) = −h_A(−m) − h_B(m)` with the support
//! functions `h`. Between two edge normals of a polygon its nearest corner is fixed, so that
//! `g(θ) = m·w − E_A(θ) − E_B(θ)`, `E(θ) = √(a² (m·e_1)² + b² (m·e_2)²)`, is smooth with a known bound on its
//! second derivative: branch and bound then finds the global maximum, and Newton's method its last digits.

use super::Core;
use super::distance::Gap;
use engine2d_math::{Pose, Vec2, perp, trig};
use std::f64::consts::{FRAC_PI_4, PI, TAU};

/// Widest interval of directions before any bound is used (radians).
const WIDEST: f64 = FRAC_PI_4;

/// Improvement of the maximum that is not worth following, relative to the size of the shapes: rounding.
const RELATIVE_ACCURACY: f64 = 1e-15;

/// Newton steps that take an interval maximum to rounding.
const NEWTON_STEPS: usize = 8;

/// Steps to the maximum of a concave interval; sharp bends take more and are divided instead.
const CLIMB_STEPS: usize = 12;

/// Limit on bisections; with quadratic shrinking of the bound it is reached only by rounding.
const MAX_INTERVALS: usize = 20_000;

/// Intervals of directions that are not divided (radians): their ends are the same to rounding. About angle 0
/// there are numbers without end between them.
const NARROWEST: f64 = f64::EPSILON;

/// Intervals waiting at a time: one for each bisection, of which 52 lead from the widest to the narrowest.
const MAX_PENDING: usize = 64;

/// A core at a pose, as a function of direction.
struct Placed<'a> {
    core: &'a Core,
    pose: &'a Pose,
}

/// The value, first and second derivative of a support width in the direction angle.
type Jet = [f64; 3];

impl Placed<'_> {
    /// `E(θ)` of an ellipse and its two derivatives; zero for corners.
    fn ellipse_jet(&self, m: Vec2) -> Jet {
        let Core::Ellipse { a, b } = self.core else { return [0.0; 3] };
        let n = self.pose.rotate_inverse(m);
        let t = perp(n);
        let (a2, b2) = (a * a, b * b);
        let square = a2 * n.x * n.x + b2 * n.y * n.y;
        let e = square.sqrt();
        let first = (a2 * n.x * t.x + b2 * n.y * t.y) / e;
        // The radius of curvature at this normal is a² b² / E³, and E'' = ρ − E.
        [e, first, a2 * b2 / (e * square) - e]
    }

    /// Least and largest `E''` over directions within `half_width` of `m`.
    fn curvature_range(&self, m: Vec2, half_width: f64) -> (f64, f64) {
        let Core::Ellipse { a, b } = self.core else { return (0.0, 0.0) };
        let (long, short) = (a.max(*b), a.min(*b));
        // E falls with the angle to the long axis, E² = short² + (long² − short²) cos², and E'' = ρ − E falls
        // with E.
        let n = self.pose.rotate_inverse(m);
        let angle = trig::acos(if a > b { n.x } else { n.y }.abs().min(1.0));
        let bend = |angle: f64| {
            let cos = if angle < PI / 2.0 { trig::cos(angle) } else { 0.0 };
            let e = (short * short + (long - short) * (long + short) * cos * cos).sqrt();
            (long * short / e) * (long * short / e) / e - e
        };
        (bend((angle - half_width).max(0.0)), bend(angle + half_width))
    }

    /// World position of the point that takes part for directions about `m` (outward): a corner, or the
    /// ellipse's centre.
    fn anchor(&self, outward: Vec2) -> Vec2 {
        match self.core {
            Core::Corners(_) => self.support(outward),
            _ => self.pose.position(),
        }
    }

    fn support(&self, outward: Vec2) -> Vec2 {
        self.pose.transform(self.core.support(self.pose.rotate_inverse(outward)))
    }

    /// The four axes of an ellipse (world): across the long one its width has a sharp bend.
    fn axes(&self) -> impl Iterator<Item = Vec2> + '_ {
        let axes: &[[f64; 2]] = match self.core {
            Core::Ellipse { .. } => &[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]],
            _ => &[],
        };
        axes.iter().map(|&n| self.pose.rotate(n))
    }

    /// Outward edge normals of a core with corners (world), counter-clockwise.
    fn edge_normals(&self) -> impl Iterator<Item = Vec2> + '_ {
        let normals = match self.core {
            Core::Corners(outline) => outline.normals(),
            _ => &[],
        };
        normals.iter().map(|n| self.pose.rotate(*n))
    }
}

/// The best direction found so far.
#[derive(Clone, Copy)]
struct Best {
    value: f64,
    normal: Vec2,
    /// Whether it lies at an edge normal, where `g` has a kink.
    kink: bool,
}

/// Signed distance of two bounded cores; the normal points out of `b` into `a`.
pub(super) fn smooth_distance(a: &Core, pose_a: &Pose, b: &Core, pose_b: &Pose) -> Gap {
    let pair = Pair { a: Placed { core: a, pose: pose_a }, b: Placed { core: b, pose: pose_b } };
    let best = pair.maximize();
    let normal = best.normal;
    // The witness on the ellipse is its support point; the other lies across the gap. Of two ellipses both
    // agree at a critical direction.
    let (point_a, point_b) = if matches!(a, Core::Ellipse { .. }) {
        let p = pair.a.support(-normal);
        (p, p - normal * best.value)
    } else {
        let q = pair.b.support(normal);
        (q + normal * best.value, q)
    };
    Gap { distance: best.value, normal, point_a, point_b, near: [0, 0] }
}

struct Pair<'a> {
    a: Placed<'a>,
    b: Placed<'a>,
}

impl Pair<'_> {
    /// `g` at direction `m`, over all corners.
    fn value(&self, m: Vec2) -> f64 {
        m.dot(&(self.a.support(-m) - self.b.support(m)))
    }

    /// `g` and its derivatives at `m` with the anchors held, which is exact within an interval.
    fn jet(&self, m: Vec2, w: Vec2) -> Jet {
        let t = perp(m);
        let (ea, eb) = (self.a.ellipse_jet(-m), self.b.ellipse_jet(m));
        [m.dot(&w) - ea[0] - eb[0], t.dot(&w) - ea[1] - eb[1], -m.dot(&w) - ea[2] - eb[2]]
    }

    fn maximize(&self) -> Best {
        let mut best = Best { value: f64::NEG_INFINITY, normal: Vec2::new(1.0, 0.0), kink: true };
        let size = self.a.core.reach()
            + self.b.core.reach()
            + (self.a.pose.position() - self.b.pose.position()).norm();
        let accuracy = size * RELATIVE_ACCURACY;
        // Kinks of g lie at edge normals: candidates themselves, and ends of the smooth intervals. One core
        // at most has any, and hands them over in order of their angles.
        let kinks = || self.b.edge_normals().chain(self.a.edge_normals().map(|n| -n));
        for m in kinks() {
            best = best.or(self.value(m), m, true);
        }
        for m in self.a.axes().chain(self.b.axes()) {
            best = best.or(self.value(m), m, false);
        }
        let mut ends: Option<(f64, f64)> = None;
        for m in kinks() {
            let angle = trig::atan2(m.y, m.x);
            let (first, last) = ends.unwrap_or((angle, angle));
            best = self.maximize_smooth(last, turn(last, angle), accuracy, best);
            ends = Some((first, angle));
        }
        best = match ends {
            Some((first, last)) => self.maximize_smooth(last, turn(last, first), accuracy, best),
            None => self.maximize_smooth(-PI, TAU, accuracy, best),
        };
        if best.kink { best } else { self.polish(best, accuracy) }
    }

    /// The maximum over the directions from an angle on for a turn without kinks, in intervals not too wide.
    fn maximize_smooth(&self, from: f64, turn: f64, accuracy: f64, mut best: Best) -> Best {
        let count = (turn / WIDEST).ceil();
        for k in 0..count as u32 {
            let low = from + f64::from(k) * (turn / count);
            best = self.maximize_interval(low, low + turn / count, accuracy, best);
        }
        best
    }

    /// Values about a smooth maximum agree to rounding long before the direction does: Newton's method on
    /// the derivative settles the direction.
    fn polish(&self, best: Best, accuracy: f64) -> Best {
        let w = self.a.anchor(-best.normal) - self.b.anchor(best.normal);
        let theta = trig::atan2(best.normal.y, best.normal.x);
        let normal = direction(self.newton(theta, theta - 1.0, theta + 1.0, w));
        // Over all corners: a step past a kink is not taken.
        let value = self.value(normal);
        if value >= best.value - 4.0 * accuracy { Best { value, normal, kink: false } } else { best }
    }

    /// Branch and bound on one smooth interval: an interval on which `g` is concave is done with its stationary
    /// point, another is divided while its bound exceeds the best value.
    fn maximize_interval(&self, low: f64, high: f64, accuracy: f64, mut best: Best) -> Best {
        let middle = direction(0.5 * (low + high));
        let w = self.a.anchor(-middle) - self.b.anchor(middle);
        let value = |theta: f64| self.jet(direction(theta), w)[0];
        let mut pending = [(0.0, 0.0, 0.0, 0.0); MAX_PENDING];
        pending[0] = (low, value(low), high, value(high));
        let (mut waiting, mut opened) = (1, 0);
        while waiting > 0 {
            waiting -= 1;
            let (lo, g_lo, hi, g_hi) = pending[waiting];
            let (center, width) = (0.5 * (lo + hi), hi - lo);
            let m = direction(center);
            // −g'' = m·w + E_A'' + E_B''.
            let (least_a, most_a) = self.a.curvature_range(m, 0.5 * width);
            let (least_b, most_b) = self.b.curvature_range(m, 0.5 * width);
            let bend = w.norm() + most_a + most_b;
            let bound = g_lo.max(g_hi) + bend * width * width / 8.0;
            opened += 1;
            if bound <= best.value + accuracy || opened > MAX_INTERVALS {
                continue;
            }
            let is_concave = m.dot(&w) - 0.5 * width * w.norm() + least_a + least_b > 0.0;
            let (top, is_found) = self.climb(lo, hi, accuracy, w);
            let top = direction(top);
            best = best.or(self.jet(top, w)[0], top, false);
            let is_divisible = width > NARROWEST && lo < center && center < hi && waiting + 2 <= MAX_PENDING;
            if is_divisible && !(is_concave && is_found) {
                let g_mid = self.jet(m, w)[0];
                pending[waiting] = (lo, g_lo, center, g_mid);
                pending[waiting + 1] = (center, g_mid, hi, g_hi);
                waiting += 2;
            }
        }
        best
    }

    /// A stationary point of `g` in `[lo, hi]`, or the end towards which `g` rises, by Newton's method within
    /// a shrinking bracket; whether the maximum of a concave `g` is within `accuracy` of its value there.
    fn climb(&self, mut lo: f64, mut hi: f64, accuracy: f64, w: Vec2) -> (f64, bool) {
        let mut theta = 0.5 * (lo + hi);
        for _ in 0..CLIMB_STEPS {
            let [_, first, second] = self.jet(direction(theta), w);
            if first > 0.0 {
                lo = theta;
            } else {
                hi = theta;
            }
            // A concave function stays below its tangent.
            if first.abs() * (hi - lo) <= accuracy {
                return (theta, true);
            }
            let newton = (theta - first / second).clamp(lo, hi);
            theta = if second < 0.0 && newton != theta { newton } else { 0.5 * (lo + hi) };
        }
        (theta, false)
    }

    /// A stationary point of `g` from `theta`, kept within `[lo, hi]`.
    fn newton(&self, mut theta: f64, lo: f64, hi: f64, w: Vec2) -> f64 {
        for _ in 0..NEWTON_STEPS {
            let [_, first, second] = self.jet(direction(theta), w);
            if !(second < 0.0) {
                break;
            }
            let next = (theta - first / second).clamp(lo, hi);
            if next == theta {
                break;
            }
            theta = next;
        }
        theta
    }
}

impl Best {
    fn or(self, value: f64, normal: Vec2, kink: bool) -> Self {
        if value > self.value { Self { value, normal, kink } } else { self }
    }
}

/// The turn from one kink to the next: at most π, so that a full turn is a negative rounding of none.
fn turn(from: f64, to: f64) -> f64 {
    let turn = if to < from { to - from + TAU } else { to - from };
    if turn > 1.5 * PI { 0.0 } else { turn }
}

fn direction(theta: f64) -> Vec2 {
    let (sin, cos) = trig::sin_cos(theta);
    Vec2::new(cos, sin)
}
