//! Defaults of the settings of clocks.

use engine2d_sim::Sleeping;

/// Tolerance of the default solver (relative and absolute): joints and resting bodies to 1e-10, energy to 1e-6 over
/// minutes.
pub(crate) const DEFAULT_TOLERANCE: f64 = 1e-9;

pub(crate) fn default_substeps() -> u32 {
    4
}

pub(crate) fn default_tolerance() -> f64 {
    DEFAULT_TOLERANCE
}

pub(crate) fn default_budget() -> f64 {
    16.0
}

pub(crate) fn default_sleeping_speed() -> f64 {
    Sleeping::default().speed
}

pub(crate) fn default_sleeping_time() -> f64 {
    Sleeping::default().time
}
