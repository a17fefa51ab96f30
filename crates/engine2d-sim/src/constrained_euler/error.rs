//! Why constrained steps fail.

use engine2d_constraint::constrainer::ConstrainerError;
use engine2d_geometry::BodyRef;

/// Why a step could not be taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// A constrainer breaks its contract.
    #[error(transparent)]
    Constrainer(#[from] ConstrainerError),
    /// The complementarity problem of a phase is malformed or has no solution.
    #[error("{phase} at t = {time}: {message}")]
    Solver {
        /// Which solve of the step.
        phase: &'static str,
        /// Simulated time.
        time: f64,
        /// What the solver said.
        message: String,
    },
    /// The step is not a positive number.
    #[error("the step is {step}: it must be > 0 and finite")]
    Step {
        /// The step given.
        step: f64,
    },
    /// A body that is not there.
    #[error("{what} names {body}, but there are {count} bodies")]
    UnknownBody {
        /// Who names it.
        what: String,
        /// The body.
        body: BodyRef,
        /// Number of bodies.
        count: usize,
    },
    /// A mechanism of another number of bodies than the system has.
    #[error("the mechanism has {found} bodies, but the system {count}")]
    OtherBodies {
        /// Bodies of the mechanism.
        found: usize,
        /// Bodies of the system.
        count: usize,
    },
    /// A body without mass or inertia, or a force that is not finite.
    #[error("{what} of {body} is {value}: {allowed}")]
    Value {
        /// Which quantity.
        what: &'static str,
        /// The body.
        body: BodyRef,
        /// The value given.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
}
