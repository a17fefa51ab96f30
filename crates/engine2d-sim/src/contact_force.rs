//! Contact forces within one evaluation: independent groups, Delassus matrix, right-hand side, answer,
//! application.

use crate::collision::Collision;
use crate::error::SimError;
use crate::lcp::Rows;
use crate::settings::{ExtraAcceleration, Profile};
use crate::stages::Stage;
use crate::system::System;
use engine2d_constraint::{ConstraintRow, Delassus, delassus};
use engine2d_geometry::{BodyRef, CollisionBody, Contact, ContactId};
use engine2d_math::{Vec2, cross, perp};

/// A contact force as the last evaluation found it.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ContactForce {
    /// Bodies and features.
    pub id: ContactId,
    /// Where it acts on the primary body (world).
    pub point: Vec2,
    /// Unit direction of the force on the primary body; the normal body gets the opposite.
    pub normal: Vec2,
    /// Size (force); negative only at bilateral rows.
    pub force: f64,
    /// Gap of the contact (length).
    pub gap: f64,
    /// Distance tolerance of the contact (length), for judging the gap.
    pub tolerance: f64,
    /// Whether the row is a joint.
    pub bilateral: bool,
}

/// Scratch and result of the contact-force stage.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactForceStage {
    /// Contacts not yet grouped.
    remaining: Vec<Collision>,
    group: Vec<Collision>,
    in_group: Vec<bool>,
    collected: Vec<bool>,
    rows: Vec<ConstraintRow>,
    pub(crate) matrix: Delassus,
    pub(crate) bias: Vec<f64>,
    bilateral: Vec<bool>,
    ids: Vec<ContactId>,
    pub(crate) multipliers: Vec<f64>,
    /// Forces of the last evaluation.
    pub(crate) forces: Vec<ContactForce>,
    /// Accelerations of the same rows under all forces; empty unless events are located.
    pub(crate) accelerations: Vec<f64>,
    /// Size of the largest group of the last evaluation.
    pub(crate) largest_group: usize,
    /// Largest force ever found.
    pub(crate) max_force: f64,
    /// Largest force of each of the last solves, latest first.
    pub(crate) recent_forces: [f64; 4],
}

/// What one group's problem was, for those who look on.
pub struct GroupView<'a> {
    /// The contacts in row order.
    pub contacts: &'a [Contact],
    /// Accelerations before this group's forces (six rates per body).
    pub rates_before: &'a [f64],
    /// The Delassus matrix.
    pub matrix: &'a Delassus,
    /// The right-hand side.
    pub bias: &'a [f64],
    /// The forces found.
    pub forces: &'a [f64],
    /// The recorded generator before and after the solve.
    pub generator: (Option<u32>, Option<u32>),
}

