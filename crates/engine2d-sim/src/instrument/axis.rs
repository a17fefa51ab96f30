//! How deep two bodies can be in each other at most, by one direction: a bound that most pairs need no more than.
//!
//! A point of both bodies leaves either of them along a direction `n` within `h_B(n) + h_A(−n)`, with `h` the support
//! functions, whatever the shapes are. So no point of one is deeper in the other than that.

use engine2d_geometry::CollisionBody;
use engine2d_math::{Vec2, perp};

/// Most sides of a body whose normals are tried.
const SIDES: usize = 16;

/// A circle that contains the outline of a body (world).
pub(crate) fn circle_of(body: &CollisionBody) -> (Vec2, f64) {
    let (center, radius) = body.shape.outline_circle();
    (body.to_world(center), if body.shape.is_unbounded() { f64::INFINITY } else { radius })
}

/// Largest `n · p` over the points of a body (world).
fn support(body: &CollisionBody, n: Vec2) -> f64 {
    let own = body.pose.rotate_inverse(n);
    n.dot(&body.pose.position()) + body.shape.support(own) - own.dot(&body.center_of_mass)
}

/// The bound by the direction `n`, out of `b` into `a`.
pub(super) fn bound(a: &CollisionBody, b: &CollisionBody, n: Vec2) -> f64 {
    let bound = support(b, n) + support(a, -n);
    // An unbounded body says nothing.
    if bound.is_nan() { f64::INFINITY } else { bound }
}

/// The direction with the least bound of those that the sides of two bodies and the line between them offer, and that bound.
pub(super) fn search(a: &CollisionBody, b: &CollisionBody) -> (Vec2, f64) {
    let between = circle_of(a).0 - circle_of(b).0;
    let way = if between.norm() > 0.0 { between.normalize() } else { Vec2::y() };
    let mut best = (way, bound(a, b, way));
    for (body, sign) in [(a, -1.0), (b, 1.0)] {
        let vertices = body.shape.vertices();
        for edge in body.shape.edges().iter().filter(|edge| edge.is_straight()).take(SIDES) {
            let side = vertices[edge.end_vertex()].point() - vertices[edge.start_vertex()].point();
            if side.norm() == 0.0 {
                continue;
            }
            let n = body.pose.rotate(-perp(side.normalize())) * sign;
            let by_side = bound(a, b, n);
            if by_side < best.1 {
                best = (n, by_side);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_geometry::{PathShape, PathWorkspace, path_distance};
    use engine2d_math::Pose;
    use std::sync::Arc;

    #[test]
    fn no_overlap_is_deeper_than_its_bound() {
        let shapes = [
            Arc::new(PathShape::block(1.0, 0.4).unwrap()),
            Arc::new(PathShape::ball(0.5).unwrap()),
            Arc::new(
                PathShape::polygon(&[[0.0, 0.0], [1.0, 0.0], [0.2, 0.3], [0.0, 1.0]].map(Vec2::from))
                    .unwrap(),
            ),
        ];
        let mut workspace = PathWorkspace::default();
        let (mut overlaps, mut tight) = (0, 0);
        for k in 0..4000_u32 {
            let x = |n: u32| f64::from((k * 7919 + n * 104_729) % 1000) / 1000.0;
            let mut a = CollisionBody::new(shapes[k as usize % 3].clone());
            let mut b = CollisionBody::new(shapes[k as usize / 3 % 3].clone());
            a.pose = Pose::new(x(1), x(2), 6.0 * x(3));
            b.pose = Pose::new(-x(4), x(5), 6.0 * x(6));
            let Some(found) = path_distance(&a.placed(), &b.placed(), 0.0, &mut workspace) else { continue };
            let (n, least) = search(&a, &b);
            assert_eq!(bound(&a, &b, n), least);
            assert!(-found.gap <= least + 1e-12, "{k}: depth {} above the bound {least}", -found.gap);
            overlaps += usize::from(found.gap < 0.0);
            tight += usize::from(found.gap < 0.0 && -found.gap > 0.99 * least);
        }
        assert!(overlaps > 300 && tight * 4 > overlaps, "{tight} of {overlaps} bounds are tight");
    }
}
