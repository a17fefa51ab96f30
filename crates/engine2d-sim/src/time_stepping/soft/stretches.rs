//! A step of the iterative solver in several stretches: how many, and the mean forces of them together.

use super::super::near::Near;
use crate::contact_force::ContactForce;
use crate::road::{Road, Row};
use crate::state::State;
use engine2d_geometry::CollisionBody;
use engine2d_math::order::Order;
use engine2d_math::{Vec2, perp};

/// Angle (radians) that a body with corners turns at most before what is near it is looked for anew: contacts are those of the place
/// where they were found, and the corner that comes down next is none of them.
const FAR: f64 = 0.5;

/// Most stretches of a step: each costs a detection, and with four substeps none has less than one.
const STRETCHES: f64 = 4.0;

/// In how many stretches a step of length `h` is taken, by how far bodies with corners turn that have something near.
pub(super) fn count_stretches(near: &[Near], state: &State, h: f64) -> u32 {
    let turns_far = |body: &CollisionBody| body.angular_velocity.abs() * h > FAR && !body.fixed;
    if !state.bodies.iter().any(turns_far) {
        return 1;
    }
    let bodies = near.iter().flat_map(Near::pair).filter_map(|k| state.bodies.get(k as usize));
    let corners = bodies.filter(|body| turns_far(body) && body.shape.disc().is_none());
    let most = corners.map(|body| body.angular_velocity.abs()).fold(0.0, f64::max);
    (most * h / FAR).ceil().clamp(1.0, STRETCHES) as u32
}

/// The mean forces of the stretches so far, each with its share of the step.
#[derive(Clone, Debug, Default)]
pub(super) struct Means {
    /// In which stretch they act: none acts twice in one.
    stretch: u32,
    contacts: Vec<(u32, ContactForce)>,
    rows: Vec<(u32, (Row, f64))>,
}

impl Means {
    pub(super) fn clear(&mut self) {
        self.stretch = 0;
        self.contacts.clear();
        self.rows.clear();
    }

    /// Adds the mean forces of a stretch that is the given share of the step.
    pub(super) fn add(&mut self, (contacts, road): (&[ContactForce], &Road), share: f64) {
        let stretch = self.stretch;
        let of_step = |contact: &ContactForce| ContactForce {
            force: share * contact.force,
            friction: share * contact.friction,
            rolling_torque: share * contact.rolling_torque,
            ..*contact
        };
        self.contacts.extend(contacts.iter().map(|contact| (stretch, of_step(contact))));
        self.rows.extend(road.forces().map(|(row, force)| (stretch, (*row, share * force))));
        self.stretch += 1;
    }

    /// Puts those of the whole step in the place of the last stretch's.
    pub(super) fn tell(&mut self, contacts: &mut Vec<ContactForce>, road: &mut Road) {
        self.contacts.order_distinct_by_key(|(stretch, contact)| (contact.id, *stretch));
        self.contacts.dedup_by(|(_, later), (_, sum)| {
            let same = later.id == sum.id;
            if same {
                *sum = together(sum, later);
            }
            same
        });
        contacts.clear();
        contacts.extend(self.contacts.iter().map(|(_, contact)| *contact));
        self.rows.order_distinct_by_key(|(stretch, (row, _))| (row.source, *stretch));
        self.rows.dedup_by(|(_, later), (_, sum)| {
            let same = later.0.source == sum.0.source;
            if same {
                *sum = (later.0, sum.1 + later.1);
            }
            same
        });
        road.set_answer(self.rows.iter().map(|(_, row)| *row));
    }
}

/// The sum of the forces on a contact in two stretches, where it is in the later one. A normal that has turned is that of the sum of
/// the normal forces, so that the force has the impulse of both.
fn together(sum: &ContactForce, later: &ContactForce) -> ContactForce {
    let force =
        |contact: &ContactForce| contact.normal * contact.force + perp(contact.normal) * contact.friction;
    let total: Vec2 = force(sum) + force(later);
    let lean = sum.normal * sum.force + later.normal * later.force;
    // Bilateral forces have any sign.
    let normal = if later.bilateral { later.normal } else { lean.try_normalize(0.0).unwrap_or(later.normal) };
    ContactForce {
        normal,
        force: total.dot(&normal),
        friction: total.dot(&perp(normal)),
        rolling_torque: sum.rolling_torque + later.rolling_torque,
        ..*later
    }
}
