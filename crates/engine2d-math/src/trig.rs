//! The one door to transcendental functions.
//!
//! The standard library forwards `sin` and its kin to the platform, whose last bits differ from system to
//! system. Every crate of the workspace calls these functions instead, so that equal inputs give equal
//! bits everywhere. Square root and the four operations are exact by IEEE 754 and need no door.

/// Sine of `x` (radians), within one unit in the last place.
#[inline]
#[must_use]
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// Cosine of `x` (radians), within one unit in the last place.
#[inline]
#[must_use]
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// Sine and cosine of `x` (radians) as a pair: the bits of both, at little more than the cost of one.
#[inline]
#[must_use]
pub fn sin_cos(x: f64) -> (f64, f64) {
    libm::sincos(x)
}

/// Tangent of `x` (radians).
#[inline]
#[must_use]
pub fn tan(x: f64) -> f64 {
    libm::tan(x)
}

/// Angle of the vector `(x, y)` in `[-π, π]` (radians), two-argument arctangent.
#[inline]
#[must_use]
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// Arctangent of `x` in `(-π/2, π/2)` (radians).
#[inline]
#[must_use]
pub fn atan(x: f64) -> f64 {
    libm::atan(x)
}

/// Arccosine of `x` in `[0, π]` (radians); `NaN` outside `[-1, 1]`.
#[inline]
#[must_use]
pub fn acos(x: f64) -> f64 {
    libm::acos(x)
}

/// Arcsine of `x` in `[-π/2, π/2]` (radians); `NaN` outside `[-1, 1]`.
#[inline]
#[must_use]
pub fn asin(x: f64) -> f64 {
    libm::asin(x)
}

/// `x` raised to the power `y`.
#[inline]
#[must_use]
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// `e` raised to the power `x`.
#[inline]
#[must_use]
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// Natural logarithm of `x`.
#[inline]
#[must_use]
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// Length of the vector `(x, y)` without undue overflow or underflow.
#[inline]
#[must_use]
pub fn hypot(x: f64, y: f64) -> f64 {
    libm::hypot(x, y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

    #[test]
    fn quadrant_angles_of_the_arctangent_keep_the_sign_of_zero() {
        assert_eq!(atan2(0.0, -1.0), PI);
        assert_eq!(atan2(-0.0, -1.0), -PI);
        assert_eq!(atan2(1.0, 1.0), FRAC_PI_4);
        assert_eq!(acos(0.0), FRAC_PI_2);
        assert_eq!(asin(1.0), FRAC_PI_2);
    }

    #[test]
    fn a_pair_has_the_bits_of_both() {
        let turns = (-3000..3000).map(|k| f64::from(k) * 0.0137);
        let small = (0..90).map(|k| 1.37 / f64::from(1 << (k % 30)) / f64::from(1 << (k / 3)));
        let large = (0..50).map(|k| 1e5 * f64::from(k) + 0.1);
        for x in turns.chain(small).chain(large).chain([0.0, -0.0, 1e300]) {
            let pair = sin_cos(x);
            assert_eq!([pair.0, pair.1].map(f64::to_bits), [sin(x), cos(x)].map(f64::to_bits), "{x}");
        }
    }

    #[test]
    fn pythagoras_holds_to_rounding() {
        for k in -1000..1000 {
            let (s, c) = sin_cos(f64::from(k) * 0.37);
            assert!((s * s + c * c - 1.0).abs() < 4.0 * f64::EPSILON);
        }
    }
}