/// Watches each group of contacts that is solved.
pub(crate) type GroupObserver<'a> = &'a mut dyn FnMut(&GroupView<'_>);

impl System {
    /// Finds the forces of `contacts` (which is emptied) and adds their accelerations to `rates`.
    pub(crate) fn apply_contact_forces(
        &mut self,
        contacts: &mut Vec<Collision>,
        rates: &mut [f64],
        mut observer: Option<GroupObserver<'_>>,
    ) -> Result<(), SimError> {
        let before = self.stages.enter(Stage::Assembly);
        let mut stage = std::mem::take(&mut self.contact_stage);
        std::mem::swap(&mut stage.remaining, contacts);
        stage.forces.clear();
        stage.accelerations.clear();
        stage.largest_group = 0;
        self.lcp.begin_evaluation();
        let result = loop {
            if stage.remaining.is_empty() {
                break Ok(());
            }
            stage.take_group(&self.bodies, self.settings.independent_groups);
            stage.largest_group = stage.largest_group.max(stage.group.len());
            let watching: Option<GroupObserver<'_>> = match &mut observer {
                Some(observer) => Some(&mut **observer),
                None => None,
            };
            if let Err(error) = self.solve_group(&mut stage, rates, watching) {
                break Err(error);
            }
        };
        stage.remaining.clear();
        std::mem::swap(&mut stage.remaining, contacts);
        self.contact_stage = stage;
        self.stages.leave(before);
        result
    }

    fn solve_group(
        &mut self,
        stage: &mut ContactForceStage,
        rates: &mut [f64],
        observer: Option<GroupObserver<'_>>,
    ) -> Result<(), SimError> {
        stage.rows.clear();
        stage.bias.clear();
        stage.bilateral.clear();
        stage.ids.clear();
        let h = self.settings.extra_acceleration_step.unwrap_or(self.current_step);
        for record in &stage.group {
            let c = &record.contact;
            stage.rows.push(force_row(c));
            // Joints that are projected after each step need no stabilization: within a step it would mistake
            // the truncation error of a stage for drift, and cost the method its order.
            let projected = self.is_located() || c.bilateral && self.settings.profile == Profile::Engine2d;
            let mode = if projected { ExtraAcceleration::None } else { self.settings.extra_acceleration };
            let bias = extra_acceleration(c, mode, h)
                + external_acceleration(c, &self.bodies, rates)
                + velocity_terms(c, &self.bodies);
            if !bias.is_finite() {
                return Err(SimError::NotFinite {
                    what: format!("the acceleration of {}", c.id),
                    time: self.time,
                });
            }
            stage.bias.push(bias);
            stage.bilateral.push(c.bilateral);
            stage.ids.push(c.id);
        }
        delassus(&stage.rows, &self.inverse_masses, &mut stage.matrix);
        let before = self.generator.recorded_state();
        let rows = Rows {
            what: "contact forces",
            time: self.time,
            matrix: stage.matrix.entries(),
            bias: &stage.bias,
            ids: Some(&stage.ids),
            bodies: &|row| [stage.ids[row].primary, stage.ids[row].normal_body],
        };
        let assembly = self.stages.enter(Stage::Complementarity);
        self.lcp.solve(
            self.settings.profile,
            &rows,
            &stage.bilateral,
            &mut self.generator,
            &mut stage.multipliers,
        )?;
        self.stages.leave(assembly);
        let largest = stage.multipliers.iter().fold(0.0, |most: f64, f| most.max(f.abs()));
        stage.max_force = stage.max_force.max(largest);
        stage.recent_forces.rotate_right(1);
        stage.recent_forces[0] = largest;
        if let Some(observer) = observer {
            let contacts: Vec<Contact> = stage.group.iter().map(|r| r.contact).collect();
            observer(&GroupView {
                contacts: &contacts,
                rates_before: rates,
                matrix: &stage.matrix,
                bias: &stage.bias,
                forces: &stage.multipliers,
                generator: (before, self.generator.recorded_state()),
            });
        }
        // Only located events ask for them.
        let rows = if self.is_located() { stage.bias.len() } else { 0 };
        for (i, bias) in stage.bias.iter().enumerate().take(rows) {
            let pushed: f64 = stage.matrix.row(i).iter().zip(&stage.multipliers).map(|(a, f)| a * f).sum();
            stage.accelerations.push(pushed + bias);
        }
        for (record, &force) in stage.group.iter().zip(&stage.multipliers) {
            let c = &record.contact;
            stage.forces.push(ContactForce {
                id: c.id,
                point: c.point,
                normal: c.normal,
                force,
                gap: c.distance,
                tolerance: c.tolerances.distance,
                bilateral: c.bilateral,
            });
            if force != 0.0 {
                self.push_rates(rates, c.id.primary, c.r1, c.normal * force);
                self.push_rates(rates, c.id.normal_body, c.r2, -c.normal * force);
            }
        }
        Ok(())
    }

    /// Adds the accelerations of a force at offset `r` from the centre of mass.
    fn push_rates(&self, rates: &mut [f64], body: BodyRef, r: Vec2, force: Vec2) {
        let Some(i) = body.index() else { return };
        let m = self.inverse_masses[i];
        rates[6 * i + 1] += force.x * m.linear;
        rates[6 * i + 3] += force.y * m.linear;
        rates[6 * i + 5] += cross(r, force) * m.angular;
    }
}

