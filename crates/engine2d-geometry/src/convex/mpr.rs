//! Minkowski portal refinement in the plane: the boundary of `A − B` where the ray from its centre through
//! the origin leaves it.
//!
//! Source: XenoCollide \[Snethen 2008, Game Programming Gems 7\], with a segment as the portal. The depth
//! it gives for penetrating shapes is along the normal of that portal, which need not be the direction of
//! the shortest separating translation; [`distance`](super::distance) gives that one.

use super::Shape;
use super::distance::{Distance, Gap, QueryError, features};
use engine2d_math::{Pose, Vec2, cross, perp};

/// Distance of the centres below which there is no ray to follow (length).
const COINCIDENT: f64 = 100.0 * f64::EPSILON;

/// Progress of a support point beyond the portal, relative to the portal's size, below which the portal
/// lies on the boundary.
const ON_BOUNDARY: f64 = 1e-15;

/// Refinements that any portal may take; polygons end when their corners are exhausted.
const MAX_REFINEMENTS: usize = 120;

/// What portal refinement found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Portal {
    /// Signed distance of the origin from the portal, normal and witness points.
    pub gap: Distance,
    /// Refinements made.
    pub iterations: usize,
    /// Whether the portal was found to lie on the boundary of `A − B` (else the best one is returned).
    pub converged: bool,
}

/// A boundary point of `A − B` with the points it comes from.
#[derive(Clone, Copy)]
struct Support {
    a: Vec2,
    b: Vec2,
}

impl Support {
    fn point(&self) -> Vec2 {
        self.a - self.b
    }
}

/// Portal refinement of shapes `a` and `b`. The normal points out of B into A, as everywhere.
///
/// # Errors
/// [`QueryError::CoincidentCenters`], [`QueryError::Unbounded`] for half planes, which have no centre.
pub fn mpr(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Result<Portal, QueryError> {
    if a.is_unbounded() || b.is_unbounded() {
        return Err(QueryError::Unbounded);
    }
    let support = |n: Vec2| Support {
        a: pose_a.transform(a.support(pose_a.rotate_inverse(n))),
        b: pose_b.transform(b.support(pose_b.rotate_inverse(-n))),
    };
    let center = pose_a.transform(a.center()) - pose_b.transform(b.center());
    let length = center.norm();
    if !(length > COINCIDENT) {
        return Err(QueryError::CoincidentCenters { limit: COINCIDENT });
    }
    let Refined { gap, iterations, converged } = refine(support, center, length);
    let features = features((a, pose_a), (b, pose_b), gap.normal, gap.near);
    let Gap { distance, normal, point_a, point_b, .. } = gap;
    Ok(Portal { gap: Distance { distance, normal, point_a, point_b, features }, iterations, converged })
}

/// A portal before its features are known.
struct Refined {
    gap: Gap,
    iterations: usize,
    converged: bool,
}

/// The portal where the ray from `center`, `length` away, through the origin leaves `A − B`.
fn refine(support: impl Fn(Vec2) -> Support, center: Vec2, length: f64) -> Refined {
    // The ray leaves the centre of A − B towards the origin.
    let ray = -center / length;
    let first = support(ray);
    let side = cross(ray, first.point() - center);
    if side.abs() <= COINCIDENT * length.max(first.point().norm()) {
        return through_vertex(first, ray);
    }
    // The portal's other end lies across the ray.
    let second = support(if side > 0.0 { -perp(ray) } else { perp(ray) });
    // Left of the ray, right of the ray.
    let (mut left, mut right) = if side > 0.0 { (first, second) } else { (second, first) };
    let mut iterations = 0;
    loop {
        let along = left.point() - right.point();
        let size = along.norm();
        if size == 0.0 {
            return through_vertex(left, ray);
        }
        // Right to left about the outward ray: the outward normal is the clockwise perpendicular.
        let normal = -perp(along) / size;
        let next = support(normal);
        let progress = normal.dot(&(next.point() - right.point()));
        let converged = progress <= ON_BOUNDARY * size.max(length);
        if converged || iterations >= MAX_REFINEMENTS {
            let gap = portal_gap(left, right, normal);
            return Refined { gap, iterations, converged };
        }
        iterations += 1;
        if cross(ray, next.point() - center) > 0.0 { left = next } else { right = next }
    }
}

/// The ray leaves through a support point exactly.
fn through_vertex(vertex: Support, ray: Vec2) -> Refined {
    let distance = -vertex.point().dot(&ray);
    let gap = Gap { distance, normal: -ray, point_a: vertex.a, point_b: vertex.b, near: [0, 0] };
    Refined { gap, iterations: 0, converged: true }
}

/// Signed distance of the origin from the portal segment: along its normal where the foot is on it, else
/// from the nearer end.
fn portal_gap(left: Support, right: Support, normal: Vec2) -> Gap {
    let (p, q) = (right.point(), left.point());
    let along = q - p;
    let t = (-p.dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
    let nearest = p + along * t;
    // Outside when the origin lies beyond the portal's line.
    let outside = normal.dot(&p) < 0.0;
    let foot_inside = (0.0 < t && t < 1.0) || nearest.norm() == 0.0;
    let size = if foot_inside { normal.dot(&p).abs() } else { nearest.norm() };
    Gap {
        distance: if outside { size } else { -size },
        normal: -normal,
        point_a: right.a + (left.a - right.a) * t,
        point_b: right.b + (left.b - right.b) * t,
        near: [0, 0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::distance;

    #[test]
    fn portals_of_separated_and_shallow_discs_agree_with_the_distance() {
        let (a, b) = (Shape::circle(0.5).unwrap(), Shape::ellipse(1.0, 0.4).unwrap());
        for x in [1.2, 1.45, 3.0] {
            let pose = Pose::new(x, 0.0, 0.0);
            let portal = mpr(&a, &pose, &b, &Pose::IDENTITY).unwrap();
            let exact = distance(&a, &pose, &b, &Pose::IDENTITY).unwrap();
            assert!((portal.gap.distance - exact.distance).abs() < 1e-12);
        }
    }

    #[test]
    fn coinciding_centres_are_an_error() {
        let disc = Shape::circle(1.0).unwrap();
        let result = mpr(&disc, &Pose::IDENTITY, &disc, &Pose::IDENTITY);
        assert!(matches!(result, Err(QueryError::CoincidentCenters { .. })));
    }
}
