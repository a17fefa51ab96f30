//! What motors, and what leads bodies, put into an island in a fixed step.

use super::chatter::Chatter;
use crate::adaptive::DormandPrince;
use crate::model::Model;
use crate::road::{Row, Source, rate_of};
use crate::state::{PER_BODY, State};
use engine2d_constraint::Prescribed;

/// Energy that joints which move bodies gave in the step just taken: their mean forces along the mean velocities, at least nothing.
pub(super) fn given(model: &Model, state: &State, chatter: &Chatter, integrator: &DormandPrince) -> f64 {
    let length = integrator.time() - integrator.last_time();
    let rows = chatter.steps.road().forces().filter(|(row, _)| drives(model, row));
    let works = rows.map(|(row, force)| {
        let before = rate_before(row, state, integrator.last_state());
        0.5 * length * force * (before + rate_of(&row.row, &state.bodies))
    });
    works.sum::<f64>().max(0.0)
}

/// Whether a row moves bodies: that of a motor, or of what is led.
fn drives(model: &Model, row: &Row) -> bool {
    let Source::Equation { constraint, .. } = row.source else { return false };
    !row.holonomic || model.joints[constraint as usize].constraint::<Prescribed>().is_some()
}

/// The rate of a row with the velocities of another state of the scope.
fn rate_before(row: &Row, state: &State, y: &[f64]) -> f64 {
    let ends = row.row.bodies.iter().zip(&row.row.jacobian);
    let rates = ends.filter_map(|(body, j)| {
        let v = &y[1 + PER_BODY * state.focus.slot(body.index()?)?..];
        Some(j[0] * v[1] + j[1] * v[3] + j[2] * v[5])
    });
    rates.sum()
}
