//! Joints that take away motion: welds, sliders, followers of lines.

use super::ends::{Ends, Fitting};
use crate::force_law::Frame;
use crate::point::{Point, is_default};
use schemars::JsonSchema;
use serde::Serialize;

/// Two bodies made one: a point of each coincides and the angle between them stays.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Weld {
    /// What is joined.
    #[serde(flatten)]
    pub ends: Ends,
    /// Angle of the second body less that of the first (radians). Default: as at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<f64>,
    /// Name, strength, whether it acts.
    #[serde(flatten)]
    pub fitting: Fitting,
}

/// The second body slides along an axis of the first and does not turn against it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Prismatic {
    /// What is joined: the point of the second body slides through that of the first.
    #[serde(flatten)]
    pub ends: Ends,
    /// Direction of sliding, in coordinates of the first body; its length does not matter.
    pub axis: Point,
    /// Angle of the second body less that of the first (radians). Default: as at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub angle: Option<f64>,
    /// Name, strength, whether it acts.
    #[serde(flatten)]
    pub fitting: Fitting,
}

/// The second body's point slides along an axis through the first body's point; the bodies turn freely.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Slider {
    /// What is joined.
    #[serde(flatten)]
    pub ends: Ends,
    /// Direction of sliding; its length does not matter.
    pub axis: Point,
    /// `body`: the axis turns with the first body; `world`: it stays. Default `body`.
    #[serde(default = "body_frame")]
    pub frame: Frame,
    /// Name, strength, whether it acts.
    #[serde(flatten)]
    pub fitting: Fitting,
}

fn body_frame() -> Frame {
    Frame::Body
}

/// A point of the second body on a line of the first.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointOnLine {
    /// What is joined: `point_a` is a place of the line, `point_b` the point on it.
    #[serde(flatten)]
    pub ends: Ends,
    /// Direction of the line, in coordinates of the first body; its length does not matter.
    pub axis: Point,
    /// Whether the point sticks to its place on the line instead of sliding. Default `false`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sticking: bool,
    /// Name, strength, whether it acts.
    #[serde(flatten)]
    pub fitting: Fitting,
}

/// A circle of the second body on a line of the first.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CircleOnLine {
    /// What is joined: `point_a` is a place of the line, `point_b` the centre of the circle.
    #[serde(flatten)]
    pub ends: Ends,
    /// Normal of the line towards the circle, in coordinates of the first body; its length does not matter.
    pub normal: Point,
    /// Radius of the circle (length, > 0).
    pub radius: f64,
    /// Whether the circle rolls without slip, whatever force that takes, instead of sliding. Default `false`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rolling: bool,
    /// Whether the line only pushes: the circle may leave it. Default `false`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unilateral: bool,
    /// Name, strength, whether it acts.
    #[serde(flatten)]
    pub fitting: Fitting,
}
