//! How deep one outline reaches into the other solid: the largest distance of a point of it, within the solid, from
//! the outline of the solid.
//!
//! An edge is cut where it crosses the other outline; pieces within the solid are searched by branch and bound.
//! On a piece the distance from a straight or circular edge has a bound that is exact wherever its foot stays on
//! that edge, so that nearly all pieces end with the first bound; the least of the bounds over all edges bounds
//! the depth. Flat maxima, as of blocks that overlap face to face, end at once.

use super::curve::{Place, PlacedArc, PlacedCurve, PlacedEdge};
use super::frame::Placed;
use super::nearest::Meeting;
use crate::tolerance::{DEPTH_ACCURACY, DEPTH_SPLIT, SAME_NORMAL};
use engine2d_math::order::Order;
use engine2d_math::{Vec2, cross, perp, trig};
use std::f64::consts::FRAC_PI_2;

/// The deepest point of the outline of edges `a` within `solid`, whose edges are `b`; the meeting has that point as
/// `point_a`. `None` if no point is deeper than rounding.
pub(super) fn deepest(
    a: &[PlacedEdge],
    b: &[PlacedEdge],
    solid: &Placed<'_>,
    slack: f64,
    (cuts, pieces): (&mut Vec<f64>, &mut Vec<(f64, f64)>),
) -> Option<Meeting> {
    let size = solid.radius.max(a.iter().map(|e| e.radius).fold(0.0, f64::max));
    let mut search = Search { b, accuracy: DEPTH_ACCURACY * size, best: None };
    for (i, edge) in a.iter().enumerate() {
        let outside = (edge.center - solid.center).norm() - edge.radius > solid.radius;
        if outside && !solid.is_unbounded() {
            continue;
        }
        cut(edge, b, slack, cuts);
        for ends in cuts.windows(2) {
            let (low, high) = (ends[0], ends[1]);
            if high > low && solid.is_solid(edge.at(low + (high - low) / 2.0)) {
                search.piece((i, edge), (low, high), pieces);
            }
        }
    }
    search.best
}

/// The depth of solids whose outlines coincide with the material on one side, as of equal bodies at one place: no
/// point of either outline is within the other then. It is the largest distance from both outlines of the points
/// half way from the middle of a common edge, along its inward normal, to the next edge: at most the radius of the
/// largest disc in the solid, and positive. The meeting has that point as `point_a`.
pub(super) fn coincident(a: &[PlacedEdge], b: &[PlacedEdge], size: f64, slack: f64) -> Option<Meeting> {
    let mut best: Option<Meeting> = None;
    for (i, e) in a.iter().enumerate() {
        let (low, high) = e.range();
        let middle = e.at(low + (high - low) / 2.0);
        let normal = e.normal_at(middle);
        let is_common = |f: &PlacedEdge| {
            let (gap, q, place) = f.nearest(middle);
            gap <= slack && place == Place::Inner && f.normal_at(q).dot(&normal) >= SAME_NORMAL
        };
        if !b.iter().any(is_common) {
            continue;
        }
        let ray = PlacedEdge::ray(middle, -normal, size);
        let mut way = size;
        for f in a.iter().chain(b) {
            ray.crossings(f, slack, |t, _| {
                if t > slack {
                    way = way.min(t);
                }
            });
        }
        let p = middle - normal * (way / 2.0);
        let from_a = a.iter().map(|f| f.nearest(p).0).fold(f64::INFINITY, f64::min);
        for (j, f) in b.iter().enumerate() {
            let (gap, q, place) = f.nearest(p);
            let is_nearest = gap <= from_a + slack && b.iter().all(|g| g.nearest(p).0 >= gap);
            if is_nearest && best.is_none_or(|m| gap > -m.gap) {
                let (edge_a, edge_b) = ((i, Place::Inner), (j, place));
                best = Some(Meeting { gap: -gap, point_a: p, point_b: q, edge_a, edge_b, foot_on_b: true });
            }
        }
    }
    best
}

/// The ends of the pieces of `edge`: its own, where it meets an edge or passes a vertex of `b`, and, of arcs,
/// every quarter turn.
fn cut(edge: &PlacedEdge, b: &[PlacedEdge], slack: f64, cuts: &mut Vec<f64>) {
    cuts.clear();
    let (low, high) = edge.range();
    cuts.extend([low, high]);
    if let PlacedCurve::Arc(_) = edge.curve {
        let count = ((high - low) / FRAC_PI_2).ceil();
        cuts.extend((1..count as u32).map(|k| low + (high - low) * f64::from(k) / count));
    }
    for other in b {
        if edge.apart(other) > slack {
            continue;
        }
        edge.crossings(other, slack, |here, _| cuts.push(here.clamp(low, high)));
        if edge.nearest(other.start).0 <= slack {
            cuts.push(edge.place_of(other.start).clamp(low, high));
        }
    }
    cuts.order_by(f64::total_cmp);
}

struct Search<'a> {
    b: &'a [PlacedEdge],
    /// Length by which a deeper point may be missed.
    accuracy: f64,
    best: Option<Meeting>,
}

