//! Which features of two convex shapes make a contact: identities that persist while the shapes move a little.
//!
//! A feature takes part when the contact normal is one of its outward normals: an edge has one, a corner those
//! between its two edges, a smooth curve all. Two edges that face each other are found as such, so that a box
//! at rest on another does not change its features with the last bits of its angle.

use super::{Core, Shape};
use crate::hysteresis::PairId;
use crate::tolerance::FACING;
use engine2d_math::{Pose, Vec2, cross};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A piece of the boundary of a convex shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ShapeFeature {
    /// A corner, by its number counter-clockwise.
    Vertex(u32),
    /// The straight edge from the corner of that number to the next; the boundary of a half plane is edge 0.
    Edge(u32),
    /// The arc about a rounded corner of that number; the whole boundary of a disc or an ellipse is arc 0.
    Arc(u32),
}

impl fmt::Display for ShapeFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Vertex(i) => write!(f, "vertex {i}"),
            Self::Edge(i) => write!(f, "edge {i}"),
            Self::Arc(i) => write!(f, "arc {i}"),
        }
    }
}

/// The features of shapes A and B that face each other along the normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FeaturePair {
    /// The feature of shape A.
    pub a: ShapeFeature,
    /// The feature of shape B.
    pub b: ShapeFeature,
}

impl FeaturePair {
    /// The features of the query with its shapes exchanged.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { a: self.b, b: self.a }
    }
}

impl fmt::Display for FeaturePair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.a, self.b)
    }
}

/// Identity of a contact of convex shapes from step to step: the same in either order of the shapes.
///
/// ```
/// use engine2d_geometry::{ConvexContactId, Pose, Shape, distance};
///
/// let (crate_, floor) = (Shape::rectangle(0.5, 0.5)?, Shape::half_plane());
/// let here = distance(&crate_, &Pose::new(0.0, 0.5, 0.0), &floor, &Pose::IDENTITY)?;
/// let there = distance(&floor, &Pose::IDENTITY, &crate_, &Pose::new(0.3, 0.499, 1e-12))?;
/// let id = ConvexContactId::of(7, 2, here.features);
/// assert_eq!(id, ConvexContactId::of(2, 7, there.features));
/// assert_eq!(id.to_string(), "edge 0 on edge 0 of shapes 2 and 7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ConvexContactId {
    /// The two shapes.
    pub pair: PairId,
    /// The features of the shape with the smaller number and of the other.
    pub features: FeaturePair,
}

impl ConvexContactId {
    /// The identity of a contact between shapes number `a` and `b`, of which a query with them in this order
    /// found `features`.
    #[must_use]
    pub fn of(a: u32, b: u32, features: FeaturePair) -> Self {
        Self { pair: PairId::of(a, b), features: if a <= b { features } else { features.swapped() } }
    }
}

impl fmt::Display for ConvexContactId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (a, b) = self.pair.shapes();
        write!(f, "{} of shapes {a} and {b}", self.features)
    }
}

impl Shape {
    /// The feature that has the unit vector `outward` (world) among its normals, looked for from corner `near`
    /// on.
    pub(super) fn feature(&self, pose: &Pose, outward: Vec2, near: usize) -> ShapeFeature {
        let outline = match &self.core {
            Core::Corners(outline) if outline.len() == 1 => return ShapeFeature::Arc(0),
            Core::Corners(outline) => outline,
            Core::Ellipse { .. } => return ShapeFeature::Arc(0),
            Core::HalfPlane => return ShapeFeature::Edge(0),
        };
        let outward = pose.rotate_inverse(outward);
        let corner = outline.climb(outward, near);
        let facing = |edge: usize| {
            let n = outline.normals()[edge];
            if n.dot(&outward) > 0.0 { cross(n, outward).abs() } else { f64::INFINITY }
        };
        let (next, last) = (corner, outline.before(corner));
        let edge = if facing(last) < facing(next) { last } else { next };
        if facing(edge) <= FACING {
            return ShapeFeature::Edge(edge as u32);
        }
        if self.radius > 0.0 { ShapeFeature::Arc(corner as u32) } else { ShapeFeature::Vertex(corner as u32) }
    }
}
