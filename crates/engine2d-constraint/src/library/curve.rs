//! Curves that a point can follow: parametric ones through [`Curve`], circular arcs, splines through samples.

use engine2d_math::sampled_curve::SampledCurve;
use engine2d_math::{Vec2, trig};
use std::fmt::Debug;

/// A place of a curve: its point and the first two derivatives by the parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveSample {
    /// Position.
    pub point: Vec2,
    /// First derivative; never zero.
    pub first: Vec2,
    /// Second derivative.
    pub second: Vec2,
}

/// A parametric curve with two continuous derivatives.
pub trait Curve: Debug + Send + Sync {
    /// First and last parameter.
    fn range(&self) -> [f64; 2];

    /// Whether the end joins the start smoothly.
    fn is_closed(&self) -> bool;

    /// The curve at a parameter within the range.
    fn at(&self, s: f64) -> CurveSample;

    /// A parameter near the point of the curve that is nearest to `target`; by default the best of 64 equal steps.
    fn nearest_start(&self, target: Vec2) -> f64 {
        const STEPS: u32 = 64;
        let [low, high] = self.range();
        let places = (0..=STEPS).map(|k| low + (high - low) * f64::from(k) / f64::from(STEPS));
        nearest(places.map(|s| (s, self.at(s).point)), target).unwrap_or(low)
    }
}

/// The parameter whose point is nearest to `target`; the first of equals.
fn nearest(places: impl Iterator<Item = (f64, Vec2)>, target: Vec2) -> Option<f64> {
    let mut best: Option<(f64, f64)> = None;
    for (s, point) in places {
        let distance = (point - target).norm_squared();
        if best.is_none_or(|(_, least)| distance < least) {
            best = Some((s, distance));
        }
    }
    best.map(|(s, _)| s)
}

/// Newton steps that the search for a foot point may take.
const FOOT_STEPS: usize = 60;

/// The curve at `s`; an open one goes on straight beyond its ends, a closed one starts anew.
pub(super) fn extended(curve: &dyn Curve, s: f64) -> CurveSample {
    let [low, high] = curve.range();
    if curve.is_closed() {
        let lap = high - low;
        return curve.at(low + (s - low).rem_euclid(lap));
    }
    let inside = s.clamp(low, high);
    let mut sample = curve.at(inside);
    if s != inside {
        sample.point += sample.first * (s - inside);
        sample.second = Vec2::zeros();
    }
    sample
}

/// The parameter of the foot of `target` on the curve, from the nearest start by guarded Newton steps on
/// `(c − target) · c′ = 0`.
pub(super) fn foot(curve: &dyn Curve, target: Vec2) -> f64 {
    let mut s = curve.nearest_start(target);
    let [low, high] = curve.range();
    let longest = (high - low) / 16.0;
    for _ in 0..FOOT_STEPS {
        let c = extended(curve, s);
        let away = c.point - target;
        let gauss = c.first.norm_squared();
        let slope = gauss + away.dot(&c.second);
        // Where the distance is not convex the Gauss–Newton slope still descends.
        let step = away.dot(&c.first) / if slope > 0.25 * gauss { slope } else { gauss };
        s -= step.clamp(-longest, longest);
        if step.abs() <= f64::EPSILON * (high - low) {
            break;
        }
    }
    s
}

/// A circular arc, or a whole circle; the parameter is arc length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arc {
    /// Its center, in the frame of the body that it belongs to.
    pub center: Vec2,
    /// Its radius (length, > 0).
    pub radius: f64,
    /// Angle at which it starts (radians).
    pub start: f64,
    /// Angle over which it runs counter-clockwise (radians, > 0; 2π for a circle).
    pub sweep: f64,
}

impl Curve for Arc {
    fn range(&self) -> [f64; 2] {
        [0.0, self.radius * self.sweep]
    }

    fn is_closed(&self) -> bool {
        self.sweep >= std::f64::consts::TAU
    }

    fn at(&self, s: f64) -> CurveSample {
        let (sin, cos) = trig::sin_cos(self.start + s / self.radius);
        let out = Vec2::new(cos, sin);
        CurveSample {
            point: self.center + out * self.radius,
            first: Vec2::new(-sin, cos),
            second: out / -self.radius,
        }
    }
}

/// Why samples make no curve.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SplineError {
    /// Too few points.
    #[error("a spline needs at least 4 points, got {got}")]
    TooFewPoints {
        /// Points given.
        got: usize,
    },
    /// A point is not finite or repeats its neighbour.
    #[error("point {index} is not finite or repeats its neighbour")]
    BadPoint {
        /// Its index.
        index: usize,
    },
    /// A closed curve whose last point is not its first.
    #[error("a closed curve ends where it starts: the last point is {gap:e} from the first")]
    Open {
        /// Distance of the last point from the first.
        gap: f64,
    },
}

