//! Where two discs or convex polygons face each other: up to two points with one normal, that of the side they face.
//!
//! Of all sides of both polygons the one from which the other is farthest is the side of reference (separating axes \[Gottschalk,
//! Lin, Manocha 1996\]); the side of the other that faces it most is clipped to its ends. One normal for both points keeps
//! friction from wedging a face between two directions.

use super::super::detect::NarrowScratch;
use super::shapes::{Plain, Polygon, Shapes};
use crate::road::{Touch, facing, is_beside_corner};
use engine2d_geometry::{BodyRef, CollisionBody, ContactBand, ContactId, Features};
use engine2d_math::{Vec2, perp};

/// Excess of the distance from a side of the second body over that from one of the first, in the reach, from which it is the
/// side of reference: else sides that lie flush would take turns.
const FLUSH: f64 = 0.01;

/// Appends where two bodies, the lower number first, face each other within a band.
pub(super) fn find(
    (bodies, shapes): (&[CollisionBody], &Shapes),
    scratch: &mut NarrowScratch,
    [a, b]: [u32; 2],
    band: &ContactBand,
    out: &mut Vec<Touch>,
) {
    if between(shapes, [a, b], band.reach, out) {
        return;
    }
    let mut place = out.len();
    facing(bodies, [a, b], band, (&mut scratch.workspace, &mut scratch.contacts), out);
    // Where soft contacts let a disc sink into a side, the corner at its end would stand in its way.
    while let Some(touch) = out.get(place) {
        if is_beside_corner(touch.id, bodies) {
            out.remove(place);
        } else {
            place += 1;
        }
    }
}

/// The same of discs and polygons; whether both are such.
pub(super) fn between(shapes: &Shapes, [a, b]: [u32; 2], reach: f64, out: &mut Vec<Touch>) -> bool {
    match (shapes.plain(a), shapes.plain(b)) {
        (Plain::Disc { radius: r, .. }, Plain::Disc { radius: s, .. }) => {
            let (p, q) = (shapes.middle(a), shapes.middle(b));
            let (way, apart) = (p - q, (p - q).norm());
            let gap = apart - r - s;
            if gap <= reach {
                let normal = if apart > 0.0 { way / apart } else { Vec2::y() };
                let features = Features::EdgeEdge { edge: 0, other: 0 };
                out.push(touch([a, b], features, gap, normal, p - normal * r));
            }
        }
        (Plain::Disc { radius, .. }, Plain::Polygon { first, count, .. }) => {
            let polygon = shapes.polygon(b, first, count);
            disc_on_polygon([a, b], (shapes.middle(a), radius), &polygon, reach, out);
        }
        (Plain::Polygon { first, count, .. }, Plain::Disc { radius, .. }) => {
            let polygon = shapes.polygon(a, first, count);
            disc_on_polygon([b, a], (shapes.middle(b), radius), &polygon, reach, out);
        }
        (Plain::Polygon { first: p, count: m, .. }, Plain::Polygon { first: q, count: n, .. }) => {
            polygons([a, b], &shapes.polygon(a, p, m), &shapes.polygon(b, q, n), reach, out);
        }
        _ => return false,
    }
    true
}

/// A place on the `primary` body, with the normal out of the other.
fn touch([primary, normal]: [u32; 2], features: Features, gap: f64, out: Vec2, point: Vec2) -> Touch {
    let [primary, normal_body] = [primary, normal].map(BodyRef::Body);
    Touch { id: ContactId { primary, normal_body, features }, gap, normal: out, point }
}

