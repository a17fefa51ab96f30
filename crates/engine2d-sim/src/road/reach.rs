//! How far bodies reach.

use engine2d_geometry::CollisionBody;

/// Largest distance of a point of a body from its centre of mass.
pub(crate) fn reach_of(body: &CollisionBody) -> f64 {
    let (center, radius) = body.shape.outline_circle();
    (center - body.center_of_mass).norm() + radius
}
