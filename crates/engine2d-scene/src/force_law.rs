//! Force laws as plain data.

use crate::body::BodyRef;
use crate::choice::choice;
use crate::point::{Point, is_default};
use schemars::JsonSchema;
use serde::Serialize;

/// A source of forces.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum ForceLaw {
    /// Uniform gravity, downwards.
    Gravity {
        /// Acceleration (length/time²).
        strength: f64,
        /// Height at which the potential energy is 0 (length).
        #[serde(default, skip_serializing_if = "is_default")]
        zero_energy_level: f64,
        /// The bodies it acts on; absent: all movable ones.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bodies: Option<Vec<BodyRef>>,
    },
    /// Attraction between every two bodies by the inverse square of their distance.
    InverseSquareGravity {
        /// Force for two unit masses at unit distance.
        strength: f64,
        /// The bodies it acts on; absent: all movable ones.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bodies: Option<Vec<BodyRef>>,
    },
    /// Resistance proportional to velocity.
    Damping {
        /// Force per velocity (mass/time, ≥ 0).
        coefficient: f64,
        /// Torque per angular velocity as a multiple of `coefficient` (length², ≥ 0).
        #[serde(default = "default_rotate_ratio")]
        rotate_ratio: f64,
        /// The bodies it acts on; absent: all movable ones.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bodies: Option<Vec<BodyRef>>,
    },
    /// A linear spring between two points.
    Spring {
        /// A name for pictures and reports.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// First body.
        body_a: BodyRef,
        /// Attachment on the first body, in its coordinates.
        #[serde(default)]
        point_a: Point,
        /// Second body.
        body_b: BodyRef,
        /// Attachment on the second body, in its coordinates.
        #[serde(default)]
        point_b: Point,
        /// Length without force (≥ 0).
        rest_length: f64,
        /// Force per elongation (force/length, ≥ 0).
        stiffness: f64,
        /// Force per relative velocity of the attachments (mass/time, ≥ 0).
        #[serde(default, skip_serializing_if = "is_default")]
        damping: f64,
        /// Pushes only: no force when longer than the rest length.
        #[serde(default, skip_serializing_if = "is_default")]
        compress_only: bool,
    },
    /// One unchanging force on a body.
    ConstantForce {
        /// The body pushed.
        body: BodyRef,
        /// Where the force acts: if it is not told, at the origin of the shape's coordinates, which need not be the centre of mass.
        #[serde(default)]
        location: Point,
        /// Coordinates of `location`.
        #[serde(default = "body_frame")]
        location_frame: Frame,
        /// The force.
        force: Point,
        /// Coordinates of `force`.
        #[serde(default = "world_frame")]
        force_frame: Frame,
        /// A torque besides (force·length, counter-clockwise).
        #[serde(default, skip_serializing_if = "is_default")]
        torque: f64,
    },
    /// Thrusters fixed to a body.
    Thrusters {
        /// The body pushed.
        body: BodyRef,
        /// Factor on every thruster's direction (force).
        magnitude: f64,
        /// The thrusters.
        thrusters: Vec<Thruster>,
    },
    /// A force that turns steadily in body coordinates.
    RotatingForce {
        /// The body pushed.
        body: BodyRef,
        /// Where the force acts, in body coordinates.
        #[serde(default)]
        location: Point,
        /// Size of the force.
        magnitude: f64,
        /// Rate of turn (radians/time).
        rate: f64,
    },
}

impl ForceLaw {
    /// Leaves bodies that are gone out; `false` if the law cannot do without one of them.
    pub(crate) fn without(&mut self, is_gone: &impl Fn(&BodyRef) -> bool) -> bool {
        match self {
            Self::Gravity { bodies, .. }
            | Self::InverseSquareGravity { bodies, .. }
            | Self::Damping { bodies, .. } => {
                if let Some(list) = bodies {
                    list.retain(|body| !is_gone(body));
                }
                true
            }
            Self::Spring { body_a, body_b, .. } => !is_gone(body_a) && !is_gone(body_b),
            Self::ConstantForce { body, .. }
            | Self::Thrusters { body, .. }
            | Self::RotatingForce { body, .. } => !is_gone(body),
        }
    }
}

/// One thruster of a set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Thruster {
    /// Where it sits, in body coordinates.
    pub location: Point,
    /// Direction of its force in body coordinates, scaled by the set's magnitude.
    pub direction: Point,
    /// Whether it burns.
    #[serde(default = "default_active")]
    pub active: bool,
}

choice! {
    /// A frame of coordinates.
    Frame {
        /// Coordinates of the body; turns with it.
        Body = "body",
        /// Coordinates of the world.
        World = "world",
    }
}

fn default_rotate_ratio() -> f64 {
    ForceLaw::DEFAULT_ROTATE_RATIO
}

fn body_frame() -> Frame {
    Frame::Body
}

fn world_frame() -> Frame {
    Frame::World
}

fn default_active() -> bool {
    true
}

impl ForceLaw {
    /// Ratio of rotational to translational damping of a law that does not say (length²).
    pub const DEFAULT_ROTATE_RATIO: f64 = 0.15;

    /// The words of the `type` field.
    pub(crate) const TYPES: &'static [&'static str] = &[
        "gravity",
        "inverse_square_gravity",
        "damping",
        "spring",
        "constant_force",
        "thrusters",
        "rotating_force",
    ];

    /// Uniform gravity on every movable body.
    #[must_use]
    pub fn gravity(strength: f64) -> Self {
        Self::Gravity { strength, zero_energy_level: 0.0, bodies: None }
    }
}
