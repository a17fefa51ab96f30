//! Two circles that touch from outside, with or without rolling.

use super::follower::Tangential;
use crate::body::BodyId;
use crate::constraint::{Constraint, Stroke};
use crate::equation::{Equation, RowKind};
use crate::motion::{Motions, omega_cross};
use crate::row::{direction_row, tangent_of};
use engine2d_math::{Vec2, perp};

/// A circle of one body on a circle of another; position error `|c_1 − c_2| − (r_1 + r_2)`.
///
/// With rolling, the material points at the contact point, which divides the line of centres in the ratio of
/// the radii, have equal velocities along the tangent.
#[doc(alias = "SphereOnSphereContact")]
#[derive(Clone, Debug, PartialEq)]
pub struct CircleOnCircle {
    bodies: [BodyId; 2],
    centers: [Vec2; 2],
    radii: [f64; 2],
    normal: RowKind,
    tangential: Tangential,
}

impl CircleOnCircle {
    /// A circle about `center_1` of `body_1` and one about `center_2` of `body_2`, sliding freely.
    #[must_use]
    pub fn new(
        (body_1, center_1, radius_1): (impl Into<BodyId>, Vec2, f64),
        (body_2, center_2, radius_2): (impl Into<BodyId>, Vec2, f64),
    ) -> Self {
        Self {
            bodies: [body_1.into(), body_2.into()],
            centers: [center_1, center_2],
            radii: [radius_1, radius_2],
            normal: RowKind::Bilateral,
            tangential: Tangential::Free,
        }
    }

    /// The same contact without slip.
    #[must_use]
    pub fn rolling(mut self) -> Self {
        self.tangential = Tangential::Rolling;
        self
    }

    /// The same contact pushing only: it opens instead of pulling.
    #[must_use]
    pub fn unilateral(mut self) -> Self {
        self.normal = RowKind::Unilateral;
        self
    }

    /// The same contact with Coulomb friction of coefficient `mu` (≥ 0) along the tangent.
    #[must_use]
    pub fn with_friction(mut self, mu: f64) -> Self {
        self.tangential = Tangential::Friction(mu);
        self
    }

    /// The bodies of the first and the second circle.
    #[must_use]
    pub fn circle_bodies(&self) -> [BodyId; 2] {
        self.bodies
    }

    /// Distance between the circles, negative when they overlap, whether the constraint is enabled or not.
    #[must_use]
    pub fn separation(&self, motions: Motions<'_>) -> f64 {
        let [c1, c2] = crate::constraint::world_points(self.bodies, self.centers, motions);
        (c1 - c2).norm() - (self.radii[0] + self.radii[1])
    }

    /// The contact point (world), which divides the line of centres in the ratio of the radii.
    #[must_use]
    pub fn contact_point(&self, motions: Motions<'_>) -> Vec2 {
        let [c1, c2] = crate::constraint::world_points(self.bodies, self.centers, motions);
        c1 + (c2 - c1) * (self.radii[0] / (self.radii[0] + self.radii[1]))
    }

    /// Tangent and normal (world); the normal points from the second circle to the first, up where the centres coincide.
    #[must_use]
    pub fn axes(&self, motions: Motions<'_>) -> [Vec2; 2] {
        let [c1, c2] = crate::constraint::world_points(self.bodies, self.centers, motions);
        let n = normal_of(c1 - c2, (c1 - c2).norm());
        [tangent_of(n), n]
    }
}

/// Unit normal along the line of centres.
fn normal_of(apart: Vec2, distance: f64) -> Vec2 {
    if distance > 0.0 { apart / distance } else { Vec2::new(0.0, 1.0) }
}

impl Constraint for CircleOnCircle {
    fn kind(&self) -> &'static str {
        "circle on circle"
    }

    fn anchor(&self, motions: Motions<'_>) -> Vec2 {
        self.contact_point(motions)
    }

    fn check(&self) -> Result<(), crate::constraint::BadValue> {
        crate::constraint::check_positive("first radius", self.radii[0])?;
        crate::constraint::check_positive("second radius", self.radii[1])
    }

    fn bodies(&self) -> Vec<BodyId> {
        self.bodies.to_vec()
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let [m1, m2] = self.bodies.map(|b| motions.of(b));
        let arms = [m1.arm(self.centers[0]), m2.arm(self.centers[1])];
        let apart = m1.position(self.centers[0]) - m2.position(self.centers[1]);
        let distance = apart.norm();
        let n = normal_of(apart, distance);
        let t = tangent_of(n);
        let velocity = m1.velocity_at(arms[0]) - m2.velocity_at(arms[1]);
        let bias = m1.acceleration_bias_at(arms[0]) - m2.acceleration_bias_at(arms[1]);
        let across = t.dot(&velocity);
        let turning = if distance > 0.0 { across / distance } else { 0.0 };
        let row = direction_row(self.bodies, n, arms);
        let error = distance - (self.radii[0] + self.radii[1]);
        let normal = Equation::holonomic(row, error, n.dot(&bias) + across * turning, motions);
        out.push(normal.with_kind(self.normal));
        let Some(kind) = self.tangential.kind(0) else { return };
        // The contact point divides the line of centres in the ratio of the radii.
        let share = self.radii[0] / (self.radii[0] + self.radii[1]);
        let contact_arms = [arms[0] - apart * share, arms[1] + apart * (1.0 - share)];
        let row = direction_row(self.bodies, t, contact_arms);
        // Relative velocity of the material points: V = ċ − Ω × apart with the weighted angular_velocity Ω.
        let angular_velocity = share * m1.angular_velocity + (1.0 - share) * m2.angular_velocity;
        let relative = velocity - omega_cross(angular_velocity, apart);
        // The normal turns from the first body's side: ṅ = (ċ_⊥/d), ṫ turns with it.
        let tangent_rate = perp(t) * -turning;
        let bias = t.dot(&(bias - omega_cross(angular_velocity, velocity))) + tangent_rate.dot(&relative);
        out.push(Equation::nonholonomic(row, 0.0, bias, motions).with_kind(kind));
    }

    fn draw(&self, motions: Motions<'_>, out: &mut Vec<Stroke>) {
        for i in 0..2 {
            let center = motions.of(self.bodies[i]).position(self.centers[i]);
            out.push(Stroke::Circle { center, radius: self.radii[i] });
        }
    }
}
