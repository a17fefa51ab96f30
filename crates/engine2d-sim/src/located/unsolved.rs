//! What is done where forces have no answer, or no step is short enough for them.

use super::bridge::{may_chatter, start};
use super::instant::{begin, happen, jam};
use super::island::Island;
use super::pending::Pending;
use super::singular;
use super::step::Scratch;
use crate::error::SimError;
use crate::model::Model;
use crate::report::StepReport;
use crate::state::State;
use crate::work::Work;

/// The start of an integration; returns whether it must go on in fixed steps, since no forces can be found.
pub(super) fn begin_or_chatter(
    Scratch { road, y, .. }: &mut Scratch,
    (model, state, work): (&Model, &mut State, &mut Work),
    report: &mut StepReport,
) -> Result<bool, SimError> {
    state.read(y);
    let told = report.events.len();
    let chatters = match begin(model, state, road, work, report) {
        Err(SimError::Unsolved { .. }) if may_chatter(model) => {
            state.write(y);
            state.held.clear();
            report.events.truncate(told);
            true
        }
        other => other.map(|()| false)?,
    };
    singular::check_locked((model, state, work), road)?;
    Ok(chatters)
}

/// An event of an island; returns whether the island must go on in fixed steps, since no forces can be found after it.
pub(super) fn happen_or_chatter(
    island: &mut Island,
    event: Pending,
    scratch: &mut Scratch,
    (model, state, work): (&mut Model, &mut State, &mut Work),
    report: &mut StepReport,
) -> Result<bool, SimError> {
    let parts = (&mut *model, &mut *state, &mut *work);
    match happen(parts, scratch, (event, island.chatter.is_some()), report) {
        Err(SimError::Unsolved { .. }) if may_chatter(model) => {
            singular::check_locked((model, &mut *state, &mut *work), &mut scratch.road)?;
            start(island, (model, state, work), scratch)?;
            Ok(true)
        }
        happened => happened.map(|()| false),
    }
}

/// Where a step from `time` has failed: leads joints through a singular position, ends sliding that jams, or goes on in fixed steps; returns
/// whether it can.
pub(super) fn jam_or_chatter(
    island: &mut Island,
    (error, time): (&SimError, f64),
    scratch: &mut Scratch,
    (model, state, work): (&Model, &mut State, &mut Work),
    report: &mut StepReport,
) -> Result<bool, SimError> {
    let is_unsolved = matches!(error, SimError::Unsolved { .. });
    if island.chatter.is_some() || !is_unsolved && !matches!(error, SimError::StepTooSmall { .. }) {
        return Ok(false);
    }
    // What lies behind the beginning of the step has not been looked at.
    if island.time() > time {
        island.integrator.rewind();
    }
    state.write(island.integrator.state());
    singular::check_locked((model, &mut *state, &mut *work), &mut scratch.road)?;
    if singular::leave(island, (model, &mut *state), &mut scratch.road)? {
        return Ok(true);
    }
    // Forces grow beyond every bound where what slides jams. Else it is their laws that ask for such steps, and the error says so.
    if !is_unsolved && state.held.sliding().next().is_none() {
        return Ok(false);
    }
    if !island.pace.jams(island.time()) || !may_chatter(model) {
        match jam(island, scratch, (model, &mut *state, &mut *work), report) {
            Ok(true) => return Ok(true),
            Ok(false) | Err(SimError::Unsolved { .. }) => {}
            Err(other) => return Err(other),
        }
    }
    if !may_chatter(model) {
        return Ok(false);
    }
    start(island, (model, state, work), scratch)?;
    Ok(true)
}
