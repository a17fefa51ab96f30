//! One scalar constraint row between two bodies.

use crate::motion::{FrameMotion, Motions};
use engine2d_geometry::BodyRef;
use engine2d_math::{Vec2, cross};

/// Inverse inertia of a body; both zero for an immovable one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InverseMass {
    /// `1/m` (1/mass).
    pub linear: f64,
    /// `1/I` about the centre of mass (1/(mass·length²)).
    pub angular: f64,
}

impl InverseMass {
    /// The inverse of mass `m` and moment `i`; zero where infinite.
    #[must_use]
    pub fn new(mass: f64, moment: f64) -> Self {
        if mass.is_infinite() {
            return Self::default();
        }
        Self { linear: 1.0 / mass, angular: 1.0 / moment }
    }

    /// Whether forces move the body.
    #[must_use]
    pub fn is_movable(&self) -> bool {
        self.linear > 0.0
    }
}

/// A row of the constraint Jacobian: `ȧ = j_1·v_1 + j_2·v_2` with `j = (j_x, j_y, j_θ)` acting on the
/// velocity `(v_x, v_y, ω)` of each body's centre of mass. A positive multiplier pushes the first body
/// along `(j_x, j_y)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintRow {
    /// The two bodies; the ground has no columns.
    pub bodies: [BodyRef; 2],
    /// Coefficients for each of the two bodies.
    pub jacobian: [[f64; 3]; 2],
}

impl ConstraintRow {
    /// The same row for velocities of the centres of mass, given their offsets from the frames' origins (world axes).
    #[must_use]
    pub fn centered(mut self, arm_of: impl Fn(BodyRef) -> Vec2) -> Self {
        for (&body, j) in self.bodies.iter().zip(&mut self.jacobian) {
            // The origin moves with v_c − ω × r.
            let r = arm_of(body);
            j[2] -= cross(r, Vec2::new(j[0], j[1]));
        }
        self
    }

    /// The row of the opposite direction.
    #[must_use]
    pub fn negated(mut self) -> Self {
        self.jacobian = self.jacobian.map(|j| j.map(|x| -x));
        self
    }

    /// The row of the separation along unit normal `n` of two points at offsets `arm_1`, `arm_2` from the
    /// centres of mass: `n·(v_1 + ω_1 × arm_1) − n·(v_2 + ω_2 × arm_2)`.
    #[must_use]
    pub fn separation(bodies: [BodyRef; 2], n: Vec2, arm_1: Vec2, arm_2: Vec2) -> Self {
        Self { bodies, jacobian: [[n.x, n.y, cross(arm_1, n)], [-n.x, -n.y, -cross(arm_2, n)]] }
    }
}

/// Row of a direction `n` at material points with the given arms: `n·(v_1 at arm_1) − n·(v_2 at arm_2)`.
pub(crate) fn direction_row(bodies: [impl Into<BodyRef>; 2], n: Vec2, arms: [Vec2; 2]) -> ConstraintRow {
    ConstraintRow::separation(bodies.map(Into::into), n, arms[0], arms[1])
}

/// Adds relative turning `k (ω_1 − ω_2)` to a row.
pub(crate) fn with_turning(mut row: ConstraintRow, k: f64) -> ConstraintRow {
    row.jacobian[0][2] += k;
    row.jacobian[1][2] -= k;
    row
}

/// `J u` of a row.
pub(crate) fn rate(row: &ConstraintRow, motions: Motions<'_>) -> f64 {
    row.bodies
        .iter()
        .zip(&row.jacobian)
        .map(|(&body, j)| {
            let m = motions.of(body);
            j[0] * m.velocity.x + j[1] * m.velocity.y + j[2] * m.angular_velocity
        })
        .sum()
}

/// The tangent `(n_y, −n_x)` of a normal.
pub(crate) fn tangent_of(n: Vec2) -> Vec2 {
    Vec2::new(n.y, -n.x)
}

/// The component along `n` of what is left of a relative acceleration when all accelerations vanish.
pub(crate) fn point_bias(n: Vec2, motions: [FrameMotion; 2], arms: [Vec2; 2]) -> f64 {
    n.dot(&(motions[0].acceleration_bias_at(arms[0]) - motions[1].acceleration_bias_at(arms[1])))
}
