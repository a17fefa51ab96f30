//! Constraint equations: what a constraint contributes to the system at a state.

use crate::body::{BodyId, FrameMotion};
use crate::constrainer::RowInfo;
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

/// What a row demands of its multiplier and of its rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowKind {
    /// The error vanishes; the multiplier takes any value.
    #[default]
    Bilateral,
    /// The error does not become negative; the multiplier is ≥ 0 and vanishes unless the error is 0.
    Unilateral,
    /// The rate vanishes as long as the multiplier stays between the limits: a motor of finite force.
    Boxed {
        /// Smallest multiplier.
        lo: f64,
        /// Largest multiplier.
        hi: f64,
    },
    /// The rate vanishes as long as the multiplier stays within `± mu · multiplier(normal)`: Coulomb friction.
    Friction {
        /// Row that presses the surfaces together: counted from the constraint's own first equation in an
        /// [`Equation`], from the first row in a [`Problem`](crate::Problem).
        normal: usize,
        /// Coefficient of friction (≥ 0).
        mu: f64,
    },
}

/// Give of a row: it is held by a spring and a damper instead of rigidly.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Softness {
    /// Displacement per force; 0 for a rigid row.
    pub compliance: f64,
    /// Force per rate of displacement; only used where the compliance is positive.
    pub damping: f64,
}

impl Softness {
    /// Whether the row is rigid.
    #[must_use]
    pub fn is_rigid(self) -> bool {
        self.compliance == 0.0
    }
}

/// One scalar constraint equation at a state.
///
/// With the Jacobian `J` of [`ConstraintRow`]: velocity error `= J u + offset`, acceleration error
/// `= J u̇ + bias`. A positive multiplier pushes the first body along the row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equation {
    /// Level.
    pub level: Level,
    /// What it demands.
    pub kind: RowKind,
    /// Whether it gives; only holonomic equations do.
    pub softness: Softness,
    /// Force of a nonlinear law at the position error, with its sign; `softness` is its tangent. `None` for a linear one.
    pub force: Option<f64>,
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

impl Equation {
    /// A rigid, bilateral, holonomic equation: its velocity error is the rate of its row.
    #[must_use]
    pub fn holonomic(row: ConstraintRow, position_error: f64, bias: f64, motions: Motions<'_>) -> Self {
        let (level, kind, softness) = (Level::Position, RowKind::Bilateral, Softness::default());
        let velocity_error = rate(&row, motions);
        let (force, acceleration_bias) = (None, bias);
        Self { level, kind, softness, force, row, position_error, velocity_error, acceleration_bias }
    }

    /// A bilateral, nonholonomic equation whose row has the rate `speed`.
    #[must_use]
    pub fn nonholonomic(row: ConstraintRow, speed: f64, bias: f64, motions: Motions<'_>) -> Self {
        let velocity_error = rate(&row, motions) - speed;
        Self { level: Level::Velocity, velocity_error, ..Self::holonomic(row, 0.0, bias, motions) }
    }

    /// What a [`Constrainer`](crate::constrainer::Constrainer) tells of a holonomic equation's row.
    #[must_use]
    pub fn info(&self) -> RowInfo {
        let Softness { compliance, damping } = self.softness;
        let (distance, force) = match self.force {
            // A law that is silent here: no displacement of the linear form either.
            Some(0.0) => (0.0, 0.0),
            Some(force) => (self.position_error, force),
            None => (self.position_error, 0.0),
        };
        RowInfo { distance, compliance, damping, force, drive: None }
    }

    /// The multiplier of a row that gives (force or torque): `−(f + damping · rate)` with the law's force or that of a linear spring.
    #[must_use]
    pub fn give_force(&self) -> f64 {
        let elastic = self.force.unwrap_or(self.position_error / self.softness.compliance);
        -(elastic + self.softness.damping * self.velocity_error)
    }

    /// The same equation with another demand.
    #[must_use]
    pub fn with_kind(mut self, kind: RowKind) -> Self {
        self.kind = kind;
        self
    }
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
    pub fn of(&self, body: impl Into<BodyRef>) -> FrameMotion {
        body.into().index().map_or_else(FrameMotion::default, |i| self.bodies[i])
    }
}

/// Row of a direction `n` at material points with the given arms: `n·(v_1 at arm_1) − n·(v_2 at arm_2)`.
pub(crate) fn direction_row(bodies: [impl Into<BodyRef>; 2], n: Vec2, arms: [Vec2; 2]) -> ConstraintRow {
    ConstraintRow::separation(bodies.map(Into::into), n, arms[0], arms[1])
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
            - spin_cross(base.spin, slip) * 2.0
            - arms[1] * (base.spin * base.spin);
        Self { bodies, arms, base, velocity: slip - spin_cross(base.spin, arms[1]), bias }
    }

    /// The row of the point's motion along `direction` (world axes).
    pub(crate) fn row(&self, direction: Vec2) -> ConstraintRow {
        direction_row(self.bodies, direction, self.arms)
    }
}
