//! Contact forces within one evaluation: independent groups, Delassus matrix, right-hand side, answer,
//! application.

use super::collision::Collision;
use crate::contact_force::ContactForce;
use crate::error::SimError;
use crate::lcp::Rows;
use crate::model::Model;
use crate::road::{force_row, velocity_terms};
use crate::settings::ExtraAcceleration;
use crate::stages::Stage;
use crate::state::State;
use crate::work::Work;
use engine2d_constraint::{ConstraintRow, Delassus, InverseMass, delassus};
use engine2d_geometry::{BodyRef, CollisionBody, Contact, ContactId};
use engine2d_math::{Vec2, cross, perp};

/// Scratch of contact forces.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactForceStage {
    /// Contacts not yet grouped.
    remaining: Vec<Collision>,
    group: Vec<Collision>,
    in_group: Vec<bool>,
    collected: Vec<bool>,
    rows: Vec<ConstraintRow>,
    matrix: Delassus,
    bias: Vec<f64>,
    bilateral: Vec<bool>,
    ids: Vec<ContactId>,
    multipliers: Vec<f64>,
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

impl ContactForceStage {
    /// Finds the forces of `contacts` (which is emptied) and adds their accelerations to `rates`. `h` is the step of the
    /// extra acceleration.
    #[allow(clippy::too_many_arguments, reason = "what a stage reads, writes and shows")]
    pub(super) fn apply(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
        h: f64,
        contacts: &mut Vec<Collision>,
        rates: &mut [f64],
        mut observer: Option<GroupObserver<'_>>,
    ) -> Result<(), SimError> {
        let before = work.stages.enter(Stage::Assembly);
        self.remaining.clear();
        self.remaining.append(contacts);
        work.forces.last.clear();
        work.forces.largest_group = 0;
        work.lcp.begin_evaluation();
        while !self.remaining.is_empty() {
            self.take_group(&state.bodies, model.settings.independent_groups);
            work.forces.largest_group = work.forces.largest_group.max(self.group.len());
            let watching: Option<GroupObserver<'_>> = match &mut observer {
                Some(observer) => Some(&mut **observer),
                None => None,
            };
            self.solve_group(model, state, work, h, rates, watching)?;
        }
        work.stages.leave(before);
        Ok(())
    }

    fn solve_group(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
        h: f64,
        rates: &mut [f64],
        observer: Option<GroupObserver<'_>>,
    ) -> Result<(), SimError> {
        let stage = self;
        let State { bodies, generator, .. } = state;
        stage.rows.clear();
        stage.bias.clear();
        stage.bilateral.clear();
        stage.ids.clear();
        for record in &stage.group {
            let c = &record.contact;
            stage.rows.push(force_row(c));
            // Joints that are projected after each step need no stabilization: within a step it would mistake
            // the truncation error of a stage for drift, and cost the method its order.
            let projected = c.bilateral && !model.is_recorded();
            let mode = if projected { ExtraAcceleration::None } else { model.settings.extra_acceleration };
            let bias = extra_acceleration(c, mode, h)
                + external_acceleration(c, bodies, rates)
                + velocity_terms(c, bodies);
            if !bias.is_finite() {
                return Err(SimError::NotFinite {
                    what: format!("the acceleration of {}", c.id),
                    time: state.time,
                });
            }
            stage.bias.push(bias);
            stage.bilateral.push(c.bilateral);
            stage.ids.push(c.id);
        }
        delassus(&stage.rows, &model.masses, &mut stage.matrix);
        let before = generator.recorded_state();
        let rows = Rows {
            what: "contact forces",
            time: state.time,
            matrix: stage.matrix.entries(),
            bias: &stage.bias,
            ids: Some(&stage.ids),
            bodies: &|row| [stage.ids[row].primary, stage.ids[row].normal_body],
        };
        let assembly = work.stages.enter(Stage::Complementarity);
        work.lcp.solve(model.settings.profile, &rows, &stage.bilateral, generator, &mut stage.multipliers)?;
        work.stages.leave(assembly);
        let largest = stage.multipliers.iter().fold(0.0, |most: f64, f| most.max(f.abs()));
        work.forces.note(largest);
        if let Some(observer) = observer {
            let contacts: Vec<Contact> = stage.group.iter().map(|r| r.contact).collect();
            observer(&GroupView {
                contacts: &contacts,
                rates_before: rates,
                matrix: &stage.matrix,
                bias: &stage.bias,
                forces: &stage.multipliers,
                generator: (before, generator.recorded_state()),
            });
        }
        for (record, &force) in stage.group.iter().zip(&stage.multipliers) {
            let c = &record.contact;
            work.forces.last.push(ContactForce {
                id: c.id,
                point: c.point,
                normal: c.normal,
                force,
                friction: 0.0,
                rolling_torque: 0.0,
                gap: c.distance,
                tolerance: c.tolerances.distance,
                bilateral: c.bilateral,
            });
            if force != 0.0 {
                push_rates(&model.masses, rates, c.id.primary, c.r1, c.normal * force);
                push_rates(&model.masses, rates, c.id.normal_body, c.r2, -c.normal * force);
            }
        }
        Ok(())
    }

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

/// Adds the accelerations of a force at offset `r` from the centre of mass.
fn push_rates(masses: &[InverseMass], rates: &mut [f64], body: BodyRef, r: Vec2, force: Vec2) {
    let Some(i) = body.index() else { return };
    let m = masses[i];
    rates[6 * i + 1] += force.x * m.linear;
    rates[6 * i + 3] += force.y * m.linear;
    rates[6 * i + 5] += cross(r, force) * m.angular;
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

#[cfg(test)]
mod tests;
