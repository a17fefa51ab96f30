//! Projection of bilateral connectors after an accepted step: positions back onto the joints, velocities along
//! them, both by the least mass-weighted change.
//!
//! With rows `J` of the connectors and gaps `g`, `δq = −M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ g`; redundant rows are dropped by the
//! complementarity solver, which takes them as bilateral rows. A gap of `ε` leaves `O(ε²)`.

use crate::error::SimError;
use crate::settings::{Fidelity, Profile};
use crate::stages::Stage;
use crate::system::System;
use crate::tolerance::{HELD_GAP, JOINT_ERROR, PROJECTION_ROUNDS};
use engine2d_constraint::{ConstraintRow, Delassus, delassus};
use engine2d_geometry::Contact;
use engine2d_lcp::{Lcp, Row, Solution, Solver, Workspace};
use engine2d_math::Vec2;

/// Scratch of the projection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Projection {
    rows: Vec<ConstraintRow>,
    errors: Vec<f64>,
    kinds: Vec<Row>,
    matrix: Delassus,
    workspace: Workspace,
    solution: Solution,
}

impl Projection {
    /// Adds a row whose gap is to be `target`; returns the size of its error.
    fn push(&mut self, c: &Contact, target: f64, quantity: Quantity) -> f64 {
        self.rows.push(ConstraintRow::separation([c.id.primary, c.id.normal_body], c.normal, c.r1, c.r2));
        let error = if quantity == Quantity::Positions { c.distance - target } else { c.velocity };
        self.errors.push(error);
        error.abs()
    }
}

/// What is corrected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quantity {
    Positions,
    Velocities,
}

impl System {
    /// Moves the bodies onto their bilateral connectors. Connectors that contradict each other are left to the
    /// stabilization of the contact forces.
    pub(crate) fn project_joints(&mut self) -> Result<(), SimError> {
        let applies = self.settings.profile == Profile::Engine2d
            && self.settings.fidelity == Fidelity::Contacts
            && self.has_rows_to_hold();
        if !applies {
            return Ok(());
        }
        let mut scratch = std::mem::take(&mut self.projection);
        let before = self.stages.enter(Stage::Projection);
        let result = self.booked(true, |system| system.project_with(&mut scratch));
        self.stages.leave(before);
        self.projection = scratch;
        result
    }

    /// Whether there is anything that projection holds: bilateral connectors, contacts of located events.
    pub(crate) fn has_rows_to_hold(&self) -> bool {
        !(self.located.held.is_empty() && self.located.parting.is_empty())
            || self.connectors.iter().any(|c| c.connector.is_bilateral())
    }

    fn project_with(&mut self, scratch: &mut Projection) -> Result<(), SimError> {
        for _ in 0..PROJECTION_ROUNDS {
            let worst = self.joint_rows(scratch, Quantity::Positions)?;
            // The tiny gaps of located contacts are kept apart from zero.
            let accepted = if self.located.gap > 0.0 { HELD_GAP / 8.0 } else { JOINT_ERROR };
            if worst <= accepted {
                break;
            }
            if !self.correct(scratch, Quantity::Positions) {
                return Ok(());
            }
        }
        self.joint_rows(scratch, Quantity::Velocities)?;
        self.correct(scratch, Quantity::Velocities);
        Ok(())
    }

    /// Rows and errors of the bilateral connectors; returns the largest error.
    fn joint_rows(&mut self, scratch: &mut Projection, quantity: Quantity) -> Result<f64, SimError> {
        scratch.rows.clear();
        scratch.errors.clear();
        let mut worst = 0.0_f64;
        for (number, state) in self.connectors.iter_mut().enumerate() {
            if !state.connector.is_bilateral() {
                continue;
            }
            let row = state.geometry(number as u32, &self.bodies, self.time)?;
            worst = worst.max(scratch.push(&Contact::new(&row, &self.bodies, self.time), 0.0, quantity));
        }
        let target = self.located.gap;
        let mut held = std::mem::take(&mut self.located.held);
        for record in &mut held {
            self.update_record(record)?;
            worst = worst.max(scratch.push(&record.contact, target, quantity));
        }
        self.located.held = held;
        if quantity == Quantity::Positions {
            let mut parting = std::mem::take(&mut self.located.parting);
            for record in &mut parting {
                self.update_record(record)?;
                worst = worst.max(scratch.push(&record.contact, 2.0 * target, quantity));
            }
            self.located.parting = parting;
        }
        Ok(worst)
    }

    /// Applies the correction; returns whether there was one.
    fn correct(&mut self, scratch: &mut Projection, quantity: Quantity) -> bool {
        let Projection { rows, errors, kinds, matrix, workspace, solution } = scratch;
        delassus(rows, &self.inverse_masses, matrix);
        kinds.clear();
        kinds.resize(rows.len(), Row::Bilateral);
        let Ok(problem) = Lcp::borrowed(matrix.entries(), errors, kinds) else { return false };
        let solved = Solver::pivoting().solve_into(&problem, None, workspace, solution);
        if solved.is_err() || !solution.is_solved() {
            return false;
        }
        for (row, &multiplier) in rows.iter().zip(&solution.f) {
            for (body, j) in row.bodies.iter().zip(&row.jacobian) {
                let Some(i) = body.index() else { continue };
                let m = self.inverse_masses[i];
                let shift = Vec2::new(j[0], j[1]) * (m.linear * multiplier);
                let turn = j[2] * m.angular * multiplier;
                let body = &mut self.bodies[i];
                match quantity {
                    Quantity::Positions => {
                        body.translate(shift);
                        body.pose.set_angle(body.pose.angle() + turn);
                    }
                    Quantity::Velocities => {
                        body.velocity += shift;
                        body.angular_velocity += turn;
                    }
                }
            }
        }
        true
    }
}
