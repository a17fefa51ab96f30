//! Where two discs or convex polygons face each other: up to two points with one normal, that of the side they face.
//!
//! Of all sides of both polygons the one from which the other is farthest is the side of reference (separating axes \[Gottschalk,
//! Lin, Manocha 1996\]); the side of the other that faces it most is clipped to its ends. One normal for both points keeps
//! friction from wedging a face between two directions.

use crate::road::{Touch, facing};
use engine2d_geometry::{BodyRef, CollisionBody, ContactId, Features, PathContact, PathWorkspace};
use engine2d_math::{Vec2, perp};

/// Most corners of a polygon that is taken here; others go the general way.
const CORNERS: usize = 16;

/// Excess of the distance from a side of the second body over that from one of the first, in the reach, from which it is the
/// side of reference: else sides that lie flush would take turns.
const FLUSH: f64 = 0.01;

/// Smallest sine of the angle of a polygon's corner.
const CONVEX: f64 = 1e-9;

/// A shape as far as manifolds know it, about the centre of mass.
#[derive(Clone, Debug)]
pub(super) enum Plain {
    Disc {
        center: Vec2,
        radius: f64,
    },
    /// Corners counter-clockwise, and the outward normal of the side after each.
    Polygon {
        corners: Vec<Vec2>,
        normals: Vec<Vec2>,
    },
    Other,
}

impl Plain {
    pub(super) fn of(body: &CollisionBody) -> Self {
        let shape = &body.shape;
        if shape.is_unbounded()
            || shape.one_sided_edge().is_some()
            || shape.special_edge().is_some()
            || !body.ignored_edges.is_empty()
        {
            return Self::Other;
        }
        if let Some((center, radius)) = shape.disc() {
            return Self::Disc { center: center - body.center_of_mass, radius };
        }
        let (edges, vertices) = (shape.edges(), shape.vertices());
        let count = edges.len();
        let plain = (3..=CORNERS).contains(&count)
            && vertices.len() == count
            && shape.path_count() == 1
            && edges.iter().enumerate().all(|(k, edge)| edge.is_straight() && edge.start_vertex() == k);
        if !plain {
            return Self::Other;
        }
        let corners: Vec<Vec2> = vertices.iter().map(|v| v.point() - body.center_of_mass).collect();
        let side = |k: usize| corners[(k + 1) % count] - corners[k];
        let turn = |k: usize| side(k).normalize().perp(&side((k + 1) % count).normalize());
        if (0..count).any(|k| side(k).norm() == 0.0 || turn(k) < CONVEX) {
            return Self::Other;
        }
        let normals = (0..count).map(|k| -perp(side(k).normalize())).collect();
        Self::Polygon { corners, normals }
    }
}

/// Corners and normals of a polygon in the world.
struct Placed {
    corners: [Vec2; CORNERS],
    normals: [Vec2; CORNERS],
    count: usize,
}

impl Placed {
    fn new(body: &CollisionBody, corners: &[Vec2], normals: &[Vec2]) -> Self {
        let mut placed = Self {
            corners: [Vec2::zeros(); CORNERS],
            normals: [Vec2::zeros(); CORNERS],
            count: corners.len(),
        };
        for k in 0..corners.len() {
            placed.corners[k] = body.pose.transform(corners[k]);
            placed.normals[k] = body.pose.rotate(normals[k]);
        }
        placed
    }

    fn corners(&self) -> &[Vec2] {
        &self.corners[..self.count]
    }

    /// The side from which another polygon is farthest, and how far.
    fn farthest_side(&self, other: &Self) -> (f64, usize) {
        let mut best = (f64::NEG_INFINITY, 0);
        for k in 0..self.count {
            let (n, p) = (self.normals[k], self.corners[k]);
            let least =
                other.corners().iter().fold(f64::INFINITY, |least: f64, q| least.min(n.dot(&(q - p))));
            if least > best.0 {
                best = (least, k);
            }
        }
        best
    }

    fn next(&self, k: usize) -> usize {
        if k + 1 == self.count { 0 } else { k + 1 }
    }
}

/// The narrow phase of the iterative solver, with its scratch.
#[derive(Clone, Debug, Default)]
pub(super) struct Manifolds {
    workspace: PathWorkspace,
    contacts: Vec<PathContact>,
}

impl Manifolds {
    /// Appends where two bodies, the lower number first, face each other at gaps up to `reach` (length).
    pub(super) fn find(
        &mut self,
        bodies: &[CollisionBody],
        shapes: &[Plain],
        [a, b]: [u32; 2],
        reach: f64,
        out: &mut Vec<Touch>,
    ) {
        let (first, second) = (&bodies[a as usize], &bodies[b as usize]);
        match (&shapes[a as usize], &shapes[b as usize]) {
            (Plain::Disc { center: c, radius: r }, Plain::Disc { center: d, radius: s }) => {
                let (p, q) = (first.pose.transform(*c), second.pose.transform(*d));
                let (way, apart) = (p - q, (p - q).norm());
                let gap = apart - r - s;
                if gap <= reach {
                    let normal = if apart > 0.0 { way / apart } else { Vec2::y() };
                    let features = Features::EdgeEdge { edge: 0, other: 0 };
                    out.push(touch([a, b], features, gap, normal, p - normal * *r));
                }
            }
            (Plain::Disc { center, radius }, Plain::Polygon { corners, normals }) => {
                let placed = Placed::new(second, corners, normals);
                disc_on_polygon([a, b], (first.pose.transform(*center), *radius), &placed, reach, out);
            }
            (Plain::Polygon { corners, normals }, Plain::Disc { center, radius }) => {
                let placed = Placed::new(first, corners, normals);
                disc_on_polygon([b, a], (second.pose.transform(*center), *radius), &placed, reach, out);
            }
            (Plain::Polygon { corners: p, normals: n }, Plain::Polygon { corners: q, normals: m }) => {
                polygons([a, b], &Placed::new(first, p, n), &Placed::new(second, q, m), reach, out);
            }
            _ => facing(bodies, ([a, b], false), reach, (&mut self.workspace, &mut self.contacts), out),
        }
    }
}

/// A place on the `primary` body, with the normal out of the other.
fn touch([primary, normal]: [u32; 2], features: Features, gap: f64, out: Vec2, point: Vec2) -> Touch {
    let [primary, normal_body] = [primary, normal].map(BodyRef::Body);
    Touch { id: ContactId { primary, normal_body, features }, gap, normal: out, point }
}

fn disc_on_polygon(
    [disc, polygon]: [u32; 2],
    (center, radius): (Vec2, f64),
    placed: &Placed,
    reach: f64,
    out: &mut Vec<Touch>,
) {
    let height = |k: usize| placed.normals[k].dot(&(center - placed.corners[k]));
    let mut side = (f64::NEG_INFINITY, 0);
    for k in 0..placed.count {
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

fn polygons([a, b]: [u32; 2], first: &Placed, second: &Placed, reach: f64, out: &mut Vec<Touch>) {
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
    for j in 0..other.count {
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
