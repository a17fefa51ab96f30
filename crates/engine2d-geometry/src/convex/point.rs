//! Signed distance of a point from a convex shape.

use super::distance::QueryError;
use super::outline::Outline;
use super::{Core, Shape};
use crate::tolerance::TOUCHING;
use engine2d_math::{Pose, Vec2};

/// Halvings and Newton steps that take the foot on an ellipse to rounding.
const FOOT_STEPS: usize = 100;

/// The boundary point of a shape nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointDistance {
    /// Distance of the point (length): negative inside.
    pub distance: f64,
    /// Unit normal out of the shape (world): moving the point by `−distance` along it brings it to the
    /// boundary.
    pub normal: Vec2,
    /// The nearest boundary point (world).
    pub nearest: Vec2,
}

impl Shape {
    /// Signed distance of `point` (world) from the shape at `pose`, with the nearest boundary point. Where
    /// several are nearest one is returned, always the same.
    ///
    /// # Errors
    /// [`QueryError::NotFinite`] for a point or pose that is not finite, [`QueryError::Range`] where
    /// coordinates are too large or small for their squares.
    pub fn distance_to_point(
        &self,
        pose: &Pose,
        point: impl Into<Vec2>,
    ) -> Result<PointDistance, QueryError> {
        let point: Vec2 = point.into();
        super::distance::check_poses([pose, &Pose::new(point.x, point.y, 0.0)])?;
        let near = self.core.distance_to_point(pose.transform_inverse(point));
        let normal = pose.rotate(near.normal);
        let distance = near.distance - self.radius;
        let answer = PointDistance { distance, normal, nearest: point - normal * distance };
        let is_sound = super::distance::is_sound(distance, normal) && answer.nearest.norm().is_finite();
        if is_sound { Ok(answer) } else { Err(QueryError::Range) }
    }

    /// Whether `point` (world) lies in the shape at `pose` or on its boundary.
    ///
    /// # Errors
    /// As [`distance_to_point`](Self::distance_to_point).
    pub fn contains_point(&self, pose: &Pose, point: impl Into<Vec2>) -> Result<bool, QueryError> {
        let point: Vec2 = point.into();
        Ok(self.distance_to_point(pose, point)?.distance <= 0.0)
    }
}

/// Where a core is nearest to a point, in its own coordinates.
#[derive(Clone, Copy)]
pub(super) struct Nearest {
    /// Signed distance of the point.
    pub(super) distance: f64,
    /// Outward unit normal at the nearest boundary point.
    pub(super) normal: Vec2,
    /// The nearest corner or an end of the nearest edge.
    pub(super) corner: usize,
}

impl Core {
    /// Where the core is nearest to a local point.
    pub(super) fn distance_to_point(&self, p: Vec2) -> Nearest {
        match self {
            Self::Corners(outline) if outline.len() < 3 => segment(outline.corners(), p),
            Self::Corners(outline) => polygon(outline, p),
            Self::Ellipse { a, b } => {
                let (distance, normal) = ellipse(*a, *b, p);
                Nearest { distance, normal, corner: 0 }
            }
            Self::HalfPlane => Nearest { distance: p.y, normal: Vec2::new(0.0, 1.0), corner: 0 },
        }
    }
}

/// Distance and direction from a segment or a point; between the ends the direction is across the segment,
/// also for points on it.
fn segment(ends: &[Vec2], p: Vec2) -> Nearest {
    let last = ends.len() - 1;
    let (s, e) = (ends[0], ends[last]);
    let along = e - s;
    let square = along.norm_squared();
    let t = (p - s).dot(&along);
    if 0.0 < t && t < square {
        let across = Vec2::new(along.y, -along.x) / square.sqrt();
        let side = across.dot(&(p - s));
        let (distance, normal) = if side < 0.0 { (-side, -across) } else { (side, across) };
        return Nearest { distance, normal, corner: 0 };
    }
    let across =
        if square > 0.0 { Vec2::new(along.y, -along.x) / square.sqrt() } else { Vec2::new(1.0, 0.0) };
    off(p, ends, if t > 0.0 { last } else { 0 }, across)
}

/// Distance and direction of `p` from a corner; at the corner itself, within rounding, the direction is `at_corner`.
fn off(p: Vec2, corners: &[Vec2], corner: usize, at_corner: Vec2) -> Nearest {
    let d = p - corners[corner];
    let distance = d.norm();
    let touching = TOUCHING * (p.norm() + corners[corner].norm());
    let normal = if distance > touching { d / distance } else { at_corner };
    Nearest { distance, normal, corner }
}

