//! Accelerations and multipliers of an equality-constrained system, with rank analysis.
//!
//! The KKT system `M u̇ − Jᵀ λ = F`, `J u̇ = −β` is reduced to `(J M⁻¹ Jᵀ) λ = −β − J M⁻¹ F`. Rows are scaled to
//! a unit diagonal; eigenvalues below the dependence limit are damped away, which gives the multipliers of least
//! norm (in the scaled rows' metric taken back to `λ`) where rows are redundant. Accelerations are unique.

use crate::body::RigidBody;
use crate::equation::{Equation, wrench};
use crate::row::ConstraintRow;
use crate::tolerance::{CONFLICT, DEPENDENT};
use engine2d_geometry::BodyRef;
use engine2d_math::Vec2;
use nalgebra::{DMatrix, DVector, SymmetricEigen};
use std::ops::Range;

/// Accelerations and multipliers of a mechanism at a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
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
    #[must_use]
    pub fn acceleration(&self, body: BodyRef) -> [f64; 3] {
        body.index().map_or([0.0; 3], |i| {
            let a = &self.accelerations[3 * i..3 * i + 3];
            [a[0], a[1], a[2]]
        })
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

/// `J M⁻¹ Jᵀ` factored by eigenvalues, with dependent combinations dropped.
pub(crate) struct Reduced {
    scale: DVector<f64>,
    eigen: Option<SymmetricEigen<f64, nalgebra::Dyn>>,
    limit: f64,
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

impl Reduced {
    pub(crate) fn new(bodies: &[RigidBody], rows: &[ConstraintRow]) -> Self {
        let n = rows.len();
        let mut matrix = DMatrix::zeros(n, n);
        let mut column = vec![0.0; 3 * bodies.len()];
        for j in 0..n {
            column.fill(0.0);
            response(bodies, &rows[j], 1.0, &mut column);
            for i in 0..=j {
                let value = along(&rows[i], &column);
                matrix[(i, j)] = value;
                matrix[(j, i)] = value;
            }
        }
        let scale = DVector::from_fn(n, |i, _| {
            let d: f64 = matrix[(i, i)];
            if d > 0.0 { 1.0 / d.sqrt() } else { 0.0 }
        });
        for j in 0..n {
            for i in 0..n {
                matrix[(i, j)] *= scale[i] * scale[j];
            }
        }
        let eigen = (n > 0).then(|| SymmetricEigen::new(matrix));
        let largest = eigen.as_ref().map_or(0.0, |e| e.eigenvalues.amax());
        Self { scale, eigen, limit: DEPENDENT * largest.max(1.0) }
    }

    /// Number of independent rows.
    pub(crate) fn rank(&self) -> usize {
        self.eigen.as_ref().map_or(0, |e| e.eigenvalues.iter().filter(|v| **v > self.limit).count())
    }

    /// For each row, its share in dependent combinations: 0 for a row without redundancy, 1 for one that is
    /// dependent alone.
    pub(crate) fn redundancy(&self) -> Vec<f64> {
        let n = self.scale.len();
        let mut shares = vec![0.0; n];
        if let Some(e) = &self.eigen {
            for (k, value) in e.eigenvalues.iter().enumerate() {
                if *value <= self.limit {
                    for (i, share) in shares.iter_mut().enumerate() {
                        *share += e.eigenvectors[(i, k)] * e.eigenvectors[(i, k)];
                    }
                }
            }
        }
        shares
    }

    /// Multipliers of least norm with `(J M⁻¹ Jᵀ) λ = rhs` as nearly as possible.
    pub(crate) fn solve(&self, rhs: &[f64]) -> Vec<f64> {
        let Some(e) = &self.eigen else { return Vec::new() };
        let scaled = DVector::from_fn(rhs.len(), |i, _| rhs[i] * self.scale[i]);
        let mut parts = e.eigenvectors.tr_mul(&scaled);
        for (part, value) in parts.iter_mut().zip(e.eigenvalues.iter()) {
            // 1/λ far above the limit, falling smoothly to 0 below it: a mechanism that moves through a change
            // point must not meet a jump there.
            *part *= value / (value * value + self.limit * self.limit);
        }
        let y = &e.eigenvectors * parts;
        (0..rhs.len()).map(|i| y[i] * self.scale[i]).collect()
    }
}

/// Solves for accelerations and multipliers.
pub(crate) fn solve(bodies: &[RigidBody], gravity: Vec2, equations: &[Equation]) -> Solution {
    let rows: Vec<ConstraintRow> = equations.iter().map(|e| e.row).collect();
    let mut accelerations = Vec::with_capacity(3 * bodies.len());
    for body in bodies {
        accelerations.extend(body.accelerate(body.generalized_force(gravity)));
    }
    let reduced = Reduced::new(bodies, &rows);
    let free = accelerations.clone();
    let rhs: Vec<f64> = equations.iter().map(|e| -e.acceleration_bias - along(&e.row, &free)).collect();
    let multipliers = reduced.solve(&rhs);
    for (row, &multiplier) in rows.iter().zip(&multipliers) {
        response(bodies, row, multiplier, &mut accelerations);
    }
    let scale = rhs.iter().fold(1.0, |m: f64, r| m.max(r.abs()));
    let mut conflict: Option<(usize, f64)> = None;
    for (i, e) in equations.iter().enumerate() {
        let residual = (along(&e.row, &accelerations) + e.acceleration_bias).abs();
        if residual > CONFLICT * scale && conflict.is_none_or(|(_, worst)| residual > worst) {
            conflict = Some((i, residual));
        }
    }
    Solution { accelerations, multipliers, conflict }
}
