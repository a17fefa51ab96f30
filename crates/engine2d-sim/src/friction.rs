//! Coefficients of Coulomb friction and how those of two bodies combine.

use crate::error::SimError;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Coefficients of friction: `|f_t| ≤ static · f_n` while surfaces stick, `|f_t| = kinetic · f_n` against the motion while
/// they slide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Friction {
    /// Coefficient at rest, not below the kinetic one.
    #[serde(rename = "static")]
    pub at_rest: f64,
    /// Coefficient while sliding, `≥ 0`.
    pub kinetic: f64,
}

impl Friction {
    /// No friction.
    pub const NONE: Self = Self { at_rest: 0.0, kinetic: 0.0 };

    /// One coefficient for both.
    #[must_use]
    pub fn of(coefficient: f64) -> Self {
        Self { at_rest: coefficient, kinetic: coefficient }
    }

    /// Whether the numbers may be coefficients.
    #[must_use]
    pub fn is_valid(self) -> bool {
        self.kinetic >= 0.0 && self.at_rest >= self.kinetic && self.at_rest.is_finite()
    }

    /// Whether there is any.
    #[must_use]
    pub fn is_some(self) -> bool {
        self.at_rest > 0.0
    }
}

impl From<f64> for Friction {
    fn from(coefficient: f64) -> Self {
        Self::of(coefficient)
    }
}

impl fmt::Display for Friction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.at_rest == self.kinetic {
            write!(f, "{}", self.kinetic)
        } else {
            write!(f, "{} at rest, {} sliding", self.at_rest, self.kinetic)
        }
    }
}

/// How the coefficients of two bodies make that of the pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FrictionRule {
    /// `√(μ_a μ_b)`: a smooth body slides on everything.
    #[default]
    GeometricMean,
    /// The smaller one.
    Minimum,
    /// The larger one.
    Maximum,
    /// `μ_a μ_b`.
    Product,
}

impl FrictionRule {
    /// The coefficients of a pair.
    #[must_use]
    pub fn combine(self, a: Friction, b: Friction) -> Friction {
        let of = |a: f64, b: f64| match self {
            // Equal coefficients stay what they are, to the last bit.
            Self::GeometricMean if a == b => a,
            Self::GeometricMean => (a * b).sqrt(),
            Self::Minimum => a.min(b),
            Self::Maximum => a.max(b),
            Self::Product => a * b,
        };
        Friction { at_rest: of(a.at_rest, b.at_rest), kinetic: of(a.kinetic, b.kinetic) }
    }
}

/// Checks the numbers of a surface.
pub(crate) fn check_surface(
    friction: Friction,
    (speed, resistance): (f64, f64),
    check: impl Fn(&str, f64, bool, &'static str) -> Result<(), SimError>,
) -> Result<(), SimError> {
    let Friction { at_rest, kinetic } = friction;
    let worst = if kinetic >= 0.0 { at_rest } else { kinetic };
    let allowed = "coefficients of friction must be finite, >= 0, and not smaller at rest than sliding";
    check("friction", worst, friction.is_valid(), allowed)?;
    check("surface_speed", speed, speed.is_finite(), "must be a finite number")?;
    let sound = resistance >= 0.0 && resistance.is_finite();
    check("rolling_resistance", resistance, sound, "must be >= 0 and finite")
}
