//! A step of the iterative solver in several stretches: how many, and the mean forces of them together.

use super::super::near::Near;
use crate::contact_force::ContactForce;
use crate::model::Model;
use crate::road::{Road, Row, reach_of};
use crate::state::State;
use engine2d_constraint::RowKind;
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

/// Angle of the fastest swing under the forces of joints that a substep may be long: of twice as long ones the swing grows from one to the
/// next, and light links under a heavy load fly apart. It is that of the lightest motion a force can make, which is slower mostly.
const SWING: f64 = 1.5;

/// Most substeps of a step for joints, and for springs: of the swing of joints a bound is known, which may be far above it.
const SUBSTEPS: [f64; 2] = [256.0, 4096.0];

/// How fast a joint's force makes the bodies swing about the joint: `F w / r` with the rate `w = Σ 1/m + d²/I` that an impulse across it
/// makes, of bodies `d` away from it, and the size `r` of the smaller one (1/time²).
pub(super) fn swing_of(row: &Row, force: f64, model: &Model, bodies: &[CollisionBody]) -> f64 {
    let across = |j: &[f64; 3]| j[0] != 0.0 || j[1] != 0.0;
    if row.kind != RowKind::Bilateral || !row.row.jacobian.iter().any(across) {
        return 0.0;
    }
    let (mut rate, mut reach) = (0.0, f64::INFINITY);
    for k in row.row.bodies.iter().filter_map(|body| body.index()) {
        let (mass, body) = (&model.masses[k], &bodies[k]);
        if mass.is_movable() {
            rate += mass.linear + (row.point - body.pose.position()).norm_squared() * mass.angular;
            reach = reach.min(reach_of(body));
        }
    }
    force.abs() * rate / reach
}

/// As [`swing_of`] before any force of a joint is known: as if each joint held all that joints hold, under the accelerations `changes / h`.
pub(super) fn swing_at_most(model: &Model, bodies: &[CollisionBody], changes: &[[f64; 3]], h: f64) -> f64 {
    let mut jointed: Vec<usize> =
        model.joints.iter().flat_map(|joint| joint.bodies()).filter_map(|body| body.index()).collect();
    jointed.order();
    jointed.dedup();
    jointed.retain(|&k| model.masses[k].is_movable());
    let force = |&k: &usize| changes[k][0].hypot(changes[k][1]) / (h * model.masses[k].linear);
    let ease = |&k: &usize| {
        let (mass, reach) = (&model.masses[k], reach_of(&bodies[k]));
        2.0 * (mass.linear + reach * reach * mass.angular) / reach
    };
    jointed.iter().map(force).sum::<f64>() * jointed.iter().map(ease).fold(0.0, f64::max)
}

/// Substeps that a step of length `h` needs where joints and springs let bodies swing so fast (1/time²).
pub(super) fn count_substeps(swings: [f64; 2], h: f64) -> u32 {
    let count = |swing: f64, most: f64| (swing.sqrt() * h / SWING).ceil().clamp(1.0, most);
    count(swings[0], SUBSTEPS[0]).max(count(swings[1], SUBSTEPS[1])) as u32
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
