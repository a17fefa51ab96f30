//! Fixed steps of a part of a world, taken by another clock where it cannot or need not follow each event.

use super::exact::Exact;
use super::memory::Memory;
use super::shared::Shared;
use super::tell::append_forces;
use super::watch::Watch;
use crate::adaptive::Crossing;
use crate::contact_force::ContactForce;
use crate::error::SimError;
use crate::model::Model;
use crate::report::StepReport;
use crate::road::held::HeldSet;
use crate::road::{Road, Source};
use crate::state::State;
use crate::work::Work;
use engine2d_geometry::{ContactId, Features};
use engine2d_math::Vec2;
use serde::{Deserialize, Serialize};

/// Steps of the exact solver of the bodies of a scope, and what they know from step to step.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Memories", into = "Memories")]
pub(crate) struct PartSteps {
    shared: Shared,
    /// What was known before the last step.
    before: Memory,
    watch: Watch,
}

/// What a snapshot keeps.
#[derive(Clone, Serialize, Deserialize)]
struct Memories {
    now: Memory,
    before: Memory,
}

impl From<Memories> for PartSteps {
    fn from(Memories { now, before }: Memories) -> Self {
        let mut shared = Shared::default();
        shared.memory = now;
        Self { shared, before, watch: Watch::default() }
    }
}

impl From<PartSteps> for Memories {
    fn from(steps: PartSteps) -> Self {
        Self { now: steps.shared.memory, before: steps.before }
    }
}

impl PartialEq for PartSteps {
    fn eq(&self, other: &Self) -> bool {
        (&self.shared.memory, &self.before) == (&other.shared.memory, &other.before)
    }
}

impl PartSteps {
    /// Of bodies that hold rows at a moment.
    pub(crate) fn of_held(held: &HeldSet) -> Self {
        Self::knowing(Memory::of_held(held))
    }

    /// Of the bodies of several parts of a world together.
    pub(crate) fn of_all<'a>(parts: impl Iterator<Item = &'a Self>) -> Self {
        let mut memory = Memory::default();
        parts.for_each(|part| memory.take_in(&part.shared.memory));
        Self::knowing(memory)
    }

    /// Of some of the bodies, to which rows belong.
    pub(crate) fn of_part(&self, belongs: impl Fn(Source) -> bool) -> Self {
        Self::knowing(self.shared.memory.of_part(belongs))
    }

    fn knowing(memory: Memory) -> Self {
        let mut steps = Self { before: memory.clone(), ..Self::default() };
        steps.shared.memory = memory;
        steps
    }

    /// Takes a step of the bodies of the scope, from where they are, to time `end`.
    pub(crate) fn step(
        &mut self,
        exact: &mut Exact,
        (model, state, work): (&Model, &mut State, &mut Work),
        end: f64,
        report: &mut StepReport,
    ) -> Result<(), SimError> {
        let Self { shared, before, watch } = self;
        let h = end - state.time;
        if !shared.memory.valid {
            shared.begin(model, state, h)?;
        } else if shared.detector.reaches.len() != state.bodies.len() {
            shared.detector.begin(state);
        }
        before.clone_from(&shared.memory);
        watch.begin((model, state), 0.0, &mut shared.memory.sides);
        exact.step(shared, (model, state, work), (end, h), report)?;
        exact.contradiction(end).map_or(Ok(()), Err)
    }

    /// Finds which functions watched crossed zero in the last step, which has just been taken; returns the first of the user's.
    pub(crate) fn look_watched(&mut self, (model, state): (&Model, &mut State)) -> Option<Crossing> {
        self.watch.look((model, state), 0.0, &mut self.shared.memory.sides);
        self.watch.first_of_user(model)
    }

    /// Tells of those that were found and are no functions of the user's.
    pub(crate) fn tell_watched(&self, model: &Model, report: &mut StepReport) {
        self.watch.tell_others(model, report);
    }

    /// Looks again for what is near the bodies of the scope where they are.
    pub(crate) fn look(&mut self, state: &State) -> Result<(), SimError> {
        self.shared.detect(state)
    }

    /// Knows again what was known before the last step; the bodies are put back by others.
    pub(crate) fn take_back(&mut self) {
        self.shared.memory.clone_from(&self.before);
        self.watch.forget();
    }

    /// The rows of the last step with their mean forces.
    pub(crate) fn road(&self) -> &Road {
        &self.shared.road
    }

    /// Whether the forces of the last step are there: they are not part of a snapshot.
    pub(crate) fn has_forces(&self) -> bool {
        !self.shared.road.rows.acting.is_empty()
    }

    /// Whether a step was taken.
    pub(crate) fn has_begun(&self) -> bool {
        self.shared.memory.valid
    }

    /// Appends the mean forces of the last step on contacts, with their gaps as the bodies stand.
    pub(crate) fn forces(&self, state: &State, forces: &mut Vec<ContactForce>) {
        let first = forces.len();
        append_forces(state, &self.shared.road, forces);
        let near = &self.shared.memory.near;
        for force in &mut forces[first..] {
            if let Some(near) = near.iter().find(|near| near.id == force.id) {
                force.gap = near.row(&state.bodies).error - near.depth;
            }
        }
    }

    /// The contacts that are closed after the last step, with their gap and the normal of two corners.
    pub(crate) fn closed<'a>(
        &'a self,
        state: &'a State,
    ) -> impl Iterator<Item = (ContactId, f64, Option<Vec2>)> + 'a {
        let memory = &self.shared.memory;
        memory.near.iter().filter(|near| memory.is_closed(Source::Contact(near.id))).map(|near| {
            let corners = matches!(near.id.features, Features::VertexVertex { .. });
            let gap = near.row(&state.bodies).error - near.depth;
            (near.id, gap, corners.then_some(near.normal))
        })
    }

    /// Whether they can be those of a world of so many bodies: what a file says need not be.
    pub(crate) fn fits(&self, bodies: usize) -> bool {
        [&self.shared.memory, &self.before].into_iter().all(|memory| memory.fits(bodies))
    }
}
