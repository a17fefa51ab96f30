//! Distance of cores with edges: segments and polygons.
//!
//! Penetration depth is attained at a face of the Minkowski difference: an edge of one core against a corner of
//! the other. Separation too, unless corners face each other. The corner farthest against an edge's normal
//! turns with that normal: all faces are looked at in one turn about both cores \[Shamos 1978, rotating
//! calipers\].

use super::distance::{Gap, points};
use super::outline::Outline;
use crate::tolerance::{NEARLY_TOUCHING, TOUCHING};
use engine2d_math::{Pose, Vec2, cross};

/// The outline of a core at a pose.
pub(super) struct Placed<'a> {
    pub(super) outline: &'a Outline,
    pub(super) pose: &'a Pose,
}

impl Placed<'_> {
    /// Corner `i` (world).
    fn at(&self, i: usize) -> Vec2 {
        self.pose.transform(self.outline.corners()[i])
    }
}

/// Where one core's coordinates lie in another's.
#[derive(Clone, Copy)]
struct Relative {
    offset: Vec2,
    sin: f64,
    cos: f64,
}

impl Relative {
    fn new(inner: &Pose, outer: &Pose) -> Self {
        Self {
            offset: outer.transform_inverse(inner.position()),
            sin: inner.sin() * outer.cos() - inner.cos() * outer.sin(),
            cos: inner.cos() * outer.cos() + inner.sin() * outer.sin(),
        }
    }

    #[inline]
    fn transform(&self, p: Vec2) -> Vec2 {
        self.offset + Vec2::new(p.x * self.cos - p.y * self.sin, p.x * self.sin + p.y * self.cos)
    }

    #[inline]
    fn rotate_inverse(&self, v: Vec2) -> Vec2 {
        Vec2::new(v.x * self.cos + v.y * self.sin, v.y * self.cos - v.x * self.sin)
    }
}

/// An edge of one outline and the corner of another farthest against its normal.
#[derive(Clone, Copy)]
struct Face {
    separation: f64,
    edge: usize,
    corner: usize,
    /// Whether the corner is beyond the edge itself: then nothing is nearer, as the separation along any
    /// direction is a lower bound of the distance.
    is_nearest: bool,
}

/// The edge of `owner` with the largest separation of `other`, or the first with the nearest point.
fn best_face(owner: &Placed<'_>, other: &Placed<'_>) -> Face {
    let relative = Relative::new(other.pose, owner.pose);
    let corners = owner.outline.corners();
    let mut best = Face { separation: f64::NEG_INFINITY, edge: 0, corner: 0, is_nearest: false };
    let mut corner = 0;
    for (edge, normal) in owner.outline.normals().iter().enumerate() {
        corner = other.outline.climb(relative.rotate_inverse(-normal), corner);
        let beyond = relative.transform(other.outline.corners()[corner]) - corners[edge];
        let separation = normal.dot(&beyond);
        if separation > best.separation {
            best = Face { separation, edge, corner, is_nearest: false };
            if separation > 0.0 {
                let along = corners[owner.outline.after(edge)] - corners[edge];
                if (0.0..=along.norm_squared()).contains(&along.dot(&beyond)) {
                    return Face { is_nearest: true, ..best };
                }
            }
        }
    }
    best
}

/// Signed distance of two cores with edges; the normal points out of `b` into `a`.
pub(super) fn corner_distance(a: &Placed<'_>, b: &Placed<'_>) -> Gap {
    let mut segments: Option<(f64, Gap)> = None;
    if a.outline.len() <= 2 && b.outline.len() <= 2 {
        let apart = closest_on_segments(a, b);
        if apart.distance > NEARLY_TOUCHING * scale(&apart) {
            return apart;
        }
        // Of segments that touch only the faces know a normal.
        if apart.distance > touching(&apart) {
            segments = Some((separation(a, b, apart.normal, [0, 0]), apart));
        }
    }
    let mut face = best_face(a, b);
    let mut of_a = true;
    if !face.is_nearest {
        let of_b = best_face(b, a);
        if of_b.is_nearest || face.separation <= of_b.separation {
            (face, of_a) = (of_b, false);
        }
    }
    if let Some((separation, apart)) = segments
        && separation >= face.separation
    {
        return apart;
    }
    let near = if of_a { [face.edge, face.corner] } else { [face.corner, face.edge] };
    if face.separation > 0.0 && !face.is_nearest {
        let apart = gjk(a, b, near);
        // Nearly touching corners have a direction of few digits, which may leave the normals that separate them.
        if apart.distance > NEARLY_TOUCHING * scale(&apart)
            || separation(a, b, apart.normal, near) >= face.separation
        {
            return apart;
        }
    }
    let (owner, other) = if of_a { (a, b) } else { (b, a) };
    let outward = owner.pose.rotate(owner.outline.normals()[face.edge]);
    let corner = other.at(face.corner);
    let on_edge = corner - outward * face.separation;
    let (normal, point_a, point_b) =
        if of_a { (-outward, on_edge, corner) } else { (outward, corner, on_edge) };
    Gap { distance: face.separation, normal, point_a, point_b, near }
}

