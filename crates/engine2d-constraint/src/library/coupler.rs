//! Linear couplings of coordinates of two bodies: gears, belts, racks.

use super::measure::Coordinate;
use crate::body::BodyId;
use crate::constraint::Constraint;
use crate::equation::{Equation, Level};
use crate::motion::Motions;
use crate::row::ConstraintRow;
use engine2d_geometry::BodyRef;

/// How two bodies of a gear pair turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gearing {
    /// Turns of the first body per turn of the second (pure number), negative for outer meshing.
    pub ratio: f64,
    /// Angle of the first body where that of the second is 0 (radians).
    pub phase: f64,
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

    /// A gear pair: `body_1` turns by the ratio times the turn of `body_2`, starting from the phase.
    #[doc(alias = "Gear")]
    #[must_use]
    pub fn gear(body_1: impl Into<BodyId>, body_2: impl Into<BodyId>, gearing: Gearing) -> Self {
        let Gearing { ratio, phase } = gearing;
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
        let value: f64 = self.terms.iter().map(|&(b, c, k)| k * c.of(b, motions)).sum();
        out.push(match self.level {
            Level::Position => Equation::holonomic(row, value + self.constant, 0.0, motions),
            _ => Equation::nonholonomic(row, -self.constant, 0.0, motions),
        });
    }
}
