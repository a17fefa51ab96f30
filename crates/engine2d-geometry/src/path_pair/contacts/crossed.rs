//! Corners that have passed each other: outlines that cross where the foot of neither corner is on the side that parts them.

use super::super::corner::{Corner, Join};
use super::super::frame::Placed;
use super::super::placed::PathFeature;
use super::{ContactCurve, Finder, Found, NormalMotion, PathContact, features};
use crate::tolerance::{FACING, PASSED_CORNERS, SAME_NORMAL};
use engine2d_math::{Vec2, trig};

/// A direction in which a corner lies above a straight side at the other corner.
struct Axis {
    /// How far a line across it parts the two corners, as far as their sides reach (length).
    apart: f64,
    /// Outward normal of the side.
    normal: Vec2,
    side: u32,
    /// The body that has the corner above it (0 or 1).
    above: usize,
}

impl Finder<'_> {
    /// Corners of either body that have passed each other. Where they slide over each other, tip on tip, the foot of neither is on
    /// the side of the other, or it is nearer to a side that it does not face: without these the contact would be lost while the
    /// bodies sink into each other. The deepest point of such an overlap is equally far from two sides and has no normal; the least
    /// way that parts both corners has that of a side.
    pub(super) fn crossed_corners(&self, found: &mut Found<'_>) {
        for a in self.corners[0].iter().filter(|c| c.join == Join::Convex) {
            for b in self.corners[1].iter().filter(|c| c.join == Join::Convex) {
                let length = (a.point - b.point).norm();
                if length <= self.pair.slack || length > self.widest() {
                    continue;
                }
                if let Some(contact) = self.crossing(a, b, length).filter(|c| !found.tells(c, [a, b])) {
                    found.add(contact);
                }
            }
        }
    }

    fn crossing(&self, a: &Corner, b: &Corner, length: f64) -> Option<PathContact> {
        let [first, second] = [&self.pair.a, &self.pair.b];
        let reach_a = lengths(first, a);
        let reach_b = lengths(second, b);
        let shortest = reach_a.into_iter().chain(reach_b).fold(f64::INFINITY, f64::min);
        if length > PASSED_CORNERS * shortest {
            return None;
        }
        let over_b = axes((second, b), (a, reach_a), 0);
        let over_a = axes((first, a), (b, reach_b), 1);
        let axis =
            over_b.chain(over_a).reduce(|best, own| if own.apart > best.apart { own } else { best })?;
        let slack = self.pair.slack;
        if axis.apart >= -slack || !self.sides_cross(a, b) {
            return None;
        }
        let contact = match axis.above {
            0 => corner_on_side(a, b, &axis),
            _ => corner_on_side(b, a, &axis).swapped(),
        };
        (contact.gap < -slack && self.in_band(contact.gap)).then_some(contact)
    }
}

impl Finder<'_> {
    /// Whether a side at corner `a` of the first body crosses one at corner `b` of the second.
    fn sides_cross(&self, a: &Corner, b: &Corner) -> bool {
        let of = |k: usize, corner: &Corner| {
            let sides = corner.edges;
            self.edges[k].iter().filter(move |edge| sides.contains(&edge.index))
        };
        of(0, a).any(|e| {
            of(1, b).any(|f| {
                let mut crosses = false;
                e.crossings(f, self.pair.slack, |_, _| crosses = true);
                crosses
            })
        })
    }
}

impl Found<'_> {
    /// Whether a corner is already at a side of the other along the normal of a contact.
    fn tells(&self, contact: &PathContact, [a, b]: [&Corner; 2]) -> bool {
        let at = |corner: &Corner, feature: PathFeature| match feature {
            PathFeature::Vertex(vertex) => vertex == corner.vertex,
            PathFeature::Edge(edge) => corner.edges.contains(&edge),
        };
        self.list[self.first..].iter().any(|other| {
            let here = at(a, other.features.a) && at(b, other.features.b);
            here && other.normal.dot(&contact.normal) >= SAME_NORMAL
        })
    }
}

/// The lengths of the chords of the sides at a corner.
fn lengths(placed: &Placed<'_>, corner: &Corner) -> [f64; 2] {
    let shape = placed.path.shape;
    corner.edges.map(|edge| {
        let edge = &shape.edges()[edge as usize];
        let [from, to] = [edge.start_vertex(), edge.end_vertex()].map(|k| shape.vertices()[k].point());
        (to - from).norm()
    })
}

/// The axes across the straight sides at corner `under`, with `corner` above them.
fn axes<'k>(
    (placed, under): (&'k Placed<'_>, &'k Corner),
    (corner, lengths): (&'k Corner, [f64; 2]),
    above: usize,
) -> impl Iterator<Item = Axis> + 'k {
    let sides = under.normals.into_iter().zip(under.edges);
    let straight = sides.filter(|(_, side)| placed.path.shape.edges()[*side as usize].is_straight());
    straight.map(move |(normal, side)| {
        let down = corner.leaving.iter().zip(lengths).map(|(way, length)| -way.dot(&normal) * length);
        let apart = normal.dot(&(corner.point - under.point)) - down.fold(0.0, f64::max);
        Axis { apart, normal, side, above }
    })
}

/// A corner above a side at the other corner, as if that were of the second body.
fn corner_on_side(corner: &Corner, under: &Corner, axis: &Axis) -> PathContact {
    let Axis { normal, side, .. } = *axis;
    let gap = normal.dot(&(corner.point - under.point));
    let descent = corner.descent(normal);
    PathContact {
        features: features(PathFeature::Vertex(corner.vertex), PathFeature::Edge(side)),
        gap,
        point_a: corner.point,
        point_b: corner.point - normal * gap,
        normal,
        curve_a: ContactCurve::Vertex,
        curve_b: ContactCurve::Line,
        normal_motion: NormalMotion::WithB,
        tilt: if descent <= FACING { 0.0 } else { trig::asin(descent) },
    }
}
