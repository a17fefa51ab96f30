//! A pair of path bodies in a common frame, and what of each can be near the other.

use super::corner::{Corner, Join};
use super::curve::PlacedEdge;
use super::frame::{Placed, PlacedPath};
use crate::tolerance::SAME_POINT;
use engine2d_math::Vec2;
use serde::{Deserialize, Serialize};

/// A feature of an outline: a corner, or an edge as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathFeature {
    /// Index into [`PathShape::vertices`](crate::PathShape::vertices).
    Vertex(u32),
    /// Index into [`PathShape::edges`](crate::PathShape::edges).
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
        edges_near(&self.a, self.b.center, self.b.radius + reach, near_a);
        edges_near(&self.b, self.a.center, self.a.radius + reach, near_b);
    }
}

/// Places the edges that come nearer than `reach` to the circle about `center`.
fn edges_near(placed: &Placed<'_>, center: Vec2, reach: f64, edges: &mut Vec<PlacedEdge>) {
    edges.clear();
    let shape = placed.path.shape;
    let active = shape.one_sided_edge();
    for (index, (edge, [x, y, radius])) in shape.edges().iter().zip(&shape.outline_circles).enumerate() {
        let middle = placed.point(Vec2::new(*x, *y));
        let limit = reach + radius;
        let takes_part = active.is_none_or(|edge| edge as usize == index);
        // A reach without bound takes all.
        if takes_part && (middle - center).norm_squared() <= limit * limit {
            edges.push(PlacedEdge::new(placed, index as u32, edge, middle, *radius));
        }
    }
}

/// The corners at which contacts can be, of those where the given edges start.
pub(super) fn corners_of(placed: &Placed<'_>, edges: &[PlacedEdge], corners: &mut Vec<Corner>) {
    corners.clear();
    corners.extend(edges.iter().map(|e| Corner::new(placed, e.start_vertex)));
    // The active edge of a one-sided wall has no next edge that would bring its end.
    if placed.is_one_sided() {
        corners.extend(edges.iter().map(|e| Corner::new(placed, e.end_vertex)));
    }
    corners.retain(|c| c.join != Join::Reflex);
}
