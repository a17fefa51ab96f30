//! A look at the bodies each time they have been moved.

use crate::body::BodyView;
use crate::system::System;
use std::fmt;

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
    system: &'a System,
    cause: MoveCause,
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
        self.system.time
    }

    /// The bodies in order.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = BodyView<'a>> + use<'a> {
        BodyView::all(&self.system.data, &self.system.bodies)
    }
}

type Look = Box<dyn FnMut(&Moved<'_>) + Send>;

/// The function called; a clone of the world has none.
#[derive(Default)]
pub(crate) struct AfterMove(pub(crate) Option<Look>);

impl Clone for AfterMove {
    fn clone(&self) -> Self {
        Self(None)
    }
}

impl fmt::Debug for AfterMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "AfterMove(set)" } else { "AfterMove(none)" })
    }
}

impl System {
    /// Shows the bodies to the one who asked for it.
    pub(crate) fn moved(&mut self, cause: MoveCause) {
        if let Some(mut look) = self.after_move.0.take() {
            look(&Moved { system: self, cause });
            self.after_move.0 = Some(look);
        }
    }
}
