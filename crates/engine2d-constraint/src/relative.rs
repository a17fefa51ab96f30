//! A point of one body as seen from another.

use crate::body::BodyId;
use crate::motion::{FrameMotion, Motions, omega_cross};
use crate::row::{ConstraintRow, direction_row};
use engine2d_geometry::BodyRef;
use engine2d_math::Vec2;

/// A point of the first body as seen from the second, with its velocity and what is left of its acceleration when
/// all accelerations vanish: for directions fixed in the second body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relative {
    pub(crate) bodies: [BodyRef; 2],
    /// Offsets of the point from both origins (world axes).
    pub(crate) arms: [Vec2; 2],
    pub(crate) base: FrameMotion,
    pub(crate) velocity: Vec2,
    pub(crate) bias: Vec2,
}

impl Relative {
    pub(crate) fn new(bodies: [BodyId; 2], point: Vec2, motions: Motions<'_>) -> Self {
        let bodies = bodies.map(BodyRef::from);
        let [body, base] = bodies.map(|b| motions.of(b));
        let arms = [body.arm(point), body.position(point) - base.pose.position()];
        let slip = body.velocity_at(arms[0]) - base.velocity;
        let bias = body.acceleration_bias_at(arms[0])
            - omega_cross(base.angular_velocity, slip) * 2.0
            - arms[1] * (base.angular_velocity * base.angular_velocity);
        Self { bodies, arms, base, velocity: slip - omega_cross(base.angular_velocity, arms[1]), bias }
    }

    /// The row of the point's motion along `direction` (world axes).
    pub(crate) fn row(&self, direction: Vec2) -> ConstraintRow {
        direction_row(self.bodies, direction, self.arms)
    }
}
