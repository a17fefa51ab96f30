//! Two corners that meet.

use super::touch::Touch;
use engine2d_geometry::{CollisionBody, Features, corner_normals};
use engine2d_math::{Vec2, cross};

/// Speed of approach that has no direction (length/time).
const UNDIRECTED: f64 = 1e-9;

/// The normal of two corners that meet: of all that they share the one against which they approach. Where they are says
/// nothing any more.
pub(super) fn corner_normal(touch: &Touch, bodies: &[CollisionBody]) -> Option<Vec2> {
    let Features::VertexVertex { vertex, other } = touch.id.features else { return None };
    let (a, b) = (touch.id.primary.index()?, touch.id.normal_body.index()?);
    let shared = corner_normals((&bodies[a].placed(), vertex), (&bodies[b].placed(), other));
    let Some([low, high]) = shared else { return Some(touch.normal) };
    let at = |k: usize| bodies[k].velocity_at(touch.point - bodies[k].pose.position());
    let approach = at(b) - at(a);
    let speed = approach.norm();
    if speed <= UNDIRECTED {
        return Some(touch.normal);
    }
    let way = approach / speed;
    let between = cross(low, way) >= 0.0 && cross(way, high) >= 0.0 && way.dot(&(low + high)) > 0.0;
    Some(if between {
        way
    } else if way.dot(&low) >= way.dot(&high) {
        low
    } else {
        high
    })
}
