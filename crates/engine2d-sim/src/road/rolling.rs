//! Rolling resistance: a torque between bodies that roll on each other, up to a length times their normal force.
//!
//! The resultant of the pressure between surfaces that yield a little lies ahead of the point of contact, by up to a length `c`
//! that belongs to the pair: bodies that turn against each other feel the torque `c f_n` against it, bodies that do not any
//! torque up to that \[Johnson 1985, Contact Mechanics, §9.1\]. It is Coulomb's law with angular velocities in the place of
//! tangential ones, and makes a row of the same kind.

use super::held::Roll;
use super::row::{Row, Source};
use crate::model::Model;
use engine2d_constraint::{ConstraintRow, RowKind};
use engine2d_geometry::{BodyRef, CollisionBody, ContactId, Features};

/// Whether the surfaces of a contact can roll on each other: an arc on a straight side or on an arc. A corner only turns about
/// itself.
fn rolls(id: ContactId) -> bool {
    matches!(id.features, Features::EdgeEdge { .. })
}

/// The rolling resistance of a contact (length), if it has any.
pub(crate) fn resistance_of(model: &Model, id: ContactId) -> Option<f64> {
    Some(id)
        .filter(|id| rolls(*id))
        .map(|id| model.rolling_between([id.primary, id.normal_body]))
        .filter(|c| *c > 0.0)
}

/// Angular velocity of the first body of a contact against the second.
pub(crate) fn turning_speed(id: ContactId, bodies: &[CollisionBody]) -> f64 {
    let turning = |body: BodyRef| {
        let body = body.index().map(|i| &bodies[i]);
        body.filter(|b| !b.fixed).map_or(0.0, |b| b.angular_velocity)
    };
    turning(id.primary) - turning(id.normal_body)
}

/// The row of the rolling resistance of a contact, whose own row is given.
pub(crate) fn rolling_row(contact: &Row, kind: RowKind, bodies: &[CollisionBody]) -> Row {
    let Source::Contact(id) = contact.source else { unreachable!("rolling resistance of a contact") };
    let row = ConstraintRow { bodies: contact.row.bodies, jacobian: [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]] };
    let rate = turning_speed(id, bodies);
    Row { source: Source::Rolling(id), row, kind, error: 0.0, rate, bias: 0.0, holonomic: false, ..*contact }
}

/// What a row of rolling resistance demands; its contact's row stands at place `normal`.
pub(super) fn roll_kind(roll: Roll, normal: usize) -> RowKind {
    if roll.holds() {
        RowKind::Friction { normal, mu: roll.resistance }
    } else {
        RowKind::Sliding { normal, mu: roll.resistance, sign: -roll.turns }
    }
}
