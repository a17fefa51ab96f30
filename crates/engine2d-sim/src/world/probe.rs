//! The parts of a step, each by itself: contacts, accelerations, impacts, stages.

use super::World;
use super::impact::{ImpactOutcome, ImpactRecord};
use crate::after_move::Moved;
use crate::backtracking::{Collision, GroupView};
use crate::error::SimError;
use crate::stages::{Clock, StageStatistics};
use engine2d_geometry::Contact;

/// A world whose steps are looked into: [`World::probe`].
#[derive(Debug)]
pub struct Probe<'w> {
    pub(super) world: &'w mut World,
}

impl World {
    /// The parts of a step, each by itself, and watches for them.
    #[must_use]
    pub fn probe(&mut self) -> Probe<'_> {
        Probe { world: self }
    }
}

impl Probe<'_> {
    /// The contacts, collisions and connector rows at the present state, in the order of detection.
    ///
    /// # Errors
    /// [`SimError`] for connectors without direction or values that are not finite.
    pub fn find_contacts(&mut self) -> Result<Vec<Contact>, SimError> {
        self.world.backtracking.contacts_now(&self.world.model, &mut self.world.state, &mut self.world.work)
    }

    /// Accelerations of all bodies at the present state, `stage_offset` after the last complete one:
    /// `[a_x, a_y, α]` each; every group of contacts solved is shown to `observer` where events
    /// are found by backtracking. With located events what touches and does not part is taken as closed.
    ///
    /// # Errors
    /// [`SimError::Unsupported`] when bodies penetrate, and what contact forces report.
    pub fn accelerations(
        &mut self,
        stage_offset: f64,
        observer: &mut dyn FnMut(&GroupView<'_>),
    ) -> Result<Vec<[f64; 3]>, SimError> {
        let World { model, state, work, located, backtracking, .. } = &mut *self.world;
        work.evaluations = 0;
        if model.is_located() {
            return located.accelerations_now(model, state, work);
        }
        backtracking.accelerations_now((model, state, work), stage_offset, observer)
    }

    /// Resolves simultaneous impacts by the world's collision handling and applies the impulses to its
    /// bodies.
    ///
    /// # Errors
    /// [`SimError::UnknownBody`], [`SimError::Unsolved`], [`SimError::PullingImpulse`].
    pub fn resolve_impacts(&mut self, impacts: &[ImpactRecord]) -> Result<ImpactOutcome, SimError> {
        let count = self.world.state.bodies.len();
        for (i, impact) in impacts.iter().enumerate() {
            if let Some(index) = impact.bodies.iter().filter_map(|b| b.index()).find(|&b| b >= count) {
                return Err(SimError::UnknownBody { path: format!("impacts[{i}].bodies"), index, count });
            }
        }
        let mut records: Vec<Collision> =
            impacts.iter().enumerate().map(|(i, impact)| self.world.record(i as u32, impact)).collect();
        let World { model, state, work, backtracking, .. } = &mut *self.world;
        let handling = backtracking.resolve(model, state, work, &mut records)?;
        Ok(ImpactOutcome {
            impulses: records.iter().map(|r| r.impulse).collect(),
            effective: handling.effective,
            rounds: handling.rounds,
        })
    }

    /// Gives the world a clock, so that [`stage_statistics`](crate::Inspect::stage_statistics) tells the time spent.
    pub fn set_clock(&mut self, clock: Clock) {
        self.world.work.stages.clock = Some(clock);
    }

    /// Ends every advance with [`SimError::Deadline`] that is at work when `clock` reads more than `deadline` (seconds);
    /// `None` ends this. Looked at with every evaluation of the equations of motion and every fixed step.
    pub fn set_deadline(&mut self, deadline: Option<(Clock, f64)>) {
        self.world.work.deadline = deadline;
    }

    /// Sets the counters of all stages back to zero.
    pub fn reset_stage_statistics(&mut self) {
        self.world.work.stages.statistics = StageStatistics::default();
    }

    /// Calls `look` each time the bodies have been moved within an advance: by a step, when one is taken back, when
    /// collisions were resolved. It takes the place of the one before; a clone of the world has none. With located events
    /// bodies that cannot meet move on by themselves: those of other islands stand at times of their own.
    pub fn set_after_move(&mut self, look: impl FnMut(&Moved<'_>) + Send + 'static) {
        *self.world.work.after_move.look() = Some(Box::new(look));
    }

    /// Ends the calls after each move.
    pub fn clear_after_move(&mut self) {
        *self.world.work.after_move.look() = None;
    }
}
