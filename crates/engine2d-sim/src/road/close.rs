//! Which rows are closed from an instant on, and how motors act.

use super::accelerate::evaluate;
use super::feature::{contact_row, friction_row, margin, sliding_speed};
use super::held::{Grip, Held, HeldSet, Mode, Roll};
use super::keep::steady;
use super::look::{OPENING, Road, look};
use super::rolling::{resistance_of, turning_speed};
use super::row::{Row, Source, rate_of};
use super::slides::{Sliding, sliding};
use super::touching::{Patience, RESTING, Touching, restitution_of};
use crate::energy::booked;
use crate::error::SimError;
use crate::model::Model;
use crate::report::{Event, StepReport};
use crate::state::State;
use crate::tolerance::PLACED_DEPTH;
use crate::work::Work;
use engine2d_constraint::{RowKind, coupling};
use engine2d_geometry::{CollisionBody, ContactId};
use engine2d_math::Vec2;

/// Times that the rest of a series of bounces takes and is told: shorter is none, and a longer one is none of ever shorter
/// bounces under a lasting force.
const SHORTEST_SERIES: f64 = 1e-9;
const LONGEST_SERIES: f64 = 1e-1;

/// Speed (length or radians per time) up to which surfaces in contact count as sticking, and bodies that roll as at rest: what
/// is left is taken out of the velocities.
const STICKING: f64 = 1e-9;

/// How often is decided anew at an instant which surfaces stick: where no choice stays as it is the last one is taken.
const HELD_AGAIN: u32 = 8;

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
        let restitution = restitution_of(model, &t.row);
        let stays = before.contains(t.row.source) && restitution < 1.0;
        let thrown_off = if stays { model.settings.rest_speed } else { 0.0 };
        if rate > Patience::of(state, &t.row, restitution).resting.max(thrown_off) {
            continue;
        }
        if are_past(t, state) {
            continue;
        }
        // What has come to rest at a gap keeps it, and so does what was placed deeper than a touch.
        let target = if placed && gap < -PLACED_DEPTH { gap } else { gap.max(0.0) };
        let target = before.get(t.row.source).map_or(target, |h| h.target);
        let held = Held {
            source: t.row.source,
            target,
            mode: Mode::Closed,
            pressing: true,
            normal: t.normal,
            grip: grip_of(model, &t.row, &state.bodies),
            roll: roll_of(model, &t.row, &state.bodies),
        };
        state.held.insert(held);
    }
    // Impacts have changed the speeds of motors.
    look(model, state, road)?;
    choose_motors(&mut state.held, road);
    booked(model, state, true, |state| steady(model, state, road))?;
    turn_grips(state);
    let slid = sliding(model, state);
    release_spent(model, state, road, work)?;
    if booked(model, state, true, |state| steady(model, state, road))? {
        turn_grips(state);
    }
    tell_grips(&before, state, report);
    let time = state.time;
    tell_lift_off(&slid, state, report);
    for (contact, _) in before.contacts().filter(|(id, _)| !state.held.contains(Source::Contact(*id))) {
        let mut rows = road.rows.acting.iter().chain(&road.rows.open);
        let point = rows.find(|row| row.source == Source::Contact(contact)).map(|row| row.point);
        report.events.push(Event::ContactEnd { time, contact, point });
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
        report.events.extend(accumulation(model, road, &t.row, contact, time));
    }
    Ok(())
}

/// Whether these are two corners that are past each other: they do not hold each other any more, and no event to come would
/// tell that they part.
fn are_past(touching: &Touching, state: &State) -> bool {
    let Source::Contact(id) = touching.row.source else { return false };
    touching.normal.is_some() && margin(id, touching.normal, &state.bodies) <= -state.touch
}

/// Remembers a contact as closed at a gap.
pub(crate) fn hold(model: &Model, state: &mut State, id: ContactId, (gap, normal): (f64, Option<Vec2>)) {
    let Some(row) = contact_row(id, normal, gap, &state.bodies) else { return };
    let grip = grip_of(model, &row, &state.bodies);
    let roll = roll_of(model, &row, &state.bodies);
    let (source, mode) = (Source::Contact(id), Mode::Closed);
    state.held.insert(Held { source, target: gap, mode, pressing: true, normal, grip, roll });
}

/// The end of the bounces that a contact would still have had, by the geometric series of their times: each speed is `e` times
/// the one before, and each bounce takes `2 v / a` (\[Brogliato 1999, Nonsmooth Mechanics, §7.2\]).
fn accumulation(model: &Model, road: &Road, row: &Row, contact: ContactId, time: f64) -> Option<Event> {
    let e = restitution_of(model, row);
    let rebound = e * -row.rate;
    let place = road.rows.acting.iter().position(|r| r.source == row.source)?;
    let approach = -road.bias[place];
    if !(rebound > 0.0 && e < 1.0 && approach > 0.0) {
        return None;
    }
    let rest = 2.0 * rebound / (approach * (1.0 - e));
    let energy = 0.5 * rebound * rebound / coupling(&row.row, &row.row, &model.masses);
    (SHORTEST_SERIES..=LONGEST_SERIES).contains(&rest).then_some(Event::Accumulation {
        time: time + rest,
        contact,
        since: time,
        energy,
    })
}

