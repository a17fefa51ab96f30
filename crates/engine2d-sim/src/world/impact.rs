//! One set of simultaneous impacts, resolved outside an advance.

use super::World;
use crate::backtracking::Collision;
use engine2d_geometry::{BodyRef, Contact, ContactGeometry, ContactId, Features, Tolerances};
use engine2d_math::Vec2;

/// One impact or constraint of a simultaneous set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactRecord {
    /// Primary and normal body.
    pub bodies: [BodyRef; 2],
    /// Impact point on each of them (world).
    pub points: [Vec2; 2],
    /// Unit normal out of the normal body (world).
    pub normal: Vec2,
    /// Normal velocity before (negative: approaching).
    pub velocity: f64,
    /// Coefficient of restitution in `[0, 1]`.
    pub restitution: f64,
    /// Whether the row is a joint.
    pub bilateral: bool,
    /// Whether the pair rests: simultaneous handling then does not bounce it.
    pub resting: bool,
}

/// What resolving a set of impacts did.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactOutcome {
    /// Impulse of each record along its normal.
    pub impulses: Vec<f64>,
    /// Whether some impulse was positive.
    pub effective: bool,
    /// Simultaneous problems solved.
    pub rounds: u64,
}

impl World {
    pub(super) fn record(&self, number: u32, impact: &ImpactRecord) -> Collision {
        let [primary, normal_body] = impact.bodies;
        let features = Features::Connector(number);
        let geometry = ContactGeometry {
            normal: impact.normal,
            point: impact.points[0],
            normal_point: Some(impact.points[1]),
            bilateral: impact.bilateral,
            // Whether the pair rests is given, not measured: a gap inside or outside the tolerance says so.
            distance: if impact.resting { 0.5 } else { 2.0 },
            tolerances: Some(Tolerances { distance: 1.0, velocity: f64::INFINITY, accuracy: 1.0 }),
            ..ContactGeometry::straight(ContactId { primary, normal_body, features })
        };
        let mut record = Collision::from(Contact::new(&geometry, &self.state.bodies, self.state.time));
        record.contact.velocity = impact.velocity;
        record.restitution = Some(impact.restitution);
        record
    }
}
