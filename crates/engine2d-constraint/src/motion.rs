//! Motions of bodies at an instant: what constraints read.

use engine2d_geometry::BodyRef;
use engine2d_math::{Pose, Vec2, perp};

/// Position and motion of a body's frame; the ground's is the default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameMotion {
    /// Pose of the body's origin.
    pub pose: Pose,
    /// Velocity of the origin (world axes).
    pub velocity: Vec2,
    /// Angular velocity.
    pub angular_velocity: f64,
}

impl FrameMotion {
    /// Velocities `(v_x, v_y, ω)`.
    #[must_use]
    pub fn rates(&self) -> [f64; 3] {
        [self.velocity.x, self.velocity.y, self.angular_velocity]
    }

    /// Offset of a body point from the origin, in world axes.
    #[must_use]
    pub fn arm(&self, point: Vec2) -> Vec2 {
        self.pose.rotate(point)
    }

    /// World position of a body point.
    #[must_use]
    pub fn position(&self, point: Vec2) -> Vec2 {
        self.pose.transform(point)
    }

    /// Velocity of the material point at offset `arm` from the origin.
    #[must_use]
    pub fn velocity_at(&self, arm: Vec2) -> Vec2 {
        self.velocity + perp(arm) * self.angular_velocity
    }

    /// Acceleration of the material point at offset `arm` with all accelerations zero: `−ω² arm`.
    #[must_use]
    pub fn acceleration_bias_at(&self, arm: Vec2) -> Vec2 {
        arm * (-self.angular_velocity * self.angular_velocity)
    }
}

/// Motions of all bodies at an instant.
#[derive(Clone, Copy, Debug)]
pub struct Motions<'a> {
    bodies: &'a [FrameMotion],
    time: f64,
}

impl<'a> Motions<'a> {
    /// The motions of bodies in order, at time 0.
    #[must_use]
    pub fn new(bodies: &'a [FrameMotion]) -> Self {
        Self { bodies, time: 0.0 }
    }

    /// The same motions at a time, which prescribed trajectories follow.
    #[must_use]
    pub fn at_time(self, time: f64) -> Self {
        Self { time, ..self }
    }

    /// The time.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The motions by the bodies' places.
    #[must_use]
    pub fn bodies(&self) -> &'a [FrameMotion] {
        self.bodies
    }

    /// Motion of a body; the ground rests.
    ///
    /// # Panics
    /// For a body that is not there; a mechanism checks its constraints when they are added.
    #[must_use]
    pub fn of(&self, body: impl Into<BodyRef>) -> FrameMotion {
        body.into().index().map_or_else(FrameMotion::default, |i| self.bodies[i])
    }
}

/// The motions a time `t` later, with the same velocities.
pub(crate) fn moved(motions: Motions<'_>, t: f64) -> Vec<FrameMotion> {
    let mut moved = motions.bodies.to_vec();
    for m in &mut moved {
        m.pose.set_position(m.pose.position() + m.velocity * t);
        m.pose.set_angle(m.pose.angle() + m.angular_velocity * t);
    }
    moved
}

/// `ω × v` in the plane.
pub(crate) fn omega_cross(angular_velocity: f64, v: Vec2) -> Vec2 {
    perp(v) * angular_velocity
}
