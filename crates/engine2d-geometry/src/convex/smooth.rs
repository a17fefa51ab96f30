//! Distance of cores of which at least one is an ellipse.
//!
//! The signed distance is the maximum over unit vectors `m` of `g(m) = −h_A(−m) − h_B(m)` with the support
//! functions `h`. Between two edge normals of a polygon its nearest corner is fixed, so that
//! `g(θ) = m·w − E_A(θ) − E_B(θ)`, `E(θ) = √(a² (m·e_1)² + b² (m·e_2)²)`, is smooth with a known bound on its
//! second derivative: branch and bound then finds the global maximum, and Newton's method its last digits.

use super::distance::Distance;
use super::{Core, farthest};
use engine2d_math::{Pose, Vec2, perp, trig};
use std::f64::consts::TAU;

/// Intervals the circle of directions is divided into before any bound is used.
const START_INTERVALS: usize = 8;

/// Improvement of the maximum that is not worth following, relative to the size of the shapes: rounding.
const RELATIVE_ACCURACY: f64 = 1e-15;

/// Newton steps that take an interval maximum to rounding.
const NEWTON_STEPS: usize = 8;

/// Limit on bisections; with quadratic shrinking of the bound it is reached only by rounding.
const MAX_INTERVALS: usize = 20_000;

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

    /// Bound on `E''`.
    fn curvature_bound(&self) -> f64 {
        match self.core {
            Core::Ellipse { a, b } => {
                let (long, short) = (a.max(*b), a.min(*b));
                long * long / short - short
            }
            _ => 0.0,
        }
    }

    /// World position of the point that takes part for directions about `m` (outward): a corner, or the
    /// ellipse's centre.
    fn anchor(&self, outward: Vec2) -> Vec2 {
        match self.core {
            Core::Corners(corners) => {
                self.pose.transform(corners[farthest(corners, self.pose.rotate_inverse(outward))])
            }
            _ => self.pose.position(),
        }
    }

    fn support(&self, outward: Vec2) -> Vec2 {
        self.pose.transform(self.core.support(self.pose.rotate_inverse(outward)))
    }

    /// Outward edge normals of a core with corners (world).
    fn edge_normals(&self) -> impl Iterator<Item = Vec2> + '_ {
        let corners: &[Vec2] = match self.core {
            Core::Corners(corners) if corners.len() > 1 => corners,
            _ => &[],
        };
        let n = corners.len();
        (0..n).map(move |i| {
            let along = corners[(i + 1) % n] - corners[i];
            self.pose.rotate(Vec2::new(along.y, -along.x) / along.norm())
        })
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
pub(super) fn smooth_distance(a: &Core, pose_a: &Pose, b: &Core, pose_b: &Pose) -> Distance {
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
    Distance { distance: best.value, normal, point_a, point_b }
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
        // Kinks of g lie at edge normals: candidates themselves, and ends of the smooth intervals.
        let mut angles: Vec<f64> =
            (0..START_INTERVALS).map(|k| k as f64 * TAU / START_INTERVALS as f64).collect();
        let kinks = self.b.edge_normals().chain(self.a.edge_normals().map(|n| -n));
        for m in kinks {
            best = best.or(self.value(m), m, true);
            let angle = trig::atan2(m.y, m.x);
            angles.push(if angle < 0.0 { angle + TAU } else { angle });
        }
        angles.sort_by(f64::total_cmp);
        let first = angles[0];
        angles.push(first + TAU);
        let size = self.a.core.reach()
            + self.b.core.reach()
            + (self.a.pose.position() - self.b.pose.position()).norm();
        for pair in angles.windows(2) {
            if pair[1] > pair[0] {
                best = self.maximize_interval(pair[0], pair[1], size * RELATIVE_ACCURACY, best);
            }
        }
        if best.kink { best } else { self.polish(best, size * RELATIVE_ACCURACY) }
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

    /// Branch and bound on one smooth interval.
    fn maximize_interval(&self, low: f64, high: f64, accuracy: f64, mut best: Best) -> Best {
        let middle = direction(0.5 * (low + high));
        let w = self.a.anchor(-middle) - self.b.anchor(middle);
        // −g'' = m·w + E_A'' + E_B''.
        let bend = w.norm() + self.a.curvature_bound() + self.b.curvature_bound();
        let value = |theta: f64| self.jet(direction(theta), w)[0];
        let mut pending = vec![(low, value(low), high, value(high))];
        let mut opened = 0;
        while let Some((lo, g_lo, hi, g_hi)) = pending.pop() {
            let width = hi - lo;
            let bound = g_lo.max(g_hi) + bend * width * width / 8.0;
            opened += 1;
            if bound <= best.value + accuracy || opened > MAX_INTERVALS {
                continue;
            }
            let mid = self.newton(0.5 * (lo + hi), lo, hi, w);
            let m = direction(mid);
            best = best.or(self.jet(m, w)[0], m, false);
            let center = 0.5 * (lo + hi);
            let g_mid = value(center);
            pending.push((lo, g_lo, center, g_mid));
            pending.push((center, g_mid, hi, g_hi));
        }
        best
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

fn direction(theta: f64) -> Vec2 {
    let (sin, cos) = trig::sin_cos(theta);
    Vec2::new(cos, sin)
}
