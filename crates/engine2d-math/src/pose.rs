//! Placement of a body in the plane.

use crate::{Vec2, trig};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Position (length) and angle (radians, counter-clockwise, unwrapped) of a body's frame, with sine and
/// cosine cached: they are recomputed only when the angle changes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Stored", into = "Stored")]
pub struct Pose {
    position: Vec2,
    angle: f64,
    sin: f64,
    cos: f64,
}

impl Pose {
    /// The frame of the world: origin, angle 0.
    pub const IDENTITY: Self = Self { position: Vec2::new(0.0, 0.0), angle: 0.0, sin: 0.0, cos: 1.0 };

    /// A frame at `(x, y)` turned by `angle` radians.
    #[must_use]
    pub fn new(x: f64, y: f64, angle: f64) -> Self {
        let mut pose = Self { position: Vec2::new(x, y), ..Self::IDENTITY };
        pose.set_angle(angle);
        pose
    }

    /// A pose from a position and the cosine and sine of its angle, for poses known only by these; the
    /// angle is recovered in `[-π, π]`.
    #[must_use]
    pub fn from_cos_sin(position: impl Into<Vec2>, cos: f64, sin: f64) -> Self {
        let position: Vec2 = position.into();
        Self { position, angle: trig::atan2(sin, cos), sin, cos }
    }

    /// Position of the frame's origin in the world.
    #[inline]
    #[must_use]
    pub fn position(&self) -> Vec2 {
        self.position
    }

    /// Angle in radians, unwrapped.
    #[inline]
    #[must_use]
    pub fn angle(&self) -> f64 {
        self.angle
    }

    /// Cached sine of the angle.
    #[inline]
    #[must_use]
    pub fn sin(&self) -> f64 {
        self.sin
    }

    /// Cached cosine of the angle.
    #[inline]
    #[must_use]
    pub fn cos(&self) -> f64 {
        self.cos
    }

    /// Moves the origin, keeping the angle.
    #[inline]
    pub fn set_position(&mut self, position: impl Into<Vec2>) {
        let position: Vec2 = position.into();
        self.position = position;
    }

    /// Turns the frame about its origin; sine and cosine follow only if the angle is a different one.
    #[inline]
    pub fn set_angle(&mut self, angle: f64) {
        if angle != self.angle {
            self.angle = angle;
            (self.sin, self.cos) = trig::sin_cos(angle);
        }
    }

    /// A free vector of the frame, expressed in the world.
    #[inline]
    #[must_use]
    pub fn rotate(&self, v: impl Into<Vec2>) -> Vec2 {
        let v: Vec2 = v.into();
        Vec2::new(v.x * self.cos - v.y * self.sin, v.x * self.sin + v.y * self.cos)
    }

    /// A free vector of the world, expressed in the frame.
    #[inline]
    #[must_use]
    pub fn rotate_inverse(&self, v: impl Into<Vec2>) -> Vec2 {
        let v: Vec2 = v.into();
        let sin = -self.sin;
        Vec2::new(v.x * self.cos - v.y * sin, v.x * sin + v.y * self.cos)
    }

    /// A point of the frame, expressed in the world.
    #[inline]
    #[must_use]
    pub fn transform(&self, p: impl Into<Vec2>) -> Vec2 {
        let p: Vec2 = p.into();
        self.position + self.rotate(p)
    }

    /// A point of the world, expressed in the frame.
    #[inline]
    #[must_use]
    pub fn transform_inverse(&self, p: impl Into<Vec2>) -> Vec2 {
        let p: Vec2 = p.into();
        self.rotate_inverse(p - self.position)
    }
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl fmt::Display for Pose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}) at {} rad", self.position.x, self.position.y, self.angle)
    }
}

/// The plain data of a pose; the cached values are not stored.
#[derive(Serialize, Deserialize)]
struct Stored {
    x: f64,
    y: f64,
    angle: f64,
}

impl From<Stored> for Pose {
    fn from(s: Stored) -> Self {
        Self::new(s.x, s.y, s.angle)
    }
}

impl From<Pose> for Stored {
    fn from(p: Pose) -> Self {
        Self { x: p.position.x, y: p.position.y, angle: p.angle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transforms_are_inverse_to_each_other() {
        let pose = Pose::new(1.5, -2.0, 0.7);
        let p = Vec2::new(0.3, 4.0);
        assert!((pose.transform_inverse(pose.transform(p)) - p).norm() < 1e-15);
        assert!((pose.rotate_inverse(pose.rotate(p)) - p).norm() < 1e-15);
    }

    #[test]
    fn a_frame_never_turned_has_exact_axes() {
        let pose = Pose::new(3.0, 4.0, 0.0);
        assert_eq!((pose.sin(), pose.cos()), (0.0, 1.0));
    }
}
