//! The rates of change of a state vector: what every clock begins an evaluation with.

use crate::energy::booked_power;
use crate::error::SimError;
use crate::model::Model;
use crate::stages::Stage;
use crate::state::{PER_BODY, State};
use crate::work::{Work, check_limit};

/// Moves the bodies of the scope to `y`, and writes the rates without constraints, time's first and six for each body of the
/// world: velocities, and accelerations by the force laws. Those of bodies elsewhere are left as they are.
pub(crate) fn free_rates(
    model: &Model,
    state: &mut State,
    work: &mut Work,
    y: &[f64],
    rates: &mut Vec<f64>,
) -> Result<(), SimError> {
    work.evaluations += 1;
    check_limit("evaluations", work.evaluations, work.shares * model.settings.limits.evaluations, y[0])?;
    work.check_deadline(y[0])?;
    state.write(y);
    let State { bodies, focus, ledger, .. } = &*state;
    let variables = 1 + PER_BODY * bodies.len();
    rates.resize(variables + ledger.as_ref().map_or(0, |ledger| ledger.work.len()), 0.0);
    rates[0] = 1.0;
    rates[variables..].fill(0.0);
    for k in focus.bodies(bodies.len()) {
        let r = &mut rates[1 + PER_BODY * k..1 + PER_BODY * (k + 1)];
        r.fill(0.0);
        let b = &bodies[k];
        if !b.fixed {
            (r[0], r[2], r[4]) = (b.velocity.x, b.velocity.y, b.angular_velocity);
        }
    }
    let before = work.stages.enter(Stage::ForceLaws);
    for n in 0..state.focus.law_count(model.laws.len()) {
        let k = state.focus.law(n);
        booked_power(model, state, rates, k, |state, rates| {
            model.at(state).apply(&model.laws[k], &mut rates[1..])
        })?;
    }
    work.stages.leave(before);
    Ok(())
}
