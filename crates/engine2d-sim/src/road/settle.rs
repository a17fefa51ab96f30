//! What happens at an instant: impacts of what approaches at gap zero, and which rows are closed from here on.

use super::corner::corner_normal;
use super::feature::contact_row;
use super::held::{Held, Mode};
use super::impact::ImpactRules;
use super::row::{Row, Source, rate_of};
use super::{OPENING, RESTING, Road, SETTLED, contact_id, has_constraints, look, steady};
use crate::error::SimError;
use crate::report::{Event, StepReport, Totals};
use crate::settings::{CollisionHandling, ContactModel, Fidelity};
use crate::stages::Stage;
use crate::system::System;
use crate::tolerance::PLACED_DEPTH;
use engine2d_constraint::{ConstraintRow, RowKind, coupling};
use engine2d_geometry::{BodyRef, CollisionBody, ContactId};
use engine2d_math::{Vec2, trig};

/// How often a body has had events lately: a count that fades.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Haste {
    last: f64,
    count: f64,
}

/// Time in which the count of events fades to a fraction `1/e`.
const FADING: f64 = 1e-2;

/// Count from which impacts no longer bounce: what is left of a series whose intervals shrink. With each as many more,
/// ten times the speed counts as rest.
const CALMED: f64 = 30.0;

/// Largest rate that counts as rest, however many events there are (length or radians per time).
const CALMEST: f64 = 1e-2;

impl Haste {
    /// Notes an event.
    fn note(&mut self, time: f64) {
        self.count = self.at(time) + 1.0;
        self.last = time;
    }

    /// The count at a time.
    fn at(&self, time: f64) -> f64 {
        self.count * trig::exp((self.last - time) / FADING)
    }
}

/// What counts as rest for a row.
#[derive(Clone, Copy, Debug)]
struct Patience {
    /// Nothing bounces.
    calm: bool,
    /// Rate below which a touching row is closed.
    resting: f64,
}

impl Patience {
    /// That of a row by its bodies.
    fn of(system: &System, row: &Row) -> Self {
        let counts = row.row.bodies.iter().filter_map(|b| {
            let index = b.index().filter(|&i| !system.bodies[i].fixed)?;
            Some(system.haste.get(index)?.at(system.time))
        });
        let count = counts.fold(0.0, f64::max);
        let resting = (RESTING * trig::pow(10.0, (count / CALMED).floor())).min(CALMEST);
        Self { calm: count >= CALMED, resting }
    }
}

/// Notes an event at the movable bodies of a row.
fn note(system: &mut System, row: &Row) {
    system.haste.resize(system.bodies.len(), Haste::default());
    let time = system.time;
    for index in row.row.bodies.iter().filter_map(|b| b.index()) {
        if !system.bodies[index].fixed {
            system.haste[index].note(time);
        }
    }
}

/// Change of a row's rate that makes an impulse an event (length or radians per time): what rests shivers below it.
const NOTABLE: f64 = 1e-6;

/// Depth, in touching gaps, up to which bodies have met by the width of the search for the moment.
const DEEPEST: f64 = 1e6;

/// A row that touches, with the normal by which it is told.
struct Touching {
    row: Row,
    /// The gap it would be held at, if it can be held.
    target: Option<f64>,
    /// The part of its rate that is prescribed, not the bodies'.
    offset: f64,
    /// The normal of two corners.
    normal: Option<Vec2>,
}

impl Touching {
    fn new(row: Row, target: Option<f64>, bodies: &[CollisionBody]) -> Self {
        Self { offset: row.rate - rate_of(&row.row, bodies), row, target, normal: None }
    }
}

/// Resolves what approaches in touch, and decides which rows are closed from here on. Bodies that have just been
/// `placed` deeper than a touch stay as deep.
pub(crate) fn settle(
    system: &mut System,
    placed: bool,
    report: &mut StepReport,
    totals: &mut Totals,
) -> Result<(), SimError> {
    let before = system.stages.enter(Stage::Impacts);
    let result = settle_all(system, placed, report, totals);
    system.stages.leave(before);
    result
}

fn settle_all(
    system: &mut System,
    placed: bool,
    report: &mut StepReport,
    totals: &mut Totals,
) -> Result<(), SimError> {
    look(system)?;
    let mut touching = touching_rows(system, placed)?;
    if part(system, &touching, placed) {
        look(system)?;
        touching = touching_rows(system, placed)?;
    }
    let impulses = resolve(system, &touching, report, totals)?;
    close(system, (&touching, &impulses), placed, report)
}

