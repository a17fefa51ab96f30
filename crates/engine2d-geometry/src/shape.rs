//! The immutable shape of a body bounded by closed paths of straight and circular edges.

use crate::bounds::Bounds;
use crate::edge::{Curve, Edge, Vertex};
use crate::edge_circles::{edge_circles, edge_reach, enclosing_circle_of, group_circles};
use crate::enclosing_circle::enclosing_circle;
use crate::rules::Judging;
use engine2d_math::Vec2;

/// The active edge of a wall and the half thickness behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpecialEdge {
    /// Index of the active edge: by the reference rules the only one that is searched as far as any body moves.
    pub edge: u32,
    /// Half the wall's thickness along that edge's normal.
    pub half_thickness: f64,
    /// Whether the wall takes part from the side of that edge only; else it is as solid as any block.
    pub one_sided: bool,
}

/// A shape: closed paths of edges in body coordinates. Several paths make frames and doughnuts. Immutable,
/// shared between bodies, built by [`PathBuilder`](crate::PathBuilder) or a constructor.
#[derive(Clone, Debug, PartialEq)]
pub struct PathShape {
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) edges: Vec<Edge>,
    /// Centre and radius of the proximity circle of each edge, close together in memory: what most tests end at.
    pub(crate) edge_circles: Vec<[f64; 3]>,
    /// A circle about those of every [`GROUP`] edges, of shapes with more.
    edge_groups: Vec<[f64; 3]>,
    /// Centre and radius of a circle that contains each edge, whatever the edge's part in detection.
    pub(crate) outline_circles: Vec<[f64; 3]>,
    /// A circle that contains the outline.
    outline_circle: (Vec2, f64),
    /// Whether the solid is what lies outside of the outline.
    unbounded: bool,
    pub(crate) path_count: u32,
    pub(crate) bounds: Bounds,
    pub(crate) centroid: Vec2,
    pub(crate) centroid_radius: f64,
    /// Radius about the centroid that contains the proximity circles of all edges.
    pub(crate) edge_reach: f64,
    pub(crate) special_edge: Option<SpecialEdge>,
    pub(crate) center_of_mass: Vec2,
    pub(crate) moment_factor: f64,
    pub(crate) has_arcs: bool,
    pub(crate) drag_points: Vec<Vec2>,
}

impl PathShape {
    /// Completes the derived data of closed paths; centre of mass and moment get their defaults.
    pub(crate) fn finish(vertices: Vec<Vertex>, edges: Vec<Edge>, path_count: u32) -> Self {
        let mut bounds = Bounds::EMPTY;
        for edge in &edges {
            let (low, high) = edge.extents();
            bounds.min = bounds.min.inf(&low);
            bounds.max = bounds.max.sup(&high);
        }
        let points: Vec<Vec2> = vertices.iter().map(|v| v.point).collect();
        let chord_error = edges.iter().map(Edge::chord_error).fold(0.0, f64::max);
        let (centroid, reach) = enclosing_circle(&points);
        let (w, h) = (bounds.width(), bounds.height());
        let edge_reach = edge_reach(&edges, centroid);
        let has_arcs = edges.iter().any(|e| !e.is_straight());
        let outline_circles: Vec<[f64; 3]> = edges.iter().map(enclosing_circle_of).collect();
        let middle = bounds.center();
        let outline_reach = |[x, y, r]: &[f64; 3]| (Vec2::new(*x, *y) - middle).norm() + r;
        let outline_circle = (middle, outline_circles.iter().map(outline_reach).fold(0.0, f64::max));
        let edge_circles = edge_circles(&edges);
        let mut shape = Self {
            vertices,
            edge_groups: group_circles(&edge_circles),
            edge_circles,
            outline_circles,
            outline_circle,
            unbounded: false,
            edges,
            path_count,
            bounds,
            centroid,
            centroid_radius: reach + chord_error,
            edge_reach,
            special_edge: None,
            center_of_mass: bounds.center(),
            moment_factor: (w * w + h * h) / 12.0,
            has_arcs,
            drag_points: drag_points(&bounds),
        };
        shape.unbounded = shape.area_properties().area < 0.0;
        shape
    }

    /// Replaces the computed centre of the proximity circle by a known one; the radius follows.
    pub(crate) fn with_centroid(mut self, centroid: Vec2) -> Self {
        let reach = self.vertices.iter().map(|v| (v.point - centroid).norm()).fold(0.0, f64::max);
        let chord_error = self.edges.iter().map(Edge::chord_error).fold(0.0, f64::max);
        self.centroid = centroid;
        self.centroid_radius = reach + chord_error;
        self.edge_reach = edge_reach(&self.edges, centroid);
        self
    }

    /// Replaces the default moment of inertia per unit mass (length²).
    #[must_use]
    pub fn with_moment_factor(mut self, moment_factor: f64) -> Self {
        self.moment_factor = moment_factor;
        self
    }

