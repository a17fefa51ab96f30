//! Which shapes may meet at all.

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
