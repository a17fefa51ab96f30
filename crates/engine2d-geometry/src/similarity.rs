//! When two records describe one touch, and which of them stays.

use crate::body::{BodyRef, CollisionBody};
use crate::contact::{Contact, Features};
use crate::tolerance::{SAME_TIME, SIMILAR_NORMALS};

/// Distance within which impact points on curves of signed radii `r1`, `r2` (negative concave, infinite
/// straight) belong to one touch at distance tolerance `tolerance`.
///
/// A circle of radius `r` leaves its tangent by `≈ s²/(2r)`, so it stays within the tolerance over
/// `√(2 r tolerance)` on each side; a factor 2 is added for safety.
#[must_use]
pub fn nearness(r1: f64, r2: f64, tolerance: f64) -> f64 {
    let convex_or_straight = |r: f64| if r > 0.0 { r } else { f64::INFINITY };
    let r = if r1.is_infinite() {
        convex_or_straight(r2)
    } else if r2.is_infinite() {
        convex_or_straight(r1)
    } else if r1 > 0.0 && r2 > 0.0 {
        r1.min(r2)
    } else if r1 < 0.0 {
        r1.abs()
    } else {
        r2.abs()
    };
    if r.is_infinite() { tolerance } else { 2.0 * r * (2.0 * tolerance / r).sqrt() }
}

/// Adds `candidate` to `records` unless a similar record is better: the later detected wins, then the
/// smaller gap, then the record already there. Beaten records are removed even when the candidate loses
/// to another.
pub(crate) fn submit<R: AsRef<Contact> + From<Contact>>(
    records: &mut Vec<R>,
    candidate: &Contact,
    bodies: &[CollisionBody],
) {
    let mut refused = false;
    let time = candidate.detection.time;
    records.retain(|record| {
        let other = record.as_ref();
        if !similar(candidate, other, bodies) {
            return true;
        }
        let candidate_wins = if (time - other.detection.time).abs() > SAME_TIME {
            time > other.detection.time
        } else {
            candidate.distance < other.distance
        };
        refused |= !candidate_wins;
        !candidate_wins
    });
    if !refused {
        records.push(R::from(*candidate));
    }
}

/// Whether `new` describes the touch that `old` describes; evaluated from the side of `new`, not symmetric.
fn similar(new: &Contact, old: &Contact, bodies: &[CollisionBody]) -> bool {
    let involves = |b: BodyRef| old.id.primary == b || old.id.normal_body == b;
    if !involves(new.id.primary) || !involves(new.id.normal_body) {
        return false;
    }
    let (primary, normal_body) = (new.id.primary, new.id.normal_body);
    match new.id.features {
        Features::VertexEdge { vertex, edge } => {
            if involves_vertex(old, primary, vertex) {
                return true;
            }
            if !involves_edge(old, normal_body, edge, bodies) {
                return false;
            }
            let Some(owner) = primary.index() else { return false };
            let v = &bodies[owner].shape.vertices()[vertex as usize];
            let adjoining = involves_edge(old, primary, v.previous_edge, bodies)
                || (v.end_point && involves_edge(old, primary, v.next_edge, bodies));
            adjoining && near(new, old)
        }
        Features::VertexVertex { vertex, other } => {
            involves_vertex(old, primary, vertex) || involves_vertex(old, normal_body, other)
        }
        Features::EdgeEdge { edge, other } => {
            involves_edge(old, primary, edge, bodies)
                && involves_edge(old, normal_body, other, bodies)
                && near(new, old)
        }
        Features::Connector(_) | Features::Joint(_) => false,
    }
}

fn near(new: &Contact, old: &Contact) -> bool {
    // A corner bends nothing: it is as near as on a line.
    let primary_radius = new.primary_radius.unwrap_or(f64::INFINITY);
    let reach = nearness(primary_radius, new.normal_radius, new.tolerances.distance);
    (new.point - old.point).norm() <= reach && new.normal.dot(&old.normal).abs() >= SIMILAR_NORMALS
}

fn involves_vertex(record: &Contact, body: BodyRef, index: u32) -> bool {
    match record.id.features {
        Features::VertexEdge { vertex, .. } => record.id.primary == body && vertex == index,
        Features::VertexVertex { vertex, other } => {
            (record.id.primary == body && vertex == index)
                || (record.id.normal_body == body && other == index)
        }
        Features::EdgeEdge { .. } | Features::Connector(_) | Features::Joint(_) => false,
    }
}

fn involves_edge(record: &Contact, body: BodyRef, index: u32, bodies: &[CollisionBody]) -> bool {
    match record.id.features {
        Features::VertexEdge { vertex, edge } => {
            if record.id.normal_body == body && edge == index {
                return true;
            }
            record.id.primary == body
                && body.index().is_some_and(|i| {
                    let v = &bodies[i].shape.vertices()[vertex as usize];
                    v.previous_edge == index || v.next_edge == index
                })
        }
        Features::EdgeEdge { edge, other } => {
            (record.id.primary == body && edge == index) || (record.id.normal_body == body && other == index)
        }
        Features::VertexVertex { .. } | Features::Connector(_) | Features::Joint(_) => false,
    }
}
