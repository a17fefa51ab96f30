//! What can go wrong in a simulation.

use engine2d_geometry::{BodyRef, ContactId, ShapeError};

/// A simulation that cannot be set up or cannot go on: what is wrong, where, and what is allowed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SimError {
    /// A body's shape cannot be built.
    #[error("bodies[{index}]: {source}")]
    Shape {
        /// Index of the body.
        index: usize,
        /// What is wrong with the shape.
        source: ShapeError,
    },
    /// A number is outside its allowed range.
    #[error("{path}: {value} is not allowed: {allowed}")]
    Value {
        /// Path of the field.
        path: String,
        /// The value given.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A reference to a body that does not exist.
    #[error("{path}: no body has the index {index} (there are {count})")]
    UnknownBody {
        /// Path of the field.
        path: String,
        /// The index given.
        index: usize,
        /// Number of bodies.
        count: usize,
    },
    /// What an identity named is no longer there.
    #[error("{what} is no longer there: it was removed")]
    Stale {
        /// The identity.
        what: String,
    },
    /// Nothing carries the name.
    #[error("nothing there is named {name:?}")]
    UnknownName {
        /// The name looked for.
        name: String,
    },
    /// A name that another thing of the same kind has. Upper and lower case, spaces, hyphens and underscores are not told
    /// apart.
    #[error("{path}: the name {name:?} is that of {other} already: give each its own, as \"{name} 2\"")]
    NameTaken {
        /// Path of the later one.
        path: String,
        /// The name.
        name: String,
        /// Path of the one that has it.
        other: String,
    },
    /// Bodies that may collide start inside each other.
    #[error(
        "{path} starts {depth:e} deep inside body {other}: move one of them, let one ignore the other, or allow overlap"
    )]
    Overlap {
        /// Path of the later body.
        path: String,
        /// Index of the other body.
        other: u32,
        /// Depth (length).
        depth: f64,
    },
    /// A combination of settings that has no meaning.
    #[error("{path}: {problem}")]
    Unsupported {
        /// Path of the field.
        path: String,
        /// What is the matter, and what to do.
        problem: &'static str,
    },
    /// Two attachment points or centres coincide, so that no direction is defined.
    #[error("{what} at t = {time}: the points are {distance:e} apart, too close to define a direction")]
    TooShort {
        /// Which element.
        what: String,
        /// Simulated time.
        time: f64,
        /// The distance found.
        distance: f64,
    },
    /// A collision that could not be located or resolved.
    #[error(
        "stuck at t = {time}: {contact} has gap {distance:e} and normal velocity {velocity:e} after {attempts} \
         attempts; restart from an earlier state or enlarge the tolerances"
    )]
    Stuck {
        /// Simulated time.
        time: f64,
        /// The deepest record.
        contact: ContactId,
        /// Its gap (negative: penetration).
        distance: f64,
        /// Its normal velocity (negative: approaching).
        velocity: f64,
        /// Number of attempts made.
        attempts: u32,
    },
    /// Contact forces or impulses that violate the laws by more than is accepted.
    #[error(
        "no acceptable {what} at t = {time}: the complementarity problem of {size} rows ended with {status}, \
         largest violation {violation:e}{}",
        conflict(bodies)
    )]
    Unsolved {
        /// "contact forces" or "impulses".
        what: &'static str,
        /// Simulated time.
        time: f64,
        /// Number of rows.
        size: usize,
        /// How the solver ended.
        status: String,
        /// Largest unwanted acceleration or velocity.
        violation: f64,
        /// The bodies whose demands contradict each other: those in the proof that there is no solution. Empty where
        /// there is no proof.
        bodies: Vec<BodyRef>,
    },
    /// Joints that lock a linkage in a position in which they cannot bear what pushes on it, as bars in one line between two pins.
    #[error(
        "no forces hold the joints of {} at t = {time}: in this position, as bars in one line between two pins, they let \
         nothing move and yet bear no load across but by forces without bound; give the linkage a sag (0.1 % of its \
         length will do), one of its joints a slack, or put a spring in the place of one of its joints",
        list(bodies)
    )]
    Locked {
        /// Simulated time.
        time: f64,
        /// Names of the bodies between which the joints hold.
        bodies: Vec<String>,
    },
    /// An impulse that would pull at an ordinary contact.
    #[error("{contact} at t = {time} got the pulling impulse {impulse:e}")]
    PullingImpulse {
        /// Simulated time.
        time: f64,
        /// The record.
        contact: ContactId,
        /// The impulse.
        impulse: f64,
    },
    /// A state, force or record that is not a finite number.
    #[error("{what} is not finite at t = {time}")]
    NotFinite {
        /// Which quantity.
        what: String,
        /// Simulated time.
        time: f64,
    },
    /// The adaptive method could not settle.
    #[error("the adaptive method needs steps below {limit:e} at t = {time}; loosen its tolerance")]
    StepTooSmall {
        /// Simulated time.
        time: f64,
        /// The limit.
        limit: f64,
    },
    /// A body's material is not in the table.
    #[error("materials: {message}")]
    Material {
        /// What the table says.
        message: String,
    },
    /// A body that no question can be asked of.
    #[error("body {body:?}: {message}")]
    Query {
        /// Name of the body.
        body: String,
        /// What the geometry said.
        message: String,
    },
    /// One advance took more work than the settings allow.
    #[error(
        "more than {limit} {what} within one advance, at t = {time}: advance by shorter steps, loosen the tolerance \
         of the method, or raise settings.limits.{what}"
    )]
    WorkLimit {
        /// "steps", "backups" or "evaluations".
        what: &'static str,
        /// The limit.
        limit: u64,
        /// Simulated time reached.
        time: f64,
    },
    /// The clock reached the deadline that the caller set, in the middle of an advance.
    #[error("the time allowed on the clock was over at t = {time}: allow more, or advance by shorter steps")]
    Deadline {
        /// Simulated time reached.
        time: f64,
    },
    /// A step that, added to the time, leaves it as it is.
    #[error(
        "step: {step:e} is not allowed: added to the time, {time}, it changes nothing; take a longer step, or times nearer to 0"
    )]
    StepLost {
        /// Simulated time.
        time: f64,
        /// The step.
        step: f64,
    },
    /// A problem malformed for the complementarity solver.
    #[error("complementarity problem at t = {time}: {message}")]
    Problem {
        /// Simulated time.
        time: f64,
        /// What the solver said.
        message: String,
    },
}

/// Most names that a message lists.
const LISTED: usize = 6;

/// The words for a list of names.
fn list(names: &[String]) -> String {
    let listed = names[..names.len().min(LISTED)].join(", ");
    match names.len().saturating_sub(LISTED) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}

/// The words for bodies that contradict each other.
fn conflict(bodies: &[BodyRef]) -> String {
    if bodies.is_empty() {
        return String::new();
    }
    let names: Vec<String> = bodies.iter().map(ToString::to_string).collect();
    format!("; these demand what cannot be: {}", names.join(", "))
}
