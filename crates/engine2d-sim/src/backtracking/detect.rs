//! What touches or crosses at the end of a motion.

use super::collision::Collision;
use super::corner::straighten_flush_corners;
use crate::error::SimError;
use crate::model::Model;
use crate::stages::{Stage, StageMeter};
use crate::state::State;
use engine2d_geometry::{Contact, Features, FinderWorkspace, Pass, Rules, find_contacts};

/// Appends to `records` all collisions and contacts at the present state; `step` is the time the bodies moved since their
/// old poses. Connector rows come to the front, the last connector's first.
pub(crate) fn find_collisions(
    model: &Model,
    state: &mut State,
    finder: &mut FinderWorkspace,
    stages: &mut StageMeter,
    step: f64,
    records: &mut Vec<Collision>,
) -> Result<(), SimError> {
    let before = stages.enter(Stage::Detection);
    find_between_bodies(model, state, finder, step, records);
    let result = find_connectors(model, state, records);
    stages.leave(before);
    result?;
    let finite = |r: &Collision| r.contact.distance.is_finite() && r.contact.velocity.is_finite();
    match records.iter().find(|r| !finite(r)) {
        None => Ok(()),
        Some(bad) => {
            Err(SimError::NotFinite { what: format!("the gap of {}", bad.contact.id), time: state.time })
        }
    }
}

fn find_between_bodies(
    model: &Model,
    state: &State,
    finder: &mut FinderWorkspace,
    step: f64,
    records: &mut Vec<Collision>,
) {
    let tolerance = model.settings.tolerances.distance;
    let rules = if model.is_recorded() { Rules::REFERENCE } else { Rules::default() };
    let pass = Pass { time: state.time, step, tolerance, rules };
    find_contacts(&state.bodies, &pass, finder, records);
    if !model.is_recorded() {
        straighten_flush_corners(records, &state.bodies, state.time);
    }
    #[cfg(feature = "trace")]
    if model.settings.aids.trace_contacts {
        for c in records.iter().map(|r| &r.contact) {
            tracing::trace!(time = state.time, contact = %c.id, gap = c.distance, velocity = c.velocity, "found");
        }
    }
}

fn find_connectors(model: &Model, state: &mut State, records: &mut Vec<Collision>) -> Result<(), SimError> {
    let State { bodies, places, time, .. } = state;
    if !model.has_constraints() {
        return Ok(());
    }
    for (number, (tie, place)) in model.ties.iter().zip(places).enumerate() {
        let row = tie.geometry(place, number as u32, bodies, *time)?;
        if tie.is_reported(place, &row, bodies) {
            records.insert(0, Collision::from(Contact::new(&row, bodies, *time)));
        }
    }
    Ok(())
}

/// Brings a record up to date after the bodies have moved or changed velocity.
pub(super) fn update_record(
    model: &Model,
    state: &mut State,
    record: &mut Collision,
) -> Result<(), SimError> {
    let State { bodies, places, time, .. } = state;
    if let Features::Connector(number) = record.contact.id.features {
        let k = number as usize;
        let row = model.ties[k].geometry(&mut places[k], number, bodies, *time)?;
        record.contact.update_connector(&row, bodies, *time, record.must_handle);
    } else {
        record.contact.update(bodies, *time, record.must_handle);
    }
    Ok(())
}
