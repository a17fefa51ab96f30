//! What every joint has: two ends, a name, a strength.

use crate::body::BodyRef;
use crate::point::Point;
use schemars::JsonSchema;
use serde::Serialize;

/// A point of each of two bodies.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Ends {
    /// First body, to which the second is held; `"ground"` is the immovable background.
    pub body_a: BodyRef,
    /// Attachment on the first body, in its coordinates (length). Default `[0, 0]`.
    #[serde(default)]
    pub point_a: Point,
    /// Second body.
    pub body_b: BodyRef,
    /// Attachment on the second body, in its coordinates (length). Default `[0, 0]`.
    #[serde(default)]
    pub point_b: Point,
}

impl Ends {
    /// Two points in the coordinates of their bodies.
    #[must_use]
    pub fn new(
        body_a: impl Into<BodyRef>,
        point_a: Point,
        body_b: impl Into<BodyRef>,
        point_b: Point,
    ) -> Self {
        Self { body_a: body_a.into(), point_a, body_b: body_b.into(), point_b }
    }
}

/// What surrounds a joint: its name, its strength, and whether it acts.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Fitting {
    /// A name for events and reports. Default `connector` with the place in the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Force above which it breaks: from then on it does not act (force, > 0). Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub break_force: Option<f64>,
    /// Torque about its point above which it breaks (force·length, > 0). Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub break_torque: Option<f64>,
    /// Whether it acts. Default `true`.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub enabled: bool,
}

pub(crate) fn yes() -> bool {
    true
}

impl Default for Fitting {
    fn default() -> Self {
        Self { name: None, break_force: None, break_torque: None, enabled: true }
    }
}

impl Fitting {
    /// A name, and a joint that acts and never breaks.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..Self::default() }
    }

    /// The same joint breaking at a force.
    #[must_use]
    pub fn breaking_at(mut self, force: f64) -> Self {
        self.break_force = Some(force);
        self
    }
}
