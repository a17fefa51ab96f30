//! What both solvers of a fixed step know: what is near, what pressed, the rows of the last step.

use super::detect::{Detector, NarrowScratch, look_near, set_ways};
use super::line::Change;
use super::memory::Memory;
use super::near::Near;
use crate::error::SimError;
use crate::model::Model;
use crate::road::{Road, Touch, facing, measure};
use crate::state::State;
use engine2d_geometry::ContactBand;
use engine2d_math::order::Order;

/// What both solvers of a step know.
#[derive(Clone, Debug, Default)]
pub(super) struct Shared {
    pub(super) memory: Memory,
    pub(super) detector: Detector,
    pub(super) road: Road,
    pub(super) touches: Vec<Touch>,
    /// Bodies that changed before this step.
    changed: Vec<u32>,
}

impl Shared {
    /// Looks at everything anew. Of the bodies there are nothing is known, or what they pressed when others stepped with them.
    pub(super) fn begin(&mut self, model: &Model, state: &mut State, h: f64) -> Result<(), SimError> {
        state.erase_old_poses();
        state.held.clear();
        measure(state);
        self.detector.begin(state);
        let Memory { rows, near, .. } = std::mem::take(&mut self.memory);
        let known: Vec<[u32; 2]> = near.iter().map(Near::pair).collect();
        self.memory = Memory { rows, near, valid: true, fresh: true, ..Memory::default() };
        self.set_first_ways(state, h);
        self.detect(state)?;
        if model.collides() {
            let is_new = |near: &&mut Near| known.binary_search(&near.pair()).is_err();
            self.memory.near.iter_mut().filter(is_new).for_each(|near| near.note_depth(&state.bodies));
        }
        Ok(())
    }

    fn set_first_ways(&mut self, state: &State, h: f64) {
        let still = vec![[0.0; 3]; state.bodies.len()];
        set_ways(state, &self.detector, (&[], &still), h, &mut self.memory.ways);
    }

    /// Takes up bodies that changed since the last step; what is known of all others stays. Places are found anew by whoever takes
    /// the step.
    pub(super) fn renew(&mut self, model: &Model, state: &mut State, h: f64) {
        self.changed.clear();
        self.changed.append(&mut self.memory.changed);
        self.changed.order();
        self.changed.dedup();
        state.held.clear();
        measure(state);
        self.detector.begin(state);
        self.memory.forget(model, &self.changed);
        self.memory.fresh = true;
        self.set_first_ways(state, h);
    }

    /// Notes how deep bodies that changed are in others, once places are found.
    pub(super) fn note_new_depths(&mut self, state: &State) {
        let Self { memory, changed, .. } = self;
        if changed.is_empty() {
            return;
        }
        let is_new = |near: &&mut Near| near.pair().iter().any(|body| changed.binary_search(body).is_ok());
        memory.near.iter_mut().filter(is_new).for_each(|near| near.note_depth(&state.bodies));
        changed.clear();
    }

    /// Where soft contacts have let bodies sink they come out as their own motion takes them: nothing throws them apart.
    pub(super) fn allow_overlaps(&mut self, state: &State) {
        if self.memory.soft {
            self.memory.near.iter_mut().for_each(|near| near.depth = 0.0);
            self.note_depths(state);
        }
    }

    fn note_depths(&mut self, state: &State) {
        self.memory.near.iter_mut().for_each(|near| near.note_depth(&state.bodies));
    }

    /// Finds what may meet in a next step of length `h`, behind one with such velocities before it and such changes of them by forces.
    pub(super) fn look_ahead(
        &mut self,
        (model, state): (&Model, &State),
        went: (&[Change], &[Change]),
        h: f64,
    ) -> Result<(), SimError> {
        set_ways(state, &self.detector, went, h, &mut self.memory.ways);
        if model.collides() { self.detect(state) } else { Ok(()) }
    }

    /// Finds the places that may meet at the present state.
    pub(super) fn detect(&mut self, state: &State) -> Result<(), SimError> {
        let Self { memory, detector, touches, .. } = self;
        let narrow = |scratch: &mut NarrowScratch, pair, band: &ContactBand, out: &mut Vec<Touch>| {
            facing(&state.bodies, pair, band, (&mut scratch.workspace, &mut scratch.contacts), out);
        };
        look_near(state, memory, detector, touches, narrow)
    }
}