/// A cubic spline through samples with two continuous derivatives, natural at open ends and periodic when closed;
/// the parameter is chord length.
#[derive(Clone, Debug, PartialEq)]
pub struct Spline {
    s: Vec<f64>,
    points: Vec<Vec2>,
    second: Vec<Vec2>,
    closed: bool,
}

impl Spline {
    /// The spline through `points` in order; a closed one repeats its first point at the end.
    ///
    /// # Errors
    /// [`SplineError`].
    pub fn new(points: impl Into<Vec<Vec2>>, closed: bool) -> Result<Self, SplineError> {
        let points = points.into();
        let n = points.len();
        if n < 4 {
            return Err(SplineError::TooFewPoints { got: n });
        }
        let mut s = vec![0.0; n];
        for index in 1..n {
            let chord = (points[index] - points[index - 1]).norm();
            if !(chord > 0.0 && chord.is_finite()) {
                return Err(SplineError::BadPoint { index });
            }
            s[index] = s[index - 1] + chord;
        }
        let gap = (points[n - 1] - points[0]).norm();
        if closed && gap > s[n - 1] * 1e-9 {
            return Err(SplineError::Open { gap });
        }
        let second = if closed { periodic(&s, &points) } else { natural(&s, &points) };
        Ok(Self { s, points, second, closed })
    }

    /// The spline through the points of a table.
    ///
    /// # Errors
    /// [`SplineError`].
    pub fn through(curve: &SampledCurve) -> Result<Self, SplineError> {
        Self::new(curve.points().collect::<Vec<_>>(), curve.is_closed())
    }
}

impl Curve for Spline {
    fn range(&self) -> [f64; 2] {
        [self.s[0], self.s[self.s.len() - 1]]
    }

    fn is_closed(&self) -> bool {
        self.closed
    }

    fn at(&self, s: f64) -> CurveSample {
        let after = self.s.partition_point(|knot| *knot <= s);
        let k = after.clamp(1, self.s.len() - 1) - 1;
        let h = self.s[k + 1] - self.s[k];
        let (a, b) = ((self.s[k + 1] - s) / h, (s - self.s[k]) / h);
        let (m0, m1) = (self.second[k], self.second[k + 1]);
        let (p0, p1) = (self.points[k], self.points[k + 1]);
        CurveSample {
            point: p0 * a + p1 * b + (m0 * (a * a * a - a) + m1 * (b * b * b - b)) * (h * h / 6.0),
            first: (p1 - p0) / h + (m1 * (3.0 * b * b - 1.0) - m0 * (3.0 * a * a - 1.0)) * (h / 6.0),
            second: m0 * a + m1 * b,
        }
    }

    fn nearest_start(&self, target: Vec2) -> f64 {
        nearest(self.s.iter().copied().zip(self.points.iter().copied()), target).unwrap_or(0.0)
    }
}

/// Row `k` of the spline's equations: `h_0 m_{k−1} + 2 (h_0 + h_1) m_k + h_1 m_{k+1} = rhs`.
fn equation(h: [f64; 2], points: [Vec2; 3]) -> (f64, f64, f64, Vec2) {
    let rhs = ((points[2] - points[1]) / h[1] - (points[1] - points[0]) / h[0]) * 6.0;
    (h[0], 2.0 * (h[0] + h[1]), h[1], rhs)
}

/// Solves a tridiagonal, diagonally dominant system [Press et al., Numerical Recipes, §2.4].
fn tridiagonal(rows: &[(f64, f64, f64, Vec2)]) -> Vec<Vec2> {
    let mut upper = Vec::with_capacity(rows.len());
    let mut x: Vec<Vec2> = Vec::with_capacity(rows.len());
    for (k, &(low, diagonal, high, rhs)) in rows.iter().enumerate() {
        let (before, from) = if k == 0 { (0.0, Vec2::zeros()) } else { (upper[k - 1], x[k - 1]) };
        let low = if k == 0 { 0.0 } else { low };
        let pivot = diagonal - low * before;
        upper.push(high / pivot);
        x.push((rhs - from * low) / pivot);
    }
    for k in (0..rows.len().saturating_sub(1)).rev() {
        let next = x[k + 1];
        x[k] -= next * upper[k];
    }
    x
}