/// Moves bodies that have met a little too deep, by the width of the search for the moment or by the digits with which
/// they were placed, back to gap zero, joints and closed contacts with them. Returns whether anything was moved.
fn part(system: &mut System, touching: &[Touching], placed: bool) -> bool {
    let deepest = if placed { PLACED_DEPTH } else { f64::INFINITY };
    let System { bodies, inverse_masses, road, .. } = system;
    let Road { held, projector, touch, .. } = road;
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
    projector.positions(&rows, takes_part, inverse_masses, bodies)
}

/// All rows that act or touch at this instant: joints, closed and touching limits and ropes, places where bodies touch.
fn touching_rows(system: &mut System, placed: bool) -> Result<Vec<Touching>, SimError> {
    let System { bodies, road, settings, .. } = system;
    let still = vec![0.0; bodies.len()];
    let Road { held, rows, pairs, touches, touch, .. } = road;
    let touch = *touch;
    touches.clear();
    if settings.fidelity != Fidelity::Free && settings.contact_model == ContactModel::Rigid {
        pairs.collect(bodies, &still, held, 4.0 * touch)?;
        let deepest = if placed { f64::INFINITY } else { DEEPEST * touch };
        pairs.touches(bodies, 4.0 * touch, deepest, touches);
    }
    let mut list = Vec::new();
    for row in &rows.acting {
        match (row.kind, row.source) {
            (RowKind::Boxed { .. }, _) | (_, Source::Contact(_)) => {}
            (RowKind::Bilateral, _) => list.push(Touching::new(*row, None, bodies)),
            (_, source) => {
                let target = held.get(source).map_or(0.0, |h| h.target);
                list.push(Touching::new(*row, Some(target + row.error), bodies));
            }
        }
    }
    for row in rows.open.iter().filter(|r| r.kind == RowKind::Unilateral && r.error <= 4.0 * touch) {
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
fn point_row(id: ContactId, normal: Vec2, point: Vec2, bodies: &[CollisionBody]) -> Row {
    let arm = |body: BodyRef| body.index().map_or(point, |i| point - bodies[i].pose.position());
    let ends = [id.primary, id.normal_body];
    let row = ConstraintRow::separation(ends, normal, arm(id.primary), arm(id.normal_body));
    let rate = rate_of(&row, bodies);
    let (source, kind) = (Source::Contact(id), RowKind::Unilateral);
    Row { source, row, kind, error: 0.0, rate, bias: 0.0, holonomic: true, point }
}

/// Impacts of the rows that approach; returns their impulses.
fn resolve(
    system: &mut System,
    touching: &[Touching],
    report: &mut StepReport,
    totals: &mut Totals,
) -> Result<Vec<f64>, SimError> {
    let patience: Vec<Patience> = touching.iter().map(|t| Patience::of(system, &t.row)).collect();
    let approaches =
        |t: &Touching, p: &Patience| t.row.kind == RowKind::Unilateral && t.row.rate < -p.resting;
    let approaching: Vec<Row> =
        touching.iter().zip(&patience).filter(|(t, p)| approaches(t, p)).map(|(t, _)| t.row).collect();
    approaching.iter().for_each(|row| note(system, row));
    let approaching = approaching.len();
    let torn = touching.iter().any(|t| t.row.kind == RowKind::Bilateral && t.row.rate.abs() > RESTING);
    let mut impulses = vec![0.0; touching.len()];
    if approaching == 0 && !torn {
        return Ok(impulses);
    }
    let rows: Vec<Row> = touching.iter().map(|t| t.row).collect();
    let restitution: Vec<f64> = rows
        .iter()
        .zip(&patience)
        .map(|(r, p)| if p.calm { 0.0 } else { restitution_of(system, r) })
        .collect();
    let rules = ImpactRules {
        simultaneous: system.settings.collision_handling == CollisionHandling::Simultaneous,
        rest_speed: system.settings.rest_speed,
        time: system.time,
    };
    let count = system.booked(false, |system| {
        let System { bodies, inverse_masses, road, lcp, .. } = system;
        let Road { impacts, multipliers, .. } = road;
        impacts.resolve(
            (&rows, &restitution),
            (bodies, inverse_masses),
            rules,
            multipliers,
            lcp,
            &mut impulses,
        )
    })?;
    totals.impulses += count;
    totals.collisions += approaching as u64;
    for (t, &impulse) in touching.iter().zip(&impulses) {
        let row = &t.row;
        if coupling(&row.row, &row.row, &system.inverse_masses) * impulse.abs() > NOTABLE {
            let velocity_after = rate_of(&row.row, &system.bodies) + t.offset;
            let [jx, jy, _] = row.row.jacobian[0];
            report.events.push(Event::Collision {
                time: system.time,
                contact: contact_id(row.source, row.row.bodies),
                point: row.point,
                normal: Vec2::new(jx, jy),
                impulse,
                velocity_before: row.rate,
                velocity_after,
            });
        }
    }
    Ok(impulses)
}

/// Coefficient of restitution of a row.
fn restitution_of(system: &System, row: &Row) -> f64 {
    match row.source {
        Source::Equation { constraint, .. } => {
            system.joints[constraint as usize].coefficient_of_restitution()
        }
        _ => system.restitution_between(row.row.bodies),
    }
}

/// Remembers which rows are closed: those at rest in touch that press under the forces of this moment.
fn close(
    system: &mut System,
    (touching, impulses): (&[Touching], &[f64]),
    placed: bool,
    report: &mut StepReport,
) -> Result<(), SimError> {
    if !has_constraints(system) {
        return Ok(());
    }
    let before = std::mem::take(&mut system.road.held);
    for t in touching {
        let Some(gap) = t.target else { continue };
        let rate = rate_of(&t.row.row, &system.bodies) + t.offset;
        // What was closed and can rest stays closed unless it is thrown off: an impact elsewhere would open it for a
        // moment only.
        let stays = before.contains(t.row.source) && restitution_of(system, &t.row) < 1.0;
        let thrown_off = if stays { system.settings.rest_speed } else { 0.0 };
        if rate > Patience::of(system, &t.row).resting.max(thrown_off) {
            continue;
        }
        // What has come to rest at a gap keeps it, and so does what was placed deeper than a touch.
        let target = if placed && gap < -PLACED_DEPTH { gap } else { gap.max(0.0) };
        let target = before.get(t.row.source).map_or(target, |h| h.target);
        let held =
            Held { source: t.row.source, target, mode: Mode::Closed, pressing: true, normal: t.normal };
        system.road.held.insert(held);
    }
    choose_motors(system);
    steady(system)?;
    release_spent(system)?;
    steady(system)?;
    let time = system.time;
    for (contact, _) in before.contacts().filter(|(id, _)| !system.road.held.contains(Source::Contact(*id))) {
        report.events.push(Event::ContactEnd { time, contact });
    }
    for (t, impulse) in touching.iter().zip(impulses) {
        let Source::Contact(contact) = t.row.source else { continue };
        if !system.road.held.contains(t.row.source) || before.contains(t.row.source) {
            continue;
        }
        report.events.push(Event::ContactBegin { time, contact, point: t.row.point });
        if coupling(&t.row.row, &t.row.row, &system.inverse_masses) * impulse.abs() > NOTABLE {
            let bodies = [contact.primary, contact.normal_body];
            report.events.push(Event::Sustained { time, bodies, velocity: t.row.rate });
        }
    }
    Ok(())
}

/// Motors of limited force that are not at their speed push towards it; the others hold it.
fn choose_motors(system: &mut System) {
    let road = &mut system.road;
    let motors = road.rows.acting.iter().chain(&road.rows.open);
    let motors: Vec<(Source, RowKind)> =
        motors.filter(|r| matches!(r.kind, RowKind::Boxed { .. })).map(|r| (r.source, r.kind)).collect();
    for (source, _) in motors {
        let row = road.rows.acting.iter().chain(&road.rows.open).find(|r| r.source == source);
        let Some(row) = row else { continue };
        let mode =
            if row.rate.abs() > RESTING { Mode::Pushing { upwards: row.rate < 0.0 } } else { Mode::Closed };
        road.held.insert(Held { source, target: 0.0, mode, pressing: mode == Mode::Closed, normal: None });
    }
}

/// Opens closed rows that part under the forces of this moment, and lets motors push that cannot hold.
fn release_spent(system: &mut System) -> Result<(), SimError> {
    let (mut y, mut rates) = (Vec::new(), Vec::new());
    loop {
        system.read_state(&mut y);
        system.evaluate(&y, 0.0, &mut rates, &mut Vec::new())?;
        if !release(system) {
            return Ok(());
        }
    }
}

/// Opens what parts at the last evaluation; returns whether there was anything.
pub(crate) fn release(system: &mut System) -> bool {
    let states: Vec<_> = system.road.states().collect();
    let mut changed = false;
    for state in states {
        match state.kind {
            RowKind::Unilateral if state.closure() < 0.0 => {
                let held = &mut system.road.held;
                changed |= held.contains(state.source);
                held.retain(|h| h.source != state.source);
            }
            RowKind::Boxed { hi, .. } if state.acceleration.abs() > OPENING => {
                let upwards = state.multiplier >= hi;
                let mode = Mode::Pushing { upwards };
                system.road.held.insert(Held {
                    source: state.source,
                    target: 0.0,
                    mode,
                    pressing: false,
                    normal: None,
                });
                changed = true;
            }
            _ => {}
        }
    }
    changed
}
