//! Path bodies placed in a frame common to a pair, and the edges of each that can be near the other.

use super::corner::{Corner, Join};
use super::curve::PlacedEdge;
use crate::body::CollisionBody;
use crate::shape::PathShape;
use crate::tolerance::SAME_POINT;
use engine2d_math::{Pose, Vec2};
use serde::{Deserialize, Serialize};

/// A path shape where it stands: what the queries of pairs take.
#[derive(Clone, Copy, Debug)]
pub struct PlacedPath<'a> {
    /// The shape (body coordinates).
    pub shape: &'a PathShape,
    /// The body point that `pose` places: the centre of mass (body coordinates).
    pub center_of_mass: Vec2,
    /// World position of that point, and angle.
    pub pose: Pose,
}

impl<'a> PlacedPath<'a> {
    /// The shape with its own centre of mass at `pose`.
    #[must_use]
    pub fn new(shape: &'a PathShape, pose: Pose) -> Self {
        Self { shape, center_of_mass: shape.center_of_mass(), pose }
    }

    /// A body point in world coordinates.
    #[must_use]
    pub fn to_world(&self, p: Vec2) -> Vec2 {
        self.pose.transform(p - self.center_of_mass)
    }
}

impl CollisionBody {
    /// The body as the queries of pairs take it, at its present pose.
    #[must_use]
    pub fn placed(&self) -> PlacedPath<'_> {
        PlacedPath { shape: &self.shape, center_of_mass: self.center_of_mass, pose: self.pose }
    }
}

/// A feature of an outline: a corner, or an edge as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathFeature {
    /// Index into [`PathShape::vertices`].
    Vertex(u32),
    /// Index into [`PathShape::edges`].
    Edge(u32),
}

/// The features of two bodies that face each other: the identity of a contact of the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PathFeatures {
    /// That of the first body.
    pub a: PathFeature,
    /// That of the second body.
    pub b: PathFeature,
}

/// Scratch of the queries of pairs; it changes the time a query takes, never its answer.
#[derive(Clone, Debug, Default)]
pub struct PathWorkspace {
    pub(super) near_a: Vec<PlacedEdge>,
    pub(super) near_b: Vec<PlacedEdge>,
    /// Places on an edge at which it may enter or leave the other body.
    pub(super) cuts: Vec<f64>,
    /// Pieces of an edge still to be searched.
    pub(super) pieces: Vec<(f64, f64)>,
    pub(super) corners_a: Vec<Corner>,
    pub(super) corners_b: Vec<Corner>,
}

/// One body in the frame of the pair.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    pub(super) path: PlacedPath<'a>,
    /// Place of the centre of mass in that frame.
    offset: Vec2,
    /// Circle that contains the outline.
    pub(super) center: Vec2,
    pub(super) radius: f64,
}

impl<'a> Placed<'a> {
    fn new(path: &PlacedPath<'a>, offset: Vec2) -> Self {
        let (center, radius) = path.shape.outline_circle();
        let mut placed = Self { path: *path, offset, center, radius };
        placed.center = placed.point(center);
        placed
    }

    /// A body point in the frame of the pair.
    #[inline]
    pub(super) fn point(&self, p: Vec2) -> Vec2 {
        self.offset + self.path.pose.rotate(p - self.path.center_of_mass)
    }

    /// Whether a point of the frame of the pair lies in the solid.
    pub(super) fn is_solid(&self, p: Vec2) -> bool {
        let local = self.path.center_of_mass + self.path.pose.rotate_inverse(p - self.offset);
        self.path.shape.is_within(local)
    }

    /// Whether only one edge takes part, and nothing is within.
    pub(super) fn is_one_sided(&self) -> bool {
        self.path.shape.one_sided_edge().is_some()
    }

    /// Whether the solid is what lies outside of the outline.
    pub(super) fn is_unbounded(&self) -> bool {
        self.path.shape.is_unbounded()
    }

    /// The corners at which contacts can be, of those where the given edges start.
    pub(super) fn corners_of(&self, edges: &[PlacedEdge], corners: &mut Vec<Corner>) {
        corners.clear();
        corners.extend(edges.iter().map(|e| Corner::new(self, e.start_vertex)));
        // The active edge of a one-sided wall has no next edge that would bring its end.
        if self.is_one_sided() {
            corners.extend(edges.iter().map(|e| Corner::new(self, e.end_vertex)));
        }
        corners.retain(|c| c.join != Join::Reflex);
    }

    /// Places the edges that come nearer than `reach` to the circle about `center`.
    pub(super) fn edges_near(&self, center: Vec2, reach: f64, edges: &mut Vec<PlacedEdge>) {
        edges.clear();
        let shape = self.path.shape;
        let active = shape.one_sided_edge();
        for (index, (edge, [x, y, radius])) in shape.edges().iter().zip(&shape.outline_circles).enumerate() {
            let middle = self.point(Vec2::new(*x, *y));
            let limit = reach + radius;
            let takes_part = active.is_none_or(|edge| edge as usize == index);
            // A reach without bound takes all.
            if takes_part && (middle - center).norm_squared() <= limit * limit {
                edges.push(PlacedEdge::new(self, index as u32, edge, middle, *radius));
            }
        }
    }
}

/// Two bodies in a frame with the directions of the world and its origin half way between them: no digits are lost
/// far from the origin, and the pair looks the same in either order.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(super) a: Placed<'a>,
    pub(super) b: Placed<'a>,
    /// World position of the origin.
    pub(super) origin: Vec2,
    /// Length within which points are the same.
    pub(super) slack: f64,
}

impl<'a> Pair<'a> {
    pub(super) fn new(a: &PlacedPath<'a>, b: &PlacedPath<'a>) -> Self {
        let half = (a.pose.position() - b.pose.position()) * 0.5;
        let origin = (a.pose.position() + b.pose.position()) * 0.5;
        let (a, b) = (Placed::new(a, half), Placed::new(b, -half));
        Self { a, b, origin, slack: SAME_POINT * (a.radius + b.radius) }
    }

    /// Lower bound of the distance of the outlines.
    pub(super) fn apart(&self) -> f64 {
        (self.a.center - self.b.center).norm() - self.a.radius - self.b.radius
    }

    /// Places the edges of either that can be nearer than `reach` to the other.
    pub(super) fn collect(&self, reach: f64, workspace: &mut PathWorkspace) {
        let PathWorkspace { near_a, near_b, .. } = workspace;
        self.a.edges_near(self.b.center, self.b.radius + reach, near_a);
        self.b.edges_near(self.a.center, self.a.radius + reach, near_b);
    }
}
