//! Positions and velocities kept on joints and held contacts, and bodies placed in touch set apart.

use super::feature::contact_row;
use super::held::HeldSet;
use super::look::{Road, exactness, look};
use super::row::{Row, Source};
use crate::error::SimError;
use crate::model::Model;
use crate::stages::{Stage, StageMeter};
use crate::state::State;
use crate::tolerance::{PLACED_DEPTH, PLACED_GAP};
use engine2d_constraint::RowKind;

/// Rates up to this are not taken out of the velocities (length or radians per time).
const STEADY: f64 = 1e-11;

/// Newton rounds of a projection of positions: each squares the error.
const ROUNDS: usize = 5;

/// Moves bodies back onto joints and held contacts, positions and velocities, where they have drifted off. Returns
/// whether anything was moved.
pub(crate) fn project(
    model: &Model,
    state: &mut State,
    road: &mut Road,
    stages: &mut StageMeter,
) -> Result<bool, SimError> {
    let before = stages.enter(Stage::Projection);
    let result = project_all(model, state, road);
    stages.leave(before);
    result
}

fn project_all(model: &Model, state: &mut State, road: &mut Road) -> Result<bool, SimError> {
    let mut moved = false;
    for _ in 0..ROUNDS {
        look(model, state, road)?;
        let exact = exactness(state);
        let State { bodies, held, .. } = state;
        let Road { rows, projector, .. } = road;
        let takes_part = |r: &Row| r.holonomic && keeps(r, held);
        let errors = rows.acting.iter().filter(|r| takes_part(r)).map(|r| r.error.abs());
        if errors.fold(0.0, f64::max) <= exact {
            break;
        }
        if !projector.positions(&rows.acting, &takes_part, &model.masses, bodies) {
            break;
        }
        moved = true;
    }
    Ok(steady(model, state, road)? || moved)
}

/// Takes the rates of joints and pressing contacts out of the velocities; returns whether there were any.
pub(super) fn steady(model: &Model, state: &mut State, road: &mut Road) -> Result<bool, SimError> {
    look(model, state, road)?;
    let State { bodies, held, .. } = state;
    let Road { rows, projector, .. } = road;
    let takes_part = |r: &Row| keeps(r, held);
    let rates = rows.acting.iter().filter(|r| takes_part(r)).map(|r| r.rate.abs());
    if rates.fold(0.0, f64::max) <= STEADY {
        return Ok(false);
    }
    Ok(projector.velocities(&rows.acting, &takes_part, &model.masses, bodies))
}

/// Sets bodies that touch to within rounding, and ropes of exactly their length, off by [`PLACED_GAP`], together with
/// joints, which stay as they are. What contradicts itself is left.
pub(crate) fn part_placed(model: &Model, state: &mut State, road: &mut Road) -> Result<(), SimError> {
    for _ in 0..ROUNDS {
        look(model, state, road)?;
        let State { bodies, focus, held, .. } = state;
        let Road { rows, projector, pairs, touches, .. } = road;
        touches.clear();
        pairs.collect((model, bodies, focus), |_| 0.0, held, PLACED_GAP)?;
        pairs.touches(bodies, 0.5 * PLACED_GAP, PLACED_DEPTH, touches);
        touches.retain(|t| t.gap >= -PLACED_DEPTH);
        let taut = |r: &&Row| r.kind == RowKind::Unilateral && r.error.abs() <= 0.5 * PLACED_GAP;
        let taut = rows.open.iter().filter(taut).map(|r| Row { error: r.error - PLACED_GAP, ..*r });
        let placed = touches.iter().filter_map(|t| contact_row(t.id, None, PLACED_GAP, bodies));
        rows.acting.retain(Row::is_bilateral);
        let joints = rows.acting.len();
        rows.acting.extend(taut.chain(placed));
        if rows.acting.len() == joints {
            break;
        }
        if !projector.positions(&rows.acting, &|r| r.holonomic, &model.masses, bodies) {
            break;
        }
    }
    Ok(())
}

/// Whether a row is kept by projection: bilateral, closed and pressing, or sticking.
fn keeps(row: &Row, held: &HeldSet) -> bool {
    match row.kind {
        RowKind::Bilateral => true,
        RowKind::Unilateral => held.get(row.source).is_some_and(|h| h.pressing),
        RowKind::Friction { .. } => match row.source {
            Source::Friction(id) | Source::Rolling(id) => {
                held.get(Source::Contact(id)).is_some_and(|h| h.pressing)
            }
            _ => true,
        },
        _ => false,
    }
}
