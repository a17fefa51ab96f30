//! What the equations of a mechanism say at its state, and operators that answer for other values without changing it.

use super::{Mechanism, drive, place};
use crate::body::along;
use crate::check::check_length;
use crate::equation::{Equation, Level};
use crate::error::MechanismError;
use crate::id::ConstraintId;
use crate::motion::Motions;
use crate::stage::Stage;
use std::ops::Range;

/// Equations of each level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EquationCounts {
    /// Holonomic equations.
    pub holonomic: usize,
    /// Nonholonomic equations.
    pub nonholonomic: usize,
    /// Acceleration-only equations.
    pub acceleration_only: usize,
}

/// Where the equations of a constraint stand in vectors over all constraints; empty when it is disabled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexRanges {
    /// In multipliers and acceleration errors, which have an entry for every equation.
    pub multipliers: Range<usize>,
    /// In position errors, which have an entry for every holonomic equation.
    pub position_errors: Range<usize>,
    /// In velocity errors, which have an entry for every holonomic and nonholonomic equation.
    pub velocity_errors: Range<usize>,
}

fn has_velocity(e: &&Equation) -> bool {
    e.level != Level::Acceleration
}

fn has_position(e: &&Equation) -> bool {
    e.level == Level::Position
}

impl Mechanism {
    /// The equations of a constraint at the present state; empty when it is disabled.
    ///
    /// # Errors
    /// [`MechanismError::Stage`] below stage velocity, [`MechanismError::ForeignId`].
    pub fn equations<C>(&self, id: ConstraintId<C>) -> Result<&[Equation], MechanismError> {
        let index = self.entry(id)?;
        self.need(Stage::Velocity)?;
        Ok(&self.equations[self.ranges[index].clone()])
    }

    /// All equations in the order of the constraints.
    ///
    /// # Errors
    /// [`MechanismError::Stage`] below stage velocity.
    pub fn all_equations(&self) -> Result<&[Equation], MechanismError> {
        self.need(Stage::Velocity)?;
        Ok(&self.equations)
    }

    /// The equations at stage position, when only their position errors count.
    fn positioned<C>(&self, id: ConstraintId<C>) -> Result<(&[Equation], Range<usize>), MechanismError> {
        let index = self.entry(id)?;
        self.need(Stage::Position)?;
        Ok((&self.equations, self.ranges[index].clone()))
    }

    /// How many equations of each level a constraint contributes; zeros when it is disabled.
    ///
    /// # Errors
    /// [`MechanismError::Stage`] below stage position, [`MechanismError::ForeignId`].
    pub fn equations_in_use<C>(&self, id: ConstraintId<C>) -> Result<EquationCounts, MechanismError> {
        let (all, range) = self.positioned(id)?;
        let count = |level: Level| all[range.clone()].iter().filter(|e| e.level == level).count();
        Ok(EquationCounts {
            holonomic: count(Level::Position),
            nonholonomic: count(Level::Velocity),
            acceleration_only: count(Level::Acceleration),
        })
    }

    /// Where a constraint's equations stand in vectors over all constraints.
    ///
    /// # Errors
    /// As [`equations_in_use`](Self::equations_in_use).
    pub fn index_ranges<C>(&self, id: ConstraintId<C>) -> Result<IndexRanges, MechanismError> {
        let (all, range) = self.positioned(id)?;
        let span = |keep: fn(&&Equation) -> bool| {
            let start = all[..range.start].iter().filter(keep).count();
            start..start + all[range.clone()].iter().filter(keep).count()
        };
        let (position_errors, velocity_errors) = (span(has_position), span(has_velocity));
        Ok(IndexRanges { multipliers: range, position_errors, velocity_errors })
    }