/// How the surfaces of a contact move along each other at the present velocities; `None` without friction.
fn grip_of(model: &Model, contact: &Row, bodies: &[CollisionBody]) -> Option<Grip> {
    let friction = model.friction_between(contact.row.bodies);
    if !friction.is_some() || !matches!(contact.source, Source::Contact(_)) {
        return None;
    }
    let surface = model.surface_speed(contact.row.bodies);
    let rate = friction_row(contact, RowKind::Bilateral, surface, bodies).rate;
    Some(Grip { friction, surface, slides: direction(rate) })
}

/// How the bodies of a contact turn against each other at the present velocities; `None` without rolling resistance.
fn roll_of(model: &Model, contact: &Row, bodies: &[CollisionBody]) -> Option<Roll> {
    let id = contact.source.contact()?;
    let resistance = resistance_of(model, id)?;
    Some(Roll { resistance, turns: direction(turning_speed(id, bodies)) })
}

/// The sign of a speed that is none up to [`STICKING`].
fn direction(rate: f64) -> f64 {
    if rate.abs() <= STICKING { 0.0 } else { rate.signum() }
}

/// Surfaces that slide do so as they move now: what was taken out of the velocities may have turned them.
fn turn_grips(state: &mut State) {
    let State { held, bodies, .. } = state;
    held.for_each_mut(|source, h| {
        let Source::Contact(id) = source else { return };
        if let Some(grip) = h.grip.as_mut().filter(|grip| !grip.sticks()) {
            let rate = sliding_speed(id, h.normal, grip.surface, bodies);
            if rate * grip.slides < 0.0 {
                grip.slides = direction(rate);
            }
        }
        if let Some(roll) = h.roll.as_mut().filter(|roll| !roll.holds()) {
            let rate = turning_speed(id, bodies);
            if rate * roll.turns < 0.0 {
                roll.turns = direction(rate);
            }
        }
    });
}

/// Reports contacts that have begun to stick or to slide.
fn tell_grips(before: &HeldSet, state: &State, report: &mut StepReport) {
    for (contact, held) in state.held.contacts() {
        let Some(grip) = held.grip else { continue };
        let known = before.get(held.source).and_then(|h| h.grip);
        if known.is_none_or(|known| known.slides != grip.slides) {
            let time = state.time;
            report.events.push(if grip.sticks() {
                Event::Stick { time, contact }
            } else {
                Event::Slide { time, contact, forward: grip.slides > 0.0 }
            });
        }
    }
}

/// Reports contacts that have lifted off where sliding on, or stopping at once, were answers as well.
fn tell_lift_off(slid: &[Sliding], state: &State, report: &mut StepReport) {
    let time = state.time;
    let open = |s: &&Sliding| !state.held.contains(Source::Contact(s.contact));
    for &Sliding { contact, point, per_force } in slid.iter().filter(|s| s.per_force < 0.0).filter(open) {
        report.events.push(Event::LiftOff { time, contact, point, per_force, impulse: 0.0 });
    }
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
        let pressing = mode == Mode::Closed;
        held.insert(Held { source, target: 0.0, mode, pressing, normal: None, grip: None, roll: None });
    }
}

/// Opens closed rows that part under the forces of this moment, and lets motors push that cannot hold.
fn release_spent(model: &Model, state: &mut State, road: &mut Road, work: &mut Work) -> Result<(), SimError> {
    let (mut y, mut rates) = std::mem::take(&mut road.instant);
    let mut held_again = 0;
    let result = loop {
        state.read(&mut y);
        match evaluate(model, state, road, work, &y, &mut rates) {
            Ok(()) if release(&mut state.held, road) => {}
            Ok(()) if held_again < HELD_AGAIN && hold_again(&mut state.held, road) => held_again += 1,
            other => break other,
        }
    };
    road.instant = (y, rates);
    result
}

/// Lets surfaces stick that were to slide and set off the other way: another contact that opened or slides has changed what
/// they do. Returns whether there were any.
fn hold_again(held: &mut HeldSet, road: &Road) -> bool {
    let mut changed = false;
    for (row, acceleration) in road.rows.acting.iter().zip(&road.row_accelerations) {
        if !matches!(row.kind, RowKind::Sliding { .. }) {
            continue;
        }
        let Some(way) = way_of(held, row.source) else { continue };
        if row.rate.abs() <= STICKING && acceleration * *way < -OPENING {
            (*way, changed) = (0.0, true);
        }
    }
    changed
}

/// The direction in which the surfaces of a row of friction slide, or the bodies of one of rolling resistance turn.
fn way_of(held: &mut HeldSet, row: Source) -> Option<&mut f64> {
    let contact = held.get_mut(Source::Contact(row.contact()?))?;
    match row {
        Source::Friction(_) => contact.grip.as_mut().map(|grip| &mut grip.slides),
        Source::Rolling(_) => contact.roll.as_mut().map(|roll| &mut roll.turns),
        _ => None,
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
            RowKind::Friction { .. } if state.acceleration.abs() > OPENING => {
                if let Some(way) = way_of(held, state.source) {
                    (*way, changed) = (state.acceleration.signum(), true);
                }
            }
            RowKind::Boxed { hi, .. } if state.acceleration.abs() > OPENING => {
                let upwards = state.multiplier >= hi;
                let mode = Mode::Pushing { upwards };
                held.insert(Held {
                    source: state.source,
                    target: 0.0,
                    mode,
                    pressing: false,
                    normal: None,
                    grip: None,
                    roll: None,
                });
                changed = true;
            }
            _ => {}
        }
    }
    changed
}