    /// Replaces the default centre of mass (body coordinates).
    #[must_use]
    pub fn with_center_of_mass(mut self, center_of_mass: impl Into<Vec2>) -> Self {
        let center_of_mass: Vec2 = center_of_mass.into();
        self.center_of_mass = center_of_mass;
        self
    }

    /// Replaces the default points at which a user may take hold of the body (body coordinates).
    #[must_use]
    pub fn with_drag_points(mut self, drag_points: impl Into<Vec<Vec2>>) -> Self {
        self.drag_points = drag_points.into();
        self
    }

    /// Marks one edge of a four-edged shape as the active one of a wall. By the reference rules the proximity circle
    /// becomes the half thickness behind that edge, and the proximity radius of the others 0, so that what comes from
    /// behind collides at some places and passes at others; by the others the wall is a solid block.
    #[must_use]
    pub fn with_special_edge(mut self, edge: u32, half_thickness: f64) -> Self {
        for (i, other) in self.edges.iter_mut().enumerate() {
            if i != edge as usize {
                other.proximity_radius = 0.0;
            }
        }
        self.edge_circles = edge_circles(&self.edges);
        self.edge_groups = group_circles(&self.edge_circles);
        self.special_edge = Some(SpecialEdge { edge, half_thickness, one_sided: false });
        self.centroid_radius = half_thickness;
        self
    }

    /// Makes a wall take part only from the side of its active edge: what is not wholly before it when a step begins
    /// passes. Without an active edge nothing changes.
    #[must_use]
    pub fn one_sided(mut self) -> Self {
        if let Some(special) = &mut self.special_edge {
            special.one_sided = true;
        }
        self
    }

    /// The active edge if the wall is one-sided.
    #[must_use]
    pub fn one_sided_edge(&self) -> Option<u32> {
        self.special_edge.filter(|s| s.one_sided).map(|s| s.edge)
    }

    /// The active edge of a wall where the rules search walls by it.
    pub(crate) fn searched_edge(&self, judging: Judging) -> Option<SpecialEdge> {
        self.special_edge.filter(|_| judging == Judging::Curves)
    }

    /// The radius about the centroid within which features are searched.
    pub(crate) fn search_radius(&self, judging: Judging) -> f64 {
        match (judging, self.special_edge) {
            (Judging::Outlines, Some(_)) => self.edge_reach,
            _ => self.centroid_radius,
        }
    }

    /// The circles within which each edge is searched.
    pub(crate) fn search_circles(&self, judging: Judging) -> &[[f64; 3]] {
        match (judging, self.special_edge) {
            (Judging::Outlines, Some(_)) => &self.outline_circles,
            _ => &self.edge_circles,
        }
    }

    /// A circle about those of every [`GROUP`] edges; none where a shape has no more edges than that.
    pub(crate) fn search_groups(&self, judging: Judging) -> &[[f64; 3]] {
        match (judging, self.special_edge) {
            (Judging::Outlines, Some(_)) => &[],
            _ => &self.edge_groups,
        }
    }

    /// Least signed distance of a placed outline from a line at distance 0 of the unit normal `normal`, through the
    /// origin of `place`.
    pub(crate) fn lowest(&self, normal: Vec2, place: impl Fn(Vec2) -> Vec2) -> f64 {
        let height = |p: Vec2| normal.dot(&place(p));
        let of_edge = |edge: &Edge| {
            let (start, end) = edge.ends();
            let ends = height(start).min(height(end));
            let Curve::Circular(arc) = &edge.curve else { return ends };
            let center = place(arc.center());
            let across = place(arc.center() + arc.middle()) - center;
            // The lowest point of the circle, if the arc has it.
            let is_there = arc.is_complete() || -normal.dot(&across) >= arc.cos_half();
            if is_there { ends.min(normal.dot(&center) - arc.radius()) } else { ends }
        };
        self.edges.iter().map(of_edge).fold(f64::INFINITY, f64::min)
    }

