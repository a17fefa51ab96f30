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
    /// When bodies fall asleep: what has been slow for a while, with all that it touches, is left out of steps until something comes near it
    /// or is changed. Default: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sleeping: Option<Sleeping>,
}

impl Default for TimeStepping {
    fn default() -> Self {
        Self { solver: SteppingSolver::Exact, substeps: 4, budget_ms: 16.0, sleeping: None }
    }
}

/// When bodies fall asleep.
///
/// An island of bodies that lie near each other sleeps once each of them has been slow for a time. Its bodies then stand as if they were
/// immovable, without velocity: what they still had of it is gone, and the forces on their contacts that are reported are those of their last step
/// awake. They wake, all of the island, before a step in which a moving body may meet one of them, and when one of them, an immovable body below
/// them or a force on them is changed. What joints, connectors or springs hold does not sleep, nor what forces act on that change by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sleeping {
    /// Speed of the fastest point of a body up to which it is slow (length/time), ≥ 0. Default 0.05.
    pub speed: f64,
    /// How long it must have been (time), > 0. Default 0.5.
    pub time: f64,
}

impl Default for Sleeping {
    fn default() -> Self {
        Self { speed: 0.05, time: 0.5 }
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
