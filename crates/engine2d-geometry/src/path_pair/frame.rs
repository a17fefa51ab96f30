//! Path bodies where they stand, and each in the frame of a pair.

use crate::body::CollisionBody;
use crate::shape::PathShape;
use engine2d_math::{Pose, Vec2};

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
    pub fn to_world(&self, p: impl Into<Vec2>) -> Vec2 {
        let p: Vec2 = p.into();
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
    pub(super) fn new(path: &PlacedPath<'a>, offset: Vec2) -> Self {
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
}
