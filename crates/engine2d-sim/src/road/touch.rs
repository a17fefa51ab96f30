//! Places where two bodies touch or face each other, and who of them has what part in it.

use engine2d_geometry::{
    BodyRef, CollisionBody, ContactBand, ContactId, Features, PathContact, PathFeature, PathFeatures,
    PathWorkspace, PlacedPath, path_contacts, path_distance,
};
use engine2d_math::Vec2;

/// Tilt (radians) up to which a raised corner of a side is watched beside contacts that are held: a block that rocks
/// comes down on it.
pub(crate) const WATCHED_TILT: f64 = 1.3;

/// Overlap (relative to the smaller body's radius) that no contact of a pair tells of and that rounding explains.
const UNTOLD: f64 = 1e-12;

/// Growth of an overlap that counts as meeting again.
pub(super) const DEEPER: f64 = 1.5;

/// A place where two bodies touch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    pub(crate) id: ContactId,
    pub(crate) gap: f64,
    /// Out of the normal body into the primary one.
    pub(crate) normal: Vec2,
    pub(crate) point: Vec2,
}

/// Whether two corners meet.
pub(super) fn corners(c: &PathContact) -> bool {
    matches!((c.features.a, c.features.b), (PathFeature::Vertex(_), PathFeature::Vertex(_)))
}

/// The corners of two bodies that are both within `reach` of a point, if there are such.
pub(super) fn tips(a: &PlacedPath<'_>, b: &PlacedPath<'_>, point: Vec2, reach: f64) -> Option<PathFeatures> {
    let tip = |path: &PlacedPath<'_>| {
        let near = |v: &engine2d_geometry::Vertex| (path.to_world(v.point()) - point).norm() <= reach;
        path.shape.vertices().iter().position(near).map(|k| PathFeature::Vertex(k as u32))
    };
    Some(PathFeatures { a: tip(a)?, b: tip(b)? })
}

impl Touch {
    /// A place between bodies `a` and `b`, with the normal out of `b` and the points on both.
    pub(super) fn new(
        id: ContactId,
        pair: [u32; 2],
        gap: f64,
        normal: Vec2,
        [on_a, on_b]: [Vec2; 2],
    ) -> Self {
        let own = id.primary == BodyRef::Body(pair[0]);
        let (normal, point) = if own { (normal, on_a) } else { (-normal, on_b) };
        Self { id, gap, normal, point }
    }
}

/// Whether two bodies can collide.
pub(crate) fn may_meet(bodies: &[CollisionBody], a: u32, b: u32) -> bool {
    let (first, second) = (&bodies[a as usize], &bodies[b as usize]);
    let immovable = first.fixed && second.fixed;
    let ignored = first.ignores_body(b) || second.ignores_body(a);
    !(immovable || ignored) && first.filter.meets(&second.filter)
}

/// The contact of two bodies with its roles: who has the vertex, and who the edge.
/// Circles come before straight sides.
pub(super) fn identity(pair: [u32; 2], features: PathFeatures, bodies: &[CollisionBody]) -> ContactId {
    let straight = |body: u32, edge: u32| bodies[body as usize].shape.edges()[edge as usize].is_straight();
    let [a, b] = pair.map(BodyRef::Body);
    let of = |primary, normal_body, features| ContactId { primary, normal_body, features };
    match (features.a, features.b) {
        (PathFeature::Vertex(vertex), PathFeature::Vertex(other)) => {
            of(a, b, Features::VertexVertex { vertex, other })
        }
        (PathFeature::Vertex(vertex), PathFeature::Edge(edge)) => {
            of(a, b, Features::VertexEdge { vertex, edge })
        }
        (PathFeature::Edge(edge), PathFeature::Vertex(vertex)) => {
            of(b, a, Features::VertexEdge { vertex, edge })
        }
        (PathFeature::Edge(edge), PathFeature::Edge(other)) if straight(pair[0], edge) => {
            of(b, a, Features::EdgeEdge { edge: other, other: edge })
        }
        (PathFeature::Edge(edge), PathFeature::Edge(other)) => of(a, b, Features::EdgeEdge { edge, other }),
    }
}

