//! Constraint equations: what a constraint contributes to the system at a state.

use crate::body::FrameMotion;
use crate::row::ConstraintRow;
use engine2d_geometry::BodyRef;
use engine2d_math::Vec2;

/// At which level an equation acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub enum Level {
    /// Holonomic: a position error, its derivative and second derivative.
    Position,
    /// Nonholonomic: a velocity error and its derivative.
    Velocity,
    /// Acceleration only.
    Acceleration,
}

/// One scalar constraint equation at a state.
///
/// With the Jacobian `J` of [`ConstraintRow`]: velocity error `= J u + offset`, acceleration error
/// `= J u̇ + bias`. A positive multiplier pushes the first body along the row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equation {
    /// Level.
    pub level: Level,
    /// Bodies and Jacobian.
    pub row: ConstraintRow,
    /// Position error; 0 above the position level.
    pub position_error: f64,
    /// Velocity error; 0 at the acceleration level.
    pub velocity_error: f64,
    /// Everything in the acceleration error that does not depend on accelerations: `J̇ u` and prescribed
    /// values.
    pub acceleration_bias: f64,
}

/// Motion of all bodies at a state.
#[derive(Clone, Copy, Debug)]
pub struct Motions<'a> {
    pub(crate) bodies: &'a [FrameMotion],
}

impl<'a> Motions<'a> {
    /// The motions of bodies in order.
    #[must_use]
    pub fn new(bodies: &'a [FrameMotion]) -> Self {
        Self { bodies }
    }

    /// Motion of a body; the ground rests.
    ///
    /// # Panics
    /// For a body the mechanism does not have; a mechanism checks its constraints when they are added.
    #[must_use]
    pub fn of(&self, body: BodyRef) -> FrameMotion {
        body.index().map_or_else(FrameMotion::default, |i| self.bodies[i])
    }
}

/// Row of a direction `n` at material points with the given arms: `n·(v_1 at arm_1) − n·(v_2 at arm_2)`.
pub(crate) fn direction_row(bodies: [BodyRef; 2], n: Vec2, arms: [Vec2; 2]) -> ConstraintRow {
    ConstraintRow::separation(bodies, n, arms[0], arms[1])
}

/// Adds relative turning `k (ω_1 − ω_2)` to a row.
pub(crate) fn with_spin(mut row: ConstraintRow, k: f64) -> ConstraintRow {
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
            j[0] * m.velocity.x + j[1] * m.velocity.y + j[2] * m.spin
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

/// `ω × v` in the plane.
pub(crate) fn spin_cross(spin: f64, v: Vec2) -> Vec2 {
    engine2d_math::perp(v) * spin
}

/// Force and torque about each body's origin that a multiplier exerts through a row.
pub(crate) fn wrench(jacobian: &[f64; 3], multiplier: f64) -> [f64; 3] {
    jacobian.map(|j| j * multiplier)
}
