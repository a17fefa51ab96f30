//! Bodies in sets that grow together: how islands are found.

use engine2d_geometry::BodyRef;

/// Disjoint sets of bodies; the ground belongs to none. Its storage is reused.
///
/// ```
/// use engine2d_constraint::{BodyRef::{Body, Ground}, Forest};
///
/// let mut forest = Forest::default();
/// forest.reset(4);
/// for row in [[Body(3), Body(1)], [Body(0), Ground], [Body(2), Ground]] {
///     forest.join(row);
/// }
/// assert_eq!([0, 1, 2, 3].map(|body| forest.root(body)), [0, 1, 2, 1]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Forest {
    parents: Vec<usize>,
}

impl Forest {
    /// Makes every one of `bodies` bodies a set of its own.
    pub fn reset(&mut self, bodies: usize) {
        self.parents.clear();
        self.parents.extend(0..bodies);
    }

    /// Joins the sets of bodies.
    ///
    /// # Panics
    /// For a body that is not there.
    pub fn join(&mut self, bodies: impl IntoIterator<Item = BodyRef>) {
        let mut indices = bodies.into_iter().filter_map(BodyRef::index);
        let Some(first) = indices.next() else { return };
        for other in indices {
            let (a, b) = (self.root(first), self.root(other));
            self.parents[a.max(b)] = a.min(b);
        }
    }

    /// The first body of the set of a body.
    ///
    /// # Panics
    /// For a body that is not there.
    pub fn root(&mut self, mut body: usize) -> usize {
        // Paths are halved on the way.
        while self.parents[body] != body {
            self.parents[body] = self.parents[self.parents[body]];
            body = self.parents[body];
        }
        body
    }
}
