//! Distance of cores with corners: points, segments and polygons.

use super::distance::Distance;
use super::farthest;
use engine2d_math::{Pose, Vec2, cross};

/// A core with corners at a pose.
pub(super) struct Corners<'a> {
    pub(super) corners: &'a [Vec2],
    pub(super) pose: &'a Pose,
}

impl Corners<'_> {
    fn len(&self) -> usize {
        self.corners.len()
    }

    fn at(&self, i: usize) -> Vec2 {
        self.pose.transform(self.corners[i])
    }

    /// The corner farthest along the world direction `n`.
    fn support(&self, n: Vec2) -> Vec2 {
        self.at(farthest(self.corners, self.pose.rotate_inverse(n)))
    }

    /// Edges in order: both directions of a segment, none of a point.
    fn edges(&self) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
        let n = self.len();
        (0..if n < 2 { 0 } else { n }).map(move |i| (self.at(i), self.at((i + 1) % n)))
    }
}

/// The separation of `other` beyond the edge `p → q` of a counter-clockwise outline.
struct Face {
    separation: f64,
    /// Unit outward normal of the edge.
    normal: Vec2,
    /// The corner of the other core nearest to the edge's line.
    corner: Vec2,
    edge: (Vec2, Vec2),
}

impl Face {
    /// Whether the corner faces the edge itself, not a continuation of it.
    fn corner_faces_edge(&self) -> bool {
        let along = self.edge.1 - self.edge.0;
        let t = along.dot(&(self.corner - self.edge.0));
        (0.0..=along.norm_squared()).contains(&t)
    }
}

/// The edge of `owner` with the largest separation of `other`.
fn best_face(owner: &Corners<'_>, other: &Corners<'_>) -> Option<Face> {
    let mut best: Option<Face> = None;
    for (p, q) in owner.edges() {
        let along = q - p;
        let length = along.norm();
        let normal = Vec2::new(along.y, -along.x) / length;
        let corner = other.support(-normal);
        let separation = normal.dot(&(corner - p));
        if best.as_ref().is_none_or(|b| separation > b.separation) {
            best = Some(Face { separation, normal, corner, edge: (p, q) });
        }
    }
    best
}

/// Signed distance of two cores with corners; the normal points out of `b` into `a`.
pub(super) fn corner_distance(a: &Corners<'_>, b: &Corners<'_>) -> Distance {
    if a.len() <= 2 && b.len() <= 2 {
        let apart = closest_on_segments(a, b);
        if apart.distance > 0.0 {
            return apart;
        }
    }
    // Penetration depth is attained at a face of the Minkowski difference: an edge of one core against a
    // corner of the other. Separation too, unless corners face each other.
    let of_a = best_face(a, b);
    let of_b = best_face(b, a);
    let choose_a = match (&of_a, &of_b) {
        (Some(fa), Some(fb)) => fa.separation > fb.separation,
        (fa, _) => fa.is_some(),
    };
    let Some(face) = (if choose_a { of_a } else { of_b }) else {
        // Two coinciding points: every direction is as good.
        let p = a.at(0);
        return Distance { distance: 0.0, normal: Vec2::new(1.0, 0.0), point_a: p, point_b: b.at(0) };
    };
    if face.separation > 0.0 && !face.corner_faces_edge() {
        return gjk(a, b, if choose_a { -face.normal } else { face.normal });
    }
    let on_edge = face.corner - face.normal * face.separation;
    let (normal, point_a, point_b) =
        if choose_a { (-face.normal, on_edge, face.corner) } else { (face.normal, face.corner, on_edge) };
    Distance { distance: face.separation, normal, point_a, point_b }
}

/// Closest points of two points or segments; distance 0 if they cross.
fn closest_on_segments(a: &Corners<'_>, b: &Corners<'_>) -> Distance {
    let ends = |c: &Corners<'_>| (c.at(0), c.at(c.len() - 1));
    let ((a0, a1), (b0, b1)) = (ends(a), ends(b));
    let (u, v) = (a1 - a0, b1 - b0);
    let side = |o: Vec2, d: Vec2, p: Vec2| cross(d, p - o);
    if side(a0, u, b0) * side(a0, u, b1) < 0.0 && side(b0, v, a0) * side(b0, v, a1) < 0.0 {
        return Distance { distance: 0.0, normal: Vec2::zeros(), point_a: a0, point_b: a0 };
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
    separated(best.0, best.1)
}

fn separated(point_a: Vec2, point_b: Vec2) -> Distance {
    let d = point_a - point_b;
    let distance = d.norm();
    let normal = if distance > 0.0 { d / distance } else { Vec2::zeros() };
    Distance { distance, normal, point_a, point_b }
}

fn closest_on_segment(p: Vec2, s: Vec2, e: Vec2) -> Vec2 {
    let along = e - s;
    let square = along.norm_squared();
    if square == 0.0 {
        return s;
    }
    s + along * ((p - s).dot(&along) / square).clamp(0.0, 1.0)
}

/// A point of the Minkowski difference `A − B` with the corners it comes from.
#[derive(Clone, Copy)]
struct Vertex {
    a: Vec2,
    b: Vec2,
}

impl Vertex {
    fn point(&self) -> Vec2 {
        self.a - self.b
    }
}

/// GJK for separated cores: the point of `A − B` nearest to the origin, from the face direction `toward`
/// (out of B into A).
fn gjk(a: &Corners<'_>, b: &Corners<'_>, toward: Vec2) -> Distance {
    let support = |n: Vec2| Vertex { a: a.support(-n), b: b.support(n) };
    let first = support(toward);
    let mut simplex = [first, first];
    let (mut nearest, mut t) = (first.point(), 0.0);
    // Each round adds a corner of A − B that is nearer along the last direction: there are finitely many.
    for _ in 0..=a.len() * b.len() {
        let w = support(nearest / nearest.norm());
        if nearest.norm_squared() - nearest.dot(&w.point()) <= f64::EPSILON * nearest.norm_squared() {
            break;
        }
        let candidates = [[simplex[0], w], [w, simplex[1]]];
        let mut improved = false;
        for pair in candidates {
            let (p, q) = (pair[0].point(), pair[1].point());
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
    let [p, q] = simplex;
    separated(p.a + (q.a - p.a) * t, p.b + (q.b - p.b) * t)
}
