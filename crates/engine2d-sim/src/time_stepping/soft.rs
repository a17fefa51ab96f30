//! The iterative solver of a fixed step: soft contacts in substeps, as the fast engines take them, with joints solved directly.
//!
//! ```text
//! prepare     arms, masses, impulses of the last step               bodies where they are
//! substep     what meets and bounces is struck                       at the moment when it meets
//!             v += h' M⁻¹ F, impulses of before, rows with bias      gaps are driven to zero like damped springs
//!             q += h' v, rows without bias, friction                 what the bias pushed is taken out of the velocities
//! at the end  positions back on joints
//! ```
//!
//! Contacts are those of \[Catto 2024, "Solver2D": soft step\], whose parameters are kept: `ω = 2π · 30 Hz` and `ζ = 10`, twice
//! the frequency at bodies that do not move. Friction is left out of the pass with bias, or what the bias pushes would be
//! rubbed in. The rows of joints are one block of the sweep, solved by elimination: chains do not stretch.

mod borne;
mod bounce;
mod contacts;
mod flights;
mod group;
mod join;
mod joints;
mod limits;
mod linked;
mod manifold;
mod meeting;
mod motion;
mod pair;
mod pins;
mod rolling;
mod shapes;
mod stretches;
mod take;
mod tell;
mod together;

use super::detect::{NarrowScratch, look_near, set_ways};
use super::implicit::{swing_of_laws, temper_explicit};
use super::shared::Shared;
use crate::error::SimError;
use crate::evaluate::free_rates;
use crate::force::ForceLaw;
use crate::instrument::Instrument;
use crate::model::Model;
use crate::parallel;
use crate::report::{Event, StepReport};
use crate::road::{Direct, Touch};
use crate::stages::Stage;
use crate::state::{PER_BODY, State};
use crate::work::Work;
use borne::{LEADING, count_leading};
use bounce::{Places, Span};
use contacts::Contacts;
use engine2d_constraint::InverseMass;
use engine2d_geometry::ContactBand;
use engine2d_math::Vec2;
use join::Join;
use joints::Joints;
use linked::Links;
use motion::{Motion, fly};
use pins::Pins;
use shapes::Shapes;
use stretches::{Means, count_stretches, count_substeps, swing_at_most};
use take::velocity;

/// Part of a substep up to which a stretch that is longer than others needs none more.
const SLIVER: f64 = 1e-9;

/// Scratch of the iterative solver.
#[derive(Clone, Debug, Default)]
pub(super) struct Soft {
    motions: Vec<Motion>,
    /// Velocities in a substep before its impulses.
    kept: Vec<[f64; 3]>,
    contacts: Contacts,
    joints: Joints,
    pins: Pins,
    direct: Direct,
    /// Poses at the beginning of the step.
    poses: Vec<(Vec2, f64)>,
    before: Vec<[f64; 3]>,
    changes: Vec<[f64; 3]>,
    /// As contacts see them: what is led yields to nothing.
    masses: Vec<InverseMass>,
    /// How many joints lead each body, where any does.
    leading: Vec<u8>,
    /// What contacts loaded onto each body in the step; none where no body is led.
    loads: Vec<[f64; 3]>,
    y: Vec<f64>,
    rates: Vec<f64>,
    join: Join,
    shapes: Shapes,
    means: Means,
    /// Which bodies have joints, and what a blow on one of them changes of all.
    linked: Vec<bool>,
    responses: Vec<[f64; 3]>,
}

impl Soft {
    /// One step to time `end`, in several stretches where a body turns far.
    pub(super) fn step(
        &mut self,
        shared: &mut Shared,
        (model, state, work): (&Model, &mut State, &mut Work),
        (end, substeps): (f64, u32),
        mut beside: Option<&mut Instrument>,
        report: &mut StepReport,
    ) -> Result<(), SimError> {
        let (start, h) = (state.time, end - state.time);
        if shared.memory.fresh && !model.joints.is_empty() {
            self.add_forces(model, state, work, (h, h))?;
            shared.memory.swing = swing_at_most(model, &state.bodies, &self.changes, h);
        }
        let substeps = substeps.max(count_substeps([shared.memory.swing, swing_of_laws(model, state)], h));
        let count = count_stretches(&shared.memory.near, state, h);
        self.means.clear();
        let mut cut = count > 1;
        for k in 1..=count {
            let until = if k == count { end } else { start + h * f64::from(k) / f64::from(count) };
            while state.time < until {
                let (begin, rest) = (state.time, until - state.time);
                let parts = (&state.bodies[..], &shared.detector.reaches[..]);
                let length = flights::stretch(&shared.memory.near, parts, (rest, h));
                let to = if length < rest { begin + length } else { until };
                cut |= to < end;
                let looks = beside.take_if(|_| to >= end);
                // Rounding makes no substep more.
                let many = (f64::from(substeps) * (to - begin) / h - SLIVER).ceil().max(1.0) as u32;
                let lengths = (h, to, [many, substeps]);
                self.stretch(shared, (model, &mut *state, &mut *work), lengths, looks, report)?;
                // What lies inside each other when bodies are placed is taken up once.
                shared.memory.fresh = false;
                if cut {
                    self.means.add((&work.forces.last, &shared.road), (to - begin) / h);
                }
            }
        }
        if cut {
            self.means.tell(&mut work.forces.last, &mut shared.road);
        }
        Ok(())
    }

