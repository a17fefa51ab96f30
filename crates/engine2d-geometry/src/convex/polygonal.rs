//! Distance of cores with edges: segments and polygons.
//!
//! Penetration depth is attained at a face of the Minkowski difference: an edge of one core against a corner of
//! the other. Separation too, unless corners face each other. The corner farthest against an edge's normal
//! turns with that normal: all faces are looked at in one turn about both cores \[Shamos 1978, rotating
//! calipers\].

use super::distance::{Gap, points};
use super::outline::Outline;
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
    if a.outline.len() <= 2 && b.outline.len() <= 2 {
        let apart = closest_on_segments(a, b);
        if apart.distance > 0.0 {
            return apart;
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
    let near = if of_a { [face.edge, face.corner] } else { [face.corner, face.edge] };
    if face.separation > 0.0 && !face.is_nearest {
        return gjk(a, b, near);
    }
    let (owner, other) = if of_a { (a, b) } else { (b, a) };
    let outward = owner.pose.rotate(owner.outline.normals()[face.edge]);
    let corner = other.at(face.corner);
    let on_edge = corner - outward * face.separation;
    let (normal, point_a, point_b) =
        if of_a { (-outward, on_edge, corner) } else { (outward, corner, on_edge) };
    Gap { distance: face.separation, normal, point_a, point_b, near }
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
        (a0, closest_on_segment(a0, b0, b1)),
        (a1, closest_on_segment(a1, b0, b1)),
        (closest_on_segment(b0, a0, a1), b0),
        (closest_on_segment(b1, a0, a1), b1),
    ];
    let mut best = candidates[0];
    for c in candidates {
        if (c.0 - c.1).norm_squared() < (best.0 - best.1).norm_squared() {
            best = c;
        }
    }
    points(best.0, best.1, [0, 0])
}

fn closest_on_segment(p: Vec2, s: Vec2, e: Vec2) -> Vec2 {
    let along = e - s;
    let square = along.norm_squared();
    if square == 0.0 {
        return s;
    }
    s + along * ((p - s).dot(&along) / square).clamp(0.0, 1.0)
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
