//! The iterative solver of a fixed step: soft contacts in substeps, as the fast engines take them, with joints solved directly.
//!
//! ```text
//! prepare     arms, masses, impulses of the last step               bodies where they are
//! substep     v += h' M⁻¹ F, impulses of before, rows with bias      gaps are driven to zero like damped springs
//!             q += h' v, rows without bias, friction                 what the bias pushed is taken out of the velocities
//! at the end  restitution, positions back on joints
//! ```
//!
//! Contacts are those of \[Catto 2024, "Solver2D": soft step\], whose parameters are kept: `ω = 2π · 30 Hz` and `ζ = 10`, twice
//! the frequency at bodies that do not move. Friction is left out of the pass with bias, or what the bias pushes would be
//! rubbed in. The rows of joints are one block of the sweep, solved by elimination: chains do not stretch.

mod contacts;
mod joints;
mod manifold;
mod motion;
mod point;
mod tell;

use super::detect::{look_near, set_ways};
use super::positions;
use super::shared::Shared;
use crate::error::SimError;
use crate::evaluate::free_rates;
use crate::force::ForceLaw;
use crate::model::Model;
use crate::report::{Event, StepReport};
use crate::road::{Direct, Row, Touch};
use crate::stages::Stage;
use crate::state::{PER_BODY, State};
use crate::work::Work;
use contacts::Contacts;
use engine2d_math::Vec2;
use joints::Joints;
use manifold::{Manifolds, Plain};
use motion::Motion;
use point::velocity;

/// Scratch of the iterative solver.
#[derive(Clone, Debug, Default)]
pub(super) struct Soft {
    motions: Vec<Motion>,
    contacts: Contacts,
    joints: Joints,
    direct: Direct,
    /// Poses at the beginning of the step.
    poses: Vec<(Vec2, f64)>,
    before: Vec<[f64; 3]>,
    changes: Vec<[f64; 3]>,
    y: Vec<f64>,
    rates: Vec<f64>,
    rows: Vec<Row>,
    shapes: Vec<Plain>,
    manifolds: Manifolds,
}

impl Soft {
    /// One step to time `end`.
    pub(super) fn step(
        &mut self,
        shared: &mut Shared,
        (model, state, work): (&Model, &mut State, &mut Work),
        (end, substeps): (f64, u32),
        report: &mut StepReport,
    ) -> Result<(), SimError> {
        let (start, h) = (state.time, end - state.time);
        let part = h / f64::from(substeps);
        let jointed = model.has_constraints() && (!model.ties.is_empty() || !model.joints.is_empty());
        // Gravity is the same wherever bodies are.
        let constant = model.laws.iter().all(|law| matches!(law, ForceLaw::Gravity { .. }));
        self.begin(model, state, work, h)?;
        if self.shapes.len() != state.bodies.len() || shared.memory.fresh() {
            self.shapes.clear();
            self.shapes.extend(state.bodies.iter().map(Plain::of));
            self.detect(state, shared)?;
        }
        if !model.collides() {
            shared.memory.near.clear();
        }
        self.contacts.prepare(model, &state.bodies, &shared.memory.near, &self.changes, part);
        self.joints.prepare(&shared.memory, part / h);
        let masses = &model.masses[..];
        for k in 0..substeps {
            if k > 0 && (jointed || !constant) {
                state.time = start + f64::from(k) * part;
                self.write(state);
            }
            if k > 0 && !constant {
                self.add_forces(model, state, work, h)?;
            }
            let Self { motions, contacts, joints, direct, changes, .. } = self;
            if jointed {
                joints.look(model, state, &mut shared.road, part)?;
            }
            for (motion, d) in motions.iter_mut().zip(changes.iter()) {
                let (share, v) = (part / h, motion.v);
                motion.v = [v[0] + share * d[0], v[1] + share * d[1], v[2] + share * d[2]];
            }
            contacts.warm_start(motions, masses);
            joints.warm_start(motions, masses);
            for bias in [true, false] {
                joints.sweep(motions, masses);
                contacts.solve(motions, masses, (part, bias));
                joints.hold(direct, motions, masses, (part, bias));
                if bias {
                    motions.iter_mut().for_each(|motion| motion.advance(part));
                }
            }
            contacts.book();
            joints.book();
        }
        let Self { motions, contacts, joints, direct, .. } = self;
        if contacts.bounce(motions, masses) {
            joints.hold(direct, motions, masses, (part, false));
        }
        let residual = contacts.residual(motions, masses);
        work.lcp.note(contacts.len() + joints.totals.len(), residual);
        state.time = end;
        self.write(state);
        let Self { contacts, joints, motions, .. } = self;
        contacts.keep(&mut shared.memory.near);
        joints.keep(part / h, &mut shared.memory.rows);
        tell::tell((contacts, joints, motions), (model, state, shared, work), (start, h), report);
        self.place(shared, (model, state, work), (h, jointed), report)
    }

