//! Corners that meet flush.
//!
//! Two corners above each other push along the line between them. In a flush stack that line should be upright, and
//! rounding tilts it: the blocks would creep. Where the line is upright on a side that ends at one of the corners to
//! within [`FLUSH_TILT`], the contact is that of the other corner with this side.

use super::collision::Collision;
use crate::tolerance::FLUSH_TILT;
use engine2d_geometry::{BodyRef, CollisionBody, Contact, ContactGeometry, ContactId, Curve, Features};

/// Replaces flush corner contacts by those of a corner and a side. Rounding also decides which of two flush corners
/// lies on the other's side: of both descriptions the one with the later body's corner is taken, so that contacts keep
/// their identity.
pub(crate) fn straighten_flush_corners(records: &mut [Collision], bodies: &[CollisionBody], time: f64) {
    for record in records {
        let Some([mut later, mut earlier]) = flush_corners(&record.contact, bodies) else { continue };
        let mut sign = if later.0 == record.contact.id.primary { 1.0 } else { -1.0 };
        if later.0 < earlier.0 {
            (later, earlier) = (earlier, later);
            sign = -sign;
        }
        let flush = on_side(&record.contact, later, earlier, sign, bodies, time)
            .or_else(|| on_side(&record.contact, earlier, later, -sign, bodies, time));
        if let Some(contact) = flush {
            record.contact = contact;
        }
    }
}

/// The two corners that a contact is between, if they are flush or may be: those of a corner contact, or the corner
/// and the end of the side right below it. The primary body's comes first.
fn flush_corners(contact: &Contact, bodies: &[CollisionBody]) -> Option<[(BodyRef, u32); 2]> {
    let (primary, normal_body) = (contact.id.primary, contact.id.normal_body);
    match contact.id.features {
        Features::VertexVertex { vertex, other } => Some([(primary, vertex), (normal_body, other)]),
        Features::VertexEdge { vertex, edge } => {
            let (p, n) = (&bodies[primary.index()?], &bodies[normal_body.index()?]);
            let tip = p.to_world(p.shape.vertices().get(vertex as usize)?.point());
            let edge = n.shape.edges().get(edge as usize).filter(|edge| edge.is_straight())?;
            let is_below = |end: &usize| {
                let offset = tip - n.to_world(n.shape.vertices()[*end].point());
                let beside = (offset - contact.normal * offset.dot(&contact.normal)).norm();
                beside <= FLUSH_TILT * contact.distance
            };
            let end = [edge.start_vertex(), edge.end_vertex()].into_iter().find(is_below)?;
            Some([(primary, vertex), (normal_body, end as u32)])
        }
        _ => None,
    }
}

/// The contact of a corner with a side that ends at the corner of another body, if the contact's normal times `sign`
/// is the side's.
fn on_side(
    contact: &Contact,
    (primary, vertex): (BodyRef, u32),
    (normal_body, other): (BodyRef, u32),
    sign: f64,
    bodies: &[CollisionBody],
    time: f64,
) -> Option<Contact> {
    let (p, n) = (&bodies[primary.index()?], &bodies[normal_body.index()?]);
    let corner = n.shape.vertices().get(other as usize)?;
    let tip = p.to_world(p.shape.vertices().get(vertex as usize)?.point());
    for edge in [corner.previous_edge(), corner.next_edge()] {
        let Some(Curve::Straight(line)) = n.shape.edges().get(edge).map(|e| e.curve()) else { continue };
        let normal = n.pose.rotate(line.normal());
        let tilt = (normal - contact.normal * sign).norm();
        if tilt <= FLUSH_TILT {
            let local = n.to_body(tip);
            let features = Features::VertexEdge { vertex, edge: edge as u32 };
            let geometry = ContactGeometry {
                distance: line.line_distance(local),
                normal,
                point: n.to_world(line.foot(local)),
                ..ContactGeometry::straight(ContactId { primary, normal_body, features })
            };
            return Some(Contact::new(&geometry, bodies, time));
        }
    }
    None
}
