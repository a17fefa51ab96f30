//! The rates of change of a state, where bodies that penetrate end the evaluation.

use super::collision::Collision;
use super::contact_force::{ContactForceStage, GroupObserver};
use super::detect::find_collisions;
use crate::energy::booked_power;
use crate::error::SimError;
use crate::evaluate::free_rates;
use crate::ledger::Entry;
use crate::model::Model;
use crate::state::State;
use crate::work::Work;
use engine2d_geometry::FinderWorkspace;

/// How an evaluation or a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It was completed.
    Done,
    /// Bodies penetrate: the records found are handed over, the bodies stay at the trial state.
    Collided,
}

/// Scratch of evaluations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evaluation {
    pub(super) finder: FinderWorkspace,
    contact_forces: ContactForceStage,
    found: Vec<Collision>,
    /// Length of the advance in progress, the default `h` of the extra acceleration.
    pub(super) current_step: f64,
}

impl Evaluation {
    /// The rates of change of `y`, evaluated `offset` after the last complete state. On [`Outcome::Collided`] the bodies
    /// are left at the trial state and `records` holds what was found.
    #[allow(clippy::too_many_arguments, reason = "what an evaluation reads, writes and shows")]
    pub(crate) fn rates(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Work,
        (y, offset): (&[f64], f64),
        rates: &mut Vec<f64>,
        records: &mut Vec<Collision>,
        observer: Option<GroupObserver<'_>>,
    ) -> Result<Outcome, SimError> {
        free_rates(model, state, work, y, rates)?;
        if !model.has_constraints() {
            return Ok(Outcome::Done);
        }
        let Self { finder, contact_forces, found, current_step } = self;
        found.clear();
        find_collisions(model, state, finder, &mut work.stages, offset, found)?;
        if model.settings.aids.detect_only {
            found.retain(Collision::is_connector);
        }
        if found.iter().any(|r| r.contact.is_illegal()) {
            std::mem::swap(records, found);
            return Ok(Outcome::Collided);
        }
        found.retain(|r| r.contact.is_contact());
        let h = model.settings.extra_acceleration_step.unwrap_or(*current_step);
        booked_power(model, state, rates, Entry::Constraints.place(model.laws.len()), |state, rates| {
            contact_forces.apply(model, state, work, h, found, &mut rates[1..], observer)
        })?;
        Ok(Outcome::Done)
    }
}
