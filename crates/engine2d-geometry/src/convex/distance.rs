//! Signed distance of two convex shapes with witness points.

use super::feature::FeaturePair;
use super::polygonal::{Placed, corner_distance};
use super::smooth::smooth_distance;
use super::{Core, Shape};
use engine2d_math::{Pose, Vec2};

/// Signed distance of two shapes.
///
/// Positive: the Euclidean distance. Negative: minus the length of the shortest translation that separates
/// them. Both are `max over unit m of (min_A m·p − max_B m·p)`, attained at the normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Signed distance (length).
    pub distance: f64,
    /// Unit normal out of B into A (world): moving A by `−distance` along it makes the shapes just touch.
    pub normal: Vec2,
    /// Witness on the boundary of A (world).
    pub point_a: Vec2,
    /// Witness on the boundary of B (world); `point_a − point_b = distance · normal`.
    pub point_b: Vec2,
    /// The features that face each other; they stay the same while the shapes move a little.
    pub features: FeaturePair,
}

/// The answer for two cores.
#[derive(Clone, Copy)]
pub(super) struct Gap {
    pub(super) distance: f64,
    pub(super) normal: Vec2,
    pub(super) point_a: Vec2,
    pub(super) point_b: Vec2,
    /// Corners of A and B next to which the features are found.
    pub(super) near: [usize; 2],
}

impl Gap {
    pub(super) fn swapped(self) -> Self {
        let [a, b] = self.near;
        let (point_a, point_b) = (self.point_b, self.point_a);
        Self { normal: -self.normal, point_a, point_b, near: [b, a], ..self }
    }
}

/// Departure of a squared length from 1 that rounding cannot explain (relative).
const UNIT: f64 = 1e-9;

/// A query that has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// Two half planes that no finite translation separates.
    #[error("two half planes that are not turned away from each other overlap without bound")]
    Unbounded,
    /// A pose, point or ray that is not finite.
    #[error("the pose of shape {which}, or the point or ray in its place, is not finite")]
    NotFinite {
        /// 0 for A, 1 for B.
        which: usize,
    },
    /// A ray whose direction is no unit vector.
    #[error("the direction of the ray has length {length}, not 1: `Ray::new` takes one of any length but 0")]
    Direction {
        /// Its length.
        length: f64,
    },
    /// A ray or a cast that reaches less far than nothing.
    #[error("the reach is {reach}: it must be at least 0")]
    Reach {
        /// The reach given.
        reach: f64,
    },
    /// A field of an [`Approach`](crate::Approach) that makes no sense.
    #[error("the {field} of the approach is {value}: it must be finite and {allowed}")]
    Approach {
        /// Which field.
        field: &'static str,
        /// Its value.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// Coordinates so large or small that their squares are not finite or vanish.
    #[error("coordinates leave the range of their squares: scale lengths to between 1e-100 and 1e100")]
    Range,
    /// Portal refinement started with coinciding centres.
    #[error("the centres of the shapes coincide within {limit:e}: portal refinement has no direction")]
    CoincidentCenters {
        /// Smallest distance of the centres that gives a direction.
        limit: f64,
    },
}

