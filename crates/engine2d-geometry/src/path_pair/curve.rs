//! Edges in the frame of a pair: nearest points, places along them, crossings of two.

use super::frame::Placed;
use crate::edge::{Curve, Edge};
use crate::tolerance::{PARALLEL_EDGES, SAME_DIRECTION};
use engine2d_math::{Vec2, cross, perp, trig};
use std::f64::consts::PI;

/// An edge in the frame of a pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedEdge {
    pub(super) index: u32,
    pub(super) start_vertex: u32,
    pub(super) end_vertex: u32,
    pub(super) start: Vec2,
    pub(super) end: Vec2,
    /// A circle that contains the edge.
    pub(super) center: Vec2,
    pub(super) radius: f64,
    pub(super) curve: PlacedCurve,
}

/// Its curve. Places along a line are lengths from its start, along an arc angles from its middle.
#[derive(Clone, Copy, Debug)]
pub(super) enum PlacedCurve {
    Line { normal: Vec2, tangent: Vec2, length: f64 },
    Arc(PlacedArc),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedArc {
    pub(super) center: Vec2,
    pub(super) radius: f64,
    pub(super) is_convex: bool,
    pub(super) is_complete: bool,
    /// Unit vector to the middle, half the angle covered, and its cosine.
    pub(super) middle: Vec2,
    pub(super) half: f64,
    pub(super) cos_half: f64,
}

/// Where on an edge a point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Start,
    Inner,
    End,
}

impl PlacedArc {
    /// Whether the unit vector `u` points from the centre to the arc.
    #[inline]
    pub(super) fn covers(&self, u: Vec2) -> bool {
        self.is_complete || u.dot(&self.middle) >= self.cos_half
    }

    /// The point at the angle `place` from the middle.
    pub(super) fn at(&self, place: f64) -> Vec2 {
        let (sin, cos) = trig::sin_cos(place);
        self.center + (self.middle * cos + perp(self.middle) * sin) * self.radius
    }

    /// Unit normal out of the material where the unit vector `u` from the centre meets the arc.
    #[inline]
    pub(super) fn outward(&self, u: Vec2) -> Vec2 {
        if self.is_convex { u } else { -u }
    }

    /// Radius, negative for a concave arc.
    #[inline]
    pub(super) fn signed_radius(&self) -> f64 {
        if self.is_convex { self.radius } else { -self.radius }
    }
}

impl PlacedEdge {
    pub(super) fn new(placed: &Placed<'_>, index: u32, edge: &Edge, center: Vec2, radius: f64) -> Self {
        let pose = &placed.path.pose;
        let (start, end, curve) = match edge.curve() {
            Curve::Straight(line) => {
                let normal = pose.rotate(line.normal());
                let along = pose.rotate(line.end() - line.start());
                let tangent = if cross(normal, along) > 0.0 { perp(normal) } else { -perp(normal) };
                (line.start(), line.end(), PlacedCurve::Line { normal, tangent, length: tangent.dot(&along) })
            }
            Curve::Circular(arc) => (
                arc.start(),
                arc.end(),
                PlacedCurve::Arc(PlacedArc {
                    center: placed.point(arc.center()),
                    radius: arc.radius(),
                    is_convex: arc.is_convex(),
                    is_complete: arc.is_complete(),
                    middle: pose.rotate(arc.middle()),
                    half: arc.span() / 2.0,
                    cos_half: arc.cos_half(),
                }),
            ),
        };
        let (start_vertex, end_vertex) = (edge.start_vertex, edge.end_vertex);
        let (start, end) = (placed.point(start), placed.point(end));
        Self { index, start_vertex, end_vertex, start, end, center, radius, curve }
    }

    /// A line from `start` along the unit vector `tangent`, of no body.
    pub(super) fn ray(start: Vec2, tangent: Vec2, length: f64) -> Self {
        let end = start + tangent * length;
        Self {
            index: 0,
            start_vertex: 0,
            end_vertex: 0,
            start,
            end,
            center: (start + end) * 0.5,
            radius: length / 2.0,
            curve: PlacedCurve::Line { normal: perp(tangent), tangent, length },
        }
    }

    /// Lower bound of the distance of two edges.
    #[inline]
    pub(super) fn apart(&self, other: &Self) -> f64 {
        (self.center - other.center).norm() - self.radius - other.radius
    }

    /// The first and the last place.
    pub(super) fn range(&self) -> (f64, f64) {
        match &self.curve {
            PlacedCurve::Line { length, .. } => (0.0, *length),
            PlacedCurve::Arc(arc) => (-arc.half, arc.half),
        }
    }

    /// The point at a place.
    pub(super) fn at(&self, place: f64) -> Vec2 {
        match &self.curve {
            PlacedCurve::Line { tangent, .. } => self.start + tangent * place,
            PlacedCurve::Arc(arc) => arc.at(place),
        }
    }

    /// Length along the edge of a difference of places.
    pub(super) fn length_of(&self, places: f64) -> f64 {
        match &self.curve {
            PlacedCurve::Line { .. } => places,
            PlacedCurve::Arc(arc) => places * arc.radius,
        }
    }

