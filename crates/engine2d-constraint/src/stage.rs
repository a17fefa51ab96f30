//! Realization stages: how far a mechanism's quantities are computed for its present state.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Stages in order. Each includes those before it; a change drops the mechanism to the stage before the one
/// it invalidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Stage {
    /// Bodies and constraints are known; their defaults may have changed.
    #[default]
    Topology,
    /// Model choices are made.
    Model,
    /// Parameters are fixed: which constraints are enabled, masses.
    Instance,
    /// The time, and geometry that may change at run time, are fixed.
    Time,
    /// Poses and position errors are computed.
    Position,
    /// Velocities and velocity errors are computed.
    Velocity,
    /// Accelerations and multipliers are computed.
    Acceleration,
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}
