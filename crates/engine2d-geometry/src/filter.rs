//! Which shapes may meet at all.

use crate::shape::PathShape;
use serde::{Deserialize, Serialize};

/// Collision groups of a shape: what it is, and what it meets.
///
/// Two shapes meet when each one's categories share a bit with the other's mask.
///
/// ```
/// use engine2d_geometry::CollisionFilter;
///
/// let ghost = CollisionFilter { categories: 0b10, mask: 0b01 };
/// assert!(ghost.meets(&CollisionFilter::default()));
/// assert!(!ghost.meets(&ghost));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollisionFilter {
    /// The groups the shape belongs to, one bit each.
    pub categories: u32,
    /// The groups it meets, one bit each.
    pub mask: u32,
}

impl CollisionFilter {
    /// Whether two shapes with these filters may meet; the same in either order.
    #[inline]
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        self.categories & other.mask != 0 && other.categories & self.mask != 0
    }
}

impl Default for CollisionFilter {
    /// Member of all groups, meeting all groups.
    fn default() -> Self {
        Self { categories: u32::MAX, mask: u32::MAX }
    }
}

/// Edges of one other body, by inclusive index range, that a body never collides with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IgnoredEdges {
    /// Index of the other body.
    pub body: u32,
    /// First edge ignored.
    pub first: u32,
    /// Last edge ignored.
    pub last: u32,
}

impl IgnoredEdges {
    /// All edges of the body of index `body`, which has `shape`.
    #[must_use]
    pub fn of_body(body: u32, shape: &PathShape) -> Self {
        Self { body, first: 0, last: shape.edges().len().saturating_sub(1) as u32 }
    }

    /// All edges of the closed path that edge `edge` of the body is part of, as the outer one of a frame; `None`
    /// if the shape has no such edge.
    ///
    /// ```
    /// use engine2d_geometry::{IgnoredEdges, PathShape};
    ///
    /// let frame = PathShape::frame(engine2d_geometry::sizes::Frame { width: 2.0, height: 3.0, thickness: 0.2 })?;
    /// let outside = IgnoredEdges::of_path(4, &frame, 6).unwrap();
    /// assert_eq!((outside.first, outside.last), (4, 7));
    /// assert_eq!(IgnoredEdges::of_path(4, &frame, 8), None);
    /// # Ok::<(), engine2d_geometry::ShapeError>(())
    /// ```
    #[must_use]
    pub fn of_path(body: u32, shape: &PathShape, edge: u32) -> Option<Self> {
        let path = shape.edges().get(edge as usize)?.path();
        // Edges are listed path by path.
        let first = shape.edges().iter().position(|e| e.path() == path)?;
        let last = shape.edges().iter().rposition(|e| e.path() == path)?;
        Some(Self { body, first: first as u32, last: last as u32 })
    }

    /// Whether `edge` of the body of index `body` is one of them.
    #[inline]
    #[must_use]
    pub fn contains(&self, body: u32, edge: u32) -> bool {
        self.body == body && (self.first..=self.last).contains(&edge)
    }
}

/// Pairs that never meet, whatever their groups.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NonCollidingPairs {
    /// Pairs in increasing order, the smaller number of each first.
    pairs: Vec<(u32, u32)>,
}

impl NonCollidingPairs {
    /// Adds a pair.
    pub fn insert(&mut self, a: u32, b: u32) {
        let pair = (a.min(b), a.max(b));
        if let Err(place) = self.pairs.binary_search(&pair) {
            self.pairs.insert(place, pair);
        }
    }

    /// Takes a pair out; whether it was there.
    pub fn remove(&mut self, a: u32, b: u32) -> bool {
        let found = self.pairs.binary_search(&(a.min(b), a.max(b)));
        if let Ok(place) = found {
            self.pairs.remove(place);
        }
        found.is_ok()
    }

    /// Whether the pair never meets.
    #[inline]
    #[must_use]
    pub fn contains(&self, a: u32, b: u32) -> bool {
        !self.pairs.is_empty() && self.pairs.binary_search(&(a.min(b), a.max(b))).is_ok()
    }

    /// Takes out all pairs of `a`.
    pub fn forget(&mut self, a: u32) {
        self.pairs.retain(|&(i, j)| i != a && j != a);
    }
}