    /// The place of a point on the edge; off the edge, that of its foot on the whole line or circle.
    pub(super) fn place_of(&self, p: Vec2) -> f64 {
        match &self.curve {
            PlacedCurve::Line { tangent, .. } => tangent.dot(&(p - self.start)),
            PlacedCurve::Arc(arc) => {
                let out = p - arc.center;
                trig::atan2(cross(arc.middle, out), arc.middle.dot(&out))
            }
        }
    }

    /// Unit normal out of the material at a point of the edge.
    pub(super) fn normal_at(&self, p: Vec2) -> Vec2 {
        match &self.curve {
            PlacedCurve::Line { normal, .. } => *normal,
            PlacedCurve::Arc(arc) => arc.outward((p - arc.center) / (p - arc.center).norm()),
        }
    }

    /// Distance of `p` from the edge, the point nearest to it, and where that is.
    #[inline]
    pub(super) fn nearest(&self, p: Vec2) -> (f64, Vec2, Place) {
        match &self.curve {
            PlacedCurve::Line { normal, tangent, length } => {
                let offset = p - self.start;
                let along = tangent.dot(&offset);
                if 0.0 < along && along < *length {
                    let height = normal.dot(&offset);
                    return (height.abs(), p - normal * height, Place::Inner);
                }
            }
            PlacedCurve::Arc(arc) => {
                let out = p - arc.center;
                let length = out.norm();
                // At the centre every point of the arc is as near.
                let u = if length > 0.0 { out / length } else { arc.middle };
                if arc.covers(u) {
                    return ((length - arc.radius).abs(), arc.center + u * arc.radius, Place::Inner);
                }
            }
        }
        let (from_start, from_end) = ((p - self.start).norm(), (p - self.end).norm());
        if from_start <= from_end {
            (from_start, self.start, Place::Start)
        } else {
            (from_end, self.end, Place::End)
        }
    }

    /// Whether a place is on the edge, within `slack` (length).
    pub(super) fn has_place(&self, place: f64, slack: f64) -> bool {
        let (low, high) = self.range();
        let slack = match &self.curve {
            PlacedCurve::Line { .. } => slack,
            PlacedCurve::Arc(arc) if arc.is_complete => PI,
            PlacedCurve::Arc(arc) => SAME_DIRECTION + slack / arc.radius,
        };
        low - slack <= place && place <= high + slack
    }

    /// Whether a place is on the edge, farther than `slack` (length) from its ends.
    pub(super) fn is_inner(&self, place: f64, slack: f64) -> bool {
        let (low, high) = self.range();
        self.length_of(place - low) > slack && self.length_of(high - place) > slack
    }

    /// Where on the edge a point is, with what is within `slack` of an end at that end.
    pub(super) fn place_near_ends(&self, p: Vec2, place: Place, slack: f64) -> Place {
        if (p - self.start).norm() <= slack {
            Place::Start
        } else if (p - self.end).norm() <= slack {
            Place::End
        } else {
            place
        }
    }

    /// Calls `meet` with the places on this edge and on the other where they cross, up to `slack` beyond ends.
    pub(super) fn crossings(&self, other: &Self, slack: f64, mut meet: impl FnMut(f64, f64)) {
        let mut at = |p: Vec2| {
            let (here, there) = (self.place_of(p), other.place_of(p));
            if self.has_place(here, slack) && other.has_place(there, slack) {
                meet(here, there);
            }
        };
        match (&self.curve, &other.curve) {
            (PlacedCurve::Line { tangent, .. }, PlacedCurve::Line { normal, .. }) => {
                let rise = normal.dot(tangent);
                if rise.abs() > PARALLEL_EDGES {
                    at(self.start - tangent * (normal.dot(&(self.start - other.start)) / rise));
                }
            }
            (PlacedCurve::Line { normal, tangent, .. }, PlacedCurve::Arc(arc)) => {
                line_and_circle(self.start, *normal, *tangent, arc).into_iter().flatten().for_each(at);
            }
            (PlacedCurve::Arc(arc), PlacedCurve::Line { normal, tangent, .. }) => {
                line_and_circle(other.start, *normal, *tangent, arc).into_iter().flatten().for_each(at);
            }
            (PlacedCurve::Arc(first), PlacedCurve::Arc(second)) => {
                two_circles(first, second).into_iter().flatten().for_each(at);
            }
        }
    }
}

/// Where a line meets the circle of an arc.
fn line_and_circle(start: Vec2, normal: Vec2, tangent: Vec2, arc: &PlacedArc) -> Option<[Vec2; 2]> {
    let offset = arc.center - start;
    let height = normal.dot(&offset);
    let half_square = (arc.radius - height.abs()) * (arc.radius + height.abs());
    (half_square >= 0.0).then(|| {
        let foot = arc.center - normal * height;
        let half = tangent * half_square.sqrt();
        [foot - half, foot + half]
    })
}

/// Where the circles of two arcs meet; nowhere if they are concentric.
fn two_circles(first: &PlacedArc, second: &PlacedArc) -> Option<[Vec2; 2]> {
    let apart = second.center - first.center;
    let length = apart.norm();
    let (r, s) = (first.radius, second.radius);
    if !(length > 0.0) {
        return None;
    }
    let along = (length + (r - s) * (r + s) / length) / 2.0;
    let half_square = (r - along) * (r + along);
    (half_square >= 0.0).then(|| {
        let u = apart / length;
        let foot = first.center + u * along;
        let half = perp(u) * half_square.sqrt();
        [foot - half, foot + half]
    })
}
