//! Vectors and poses of the plane, with the same bits on every platform.

use engine2d_math::trig;
use engine2d_scene::Point;

/// The sum of two vectors.
pub(crate) fn add(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1]]
}

/// The difference of two vectors.
pub(crate) fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

/// A vector times a number.
pub(crate) fn scale(a: Point, by: f64) -> Point {
    [a[0] * by, a[1] * by]
}

/// The scalar product.
pub(crate) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// The area that two vectors span, counter-clockwise positive.
pub(crate) fn cross(a: Point, b: Point) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// A vector turned counter-clockwise (radians).
pub(crate) fn turn(a: Point, angle: f64) -> Point {
    if angle == 0.0 {
        return a;
    }
    let (sin, cos) = trig::sin_cos(angle);
    [a[0] * cos - a[1] * sin, a[0] * sin + a[1] * cos]
}

/// The length of a vector.
pub(crate) fn length(a: Point) -> f64 {
    trig::hypot(a[0], a[1])
}

/// A place and an angle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pose {
    pub(crate) at: Point,
    /// Counter-clockwise (radians).
    pub(crate) angle: f64,
}

impl Pose {
    /// Where a point of the pose's coordinates is outside.
    pub(crate) fn out(self, point: Point) -> Point {
        add(self.at, turn(point, self.angle))
    }

    /// Where a point of outside is in the pose's coordinates.
    pub(crate) fn inside(self, point: Point) -> Point {
        turn(sub(point, self.at), -self.angle)
    }

    /// A pose of these coordinates, as seen from outside.
    pub(crate) fn then(self, inner: Self) -> Self {
        Self { at: self.out(inner.at), angle: self.angle + inner.angle }
    }
}
