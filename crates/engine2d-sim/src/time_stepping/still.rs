//! Steps of what is at rest to the bit.
//!
//! A step follows from what there is, how it stands and moves, what is known of the step before, and its length. Where all of that is
//! after a step what it was before, the next step of the same length ends the same, and is not taken again: only its forces are told.
//! What is compared is what a step is told, value by value, so that changes need not be announced; but for the settings, with whose change
//! all that is known of the step before is forgotten. The bits are those of steps that are all taken, counts included.

use super::memory::Memory;
use crate::body::BodyData;
use crate::force::ForceLaw;
use crate::model::Model;
use crate::settings::ContactModel;
use crate::stages::Stage;
use crate::state::State;
use engine2d_geometry::CollisionBody;
use engine2d_math::Vec2;
use std::sync::Arc;

/// A step that changed nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct StillStep {
    /// Its length (time).
    pub(super) length: f64,
    /// What it counted.
    pub(super) evaluations: u64,
    pub(super) calls: [u64; Stage::ALL.len()],
    /// Largest scaled violation of the conditions.
    pub(super) residual: f64,
    /// What its solves took (nominal milliseconds).
    pub(super) cost: f64,
}

/// The last step, if it changed nothing, and what it was taken of.
#[derive(Clone, Debug, Default)]
pub(super) struct Still {
    of: Option<Parts>,
    memory: Memory,
    step: Option<StillStep>,
}

/// What steps ask of a world without joints, connectors and surfaces of pairs.
#[derive(Clone, Debug)]
struct Parts {
    data: Vec<BodyData>,
    laws: Vec<ForceLaw>,
    touch: f64,
    bodies: Vec<CollisionBody>,
}

impl Still {
    /// The last step, if the next one of a length is the same.
    pub(super) fn step(
        &self,
        (model, state, memory): (&Model, &State, &Memory),
        length: f64,
    ) -> Option<StillStep> {
        let same = |step: &StillStep| step.length == length && self.is_of(model, state, memory);
        self.step.filter(same)
    }

    /// Takes up what the next step is taken of, if that may change nothing; whether it may.
    pub(super) fn begin(&mut self, model: &Model, state: &State, memory: &Memory) -> bool {
        if !may_be(model, state) {
            // What moves keeps no copies.
            *self = Self::default();
            return false;
        }
        if self.step.take().is_none() || !self.is_of(model, state, memory) {
            self.of = Some(Parts {
                data: model.data.clone(),
                laws: model.laws.clone(),
                touch: state.touch,
                bodies: state.bodies.clone(),
            });
            self.memory.clone_from(memory);
        }
        true
    }

    /// Takes up the step just taken if it changed nothing.
    pub(super) fn end(&mut self, (model, state, memory): (&Model, &State, &Memory), step: StillStep) {
        self.step = self.is_of(model, state, memory).then_some(step);
    }

    fn is_of(&self, model: &Model, state: &State, memory: &Memory) -> bool {
        let Some(Parts { data, laws, touch, bodies }) = &self.of else { return false };
        may_be(model, state)
            && state.touch == *touch
            && (state.bodies.len(), model.data.len()) == (bodies.len(), data.len())
            && state.bodies.iter().zip(bodies).all(|(a, b)| is_same_body(a, b))
            && model.data.iter().zip(data).all(|(a, b)| a.acts_as(b))
            && model.laws.len() == laws.len()
            && model.laws.iter().zip(laws).all(is_same_law)
            && self.memory == *memory
    }
}

/// Whether a step may change nothing and, if so, another one may be told from it: everything stands, and nothing is there that is not
/// compared.
fn may_be(model: &Model, state: &State) -> bool {
    let stands = |body: &CollisionBody| {
        body.velocity == Vec2::zeros() && body.angular_velocity == 0.0 && body.one_way.is_none()
    };
    state.bodies.iter().all(stands)
        && model.joints.is_empty()
        && model.ties.is_empty()
        && model.pairs.is_empty()
        && model.settings.contact_model == ContactModel::Rigid
        && model.data.iter().all(|data| data.motion.is_none() && data.led.is_none())
        && state.ledger.is_none()
}

/// Whether two laws are the same, of those that depend on nothing but bodies and are everywhere.
fn is_same_law((a, b): (&ForceLaw, &ForceLaw)) -> bool {
    match (a, b) {
        (
            ForceLaw::Gravity { strength, bodies, .. },
            ForceLaw::Gravity { strength: other, bodies: others, .. },
        ) => strength == other && bodies == others,
        (
            ForceLaw::Damping { damping, rotate_ratio, bodies },
            ForceLaw::Damping { damping: other, rotate_ratio: ratio, bodies: others },
        ) => damping == other && rotate_ratio == ratio && bodies == others,
        _ => false,
    }
}

/// Whether two bodies, of which none is a one-way platform, are the same and stand and move the same, to the bit.
fn is_same_body(a: &CollisionBody, b: &CollisionBody) -> bool {
    let bits = |body: &CollisionBody| {
        let p = body.pose.position();
        let v = body.velocity;
        [p.x, p.y, body.pose.angle(), v.x, v.y, body.angular_velocity].map(f64::to_bits)
    };
    bits(a) == bits(b)
        && Arc::ptr_eq(&a.shape, &b.shape)
        && a.center_of_mass == b.center_of_mass
        && a.old == b.old
        && a.fixed == b.fixed
        && a.tolerances == b.tolerances
        && a.filter == b.filter
        && a.ignored_bodies == b.ignored_bodies
        && a.ignored_edges == b.ignored_edges
}
