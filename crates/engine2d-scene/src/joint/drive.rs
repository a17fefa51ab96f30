//! Joints that drive: motors, wheels, the mouse.

use super::ends::{Ends, Fitting, yes};
use crate::body::BodyRef;
use crate::choice::choice;
use crate::point::{Point, is_default};
use schemars::JsonSchema;
use serde::Serialize;

choice! {
    /// What a motor drives.
    #[derive(Default)]
    Drive {
        /// The angle of the second body less that of the first (radians).
        #[default]
        Angle = "angle",
        /// The travel of the second point from the first along `axis` (length).
        Travel = "travel",
        /// The distance of the two points (length).
        Distance = "distance",
    }
}

/// Drives an angle, a travel or a distance at a speed, or to a place, as far as its force allows.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Motor {
    /// What is driven; the points count for a travel or a distance.
    #[serde(flatten)]
    pub ends: Ends,
    /// What it drives. Default `angle`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub drive: Drive,
    /// Direction of a travel, in coordinates of the first body; its length does not matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub axis: Option<Point>,
    /// The speed kept (radians/time or length/time). Either this or `place` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// The place moved to (radians or length): a servo. Either this or `speed` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<f64>,
    /// A servo approaches at this times the distance left (1/time, ≥ 0). Default 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain: Option<f64>,
    /// Largest speed of a servo's approach (radians/time or length/time, ≥ 0). Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_speed: Option<f64>,
    /// Largest force, for an angle largest torque, either way (≥ 0). Default: whatever it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
    /// Name, strength, whether it acts.
    #[serde(flatten)]
    pub fitting: Fitting,
}

/// Gain of a servo that does not say (1/time).
pub const DEFAULT_GAIN: f64 = 10.0;

/// A wheel on a suspension: the second body's point slides along an axis of the first on a spring with a damper, and
/// may be driven. In the world it is a slider, a spring (`… spring`) and, with a speed, a motor (`… motor`).
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wheel {
    /// The first body carries the suspension, the second is the wheel with its axle at `point_b`.
    #[serde(flatten)]
    pub ends: Ends,
    /// Direction of the suspension, in coordinates of the first body; its length does not matter. Default `[0, 1]`.
    #[serde(default = "upright")]
    pub axis: Point,
    /// Force per travel of the spring (force/length, > 0).
    pub stiffness: f64,
    /// Force per speed of the damper (mass/time, ≥ 0). Default 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub damping: f64,
    /// Travel along the axis at which the spring has no force (length). Default 0: where the points meet.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rest: f64,
    /// Angular velocity against the first body that the motor keeps (radians/time). Default: no motor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Largest torque of the motor (force·length, ≥ 0). Default: whatever it takes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
    /// A name for events and reports. Default `connector` with the place in the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether it acts. Default `true`.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub enabled: bool,
}

/// The direction of a suspension that does not say.
pub(crate) fn upright() -> Point {
    [0.0, 1.0]
}

/// A point of a body drawn to a place of the world by a force of limited size along x and along y, as by a mouse. In
/// the world these are two servos (`… x` and `… y`).
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mouse {
    /// The body drawn.
    pub body: BodyRef,
    /// Where it is held, in its coordinates (length). Default `[0, 0]`.
    #[serde(default)]
    pub point: Point,
    /// Where it is drawn to (world).
    pub target: Point,
    /// The point approaches at this times the distance left (1/time, ≥ 0). Default 10.
    #[serde(default = "default_gain")]
    pub gain: f64,
    /// Largest force along x and along y (force, ≥ 0).
    pub limit: f64,
    /// A name for events and reports. Default `connector` with the place in the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether it acts. Default `true`.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub enabled: bool,
}

fn default_gain() -> f64 {
    DEFAULT_GAIN
}