    /// Takes up the bodies, and what forces change of their velocities in the step.
    fn begin(&mut self, model: &Model, state: &mut State, work: &mut Work, h: f64) -> Result<(), SimError> {
        self.add_forces(model, state, work, h)?;
        self.before.clear();
        self.before.extend(state.bodies.iter().map(velocity));
        self.motions.clear();
        self.motions.extend(self.before.iter().map(|&v| Motion::at_rest(v)));
        self.poses.clear();
        self.poses.extend(state.bodies.iter().map(|b| (b.pose.position(), b.pose.angle())));
        Ok(())
    }

    /// What forces change of the velocities in a whole step, by the present state.
    fn add_forces(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
        h: f64,
    ) -> Result<(), SimError> {
        let Self { y, rates, changes, .. } = self;
        state.read(y);
        free_rates(model, state, work, y, rates)?;
        changes.clear();
        changes.extend(rates[1..].chunks_exact(PER_BODY).map(|r| [h * r[1], h * r[3], h * r[5]]));
        Ok(())
    }

    /// Puts joints together, and looks what is near.
    fn place(
        &mut self,
        shared: &mut Shared,
        (model, state, work): (&Model, &mut State, &mut Work),
        (h, jointed): (f64, bool),
        report: &mut StepReport,
    ) -> Result<(), SimError> {
        if jointed {
            let entered = work.stages.enter(Stage::Projection);
            let unplaced = crate::energy::energy(model, state).total();
            positions::join((model, state), &mut shared.road, &mut self.direct, &mut self.rows)?;
            report.corrections += crate::energy::energy(model, state).total() - unplaced;
            work.stages.leave(entered);
        }
        let entered = work.stages.enter(Stage::Detection);
        set_ways(state, &shared.detector, (&self.before, &self.changes), h, &mut shared.memory.ways);
        if model.collides() {
            self.detect(state, shared)?;
            let ends = shared.detector.lost().map(|contact| Event::ContactEnd { time: state.time, contact });
            report.events.extend(ends);
        }
        work.stages.leave(entered);
        Ok(())
    }

    /// Finds the places that may meet at the present state.
    fn detect(&mut self, state: &State, shared: &mut Shared) -> Result<(), SimError> {
        let Self { shapes, manifolds, .. } = self;
        let narrow =
            |pair, reach, out: &mut Vec<Touch>| manifolds.find(&state.bodies, shapes, pair, reach, out);
        look_near(state, &mut shared.memory, &mut shared.detector, &mut shared.touches, narrow)
    }

    /// Puts the bodies where they have moved to.
    fn write(&self, state: &mut State) {
        let moved = self.motions.iter().zip(&self.poses);
        for (body, (motion, &(position, angle))) in state.bodies.iter_mut().zip(moved) {
            if !body.fixed {
                body.pose.set_position(position + Vec2::new(motion.way[0], motion.way[1]));
                body.pose.set_angle(angle + motion.turn);
                body.velocity = Vec2::new(motion.v[0], motion.v[1]);
                body.angular_velocity = motion.v[2];
            }
        }
    }
}
