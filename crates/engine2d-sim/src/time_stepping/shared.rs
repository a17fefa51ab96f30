//! What both solvers of a fixed step know: what is near, what pressed, the rows of the last step.

use super::detect::{Detector, look_near, set_ways};
use super::memory::Memory;
use crate::error::SimError;
use crate::model::Model;
use crate::road::{Road, Touch, facing, measure};
use crate::state::State;
use crate::tolerance::PLACED_DEPTH;
use engine2d_geometry::{BodyRef, PathContact, PathWorkspace};

/// What both solvers of a step know.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared {
    pub(super) memory: Memory,
    pub(super) detector: Detector,
    pub(super) road: Road,
    pub(super) touches: Vec<Touch>,
    /// Whether contacts that press are kept closed when others are pulled, and rough corners have no further sides. The steps of a part of a world need not: the clock that
    /// takes them settles its contacts by itself, and features of corners that change places are pulled apart better alone.
    pub(super) keeps_closed: bool,
    workspace: PathWorkspace,
    contacts: Vec<PathContact>,
}

impl Shared {
    /// Looks at everything anew: nothing is known of the bodies there are.
    pub(super) fn begin(&mut self, model: &Model, state: &mut State, h: f64) -> Result<(), SimError> {
        state.erase_old_poses();
        state.held.clear();
        measure(state);
        self.detector.begin(state);
        self.memory = Memory { valid: true, fresh: true, ..Memory::default() };
        let still = vec![[0.0; 3]; state.bodies.len()];
        set_ways(state, &self.detector, (&[], &still), h, &mut self.memory.ways);
        self.detect(model, state)?;
        if model.collides() {
            self.note_depths(state);
        }
        Ok(())
    }

    /// Where soft contacts have let bodies sink they come out as their own motion takes them: nothing throws them apart.
    pub(super) fn allow_overlaps(&mut self, state: &State) {
        if self.memory.soft {
            self.memory.near.iter_mut().for_each(|near| near.depth = 0.0);
            self.note_depths(state);
        }
    }

    fn note_depths(&mut self, state: &State) {
        for near in &mut self.memory.near {
            let depth = -near.row(&state.bodies).error;
            near.depth = if depth > PLACED_DEPTH { depth } else { 0.0 };
        }
    }

    /// Finds the places that may meet at the present state.
    pub(super) fn detect(&mut self, model: &Model, state: &State) -> Result<(), SimError> {
        let keeps_closed = self.keeps_closed;
        let Self { memory, detector, touches, workspace, contacts, .. } = self;
        let narrow = |pair: [u32; 2], reach, out: &mut Vec<Touch>| {
            let rough = keeps_closed && model.friction_between(pair.map(BodyRef::Body)).is_some();
            facing(&state.bodies, (pair, rough), reach, (&mut *workspace, &mut *contacts), out);
        };
        look_near(state, memory, detector, touches, narrow)
    }
}
