//! Degrees of freedom: what the constraints of a mechanism leave, which of them are redundant, and how near it is to a
//! singular position.

use crate::equation::{Level, RowKind};
use crate::error::MechanismError;
use crate::mechanism::Mechanism;
use crate::operator::Operator;
use crate::reduced::Reduced;
use crate::tolerance::REDUNDANT_SHARE;
use engine2d_math::order::Order;
use nalgebra::DMatrix;
use std::ops::Range;

/// Degrees of freedom of a mechanism at a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Mobility {
    /// Coordinates of all bodies.
    pub coordinates: usize,
    /// Equations on positions and velocities.
    pub equations: usize,
    /// Independent ones among them.
    pub rank: usize,
    /// Coordinates left free: `coordinates − rank`.
    pub degrees_of_freedom: usize,
    /// Names of constraints that take part in a redundancy.
    pub redundant: Vec<String>,
    /// Names of constraints whose position errors no small motion removes together.
    pub conflicting: Vec<String>,
}

impl Mechanism {
    /// Equations that hold exactly: bilateral and rigid.
    pub(crate) fn holding(&self) -> Vec<usize> {
        let holds = |i: &usize| {
            let e = &self.equations[*i];
            e.kind == RowKind::Bilateral && e.spring.is_rigid()
        };
        (0..self.equations.len()).filter(holds).collect()
    }

    /// Places of the constraints whose forces accelerations do not determine at the present state: they share a load with
    /// others through dependent rows, of any level. A statically indeterminate structure has them.
    pub fn undetermined(&mut self) -> Vec<usize> {
        self.realize_velocity();
        let indices = self.holding();
        let reduced = Reduced::new(&self.operator_of(&indices).matrix);
        let shares = reduced.redundancy();
        let sharing: Vec<usize> =
            indices.iter().zip(shares).filter(|(_, s)| *s > REDUNDANT_SHARE).map(|(&i, _)| i).collect();
        let shares_load = |range: &Range<usize>| sharing.iter().any(|i| range.contains(i));
        (0..self.ranges.len()).filter(|&c| shares_load(&self.ranges[c])).collect()
    }

    /// Singular values of the constraint Jacobian at the present state, largest first: of the rigid, bilateral rows of
    /// positions and velocities over the velocities of the bodies, in the metric of the masses and each row of length 1.
    /// Without dimension, between 0 and the root of the number of rows.
    #[must_use]
    pub fn singular_values(&mut self) -> Vec<f64> {
        self.realize_velocity();
        let mut indices = self.holding();
        indices.retain(|&i| self.equations[i].level != Level::Acceleration);
        if indices.is_empty() || self.bodies.is_empty() {
            return vec![0.0; indices.len()];
        }
        let operator = self.operator_of(&indices);
        let mut scaled = DMatrix::<f64>::zeros(indices.len(), 3 * self.bodies.len());
        for (i, row) in operator.rows.iter().enumerate() {
            let scale = 1.0 / operator.matrix.diagonal(i).sqrt().max(f64::MIN_POSITIVE);
            for (body, j) in row.bodies.iter().zip(&row.jacobian) {
                let Some(b) = body.index() else { continue };
                let m = operator.masses[b];
                for (k, inverse) in [m.linear, m.linear, m.angular].into_iter().enumerate() {
                    scaled[(i, 3 * b + k)] += j[k] * inverse.sqrt() * scale;
                }
            }
        }
        let mut values: Vec<f64> = scaled.singular_values().iter().copied().collect();
        // A row for which there is no coordinate left has nothing.
        values.resize(indices.len(), 0.0);
        values.order_by(|a, b| b.total_cmp(a));
        values
    }

    /// The least singular value: how near the mechanism is to a singular position, about the angle in radians by which rows
    /// miss being dependent. 0 at a change point, and for a redundant mechanism everywhere; infinite without constraints.
    ///
    /// ```
    /// use engine2d_constraint::{BodyId, Mass, Mechanism, Pose, Rod};
    ///
    /// // A point held by two rods of equal mass effect that meet at the angle of 2 φ: √(1 − cos 2φ).
    /// let phi = 1e-3_f64;
    /// let mut m = Mechanism::new();
    /// let point = m.add_body(Mass::new(1.0, 1.0), Pose::IDENTITY)?;
    /// for side in [-1.0, 1.0] {
    ///     m.add(Rod::new(point, [0.0, 0.0], BodyId::GROUND, [phi.cos(), side * phi.sin()], 1.0))?;
    /// }
    /// assert!((m.least_singular_value() - 2.0_f64.sqrt() * phi.sin()).abs() < 1e-15);
    /// # Ok::<(), engine2d_constraint::MechanismError>(())
    /// ```
    #[must_use]
    pub fn least_singular_value(&mut self) -> f64 {
        self.singular_values().last().copied().unwrap_or(f64::INFINITY)
    }

    /// Degrees of freedom at the present state.
    ///
    /// # Errors
    /// None at present: stage velocity is realized here.
    pub fn mobility(&mut self) -> Result<Mobility, MechanismError> {
        self.realize_velocity();
        let mut indices = self.holding();
        indices.retain(|&i| self.equations[i].level != Level::Acceleration);
        let reduced = Reduced::new(&self.operator_of(&indices).matrix);
        let rank = reduced.rank();
        let shares = reduced.redundancy();
        let taking_part = indices.iter().zip(shares).filter(|(_, share)| *share > REDUNDANT_SHARE);
        let redundant = self.names(taking_part.map(|(&i, _)| i));
        let coordinates = 3 * self.bodies.len();
        Ok(Mobility {
            coordinates,
            equations: indices.len(),
            rank,
            degrees_of_freedom: coordinates - rank,
            redundant,
            conflicting: self.conflicting(&self.work(Level::Position)),
        })
    }

    /// The operator of equations of this mechanism.
    fn operator_of(&self, equations: &[usize]) -> Operator {
        let mut operator = Operator::default();
        operator.assemble(&self.bodies, equations.iter().map(|&i| self.equations[i].row));
        operator
    }
}
