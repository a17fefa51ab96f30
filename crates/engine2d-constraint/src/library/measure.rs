//! Measures: scalar functions of the poses of bodies, which constraints hold, limit, drive and brake.

use crate::body::BodyId;
use crate::constraint::{BadValue, Stroke, check_unit, world_points};
use crate::equation::{Equation, RowKind};
use crate::motion::Motions;
use crate::relative::Relative;
use crate::row::{ConstraintRow, direction_row, point_bias, rate};
use engine2d_geometry::BodyRef;
use engine2d_math::Vec2;

/// A coordinate of a body's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Coordinate {
    /// Abscissa of the origin.
    X,
    /// Ordinate of the origin.
    Y,
    /// Angle.
    Angle,
}

impl Coordinate {
    pub(super) fn unit(self) -> [f64; 3] {
        match self {
            Self::X => [1.0, 0.0, 0.0],
            Self::Y => [0.0, 1.0, 0.0],
            Self::Angle => [0.0, 0.0, 1.0],
        }
    }

    pub(super) fn of(self, body: BodyId, motions: Motions<'_>) -> f64 {
        let pose = motions.of(body).pose;
        match self {
            Self::X => pose.position().x,
            Self::Y => pose.position().y,
            Self::Angle => pose.angle(),
        }
    }
}

/// A scalar that poses determine: an angle between bodies (radians, unwrapped), a travel, a distance, a coordinate
/// (length).
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    bodies: [BodyId; 2],
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Angle,
    Travel { points: [Vec2; 2], axis: Vec2 },
    Distance { points: [Vec2; 2] },
    Coordinate(Coordinate),
}

impl Measure {
    /// The angle of `body_1` minus that of `body_2`.
    #[must_use]
    pub fn angle(body_1: impl Into<BodyId>, body_2: impl Into<BodyId>) -> Self {
        Self { bodies: [body_1.into(), body_2.into()], kind: Kind::Angle }
    }

    /// The travel of a point of the first body from a point of the second along the unit `axis` of the second.
    #[must_use]
    pub fn travel(
        (body_1, point_1): (impl Into<BodyId>, impl Into<Vec2>),
        (body_2, point_2): (impl Into<BodyId>, impl Into<Vec2>),
        axis: impl Into<Vec2>,
    ) -> Self {
        let kind = Kind::Travel { points: [point_1.into(), point_2.into()], axis: axis.into() };
        Self { bodies: [body_1.into(), body_2.into()], kind }
    }

    /// The distance of a point of the first body from a point of the second.
    #[must_use]
    pub fn distance(
        (body_1, point_1): (impl Into<BodyId>, impl Into<Vec2>),
        (body_2, point_2): (impl Into<BodyId>, impl Into<Vec2>),
    ) -> Self {
        let kind = Kind::Distance { points: [point_1.into(), point_2.into()] };
        Self { bodies: [body_1.into(), body_2.into()], kind }
    }

    /// The value at these motions.
    #[must_use]
    pub fn value(&self, motions: Motions<'_>) -> f64 {
        self.at(motions).value
    }

    /// The rate of the value at these motions.
    #[must_use]
    pub fn rate(&self, motions: Motions<'_>) -> f64 {
        rate(&self.at(motions).row, motions)
    }

    /// The bodies of its two ends, of which a coordinate has the ground as the second.
    #[must_use]
    pub fn ends(&self) -> [BodyId; 2] {
        self.bodies
    }

    pub(super) fn bodies(&self) -> Vec<BodyId> {
        match self.kind {
            Kind::Coordinate(_) => vec![self.bodies[0]],
            _ => self.bodies.to_vec(),
        }
    }

    pub(super) fn anchor(&self, motions: Motions<'_>) -> Vec2 {
        let body = motions.of(self.bodies[0]);
        match self.kind {
            Kind::Travel { points, .. } | Kind::Distance { points } => body.position(points[0]),
            Kind::Angle | Kind::Coordinate(_) => body.pose.position(),
        }
    }

    pub(super) fn check(&self) -> Result<(), BadValue> {
        match self.kind {
            Kind::Travel { axis, .. } => check_unit("axis", axis),
            _ => Ok(()),
        }
    }

    /// A segment between its points.
    pub(super) fn draw(&self, motions: Motions<'_>, out: &mut Vec<Stroke>) {
        if let Kind::Travel { points, .. } | Kind::Distance { points } = self.kind {
            let [from, to] = world_points(self.bodies, points, motions);
            out.push(Stroke::Segment { from, to });
        }
    }

