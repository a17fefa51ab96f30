//! What holds a row instead of rigidity: springs and dampers, linear or by a law of forces.

use crate::constraint::BadValue;
use crate::equation::{Equation, Level, SpringDamper};
use crate::tolerance::SOFTEST;
use engine2d_math::trig;
use std::fmt::Debug;
use std::sync::Arc;

/// Force of a law and its derivative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LawValue {
    /// Restoring force, with the sign of the error: the row is pushed by its opposite.
    pub force: f64,
    /// Derivative of the force by the error (force per displacement). A step takes a negative one as 0.
    pub stiffness: f64,
}

/// A law of forces over the error of a row (length or radians): springs of any characteristic.
pub trait ForceLaw: Debug + Send + Sync {
    /// Force and stiffness at an error; finite for every finite one.
    fn at(&self, error: f64) -> LawValue;
}

/// `f = linear · x + cubic · x³`: a spring that hardens (or softens, with a negative cubic term).
#[doc(alias = "Duffing")]
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CubicSpring {
    /// Stiffness at rest (force per displacement).
    pub linear: f64,
    /// Coefficient of the cube (force per displacement³).
    pub cubic: f64,
}

impl ForceLaw for CubicSpring {
    fn at(&self, x: f64) -> LawValue {
        let square = x * x;
        LawValue {
            force: (self.linear + self.cubic * square) * x,
            stiffness: self.linear + 3.0 * self.cubic * square,
        }
    }
}

/// `f = coefficient · |x|^exponent`, with the sign of `x`: Hertz's law of contact has the exponent 3/2.
#[doc(alias = "Hertz")]
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct PowerSpring {
    /// Coefficient (force per displacement^exponent).
    pub coefficient: f64,
    /// Exponent (≥ 1).
    pub exponent: f64,
}

impl ForceLaw for PowerSpring {
    fn at(&self, x: f64) -> LawValue {
        let size = x.abs();
        let slope = self.coefficient * trig::pow(size, self.exponent - 1.0);
        LawValue { force: slope * x, stiffness: slope * self.exponent }
    }
}

/// How the holonomic rows of a constraint are held.
#[derive(Clone, Debug, Default)]
pub enum Compliance {
    /// Not at all.
    #[default]
    Rigid,
    /// As a linear spring with a damper.
    Linear(SpringDamper),
    /// By a law of forces, with a damper (force per rate of displacement).
    Law(Arc<dyn ForceLaw>, f64),
}

impl Compliance {
    /// Compliance by a law of forces with a damper (force per rate of displacement).
    #[must_use]
    pub fn law(law: impl ForceLaw + 'static, damping: f64) -> Self {
        Self::Law(Arc::new(law), damping)
    }

    /// Writes the springs into the holonomic equations.
    pub fn apply(&self, equations: &mut [Equation]) {
        let rows = equations.iter_mut().filter(|e| e.level == Level::Position);
        match self {
            Self::Rigid => {}
            Self::Linear(spring) => rows.for_each(|e| e.spring = *spring),
            Self::Law(law, damping) => rows.for_each(|e| {
                let LawValue { force, stiffness } = law.at(e.position_error);
                e.spring = SpringDamper { compliance: 1.0 / stiffness.max(SOFTEST), damping: *damping };
                e.force = Some(force);
            }),
        }
    }

    /// Checks compliance and damping.
    pub(crate) fn check(&self) -> Result<(), BadValue> {
        let values = match self {
            Self::Rigid => [0.0, 0.0],
            Self::Linear(spring) => [spring.compliance, spring.damping],
            Self::Law(_, damping) => [0.0, *damping],
        };
        for (what, value) in ["compliance", "damping"].into_iter().zip(values) {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(BadValue { what, value, allowed: "must be ≥ 0 and finite" });
            }
        }
        Ok(())
    }
}

impl From<SpringDamper> for Compliance {
    fn from(spring: SpringDamper) -> Self {
        if spring.is_rigid() { Self::Rigid } else { Self::Linear(spring) }
    }
}
