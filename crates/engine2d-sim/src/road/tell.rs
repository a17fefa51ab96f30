//! Multipliers told as forces: of contacts and connectors for reports, of joints as reactions.

use super::look::Road;
use super::row::Source;
use crate::contact_force::ContactForce;
use crate::state::State;
use engine2d_constraint::Reaction;
use engine2d_geometry::{BodyRef, ContactId, Features};
use engine2d_math::{Vec2, cross};

/// The bodies and the name of a row in events and reports.
pub(crate) fn contact_id(source: Source, bodies: [BodyRef; 2]) -> ContactId {
    let [primary, normal_body] = bodies;
    let features = match source {
        Source::Contact(id) | Source::Friction(id) | Source::Rolling(id) => return id,
        Source::Connector(number) => Features::Connector(number),
        Source::Equation { constraint, .. } => Features::Joint(constraint),
        Source::Law { .. } => unreachable!("a force law is no contact"),
    };
    ContactId { primary, normal_body, features }
}

/// Appends the forces of the last evaluation, of contacts and connectors, for reports.
pub(crate) fn report_forces(state: &State, road: &Road, out: &mut Vec<ContactForce>) {
    for (row, &force) in road.rows.acting.iter().zip(&road.answer) {
        match row.source {
            Source::Equation { .. } | Source::Law { .. } => {}
            // The rows of friction and of rolling resistance follow their contact's, if it is told.
            Source::Friction(id) => {
                if let Some(contact) = out.last_mut().filter(|contact| contact.id == id) {
                    contact.friction = force;
                }
            }
            Source::Rolling(id) => {
                if let Some(contact) = out.last_mut().filter(|contact| contact.id == id) {
                    contact.rolling_torque = force;
                }
            }
            source => {
                let target = state.held.get(source).map_or(0.0, |h| h.target);
                let [jx, jy, _] = row.row.jacobian[0];
                out.push(ContactForce {
                    id: contact_id(source, row.row.bodies),
                    point: row.point,
                    normal: Vec2::new(jx, jy),
                    force,
                    friction: 0.0,
                    rolling_torque: 0.0,
                    gap: row.error + target,
                    tolerance: state.touch,
                    bilateral: row.is_bilateral(),
                });
            }
        }
    }
}

/// The wrench of a joint on one of its bodies at the last evaluation, about a point (world).
pub(crate) fn reaction(state: &State, road: &Road, joint: u32, body: BodyRef, about: Vec2) -> Reaction {
    let mut total = Reaction { point: about, force: Vec2::zeros(), torque: 0.0 };
    let acting = road.rows.acting.iter().zip(road.answer.iter().copied());
    let known = road.rows.known.iter().map(|k| (&k.row, k.multiplier));
    for (row, multiplier) in acting.chain(known) {
        if !matches!(row.source, Source::Equation { constraint, .. } if constraint == joint) {
            continue;
        }
        for (&end, j) in row.row.bodies.iter().zip(&row.row.jacobian) {
            if end != body {
                continue;
            }
            let force = Vec2::new(j[0], j[1]) * multiplier;
            let center = body.index().map_or(Vec2::zeros(), |i| state.bodies[i].pose.position());
            total.force += force;
            total.torque += j[2] * multiplier - cross(about - center, force);
        }
    }
    total
}
