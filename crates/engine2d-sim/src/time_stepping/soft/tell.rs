//! What a step of the iterative solver tells: impacts, contacts that begin and end, mean forces.

use super::super::shared::Shared;
use super::super::tell::append_forces;
use super::borne::borne;
use super::contacts::Contacts;
use super::group::Told;
use super::joints::Joints;
use super::motion::Motion;
use super::stretches::swing_of;
use crate::contact_force::ContactForce;
use crate::model::Model;
use crate::report::{Event, StepReport};
use crate::road::Row;
use crate::state::State;
use crate::work::Work;

/// Approach that makes an impact an event, in rest speeds.
const NOTABLE: f64 = 1e-3;

/// Tells of a stretch of length `h` since `start`, whose substeps are such a share of those of a whole step, and notes what presses; `loads` are those of contacts onto bodies that are led.
pub(super) fn tell(
    (contacts, joints, motions): (&Contacts, &Joints, &[Motion]),
    loads: &mut [[f64; 3]],
    (model, state, shared, work): (&Model, &State, &mut Shared, &mut Work),
    (start, h, share): (f64, f64, f64),
    report: &mut StepReport,
) {
    let notable = NOTABLE.max(model.settings.rest_speed);
    let Shared { memory, road, .. } = shared;
    let rows = joints.told().map(|(row, total)| (row, (total + borne(model, &row, loads)) / h));
    road.set_answer(rows);
    let swing = |(row, force): (&Row, f64)| swing_of(row, force, model, &state.bodies);
    memory.swing = road.forces().map(swing).fold(0.0, f64::max);
    let forces = &mut work.forces.last;
    forces.clear();
    append_forces(state, road, forces);
    let residual = contacts.tell(motions, |told| {
        let Told { place, presses, impulse, total, rolling, gap, rates, struck, normal } = told;
        let near = &mut memory.near[place];
        // Where the next step looks for them.
        (near.impulse, near.rolling) = (impulse, rolling[0]);
        let (id, pressed) = (near.id, std::mem::replace(&mut near.presses, presses));
        if share != 1.0 && pressed {
            // The impulse of an impact is not that of a force.
            near.scale(1.0 / share);
        }
        if !presses {
            if pressed {
                report.events.push(Event::ContactEnd {
                    time: start,
                    contact: id,
                    point: Some(near.meeting(&state.bodies).0),
                });
            }
            return;
        }
        // Out of the normal body.
        let normal = if id.normal_body < id.primary { normal } else { -normal };
        let (point, _) = near.meeting(&state.bodies);
        if !pressed {
            report.events.push(Event::ContactBegin { time: start, contact: id, point });
        }
        if (struck || !pressed) && rates[0] < -notable {
            report.counters.collisions += 1;
            report.counters.impulses += 1;
            report.events.push(Event::Collision {
                time: start,
                contact: id,
                point,
                normal,
                impulse: total[0],
                velocity_before: rates[0],
                velocity_after: rates[1],
            });
        }
        let rolled = if id.primary > id.normal_body { rolling[1] } else { -rolling[1] };
        forces.push(ContactForce {
            id,
            point,
            normal,
            force: total[0] / h,
            friction: total[1] / h,
            rolling_torque: rolled / h,
            gap,
            tolerance: state.touch,
            bilateral: false,
        });
    });
    work.lcp.note(contacts.len() + joints.totals.len(), residual);
    let largest = forces.iter().fold(0.0, |most: f64, f| most.max(f.force.abs()));
    work.forces.note(largest);
}
