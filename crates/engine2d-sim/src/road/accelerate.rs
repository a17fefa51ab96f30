//! Accelerations of all constraints at a state.

use super::look::{Road, look};
use super::multipliers::{Task, add_rates};
use super::row::{acceleration_of, rate_of, responses};
use crate::energy::booked_power;
use crate::error::SimError;
use crate::evaluate::free_rates;
use crate::ledger::Entry;
use crate::model::Model;
use crate::settings::ContactModel;
use crate::stages::Stage;
use crate::state::{PER_BODY, State};
use crate::work::Work;
use engine2d_geometry::CollisionBody;

/// An acceleration this small relative to the parts it is the sum of is rounding.
const BALANCED: f64 = 64.0 * f64::EPSILON;

/// The rates of change of `y`, of everything: force laws, compliant contacts, constraints. The bodies are moved there.
pub(crate) fn evaluate(
    model: &Model,
    state: &mut State,
    road: &mut Road,
    work: &mut Work,
    y: &[f64],
    rates: &mut Vec<f64>,
) -> Result<(), SimError> {
    free_rates(model, state, work, y, rates)?;
    let compliant = matches!(model.settings.contact_model, ContactModel::Compliant(_));
    let joined = state.focus.ties(model.ties.len()).next().or(state.focus.joints(model.joints.len()).next());
    if !model.has_constraints()
        || joined.is_none() && state.held.is_empty() && state.ledger.is_none() && !compliant
    {
        road.clear();
        return Ok(());
    }
    let place = |entry: Entry| entry.place(model.laws.len());
    if compliant {
        booked_power(model, state, rates, place(Entry::Compliant), |state, rates| {
            state.compliant.push(&state.bodies, &model.masses, &mut rates[1..]);
        });
    }
    let before = work.stages.enter(Stage::Assembly);
    let result = booked_power(model, state, rates, place(Entry::Constraints), |state, rates| {
        constrained(model, state, road, work, &mut rates[1..])
    });
    if result.is_ok() && state.ledger.is_some() {
        // Friction has an entry of its own.
        let first = 1 + PER_BODY * state.bodies.len();
        let power = friction_power(road, &state.bodies);
        rates[first + place(Entry::Constraints)] -= power;
        rates[first + place(Entry::Friction)] = power;
    }
    work.stages.leave(before);
    result
}

/// Power of friction and rolling resistance at the last evaluation.
fn friction_power(road: &Road, bodies: &[CollisionBody]) -> f64 {
    let rows = road.rows.acting.iter().zip(&road.answer);
    let friction = rows.filter(|(row, _)| row.source.is_friction());
    friction.map(|(row, force)| force * rate_of(&row.row, bodies)).sum()
}

/// Adds the accelerations of all constraints to `rates` (six per body, without the time's).
fn constrained(
    model: &Model,
    state: &mut State,
    road: &mut Road,
    work: &mut Work,
    rates: &mut [f64],
) -> Result<(), SimError> {
    look(model, state, road)?;
    let masses = &model.masses[..];
    let held = &mut state.held;
    let Road { rows, multipliers, bias, pressing, answer, row_accelerations, row_rates, sizes, .. } = road;
    for known in &rows.known {
        add_rates(&known.row.row, known.multiplier, masses, rates);
    }
    bias.clear();
    bias.extend(rows.acting.iter().map(|r| acceleration_of(&r.row, rates) + r.bias));
    pressing.clear();
    pressing.extend(rows.acting.iter().map(|r| held.get(r.source).is_none_or(|h| h.pressing)));
    let task = Task { what: "contact forces", time: state.time, rows: &rows.acting, masses, bias };
    let assembly = work.stages.enter(Stage::Complementarity);
    let solved = multipliers.solve(&task, &mut work.lcp, pressing, answer);
    work.stages.leave(assembly);
    solved?;
    sizes.resize(state.bodies.len(), [0.0; 3]);
    for k in state.focus.bodies(state.bodies.len()) {
        let r = &rates[PER_BODY * k..];
        sizes[k] = [r[1].abs(), r[3].abs(), r[5].abs()];
    }
    for (row, &multiplier) in rows.acting.iter().zip(answer.iter()) {
        if multiplier != 0.0 {
            add_rates(&row.row, multiplier, masses, rates);
            for (index, linear, angular) in responses(&row.row, multiplier, masses) {
                let size = &mut sizes[index];
                *size = [size[0] + linear.x.abs(), size[1] + linear.y.abs(), size[2] + angular.abs()];
            }
        }
    }
    // What is left of pushes that balance is rounding: at rest it would set in motion what stands.
    for body in state.focus.bodies(state.bodies.len()) {
        let (r, size) = (&mut rates[PER_BODY * body..], &sizes[body]);
        for (k, size) in [1, 3, 5].into_iter().zip(size) {
            if r[k].abs() <= BALANCED * size {
                r[k] = 0.0;
            }
        }
    }
    row_accelerations.clear();
    row_accelerations.extend(rows.acting.iter().map(|r| acceleration_of(&r.row, rates) + r.bias));
    row_rates.clear();
    row_rates.extend(rows.acting.iter().map(|r| r.rate));
    for (row, &press) in rows.acting.iter().zip(pressing.iter()) {
        if let Some(held) = held.get_mut(row.source) {
            held.pressing = press;
        }
    }
    Ok(())
}
