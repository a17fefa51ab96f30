//! Identity of a constraint of a mechanism.

use std::fmt;
use std::marker::PhantomData;

/// Identity of a constraint of a mechanism, typed by its kind; another mechanism does not accept it.
pub struct ConstraintId<C> {
    pub(crate) mechanism: u32,
    pub(crate) index: u32,
    kind: PhantomData<fn() -> C>,
}

impl<C> ConstraintId<C> {
    pub(crate) fn new(mechanism: u32, index: usize) -> Self {
        Self { mechanism, index: index as u32, kind: PhantomData }
    }

    /// Place in the list of constraints.
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }
}

impl<C> Clone for ConstraintId<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for ConstraintId<C> {}

impl<C> PartialEq for ConstraintId<C> {
    fn eq(&self, other: &Self) -> bool {
        (self.mechanism, self.index) == (other.mechanism, other.index)
    }
}

impl<C> Eq for ConstraintId<C> {}

impl<C> fmt::Debug for ConstraintId<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "constraint {} of mechanism {}", self.index, self.mechanism)
    }
}
