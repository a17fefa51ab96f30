//! The choices of the clock of fixed steps.

use serde::{Deserialize, Serialize};

/// Choices of the clock of fixed steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TimeStepping {
    /// How the impulses of a step are found.
    pub solver: SteppingSolver,
    /// Parts of a step of the iterative solver, 1 to 1000. Default 4.
    pub substeps: u32,
    /// Work that the exact solver may take in a step before [`Auto`](SteppingSolver::Auto) leaves steps to the iterative one
    /// (milliseconds of a machine of 2026, by counts of factorizations and pivots: the same on every machine), > 0. Default 16.
    pub budget_ms: f64,
}

impl Default for TimeStepping {
    fn default() -> Self {
        Self { solver: SteppingSolver::Exact, substeps: 4, budget_ms: 16.0 }
    }
}

/// How the impulses of a fixed step are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SteppingSolver {
    /// The complementarity problem of the whole step, island by island, to a certificate.
    #[default]
    Exact,
    /// Soft contacts in substeps, swept once each: as fast engines take them. Joints are solved directly. The residual is measured
    /// and reported; it is that of a game, not of a proof. A step in which a body with corners turns by more than half a radian beside
    /// others goes in up to four stretches, and mean forces are those of all of them.
    Iterative,
    /// Exact while that fits [`budget_ms`](TimeStepping::budget_ms); else the iterative solver takes some steps before the exact
    /// one is tried again. The report's certificate tells which it was.
    Auto,
}
