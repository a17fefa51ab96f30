//! Step-by-step construction of a path shape.

use crate::circular::CircularEdge;
use crate::edge::{Curve, Edge, Vertex};
use crate::error::{ShapeError, check_point};
use crate::shape::PathShape;
use crate::straight::StraightEdge;
use crate::tolerance::{CLOSURE, MAX_VERTICES};
use engine2d_math::Vec2;

/// Builds a [`PathShape`] edge by edge. Each edge starts at the last point; a path is closed before the
/// next begins.
///
/// ```
/// use engine2d_geometry::PathBuilder;
///
/// // A half disc: the straight side below, the arc above.
/// let mut path = PathBuilder::new();
/// path.start([-1.0, 0.0])?;
/// path.line_to([1.0, 0.0], false)?;
/// path.arc_to([-1.0, 0.0], [0.0, 0.0], false, true)?;
/// path.close()?;
/// let shape = path.finish()?;
/// assert_eq!(shape.edges().len(), 2);
/// # Ok::<(), engine2d_geometry::ShapeError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PathBuilder {
    vertices: Vec<Vertex>,
    edges: Vec<Edge>,
    path_count: u32,
    /// First vertex and first edge of the open path.
    open: Option<(u32, u32)>,
}

impl PathBuilder {
    /// A builder without any path.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A builder that begins with some of the closed paths of a shape, in their order.
    ///
    /// ```
    /// use engine2d_geometry::{PathBuilder, PathShape};
    ///
    /// let frame = PathShape::frame(engine2d_geometry::sizes::Frame { width: 4.0, height: 3.0, thickness: 0.5 })?;
    /// let outside = PathBuilder::of_paths(&frame, |path| path == 1).finish()?;
    /// assert_eq!((outside.edges().len(), outside.bounds().width()), (4, 4.5));
    /// # Ok::<(), engine2d_geometry::ShapeError>(())
    /// ```
    #[must_use]
    pub fn of_paths(shape: &PathShape, is_kept: impl Fn(usize) -> bool) -> Self {
        let mut new = Self::new();
        for path in (0..shape.path_count()).filter(|&path| is_kept(path)) {
            // Edges and vertices are listed path by path.
            let is_of = |edge: &Edge| edge.path() == path;
            let mut edges = shape.edges().iter().enumerate().filter(|(_, edge)| is_of(edge)).peekable();
            let Some(first_edge) = edges.peek().map(|(place, _)| *place as u32) else { continue };
            let is_here = |vertex: &&Vertex| is_of(&shape.edges()[vertex.next_edge()]);
            let first_vertex = shape.vertices().iter().take_while(|vertex| !is_here(vertex)).count() as u32;
            let (edge_shift, vertex_shift) = (new.edges.len() as u32, new.vertices.len() as u32);
            let edge_at = |edge: u32| edge - first_edge + edge_shift;
            let vertex_at = |vertex: u32| vertex - first_vertex + vertex_shift;
            new.edges.extend(edges.map(|(_, edge)| Edge {
                start_vertex: vertex_at(edge.start_vertex),
                end_vertex: vertex_at(edge.end_vertex),
                path: new.path_count,
                ..*edge
            }));
            new.vertices.extend(shape.vertices().iter().filter(is_here).map(|vertex| Vertex {
                previous_edge: edge_at(vertex.previous_edge),
                next_edge: edge_at(vertex.next_edge),
                ..*vertex
            }));
            new.path_count += 1;
        }
        new
    }

    /// Opens a path at `point` (body coordinates).
    ///
    /// # Errors
    /// [`ShapeError::BuilderOrder`] while a path is open, [`ShapeError::NotFinite`].
    pub fn start(&mut self, point: impl Into<Vec2>) -> Result<&mut Self, ShapeError> {
        if self.open.is_some() {
            return Err(ShapeError::BuilderOrder {
                what: "a path is open: close it before starting another",
            });
        }
        self.open = Some((self.vertices.len() as u32, self.edges.len() as u32));
        self.push_vertex(point.into(), true)?;
        Ok(self)
    }

    /// Adds a straight edge to `point`; the outside lies above it (right of a vertical one) when
    /// `outside_is_up`.
    ///
    /// # Errors
    /// [`ShapeError::BuilderOrder`] without an open path, [`ShapeError::EmptyEdge`],
    /// [`ShapeError::NotFinite`].
    pub fn line_to(&mut self, point: impl Into<Vec2>, outside_is_up: bool) -> Result<&mut Self, ShapeError> {
        let (start, point) = (self.last_point()?, point.into());
        if (point - start).norm() == 0.0 {
            return Err(ShapeError::EmptyEdge { index: self.edges.len() });
        }
        let line = StraightEdge::new(start, point, outside_is_up);
        let circle = line.proximity_circle();
        self.push_edge(Curve::Straight(line), circle, point)
    }

