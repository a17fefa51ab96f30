//! What touches at an instant, and when it counts as at rest.

use super::corner::corner_normal;
use super::feature::{contact_row, friction_row};
use super::haste::Haste;
use super::look::Road;
use super::rolling::{resistance_of, rolling_row};
use super::row::{Row, Source, rate_of};
use crate::error::SimError;
use crate::model::Model;
use crate::state::State;
use engine2d_constraint::{ConstraintRow, RowKind};
use engine2d_geometry::{BodyRef, CollisionBody, ContactId};
use engine2d_math::{Vec2, trig};

/// Rate that counts as none for a closed row (length or radians per time).
pub(super) const RESTING: f64 = 1e-9;

/// Count from which impacts no longer bounce: what is left of a series whose intervals shrink. With each as many more,
/// ten times the speed counts as rest.
const CALMED: f64 = 30.0;

/// Impacts of a body faster than [`CALMEST`] after which they may be the end of a series, times `1 − e`: after `n` of them a series has `eⁿ` of
/// its speed, `exp(−3)` for `n = 3/(1 − e)`. What bounces as often and is still fast lies between heavier bodies, and one that is
/// elastic is in no series that ends.
const LOSSES: f64 = 3.0;

/// Largest rate that counts as rest, however many events there are (length or radians per time).
const CALMEST: f64 = 1e-2;

/// What counts as rest for a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// Nothing bounces.
    pub(super) calm: bool,
    /// Rate below which a touching row is closed.
    pub(super) resting: f64,
}

impl Patience {
    /// That of a row by its bodies and its coefficient of restitution.
    pub(super) fn of(state: &State, row: &Row, restitution: f64) -> Self {
        let counts = row.row.bodies.iter().filter_map(|b| {
            let index = b.index().filter(|&i| !state.bodies[i].fixed)?;
            Some(state.haste.get(index)?.at(state.time))
        });
        let count = counts.fold(0.0, f64::max);
        let resting = (RESTING * trig::pow(10.0, (count / CALMED).floor())).min(CALMEST);
        let is_fast = row.rate < -CALMEST;
        let series = if is_fast { CALMED.max(LOSSES / (1.0 - restitution)) } else { CALMED };
        Self { calm: count >= series, resting }
    }
}

/// Notes an event at the movable bodies of a row.
pub(super) fn note(state: &mut State, row: &Row) {
    state.haste.resize(state.bodies.len(), Haste::default());
    let time = state.time;
    for index in row.row.bodies.iter().filter_map(|b| b.index()) {
        if !state.bodies[index].fixed {
            state.haste[index].note(time);
        }
    }
}

/// Gap, in touching gaps, up to which bodies touch at an event: the search for its moment ends before or behind it.
pub(super) const TOUCHING: f64 = 4.0;

/// Depth, in touching gaps, up to which bodies have met by the width of the search for the moment.
const DEEPEST: f64 = 1e6;

/// A row that touches, with the normal by which it is told.
pub(super) struct Touching {
    pub(super) row: Row,
    /// The gap it would be held at, if it can be held.
    pub(super) target: Option<f64>,
    /// The part of its rate that is prescribed, not the bodies'.
    pub(super) offset: f64,
    /// The normal of two corners.
    pub(super) normal: Option<Vec2>,
}

impl Touching {
    fn new(row: Row, target: Option<f64>, bodies: &[CollisionBody]) -> Self {
        Self { offset: row.rate - rate_of(&row.row, bodies), row, target, normal: None }
    }
}

/// All rows that act or touch at this instant: joints, closed and touching limits and ropes, places where bodies touch.
pub(super) fn touching_rows(
    model: &Model,
    state: &State,
    road: &mut Road,
    placed: bool,
) -> Result<Vec<Touching>, SimError> {
    let State { bodies, focus, held, touch, .. } = state;
    let Road { rows, pairs, touches, .. } = road;
    let touch = *touch;
    touches.clear();
    if model.collides() {
        pairs.collect((model, bodies, focus), |_| 0.0, held, TOUCHING * touch)?;
        let deepest = if placed { f64::INFINITY } else { DEEPEST * touch };
        pairs.touches(bodies, TOUCHING * touch, deepest, touches);
    }
    let mut list = Vec::new();
    for row in &rows.acting {
        match (row.kind, row.source) {
            (RowKind::Boxed { .. }, _)
            | (_, Source::Contact(_) | Source::Friction(_) | Source::Rolling(_)) => {}
            (RowKind::Bilateral, _) => list.push(Touching::new(*row, None, bodies)),
            (_, source) => {
                let target = held.get(source).map_or(0.0, |h| h.target);
                list.push(Touching::new(*row, Some(target + row.error), bodies));
            }
        }
    }
    for row in rows.open.iter().filter(|r| r.kind == RowKind::Unilateral && r.error <= TOUCHING * touch) {
        list.push(Touching::new(*row, Some(row.error), bodies));
    }
    for touch in touches.iter() {
        let known = held.get(Source::Contact(touch.id)).and_then(|h| h.normal);
        let normal = known.or_else(|| corner_normal(touch, bodies));
        let row = contact_row(touch.id, normal, touch.gap, bodies);
        let target = row.is_some().then_some(touch.gap);
        let row = row.unwrap_or_else(|| point_row(touch.id, touch.normal, touch.point, bodies));
        list.push(Touching { normal, ..Touching::new(row, target, bodies) });
    }
    Ok(list)
}

/// The row of two corners at one place, along the normal found.
pub(crate) fn point_row(id: ContactId, normal: Vec2, point: Vec2, bodies: &[CollisionBody]) -> Row {
    let arm = |body: BodyRef| body.index().map_or(point, |i| point - bodies[i].pose.position());
    let ends = [id.primary, id.normal_body];
    let row = ConstraintRow::separation(ends, normal, arm(id.primary), arm(id.normal_body));
    let rate = rate_of(&row, bodies);
    let (source, kind) = (Source::Contact(id), RowKind::Unilateral);
    Row { source, row, kind, error: 0.0, rate, bias: 0.0, holonomic: true, point }
}

/// Coefficient of restitution of a row.
pub(crate) fn restitution_of(model: &Model, row: &Row) -> f64 {
    match row.source {
        Source::Equation { constraint, .. } => model.joints[constraint as usize].coefficient_of_restitution(),
        _ => model.restitution_between(row.row.bodies),
    }
}

/// Appends the rows of the friction and the rolling resistance of contacts.
pub(super) fn add_friction(model: &Model, bodies: &[CollisionBody], rows: &mut Vec<Row>) {
    for place in 0..rows.len() {
        let row = rows[place];
        let Source::Contact(id) = row.source else { continue };
        let friction = model.friction_between(row.row.bodies);
        if friction.is_some() {
            let kind = RowKind::Friction { normal: place, mu: friction.kinetic };
            rows.push(friction_row(&row, kind, model.surface_speed(row.row.bodies), bodies));
        }
        if let Some(mu) = resistance_of(model, id) {
            rows.push(rolling_row(&row, RowKind::Friction { normal: place, mu }, bodies));
        }
    }
}
