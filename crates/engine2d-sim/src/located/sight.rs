//! Whether the features of a held contact still face each other.

use crate::collision::Collision;
use engine2d_geometry::{BodyRef, CollisionBody, Features};
use engine2d_math::Vec2;

/// Whether the nearest points of a record still lie on its two features. Detection says so for gaps that are
/// positive; the gap of a held contact may drift below zero within a step by the integration's tolerance.
pub(super) fn features_face(record: &Collision, bodies: &[CollisionBody]) -> bool {
    let id = record.contact.id;
    let body = |body: BodyRef| body.index().map(|i| &bodies[i]);
    let (Some(primary), Some(normal)) = (body(id.primary), body(id.normal_body)) else { return true };
    let spans = |body: &CollisionBody, edge: u32, point: Vec2| {
        let edge = body.shape.edges().get(edge as usize);
        edge.is_some_and(|edge| edge.segment_distance(body.to_body(point)).is_some())
    };
    match id.features {
        Features::VertexEdge { vertex, edge } => primary
            .shape
            .vertices()
            .get(vertex as usize)
            .is_some_and(|v| spans(normal, edge, primary.to_world(v.point()))),
        Features::EdgeEdge { edge, other } => {
            spans(primary, edge, record.contact.point) && spans(normal, other, record.contact.point)
        }
        // Corners see each other from any side: detection decides.
        Features::VertexVertex { .. } => false,
        Features::Connector(_) => true,
    }
}
