//! The impact of two smooth bodies at one place, without the machinery for several.

use super::feature::contact_row;
use super::rolling::resistance_of;
use super::row::push;
use super::settle::{SETTLED, told};
use super::touching::{Patience, TOUCHING, note, restitution_of};
use crate::model::Model;
use crate::report::StepReport;
use crate::state::State;
use engine2d_constraint::coupling;
use engine2d_geometry::ContactId;

/// Least speed afterwards, in speeds that count as rest: the event itself makes more count as that.
const REBOUND: f64 = 100.0;

/// Resolves an impact as [`settle`](super::settle) does, where nothing but one contact takes part in it and its bodies part again; else
/// nothing is changed, and it returns that it was not.
pub(crate) fn bounce(model: &Model, state: &mut State, id: ContactId, report: &mut StepReport) -> bool {
    let Some(row) = contact_row(id, None, 0.0, &state.bodies) else { return false };
    let bodies = row.row.bodies;
    let touches = row.error <= TOUCHING * state.touch && row.error >= -SETTLED * state.touch;
    if !touches || model.friction_between(bodies).is_some() || resistance_of(model, id).is_some() {
        return false;
    }
    let restitution = restitution_of(model, &row);
    let patience = Patience::of(state, &row, restitution);
    let approach = -row.rate;
    let rests = restitution < 1.0 && approach < model.settings.rest_speed;
    if patience.calm || rests || restitution * approach <= REBOUND * patience.resting {
        return false;
    }
    note(state, &row);
    let impulse = (1.0 + restitution) * approach / coupling(&row.row, &row.row, &model.masses);
    push(&row.row, impulse, &model.masses, &mut state.bodies);
    report.counters.impulses += 1;
    report.counters.collisions += 1;
    report.events.extend(told(model, state, &row, 0.0, impulse));
    true
}
