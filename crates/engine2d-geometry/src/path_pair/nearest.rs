//! The Euclidean distance of two outlines: the least over all pairs of edges of the critical points of the distance.
//!
//! Two edges are nearest where an end of one is nearest to the other, or where both have a common normal: a line
//! and an arc on the normal of the line through the centre, two arcs on the line of centres.

use super::curve::{Place, PlacedCurve, PlacedEdge};
use crate::tolerance::TIED;
use engine2d_math::Vec2;

/// A point of each outline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// Their distance; negative if one of the points lies within the other solid.
    pub(super) gap: f64,
    pub(super) point_a: Vec2,
    pub(super) point_b: Vec2,
    /// Places in the lists of edges, and where on these edges.
    pub(super) edge_a: (usize, Place),
    pub(super) edge_b: (usize, Place),
    /// In overlap, whether the first body's point is the deep one and the second's its foot, or the reverse.
    pub(super) foot_on_b: bool,
}

impl Meeting {
    /// The same with the bodies in the other order.
    pub(super) fn swapped(self) -> Self {
        Self {
            gap: self.gap,
            point_a: self.point_b,
            point_b: self.point_a,
            edge_a: self.edge_b,
            edge_b: self.edge_a,
            foot_on_b: !self.foot_on_b,
        }
    }
}

/// What is known of two outlines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    /// The nearest points nearer than the limit.
    pub(super) best: Option<Meeting>,
    /// Whether the outlines cross, or touch within the slack.
    pub(super) crosses: bool,
}

/// The nearest points of two lists of edges that are nearer than `limit`, and whether any of them cross.
pub(super) fn nearest(a: &[PlacedEdge], b: &[PlacedEdge], limit: f64, slack: f64) -> Nearest {
    let tie = TIED * slack;
    let mut search = Search { limit: limit.max(slack), tie, best: None, at: (0, 0) };
    let mut crosses = false;
    for (i, e) in a.iter().enumerate() {
        for (j, f) in b.iter().enumerate() {
            if e.apart(f) > search.limit + tie {
                continue;
            }
            search.at = (i, j);
            search.ends(e, f);
            search.common_normals(e, f);
            e.crossings(f, slack, |here, there| {
                crosses = true;
                // Ends of edges have been compared already.
                if e.is_inner(here, slack) && f.is_inner(there, slack) {
                    let p = e.at(here);
                    search.offer(0.0, (p, Place::Inner), (p, Place::Inner));
                }
            });
        }
    }
    crosses |= search.best.is_some_and(|m| m.gap <= slack);
    Nearest { best: search.best.filter(|m| m.gap <= limit), crosses }
}

struct Search {
    limit: f64,
    /// Length within which distances are equal.
    tie: f64,
    best: Option<Meeting>,
    at: (usize, usize),
}

impl Search {
    #[inline]
    fn offer(&mut self, gap: f64, on_a: (Vec2, Place), on_b: (Vec2, Place)) {
        if gap > self.limit + self.tie {
            return;
        }
        let inner = |a: Place, b: Place| u8::from(a == Place::Inner) + u8::from(b == Place::Inner);
        let is_better = match &self.best {
            None => gap <= self.limit,
            // Of equals that within an edge: its normal is sure. Else the first stays.
            Some(best) => {
                let more = inner(on_a.1, on_b.1).cmp(&inner(best.edge_a.1, best.edge_b.1));
                gap < self.limit - self.tie || more.is_gt() || gap < self.limit && more.is_eq()
            }
        };
        self.limit = self.limit.min(gap);
        if is_better {
            let (edge_a, edge_b) = ((self.at.0, on_a.1), (self.at.1, on_b.1));
            let (point_a, point_b) = (on_a.0, on_b.0);
            self.best = Some(Meeting { gap, point_a, point_b, edge_a, edge_b, foot_on_b: true });
        }
        if let Some(best) = &mut self.best {
            best.gap = self.limit;
        }
    }

    /// The ends of either edge against the other.
    #[inline]
    fn ends(&mut self, e: &PlacedEdge, f: &PlacedEdge) {
        for (p, place) in [(e.start, Place::Start), (e.end, Place::End)] {
            let (gap, q, there) = f.nearest(p);
            self.offer(gap, (p, place), (q, there));
        }
        for (q, place) in [(f.start, Place::Start), (f.end, Place::End)] {
            let (gap, p, there) = e.nearest(q);
            self.offer(gap, (p, there), (q, place));
        }
    }

    /// The points where both edges have one normal.
    fn common_normals(&mut self, e: &PlacedEdge, f: &PlacedEdge) {
        match (&e.curve, &f.curve) {
            (PlacedCurve::Line { .. }, PlacedCurve::Line { .. }) => {}
            (PlacedCurve::Line { .. }, PlacedCurve::Arc(_)) => {
                line_and_arc(e, f, |gap, p, q| self.offer(gap, (p, Place::Inner), (q, Place::Inner)));
            }
            (PlacedCurve::Arc(_), PlacedCurve::Line { .. }) => {
                line_and_arc(f, e, |gap, q, p| self.offer(gap, (p, Place::Inner), (q, Place::Inner)));
            }
            (PlacedCurve::Arc(first), PlacedCurve::Arc(second)) => {
                let apart = first.center - second.center;
                let length = apart.norm();
                // Concentric arcs are as near at an end of one of them.
                if !(length > 0.0) {
                    return;
                }
                for u in [apart / length, -apart / length] {
                    for v in [u, -u] {
                        if first.covers(u) && second.covers(v) {
                            let p = first.center + u * first.radius;
                            let q = second.center + v * second.radius;
                            self.offer((p - q).norm(), (p, Place::Inner), (q, Place::Inner));
                        }
                    }
                }
            }
        }
    }
}

/// Calls `offer` with the distance and the points of a line and an arc on the normal of the line.
fn line_and_arc(line: &PlacedEdge, edge: &PlacedEdge, mut offer: impl FnMut(f64, Vec2, Vec2)) {
    let (PlacedCurve::Line { normal, tangent, length }, PlacedCurve::Arc(arc)) = (&line.curve, &edge.curve)
    else {
        return;
    };
    let offset = arc.center - line.start;
    let along = tangent.dot(&offset);
    if !(0.0 < along && along < *length) {
        return;
    }
    for u in [*normal, -*normal] {
        if arc.covers(u) {
            let q = arc.center + u * arc.radius;
            let height = normal.dot(&(q - line.start));
            offer(height.abs(), q - normal * height, q);
        }
    }
}
