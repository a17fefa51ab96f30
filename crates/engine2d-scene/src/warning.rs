//! What is allowed in a scene and most likely not meant.

use thiserror::Error;

/// Something in a sound scene that is most likely not meant, and its place.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{path}: {kind}")]
pub struct Warning {
    /// Where it is, like `bodies[3].angle`.
    pub path: String,
    /// What is doubtful.
    pub kind: WarningKind,
}

/// What is doubtful at a place.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum WarningKind {
    /// An angle beyond a turn.
    #[error("{angle:?} is more than a turn: angles are in radians ({:.4} if degrees are meant)", angle.to_radians())]
    BeyondTurn {
        /// The angle (radians).
        angle: f64,
    },
    /// A floor or wall that falls.
    #[error("{name:?} can move: say \"fixed\": true if it is to stay")]
    MovableWall {
        /// Name of the body.
        name: String,
    },
    /// Gravity in a scene where nothing holds or stops what falls.
    #[error("nothing is fixed and nothing is tied to the ground: everything falls for ever")]
    NothingHolds,
    /// Gravity that lifts.
    #[error("{strength:?} points upwards: a positive strength pulls down")]
    GravityUpwards {
        /// The strength (length/time²).
        strength: f64,
    },
    /// A body without a mass among those that attract each other.
    #[error(
        "{name:?} is fixed and has no mass to attract with: let it move, and pin it to the ground if it is to stay"
    )]
    AttractsNothing {
        /// Name of the body.
        name: String,
    },
    /// A distance tolerance that is a large part of a body.
    #[error(
        "{tolerance:?} is more than a twentieth of {body:?}, which is {size:.3} long: use at most {:.1e}",
        size / 20.0
    )]
    CoarseTolerance {
        /// The tolerance (length).
        tolerance: f64,
        /// Name of the smallest body.
        body: String,
        /// Its longer side (length).
        size: f64,
    },
    /// A name that was given before.
    #[error("{name:?} is also the name of {first}: give each its own")]
    NameTwice {
        /// The name.
        name: String,
        /// The place where it came first.
        first: String,
    },
    /// An entry that nothing refers to.
    #[error("no {user} uses it")]
    Unused {
        /// What would use it.
        user: &'static str,
    },
    /// Bodies whose sizes are of different units.
    #[error(
        "{what} is {value:.3e}, {ratio:.0} times that of {other:?} ({least:.3e}): are the units the same?"
    )]
    UnlikeUnits {
        /// The quantity.
        what: &'static str,
        /// Its value.
        value: f64,
        /// How much larger it is.
        ratio: f64,
        /// Name of the body with the least.
        other: String,
        /// The least value.
        least: f64,
    },
    /// Bodies whose sizes do not go with the gravity of the Earth in metres.
    #[error("it is {size:.3e} long under gravity of {strength:?}, which is metres: are the units the same?")]
    NotMetres {
        /// Its longer side (length).
        size: f64,
        /// Strength of gravity (length/time²).
        strength: f64,
    },
    /// Masses of very different size that are tied together.
    #[error(
        "it is tied to {heavy:?}, {ratio:.1e} times as heavy: beyond 1e6 forces and positions lose digits (make it heavier, or \
         fix the heavy one)"
    )]
    UnlikeMasses {
        /// Name of the heavy body.
        heavy: String,
        /// Ratio of the masses.
        ratio: f64,
    },
    /// A body that pictures do not show at the start.
    #[error("it starts outside the view")]
    OutsideView,
}