/// Appends all places where two bodies face each other within a band; what they overlap by more than these tell has a place of its
/// own.
pub(crate) fn facing(
    bodies: &[CollisionBody],
    [a, b]: [u32; 2],
    band: &ContactBand,
    (workspace, contacts): (&mut PathWorkspace, &mut Vec<PathContact>),
    out: &mut Vec<Touch>,
) {
    let pair = [a, b].map(|k| &bodies[k as usize]);
    let [first, second] = pair.map(CollisionBody::placed);
    contacts.clear();
    path_contacts(&first, &second, band, workspace, contacts);
    for c in contacts.iter() {
        let id = identity([a, b], c.features, bodies);
        out.push(Touch::new(id, [a, b], c.gap, c.normal, [c.point_a, c.point_b]));
    }
    let told = contacts.iter().fold(0.0, |told: f64, c| told.min(c.gap));
    let limit = DEEPER * told - UNTOLD * radius_of(pair);
    // Bodies that a line parts overlap by no more.
    if contacts.iter().any(|c| separation(pair, c.normal) >= limit) {
        return;
    }
    let Some(d) = path_distance(&first, &second, 0.0, workspace).filter(|d| d.gap < limit) else { return };
    let id = identity([a, b], d.features, bodies);
    out.push(Touch::new(id, [a, b], d.gap, d.normal, [d.point_a, d.point_b]));
}

/// The radius of the smaller of two bodies.
pub(super) fn radius_of([first, second]: [&CollisionBody; 2]) -> f64 {
    first.shape.outline_circle().1.min(second.shape.outline_circle().1)
}

/// How far a line across a unit normal, out of the second body into the first, keeps them apart (length).
pub(super) fn separation([first, second]: [&CollisionBody; 2], normal: Vec2) -> f64 {
    -first.support(-normal) - second.support(normal)
}

/// How two discs pass each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Passage {
    /// They are never nearer than this (length).
    pub(super) nearest: f64,
    /// Share of the way on which they certainly overlap.
    pub(super) overlap: f64,
}

/// The passage of two discs of which the first goes along `way` beside the second, astray by so much at most. `None` for
/// other bodies.
pub(super) fn passage([first, second]: [&CollisionBody; 2], way: Vec2, stray: f64) -> Option<Passage> {
    let ((p, r), (q, s)) = first.shape.disc().zip(second.shape.disc())?;
    let between = first.to_world(p) - second.to_world(q);
    let squared = way.norm_squared();
    if squared == 0.0 {
        return Some(Passage { nearest: between.norm() - (r + s) - stray, overlap: 0.0 });
    }
    // |between + x way|² = aside² + (x − x₀)² |way|²
    let center = -between.dot(&way) / squared;
    let nearest = (between + way * center.clamp(0.0, 1.0)).norm() - (r + s) - stray;
    let aside = (between + way * center).norm_squared();
    let inner = (r + s - stray).max(0.0);
    let half = ((inner * inner - aside).max(0.0) / squared).sqrt();
    Some(Passage { nearest, overlap: ((center + half).min(1.0) - (center - half).max(0.0)).max(0.0) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine2d_geometry::PathShape;
    use std::sync::Arc;

    /// Two discs of radius 0.5 of which the first is 2 to the left of the second and 0.6 above it.
    fn discs() -> [CollisionBody; 2] {
        let ball = Arc::new(PathShape::ball(0.5).expect("a ball"));
        let mut first = CollisionBody::new(Arc::clone(&ball));
        first.translate(Vec2::new(-2.0, 0.6));
        [first, CollisionBody::new(ball)]
    }

    #[test]
    fn discs_pass_as_a_circle_and_a_line_do() {
        let [first, second] = &discs();
        let pass =
            |x: f64, y: f64, stray: f64| passage([first, second], Vec2::new(x, y), stray).expect("two discs");
        let is = |seen: Passage, nearest: f64, overlap: f64| {
            (seen.nearest - nearest).abs() < 1e-15 && (seen.overlap - overlap).abs() < 1e-15
        };
        let start = 2.0_f64.hypot(0.6) - 1.0;
        // All the way past: a chord of 1.6 at 0.6 from the middle.
        assert!(is(pass(4.0, 0.0, 0.0), -0.4, 0.4), "{:?}", pass(4.0, 0.0, 0.0));
        // Halfway: half of the chord; a quarter: not there yet, 1 from it.
        assert!(is(pass(2.0, 0.0, 0.0), -0.4, 0.4), "{:?}", pass(2.0, 0.0, 0.0));
        assert!(is(pass(1.0, 0.0, 0.0), 1.36_f64.sqrt() - 1.0, 0.0));
        // Away, beside, and not at all.
        assert!(is(pass(-4.0, 0.0, 0.0), start, 0.0) && is(pass(0.0, 0.0, 0.0), start, 0.0));
        assert!(is(pass(0.0, 4.0, 0.0), start, 0.0));
        // Who strays may be nearer, and overlaps for sure only where the others do by as much.
        assert!(is(pass(4.0, 0.0, 0.2), -0.6, 0.28_f64.sqrt() / 2.0), "{:?}", pass(4.0, 0.0, 0.2));
        assert!(is(pass(4.0, 0.0, 0.5), -0.9, 0.0), "{:?}", pass(4.0, 0.0, 0.5));
    }
}