/// Signed distance of shape `a` at `pose_a` and shape `b` at `pose_b`, with the global minimal translation
/// when they penetrate.
///
/// Cores with corners are answered exactly over the faces of their Minkowski difference, and by GJK
/// \[Gilbert, Johnson, Keerthi 1988\] where separated corners face each other; ellipses by branch and bound
/// over all directions with a curvature bound, finished by Newton's method. Accuracy is that of rounding.
/// Where the normal is not unique one of the best is returned, always the same.
///
/// # Errors
/// [`QueryError::Unbounded`] for two half planes, [`QueryError::NotFinite`], [`QueryError::Range`].
pub fn distance(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Result<Distance, QueryError> {
    check_poses([pose_a, pose_b])?;
    let core = match (&a.core, &b.core) {
        (Core::HalfPlane, Core::HalfPlane) => half_planes(pose_a, pose_b)?,
        (Core::HalfPlane, _) => half_plane(pose_a, &b.core, pose_b).swapped(),
        (_, Core::HalfPlane) => half_plane(pose_b, &a.core, pose_a),
        (Core::Corners(p), Core::Corners(q)) if p.len() == 1 && q.len() == 1 => {
            points(pose_a.transform(p.corners()[0]), pose_b.transform(q.corners()[0]), [0, 0])
        }
        (Core::Corners(p), _) if p.len() == 1 => {
            point_and_core(pose_a.transform(p.corners()[0]), &b.core, pose_b)
        }
        (_, Core::Corners(q)) if q.len() == 1 => {
            point_and_core(pose_b.transform(q.corners()[0]), &a.core, pose_a).swapped()
        }
        (Core::Corners(p), Core::Corners(q)) => {
            corner_distance(&Placed { outline: p, pose: pose_a }, &Placed { outline: q, pose: pose_b })
        }
        (a, b) if a.is_in_range() && b.is_in_range() => smooth_distance(a, pose_a, b, pose_b),
        _ => return Err(QueryError::Range),
    };
    // Inflation moves both witnesses towards each other.
    let answer = Distance {
        distance: core.distance - a.radius - b.radius,
        normal: core.normal,
        point_a: core.point_a - core.normal * a.radius,
        point_b: core.point_b + core.normal * b.radius,
        features: features((a, pose_a), (b, pose_b), core.normal, core.near),
    };
    let is_finite = (answer.point_a.norm_squared() + answer.point_b.norm_squared()).is_finite();
    if is_sound(answer.distance, answer.normal) && is_finite { Ok(answer) } else { Err(QueryError::Range) }
}

/// The features of two placed shapes along a normal out of the second, looked for from the corners `near`.
pub(super) fn features(
    (a, pose_a): (&Shape, &Pose),
    (b, pose_b): (&Shape, &Pose),
    normal: Vec2,
    near: [usize; 2],
) -> FeaturePair {
    FeaturePair { a: a.feature(pose_a, -normal, near[0]), b: b.feature(pose_b, normal, near[1]) }
}

pub(super) fn check_poses(poses: [&Pose; 2]) -> Result<(), QueryError> {
    for (which, pose) in poses.into_iter().enumerate() {
        let p = pose.position();
        if !(p.x.is_finite() && p.y.is_finite() && pose.sin().is_finite() && pose.cos().is_finite()) {
            return Err(QueryError::NotFinite { which });
        }
    }
    Ok(())
}

/// Whether no square overflowed or vanished on the way to an answer.
pub(crate) fn is_sound(distance: f64, normal: Vec2) -> bool {
    distance.is_finite() && (normal.norm_squared() - 1.0).abs() < UNIT
}

/// Distance of a bounded core (A) from a half plane (B).
fn half_plane(plane: &Pose, core: &Core, pose: &Pose) -> Gap {
    let normal = plane.rotate(Vec2::new(0.0, 1.0));
    let down = pose.rotate_inverse(-normal);
    let (lowest, near) = match core {
        Core::Corners(outline) => {
            let i = outline.farthest(down);
            (outline.corners()[i], i)
        }
        _ => (core.support(down), 0),
    };
    let lowest = pose.transform(lowest);
    let distance = normal.dot(&(lowest - plane.position()));
    Gap { distance, normal, point_a: lowest, point_b: lowest - normal * distance, near: [near, 0] }
}

/// Distance of two points; along x where they coincide.
pub(super) fn points(point_a: Vec2, point_b: Vec2, near: [usize; 2]) -> Gap {
    let d = point_a - point_b;
    let distance = d.norm();
    let normal = if distance > 0.0 { d / distance } else { Vec2::new(1.0, 0.0) };
    Gap { distance, normal, point_a, point_b, near }
}

/// Distance of a point (A), the core of a disc, from a core (B).
fn point_and_core(point: Vec2, core: &Core, pose: &Pose) -> Gap {
    let near = core.distance_to_point(pose.transform_inverse(point));
    let normal = pose.rotate(near.normal);
    let point_b = point - normal * near.distance;
    Gap { distance: near.distance, normal, point_a: point, point_b, near: [0, near.corner] }
}

/// Distance of two half planes turned exactly away from each other.
fn half_planes(a: &Pose, b: &Pose) -> Result<Gap, QueryError> {
    let (up_a, up_b) = (a.rotate(Vec2::new(0.0, 1.0)), b.rotate(Vec2::new(0.0, 1.0)));
    if (up_a + up_b).norm() > 4.0 * f64::EPSILON {
        return Err(QueryError::Unbounded);
    }
    let distance = up_b.dot(&(a.position() - b.position()));
    let point_b = a.position() - up_b * distance;
    Ok(Gap { distance, normal: up_b, point_a: a.position(), point_b, near: [0, 0] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(a: &Shape, pose_a: Pose, b: &Shape, pose_b: Pose, expected: f64, normal: [f64; 2]) {
        let gap = distance(a, &pose_a, b, &pose_b).unwrap();
        assert!((gap.distance - expected).abs() < 1e-13, "{} {expected}", gap.distance);
        assert!((gap.normal - Vec2::from(normal)).norm() < 1e-12, "{}", gap.normal);
        assert!((gap.point_a - gap.point_b - gap.normal * gap.distance).norm() < 1e-12);
        let reverse = distance(b, &pose_b, a, &pose_a).unwrap();
        assert!((reverse.distance - gap.distance).abs() < 1e-13);
        assert!((reverse.normal + gap.normal).norm() < 1e-12);
    }

    #[test]
    fn textbook_pairs() {
        let disc = Shape::circle(0.5).unwrap();
        let plank = Shape::rectangle(1.0, 0.5).unwrap();
        let at = Pose::new;
        check(&disc, at(3.0, 0.0, 0.0), &disc, at(0.0, 4.0, 0.0), 4.0, [0.6, -0.8]);
        check(&disc, at(0.2, 0.3, 0.0), &plank, Pose::IDENTITY, -0.7, [0.0, 1.0]);
        check(
            &plank,
            at(2.4, 1.7, 0.0),
            &plank,
            Pose::IDENTITY,
            0.8062257748298549,
            [0.4961389383568338, 0.8682431421244591],
        );
        let ellipse = Shape::ellipse(1.0, 0.5).unwrap();
        check(&ellipse, at(0.0, 1.2, 0.0), &plank, Pose::IDENTITY, 0.2, [0.0, 1.0]);
        check(&ellipse, at(0.0, 0.75, 0.0), &Shape::half_plane(), Pose::IDENTITY, 0.25, [0.0, 1.0]);
        let capsule = Shape::capsule(crate::sizes::Capsule { half_length: 1.0, radius: 0.25 }).unwrap();
        check(&capsule, at(0.0, 0.0, 0.0), &capsule, at(3.0, 0.0, 0.0), 0.5, [-1.0, 0.0]);
        // Along the axis of overlapping capsules both sides are as good.
        let gap = distance(&capsule, &at(0.0, 0.0, 0.0), &capsule, &at(0.3, 0.0, 0.0)).unwrap();
        assert!((gap.distance + 0.5).abs() < 1e-15 && gap.normal.x.abs() < 1e-15);
    }

    #[test]
    fn coinciding_centres_have_the_right_depth() {
        let disc = Shape::circle(0.5).unwrap();
        let gap = distance(&disc, &Pose::IDENTITY, &disc, &Pose::IDENTITY).unwrap();
        assert_eq!(gap.distance, -1.0);
        assert!((gap.normal.norm() - 1.0).abs() < 1e-15);
        let flat = Shape::ellipse(2.0, 0.1).unwrap();
        let gap = distance(&flat, &Pose::IDENTITY, &flat, &Pose::IDENTITY).unwrap();
        assert!((gap.distance + 0.2).abs() < 1e-14);
    }

    #[test]
    fn half_planes_answer_only_when_turned_away() {
        let plane = Shape::half_plane();
        let upside_down = Pose::new(0.0, 2.0, std::f64::consts::PI);
        assert_eq!(distance(&plane, &upside_down, &plane, &Pose::IDENTITY).unwrap().distance, 2.0);
        let tilted = Pose::new(0.0, 2.0, 3.0);
        assert_eq!(distance(&plane, &tilted, &plane, &Pose::IDENTITY), Err(QueryError::Unbounded));
    }
}