impl Search<'_> {
    fn depth(&self) -> f64 {
        self.best.map_or(0.0, |m| -m.gap)
    }

    /// Distance of the point at `place` of an edge from the other outline; remembered if it is the largest.
    fn visit(&mut self, (index, edge): (usize, &PlacedEdge), place: f64) -> Option<usize> {
        let p = edge.at(place);
        let mut nearest: Option<(f64, Vec2, usize, Place)> = None;
        for (j, other) in self.b.iter().enumerate() {
            let limit = nearest.map_or(f64::INFINITY, |n| n.0);
            if (p - other.center).norm() - other.radius > limit {
                continue;
            }
            let (gap, q, there) = other.nearest(p);
            if gap < limit {
                nearest = Some((gap, q, j, there));
            }
        }
        let (gap, q, j, there) = nearest?;
        if gap > self.depth() {
            let (low, high) = edge.range();
            let here = match place {
                place if place <= low => Place::Start,
                place if place >= high => Place::End,
                _ => Place::Inner,
            };
            let (edge_a, edge_b) = ((index, here), (j, there));
            self.best = Some(Meeting { gap: -gap, point_a: p, point_b: q, edge_a, edge_b, foot_on_b: true });
        }
        Some(j)
    }

    /// Searches one piece of an edge.
    fn piece(&mut self, edge: (usize, &PlacedEdge), piece: (f64, f64), pieces: &mut Vec<(f64, f64)>) {
        // The ends are deepest at corners, the middle where sides lie flush.
        for place in [piece.0, piece.1, piece.0 + (piece.1 - piece.0) / 2.0] {
            self.visit(edge, place);
        }
        pieces.clear();
        pieces.push(piece);
        while let Some((low, high)) = pieces.pop() {
            let part = Part::new(edge.1, low, high);
            let Some((bound, place)) = self.bound(&part) else { continue };
            if bound <= self.depth() + self.accuracy || part.length <= self.accuracy {
                continue;
            }
            self.visit(edge, place);
            if bound <= self.depth() + self.accuracy {
                continue;
            }
            let middle = self.split(edge, low, high);
            if middle <= low || middle >= high {
                continue;
            }
            pieces.push((low, middle));
            pieces.push((middle, high));
        }
    }

    /// The least bound over all edges, and where that edge is farthest from the part.
    fn bound(&self, part: &Part<'_>) -> Option<(f64, f64)> {
        let mut least: Option<(f64, f64)> = None;
        for other in self.b {
            let limit = least.map_or(f64::INFINITY, |l| l.0);
            if (part.middle - other.center).norm() - other.radius > limit {
                continue;
            }
            let bound = part.farthest(other);
            if bound.0 < limit {
                least = Some(bound);
                if bound.0 <= self.depth() + self.accuracy {
                    break;
                }
            }
        }
        least
    }

    /// Where to divide an interval: where the edges nearest at either end are as far away as each other, if their
    /// distances were linear; else in the middle.
    fn split(&mut self, edge: (usize, &PlacedEdge), low: f64, high: f64) -> f64 {
        let half = low + (high - low) / 2.0;
        let (Some(i), Some(j)) = (self.visit(edge, low), self.visit(edge, high)) else { return half };
        let (p, q) = (edge.1.at(low), edge.1.at(high));
        let at_low = self.b[i].nearest(p).0 - self.b[j].nearest(p).0;
        let at_high = self.b[i].nearest(q).0 - self.b[j].nearest(q).0;
        let t = at_low / (at_low - at_high);
        let inner = DEPTH_SPLIT < t && t < 1.0 - DEPTH_SPLIT;
        let linear = low + (high - low) * t;
        // A few roundings wide, a part is not divided by what rounds to its end.
        let divides = i != j && inner && low < linear && linear < high;
        let place = if divides { linear } else { half };
        self.visit(edge, place);
        place
    }
}

/// A part of an edge that is searched.
struct Part<'a> {
    edge: &'a PlacedEdge,
    low: f64,
    high: f64,
    /// Its ends, its middle, and for an arc the corner of its tangents: a triangle that contains it.
    ends: [Vec2; 2],
    middle: Vec2,
    corner: Option<Vec2>,
    length: f64,
}

impl<'a> Part<'a> {
    fn new(edge: &'a PlacedEdge, low: f64, high: f64) -> Self {
        let half = (high - low) / 2.0;
        let middle = edge.at(low + half);
        let corner = match &edge.curve {
            PlacedCurve::Line { .. } => None,
            PlacedCurve::Arc(arc) => Some(arc.center + (middle - arc.center) / trig::cos(half)),
        };
        let length = edge.length_of(high - low);
        Self { edge, low, high, ends: [edge.at(low), edge.at(high)], middle, corner, length }
    }