impl ContactForceStage {
    /// Moves the first remaining contact and all that hang together with it through movable bodies into
    /// the group, in the order of discovery.
    fn take_group(&mut self, bodies: &[CollisionBody], split: bool) {
        self.group.clear();
        if !split {
            self.group.append(&mut self.remaining);
            return;
        }
        self.in_group.clear();
        self.in_group.resize(self.remaining.len(), false);
        self.collected.clear();
        self.collected.resize(bodies.len(), false);
        let collect = |contact: &Contact, collected: &mut [bool]| {
            for body in [contact.id.primary, contact.id.normal_body] {
                if let Some(i) = body.index().filter(|&i| !bodies[i].fixed) {
                    collected[i] = true;
                }
            }
        };
        self.in_group[0] = true;
        self.group.push(self.remaining[0]);
        collect(&self.remaining[0].contact, &mut self.collected);
        let mut grown = true;
        while grown {
            grown = false;
            for (k, record) in self.remaining.iter().enumerate() {
                let id = record.contact.id;
                let touches = |b: BodyRef| b.index().is_some_and(|i| self.collected[i]);
                if !self.in_group[k] && (touches(id.primary) || touches(id.normal_body)) {
                    self.in_group[k] = true;
                    self.group.push(*record);
                    collect(&record.contact, &mut self.collected);
                    grown = true;
                }
            }
        }
        let mut k = 0;
        self.remaining.retain(|_| {
            k += 1;
            !self.in_group[k - 1]
        });
    }
}

/// The row of a contact force: with the centres of curvature `U`, whose motion governs the gap.
pub(crate) fn force_row(c: &Contact) -> ConstraintRow {
    ConstraintRow::separation([c.id.primary, c.id.normal_body], c.normal, c.u1, c.u2)
}

/// Stabilisation: with normal velocity `v`, distance to the target gap `x` and step `h`, `v/h` or
/// `(2 v h + x)/h²`, the mean of what cancels the velocity and what cancels the distance in one step.
fn extra_acceleration(c: &Contact, mode: ExtraAcceleration, h: f64) -> f64 {
    use ExtraAcceleration::{None, Velocity, VelocityAndDistance, VelocityAndDistanceJoints, VelocityJoints};
    match (mode, c.bilateral) {
        (None, _) | (Velocity | VelocityAndDistance, true) => 0.0,
        (Velocity, false) | (VelocityJoints, _) => c.velocity / h,
        (VelocityAndDistance, false) | (VelocityAndDistanceJoints, _) => {
            (2.0 * c.velocity * h + c.distance_to_target()) / (h * h)
        }
    }
}

/// Acceleration of the gap by the rates present: `n·[(a_1 + α_1 × U_1 − ω_1² U_1) − (…)_2]`.
fn external_acceleration(c: &Contact, bodies: &[CollisionBody], rates: &[f64]) -> f64 {
    let point = |body: BodyRef, u: Vec2| {
        let Some(i) = body.index().filter(|&i| !bodies[i].fixed) else { return Vec2::zeros() };
        let spin = bodies[i].angular_velocity;
        let acceleration = Vec2::new(rates[6 * i + 1], rates[6 * i + 3]);
        acceleration + perp(u) * rates[6 * i + 5] - u * (spin * spin)
    };
    c.normal.dot(&(point(c.id.primary, c.u1) - point(c.id.normal_body, c.u2)))
}

/// Acceleration of the gap by the turning of the normal.
///
/// A straight normal edge turns at `ṅ = ω_2 × n` and enters twice, `d̈ ∋ 2 ṅ·ΔV`, less `ρ_1 ω_2²` for a
/// curved primary edge; a curved one turns at `ṅ = ΔV/ρ` and enters once.
pub(crate) fn velocity_terms(c: &Contact, bodies: &[CollisionBody]) -> f64 {
    if c.normal_fixed {
        return 0.0;
    }
    let velocity = |body: BodyRef, u: Vec2| body.index().map_or(Vec2::zeros(), |i| bodies[i].velocity_at(u));
    let relative = velocity(c.id.primary, c.u1) - velocity(c.id.normal_body, c.u2);
    if let Some(rate) = c.normal_rate {
        return rate.dot(&relative);
    }
    if !c.normal_curved {
        let spin =
            c.id.normal_body
                .index()
                .map_or(0.0, |i| if bodies[i].fixed { 0.0 } else { bodies[i].angular_velocity });
        let turning = 2.0 * spin * perp(c.normal).dot(&relative);
        return match c.primary_radius.filter(|_| c.primary_curved) {
            Some(radius) => turning - radius * spin * spin,
            None => turning,
        };
    }
    let radius = match c.primary_radius.filter(|_| c.primary_curved) {
        Some(radius) => radius + c.normal_radius,
        None => c.normal_radius,
    };
    relative.norm_squared() / radius
}

#[cfg(test)]
mod tests;