    /// Vertices in order: for each path its start, then for each edge its auxiliary vertices and its end.
    #[inline]
    #[must_use]
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices
    }

    /// Edges in order of construction, over all paths.
    #[inline]
    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Unit directions (body coordinates) along the two edges at a vertex, away from it.
    pub(crate) fn leaving(&self, vertex: u32) -> [Vec2; 2] {
        let v = &self.vertices[vertex as usize];
        let (previous, next) = (&self.edges[v.previous_edge as usize], &self.edges[v.next_edge as usize]);
        [-previous.at_end().1, next.at_start().1]
    }

    /// Number of closed paths.
    #[must_use]
    pub fn path_count(&self) -> usize {
        self.path_count as usize
    }

    /// Bounding box (body coordinates), exact for arcs.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Centre of the enclosing circle (body coordinates).
    #[inline]
    #[must_use]
    pub fn centroid(&self) -> Vec2 {
        self.centroid
    }

    /// Radius of the enclosing circle about [`centroid`](Self::centroid), chord errors included; for a wall
    /// half its thickness.
    #[inline]
    #[must_use]
    pub fn centroid_radius(&self) -> f64 {
        self.centroid_radius
    }

    /// Centre (body coordinates) and radius of a circle that contains the outline, whatever its edges' part in
    /// detection.
    pub fn outline_circle(&self) -> (Vec2, f64) {
        self.outline_circle
    }

    /// Whether the solid is what lies outside of the outline, as of a cavity: its outermost path has its outside
    /// within.
    #[must_use]
    pub fn is_unbounded(&self) -> bool {
        self.unbounded
    }

    /// The active edge of a wall.
    #[inline]
    #[must_use]
    pub fn special_edge(&self) -> Option<SpecialEdge> {
        self.special_edge
    }

    /// Centre and radius of a shape that is a disc.
    #[must_use]
    pub fn disc(&self) -> Option<(Vec2, f64)> {
        match self.edges.as_slice() {
            [Edge { curve: Curve::Circular(arc), .. }] if arc.is_complete() && arc.is_convex() => {
                Some((arc.center(), arc.radius()))
            }
            _ => None,
        }
    }

    /// The support function: the largest `direction · p` over the points `p` of the outline (body coordinates), infinite for
    /// an unbounded one.
    #[must_use]
    pub fn support(&self, direction: impl Into<Vec2>) -> f64 {
        let direction: Vec2 = direction.into();
        if self.is_unbounded() {
            return f64::INFINITY;
        }
        let length = direction.norm();
        if length > 0.0 { -self.lowest(direction * (-1.0 / length), |p| p) * length } else { 0.0 }
    }

    /// Default centre of mass (body coordinates).
    #[must_use]
    pub fn center_of_mass(&self) -> Vec2 {
        self.center_of_mass
    }

    /// Points at which a user may take hold of the body (body coordinates). By default two on the middle line of
    /// the longer side of the box, at four fifths and one fifth of it.
    #[must_use]
    pub fn drag_points(&self) -> &[Vec2] {
        &self.drag_points
    }

    /// Default moment of inertia about the centre of mass per unit mass (length²).
    #[must_use]
    pub fn moment_factor(&self) -> f64 {
        self.moment_factor
    }

    /// Whether any edge is circular.
    #[inline]
    #[must_use]
    pub fn has_arcs(&self) -> bool {
        self.has_arcs
    }

    /// How low the centre of mass `cm` (body coordinates) can be while the body rests on a floor: the
    /// smallest distance to an edge it faces; 0 when it lies outside some edge.
    #[must_use]
    pub fn min_height(&self, cm: impl Into<Vec2>) -> f64 {
        let cm: Vec2 = cm.into();
        let mut least: Option<f64> = None;
        for edge in &self.edges {
            let Some(distance) = edge.segment_distance(cm) else { continue };
            if distance > 0.0 {
                return 0.0;
            }
            let height = -distance;
            least = Some(least.map_or(height, |l| l.min(height)));
        }
        least.unwrap_or_else(|| {
            let b = self.bounds;
            (cm.x - b.min.x).min(b.max.x - cm.x).min(cm.y - b.min.y).min(b.max.y - cm.y)
        })
    }

    /// The outline of each path as points (body coordinates), arcs replaced by chords that leave the arc by
    /// at most `tolerance`; for pictures and overlap checks.
    #[must_use]
    pub fn outlines(&self, tolerance: f64) -> Vec<Vec<Vec2>> {
        let mut outlines: Vec<Vec<Vec2>> = vec![Vec::new(); self.path_count()];
        for edge in &self.edges {
            let outline = &mut outlines[edge.path()];
            match &edge.curve {
                Curve::Straight(line) => outline.push(line.start()),
                Curve::Circular(arc) => outline.extend(arc.points(tolerance)),
            }
        }
        outlines
    }
}

/// Where to take hold of a shape with these bounds: near the ends of the longer side, the far one first.
fn drag_points(bounds: &Bounds) -> Vec<Vec2> {
    let (w, h) = (bounds.width(), bounds.height());
    let at = |x: f64, y: f64| bounds.min + Vec2::new(x * w, y * h);
    if w <= h { vec![at(0.5, 0.8), at(0.5, 0.2)] } else { vec![at(0.8, 0.5), at(0.2, 0.5)] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_support_function_bounds_every_point_and_is_reached() {
        let shapes = [PathShape::ball(0.7), PathShape::block(2.0, 0.6), PathShape::round_block(0.8, 2.0)];
        for shape in shapes.map(|shape| shape.expect("a shape")) {
            let outline: Vec<Vec2> = shape.outlines(1e-7).concat();
            for k in 0..40 {
                let (sin, cos) = engine2d_math::trig::sin_cos(0.157 * f64::from(k) + 0.01);
                let direction = Vec2::new(cos, sin) * 1.5;
                let most = outline.iter().map(|p| direction.dot(p)).fold(f64::NEG_INFINITY, f64::max);
                let support = shape.support(direction);
                assert!(support >= most - 1e-12 && support <= most + 1e-6, "{support} for {most}");
            }
        }
    }
}
