//! Measures within limits: ropes, and stops of angles and travels. A rod is the limit of equality.

use super::measure::{Measure, of_measure};
use crate::body::BodyId;
use crate::constraint::{BadValue, Constraint, Stroke, check_positive, check_range};
use crate::equation::Equation;
use crate::motion::Motions;
use engine2d_math::Vec2;

/// Limits of the angle of one body against another (radians, unwrapped).
#[derive(Clone, Debug, PartialEq)]
pub struct AngleLimit {
    measure: Measure,
    range: [f64; 2],
}

impl AngleLimit {
    /// Keeps the angle of `body_1` minus that of `body_2` between `low` and `high`; an infinite limit is none.
    #[must_use]
    pub fn new(body_1: impl Into<BodyId>, body_2: impl Into<BodyId>, low: f64, high: f64) -> Self {
        Self { measure: Measure::angle(body_1, body_2), range: [low, high] }
    }

    /// Moves the limits.
    pub fn set_range(&mut self, low: f64, high: f64) {
        self.range = [low, high];
    }
}

/// Limits of the travel of a point along an axis of another body.
#[derive(Clone, Debug, PartialEq)]
pub struct SlideLimit {
    measure: Measure,
    range: [f64; 2],
}

impl SlideLimit {
    /// Keeps the travel of `point_1` of `body_1` from `point_2` along the unit `axis`, both of `body_2`, in `range`.
    #[must_use]
    pub fn new(
        (body_1, point_1): (impl Into<BodyId>, Vec2),
        (body_2, point_2): (impl Into<BodyId>, Vec2),
        axis: impl Into<Vec2>,
        range: [f64; 2],
    ) -> Self {
        Self { measure: Measure::travel((body_1, point_1), (body_2, point_2), axis), range }
    }

    /// Moves the limits.
    pub fn set_range(&mut self, low: f64, high: f64) {
        self.range = [low, high];
    }
}

macro_rules! limits {
    ($limit:ty, $kind:literal, $range:literal) => {
        impl Constraint for $limit {
            of_measure!($kind);

            fn check(&self) -> Result<(), BadValue> {
                self.measure.check()?;
                check_range($range, self.range)
            }

            fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
                self.measure.at(motions).limited(self.range, motions, out);
            }
        }
    };
}

limits!(AngleLimit, "angle limit", "upper angle");
limits!(SlideLimit, "slide limit", "upper travel");

/// A rope between a point of each body: it pulls when taut and is not there when slack. Error `length − |p_1 − p_2|`,
/// so that it is ≥ 0 and its multiplier is the tension.
#[derive(Clone, Debug, PartialEq)]
pub struct Rope {
    measure: Measure,
    length: f64,
}

/// A fixed distance between a point of each body; position error `|p_1 − p_2| − length`.
#[doc(alias = "ConstantDistance")]
#[derive(Clone, Debug, PartialEq)]
pub struct Rod {
    measure: Measure,
    length: f64,
}

macro_rules! spans {
    ($span:ty, $kind:literal, $doc:literal, |$measured:ident, $length:ident, $motions:ident, $out:ident| $write:expr) => {
        impl $span {
            #[doc = $doc]
            #[must_use]
            pub fn new(
                body_1: impl Into<BodyId>,
                point_1: impl Into<Vec2>,
                body_2: impl Into<BodyId>,
                point_2: impl Into<Vec2>,
                length: f64,
            ) -> Self {
                Self { measure: Measure::distance((body_1, point_1), (body_2, point_2)), length }
            }

            /// Changes the length (> 0): a winch.
            pub fn set_length(&mut self, length: f64) {
                self.length = length;
            }
        }

        impl Constraint for $span {
            of_measure!($kind);

            fn check(&self) -> Result<(), BadValue> {
                check_positive("length", self.length)
            }

            fn equations(&self, $motions: Motions<'_>, $out: &mut Vec<Equation>) {
                let ($measured, $length) = (self.measure.at($motions), self.length);
                $write
            }
        }
    };
}

spans!(
    Rope,
    "rope",
    "Keeps `point_1` of `body_1` within `length` (> 0) of `point_2` of `body_2`.",
    |distance, length, motions, out| distance.limited([f64::NEG_INFINITY, length], motions, out)
);
spans!(
    Rod,
    "rod",
    "Keeps `point_1` of `body_1` at `length` (> 0) from `point_2` of `body_2`.",
    |distance, length, motions, out| out.push(distance.held([length, 0.0, 0.0], motions))
);
