//! Constraints on coordinates of bodies: prescribed values and linear couplings.

use crate::body::BodyId;
use crate::constraint::Constraint;
use crate::equation::{Equation, Level};
use crate::motion::Motions;
use crate::row::ConstraintRow;
use engine2d_geometry::BodyRef;

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
    fn unit(self) -> [f64; 3] {
        match self {
            Self::X => [1.0, 0.0, 0.0],
            Self::Y => [0.0, 1.0, 0.0],
            Self::Angle => [0.0, 0.0, 1.0],
        }
    }
}

/// A coordinate, its speed or its acceleration held at a value.
#[doc(alias = "ConstantSpeed")]
#[doc(alias = "ConstantAcceleration")]
#[derive(Clone, Debug, PartialEq)]
pub struct ConstantCoordinate {
    body: BodyId,
    coordinate: Coordinate,
    level: Level,
    value: f64,
}

impl ConstantCoordinate {
    /// Holds a coordinate at `value`.
    #[must_use]
    pub fn position(body: impl Into<BodyId>, coordinate: Coordinate, value: f64) -> Self {
        Self { body: body.into(), coordinate, level: Level::Position, value }
    }

    /// Holds the rate of a coordinate at `value`: a motor without limit.
    #[must_use]
    pub fn speed(body: impl Into<BodyId>, coordinate: Coordinate, value: f64) -> Self {
        Self { body: body.into(), coordinate, level: Level::Velocity, value }
    }

    /// Holds the second derivative of a coordinate at `value`.
    #[must_use]
    pub fn acceleration(body: impl Into<BodyId>, coordinate: Coordinate, value: f64) -> Self {
        Self { body: body.into(), coordinate, level: Level::Acceleration, value }
    }
}

impl Constraint for ConstantCoordinate {
    fn kind(&self) -> &'static str {
        match self.level {
            Level::Position => "constant coordinate",
            Level::Velocity => "constant speed",
            Level::Acceleration => "constant acceleration",
        }
    }

    fn bodies(&self) -> Vec<BodyId> {
        vec![self.body]
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let bodies = [self.body.into(), BodyRef::Ground];
        let row = ConstraintRow { bodies, jacobian: [self.coordinate.unit(), [0.0; 3]] };
        out.push(linear_equation(
            row,
            self.level,
            value_of(self.body, self.coordinate, motions),
            -self.value,
            motions,
        ));
    }
}

/// `a c_1 + b c_2 + constant = 0` for two coordinates or their rates: gears, belts, differentials.
#[doc(alias = "CoordinateCoupler")]
#[doc(alias = "SpeedCoupler")]
#[derive(Clone, Debug, PartialEq)]
pub struct Coupler {
    terms: [(BodyId, Coordinate, f64); 2],
    constant: f64,
    level: Level,
}

impl Coupler {
    fn at(level: Level, terms: [(impl Into<BodyId>, Coordinate, f64); 2], constant: f64) -> Self {
        Self { terms: terms.map(|(body, coordinate, k)| (body.into(), coordinate, k)), constant, level }
    }

    /// Couples coordinates: each term is a body, its coordinate and the coefficient.
    #[must_use]
    pub fn positions(terms: [(impl Into<BodyId>, Coordinate, f64); 2], constant: f64) -> Self {
        Self::at(Level::Position, terms, constant)
    }

    /// A gear pair: `body_1` turns by `ratio` times the turn of `body_2` (negative for outer meshing), starting
    /// from `phase` (radians).
    #[doc(alias = "Gear")]
    #[must_use]
    pub fn gear(body_1: impl Into<BodyId>, body_2: impl Into<BodyId>, ratio: f64, phase: f64) -> Self {
        let terms = [(body_1.into(), Coordinate::Angle, 1.0), (body_2.into(), Coordinate::Angle, -ratio)];
        Self::positions(terms, -phase)
    }

    /// A rack: `rack` moves along `axis` by `radius` times the turn of `pinion`.
    #[must_use]
    pub fn rack(rack: impl Into<BodyId>, axis: Coordinate, pinion: impl Into<BodyId>, radius: f64) -> Self {
        let terms = [(rack.into(), axis, 1.0), (pinion.into(), Coordinate::Angle, -radius)];
        Self::positions(terms, 0.0)
    }

    /// Couples the rates of coordinates.
    #[must_use]
    pub fn speeds(terms: [(impl Into<BodyId>, Coordinate, f64); 2], constant: f64) -> Self {
        Self::at(Level::Velocity, terms, constant)
    }
}

impl Constraint for Coupler {
    fn kind(&self) -> &'static str {
        if self.level == Level::Position { "coordinate coupler" } else { "speed coupler" }
    }

    fn bodies(&self) -> Vec<BodyId> {
        let [a, b] = self.terms.map(|(body, _, _)| body);
        if BodyRef::from(a) == b { vec![a] } else { vec![a, b] }
    }

    fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        let jacobian = self.terms.map(|(_, c, k)| c.unit().map(|u| u * k));
        let row = ConstraintRow { bodies: self.terms.map(|(b, _, _)| b.into()), jacobian };
        let value = self.terms.iter().map(|&(b, c, k)| k * value_of(b, c, motions)).sum();
        out.push(linear_equation(row, self.level, value, self.constant, motions));
    }
}

fn value_of(body: BodyId, coordinate: Coordinate, motions: Motions<'_>) -> f64 {
    let pose = motions.of(body).pose;
    match coordinate {
        Coordinate::X => pose.position().x,
        Coordinate::Y => pose.position().y,
        Coordinate::Angle => pose.angle(),
    }
}

/// The equation `J q + constant = 0` at the given level.
fn linear_equation(
    row: ConstraintRow,
    level: Level,
    value: f64,
    constant: f64,
    motions: Motions<'_>,
) -> Equation {
    match level {
        Level::Position => Equation::holonomic(row, value + constant, 0.0, motions),
        Level::Velocity => Equation::nonholonomic(row, -constant, 0.0, motions),
        Level::Acceleration => {
            Equation { level, velocity_error: 0.0, ..Equation::holonomic(row, 0.0, constant, motions) }
        }
    }
}
