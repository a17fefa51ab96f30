//! Platforms that bodies pass from all sides but one.

use engine2d_geometry::CollisionBody;

/// Whether one of two bodies is a platform that the other passes for now: it is not wholly before the solid side, by more
/// than `slack` (length).
pub(crate) fn passes(bodies: &[CollisionBody], a: u32, b: u32, slack: f64) -> bool {
    let (first, second) = (&bodies[a as usize], &bodies[b as usize]);
    let behind = |platform: &CollisionBody, other: &CollisionBody| {
        height_over(platform, other).is_some_and(|height| height < -slack)
    };
    behind(first, second) || behind(second, first)
}

/// Height of the lowest point of a body over the solid side of a platform; `None` for bodies that are none.
pub(crate) fn height_over(platform: &CollisionBody, other: &CollisionBody) -> Option<f64> {
    let normal = platform.pose.rotate(platform.one_way?);
    Some(-other.support(-normal) - platform.support(normal))
}
