//! Joints that stop a motion: limits of angles and travels.

use super::ends::{Ends, Fitting};
use crate::body::BodyRef;
use crate::point::{Point, is_default};
use schemars::JsonSchema;
use serde::Serialize;

/// Limits of the angle of the second body less that of the first; turns are counted.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AngleLimit {
    /// First body.
    pub body_a: BodyRef,
    /// Second body.
    pub body_b: BodyRef,
    /// Least angle (radians). Default: none; one of the two is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// Greatest angle (radians). Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// Part of the angular velocity that a limit gives back, 0 to 1. Default 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub restitution: f64,
    /// Name, strength, whether it acts.
    #[serde(flatten)]
    pub fitting: Fitting,
}

/// Limits of the travel of the second point from the first along an axis.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SlideLimit {
    /// What is limited.
    #[serde(flatten)]
    pub ends: Ends,
    /// Direction of the travel, in coordinates of the first body; its length does not matter.
    pub axis: Point,
    /// Least travel (length). Default: none; one of the two is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// Greatest travel (length). Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// Part of the speed that a limit gives back, 0 to 1. Default 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub restitution: f64,
    /// Name, strength, whether it acts.
    #[serde(flatten)]
    pub fitting: Fitting,
}
