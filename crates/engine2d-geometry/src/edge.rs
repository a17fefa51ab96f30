//! An edge of a path body: straight or circular, with its place in the body's lists.

use crate::circular::CircularEdge;
use crate::straight::StraightEdge;
use engine2d_math::{Vec2, cross, perp};

/// The curve of an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Curve {
    /// A line segment.
    Straight(StraightEdge),
    /// An arc of a circle.
    Circular(CircularEdge),
}

/// An edge: its curve, its end vertices (indices into the shape's vertex list) and its proximity circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    pub(crate) curve: Curve,
    pub(crate) start_vertex: u32,
    pub(crate) end_vertex: u32,
    pub(crate) path: u32,
    pub(crate) proximity_center: Vec2,
    pub(crate) proximity_radius: f64,
}

impl Edge {
    /// The curve of the edge.
    #[inline]
    #[must_use]
    pub fn curve(&self) -> &Curve {
        &self.curve
    }

    /// Index of the vertex where the edge starts.
    #[must_use]
    pub fn start_vertex(&self) -> usize {
        self.start_vertex as usize
    }

    /// Index of the vertex where the edge ends.
    #[must_use]
    pub fn end_vertex(&self) -> usize {
        self.end_vertex as usize
    }

    /// Index of the closed path the edge belongs to.
    #[must_use]
    pub fn path(&self) -> usize {
        self.path as usize
    }

    /// Centre (body coordinates) and radius of the circle that proximity tests use; the radius of the
    /// inactive edges of a wall is 0.
    #[must_use]
    pub fn proximity_circle(&self) -> (Vec2, f64) {
        (self.proximity_center, self.proximity_radius)
    }

    /// Whether the edge is a line segment.
    #[inline]
    #[must_use]
    pub fn is_straight(&self) -> bool {
        matches!(self.curve, Curve::Straight(_))
    }

    /// Signed radius of curvature: `+∞` straight, positive convex, negative concave.
    #[must_use]
    pub fn curvature_radius(&self) -> f64 {
        match &self.curve {
            Curve::Straight(_) => f64::INFINITY,
            Curve::Circular(arc) => arc.signed_radius(),
        }
    }

    /// Signed distance of a body point from the infinite line or full circle.
    #[inline]
    #[must_use]
    pub fn line_distance(&self, a: impl Into<Vec2>) -> f64 {
        let a: Vec2 = a.into();
        match &self.curve {
            Curve::Straight(line) => line.line_distance(a),
            Curve::Circular(arc) => arc.line_distance(a),
        }
    }

    /// Signed distance of a body point, `None` where its foot is not on the edge.
    #[must_use]
    pub fn segment_distance(&self, a: impl Into<Vec2>) -> Option<f64> {
        let a: Vec2 = a.into();
        match &self.curve {
            Curve::Straight(line) => line.segment_distance(a),
            Curve::Circular(arc) => arc.segment_distance(a),
        }
    }

    /// Unit normal out of the material at `a`; `None` at the centre of an arc.
    #[inline]
    #[must_use]
    pub fn normal(&self, a: impl Into<Vec2>) -> Option<Vec2> {
        let a: Vec2 = a.into();
        match &self.curve {
            Curve::Straight(line) => Some(line.normal()),
            Curve::Circular(arc) => arc.normal(a),
        }
    }

    /// Bound on the error of replacing the edge by its vertices.
    #[must_use]
    pub fn chord_error(&self) -> f64 {
        match &self.curve {
            Curve::Straight(_) => 0.0,
            Curve::Circular(arc) => arc.chord_error(),
        }
    }

    /// The points where the edge starts and ends (body coordinates).
    #[must_use]
    pub(crate) fn ends(&self) -> (Vec2, Vec2) {
        match &self.curve {
            Curve::Straight(line) => (line.start(), line.end()),
            Curve::Circular(arc) => (arc.start(), arc.end()),
        }
    }

    /// Outward unit normal at the start of the edge and unit direction of travel there.
    pub(crate) fn at_start(&self) -> (Vec2, Vec2) {
        match &self.curve {
            Curve::Straight(line) => along(line),
            Curve::Circular(arc) => arc.travel(arc.start()),
        }
    }

    /// The same at its end.
    pub(crate) fn at_end(&self) -> (Vec2, Vec2) {
        match &self.curve {
            Curve::Straight(line) => along(line),
            Curve::Circular(arc) => arc.travel(arc.end()),
        }
    }

    pub(crate) fn extents(&self) -> (Vec2, Vec2) {
        match &self.curve {
            Curve::Straight(line) => (line.start().inf(&line.end()), line.start().sup(&line.end())),
            Curve::Circular(arc) => arc.extents(),
        }
    }
}

/// Normal and direction of travel of a straight edge, the one exactly across the other.
fn along(line: &StraightEdge) -> (Vec2, Vec2) {
    let normal = line.normal();
    let way = line.end() - line.start();
    (normal, if cross(normal, way) > 0.0 { perp(normal) } else { -perp(normal) })
}

/// A vertex: an end of edges, or an auxiliary point of an arc that only path crossings use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    pub(crate) point: Vec2,
    pub(crate) end_point: bool,
    pub(crate) previous_edge: u32,
    pub(crate) next_edge: u32,
    pub(crate) curvature_radius: f64,
}

impl Vertex {
    /// Position (body coordinates).
    #[inline]
    #[must_use]
    pub fn point(&self) -> Vec2 {
        self.point
    }

    /// Whether the vertex joins two edges; `false` for an auxiliary vertex within an arc.
    #[inline]
    #[must_use]
    pub fn is_end_point(&self) -> bool {
        self.end_point
    }

    /// Index of the edge that ends here (or that the auxiliary vertex lies on).
    #[must_use]
    pub fn previous_edge(&self) -> usize {
        self.previous_edge as usize
    }

    /// Index of the edge that starts here (or that the auxiliary vertex lies on).
    #[must_use]
    pub fn next_edge(&self) -> usize {
        self.next_edge as usize
    }

    /// Signed radius of curvature of the adjoining edge of smaller radius.
    #[must_use]
    pub fn curvature_radius(&self) -> f64 {
        self.curvature_radius
    }
}
