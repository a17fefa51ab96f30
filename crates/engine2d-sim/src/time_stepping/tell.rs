//! What a step tells: impacts, contacts that begin and end, mean forces.

use super::bounce::Bounce;
use super::known::KnownRows;
use super::line::Line;
use super::solve::Answer;
use crate::contact_force::ContactForce;
use crate::model::Model;
use crate::report::{Event, StepReport};
use crate::road::{Road, Row, Source, contact_id, rate_of, report_forces};
use crate::state::State;
use crate::work::Work;
use engine2d_constraint::RowKind;
use engine2d_math::Vec2;

/// Change of the relative velocity that makes an impact an event, in rest speeds.
const NOTABLE: f64 = 1e-3;

/// Tells of impacts at `time`: of what bounced, and of what arrived that was not closed `before`.
pub(super) fn tell_impacts(
    (model, state, time): (&Model, &State, f64),
    bounces: &[Bounce],
    (lines, answer): (&[Line], &Answer),
    before: &KnownRows,
    report: &mut StepReport,
) {
    let notable = NOTABLE.max(model.settings.rest_speed);
    let arrives = |line: &Line, impulse: f64| {
        line.row.kind == RowKind::Unilateral && impulse > 0.0 && !before.is_closed(line.row.source)
    };
    let arrivals = lines.iter().zip(&answer.impulses).filter(|(line, impulse)| arrives(line, **impulse));
    let arrivals = arrivals.map(|(line, impulse)| (&line.row, *impulse));
    let bounces = bounces.iter().map(|bounce| (&bounce.row, bounce.impulse));
    for (row, impulse) in bounces.chain(arrivals).filter(|(row, _): &(&Row, f64)| row.rate < -notable) {
        report.counters.collisions += 1;
        report.counters.impulses += 1;
        let [x, y, _] = row.row.jacobian[0];
        report.events.push(Event::Collision {
            time,
            contact: contact_id(row.source, row.row.bodies),
            point: row.point,
            normal: Vec2::new(x, y),
            impulse,
            velocity_before: row.rate,
            velocity_after: rate_of(&row.row, &state.bodies),
        });
    }
}

/// Tells which contacts begin and end to press; what is known `now` is of these lines, one by one.
pub(super) fn tell_changes(
    before: &KnownRows,
    now: &KnownRows,
    lines: &[Line],
    time: f64,
    report: &mut StepReport,
) {
    let begins = |line: &&Line| now.is_closed(line.row.source) && !before.is_closed(line.row.source);
    for line in lines.iter().filter(begins) {
        let Source::Contact(contact) = line.row.source else { continue };
        report.events.push(Event::ContactBegin { time, contact, point: line.row.point });
    }
    for known in before.iter().filter(|known| known.closed && !now.is_closed(known.source)) {
        let Source::Contact(contact) = known.source else { continue };
        let point = now.place(known.source).map(|line| lines[line].row.point);
        report.events.push(Event::ContactEnd { time, contact, point });
    }
}

/// The mean forces of a step of length `h`, for reports.
pub(super) fn tell_forces(
    (lines, answer): (&[Line], &Answer),
    state: &State,
    road: &mut Road,
    work: &mut Work,
    h: f64,
) {
    let tells = |line: &Line, p: f64| {
        let some = p != 0.0 || line.row.is_bilateral() || line.row.source.is_friction();
        some && !line.row.source.is_law()
    };
    let rows = lines.iter().zip(&answer.impulses).filter(|(line, p)| tells(line, **p));
    road.set_answer(rows.map(|(line, p)| (line.row, p / h)));
    work.forces.last.clear();
    append_forces(state, road, &mut work.forces.last);
    let largest = work.forces.last.iter().fold(0.0, |most: f64, f| most.max(f.force.abs()));
    work.forces.note(largest);
}

/// Appends the mean forces of the last step on contacts and connectors.
pub(super) fn append_forces(state: &State, road: &Road, forces: &mut Vec<ContactForce>) {
    let first = forces.len();
    report_forces(state, road, forces);
    let mut place = 0;
    forces.retain(|contact| {
        place += 1;
        place <= first || contact.force != 0.0 || contact.bilateral
    });
}