    /// Adds a circular edge about `center` to `point`, travelled clockwise or not; `outside_is_out` makes it
    /// convex. Ending where it starts makes a complete circle.
    ///
    /// # Errors
    /// [`ShapeError::BuilderOrder`] without an open path, [`ShapeError::ArcRadii`] when the ends are not
    /// at one distance from the centre, [`ShapeError::TooManyVertices`] for arcs of 300 km,
    /// [`ShapeError::NotFinite`].
    pub fn arc_to(
        &mut self,
        point: impl Into<Vec2>,
        center: impl Into<Vec2>,
        clockwise: bool,
        outside_is_out: bool,
    ) -> Result<&mut Self, ShapeError> {
        let (start, point) = (self.last_point()?, point.into());
        let arc = CircularEdge::new(start, point, center.into(), clockwise, outside_is_out)?;
        self.make_room(arc.subdivision().0)?;
        let edge = self.edges.len() as u32;
        for p in arc.auxiliary_vertices() {
            self.vertices.push(Vertex {
                point: p,
                end_point: false,
                previous_edge: edge,
                next_edge: edge,
                curvature_radius: arc.signed_radius(),
            });
        }
        self.push_edge(Curve::Circular(arc), arc.proximity_circle(), point)
    }

    /// Adds a circular edge of given `radius` to `point`, its centre above the chord (right of a vertical
    /// one) when `center_is_above`.
    ///
    /// # Errors
    /// As [`arc_to`](Self::arc_to).
    pub fn arc_of_radius_to(
        &mut self,
        point: impl Into<Vec2>,
        radius: f64,
        center_is_above: bool,
        clockwise: bool,
        outside_is_out: bool,
    ) -> Result<&mut Self, ShapeError> {
        let (start, point) = (self.last_point()?, point.into());
        let center = CircularEdge::center_from_radius(start, point, radius, center_is_above)?;
        self.arc_to(point, center, clockwise, outside_is_out)
    }

    /// Closes the open path: its last point must be its first within 1e-8.
    ///
    /// # Errors
    /// [`ShapeError::NotClosed`], [`ShapeError::BuilderOrder`] without an open path or without edges.
    pub fn close(&mut self) -> Result<&mut Self, ShapeError> {
        let Some((first_vertex, first_edge)) = self.open else {
            return Err(ShapeError::BuilderOrder { what: "no path is open: start one first" });
        };
        if self.edges.len() == first_edge as usize {
            return Err(ShapeError::BuilderOrder { what: "the path has no edge: add one before closing" });
        }
        let gap = (self.last_point()? - self.vertices[first_vertex as usize].point).norm();
        if !(gap <= CLOSURE) {
            return Err(ShapeError::NotClosed { gap });
        }
        // The start vertex takes the place of the last one.
        self.vertices.pop();
        let last_edge = self.edges.len() as u32 - 1;
        self.edges[last_edge as usize].end_vertex = first_vertex;
        let start = &mut self.vertices[first_vertex as usize];
        start.previous_edge = last_edge;
        start.next_edge = first_edge;
        for vertex in &mut self.vertices[first_vertex as usize..] {
            if vertex.end_point {
                let previous = self.edges[vertex.previous_edge as usize].curvature_radius();
                let next = self.edges[vertex.next_edge as usize].curvature_radius();
                vertex.curvature_radius = if next.abs() < previous.abs() { next } else { previous };
            }
        }
        self.open = None;
        self.path_count += 1;
        Ok(self)
    }

    /// The finished shape.
    ///
    /// # Errors
    /// [`ShapeError::BuilderOrder`] when there is no path, and what [`close`](Self::close) reports for a
    /// path still open.
    pub fn finish(mut self) -> Result<PathShape, ShapeError> {
        if self.open.is_some() {
            self.close()?;
        }
        if self.path_count == 0 {
            return Err(ShapeError::BuilderOrder { what: "a shape needs at least one closed path" });
        }
        Ok(PathShape::finish(self.vertices, self.edges, self.path_count))
    }

    pub(crate) fn last_point(&self) -> Result<Vec2, ShapeError> {
        match (self.open, self.vertices.last()) {
            (Some(_), Some(v)) => Ok(v.point),
            _ => Err(ShapeError::BuilderOrder { what: "no path is open: start one first" }),
        }
    }

