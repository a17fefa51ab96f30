//! Constraint equations: what a constraint contributes to the system at a state.

use crate::constrainer::info::RowInfo;
use crate::motion::Motions;
use crate::row::{ConstraintRow, rate};

/// What a row demands of its multiplier and of its rate. A friction row names its normal row: counted from the
/// constraint's own first equation in an [`Equation`], from the first row in a [`Problem`](crate::Problem).
pub use engine2d_lcp::Row as RowKind;

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

/// Compliance of a row: it is held by a spring and a damper instead of rigidly.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct SpringDamper {
    /// Displacement per force; 0 for a rigid row.
    pub compliance: f64,
    /// Force per rate of displacement; only used where the compliance is positive.
    pub damping: f64,
}

impl SpringDamper {
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
    /// Its spring and damper; only holonomic equations have one.
    pub spring: SpringDamper,
    /// Force of a nonlinear law at the position error, with its sign; `spring` is its tangent. `None` for a linear one.
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
        let (level, kind, spring) = (Level::Position, RowKind::Bilateral, SpringDamper::default());
        let velocity_error = rate(&row, motions);
        let (force, acceleration_bias) = (None, bias);
        Self { level, kind, spring, force, row, position_error, velocity_error, acceleration_bias }
    }

    /// A bilateral, nonholonomic equation whose row has the rate `speed`.
    #[must_use]
    pub fn nonholonomic(row: ConstraintRow, speed: f64, bias: f64, motions: Motions<'_>) -> Self {
        let velocity_error = rate(&row, motions) - speed;
        Self { level: Level::Velocity, velocity_error, ..Self::holonomic(row, 0.0, bias, motions) }
    }

    /// Whether all its numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        let numbers =
            [self.position_error, self.velocity_error, self.acceleration_bias, self.force.unwrap_or(0.0)];
        numbers.iter().chain(self.row.jacobian.as_flattened()).all(|x| x.is_finite())
    }

    /// What a [`Constrainer`](crate::constrainer::Constrainer) tells of a holonomic equation's row.
    #[must_use]
    pub fn info(&self) -> RowInfo {
        let SpringDamper { compliance, damping } = self.spring;
        let (distance, force) = match self.force {
            // A law that is silent here: no displacement of the linear form either.
            Some(0.0) => (0.0, 0.0),
            Some(force) => (self.position_error, force),
            None => (self.position_error, 0.0),
        };
        RowInfo { distance, compliance, damping, force, ..RowInfo::default() }
    }

    /// The multiplier of a compliant row (force or torque): `−(f + damping · rate)` with the law's force or that of a linear spring.
    #[must_use]
    pub fn spring_force(&self) -> f64 {
        let elastic = self.force.unwrap_or(self.position_error / self.spring.compliance);
        -(elastic + self.spring.damping * self.velocity_error)
    }

    /// The same equation with another demand.
    #[must_use]
    pub fn with_kind(mut self, kind: RowKind) -> Self {
        self.kind = kind;
        self
    }
}
