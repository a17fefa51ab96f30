//! Connectors and the curves they follow, as plain data.

use crate::body::BodyRef;
use crate::force_law::Frame;
use crate::joint::{
    AngleLimit, CircleOnLine, Coupler, Fitting, Gear, Motor, Mouse, PointOnLine, Prismatic, Pulley,
    SlideLimit, Slider, Weld, Wheel,
};
use crate::point::{Point, is_default};
use schemars::JsonSchema;
use serde::Serialize;

/// A tie between two bodies, or between a body and the ground or a curve.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Connector {
    /// Two points stay level along one direction: a sliding track. The two bodies do not collide.
    Joint {
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
        /// The direction along which the points stay together; its length does not matter.
        normal: Point,
        /// `world`: the direction stays; `body`: it turns with the second body.
        #[serde(default = "default_frame")]
        frame: Frame,
    },
    /// Two points stay together: joints along y and along x, in this order.
    Pin {
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
        /// Frame of the two directions, which the motion does not depend on.
        #[serde(default = "default_frame")]
        frame: Frame,
        /// Name, strength, whether it acts: with one of them the pin needs the located clock or fixed steps.
        #[serde(flatten)]
        fitting: Fitting,
    },
    /// Two points stay at a distance.
    Rod(Line),
    /// Two points stay within a distance. Where it comes taut it gives back the lesser elasticity of its bodies.
    Rope(Line),
    /// A point of a body slides along a curve.
    PathJoint {
        /// The body.
        body: BodyRef,
        /// The sliding point, in body coordinates.
        #[serde(default)]
        point: Point,
        /// Name of an entry of `curves`.
        curve: String,
    },
    /// A point of a body that slides along a curve cannot pass a place on it.
    PathEndStop {
        /// The body.
        body: BodyRef,
        /// The sliding point, in body coordinates.
        #[serde(default)]
        point: Point,
        /// Name of an entry of `curves`.
        curve: String,
        /// Arc length of the stop from the start of the curve (length).
        limit: f64,
        /// Whether the point stays below the limit (`true`) or above it (`false`).
        #[serde(default, skip_serializing_if = "is_default")]
        upper: bool,
    },
    /// Two bodies made one.
    Weld(Weld),
    /// Sliding along an axis without turning.
    Prismatic(Prismatic),
    /// Sliding along an axis with turning.
    Slider(Slider),
    /// A point on a line.
    PointOnLine(PointOnLine),
    /// A circle on a line.
    CircleOnLine(CircleOnLine),
    /// Two gears in mesh.
    Gear(Gear),
    /// A linear relation of two coordinates.
    Coupler(Coupler),
    /// A motor or servo of limited force.
    Motor(Motor),
    /// Limits of an angle.
    AngleLimit(AngleLimit),
    /// Limits of a travel.
    SlideLimit(SlideLimit),
    /// A wheel on a suspension, with or without motor.
    Wheel(Wheel),
    /// A point drawn to a place.
    Mouse(Mouse),
    /// A rope over two rollers.
    Pulley(Pulley),
}

/// A rod or rope between two points.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// First body.
    pub body_a: BodyRef,
    /// Attachment on the first body, in its coordinates.
    #[serde(default)]
    pub point_a: Point,
    /// Second body; it must be movable.
    pub body_b: BodyRef,
    /// Attachment on the second body, in its coordinates.
    #[serde(default)]
    pub point_b: Point,
    /// Length (> 0); absent: the distance of the attachments at the start, for a rope with the gap that a taut
    /// one keeps, half the distance tolerance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<f64>,
    /// Name, strength, whether it acts: with one of them the line needs the located clock or fixed steps.
    #[serde(flatten)]
    pub fitting: Fitting,
}

fn default_frame() -> Frame {
    Frame::Body
}

