//! A look at the bodies each time they have been moved.

use crate::body::BodyData;
use crate::body::view::BodyView;
use engine2d_geometry::CollisionBody;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// Why the bodies are where they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MoveCause {
    /// The end of an integrator step, which may yet be taken back.
    Step,
    /// A step was taken back.
    BackUp,
    /// Collisions were resolved: velocities have changed, and places within tolerance.
    Handling,
}

/// The bodies right after a move.
pub struct Moved<'a> {
    pub(crate) data: &'a [BodyData],
    pub(crate) bodies: &'a [CollisionBody],
    pub(crate) time: f64,
    pub(crate) cause: MoveCause,
}

impl<'a> Moved<'a> {
    /// Why they moved.
    #[must_use]
    pub fn cause(&self) -> MoveCause {
        self.cause
    }

    /// Simulated time of the state shown.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The bodies in order.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = BodyView<'a>> + use<'a> {
        BodyView::all(self.data, self.bodies)
    }
}

type Look = Box<dyn FnMut(&Moved<'_>) + Send>;

/// The function called; a clone of the world has none. The lock is only ever asked through `&mut`, which waits for nobody; it makes
/// a world something that threads may look at together.
#[derive(Default)]
pub(crate) struct AfterMove(Mutex<Option<Look>>);

impl AfterMove {
    /// The function, if there is one.
    pub(crate) fn look(&mut self) -> &mut Option<Look> {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for AfterMove {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for AfterMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AfterMove")
    }
}