    /// A stretch, in `substeps`, to time `end` of a step of length `h`, which alone would have so many as a `whole`.
    fn stretch(
        &mut self,
        shared: &mut Shared,
        (model, state, work): (&Model, &mut State, &mut Work),
        (h, end, [substeps, whole]): (f64, f64, [u32; 2]),
        beside: Option<&mut Instrument>,
        report: &mut StepReport,
    ) -> Result<(), SimError> {
        let start = state.time;
        let part = (end - start) / f64::from(substeps);
        let jointed = model.has_constraints() && (!model.ties.is_empty() || !model.joints.is_empty());
        // Gravity is the same wherever bodies are.
        let constant = model.laws.iter().all(|law| matches!(law, ForceLaw::Gravity { .. }));
        // What pressed is known for substeps of a whole step.
        let share = part / (h / f64::from(whole));
        if share != 1.0 {
            shared.memory.near.iter_mut().for_each(|near| near.scale(share));
        }
        self.begin(model, state, work, (h, part))?;
        if self.shapes.len() != state.bodies.len() || shared.memory.fresh() {
            self.shapes.begin(&state.bodies);
            self.detect(state, shared)?;
            shared.note_new_depths(state);
        }
        if !model.collides() {
            shared.memory.near.clear();
        }
        let leads = self.take_masses(model);
        let Self { contacts, masses: firm, changes, shapes, .. } = self;
        let formed = (&state.bodies[..], &*shapes);
        contacts.prepare((model, firm, leads), formed, &shared.memory.near, changes, part);
        self.joints.prepare(&shared.memory, part / h);
        self.pins.take(model, state);
        self.linked.clear();
        // Rows of pins alone, and forces that are the same everywhere, need no state within the step.
        let stated = !constant || (jointed && !self.pins.are_alone());
        let masses = &model.masses[..];
        for k in 0..substeps {
            if k > 0 && stated {
                state.time = start + f64::from(k) * part;
                self.write(state);
            }
            if k > 0 && !constant {
                self.add_forces(model, state, work, (h, part))?;
            }
            let Self {
                motions,
                kept,
                contacts,
                joints,
                pins,
                direct,
                changes,
                shapes,
                poses,
                linked,
                responses,
                ..
            } = self;
            let firm = &self.masses[..];
            if jointed && pins.are_alone() {
                if stated {
                    pins.place(&state.bodies);
                } else {
                    pins.move_on(&state.bodies, motions);
                }
                joints.look_at(pins, k > 0, start + f64::from(k) * part)?;
            } else if jointed {
                joints.look(model, state, &mut shared.road, part)?;
            }
            let span = Span { changes, step: h, part };
            if jointed {
                joints.bounce(direct, (model, masses), (&mut *motions, &mut *kept), span);
            }
            let places = Places { shapes, poses, touches: &mut shared.touches };
            if jointed && k == 0 && contacts.bounces() {
                joints.mark(motions.len(), linked);
            }
            let links =
                Links { joints: &mut *joints, direct: &mut *direct, masses, linked, changes: responses };
            contacts.bounce((motions, kept), (places, links), span);
            if k == 0 || jointed {
                accelerate(motions, kept, changes, part / h);
                contacts.warm_start(motions, firm);
                joints.warm_start(motions, masses);
            } else {
                accelerate_again(motions, kept, changes, part / h);
            }
            if leads {
                // Contacts see what is led as it moves in this substep.
                joints.hold(direct, motions, masses, (part, true));
            }
            joints.sweep(motions, masses);
            contacts.push_out(motions, part);
            joints.hold(direct, motions, masses, (part, true));
            if constant {
                fly(motions, (kept, changes), (part, part / h));
            } else {
                motions.iter_mut().for_each(|motion| motion.advance(part));
            }
            joints.sweep(motions, masses);
            contacts.relax(motions, firm, part);
            joints.hold(direct, motions, masses, (part, false));
            joints.book();
        }
        state.time = end;
        self.write(state);
        let Self { contacts, joints, motions, loads, .. } = self;
        joints.keep(part / h, &mut shared.memory.rows);
        loads.resize(if leads { motions.len() } else { 0 }, [0.0; 3]);
        if leads {
            contacts.loads(loads);
            let yields = |(load, mass): (_, &InverseMass)| mass.is_movable().then_some(load);
            loads.iter_mut().zip(&self.masses).filter_map(yields).for_each(|load| *load = [0.0; 3]);
        }
        tell::tell(
            (contacts, joints, motions),
            loads,
            (model, state, shared, work),
            (start, end - start, share),
            report,
        );
        self.place(shared, (model, state, work), (h, jointed), beside, report)
    }

