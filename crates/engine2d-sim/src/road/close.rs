//! Which rows are closed from an instant on, and how motors act.

use super::accelerate::evaluate;
use super::held::{Held, HeldSet, Mode};
use super::keep::steady;
use super::look::{OPENING, Road};
use super::row::{Source, rate_of};
use super::touching::{Patience, RESTING, Touching, restitution_of};
use crate::error::SimError;
use crate::model::Model;
use crate::report::{Event, StepReport};
use crate::state::State;
use crate::tolerance::PLACED_DEPTH;
use crate::work::Work;
use engine2d_constraint::{RowKind, coupling};

/// Remembers which rows are closed: those at rest in touch that press under the forces of this moment.
pub(super) fn close(
    model: &Model,
    state: &mut State,
    road: &mut Road,
    work: &mut Work,
    (touching, impulses, notable): (&[Touching], &[f64], f64),
    placed: bool,
    report: &mut StepReport,
) -> Result<(), SimError> {
    if !model.has_constraints() {
        return Ok(());
    }
    let before = std::mem::take(&mut state.held);
    for t in touching {
        let Some(gap) = t.target else { continue };
        let rate = rate_of(&t.row.row, &state.bodies) + t.offset;
        // What was closed and can rest stays closed unless it is thrown off: an impact elsewhere would open it for a
        // moment only.
        let stays = before.contains(t.row.source) && restitution_of(model, &t.row) < 1.0;
        let thrown_off = if stays { model.settings.rest_speed } else { 0.0 };
        if rate > Patience::of(state, &t.row).resting.max(thrown_off) {
            continue;
        }
        // What has come to rest at a gap keeps it, and so does what was placed deeper than a touch.
        let target = if placed && gap < -PLACED_DEPTH { gap } else { gap.max(0.0) };
        let target = before.get(t.row.source).map_or(target, |h| h.target);
        let held =
            Held { source: t.row.source, target, mode: Mode::Closed, pressing: true, normal: t.normal };
        state.held.insert(held);
    }
    choose_motors(&mut state.held, road);
    steady(model, state, road)?;
    release_spent(model, state, road, work)?;
    steady(model, state, road)?;
    let time = state.time;
    for (contact, _) in before.contacts().filter(|(id, _)| !state.held.contains(Source::Contact(*id))) {
        report.events.push(Event::ContactEnd { time, contact });
    }
    for (t, impulse) in touching.iter().zip(impulses) {
        let Source::Contact(contact) = t.row.source else { continue };
        if !state.held.contains(t.row.source) || before.contains(t.row.source) {
            continue;
        }
        report.events.push(Event::ContactBegin { time, contact, point: t.row.point });
        if coupling(&t.row.row, &t.row.row, &model.masses) * impulse.abs() > notable {
            let bodies = [contact.primary, contact.normal_body];
            report.events.push(Event::Sustained { time, bodies, velocity: t.row.rate });
        }
    }
    Ok(())
}

/// Motors of limited force that are not at their speed push towards it; the others hold it.
fn choose_motors(held: &mut HeldSet, road: &Road) {
    let motors = road.rows.acting.iter().chain(&road.rows.open);
    let motors: Vec<(Source, RowKind)> =
        motors.filter(|r| matches!(r.kind, RowKind::Boxed { .. })).map(|r| (r.source, r.kind)).collect();
    for (source, _) in motors {
        let row = road.rows.acting.iter().chain(&road.rows.open).find(|r| r.source == source);
        let Some(row) = row else { continue };
        let mode =
            if row.rate.abs() > RESTING { Mode::Pushing { upwards: row.rate < 0.0 } } else { Mode::Closed };
        held.insert(Held { source, target: 0.0, mode, pressing: mode == Mode::Closed, normal: None });
    }
}

/// Opens closed rows that part under the forces of this moment, and lets motors push that cannot hold.
fn release_spent(model: &Model, state: &mut State, road: &mut Road, work: &mut Work) -> Result<(), SimError> {
    let (mut y, mut rates) = (Vec::new(), Vec::new());
    loop {
        state.read(&mut y);
        evaluate(model, state, road, work, &y, &mut rates)?;
        if !release(&mut state.held, road) {
            return Ok(());
        }
    }
}

/// Opens what parts at the last evaluation; returns whether there was anything.
fn release(held: &mut HeldSet, road: &Road) -> bool {
    let mut changed = false;
    for state in road.states() {
        match state.kind {
            RowKind::Unilateral if state.closure() < 0.0 => {
                changed |= held.contains(state.source);
                held.retain(|h| h.source != state.source);
            }
            RowKind::Boxed { hi, .. } if state.acceleration.abs() > OPENING => {
                let upwards = state.multiplier >= hi;
                let mode = Mode::Pushing { upwards };
                held.insert(Held { source: state.source, target: 0.0, mode, pressing: false, normal: None });
                changed = true;
            }
            _ => {}
        }
    }
    changed
}