fn disc_on_polygon(
    [disc, polygon]: [u32; 2],
    (center, radius): (Vec2, f64),
    placed: &Polygon<'_>,
    reach: f64,
    out: &mut Vec<Touch>,
) {
    let height = |k: usize| placed.normals[k].dot(&(center - placed.corners[k]));
    let mut side = (f64::NEG_INFINITY, 0);
    for k in 0..placed.corners.len() {
        let h = height(k);
        if h > side.0 {
            side = (h, k);
        }
    }
    let (h, k) = side;
    if h > radius + reach {
        return;
    }
    let (p, q) = (placed.corners[k], placed.corners[placed.next(k)]);
    let along = q - p;
    let corner = if h <= 0.0 {
        None
    } else if (center - p).dot(&along) < 0.0 {
        Some(k)
    } else if (center - q).dot(&along) > 0.0 {
        Some(placed.next(k))
    } else {
        None
    };
    if let Some(vertex) = corner {
        // Out of the disc, towards the corner.
        let way = placed.corners[vertex] - center;
        let apart = way.norm();
        if apart > 0.0 && apart - radius <= reach {
            let features = Features::VertexEdge { vertex: vertex as u32, edge: 0 };
            out.push(touch([polygon, disc], features, apart - radius, way / apart, placed.corners[vertex]));
        }
        return;
    }
    let normal = placed.normals[k];
    let features = Features::EdgeEdge { edge: 0, other: k as u32 };
    out.push(touch([disc, polygon], features, h - radius, normal, center - normal * radius));
}

fn polygons([a, b]: [u32; 2], first: &Polygon<'_>, second: &Polygon<'_>, reach: f64, out: &mut Vec<Touch>) {
    let (ga, ka) = first.farthest_side(second);
    if ga > reach {
        return;
    }
    let (gb, kb) = second.farthest_side(first);
    if gb > reach {
        return;
    }
    let flip = gb > ga + FLUSH * reach;
    // The body of the side of reference, and the other.
    let (own, other, ids, k) = if flip { (second, first, [b, a], kb) } else { (first, second, [a, b], ka) };
    let normal = own.normals[k];
    let along = perp(normal);
    let start = own.corners[k];
    let length = along.dot(&(own.corners[own.next(k)] - start));
    // The side that faces it most.
    let mut facing = (f64::INFINITY, 0);
    for j in 0..other.corners.len() {
        let d = normal.dot(&other.normals[j]);
        if d < facing.0 {
            facing = (d, j);
        }
    }
    let j = facing.1;
    let ends = [j, other.next(j)];
    let at = ends.map(|e| along.dot(&(other.corners[e] - start)));
    // The other's side runs against the direction of this one.
    if at[1] > length || at[0] < 0.0 {
        let own_end = if at[1] > length { own.next(k) } else { k };
        let other_end = if at[1] > length { ends[1] } else { ends[0] };
        let way = other.corners[other_end] - own.corners[own_end];
        let gap = way.norm();
        if gap > 0.0 && gap <= reach {
            let features = Features::VertexVertex { vertex: other_end as u32, other: own_end as u32 };
            out.push(touch([ids[1], ids[0]], features, gap, way / gap, other.corners[other_end]));
        }
        return;
    }
    let before = out.len();
    for (which, &t) in at.iter().enumerate() {
        let inside = (0.0..=length).contains(&t);
        if inside {
            let p = other.corners[ends[which]];
            let gap = normal.dot(&(p - start));
            let features = Features::VertexEdge { vertex: ends[which] as u32, edge: k as u32 };
            out.push(touch([ids[1], ids[0]], features, gap, normal, p));
        } else {
            // The end of the side of reference, seen along the normal on the other's side.
            let vertex = if t < 0.0 { k } else { own.next(k) };
            let share = (along.dot(&(own.corners[vertex] - start)) - at[0]) / (at[1] - at[0]);
            let (p, q) = (other.corners[ends[0]], other.corners[ends[1]]);
            let gap = normal.dot(&(p + (q - p) * share - start));
            let features = Features::VertexEdge { vertex: vertex as u32, edge: j as u32 };
            out.push(touch(ids, features, gap, -normal, own.corners[vertex]));
        }
    }
    let mut place = before;
    while place < out.len() {
        if out[place].gap > reach {
            out.swap_remove(place);
        } else {
            place += 1;
        }
    }
}
