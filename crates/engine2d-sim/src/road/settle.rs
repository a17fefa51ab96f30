//! What happens at an instant: impacts of what approaches at gap zero.

use super::close::close;
use super::impact::{ImpactRules, Reduced};
use super::jam::unjam;
use super::look::{Road, look};
use super::row::{Row, Source, rate_of};
use super::tell::contact_id;
use super::touching::{Patience, RESTING, Touching, add_friction, note, restitution_of, touching_rows};
use crate::energy::booked;
use crate::error::SimError;
use crate::model::Model;
use crate::report::{Event, StepReport};
use crate::settings::CollisionHandling;
use crate::stages::Stage;
use crate::state::State;
use crate::tolerance::PLACED_DEPTH;
use crate::work::Work;
use engine2d_constraint::{RowKind, coupling};
use engine2d_math::Vec2;

/// Share of the touching gap below which a free contact that has met too deep is left alone.
pub(super) const SETTLED: f64 = 0.1;

/// Change of a row's rate that makes an impulse an event (length or radians per time): what rests shivers below it.
const NOTABLE: f64 = 1e-6;

/// Resolves what approaches in touch, and decides which rows are closed from here on. Bodies that have just been
/// `placed` deeper than a touch stay as deep.
pub(crate) fn settle(
    model: &Model,
    state: &mut State,
    road: &mut Road,
    work: &mut Work,
    placed: bool,
    report: &mut StepReport,
) -> Result<(), SimError> {
    let before = work.stages.enter(Stage::Impacts);
    let result = settle_all(model, state, road, work, placed, report);
    work.stages.leave(before);
    result
}

fn settle_all(
    model: &Model,
    state: &mut State,
    road: &mut Road,
    work: &mut Work,
    placed: bool,
    report: &mut StepReport,
) -> Result<(), SimError> {
    look(model, state, road)?;
    let mut touching = touching_rows(model, state, road, placed)?;
    if part(model, state, road, &touching, placed) {
        look(model, state, road)?;
        touching = touching_rows(model, state, road, placed)?;
    }
    let impulses = resolve(model, state, road, work, &touching, report)?;
    let held = state.held.clone();
    match close(model, state, road, work, (&touching, &impulses, NOTABLE), placed, report) {
        Err(error @ SimError::Unsolved { .. }) => {
            if unjam(model, state, road, work, report, held)? {
                Ok(())
            } else {
                Err(error)
            }
        }
        other => other,
    }
}

/// Moves bodies that have met a little too deep, by the width of the search for the moment or by the digits with which
/// they were placed, back to gap zero, joints and closed contacts with them. Returns whether anything was moved.
fn part(model: &Model, state: &mut State, road: &mut Road, touching: &[Touching], placed: bool) -> bool {
    let deepest = if placed { PLACED_DEPTH } else { f64::INFINITY };
    let State { bodies, held, touch, .. } = state;
    let rows: Vec<Row> = touching
        .iter()
        .map(|t| {
            let target = held.get(t.row.source).map_or(0.0, |h| h.target);
            Row { error: t.target.map_or(t.row.error, |gap| gap - target), ..t.row }
        })
        .collect();
    let deep = |r: &Row| r.kind == RowKind::Unilateral && r.error < -SETTLED * *touch && r.error >= -deepest;
    if !rows.iter().any(deep) {
        return false;
    }
    let takes_part = |r: &Row| r.holonomic && (r.is_bilateral() || deep(r) || held.contains(r.source));
    road.projector.positions(&rows, &takes_part, &model.masses, bodies)
}

/// Impacts of the rows that approach; returns their impulses.
fn resolve(
    model: &Model,
    state: &mut State,
    road: &mut Road,
    work: &mut Work,
    touching: &[Touching],
    report: &mut StepReport,
) -> Result<Vec<f64>, SimError> {
    let patience_of = |t: &Touching| Patience::of(state, &t.row, restitution_of(model, &t.row));
    let patience: Vec<Patience> = touching.iter().map(patience_of).collect();
    let approaches =
        |t: &Touching, p: &Patience| t.row.kind == RowKind::Unilateral && t.row.rate < -p.resting;
    let approaching: Vec<Row> =
        touching.iter().zip(&patience).filter(|(t, p)| approaches(t, p)).map(|(t, _)| t.row).collect();
    approaching.iter().for_each(|row| note(state, row));
    let approaching = approaching.len();
    let torn = touching.iter().any(|t| t.row.kind == RowKind::Bilateral && t.row.rate.abs() > RESTING);
    let mut impulses = vec![0.0; touching.len()];
    if approaching == 0 && !torn {
        return Ok(impulses);
    }
    let mut rows: Vec<Row> = touching.iter().map(|t| t.row).collect();
    add_friction(model, &state.bodies, &mut rows);
    let restitution: Vec<f64> = rows
        .iter()
        .enumerate()
        .map(|(k, r)| match (r.kind, r.source) {
            (RowKind::Friction { normal, .. }, Source::Friction(_)) if !patience[normal].calm => {
                model.tangential_restitution_between(r.row.bodies)
            }
            _ if patience.get(k).is_none_or(|p| p.calm) => 0.0,
            _ => restitution_of(model, r),
        })
        .collect();
    let rules = ImpactRules {
        simultaneous: model.settings.collision_handling == CollisionHandling::Simultaneous,
        rest_speed: model.settings.rest_speed,
        law: model.settings.impact_law,
        time: state.time,
    };
    let Road { impacts, multipliers, .. } = road;
    let count = booked(model, state, false, |state| {
        let bodies = (&mut state.bodies[..], &model.masses[..]);
        impacts.resolve((&rows, &restitution), bodies, rules, multipliers, &mut work.lcp, &mut impulses)
    })?;
    report.events.extend(impacts.reduced.iter().map(|&Reduced { row, share }| Event::RestitutionReduced {
        time: state.time,
        contact: contact_id(rows[row].source, rows[row].row.bodies),
        point: rows[row].point,
        share,
    }));
    report.counters.impulses += count;
    report.counters.collisions += approaching as u64;
    for (t, &impulse) in touching.iter().zip(&impulses) {
        report.events.extend(told(model, state, &t.row, t.offset, impulse));
    }
    Ok(impulses)
}

/// What is told of an impact after which the rate of a row is that of its bodies and `offset`, unless it did next to nothing.
pub(super) fn told(model: &Model, state: &State, row: &Row, offset: f64, impulse: f64) -> Option<Event> {
    let [jx, jy, _] = row.row.jacobian[0];
    let notable = coupling(&row.row, &row.row, &model.masses) * impulse.abs() > NOTABLE;
    notable.then(|| Event::Collision {
        time: state.time,
        contact: contact_id(row.source, row.row.bodies),
        point: row.point,
        normal: Vec2::new(jx, jy),
        impulse,
        velocity_before: row.rate,
        velocity_after: rate_of(&row.row, &state.bodies) + offset,
    })
}
