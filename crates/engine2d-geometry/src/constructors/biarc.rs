//! Smooth curves as circular arcs that share their tangents, within a tolerance.

use super::segment::Segment;
use engine2d_math::{Vec2, cross, perp};

/// Most halvings of a curve: then it has a cusp, and a chord does.
const MOST_HALVINGS: u32 = 11;

/// Where between its ends a curve is compared with its arcs.
const SAMPLES: [f64; 7] = [0.06, 0.2, 0.36, 0.5, 0.64, 0.8, 0.94];

/// Part of the tolerance within which an arc is a line.
const FLAT: f64 = 1e-3;

/// How far on the direction of a curve is read where its derivative vanishes, as a part of its parameter.
const NEAR: f64 = 1e-4;

/// Derivative that counts as none, as a part of that near by.
const VANISHING: f64 = 1e-9;

/// Sum of tangents along the chord below which they are opposed.
const OPPOSED: f64 = 1e-12;

/// A curve: point and derivative at a parameter from 0 to 1.
pub(super) trait SmoothCurve {
    fn at(&self, t: f64) -> Vec2;
    fn derivative(&self, t: f64) -> Vec2;
}

/// Finest tolerance as a part of a curve's size, and of how far off it is: below, rounding decides.
const FINEST: [f64; 2] = [1e-7, 1e-12];

/// Appends arcs and lines that stay within `tolerance` (length) of a curve, or within the finest part of its size.
pub(super) fn follow(curve: &impl SmoothCurve, tolerance: f64, out: &mut Vec<Segment>) {
    let points = [0.0, 0.25, 0.5, 0.75, 1.0].map(|t| curve.at(t));
    let size = points.iter().map(|p| (p - points[0]).norm()).fold(0.0, f64::max);
    let off = points.iter().map(|p| p.norm()).fold(0.0, f64::max);
    let tolerance = tolerance.max(FINEST[0] * size).max(FINEST[1] * off);
    // Halves first: a curve that comes back to itself, or turns by half a turn, has no pair of arcs.
    for quarter in 0..4 {
        let span = [0.25 * f64::from(quarter), 0.25 * f64::from(quarter + 1)];
        part(curve, span, tolerance, MOST_HALVINGS, out);
    }
}

fn part(curve: &impl SmoothCurve, [from, to]: [f64; 2], tolerance: f64, left: u32, out: &mut Vec<Segment>) {
    let (a, b) = (curve.at(from), curve.at(to));
    if !((b - a).norm() > 0.0) {
        return;
    }
    let pair = biarc([a, b], [tangent(curve, from, to), tangent(curve, to, from)], FLAT * tolerance);
    let close = pair
        .as_ref()
        .is_some_and(|pair| SAMPLES.iter().all(|s| gap(curve.at(from + s * (to - from)), pair) <= tolerance));
    match pair {
        Some(pair) if close => out.extend(pair),
        _ if left == 0 || (b - a).norm() < FLAT * tolerance => {
            out.push(Segment { start: a, end: b, arc: None })
        }
        _ => {
            let middle = 0.5 * (from + to);
            part(curve, [from, middle], tolerance, left - 1, out);
            part(curve, [middle, to], tolerance, left - 1, out);
        }
    }
}

/// Unit tangent at an end; where the derivative vanishes that a little further on.
fn tangent(curve: &impl SmoothCurve, at: f64, towards: f64) -> Vec2 {
    let here = curve.derivative(at);
    let near = curve.derivative(at + NEAR * (towards - at));
    let found = if here.norm() > VANISHING * near.norm() { here } else { near };
    found.try_normalize(0.0).unwrap_or_else(Vec2::zeros)
}

/// Two arcs between two points with the tangents given there, which meet with one tangent; `None` if there are none that
/// turn by less than half a turn.
fn biarc([a, b]: [Vec2; 2], [u, v]: [Vec2; 2], flat: f64) -> Option<[Segment; 2]> {
    let way = b - a;
    let (sum, spread) = (u + v, 2.0 * (1.0 - u.dot(&v)));
    let along = way.dot(&sum);
    // The reach r of both tangents: spread r² + 2 along r − way² = 0.
    let root = (along * along + spread * way.norm_squared()).sqrt();
    let reach = way.norm_squared() / (along + root);
    if !(reach > 0.0 && reach.is_finite() && along + root > OPPOSED * way.norm()) {
        return None;
    }
    let joint = 0.5 * (a + b + reach * (u - v));
    if u.dot(&(joint - a)) <= 0.0 || v.dot(&(b - joint)) <= 0.0 {
        return None;
    }
    Some([arc(a, joint, u, flat), arc(joint, b, -reflected(v, b - joint), flat)])
}

/// The tangent at the start of an arc whose tangent at its end is `v`, turned round.
fn reflected(v: Vec2, chord: Vec2) -> Vec2 {
    let along = chord.normalize();
    v - 2.0 * along * v.dot(&along)
}

/// The arc that leaves `a` along `u` and comes to `b`; a line if it is as flat as one.
fn arc(a: Vec2, b: Vec2, u: Vec2, flat: f64) -> Segment {
    let chord = b - a;
    let (half, turn) = (0.5 * chord.norm(), cross(u, chord));
    // Sine of the angle between tangent and chord.
    let sine = turn / (2.0 * half);
    let sagitta = half * (0.5 * sine);
    if sagitta.abs() <= flat {
        return Segment { start: a, end: b, arc: None };
    }
    let cosine = u.dot(&chord) / (2.0 * half);
    let center = 0.5 * (a + b) + perp(chord) * (0.5 * cosine / sine);
    Segment { start: a, end: b, arc: Some((center, sine < 0.0)) }
}

/// How far a point is from a pair of arcs or lines.
fn gap(p: Vec2, pair: &[Segment; 2]) -> f64 {
    let of = |s: &Segment| match s.arc {
        Some((center, _)) => ((p - center).norm() - (s.start - center).norm()).abs(),
        None => {
            let along = s.end - s.start;
            let part = ((p - s.start).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
            (p - s.start - along * part).norm()
        }
    };
    of(&pair[0]).min(of(&pair[1]))
}

/// A cubic Bézier curve by its four points.
pub(super) struct Bezier(pub(super) [Vec2; 4]);

impl SmoothCurve for Bezier {
    fn at(&self, t: f64) -> Vec2 {
        let (s, [a, b, c, d]) = (1.0 - t, self.0);
        a * (s * s * s) + b * (3.0 * s * s * t) + c * (3.0 * s * t * t) + d * (t * t * t)
    }

    fn derivative(&self, t: f64) -> Vec2 {
        let (s, [a, b, c, d]) = (1.0 - t, self.0);
        3.0 * ((b - a) * (s * s) + (c - b) * (2.0 * s * t) + (d - c) * (t * t))
    }
}

/// A part of an ellipse: centre, its two half axes, and the angles between which it runs.
pub(super) struct Elliptic {
    pub(super) center: Vec2,
    pub(super) axes: [Vec2; 2],
    pub(super) angles: [f64; 2],
}

impl SmoothCurve for Elliptic {
    fn at(&self, t: f64) -> Vec2 {
        let (sin, cos) = engine2d_math::trig::sin_cos(self.angles[0] + t * (self.angles[1] - self.angles[0]));
        self.center + self.axes[0] * cos + self.axes[1] * sin
    }

    fn derivative(&self, t: f64) -> Vec2 {
        let rate = self.angles[1] - self.angles[0];
        let (sin, cos) = engine2d_math::trig::sin_cos(self.angles[0] + t * rate);
        (self.axes[1] * cos - self.axes[0] * sin) * rate
    }
}