impl Connector {
    /// The words of the `type` field.
    pub(crate) const TYPES: &'static [&'static str] = &[
        "joint",
        "pin",
        "rod",
        "rope",
        "path_joint",
        "path_end_stop",
        "weld",
        "prismatic",
        "slider",
        "point_on_line",
        "circle_on_line",
        "gear",
        "coupler",
        "motor",
        "angle_limit",
        "slide_limit",
        "wheel",
        "mouse",
        "pulley",
    ];

    /// A pin between two bodies, turning with the second.
    #[must_use]
    pub fn pin(
        body_a: impl Into<BodyRef>,
        point_a: Point,
        body_b: impl Into<BodyRef>,
        point_b: Point,
    ) -> Self {
        Self::Pin {
            body_a: body_a.into(),
            point_a,
            body_b: body_b.into(),
            point_b,
            frame: Frame::Body,
            fitting: Fitting::default(),
        }
    }

    /// What surrounds the joint, of a connector that has it as a whole.
    #[must_use]
    pub fn fitting(&self) -> Option<&Fitting> {
        Some(match self {
            Self::Pin { fitting, .. } => fitting,
            Self::Rod(line) | Self::Rope(line) => &line.fitting,
            Self::Weld(joint) => &joint.fitting,
            Self::Prismatic(joint) => &joint.fitting,
            Self::Slider(joint) => &joint.fitting,
            Self::PointOnLine(joint) => &joint.fitting,
            Self::CircleOnLine(joint) => &joint.fitting,
            Self::Gear(joint) => &joint.fitting,
            Self::Coupler(joint) => &joint.fitting,
            Self::Motor(joint) => &joint.fitting,
            Self::AngleLimit(joint) => &joint.fitting,
            Self::SlideLimit(joint) => &joint.fitting,
            Self::Pulley(joint) => &joint.fitting,
            Self::Joint { .. } | Self::PathJoint { .. } | Self::PathEndStop { .. } => return None,
            Self::Wheel(_) | Self::Mouse(_) => return None,
        })
    }

    /// The name given to it.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Wheel(wheel) => wheel.name.as_deref(),
            Self::Mouse(mouse) => mouse.name.as_deref(),
            other => other.fitting()?.name.as_deref(),
        }
    }

    /// Whether the constraint library solves it, which needs the located clock or fixed steps.
    #[must_use]
    pub fn needs_located_clock(&self) -> bool {
        match self {
            Self::Joint { .. } | Self::PathJoint { .. } | Self::PathEndStop { .. } => false,
            Self::Pin { fitting, .. } => *fitting != Fitting::default(),
            Self::Rod(line) | Self::Rope(line) => line.fitting != Fitting::default(),
            _ => true,
        }
    }

    /// The bodies that it refers to.
    pub(crate) fn bodies(&self) -> Vec<&BodyRef> {
        match self {
            Self::Joint { body_a, body_b, .. }
            | Self::Pin { body_a, body_b, .. }
            | Self::Coupler(Coupler { body_a, body_b, .. })
            | Self::AngleLimit(AngleLimit { body_a, body_b, .. })
            | Self::Rod(Line { body_a, body_b, .. })
            | Self::Rope(Line { body_a, body_b, .. }) => vec![body_a, body_b],
            Self::Weld(Weld { ends, .. })
            | Self::Prismatic(Prismatic { ends, .. })
            | Self::Slider(Slider { ends, .. })
            | Self::PointOnLine(PointOnLine { ends, .. })
            | Self::CircleOnLine(CircleOnLine { ends, .. })
            | Self::Gear(Gear { ends, .. })
            | Self::Motor(Motor { ends, .. })
            | Self::SlideLimit(SlideLimit { ends, .. })
            | Self::Wheel(Wheel { ends, .. })
            | Self::Pulley(Pulley { ends, .. }) => vec![&ends.body_a, &ends.body_b],
            Self::PathJoint { body, .. }
            | Self::PathEndStop { body, .. }
            | Self::Mouse(Mouse { body, .. }) => {
                vec![body]
            }
        }
    }

    /// Whether it ties a body to the background.
    pub(crate) fn is_tied_to_ground(&self) -> bool {
        match self {
            Self::PathJoint { .. } | Self::PathEndStop { .. } | Self::Mouse(_) | Self::Pulley(_) => true,
            other => other.bodies().into_iter().any(BodyRef::is_ground),
        }
    }

    /// Whether it keeps its bodies from colliding with each other.
    pub(crate) fn parts_its_bodies(&self) -> bool {
        matches!(self, Self::Joint { .. } | Self::Pin { .. }) || self.needs_located_clock()
    }
}

impl Line {
    /// A line between two points, as long as they are apart at the start.
    #[must_use]
    pub fn new(
        body_a: impl Into<BodyRef>,
        point_a: Point,
        body_b: impl Into<BodyRef>,
        point_b: Point,
    ) -> Self {
        let (body_a, body_b, fitting) = (body_a.into(), body_b.into(), Fitting::default());
        Self { body_a, point_a, body_b, point_b, length: None, fitting }
    }

    /// The same line with a given length.
    #[must_use]
    pub fn length(mut self, length: f64) -> Self {
        self.length = Some(length);
        self
    }
}

/// A curve of the world for path joints, followed in the direction of increasing arc length.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Curve {
    /// A circle about the origin, travelled counter-clockwise from its top: a closed curve.
    Circle {
        /// Radius (> 0).
        radius: f64,
        /// Points in the table that the curve is interpolated from (≥ 8).
        #[serde(default = "default_table_length")]
        table_length: u32,
    },
    /// `x = Σ x_k t^k`, `y = Σ y_k t^k` for `t` in `[from, to]`: an open curve.
    Polynomial {
        /// Coefficients of x, constant first.
        x: Vec<f64>,
        /// Coefficients of y, constant first.
        y: Vec<f64>,
        /// First parameter.
        from: f64,
        /// Last parameter (> `from`).
        to: f64,
        /// Points in the table that the curve is interpolated from (≥ 8).
        #[serde(default = "default_table_length")]
        table_length: u32,
    },
    /// A table of points in order.
    Points {
        /// At least 8 points, no two neighbours the same; a closed curve ends with its first point.
        points: Vec<Point>,
        /// Whether the curve returns to its start.
        #[serde(default, skip_serializing_if = "is_default")]
        closed: bool,
    },
}

fn default_table_length() -> u32 {
    Curve::DEFAULT_TABLE_LENGTH
}

impl Curve {
    /// Points in the table of a curve that does not say.
    pub const DEFAULT_TABLE_LENGTH: u32 = 9000;

    /// Fewest points a curve is interpolated from.
    pub const MIN_TABLE_LENGTH: u32 = 8;

    /// Most points a table may have.
    pub const MAX_TABLE_LENGTH: u32 = 1_000_000;

    /// The words of the `type` field.
    pub(crate) const TYPES: &'static [&'static str] = &["circle", "polynomial", "points"];
}
