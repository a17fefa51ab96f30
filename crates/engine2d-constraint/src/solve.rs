//! Accelerations and multipliers of an equality-constrained system, with rank analysis.
//!
//! The KKT system `M u̇ − Jᵀ λ = F`, `J u̇ = −β` is reduced to `(J M⁻¹ Jᵀ) λ = −β − J M⁻¹ F`, see
//! [`Reduced`](crate::reduced::Reduced). Accelerations are unique even where multipliers are not.

use crate::activity::{Activity, activities};
use crate::body::{BodyId, RigidBody};
use crate::equation::{Equation, wrench};
use crate::error::MechanismError;
use crate::mechanism::check_home;
use crate::reduced::Reduced;
use crate::row::ConstraintRow;
use crate::tolerance::CONFLICT;
use engine2d_geometry::BodyRef;
use engine2d_math::Vec2;
use std::ops::Range;

/// Accelerations and multipliers of a mechanism at a state.
#[derive(Clone, Debug, PartialEq)]
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

/// Force and torque on a body by the given equations and multipliers.
pub(crate) fn constraint_force(equations: &[Equation], multipliers: &[f64], body: BodyRef) -> [f64; 3] {
    let mut total = [0.0; 3];
    for (equation, &multiplier) in equations.iter().zip(multipliers) {
        for (&b, jacobian) in equation.row.bodies.iter().zip(&equation.row.jacobian) {
            if b == body {
                let part = wrench(jacobian, multiplier);
                total = [total[0] + part[0], total[1] + part[1], total[2] + part[2]];
            }
        }
    }
    // The ground's frame is the world's, so its wrench is about the world's origin already.
    total
}

/// What solving found, beside the answer: rank and contradictions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Solution {
    pub(crate) accelerations: Vec<f64>,
    pub(crate) multipliers: Vec<f64>,
    /// The equation with the largest acceleration error and that error, if constraints contradict.
    pub(crate) conflict: Option<(usize, f64)>,
}

/// Column of `M⁻¹ Jᵀ` for a row: accelerations of its bodies per unit multiplier.
pub(crate) fn response(bodies: &[RigidBody], row: &ConstraintRow, multiplier: f64, out: &mut [f64]) {
    for (body, jacobian) in row.bodies.iter().zip(&row.jacobian) {
        if let Some(i) = body.index() {
            let a = bodies[i].accelerate(wrench(jacobian, multiplier));
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

/// Scratch of an acceleration solve; what it does not own is allocated once.
#[derive(Debug, Default)]
pub(crate) struct SolveWorkspace {
    activities: Vec<Activity>,
    /// Equations that hold exactly.
    rigid: Vec<usize>,
    reduced: Reduced,
    rhs: Vec<f64>,
    multipliers: Vec<f64>,
}

impl SolveWorkspace {
    /// Solves for accelerations and multipliers.
    ///
    /// # Errors
    /// The first equation with limits.
    pub(crate) fn solve(
        &mut self,
        (bodies, gravity): (&[RigidBody], Vec2),
        (equations, ranges): (&[Equation], &[Range<usize>]),
        out: &mut Solution,
    ) -> Result<(), usize> {
        self.activities.clear();
        activities(equations, ranges, &mut self.activities);
        free_accelerations(bodies, gravity, &mut out.accelerations);
        out.multipliers.clear();
        out.multipliers.resize(equations.len(), 0.0);
        self.rigid.clear();
        for (i, (e, activity)) in equations.iter().zip(&self.activities).enumerate() {
            match *activity {
                Activity::Off => {}
                Activity::Rigid => self.rigid.push(i),
                Activity::Known(force) => {
                    out.multipliers[i] = force;
                    response(bodies, &e.row, force, &mut out.accelerations);
                }
                Activity::Limited(_) | Activity::Sliding(_) => return Err(i),
            }
        }
        self.reduced.prepare(bodies, self.rigid.iter().map(|&i| equations[i].row));
        self.rhs.clear();
        let demand =
            |&i: &usize| -equations[i].acceleration_bias - along(&equations[i].row, &out.accelerations);
        self.rhs.extend(self.rigid.iter().map(demand));
        self.reduced.solve(&self.rhs, &mut self.multipliers);
        for (&i, &multiplier) in self.rigid.iter().zip(&self.multipliers) {
            out.multipliers[i] = multiplier;
            response(bodies, &equations[i].row, multiplier, &mut out.accelerations);
        }
        let scale = self.rhs.iter().fold(1.0, |m: f64, r| m.max(r.abs()));
        out.conflict = None;
        for &i in &self.rigid {
            let e = &equations[i];
            let residual = (along(&e.row, &out.accelerations) + e.acceleration_bias).abs();
            if residual > CONFLICT * scale && out.conflict.is_none_or(|(_, worst)| residual > worst) {
                out.conflict = Some((i, residual));
            }
        }
        Ok(())
    }
}
