//! The rates of change of a state vector: what every clock begins an evaluation with.

use crate::energy::booked_power;
use crate::error::SimError;
use crate::model::Model;
use crate::stages::Stage;
use crate::state::{PER_BODY, State};
use crate::work::{Work, check_limit};

/// Moves the bodies to `y`, and writes the rates without constraints: velocities, and accelerations by the force laws.
pub(crate) fn free_rates(
    model: &Model,
    state: &mut State,
    work: &mut Work,
    y: &[f64],
    rates: &mut Vec<f64>,
) -> Result<(), SimError> {
    work.evaluations += 1;
    check_limit("evaluations", work.evaluations, model.settings.limits.evaluations, y[0])?;
    state.write(y);
    rates.clear();
    rates.resize(y.len(), 0.0);
    rates[0] = 1.0;
    for (b, r) in state.bodies.iter().zip(rates[1..].chunks_exact_mut(PER_BODY)) {
        if !b.fixed {
            (r[0], r[2], r[4]) = (b.velocity.x, b.velocity.y, b.angular_velocity);
        }
    }
    let before = work.stages.enter(Stage::ForceLaws);
    for (k, law) in model.laws.iter().enumerate() {
        booked_power(model, state, rates, k, |state, rates| model.at(state).apply(law, &mut rates[1..]))?;
    }
    work.stages.leave(before);
    Ok(())
}
