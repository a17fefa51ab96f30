//! Joints that couple motions: gears, couplers, pulleys.

use super::ends::{Ends, Fitting};
use crate::body::BodyRef;
use crate::choice::choice;
use crate::point::{Point, is_default};
use schemars::JsonSchema;
use serde::Serialize;

/// Two gears in mesh, by their pitch circles. Their axles are joints of their own, and may sit on a body that turns.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gear {
    /// What is joined: the points are the centres.
    #[serde(flatten)]
    pub ends: Ends,
    /// Pitch radius of the first gear (length, > 0).
    pub radius_a: f64,
    /// Pitch radius of the second gear (length, > 0).
    pub radius_b: f64,
    /// Whether the second is a ring and the first runs inside it; then `radius_b` is the larger. Default `false`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub internal: bool,
    /// Arc by which the teeth are offset where all angles are 0 (length). Default: they mesh as they stand at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<f64>,
    /// Name, strength, whether it acts.
    #[serde(flatten)]
    pub fitting: Fitting,
}

choice! {
    /// A coordinate of a body.
    Coordinate {
        /// Abscissa of the body's origin (length).
        X = "x",
        /// Ordinate of the body's origin (length).
        Y = "y",
        /// Angle (radians).
        Angle = "angle",
    }
}

choice! {
    /// What a coupler couples.
    #[derive(Default)]
    Coupled {
        /// Coordinates.
        #[default]
        Positions = "positions",
        /// Rates of coordinates.
        Speeds = "speeds",
    }
}

/// `factor_a · coordinate_a + factor_b · coordinate_b + constant = 0`: belts, racks, differentials.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Coupler {
    /// First body.
    pub body_a: BodyRef,
    /// Its coordinate. Default `angle`.
    #[serde(default = "angle_coordinate")]
    pub coordinate_a: Coordinate,
    /// Its factor. Default 1.
    #[serde(default = "one")]
    pub factor_a: f64,
    /// Second body.
    pub body_b: BodyRef,
    /// Its coordinate. Default `angle`.
    #[serde(default = "angle_coordinate")]
    pub coordinate_b: Coordinate,
    /// Its factor.
    pub factor_b: f64,
    /// Whether coordinates or their rates are coupled. Default `positions`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub of: Coupled,
    /// The constant. Default: what holds at the start, for speeds 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constant: Option<f64>,
    /// Name, strength, whether it acts.
    #[serde(flatten)]
    pub fitting: Fitting,
}

fn angle_coordinate() -> Coordinate {
    Coordinate::Angle
}

/// A factor that a connector does not give.
fn one() -> f64 {
    1.0
}

/// A rope from the first body over two fixed rollers to the second: the length up to the first roller and `ratio` times
/// that from the second roller on are together at most `length`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Pulley {
    /// What hangs on the rope; both bodies are movable or fixed, neither is the ground.
    #[serde(flatten)]
    pub ends: Ends,
    /// The roller above the first body (world).
    pub roller_a: Point,
    /// The roller above the second body (world).
    pub roller_b: Point,
    /// How much faster the rope runs on the second side: the second body is pulled `ratio` times as strong (> 0).
    /// Default 1.
    #[serde(default = "one")]
    pub ratio: f64,
    /// Length of the rope (> 0). Default: taut at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<f64>,
    /// Name, strength, whether it acts.
    #[serde(flatten)]
    pub fitting: Fitting,
}
