//! What a constraint is: bodies, equations at a state, and what reports and pictures ask of it.

use crate::body::BodyId;
use crate::equation::Equation;
use crate::motion::Motions;
use engine2d_math::Vec2;
use std::any::Any;
use std::fmt::Debug;

/// A constraint between bodies of a mechanism.
///
/// Implement it to add kinds of your own; [`Mechanism`](crate::Mechanism) treats them as its own.
pub trait Constraint: Debug + Send + Sync {
    /// Name of the kind, for reports.
    fn kind(&self) -> &'static str;

    /// The bodies it connects, the ground among them where it takes part. Never the same body twice.
    fn bodies(&self) -> Vec<BodyId>;

    /// Appends its equations at a state, in a fixed order and number: position level first, then velocity,
    /// then acceleration.
    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>);

    /// Point of the joint (world), about which its torque is reported; by default the first body's origin.
    fn anchor(&self, motions: Motions<'_>) -> Vec2 {
        self.bodies().first().map_or_else(Vec2::zeros, |&b| motions.of(b).pose.position())
    }

    /// Checks the values it was made of; a mechanism asks when it is added or changed.
    ///
    /// # Errors
    /// [`BadValue`].
    fn check(&self) -> Result<(), BadValue> {
        Ok(())
    }

    /// Why it cannot write its equations at a state; asked when it has written one that is not finite.
    fn fault(&self, _motions: Motions<'_>) -> Option<String> {
        None
    }

    /// Appends a picture of itself; nothing by default.
    fn draw(&self, _motions: Motions<'_>, _out: &mut Vec<Stroke>) {}
}

/// A constraint of any kind that can be copied and asked for its concrete type: every `Constraint + Clone` is one.
pub trait AnyConstraint: Constraint + Any {
    /// A copy in a box of its own.
    fn copy(&self) -> Box<dyn AnyConstraint>;
}

impl<C: Constraint + Clone + Any> AnyConstraint for C {
    fn copy(&self) -> Box<dyn AnyConstraint> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn AnyConstraint> {
    fn clone(&self) -> Self {
        self.as_ref().copy()
    }
}

/// A value that a constraint cannot be made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BadValue {
    /// Which quantity.
    pub what: &'static str,
    /// The value given.
    pub value: f64,
    /// What is allowed.
    pub allowed: &'static str,
}

/// Largest deviation of a direction's length from 1.
const UNIT: f64 = 1e-9;

pub(crate) fn check_unit(what: &'static str, direction: Vec2) -> Result<(), BadValue> {
    let value = direction.norm();
    if (value - 1.0).abs() <= UNIT {
        Ok(())
    } else {
        Err(BadValue { what, value, allowed: "must have length 1" })
    }
}

pub(crate) fn check_positive(what: &'static str, value: f64) -> Result<(), BadValue> {
    if value > 0.0 && value.is_finite() {
        Ok(())
    } else {
        Err(BadValue { what, value, allowed: "must be > 0 and finite" })
    }
}

pub(crate) fn check_range(what: &'static str, [low, high]: [f64; 2]) -> Result<(), BadValue> {
    if low <= high {
        Ok(())
    } else if low.is_nan() {
        Err(BadValue { what, value: low, allowed: "needs a lower limit that is a number" })
    } else {
        Err(BadValue { what, value: high, allowed: "must not be below its lower limit" })
    }
}

/// A part of a picture, in the world.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(tag = "stroke", rename_all = "snake_case")]
pub enum Stroke {
    /// A segment.
    Segment {
        /// One end.
        from: Vec2,
        /// The other end.
        to: Vec2,
    },
    /// A circle; a point if its radius is 0.
    Circle {
        /// Centre.
        center: Vec2,
        /// Radius.
        radius: f64,
    },
}

/// The world points of two body points.
pub(crate) fn world_points(bodies: [BodyId; 2], points: [Vec2; 2], motions: Motions<'_>) -> [Vec2; 2] {
    [0, 1].map(|i| motions.of(bodies[i]).position(points[i]))
}

/// Draws a point of each body.
pub(crate) fn draw_points(
    bodies: [BodyId; 2],
    points: [Vec2; 2],
    motions: Motions<'_>,
    out: &mut Vec<Stroke>,
) {
    let strokes = world_points(bodies, points, motions).map(|center| Stroke::Circle { center, radius: 0.0 });
    out.extend(strokes);
}

/// Draws the span between a point of each body.
pub(crate) fn draw_span(bodies: [BodyId; 2], points: [Vec2; 2], motions: Motions<'_>, out: &mut Vec<Stroke>) {
    let [from, to] = world_points(bodies, points, motions);
    out.push(Stroke::Segment { from, to });
}

/// What constraints between a point of each of two bodies do alike: the joint is at the first point.
macro_rules! joins_points {
    ($kind:literal, $points:ident, $draw:ident) => {
        fn kind(&self) -> &'static str {
            $kind
        }

        fn anchor(&self, motions: Motions<'_>) -> Vec2 {
            motions.of(self.bodies[0]).position(self.$points[0])
        }

        fn bodies(&self) -> Vec<BodyId> {
            self.bodies.to_vec()
        }

        fn draw(&self, motions: Motions<'_>, out: &mut Vec<Stroke>) {
            crate::constraint::$draw(self.bodies, self.$points, motions, out);
        }
    };
}

pub(crate) use joins_points;