/// Second derivatives of the natural spline.
fn natural(s: &[f64], points: &[Vec2]) -> Vec<Vec2> {
    let n = s.len();
    let rows: Vec<_> = (1..n - 1)
        .map(|k| equation([s[k] - s[k - 1], s[k + 1] - s[k]], [points[k - 1], points[k], points[k + 1]]))
        .collect();
    let mut second = vec![Vec2::zeros(); n];
    second[1..n - 1].copy_from_slice(&tridiagonal(&rows));
    second
}

/// Second derivatives of the periodic spline: the cyclic system by one correction of rank one
/// [Sherman, Morrison].
fn periodic(s: &[f64], points: &[Vec2]) -> Vec<Vec2> {
    let n = s.len() - 1;
    let h = |k: usize| s[k % n + 1] - s[k % n];
    let mut rows: Vec<_> = (0..n)
        .map(|k| equation([h(k + n - 1), h(k)], [points[(k + n - 1) % n], points[k], points[k + 1]]))
        .collect();
    let (corner_first, corner_last) = (rows[0].0, rows[n - 1].2);
    let gamma = -rows[0].1;
    rows[0].1 -= gamma;
    rows[n - 1].1 -= corner_last * corner_first / gamma;
    let x = tridiagonal(&rows);
    for (k, row) in rows.iter_mut().enumerate() {
        let value = if k == 0 {
            gamma
        } else if k == n - 1 {
            corner_last
        } else {
            0.0
        };
        row.3 = Vec2::new(value, 0.0);
    }
    let z = tridiagonal(&rows);
    let weight = corner_first / gamma;
    let factor = (x[0] + x[n - 1] * weight) / (1.0 + z[0].x + z[n - 1].x * weight);
    let mut second: Vec<Vec2> = (0..n).map(|k| x[k] - factor * z[k].x).collect();
    second.push(second[0]);
    second
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// A circle sampled at 200 points agrees with the arc to the order of the spline, and its derivatives are those
    /// of its points.
    #[test]
    fn a_periodic_spline_through_a_circle_is_smooth_over_its_seam() {
        let arc = Arc { center: Vec2::from([1.0, -2.0]), radius: 3.0, start: 0.0, sweep: TAU };
        let length = arc.range()[1];
        let mut points: Vec<Vec2> = (0..200).map(|k| arc.at(length * f64::from(k) / 200.0).point).collect();
        points.push(points[0]);
        let spline = Spline::new(points, true).unwrap();
        let [low, high] = spline.range();
        for s in [0.0, 1e-9, 4.4, 11.0, high - 1e-9] {
            let c = spline.at(s);
            assert!(((c.point - Vec2::new(1.0, -2.0)).norm() - 3.0).abs() < 1e-7);
            assert!((c.second.norm() - 1.0 / 3.0).abs() < 1e-4, "{c:?}");
        }
        assert!((spline.at(low).first - spline.at(high).first).norm() < 1e-12);
        assert!((spline.at(low).second - spline.at(high).second).norm() < 1e-12);
        let (s, h) = (7.3, 1e-4);
        let (before, here, after) = (spline.at(s - h), spline.at(s), spline.at(s + h));
        assert!(((after.point - before.point) / (2.0 * h) - here.first).norm() < 1e-8);
        assert!(((after.first - before.first) / (2.0 * h) - here.second).norm() < 1e-8);
    }

    #[test]
    fn samples_that_make_no_curve_are_told() {
        let p = |x: f64| Vec2::new(x, 0.0);
        assert_eq!(Spline::new([p(0.0), p(1.0)], false), Err(SplineError::TooFewPoints { got: 2 }));
        let twice = Spline::new([p(0.0), p(1.0), p(1.0), p(2.0)], false);
        assert_eq!(twice, Err(SplineError::BadPoint { index: 2 }));
        let open = Spline::new([p(0.0), p(1.0), p(2.0), p(3.0)], true);
        assert_eq!(open, Err(SplineError::Open { gap: 3.0 }));
    }

    #[test]
    fn the_foot_of_a_point_is_square_to_the_curve() {
        let arc = Arc { center: Vec2::from([0.0, 0.0]), radius: 2.0, start: 0.3, sweep: 2.0 };
        let target = Vec2::new(0.4, 2.9);
        let s = foot(&arc, target);
        let c = extended(&arc, s);
        assert!((c.point - target).dot(&c.first).abs() < 1e-14);
        // Beyond an open end the curve goes on straight.
        let beyond = Vec2::new(2.5, -1.0);
        let s = foot(&arc, beyond);
        assert!(s < 0.0);
        let c = extended(&arc, s);
        assert!((c.point - beyond).dot(&c.first).abs() < 1e-13);
    }
}
