//! Functions of the user's whose zeros are events.

use crate::adaptive::Crossing;
use crate::force::BodySet;
use crate::report::Event;
use crate::world::identity::BodyId;
use std::fmt;
use std::sync::Arc;

type Function = dyn Fn(&BodySet<'_>) -> f64 + Send + Sync;

/// A function of time and state, with a name.
#[derive(Clone)]
pub(crate) struct WatchedFunction {
    pub(crate) name: String,
    pub(crate) function: Arc<Function>,
    pub(crate) kind: WatchedKind,
}

/// What the zeros of a function tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WatchedKind {
    /// An event of the user's.
    User,
    /// A body comes into a sensor or leaves it.
    Sensor { sensor: BodyId, body: BodyId },
    /// A body is before a one-way platform or no longer.
    OneWay { platform: u32, body: u32 },
}

impl WatchedKind {
    /// Whether it is of a body.
    pub(crate) fn is_of(self, place: u32) -> bool {
        match self {
            Self::User => false,
            Self::Sensor { sensor, body } => [sensor, body].iter().any(|id| id.index() == place as usize),
            Self::OneWay { platform, body } => platform == place || body == place,
        }
    }
}

impl WatchedFunction {
    /// The report of a zero, if there is anything to report.
    pub(crate) fn event(&self, hit: Crossing) -> Option<Event> {
        let time = hit.time;
        match self.kind {
            WatchedKind::User => Some(Event::User { time, name: self.name.clone(), rising: hit.rising }),
            WatchedKind::Sensor { sensor, body } if hit.rising => {
                Some(Event::SensorEnd { time, sensor, body })
            }
            WatchedKind::Sensor { sensor, body } => Some(Event::SensorBegin { time, sensor, body }),
            WatchedKind::OneWay { .. } => None,
        }
    }

    /// Whether its zeros depend on where bodies are, which must not be passed between two looks.
    pub(crate) fn is_spatial(&self) -> bool {
        self.kind != WatchedKind::User
    }
}

impl fmt::Debug for WatchedFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WatchedFunction").field("name", &self.name).finish_non_exhaustive()
    }
}
