//! Vectors of the plane: nalgebra's, with the planar products the field uses.

/// A vector or point of the plane; serialized as `[x, y]`.
pub type Vec2 = nalgebra::Vector2<f64>;

/// The planar cross product `a_x b_y − a_y b_x`: positive when `b` lies counter-clockwise of `a`.
#[inline]
#[must_use]
pub fn cross(a: Vec2, b: Vec2) -> f64 {
    a.x * b.y - a.y * b.x
}

/// The vector turned by a quarter counter-clockwise, `(−y, x)`; `ω perp(r)` is the velocity of a point at
/// offset `r` from the centre of a body that turns at `ω`.
#[inline]
#[must_use]
pub fn perp(r: Vec2) -> Vec2 {
    Vec2::new(-r.y, r.x)
}