    /// Takes up the masses as contacts see them; returns whether a body is led.
    fn take_masses(&mut self, model: &Model) -> bool {
        let Self { masses, leading, .. } = self;
        masses.clone_from(&model.masses);
        if model.joints.is_empty() || model.data.iter().all(|data| data.led.is_none()) {
            return false;
        }
        count_leading(model, leading);
        let mut leads = false;
        for (mass, _) in masses.iter_mut().zip(leading).filter(|(_, count)| **count >= LEADING) {
            (*mass, leads) = (InverseMass::new(f64::INFINITY, f64::INFINITY), true);
        }
        leads
    }

    /// Takes up the bodies, and what forces change of their velocities in the step.
    fn begin(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
        (h, part): (f64, f64),
    ) -> Result<(), SimError> {
        self.add_forces(model, state, work, (h, part))?;
        self.before.clear();
        self.before.extend(state.bodies.iter().map(velocity));
        self.motions.clear();
        self.motions.extend(self.before.iter().map(|&v| Motion::at_rest(v)));
        self.poses.clear();
        self.poses.extend(state.bodies.iter().map(|b| (b.pose.position(), b.pose.angle())));
        Ok(())
    }

    /// What forces change of the velocities in a whole step of which `part` is one, by the present state.
    fn add_forces(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
        (h, part): (f64, f64),
    ) -> Result<(), SimError> {
        let Self { y, rates, changes, .. } = self;
        state.read(y);
        free_rates(model, state, work, y, rates)?;
        changes.clear();
        changes.extend(rates[1..].chunks_exact(PER_BODY).map(|r| [h * r[1], h * r[3], h * r[5]]));
        temper_explicit((model, state), part, changes);
        Ok(())
    }

    /// Puts joints together, and looks what is near; `beside` measures that state.
    fn place(
        &mut self,
        shared: &mut Shared,
        (model, state, work): (&Model, &mut State, &mut Work),
        (h, jointed): (f64, bool),
        beside: Option<&mut Instrument>,
        report: &mut StepReport,
    ) -> Result<(), SimError> {
        if jointed {
            let entered = work.stages.enter(Stage::Projection);
            let unplaced = crate::energy::energy(model, state).total();
            self.join.join((model, state), &mut self.pins, (&mut shared.road, &mut self.direct))?;
            report.corrections += crate::energy::energy(model, state).total() - unplaced;
            work.stages.leave(entered);
        }
        let entered = work.stages.enter(Stage::Detection);
        set_ways(state, &shared.detector, (&self.before, &self.changes), h, &mut shared.memory.ways);
        if model.collides() {
            match beside {
                Some(instrument) => {
                    let measure = || instrument.measure(&state.bodies);
                    parallel::both(|| self.detect(state, shared), measure).0?;
                }
                None => self.detect(state, shared)?,
            }
            let ends = shared.detector.lost().map(|contact| Event::ContactEnd {
                time: state.time,
                contact,
                point: None,
            });
            report.events.extend(ends);
        }
        work.stages.leave(entered);
        Ok(())
    }

    /// Finds the places that may meet at the present state.
    fn detect(&mut self, state: &State, shared: &mut Shared) -> Result<(), SimError> {
        let shapes = &mut self.shapes;
        shapes.place(&state.bodies);
        let parts = (&state.bodies[..], &*shapes);
        let narrow = |scratch: &mut NarrowScratch, pair, band: &ContactBand, out: &mut Vec<Touch>| {
            manifold::find(parts, scratch, pair, band, out);
        };
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

/// Adds the share of what forces change in a step that is a substep's, and notes what comes of it.
fn accelerate(motions: &mut [Motion], kept: &mut Vec<[f64; 3]>, changes: &[[f64; 3]], share: f64) {
    kept.clear();
    for (motion, d) in motions.iter_mut().zip(changes) {
        motion.v = std::array::from_fn(|i| motion.v[i] + share * d[i]);
        kept.push(motion.v);
    }
}

/// The same, with the impulses of the substep before: the velocities changed by nothing else, and arms stay in a step, so that what
/// all of them together make of a body's is the difference.
fn accelerate_again(motions: &mut [Motion], kept: &mut [[f64; 3]], changes: &[[f64; 3]], share: f64) {
    for ((motion, kept), d) in motions.iter_mut().zip(kept).zip(changes) {
        let gained: [f64; 3] = std::array::from_fn(|i| motion.v[i] - kept[i]);
        *kept = std::array::from_fn(|i| motion.v[i] + share * d[i]);
        motion.v = std::array::from_fn(|i| kept[i] + gained[i]);
    }
}
