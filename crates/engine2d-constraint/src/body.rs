//! Bodies of a mechanism: mass properties, pose and twist of their origin.

use crate::motion::FrameMotion;
use crate::row::ConstraintRow;
use engine2d_geometry::BodyRef;
use engine2d_math::{Vec2, perp};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A body of a mechanism, or the ground; an id of another mechanism is an error wherever a mechanism takes one.
///
/// A [`BodyRef`] turns into an id that names a place in any mechanism: it is checked against the number of bodies only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BodyId {
    /// Number of the mechanism; `None` for the ground and for places.
    pub(crate) mechanism: Option<u32>,
    place: BodyRef,
}

impl BodyId {
    /// The ground of every mechanism.
    pub const GROUND: Self = Self { mechanism: None, place: BodyRef::Ground };

    pub(crate) fn new(mechanism: u32, index: usize) -> Self {
        Self { mechanism: Some(mechanism), place: BodyRef::Body(index as u32) }
    }

    /// Place in the list of bodies; `None` for the ground.
    #[must_use]
    pub fn index(self) -> Option<usize> {
        self.place.index()
    }
}

impl From<BodyRef> for BodyId {
    fn from(place: BodyRef) -> Self {
        Self { mechanism: None, place }
    }
}

impl From<BodyId> for BodyRef {
    fn from(id: BodyId) -> Self {
        id.place
    }
}

/// Whether the id names this place.
impl PartialEq<BodyRef> for BodyId {
    fn eq(&self, other: &BodyRef) -> bool {
        self.place == *other
    }
}

/// Whether the id names this place.
impl PartialEq<BodyId> for BodyRef {
    fn eq(&self, other: &BodyId) -> bool {
        *self == other.place
    }
}

impl fmt::Display for BodyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mechanism {
            Some(number) => write!(f, "{} of mechanism {number}", self.place),
            None => self.place.fmt(f),
        }
    }
}

/// Mass properties of a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mass {
    /// Mass (> 0).
    pub mass: f64,
    /// Centre of mass in the body frame (length).
    pub center: Vec2,
    /// Moment of inertia about the centre of mass (mass·length²).
    pub inertia: f64,
}

impl Mass {
    /// Mass `mass` and moment of inertia `inertia` about a centre of mass at the body's origin.
    #[must_use]
    pub fn new(mass: f64, inertia: f64) -> Self {
        Self { mass, center: Vec2::zeros(), inertia }
    }

    /// A uniform disc of radius `radius` about the body's origin.
    #[must_use]
    pub fn disc(mass: f64, radius: f64) -> Self {
        Self::new(mass, mass * radius * radius / 2.0)
    }

    /// Accelerations `(a_x, a_y, α)` of a body's origin under a force and torque about the origin (world axes),
    /// without centrifugal terms: `M⁻¹ f`.
    #[must_use]
    pub fn accelerate(&self, motion: &FrameMotion, force: [f64; 3]) -> [f64; 3] {
        // About the centre of mass the matrix is diagonal.
        let r = motion.arm(self.center);
        let moment = force[2] - (r.x * force[1] - r.y * force[0]);
        let angular = moment / self.inertia;
        let at_center = Vec2::new(force[0], force[1]) / self.mass;
        let origin = at_center - perp(r) * angular;
        [origin.x, origin.y, angular]
    }

    /// The same body with its centre of mass elsewhere.
    #[must_use]
    pub fn centered_at(mut self, center: impl Into<Vec2>) -> Self {
        self.center = center.into();
        self
    }
}

/// A body of a mechanism with its state and the force applied to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RigidBody {
    pub(crate) mass: Mass,
    pub(crate) motion: FrameMotion,
    /// Applied force (world) and torque about the origin.
    pub(crate) applied: [f64; 3],
}

impl RigidBody {
    /// The mass matrix about the origin in world axes.
    pub(crate) fn mass_matrix(&self) -> [[f64; 3]; 3] {
        let m = self.mass.mass;
        let r = self.motion.arm(self.mass.center);
        [[m, 0.0, -m * r.y], [0.0, m, m * r.x], [-m * r.y, m * r.x, self.mass.inertia + m * r.norm_squared()]]
    }

    /// Applied, gravitational and centrifugal generalized force about the origin.
    pub(crate) fn generalized_force(&self, gravity: Vec2) -> [f64; 3] {
        let r = self.motion.arm(self.mass.center);
        let weight = gravity * self.mass.mass;
        let centrifugal = r * (self.mass.mass * self.motion.angular_velocity * self.motion.angular_velocity);
        let [fx, fy, torque] = self.applied;
        // The centrifugal force acts at the centre of mass along the arm: no moment about the origin.
        [
            fx + weight.x + centrifugal.x,
            fy + weight.y + centrifugal.y,
            torque + r.x * weight.y - r.y * weight.x,
        ]
    }

    /// Solves `M a = force` for one body.
    pub(crate) fn accelerate(&self, force: [f64; 3]) -> [f64; 3] {
        self.mass.accelerate(&self.motion, force)
    }

    pub(crate) fn kinetic_energy(&self) -> f64 {
        let v = self.motion.velocity_at(self.motion.arm(self.mass.center));
        0.5 * self.mass.mass * v.norm_squared()
            + 0.5 * self.mass.inertia * self.motion.angular_velocity * self.motion.angular_velocity
    }
}

/// Adds to `out`, over all bodies, the accelerations that a multiplier of a row makes: `M⁻¹ Jᵀ λ`.
pub(crate) fn response(bodies: &[RigidBody], row: &ConstraintRow, multiplier: f64, out: &mut [f64]) {
    for (body, jacobian) in row.bodies.iter().zip(&row.jacobian) {
        if let Some(i) = body.index() {
            let a = bodies[i].accelerate(jacobian.map(|j| j * multiplier));
            for k in 0..3 {
                out[3 * i + k] += a[k];
            }
        }
    }
}

/// `J v` of a row for a vector over all bodies.
pub(crate) fn along(row: &ConstraintRow, v: &[f64]) -> f64 {
    let bodies = row.bodies.iter().zip(&row.jacobian);
    bodies
        .filter_map(|(b, j)| b.index().map(|i| j[0] * v[3 * i] + j[1] * v[3 * i + 1] + j[2] * v[3 * i + 2]))
        .sum()
}

/// Accelerations of all bodies without constraints.
pub(crate) fn free_accelerations(bodies: &[RigidBody], gravity: Vec2, out: &mut Vec<f64>) {
    out.clear();
    out.extend(bodies.iter().flat_map(|b| b.accelerate(b.generalized_force(gravity))));
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_math::Pose;

    #[test]
    fn accelerating_a_body_inverts_its_mass_matrix() {
        let body = RigidBody {
            mass: Mass::new(2.0, 0.3).centered_at([0.4, -0.2]),
            motion: FrameMotion { pose: Pose::new(1.0, 2.0, 0.7), ..FrameMotion::default() },
            applied: [0.0; 3],
        };
        let force = [1.0, -2.0, 0.5];
        let a = body.accelerate(force);
        for (row, f) in body.mass_matrix().iter().zip(force) {
            let product: f64 = row.iter().zip(a).map(|(m, a)| m * a).sum();
            assert!((product - f).abs() < 1e-14);
        }
    }
}
