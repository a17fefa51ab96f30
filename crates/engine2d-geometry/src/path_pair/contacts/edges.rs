//! Arcs near lines and near arcs.

use super::super::corner::{Corner, Join};
use super::super::curve::{PlacedArc, PlacedCurve, PlacedEdge};
use super::super::placed::PathFeature;
use super::{ContactCurve, Finder, Found, NormalMotion, PathContact, features, ordered};
use crate::tolerance::FACING;
use engine2d_math::kernel::larger;
use engine2d_math::{Vec2, cross, trig};

impl Finder<'_> {
    /// Arcs of either body near edges of the other.
    pub(super) fn edges_on_edges(&self, found: &mut Found<'_>) {
        for e in self.edges[0] {
            for f in self.edges[1] {
                if e.apart(f) > larger(self.band.reach, self.pair.slack) {
                    continue;
                }
                match (&e.curve, &f.curve) {
                    (PlacedCurve::Line { .. }, PlacedCurve::Line { .. }) => {}
                    (PlacedCurve::Arc(arc), PlacedCurve::Line { normal, .. }) => {
                        self.arc_on_line(0, (e, arc), (f, *normal), found);
                    }
                    (PlacedCurve::Line { normal, .. }, PlacedCurve::Arc(arc)) => {
                        self.arc_on_line(1, (f, arc), (e, *normal), found);
                    }
                    (PlacedCurve::Arc(first), PlacedCurve::Arc(second)) => {
                        if let Some(contact) = self.arc_on_arc(e, first, f, second) {
                            found.add(contact);
                        }
                    }
                }
            }
        }
    }

    /// A convex arc of body `k` near a line of the other.
    fn arc_on_line(
        &self,
        k: usize,
        (edge, arc): (&PlacedEdge, &PlacedArc),
        (line, normal): (&PlacedEdge, Vec2),
        found: &mut Found<'_>,
    ) {
        if !arc.is_convex {
            return;
        }
        let slack = self.pair.slack;
        let mut list = |p: Vec2, curve_a: ContactCurve, descent: f64| {
            let gap = normal.dot(&(p - line.start));
            let listed = self.in_band(gap)
                && line.has_place(line.place_of(p), slack)
                && self.is_met(p, gap, 1 - k, |_, _| false);
            if listed {
                let contact = PathContact {
                    features: features(PathFeature::Edge(edge.index), PathFeature::Edge(line.index)),
                    gap,
                    point_a: p,
                    point_b: p - normal * gap,
                    normal,
                    curve_a,
                    curve_b: ContactCurve::Line,
                    normal_motion: NormalMotion::WithB,
                    tilt: if descent <= FACING { 0.0 } else { trig::asin(descent) },
                };
                found.add(ordered(k, contact));
            }
        };
        let deepest = arc.center - normal * arc.radius;
        if edge.has_place(edge.place_of(deepest), slack) {
            list(deepest, ContactCurve::Arc { center: arc.center, radius: arc.radius }, 0.0);
            return;
        }
        // Where the arc goes on into a line that faces this one, its end is the end of that line.
        for (vertex, end) in [(edge.start_vertex, edge.start), (edge.end_vertex, edge.end)] {
            let u = (end - arc.center) / arc.radius;
            let descent = cross(u, normal).abs();
            if u.dot(&normal) >= 0.0 || descent > self.steepest {
                continue;
            }
            let Some(corner) = self.corners[k].iter().find(|c| c.vertex == vertex) else { continue };
            if corner.join == Join::Smooth && self.other_is_straight(k, corner, edge.index) {
                list(end, ContactCurve::Vertex, descent);
            }
        }
    }

    /// Whether the edge that joins edge `index` of body `k` at a corner is straight.
    fn other_is_straight(&self, k: usize, corner: &Corner, index: u32) -> bool {
        let [previous, next] = corner.edges;
        let other = if previous == index { next } else { previous };
        let placed = if k == 0 { &self.pair.a } else { &self.pair.b };
        placed.path.shape.edges()[other as usize].is_straight()
    }

    /// Two arcs, not both concave, on their line of centres.
    fn arc_on_arc(
        &self,
        e: &PlacedEdge,
        first: &PlacedArc,
        f: &PlacedEdge,
        second: &PlacedArc,
    ) -> Option<PathContact> {
        let slack = self.pair.slack;
        let apart = first.center - second.center;
        let length = apart.norm();
        // The direction from the second centre in which the second arc is met, and that of the first.
        let (inner_first, inner_second) = match (first.is_convex, second.is_convex) {
            (true, true) => (false, false),
            (true, false) if first.radius <= second.radius + slack => (true, false),
            (false, true) if second.radius <= first.radius + slack => (false, true),
            _ => return None,
        };
        let towards_first = if length > slack {
            apart / length
        } else if inner_second {
            // Of concentric arcs any direction is as good.
            -first.middle
        } else {
            second.middle
        };
        let u = if inner_first { towards_first } else { -towards_first };
        let v = if inner_second { -towards_first } else { towards_first };
        let point_a = first.center + u * first.radius;
        let point_b = second.center + v * second.radius;
        if !(e.has_place(e.place_of(point_a), slack) && f.has_place(f.place_of(point_b), slack)) {
            return None;
        }
        let normal = second.outward(v);
        let gap = normal.dot(&apart) - first.signed_radius() - second.signed_radius();
        let listed = self.in_band(gap)
            && (self.is_met(point_a, gap, 1, |_, _| false) || self.is_met(point_b, gap, 0, |_, _| false));
        listed.then(|| PathContact {
            features: features(PathFeature::Edge(e.index), PathFeature::Edge(f.index)),
            gap,
            point_a,
            point_b,
            normal,
            curve_a: ContactCurve::Arc { center: first.center, radius: first.signed_radius() },
            curve_b: ContactCurve::Arc { center: second.center, radius: second.signed_radius() },
            normal_motion: NormalMotion::BetweenPoints,
            tilt: 0.0,
        })
    }
}
