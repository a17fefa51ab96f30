//! Accelerations and multipliers of a mechanism at a state, and the forces they make.

use crate::body::BodyId;
use crate::check::check_home;
use crate::equation::Equation;
use crate::error::MechanismError;
use engine2d_geometry::BodyRef;
use engine2d_math::Vec2;
use std::ops::Range;

/// Accelerations and multipliers of a mechanism at a state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    pub(crate) mechanism: u32,
    pub(crate) accelerations: Vec<f64>,
    pub(crate) multipliers: Vec<f64>,
    pub(crate) equations: Vec<Equation>,
    pub(crate) ranges: Vec<Range<usize>>,
    pub(crate) conflict: Option<Conflict>,
}

/// Constraints that contradict each other at the level of accelerations.
#[derive(Clone, Debug, PartialEq)]
pub struct Conflict {
    /// Name of the constraint with the largest error.
    pub constraint: String,
    /// Its acceleration error.
    pub residual: f64,
}

/// A force on a body with its torque about the body's origin, or on the ground about the world's origin; world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrench {
    /// The body.
    pub body: BodyRef,
    /// Force.
    pub force: Vec2,
    /// Torque about the body's origin.
    pub torque: f64,
}

/// What a constraint exerts on its first body at the joint.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Reaction {
    /// The joint's point (world).
    pub point: Vec2,
    /// Force (world).
    pub force: Vec2,
    /// Torque about the point (counter-clockwise).
    pub torque: f64,
}

impl Answer {
    /// The worst contradiction, if the constraints cannot all be satisfied.
    #[must_use]
    pub fn conflict(&self) -> Option<&Conflict> {
        self.conflict.as_ref()
    }

    /// Acceleration `(a_x, a_y, α)` of a body's origin; zero for the ground.
    ///
    /// # Errors
    /// [`MechanismError::UnknownBody`], [`MechanismError::ForeignBody`].
    pub fn acceleration(&self, body: impl Into<BodyId>) -> Result<[f64; 3], MechanismError> {
        let count = self.accelerations.len() / 3;
        let place = check_home("a question for an acceleration", body.into(), self.mechanism, count)?;
        let Some(i) = place.index() else { return Ok([0.0; 3]) };
        Ok([0, 1, 2].map(|k| self.accelerations[3 * i + k]))
    }

    /// Accelerations of all bodies.
    #[must_use]
    pub fn accelerations(&self) -> &[f64] {
        &self.accelerations
    }

    /// Multipliers of all equations in the order of the constraints.
    #[must_use]
    pub fn multipliers(&self) -> &[f64] {
        &self.multipliers
    }

    pub(crate) fn force(&self, constraint: usize, body: BodyRef) -> [f64; 3] {
        let range = self.ranges[constraint].clone();
        constraint_force(&self.equations[range.clone()], &self.multipliers[range], body)
    }
}

/// Force and torque about its origin on a body by equations and multipliers; about the world's origin on the ground.
pub(crate) fn constraint_force(equations: &[Equation], multipliers: &[f64], body: BodyRef) -> [f64; 3] {
    let mut total = [0.0; 3];
    for (equation, &multiplier) in equations.iter().zip(multipliers) {
        for (_, jacobian) in
            equation.row.bodies.iter().zip(&equation.row.jacobian).filter(|(b, _)| **b == body)
        {
            total.iter_mut().zip(jacobian).for_each(|(t, j)| *t += j * multiplier);
        }
    }
    total
}