/// The edge beyond which `p` lies farthest, or least deep, decides: a corner nearer than all edges belongs
/// to it.
fn polygon(outline: &Outline, p: Vec2) -> Nearest {
    let corners = outline.corners();
    let (mut beyond, mut i) = (f64::NEG_INFINITY, 0);
    for (k, (normal, corner)) in outline.normals().iter().zip(corners).enumerate() {
        let height = normal.dot(&(p - corner));
        if height > beyond {
            (beyond, i) = (height, k);
        }
    }
    let normal = outline.normals()[i];
    if beyond > 0.0 {
        let next = outline.after(i);
        let along = corners[next] - corners[i];
        let t = (p - corners[i]).dot(&along);
        // Off a corner, unless the edge beside it is level with that or higher by rounding: then its normal is.
        let beside = |k: usize, corner: usize, sign: f64| {
            let near = off(p, corners, corner, normal);
            let along = corners[outline.after(k)] - corners[k];
            let is_beyond = sign * along.dot(&near.normal) > 0.0;
            if is_beyond { Nearest { normal: outline.normals()[k], ..near } } else { near }
        };
        if t < 0.0 {
            return beside(outline.before(i), i, -1.0);
        }
        if t > along.norm_squared() {
            return beside(next, next, 1.0);
        }
    }
    Nearest { distance: beyond, normal, corner: i }
}

/// The foot `(a² x/(t + a²), b² y/(t + b²))` with the largest root `t` of
/// `(a x/(t + a²))² + (b y/(t + b²))² = 1` \[Eberly 2013, distance from a point to an ellipse\]. The function
/// falls and is convex there, so that Newton's method from its left end cannot pass the root.
fn ellipse(a: f64, b: f64, p: Vec2) -> (f64, Vec2) {
    if b > a {
        let (distance, n) = ellipse(b, a, Vec2::new(p.y, p.x));
        return (distance, Vec2::new(n.y, n.x));
    }
    // Lengths in units of the longer semi-axis; the first quadrant stands for all.
    let ratio = b / a;
    let (x, y) = (p.x.abs() / a, p.y.abs() / a);
    let square = ratio * ratio;
    let on = |u: f64, v: f64| {
        // The normal at (u, v) on u² + v²/square = 1.
        let n = Vec2::new(square * u, v);
        let n = n / n.norm();
        Vec2::new(n.x.copysign(p.x), n.y.copysign(p.y))
    };
    let (u, v) = if y == 0.0 && x < 1.0 - square {
        // Between the centres of curvature of the long axis' ends the foot leaves the axis.
        let u = x / (1.0 - square);
        (u, ratio * (1.0 - u * u).sqrt())
    } else {
        // In s = t + square, which is positive: (x/(s + 1 − square))² + (ratio y/s)² = 1.
        let gap = 1.0 - square;
        let mut s = (ratio * y).max(x - gap);
        for _ in 0..FOOT_STEPS {
            let (f, g) = (x / (s + gap), ratio * y / s);
            let value = f * f + g * g - 1.0;
            let slope = -2.0 * (f * f / (s + gap) + g * g / s);
            let next = s - value / slope;
            if !(next > s) {
                break;
            }
            s = next;
        }
        (x / (s + gap), square * y / s)
    };
    let normal = on(u, v);
    let foot = Vec2::new((a * u).copysign(p.x), (a * v).copysign(p.y));
    (normal.dot(&(p - foot)), normal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_math::trig;

    #[test]
    fn distances_from_an_ellipse_are_those_of_a_dense_sampling() {
        for (a, b) in [(2.0, 1.0), (1.0, 3.0), (1.0, 1.0), (5.0, 0.05)] {
            let ellipse = Shape::ellipse(a, b).unwrap();
            for k in 0..200 {
                let p = Vec2::new(f64::from(k % 20) * 0.31 - 3.0, f64::from(k / 20) * 0.35 - 1.4);
                let found = ellipse.distance_to_point(&Pose::IDENTITY, p).unwrap();
                let mut least = f64::INFINITY;
                for i in 0..20_000 {
                    let (sin, cos) = trig::sin_cos(f64::from(i) * std::f64::consts::TAU / 20_000.0);
                    least = least.min((p - Vec2::new(a * cos, b * sin)).norm());
                }
                let inside = (p.x / a).powi(2) + (p.y / b).powi(2) < 1.0;
                assert_eq!(inside, found.distance < 0.0);
                // A sampled curve is farther by at most the sagitta and half the spacing.
                let error = least - found.distance.abs();
                assert!((-1e-12..2e-3).contains(&error), "{a} {b} {p}: {error}");
                let q = found.nearest;
                assert!(((q.x / a).powi(2) + (q.y / b).powi(2) - 1.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn points_about_a_rounded_box_and_a_capsule() {
        let rounded = Shape::rectangle(1.0, 0.5).unwrap().rounded(0.25).unwrap();
        let pose = Pose::new(3.0, -1.0, std::f64::consts::FRAC_PI_2);
        for (local, expected) in [
            ([2.0, 0.0], 0.75),
            ([1.3, 0.9], 0.25),
            ([0.0, 0.4], -0.35),
            ([0.9, 0.0], -0.35),
            ([0.0, -2.0], 1.25),
        ] {
            let at = rounded.distance_to_point(&pose, pose.transform(Vec2::from(local))).unwrap();
            assert!((at.distance - expected).abs() < 1e-14, "{local:?} {}", at.distance);
        }
        let capsule = Shape::capsule(crate::sizes::Capsule { half_length: 1.0, radius: 0.5 }).unwrap();
        let at = capsule.distance_to_point(&Pose::IDENTITY, Vec2::new(0.2, 0.0)).unwrap();
        assert_eq!(at.distance, -0.5);
        assert!(Shape::half_plane().contains_point(&pose, Vec2::new(3.5, 0.0)).unwrap());
    }
}
