//! The curve through the points of a table that turns smoothly: a cubic spline over the sums of the chords, with its arc length.
//!
//! **Method.** Piecewise cubic, with continuous first and second derivatives \[de Boor 1978, A Practical Guide to Splines, ch. IV\]. At the
//! ends of an open curve the second derivative is that of the cubic through the four points there; a closed curve is smooth across
//! its seam. Nearest points are zeros of `(c(s) − p)·c′(s)` by Newton's method, to rounding; arc length is integrated by Gauss's
//! three-point rule. The points lie on it, between them it is off by the fourth power of their distance.

use super::{CurvePoint, CurvePosition, Row, SampledCurve};
use crate::Vec2;

/// Points beyond the seam of a closed curve that its end derivatives are told by: what is wrong of them fades by `2 − √3` a point.
const OVERLAP: usize = 26;

/// Distance of the ends of a closed curve, relative to its length, that counts as none.
const SEAM: f64 = 1e-9;

/// Most steps of Newton's method.
const STEPS: usize = 30;

/// Step at which it ends, relative to the length of the curve.
const SETTLED: f64 = 1e-15;

/// Longest step of it, relative to the length of the curve: a longer one leads to another part of the curve than the search did.
const NEAR: f64 = 0.1;

/// A place on the spline: derivatives by the parameter.
#[derive(Clone, Copy)]
struct Spot {
    point: Vec2,
    rate: Vec2,
    bend: Vec2,
}

impl SampledCurve {
    /// The curve at a place by its spline, with derivatives by the arc length, and the arc length from its start (length), over all laps.
    /// Places `s` are sums of chords, as everywhere here. Beyond the ends of an open curve it goes on straight.
    #[must_use]
    pub fn smooth(&self, s: f64) -> (CurvePoint, f64) {
        let Spot { point, rate, bend } = self.spot(s);
        let speed = rate.norm();
        let tangent = rate / speed;
        let normal = crate::perp(tangent);
        let curvature = crate::cross(rate, bend) / (speed * speed * speed);
        (CurvePoint { point, tangent, normal, normal_rate: tangent * -curvature }, self.arc_length(s))
    }

    /// The place of the spline nearest to `target`, near the one that [`nearest_local`](Self::nearest_local) from `from` comes to; that one where
    /// the target is about as far as the centre of curvature.
    #[must_use]
    pub fn smooth_nearest(&self, target: impl Into<Vec2>, from: CurvePosition) -> CurvePosition {
        let target: Vec2 = target.into();
        let rough = self.nearest_local(target, from);
        let settled = SETTLED * self.length();
        let mut s = rough.s;
        for _ in 0..STEPS {
            let Spot { point, rate, bend } = self.spot(s);
            let off = point - target;
            let step = -off.dot(&rate) / (rate.norm_squared() + off.dot(&bend));
            // Where the target is as far as the centre of curvature no place is the nearest.
            if !step.is_finite() || step.abs() > NEAR * self.length() {
                return rough;
            }
            s += step;
            if step.abs() <= settled {
                break;
            }
        }
        CurvePosition { s, index: Some(self.interval(self.wrapped(s)) as u32) }
    }

    fn spot(&self, s: f64) -> Spot {
        let s = self.wrapped(s);
        let inside = s.clamp(self.start(), self.end());
        let [left, right] = self.piece(inside);
        let h = right.s - left.s;
        let (a, b) = ((right.s - inside) / h, (inside - left.s) / h);
        let bends = (left.bend * (a * a * a - a) + right.bend * (b * b * b - b)) * (h * h / 6.0);
        let slopes = (right.bend * (3.0 * b * b - 1.0) - left.bend * (3.0 * a * a - 1.0)) * (h / 6.0);
        let rate = (right.point - left.point) / h + slopes;
        let beyond = s - inside;
        let bend = if beyond == 0.0 { left.bend * a + right.bend * b } else { Vec2::zeros() };
        Spot { point: left.point * a + right.point * b + bends + rate * beyond, rate, bend }
    }

