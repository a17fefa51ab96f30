//! Corners that meet flush.
//!
//! Two corners above each other push along the line between them. In a flush stack that line should be upright, and
//! rounding tilts it: the blocks would creep. Where the line is upright on a side that ends at one of the corners to
//! within [`FLUSH_TILT`], the contact is that of the other corner with this side.

use crate::collision::Collision;
use crate::tolerance::FLUSH_TILT;
use engine2d_geometry::{BodyRef, CollisionBody, Contact, ContactGeometry, ContactId, Curve, Features};

/// Replaces flush corner contacts by those of a corner and a side.
pub(crate) fn straighten_flush_corners(records: &mut [Collision], bodies: &[CollisionBody], time: f64) {
    for record in records {
        let id = record.contact.id;
        let Features::VertexVertex { vertex, other } = id.features else { continue };
        let flush =
            on_side(&record.contact, (id.primary, vertex), (id.normal_body, other), 1.0, bodies, time)
                .or_else(|| {
                    on_side(
                        &record.contact,
                        (id.normal_body, other),
                        (id.primary, vertex),
                        -1.0,
                        bodies,
                        time,
                    )
                });
        if let Some(contact) = flush {
            record.contact = contact;
        }
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