    /// A constraint's part of a vector with an entry for every equation, as multipliers are.
    ///
    /// # Errors
    /// As [`equations_in_use`](Self::equations_in_use), and [`MechanismError::Length`].
    pub fn part_of<'v, C>(
        &self,
        id: ConstraintId<C>,
        vector: &'v [f64],
    ) -> Result<&'v [f64], MechanismError> {
        let (all, range) = self.positioned(id)?;
        check_length("constraint-space vector", vector.len(), all.len())?;
        Ok(&vector[range])
    }

    /// Writes a constraint's part into a vector with an entry for every equation.
    ///
    /// # Errors
    /// As [`part_of`](Self::part_of).
    pub fn set_part_of<C>(
        &self,
        id: ConstraintId<C>,
        part: &[f64],
        vector: &mut [f64],
    ) -> Result<(), MechanismError> {
        let (all, range) = self.positioned(id)?;
        check_length("constraint-space vector", vector.len(), all.len())?;
        check_length("part of a constraint", part.len(), range.len())?;
        vector[range].copy_from_slice(part);
        Ok(())
    }

    /// Position errors of a constraint's holonomic equations.
    ///
    /// # Errors
    /// [`MechanismError::Stage`] below stage position, [`MechanismError::ForeignId`].
    pub fn position_errors<C>(&self, id: ConstraintId<C>) -> Result<Vec<f64>, MechanismError> {
        let (all, range) = self.positioned(id)?;
        Ok(all[range].iter().filter(has_position).map(|e| e.position_error).collect())
    }

    /// Velocity errors of a constraint's holonomic and nonholonomic equations.
    ///
    /// # Errors
    /// [`MechanismError::Stage`] below stage velocity, [`MechanismError::ForeignId`].
    pub fn velocity_errors<C>(&self, id: ConstraintId<C>) -> Result<Vec<f64>, MechanismError> {
        Ok(self.equations(id)?.iter().filter(has_velocity).map(|e| e.velocity_error).collect())
    }

    /// Acceleration errors of a constraint at the accelerations that were solved for.
    ///
    /// # Errors
    /// [`MechanismError::Stage`] below stage acceleration, [`MechanismError::ForeignId`].
    pub fn acceleration_errors<C>(&self, id: ConstraintId<C>) -> Result<Vec<f64>, MechanismError> {
        self.need(Stage::Acceleration)?;
        self.acceleration_errors_at(id, &self.solution.accelerations)
    }

    /// The equations of a constraint at other motions.
    fn equations_at<C>(
        &self,
        id: ConstraintId<C>,
        set: impl FnOnce(&mut [crate::motion::FrameMotion]),
    ) -> Result<Vec<Equation>, MechanismError> {
        let index = self.entry(id)?;
        let mut motions = self.motions.clone();
        set(&mut motions);
        let mut equations = Vec::new();
        self.entries[index].current.equations(Motions::new(&motions).at_time(self.time), &mut equations);
        Ok(equations)
    }

    /// Position errors that a constraint would have at coordinates `q`.
    ///
    /// # Errors
    /// [`MechanismError::ForeignId`], [`MechanismError::Length`], [`MechanismError::Value`].
    pub fn position_errors_at<C>(&self, id: ConstraintId<C>, q: &[f64]) -> Result<Vec<f64>, MechanismError> {
        self.check_vector("coordinates", q)?;
        let equations = self.equations_at(id, |motions| place(motions, q))?;
        Ok(equations.iter().filter(has_position).map(|e| e.position_error).collect())
    }

    /// Velocity errors that a constraint would have at velocities `u` and the present coordinates.
    ///
    /// # Errors
    /// As [`position_errors_at`](Self::position_errors_at).
    pub fn velocity_errors_at<C>(&self, id: ConstraintId<C>, u: &[f64]) -> Result<Vec<f64>, MechanismError> {
        self.check_vector("velocities", u)?;
        let equations = self.equations_at(id, |motions| drive(motions, u))?;
        Ok(equations.iter().filter(has_velocity).map(|e| e.velocity_error).collect())
    }

    /// Acceleration errors that a constraint would have at accelerations `udot` and the present state.
    ///
    /// # Errors
    /// As [`position_errors_at`](Self::position_errors_at).
    pub fn acceleration_errors_at<C>(
        &self,
        id: ConstraintId<C>,
        udot: &[f64],
    ) -> Result<Vec<f64>, MechanismError> {
        self.check_vector("accelerations", udot)?;
        let equations = self.equations_at(id, |_| {})?;
        Ok(equations.iter().map(|e| along(&e.row, udot) + e.acceleration_bias).collect())
    }

    /// The matrix of a constraint's equations of one level: `P`, `V` or `A`, a row for each equation over the velocities
    /// of all bodies. Coordinates here change at the rate of the velocities, so that `P N⁻¹ = P`.
    ///
    /// # Errors
    /// [`MechanismError::Stage`] below stage position, [`MechanismError::ForeignId`].
    pub fn matrix<C>(&self, id: ConstraintId<C>, level: Level) -> Result<Vec<Vec<f64>>, MechanismError> {
        let (all, range) = self.positioned(id)?;
        let rows = all[range].iter().filter(|e| e.level == level);
        Ok(rows
            .map(|e| {
                let mut full = vec![0.0; 3 * self.bodies.len()];
                for (body, jacobian) in e.row.bodies.iter().zip(&e.row.jacobian) {
                    if let Some(b) = body.index() {
                        full[3 * b..].iter_mut().zip(jacobian).for_each(|(f, j)| *f += j);
                    }
                }
                full
            })
            .collect())
    }

    /// The transpose of [`matrix`](Self::matrix), computed from the generalized force of each unit multiplier.
    ///
    /// # Errors
    /// As [`matrix`](Self::matrix).
    pub fn matrix_transposed<C>(
        &self,
        id: ConstraintId<C>,
        level: Level,
    ) -> Result<Vec<Vec<f64>>, MechanismError> {
        let (all, range) = self.positioned(id)?;
        let equations = &all[range];
        let columns: Vec<usize> = (0..equations.len()).filter(|&i| equations[i].level == level).collect();
        let mut transposed = vec![vec![0.0; columns.len()]; 3 * self.bodies.len()];
        let mut multipliers = vec![0.0; equations.len()];
        for (k, &i) in columns.iter().enumerate() {
            multipliers[i] = 1.0;
            let forces = self.generalized_force(id, &multipliers)?;
            transposed.iter_mut().zip(forces).for_each(|(row, f)| row[k] = f);
            multipliers[i] = 0.0;
        }
        Ok(transposed)
    }
}