    fn piece(&self, s: f64) -> [&Row; 2] {
        let k = self.interval(s);
        [&self.rows[k], &self.rows[k + 1]]
    }

    /// Arc length of a place from the start, over all laps.
    fn arc_length(&self, s: f64) -> f64 {
        let wrapped = self.wrapped(s);
        let inside = wrapped.clamp(self.start(), self.end());
        let [left, _] = self.piece(inside);
        let laps = ((s - wrapped) / self.length()).round();
        let of_lap = self.rows[self.rows.len() - 1].length;
        let beyond = (wrapped - inside) * self.spot(inside).rate.norm();
        laps * of_lap + left.length + self.stretch(left.s, inside) + beyond
    }

    /// Arc length between two places within a piece.
    fn stretch(&self, from: f64, to: f64) -> f64 {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let off = half * 0.6_f64.sqrt();
        let speed = |s: f64| self.spot(s).rate.norm();
        half * (5.0 * speed(middle - off) + 8.0 * speed(middle) + 5.0 * speed(middle + off)) / 9.0
    }

    /// Finds the second derivatives and arc lengths of the points.
    pub(super) fn smoothen(&mut self) {
        let (n, lap) = (self.rows.len(), self.length());
        let own: Vec<(f64, Vec2)> = self.rows.iter().map(|row| (row.s, row.point)).collect();
        let mut points = own.clone();
        let mut before = 0;
        if self.closed && (own[0].1 - own[n - 1].1).norm() <= SEAM * lap {
            before = OVERLAP.min(n - 1);
            let ahead = own[n - 1 - before..n - 1].iter().map(|&(s, p)| (s - lap, p));
            let behind = own[1..=before].iter().map(|&(s, p)| (s + lap, p));
            points = ahead.chain(own.iter().copied()).chain(behind).collect();
        }
        let bends = bends(&points);
        for (row, bend) in self.rows.iter_mut().zip(&bends[before..]) {
            row.bend = *bend;
        }
        for k in 1..n {
            self.rows[k].length = self.rows[k - 1].length + self.stretch(own[k - 1].0, own[k].0);
        }
    }
}

/// Second derivatives of the spline through points.
fn bends(points: &[(f64, Vec2)]) -> Vec<Vec2> {
    let n = points.len();
    let step = |k: usize| points[k + 1].0 - points[k].0;
    let slope = |k: usize| (points[k + 1].1 - points[k].1) / step(k);
    let mut bends = vec![Vec2::zeros(); n];
    bends[0] = bend_of_cubic(&points[..4], points[0].0);
    bends[n - 1] = bend_of_cubic(&points[n - 4..], points[n - 1].0);
    // Elimination of the tridiagonal system, from which the ends have gone to the right side.
    let mut above = vec![0.0; n];
    for k in 1..n - 1 {
        let (left, right) = (step(k - 1), step(k));
        let pivot = 2.0 * (left + right) - left * above[k - 1];
        above[k] = right / pivot;
        bends[k] = ((slope(k) - slope(k - 1)) * 6.0 - bends[k - 1] * left) / pivot;
    }
    for k in (1..n - 1).rev() {
        let next = bends[k + 1];
        bends[k] -= next * above[k];
    }
    bends
}

/// Second derivative at a place of the cubic through four points.
fn bend_of_cubic(points: &[(f64, Vec2)], at: f64) -> Vec2 {
    let of = |i: usize| {
        let others = (0..4).filter(move |&j| j != i).map(|j| points[j].0);
        let sum: f64 = others.clone().map(|s| at - s).sum();
        let product: f64 = others.map(|s| points[i].0 - s).product();
        points[i].1 * (2.0 * sum / product)
    };
    (0..4).fold(Vec2::zeros(), |sum, i| sum + of(i))
}
