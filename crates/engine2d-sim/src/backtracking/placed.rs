//! Bodies placed in touch, and joints after a step: no contact rests at gap zero here. The recorded rules have neither.

use crate::energy::booked;
use crate::error::SimError;
use crate::model::Model;
use crate::road::{Road, measure, part_placed, project};
use crate::settings::Fidelity;
use crate::state::State;
use crate::work::Work;

/// Sets bodies that were placed in touch, to within rounding, off by [`PLACED_GAP`](crate::tolerance::PLACED_GAP).
pub(super) fn part(model: &Model, state: &mut State, road: &mut Road) -> Result<(), SimError> {
    let placed = std::mem::take(&mut state.placed);
    if !placed || model.settings.fidelity == Fidelity::Free || model.is_recorded() {
        return Ok(());
    }
    measure(state);
    state.erase_old_poses();
    part_placed(model, state, road)
}

/// Moves the bodies onto their joints, positions and velocities, after a step that was accepted. The recorded rules leave
/// it to the extra acceleration.
pub(super) fn project_joints(
    model: &Model,
    state: &mut State,
    road: &mut Road,
    work: &mut Work,
) -> Result<(), SimError> {
    let joined = model.ties.iter().any(|tie| tie.connector.is_bilateral());
    if model.is_recorded() || !model.has_constraints() || !joined {
        return Ok(());
    }
    if state.touch == 0.0 {
        measure(state);
    }
    booked(model, state, true, |state| project(model, state, road, &mut work.stages)).map(|_| ())
}
