//! What can go wrong with a mechanism.

use crate::stage::Stage;
use engine2d_geometry::BodyRef;

/// A request to a mechanism that cannot be answered.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MechanismError {
    /// A quantity of a stage that is not realized.
    #[error(
        "this needs stage {needed}, but the mechanism is realized to {have}: call realize({needed}) first"
    )]
    Stage {
        /// Stage needed.
        needed: Stage,
        /// Stage reached.
        have: Stage,
    },
    /// An id of another mechanism, or a wrong kind.
    #[error("the id {id} belongs to another mechanism")]
    ForeignId {
        /// Index in the other mechanism.
        id: usize,
    },
    /// A constraint names a body that is not there.
    #[error("{constraint} names {body}, but there are {count} bodies")]
    UnknownBody {
        /// Kind of the constraint.
        constraint: &'static str,
        /// The body named.
        body: BodyRef,
        /// Number of bodies.
        count: usize,
    },
    /// A constraint that connects a body with itself.
    #[error("{constraint} connects {body} with itself")]
    SameBody {
        /// Kind of the constraint.
        constraint: &'static str,
        /// The body.
        body: BodyRef,
    },
    /// A value outside its range.
    #[error("{what} is {value}: {allowed}")]
    Value {
        /// Which quantity.
        what: String,
        /// The value given.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A vector of the wrong length.
    #[error("{what} has {got} entries, {expected} are needed")]
    Length {
        /// Which vector.
        what: &'static str,
        /// Entries given.
        got: usize,
        /// Entries needed.
        expected: usize,
    },
    /// Position or velocity constraints that contradict each other.
    #[error(
        "the constraints cannot be assembled: after {iterations} iterations the largest error is {residual:e}, at \
         {constraint}; it contradicts the others or starts too far away"
    )]
    NotAssembled {
        /// Iterations made.
        iterations: usize,
        /// Largest error left.
        residual: f64,
        /// Name of the constraint with that error.
        constraint: String,
    },
}
