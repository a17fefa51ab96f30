//! Projection of bilateral connectors after an accepted step: positions back onto the joints, velocities along
//! them, both by the least mass-weighted change.
//!
//! With rows `J` of the connectors and gaps `g`, `δq = −M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ g`; redundant rows are dropped by the
//! complementarity solver, which takes them as bilateral rows. A gap of `ε` leaves `O(ε²)`.

use crate::error::SimError;
use crate::settings::{Fidelity, Profile};
use crate::stages::Stage;
use crate::system::System;
use crate::tolerance::{HELD_GAP, JOINT_ERROR, PROJECTION_REACH, PROJECTION_ROUNDS, PROJECTION_SOFTENING};
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
    softened: Vec<f64>,
    workspace: Workspace,
    solution: Solution,
}

impl Projection {
    /// Adds a row whose gap is to be `target`; returns its error.
    fn push(&mut self, c: &Contact, target: f64, quantity: Quantity) -> f64 {
        self.rows.push(ConstraintRow::separation([c.id.primary, c.id.normal_body], c.normal, c.r1, c.r2));
        let error = if quantity == Quantity::Positions { c.distance - target } else { c.velocity };
        self.errors.push(error);
        error
    }

    /// Multipliers that remove the errors. Rows that all but repeat each other and do not agree would throw the
    /// bodies far away to remove a trifle: then the softened problem leaves what is contradictory.
    fn solve(&mut self) -> bool {
        let Self { errors, kinds, matrix, softened, workspace, solution, .. } = self;
        let n = errors.len();
        let mut answer = |entries: &[f64]| {
            let Ok(problem) = Lcp::borrowed(entries, errors, kinds) else { return None };
            let solved = Solver::pivoting().solve_into(&problem, None, workspace, solution);
            if solved.is_err() || !solution.is_solved() {
                return None;
            }
            let pushes = solution.f.iter().enumerate().map(|(i, f)| f.abs() * matrix.at(i, i));
            Some(pushes.fold(0.0, f64::max))
        };
        let largest = errors.iter().fold(0.0, |most: f64, e| most.max(e.abs()));
        match answer(matrix.entries()) {
            Some(push) if push <= PROJECTION_REACH * largest => return true,
            _ => {}
        }
        softened.clear();
        softened.extend_from_slice(matrix.entries());
        for i in 0..n {
            softened[i * (n + 1)] *= 1.0 + PROJECTION_SOFTENING;
        }
        answer(softened).is_some_and(|push| push <= PROJECTION_REACH / PROJECTION_SOFTENING * largest)
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
        let parts = !(self.located.parting.is_empty() && self.located.near.is_empty());
        if !(parts || self.holds_rows() && self.has_rows_to_hold()) {
            return Ok(());
        }
        let mut scratch = std::mem::take(&mut self.projection);
        let before = self.stages.enter(Stage::Projection);
        let result = self.booked(true, |system| system.project_with(&mut scratch));
        self.stages.leave(before);
        self.projection = scratch;
        result
    }

    /// Whether joints and contacts are held by projection.
    fn holds_rows(&self) -> bool {
        self.settings.profile == Profile::Engine2d && self.settings.fidelity == Fidelity::Contacts
    }

    /// Whether there is anything that projection holds: bilateral connectors, contacts of located events.
    pub(crate) fn has_rows_to_hold(&self) -> bool {
        !self.located.held.is_empty() || self.connectors.iter().any(|c| c.connector.is_bilateral())
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
        let target = self.located.gap;
        if self.holds_rows() {
            for (number, state) in self.connectors.iter_mut().enumerate() {
                if state.connector.is_bilateral() {
                    let row = state.geometry(number as u32, &self.bodies, self.time)?;
                    let contact = Contact::new(&row, &self.bodies, self.time);
                    worst = worst.max(scratch.push(&contact, 0.0, quantity).abs());
                }
            }
            let mut held = std::mem::take(&mut self.located.held);
            for record in &mut held {
                self.update_record(record)?;
                worst = worst.max(scratch.push(&record.contact, target, quantity).abs());
            }
            self.located.held = held;
        }
        scratch.kinds.clear();
        scratch.kinds.resize(scratch.rows.len(), Row::Bilateral);
        // What parts must come no nearer and not approach: else the handling of one contact would send another on a
        // bounce of microseconds.
        let mut parting = std::mem::take(&mut self.located.parting);
        for record in &mut parting {
            self.update_record(record)?;
            worst = worst.max(-scratch.push(&record.contact, 2.0 * target, quantity));
        }
        self.located.parting = parting;
        if quantity == Quantity::Positions {
            for k in 0..self.located.near.len() {
                if let Some((row, distance)) = self.spacing_row(k) {
                    scratch.rows.push(row);
                    scratch.errors.push(distance - 2.0 * target);
                    worst = worst.max(2.0 * target - distance);
                }
            }
        }
        scratch.kinds.resize(scratch.rows.len(), Row::Unilateral);
        Ok(worst)
    }

    /// Applies the correction; returns whether there was one.
    fn correct(&mut self, scratch: &mut Projection, quantity: Quantity) -> bool {
        delassus(&scratch.rows, &self.inverse_masses, &mut scratch.matrix);
        if !scratch.solve() {
            return false;
        }
        let Projection { rows, solution, .. } = scratch;
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
