//! Defaults of the settings of clocks.

use super::{ClockSettings, DEFAULT_TOLERANCE, FixedSolver, Solver, SteppingSolver};

impl ClockSettings {
    /// Steps of a fixed length with the iterative solver at its defaults.
    #[must_use]
    pub fn iterative() -> Self {
        Self::TimeStepping { solver: SteppingSolver::Iterative, substeps: default_substeps() }
    }
}

pub(crate) fn default_substeps() -> u32 {
    4
}

pub(crate) fn default_tolerance() -> f64 {
    DEFAULT_TOLERANCE
}

pub(crate) fn runge_kutta() -> Solver {
    Solver::Fixed(FixedSolver::RungeKutta4)
}