    fn hull(&self) -> impl Iterator<Item = Vec2> + '_ {
        self.ends.into_iter().chain(self.corner)
    }

    /// The largest of a convex function, or a bound of it, and where it is about.
    fn largest_convex(&self, f: impl Fn(Vec2) -> f64) -> (f64, f64) {
        let [first, second] = self.ends.map(&f);
        let ends = if first >= second { (first, self.low) } else { (second, self.high) };
        match self.corner.map(f) {
            Some(value) if value > ends.0 => (value, self.low + (self.high - self.low) / 2.0),
            _ => ends,
        }
    }

    /// The least and the largest distance from the point `c`, exactly, and where the largest is.
    fn distances_from(&self, c: Vec2) -> (f64, f64, f64, f64) {
        let [first, second] = self.ends.map(|p| (p - c).norm());
        let (mut least, mut least_at) = if first <= second { (first, self.low) } else { (second, self.high) };
        let (mut most, mut most_at) = if first >= second { (first, self.low) } else { (second, self.high) };
        match &self.edge.curve {
            PlacedCurve::Line { normal, .. } => {
                let foot = self.edge.place_of(c);
                if self.low < foot && foot < self.high {
                    (least, least_at) = (normal.dot(&(c - self.edge.start)).abs(), foot);
                }
            }
            PlacedCurve::Arc(arc) => {
                let apart = c - arc.center;
                let length = apart.norm();
                if length > 0.0 {
                    if let Some(place) = self.place_towards(arc, apart) {
                        (least, least_at) = ((length - arc.radius).abs(), place);
                    }
                    if let Some(place) = self.place_towards(arc, -apart) {
                        (most, most_at) = (length + arc.radius, place);
                    }
                }
            }
        }
        (least, least_at, most, most_at)
    }

    /// The place of the arc in the direction `v` from its centre, if it is in the part.
    fn place_towards(&self, arc: &PlacedArc, v: Vec2) -> Option<f64> {
        let place = trig::atan2(cross(arc.middle, v), arc.middle.dot(&v));
        (self.low < place && place < self.high).then_some(place)
    }

    /// An upper bound of the distance of all points of the part from `other`, and where it is reached or nearly so.
    fn farthest(&self, other: &PlacedEdge) -> (f64, f64) {
        match &other.curve {
            PlacedCurve::Line { normal, tangent, length } => {
                let along = |p: Vec2| tangent.dot(&(p - other.start));
                if self.hull().all(|p| along(p) <= 0.0) {
                    let (.., most, at) = self.distances_from(other.start);
                    return (most, at);
                }
                if self.hull().all(|p| along(p) >= *length) {
                    let (.., most, at) = self.distances_from(other.end);
                    return (most, at);
                }
                if let PlacedCurve::Arc(arc) = &self.edge.curve
                    && self.hull().all(|p| 0.0 <= along(p) && along(p) <= *length)
                {
                    let height = |p: Vec2| normal.dot(&(p - other.start)).abs();
                    let [first, second] = self.ends.map(height);
                    let mut most = if first >= second { (first, self.low) } else { (second, self.high) };
                    for u in [*normal, -*normal] {
                        let value = height(arc.center + u * arc.radius);
                        if value > most.0
                            && let Some(place) = self.place_towards(arc, u)
                        {
                            most = (value, place);
                        }
                    }
                    return most;
                }
                self.largest_convex(|p| other.nearest(p).0)
            }
            PlacedCurve::Arc(arc) => self.farthest_from_arc(other, arc),
        }
    }

    fn farthest_from_arc(&self, other: &PlacedEdge, arc: &PlacedArc) -> (f64, f64) {
        if self.within_sector(arc) {
            let (least, least_at, most, most_at) = self.distances_from(arc.center);
            let (inside, outside) = (arc.radius - least, most - arc.radius);
            return if inside >= outside { (inside, least_at) } else { (outside, most_at) };
        }
        // The distance from either end, and what the length leaves open.
        let half = self.low + (self.high - self.low) / 2.0;
        let by_length = (other.nearest(self.middle).0 + self.length / 2.0, half);
        [other.start, other.end]
            .map(|end| {
                let (.., most, at) = self.distances_from(end);
                (most, at)
            })
            .into_iter()
            .fold(by_length, |least, bound| if bound.0 < least.0 { bound } else { least })
    }

    /// Whether the part certainly lies in the sector of an arc: in all of it if that is convex, else in one of
    /// its halves or in the half plane about its middle.
    fn within_sector(&self, arc: &PlacedArc) -> bool {
        if arc.is_complete {
            return true;
        }
        let sin_half = trig::sin(arc.half);
        let across = perp(arc.middle);
        // Inward normals of the sides of the sector.
        let low = arc.middle * sin_half + across * arc.cos_half;
        let high = arc.middle * sin_half - across * arc.cos_half;
        let all = |sides: &[Vec2]| self.hull().all(|p| sides.iter().all(|n| n.dot(&(p - arc.center)) >= 0.0));
        if arc.half <= FRAC_PI_2 {
            return all(&[low, high]);
        }
        all(&[arc.middle]) || all(&[low, -across]) || all(&[high, across])
    }
}