    pub(super) fn at(&self, motions: Motions<'_>) -> Measured {
        let bodies = self.bodies.map(BodyRef::from);
        match self.kind {
            Kind::Angle => {
                let value = motions.of(bodies[0]).pose.angle() - motions.of(bodies[1]).pose.angle();
                let jacobian = [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
                Measured { row: ConstraintRow { bodies, jacobian }, value, bias: 0.0 }
            }
            Kind::Travel { points, axis } => {
                let seen = Relative::new(self.bodies, points[0], motions);
                let along = seen.base.pose.rotate(axis);
                let value = along.dot(&seen.arms[1]) - axis.dot(&points[1]);
                Measured { row: seen.row(along), value, bias: along.dot(&seen.bias) }
            }
            Kind::Distance { points } => distance(bodies, points, motions),
            Kind::Coordinate(c) => {
                let row = ConstraintRow { bodies, jacobian: [c.unit(), [0.0; 3]] };
                Measured { row, value: c.of(self.bodies[0], motions), bias: 0.0 }
            }
        }
    }
}

/// A coordinate of a body.
impl<B: Into<BodyId>> From<(B, Coordinate)> for Measure {
    fn from((body, coordinate): (B, Coordinate)) -> Self {
        Self { bodies: [body.into(), BodyId::GROUND], kind: Kind::Coordinate(coordinate) }
    }
}

fn distance(bodies: [BodyRef; 2], points: [Vec2; 2], motions: Motions<'_>) -> Measured {
    let [m1, m2] = bodies.map(|b| motions.of(b));
    let apart = m1.position(points[0]) - m2.position(points[1]);
    let value = apart.norm();
    let n = if value > 0.0 { apart / value } else { Vec2::new(1.0, 0.0) };
    let arms = [m1.arm(points[0]), m2.arm(points[1])];
    let velocity = m1.velocity_at(arms[0]) - m2.velocity_at(arms[1]);
    let along = n.dot(&velocity);
    // The direction turns with the transverse velocity: d̈ ∋ |v_⊥|²/d.
    let turning = if value > 0.0 { (velocity.norm_squared() - along * along) / value } else { 0.0 };
    Measured { row: direction_row(bodies, n, arms), value, bias: point_bias(n, [m1, m2], arms) + turning }
}

/// A measure at a state: its second derivative is `J u̇ + bias`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub(super) row: ConstraintRow,
    pub(super) value: f64,
    pub(super) bias: f64,
}

impl Measured {
    /// The equation that holds it at a target with that value, rate and acceleration.
    pub(super) fn held(self, [value, rate, acceleration]: [f64; 3], motions: Motions<'_>) -> Equation {
        let held = Equation::holonomic(self.row, self.value - value, self.bias - acceleration, motions);
        Equation { velocity_error: held.velocity_error - rate, ..held }
    }

    /// The equation that gives it a rate with that acceleration.
    pub(super) fn driven(self, [rate, acceleration]: [f64; 2], motions: Motions<'_>) -> Equation {
        Equation::nonholonomic(self.row, rate, self.bias - acceleration, motions)
    }

    /// The rows that keep it within limits, each ≥ 0 inside; an infinite limit has none.
    pub(super) fn limited(self, [low, high]: [f64; 2], motions: Motions<'_>, out: &mut Vec<Equation>) {
        let row = |row: ConstraintRow, error: f64, bias: f64| {
            Equation::holonomic(row, error, bias, motions).with_kind(RowKind::Unilateral)
        };
        if low > f64::NEG_INFINITY {
            out.push(row(self.row, self.value - low, self.bias));
        }
        if high < f64::INFINITY {
            out.push(row(self.row.negated(), high - self.value, -self.bias));
        }
    }
}

/// What constraints on a measure do alike; `check` is what else it asks of its values.
macro_rules! of_measure {
    ($kind:literal) => {
        of_measure!(|_me| $kind);
    };
    (|$me:ident| $kind:expr) => {
        fn kind(&self) -> &'static str {
            let $me = self;
            $kind
        }

        fn bodies(&self) -> Vec<BodyId> {
            self.measure.bodies()
        }

        fn anchor(&self, motions: Motions<'_>) -> Vec2 {
            self.measure.anchor(motions)
        }

        fn draw(&self, motions: Motions<'_>, out: &mut Vec<Stroke>) {
            self.measure.draw(motions, out);
        }
    };
}

pub(super) use of_measure;