    fn push_vertex(&mut self, point: Vec2, end_point: bool) -> Result<(), ShapeError> {
        check_point(self.vertices.len(), point)?;
        self.make_room(1)?;
        let edge = self.edges.len() as u32;
        self.vertices.push(Vertex {
            point,
            end_point,
            previous_edge: edge.saturating_sub(1),
            next_edge: edge,
            curvature_radius: f64::INFINITY,
        });
        Ok(())
    }

    /// An error if `more` vertices are too many.
    fn make_room(&self, more: u32) -> Result<(), ShapeError> {
        let count = self.vertices.len().saturating_add(more as usize);
        if count <= MAX_VERTICES {
            return Ok(());
        }
        Err(ShapeError::TooManyVertices { count, limit: MAX_VERTICES })
    }

    fn push_edge(&mut self, curve: Curve, circle: (Vec2, f64), end: Vec2) -> Result<&mut Self, ShapeError> {
        let start_vertex = self
            .vertices
            .iter()
            .rposition(|v| v.end_point)
            .ok_or(ShapeError::BuilderOrder { what: "no path is open: start one first" })?;
        self.edges.push(Edge {
            curve,
            start_vertex: start_vertex as u32,
            end_vertex: self.vertices.len() as u32,
            path: self.path_count,
            proximity_center: circle.0,
            proximity_radius: circle.1,
        });
        self.push_vertex(end, true)?;
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misuse_is_reported() {
        let mut b = PathBuilder::new();
        assert!(matches!(b.line_to([1.0, 0.0], true), Err(ShapeError::BuilderOrder { .. })));
        b.start([0.0, 0.0]).unwrap();
        assert!(matches!(b.start([0.0, 0.0]), Err(ShapeError::BuilderOrder { .. })));
        b.line_to([1.0, 0.0], false).unwrap();
        assert!(matches!(b.clone().finish(), Err(ShapeError::NotClosed { .. })));
        assert!(matches!(b.line_to([1.0, 0.0], false), Err(ShapeError::EmptyEdge { index: 1 })));
        assert!(matches!(b.line_to([f64::NAN, 0.0], false), Err(ShapeError::NotFinite { .. })));
        let long = b.arc_to([1.0, 0.0], [1.0, 1e5], false, true).map(|_| ());
        assert!(matches!(long, Err(ShapeError::TooManyVertices { count, .. }) if count > 2_000_000));
    }

    #[test]
    fn vertices_know_their_edges() {
        let mut b = PathBuilder::new();
        b.start([0.0, 0.0]).unwrap();
        b.line_to([2.0, 0.0], false).unwrap();
        b.arc_to([0.0, 0.0], [1.0, 0.0], false, true).unwrap();
        let shape = b.finish().unwrap();
        let ends: Vec<_> = shape.vertices().iter().filter(|v| v.is_end_point()).collect();
        assert_eq!(ends.len(), 2);
        assert_eq!((ends[0].previous_edge(), ends[0].next_edge()), (1, 0));
        assert_eq!((ends[1].previous_edge(), ends[1].next_edge()), (0, 1));
        assert!(ends.iter().all(|v| v.curvature_radius() == 1.0));
    }

    #[test]
    fn all_paths_of_a_shape_make_it_again_and_none_makes_no_shape() {
        let mut two = PathBuilder::new();
        for x in [0.0, 5.0, 9.0] {
            two.start([x, 0.0]).unwrap();
            two.line_to([x + 2.0, 0.0], false).unwrap();
            two.arc_to([x, 0.0], [x + 1.0, 0.0], false, true).unwrap();
            two.close().unwrap();
        }
        let shape = two.finish().unwrap();
        assert_eq!(PathBuilder::of_paths(&shape, |_| true).finish().unwrap(), shape);
        let last = PathBuilder::of_paths(&shape, |path| path != 1).finish().unwrap();
        assert_eq!((last.path_count(), last.edges().len()), (2, 4));
        for (edge, x) in last.edges().iter().zip([0.0, 2.0, 9.0, 11.0]) {
            assert_eq!(last.vertices()[edge.start_vertex()].point(), Vec2::new(x, 0.0));
        }
        assert!(
            last.vertices()
                .iter()
                .all(|v| last.edges()[v.previous_edge()].path() == last.edges()[v.next_edge()].path())
        );
        assert!(PathBuilder::of_paths(&shape, |_| false).finish().is_err());
    }
}
