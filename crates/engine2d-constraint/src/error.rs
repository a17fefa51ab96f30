//! What can go wrong with a mechanism.

use crate::body::BodyId;
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
    #[error("the id or answer {id} belongs to another mechanism")]
    ForeignId {
        /// Index in the other mechanism.
        id: usize,
    },
    /// The id of a body of another mechanism.
    #[error("{what} names {body}, which belongs to another mechanism")]
    ForeignBody {
        /// Who names it.
        what: &'static str,
        /// The body.
        body: BodyId,
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
    /// Rows with limits (contacts, ropes, stops, motors, friction) that the complementarity solver cannot answer.
    #[error(
        "rows with limits have no answer ({reason}): look at acceleration_problem(), or let rows yield with set_compliance()"
    )]
    Unsolved {
        /// What the solver says.
        reason: String,
    },
    /// A constraint that cannot write its equations.
    #[error("{constraint} cannot write its equations: {reason}")]
    Broken {
        /// Name of the constraint.
        constraint: String,
        /// Its own reason.
        reason: String,
    },
    /// Friction that slides under the force of a two-sided row: which of its sides presses is not known beforehand.
    #[error(
        "{constraint} slides at {speed} and a two-sided row presses it: make that row unilateral, or use \
         Motor::brake() with a constant limit"
    )]
    Sliding {
        /// Name of the constraint.
        constraint: String,
        /// Its slip.
        speed: f64,
    },
    /// An edit that exchanges the bodies of a constraint.
    #[error("{constraint} connects other bodies after the change: add a new constraint instead")]
    BodiesChanged {
        /// Name of the constraint.
        constraint: String,
    },
    /// A drive that does not tell how all moves.
    #[error(
        "{drive} does not tell how all moves: {free} coordinates free{}", if *.free == 0 { ", and it cannot move while the others stand still" } else { ": drive or hold them" }
    )]
    NotDriven {
        /// Name of the drive.
        drive: String,
        /// Coordinates that constraints and drives leave free.
        free: usize,
    },
    /// Position or velocity constraints that contradict each other.
    #[error(
        "the constraints cannot be assembled: after {iterations} iterations the largest error is {residual:e}, at \
         {constraint}; it contradicts {} or starts too far away", others(.constraint, .conflicting)
    )]
    NotAssembled {
        /// Iterations made.
        iterations: usize,
        /// Largest error left.
        residual: f64,
        /// Name of the constraint with that error.
        constraint: String,
        /// Names of the constraints that cannot be satisfied together.
        conflicting: Vec<String>,
    },
}

/// The names but that of the constraint they are told of.
fn others(constraint: &str, names: &[String]) -> String {
    let names: Vec<&str> = names.iter().map(String::as_str).filter(|name| *name != constraint).collect();
    if names.is_empty() { "the others".to_owned() } else { names.join(", ") }
}
