//! What happens at an instant: the start of an integration, an event, forces that have no answer.

use super::compliant;
use super::island::Island;
use super::pending::Pending;
use super::step::Scratch;
use crate::energy::booked;
use crate::error::SimError;
use crate::model::Model;
use crate::report::StepReport;
use crate::road::{Road, evaluate, measure, project, settle, unjam};
use crate::settings::ContactModel;
use crate::state::State;
use crate::strength::{break_joint, overloaded};
use crate::work::Work;

/// A joint that is beyond its strength from this moment on.
pub(super) fn broken(model: &Model, state: &State, road: &Road) -> Option<Pending> {
    overloaded(model, state, road).map(|joint| Pending::Break(state.time, joint))
}

/// Where forces have no answer ahead: ends sliding that jams; returns whether there was any.
pub(super) fn jam(
    island: &mut Island,
    scratch: &mut Scratch,
    (model, state, work): (&Model, &mut State, &mut Work),
    report: &mut StepReport,
) -> Result<bool, SimError> {
    state.write(island.integrator.state());
    let held = state.held.clone();
    let jammed = unjam(model, state, &mut scratch.road, work, report, held)?;
    state.read(&mut scratch.y);
    // What the last step was to be is what forces without bounds asked for.
    island.integrator.start(state.time, &scratch.y);
    Ok(jammed)
}

/// The start of an integration: contacts as they are, collisions at this very moment resolved.
pub(super) fn begin(
    model: &Model,
    state: &mut State,
    road: &mut Road,
    work: &mut Work,
    report: &mut StepReport,
) -> Result<(), SimError> {
    state.erase_old_poses();
    measure(state);
    if let ContactModel::Compliant(compliant) = &model.settings.contact_model {
        if !state.compliant.is_prepared() {
            state.compliant.prepare(&model.data, &state.bodies, compliant)?;
        }
        compliant::touch(model, state, report)?;
    }
    if model.has_constraints() {
        booked(model, state, true, |state| project(model, state, road, &mut work.stages))?;
    }
    settle(model, state, road, work, true, report)
}

/// What an event does, between steps or within fixed ones.
pub(super) fn happen(
    (model, state, work): (&mut Model, &mut State, &mut Work),
    Scratch { road, y, rates, .. }: &mut Scratch,
    (event, in_steps): (Pending, bool),
    report: &mut StepReport,
) -> Result<(), SimError> {
    if matches!(event, Pending::Break(..)) && !in_steps {
        // What breaks tells its force of this moment, not that of the last look at it.
        state.read(y);
        evaluate(model, state, road, work, y, rates)?;
    }
    match event {
        Pending::Compliant(_) => {
            compliant::touch(model, state, report)?;
            if !model.collides() {
                return Ok(());
            }
        }
        Pending::Break(_, joint) => break_joint(model, state, road, joint, report),
        Pending::Rigid(_) | Pending::Kink(_) | Pending::User(_) => {}
    }
    settle(model, state, road, work, false, report)
}
