//! Moments of interest, as plain data.

use crate::body::BodyRef;
use crate::choice::choice;
use crate::joint::Coordinate;
use crate::point::is_default;
use schemars::JsonSchema;
use serde::Serialize;

/// A moment to be told of: when a coordinate of a body crosses a value. It is an event `user` of the record with its name. The
/// located clock finds it to rounding; in fixed steps its time is read off between the ends of the step, and what follows comes
/// at the end. The backtracking clock does not take it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Moment {
    /// Name of the event.
    pub name: String,
    /// The body.
    pub body: BodyRef,
    /// Its coordinate: that of its centre of mass, or its angle.
    pub coordinate: Coordinate,
    /// The value crossed, in either direction (length or radians).
    pub crosses: f64,
    /// What follows. Default `mark`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub then: Then,
}

choice! {
    /// What follows at a moment of interest.
    #[derive(Default)]
    Then {
        /// It is told of, and the run goes on.
        #[default]
        Mark = "mark",
        /// It is told of, and the run ends there.
        Stop = "stop",
    }
}
