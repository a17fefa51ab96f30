//! Functions of the user's whose zeros are events.

use crate::adaptive::Crossing;
use crate::force::BodySet;
use crate::report::Event;
use std::fmt;
use std::sync::Arc;

type Function = dyn Fn(&BodySet<'_>) -> f64 + Send + Sync;

/// A function of time and state, with a name.
#[derive(Clone)]
pub(crate) struct WatchedFunction {
    pub(crate) name: String,
    pub(crate) function: Arc<Function>,
}

impl WatchedFunction {
    /// The report of a zero.
    pub(crate) fn event(&self, hit: Crossing) -> Event {
        Event::User { time: hit.time, name: self.name.clone(), rising: hit.rising }
    }
}

impl fmt::Debug for WatchedFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WatchedFunction").field("name", &self.name).finish_non_exhaustive()
    }
}
