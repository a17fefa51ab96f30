//! The force law of an elastic contact with damping from restitution and regularized friction.
//!
//! Normal force `f_n = c δ^{3/2} (1 + d δ̇)` with depth `δ` and its rate, after \[Hunt, Crossley 1975\]; the
//! damping `d` is fixed when contact starts, from the coefficient of restitution and the speed there.
//! Sliding friction and rolling resistance are proportional to `f_n` and regularized near rest.

use engine2d_math::trig;

/// How the damping follows from restitution `e` and the speed `v` at contact start.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DampingLaw {
    /// `d = 8 (1 − e) / (5 e v)`, at most `max`: the common rule, which returns somewhat less than `e` of
    /// the speed.
    Common {
        /// Largest damping (time/length). Default 2000.
        max: f64,
    },
    /// The damping whose impact returns exactly `e v` (without other forces), at most `max`.
    Calibrated {
        /// Largest damping (time/length).
        max: f64,
    },
}

impl Default for DampingLaw {
    fn default() -> Self {
        Self::Common { max: 2000.0 }
    }
}

impl DampingLaw {
    /// The damping (time/length) of a contact that starts with normal speed `speed` ≥ 0 and restitution `e`.
    pub(super) fn of_impact(self, e: f64, speed: f64) -> f64 {
        let (factor, max) = match self {
            Self::Common { max } => (8.0 * (1.0 - e) / 5.0 / e, max),
            Self::Calibrated { max } => (calibrated_factor(e), max),
        };
        let d = factor / speed;
        // Zero restitution asks for infinite damping, zero over zero for none in particular.
        if d.is_nan() { max } else { d.min(max) }
    }
}

/// `β = d v` of the impact that returns `e` of its speed.
///
/// With `m δ̈ = −c δ^{3/2} (1 + d δ̇)`, separating variables gives `∫ δ̇ dδ̇ / (1 + d δ̇)` equal on the way in
/// (from `v` to 0) and out (0 to `−e v`), whence `β e + ln(1 − β e) + β − ln(1 + β) … = 0`: the positive root
/// of `β (1 + e) = ln((1 + β) / (1 − β e))`, found by bisection in `(0, 1/e)`.
fn calibrated_factor(e: f64) -> f64 {
    if e <= 0.0 {
        return f64::INFINITY;
    }
    if e >= 1.0 {
        return 0.0;
    }
    let balance = |beta: f64| beta * (1.0 + e) - trig::ln((1.0 + beta) / (1.0 - beta * e));
    // Positive for small β (the difference is ≈ β² (1 − e²)/2), −∞ at β = 1/e.
    let (mut low, mut high) = (0.0, 1.0 / e);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if balance(middle) > 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// `a` regularized near zero: `a` itself from `small` on, below it a cubic that stays above `small/3`, so that
/// `v / regularized(|v|)` is smooth through rest.
#[must_use]
pub fn regularized(a: f64, small: f64) -> f64 {
    if a >= small { a } else { a * a / small * (1.0 - a / (3.0 * small)) + small / 3.0 }
}

/// The constants of one contact, fixed from its start to its end.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ContactLaw {
    /// `c` of the normal force (force/length^{3/2}).
    pub stiffness: f64,
    /// `d` of the normal force (time/length).
    pub damping: f64,
    /// Coefficient of sliding friction.
    pub friction: f64,
    /// Rolling resistance: torque per normal force (length).
    pub rolling: f64,
    /// Sliding speed below which friction is regularized (length/time).
    pub small_speed: f64,
    /// Relative angular velocity below which rolling resistance is regularized (1/time).
    pub small_spin: f64,
}

/// The relative motion at a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactMotion {
    /// Depth of penetration (length).
    pub depth: f64,
    /// Rate of the depth (length/time): positive while compressing.
    pub depth_rate: f64,
    /// Sliding velocity along the tangent (length/time).
    pub sliding: f64,
    /// Relative angular velocity (1/time).
    pub spin: f64,
}

/// What a contact exerts: on the second body along the outward normal of the first, along the tangent,
/// and as a torque; the opposite on the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ContactResponse {
    /// Normal force; negative when fast separation outweighs restitution.
    pub normal: f64,
    /// Tangential force, against the sliding velocity.
    pub tangential: f64,
    /// Torque, against the relative angular velocity.
    pub torque: f64,
    /// Elastic energy stored, `2/5 c δ^{5/2}`.
    pub stored: f64,
    /// Power dissipated by damping, friction and rolling resistance.
    pub dissipation: f64,
}

impl ContactLaw {
    /// The response to a motion. Negative depths, which occur within the hysteresis, mirror the law.
    #[must_use]
    pub fn response(&self, motion: &ContactMotion) -> ContactResponse {
        let depth = motion.depth;
        let elastic = self.stiffness * depth * depth.abs().sqrt();
        let normal = elastic * (1.0 + self.damping * motion.depth_rate);
        let tangential =
            -self.friction * normal * motion.sliding / regularized(motion.sliding.abs(), self.small_speed);
        let torque = -self.rolling * normal * motion.spin / regularized(motion.spin.abs(), self.small_spin);
        let damping = elastic * self.damping * motion.depth_rate * motion.depth_rate;
        ContactResponse {
            normal,
            tangential,
            torque,
            stored: 0.4 * elastic * depth,
            dissipation: damping - tangential * motion.sliding - torque * motion.spin,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calibrated_damping_balances_the_work_in_and_out() {
        for e in [0.1, 0.3, 0.5, 0.8, 0.95, 0.999] {
            let b = calibrated_factor(e);
            assert!(b > 0.0 && b < 1.0 / e);
            // Depth reached on the way in equals depth left on the way out: ∫ u du / (1 + b u).
            let inward = (b - (1.0 + b).ln()) / (b * b);
            let outward = (-b * e - (1.0 - b * e).ln()) / (b * b);
            assert!((inward - outward).abs() < 1e-9 * inward, "{e}");
        }
    }

    #[test]
    fn regularization_is_continuous_with_its_slope() {
        let s = 0.01;
        assert!((regularized(s * (1.0 - 1e-9), s) - s).abs() < 1e-10);
        assert_eq!(regularized(0.0, s), s / 3.0);
        assert_eq!(regularized(0.02, s), 0.02);
    }
}
