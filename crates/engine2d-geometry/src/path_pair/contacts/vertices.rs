//! Vertices near edges and near vertices.

use super::super::corner::{Corner, Join};
use super::super::curve::{PlacedCurve, PlacedEdge};
use super::super::placed::PathFeature;
use super::{ContactCurve, Finder, Found, NormalMotion, PathContact, features, ordered};
use crate::tolerance::FACING;
use engine2d_math::kernel::larger;
use engine2d_math::trig;

impl Finder<'_> {
    /// Whether a vertex may touch a side by itself: a corner, or the smooth end of a side from which an arc recedes.
    /// A smooth convex arc touches instead of its ends, and between two sides in line nothing ends.
    fn may_touch(&self, k: usize, corner: &Corner) -> bool {
        let placed = if k == 0 { &self.pair.a } else { &self.pair.b };
        let edges = corner.edges.map(|i| placed.path.shape.edges()[i as usize].curvature_radius());
        corner.join == Join::Convex || edges.iter().any(|r| r.is_infinite()) && edges.iter().any(|r| *r < 0.0)
    }

    /// The vertices of body `k` near the edges of the other.
    pub(super) fn vertices_on_edges(&self, k: usize, found: &mut Found<'_>) {
        for corner in self.corners[k].iter().filter(|c| self.may_touch(k, c)) {
            for edge in self.edges[1 - k] {
                if (corner.point - edge.center).norm() - edge.radius > self.widest() {
                    continue;
                }
                if let Some(contact) = self.vertex_on_edge(k, corner, edge) {
                    found.add(ordered(k, contact));
                }
            }
        }
    }

    pub(super) fn widest(&self) -> f64 {
        larger(larger(self.band.reach, self.band.depth), self.pair.slack)
    }

    /// The contact of a vertex of body `k`, as if that were the first.
    fn vertex_on_edge(&self, k: usize, corner: &Corner, edge: &PlacedEdge) -> Option<PathContact> {
        let p = corner.point;
        let (gap, normal, point_b, curve_b, normal_motion) = match &edge.curve {
            PlacedCurve::Line { normal, .. } => {
                let gap = normal.dot(&(p - edge.start));
                (gap, *normal, p - normal * gap, ContactCurve::Line, NormalMotion::WithB)
            }
            PlacedCurve::Arc(arc) => {
                let out = p - arc.center;
                let length = out.norm();
                // A smooth joint touches an arc as one of its edges does; the centre has no direction.
                if corner.join == Join::Smooth || length <= self.pair.slack {
                    return None;
                }
                let u = out / length;
                let gap = if arc.is_convex { length - arc.radius } else { arc.radius - length };
                let curve = ContactCurve::Arc { center: arc.center, radius: arc.signed_radius() };
                (gap, arc.outward(u), arc.center + u * arc.radius, curve, NormalMotion::BetweenPoints)
            }
        };
        let descent = corner.descent(normal);
        let listed = self.in_band(gap)
            && descent <= self.steepest
            && edge.has_place(edge.place_of(p), self.pair.slack)
            && self.is_met(p, gap, 1 - k, |f, q| corner.descent(f.normal_at(q)) <= FACING);
        listed.then(|| PathContact {
            features: features(PathFeature::Vertex(corner.vertex), PathFeature::Edge(edge.index)),
            gap,
            point_a: p,
            point_b,
            normal,
            curve_a: ContactCurve::Vertex,
            curve_b,
            normal_motion,
            tilt: if descent <= FACING { 0.0 } else { trig::asin(descent) },
        })
    }

    /// Corners of the first body near corners of the second.
    pub(super) fn vertices_on_vertices(&self, found: &mut Found<'_>) {
        for a in self.corners[0].iter().filter(|c| c.join == Join::Convex) {
            for b in self.corners[1].iter().filter(|c| c.join == Join::Convex) {
                let offset = a.point - b.point;
                let length = offset.norm();
                if length > larger(self.band.reach, self.pair.slack) {
                    continue;
                }
                let contact = |normal, gap, normal_motion| PathContact {
                    features: features(PathFeature::Vertex(a.vertex), PathFeature::Vertex(b.vertex)),
                    gap,
                    point_a: a.point,
                    point_b: b.point,
                    normal,
                    curve_a: ContactCurve::Vertex,
                    curve_b: ContactCurve::Vertex,
                    normal_motion,
                    tilt: 0.0,
                };
                if length > self.pair.slack {
                    let normal = offset / length;
                    if a.descent(normal) <= FACING && b.descent(-normal) <= FACING {
                        found.add(contact(normal, length, NormalMotion::BetweenPoints));
                    }
                    continue;
                }
                match Corner::common_normal(a, b) {
                    Some((normal, true)) => {
                        found.replace(contact(normal, normal.dot(&offset), NormalMotion::Fixed));
                    }
                    Some((normal, false)) => {
                        found.add(contact(normal, normal.dot(&offset), NormalMotion::Fixed));
                    }
                    None => {}
                }
            }
        }
    }
}
