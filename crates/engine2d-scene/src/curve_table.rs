//! The table of points that stands for a curve.

use crate::connector::Curve;
use engine2d_math::{Vec2, trig};
use std::f64::consts::{FRAC_PI_2, TAU};

impl Curve {
    /// The points of the curve's table in order (length).
    #[must_use]
    pub fn points(&self) -> Vec<Vec2> {
        match self {
            Self::Circle { radius, table_length } => parameters(-3.0 * FRAC_PI_2, TAU, *table_length)
                .map(|t| {
                    let (sin, cos) = trig::sin_cos(t);
                    Vec2::new(radius * cos, radius * sin)
                })
                .collect(),
            Self::Polynomial { x, y, from, to, table_length } => parameters(*from, to - from, *table_length)
                .map(|t| Vec2::new(polynomial(x, t), polynomial(y, t)))
                .collect(),
            Self::Points { points, .. } => points.iter().map(|&p| p.into()).collect(),
        }
    }

    /// Whether the curve returns to its start.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        match self {
            Self::Circle { .. } => true,
            Self::Polynomial { .. } => false,
            Self::Points { closed, .. } => *closed,
        }
    }

    /// Whether the arc length grows from point to point, as interpolation needs.
    pub(crate) fn check_table(&self) -> Result<(), String> {
        let points = self.points();
        for (k, pair) in points.windows(2).enumerate() {
            let step = (pair[1] - pair[0]).norm();
            if !step.is_finite() {
                return Err(format!("the curve leaves all bounds near its point {k}"));
            }
            if step == 0.0 {
                return Err(format!("points {k} and {} of the curve are the same", k + 1));
            }
        }
        Ok(())
    }
}

/// Equally spaced parameters by repeated addition, the way tables of this kind are recorded.
fn parameters(from: f64, span: f64, count: u32) -> impl Iterator<Item = f64> {
    let step = span / (f64::from(count) - 1.0);
    std::iter::successors(Some(from), move |t| Some(t + step)).take(count as usize)
}

/// Horner's rule; the constant comes first.
fn polynomial(coefficients: &[f64], t: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * t + c)
}