/// Size of the coordinates that made an answer.
fn scale(gap: &Gap) -> f64 {
    gap.point_a.norm() + gap.point_b.norm()
}

/// Distance below which points of the size of an answer's touch.
fn touching(gap: &Gap) -> f64 {
    TOUCHING * scale(gap)
}

/// The separation along a unit vector (world) out of `b` into `a`, with corners to start the search from.
fn separation(a: &Placed<'_>, b: &Placed<'_>, normal: Vec2, [i, j]: [usize; 2]) -> f64 {
    let i = a.outline.climb(a.pose.rotate_inverse(-normal), i);
    let j = b.outline.climb(b.pose.rotate_inverse(normal), j);
    normal.dot(&(a.at(i) - b.at(j)))
}

/// Closest points of two segments; distance 0 if they cross.
fn closest_on_segments(a: &Placed<'_>, b: &Placed<'_>) -> Gap {
    let ((a0, a1), (b0, b1)) = ((a.at(0), a.at(1)), (b.at(0), b.at(1)));
    let (u, v) = (a1 - a0, b1 - b0);
    let side = |o: Vec2, d: Vec2, p: Vec2| cross(d, p - o);
    if side(a0, u, b0) * side(a0, u, b1) < 0.0 && side(b0, v, a0) * side(b0, v, a1) < 0.0 {
        return points(a0, a0, [0, 0]);
    }
    let candidates = [
        end_and_segment(a0, b0, b1),
        end_and_segment(a1, b0, b1),
        end_and_segment(b0, a0, a1).swapped(),
        end_and_segment(b1, a0, a1).swapped(),
    ];
    let mut best = candidates[0];
    for c in candidates {
        if c.distance < best.distance {
            best = c;
        }
    }
    best
}

/// The point `p` and the nearest of the segment from `s` to `e`; between these the normal is that of the segment, which
/// the difference of near points would only know to few digits.
fn end_and_segment(p: Vec2, s: Vec2, e: Vec2) -> Gap {
    let along = e - s;
    let square = along.norm_squared();
    let t = (p - s).dot(&along);
    if !(0.0 < t && t < square) {
        return points(p, if t > 0.0 { e } else { s }, [0, 0]);
    }
    let across = Vec2::new(along.y, -along.x) / square.sqrt();
    let side = across.dot(&(p - s));
    let (distance, normal) = if side < 0.0 { (-side, -across) } else { (side, across) };
    Gap { distance, normal, point_a: p, point_b: p - normal * distance, near: [0, 0] }
}

/// A corner of the Minkowski difference `A − B`, in A's coordinates, with the corners it comes from.
#[derive(Clone, Copy)]
struct Vertex {
    corners: [usize; 2],
    point: Vec2,
}

/// GJK \[Gilbert, Johnson, Keerthi 1988\] for separated cores: the point of `A − B` nearest to the origin, from
/// two corners near it.
fn gjk(a: &Placed<'_>, b: &Placed<'_>, near: [usize; 2]) -> Gap {
    let relative = Relative::new(b.pose, a.pose);
    let vertex = |[i, j]: [usize; 2]| Vertex {
        corners: [i, j],
        point: a.outline.corners()[i] - relative.transform(b.outline.corners()[j]),
    };
    let first = vertex(near);
    let mut simplex = [first, first];
    let (mut nearest, mut t) = (first.point, 0.0);
    // Each round adds a corner of A − B that is nearer along the last direction: there are finitely many.
    for _ in 0..=a.outline.len() * b.outline.len() {
        let [i, j] = simplex[0].corners;
        let corners = [a.outline.climb(-nearest, i), b.outline.climb(relative.rotate_inverse(nearest), j)];
        let w = vertex(corners);
        if nearest.norm_squared() - nearest.dot(&w.point) <= f64::EPSILON * nearest.norm_squared() {
            break;
        }
        let candidates = [[simplex[0], w], [w, simplex[1]]];
        let mut improved = false;
        for pair in candidates {
            let (p, q) = (pair[0].point, pair[1].point);
            let along = q - p;
            let square = along.norm_squared();
            let s = if square > 0.0 { (-p.dot(&along) / square).clamp(0.0, 1.0) } else { 0.0 };
            let point = p + along * s;
            if point.norm_squared() < nearest.norm_squared() {
                (simplex, nearest, t) = (pair, point, s);
                improved = true;
            }
        }
        if !improved {
            break;
        }
    }
    let [p, q] = simplex.map(|v| v.corners);
    let between = |c: &Placed<'_>, i: usize, k: usize| c.at(i) + (c.at(k) - c.at(i)) * t;
    points(between(a, p[0], q[0]), between(b, p[1], q[1]), p)
}
