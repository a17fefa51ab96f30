//! Constraints of the library in a world: joints, motors, limits, gears and springs, with what a world adds to them.

use crate::error::SimError;
use engine2d_constraint::{AnyConstraint, Compliance, Constraint, Equation, Motions, RowKind};
use engine2d_geometry::BodyRef;
use engine2d_math::Vec2;
use std::any::Any;

/// A constraint of a world: any [`Constraint`] of `engine2d-constraint` or of your own. Its points are in the bodies'
/// coordinates, as those of shapes are.
///
/// ```
/// use engine2d_constraint::{Motor, Revolute};
/// use engine2d_sim::{Body, BodyRef, Joint, SimError, World};
///
/// let wheel = BodyRef::Body(0);
/// let mut world = World::builder()
///     .body(Body::ball(0.5).mass(2.0))
///     .joint(Revolute::new(wheel, [0.0, 0.0], BodyRef::Ground, [0.0, 0.0]))
///     .joint(Joint::new(Motor::rotary(wheel, BodyRef::Ground, 6.0, 1.5)).named("drive"))
///     .build()?;
/// world.advance(2.0)?;
/// assert!((world.body(0)?.spin() - 6.0).abs() < 1e-9, "the motor has reached its speed");
/// # Ok::<(), SimError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Joint {
    pub(crate) name: Option<String>,
    pub(crate) constraint: Box<dyn AnyConstraint>,
    pub(crate) give: Compliance,
    pub(crate) enabled: bool,
    pub(crate) restitution: f64,
    pub(crate) break_force: f64,
    pub(crate) break_torque: f64,
}

impl Joint {
    /// A rigid constraint that never breaks.
    #[must_use]
    pub fn new(constraint: impl Constraint + Clone + 'static) -> Self {
        Self {
            name: None,
            constraint: Box::new(constraint),
            give: Compliance::Rigid,
            enabled: true,
            restitution: 0.0,
            break_force: f64::INFINITY,
            break_torque: f64::INFINITY,
        }
    }

    /// Names it, for reports and events.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Lets its position errors give way as springs with dampers.
    #[must_use]
    pub fn giving(mut self, give: impl Into<Compliance>) -> Self {
        self.give = give.into();
        self
    }

    /// Sets the coefficient of restitution of its limits, in `[0, 1]`; 0 by default.
    #[must_use]
    pub fn restitution(mut self, restitution: f64) -> Self {
        self.restitution = restitution;
        self
    }

    /// It breaks where its force on a body exceeds `force` or its torque about the joint exceeds `torque`: an event;
    /// from then on it is disabled.
    #[must_use]
    pub fn breaking_at(mut self, force: f64, torque: f64) -> Self {
        (self.break_force, self.break_torque) = (force, torque);
        self
    }

    /// It does not act until it is enabled.
    #[must_use]
    pub fn disabled(mut self) -> Self {
        self.enabled = false;
        self
    }

    /// Name of the kind.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.constraint.kind()
    }

    /// Its name, if it was given one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether it acts.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// The bodies it connects.
    #[must_use]
    pub fn bodies(&self) -> Vec<BodyRef> {
        self.constraint.bodies().into_iter().map(BodyRef::from).collect()
    }

    /// The constraint as the type it was made of; `None` if it is another.
    #[must_use]
    pub fn constraint<C: Constraint + 'static>(&self) -> Option<&C> {
        let any: &dyn Any = self.constraint.as_ref();
        any.downcast_ref()
    }

    /// The constraint as the type it was made of, to change it.
    pub(crate) fn constraint_mut<C: Constraint + 'static>(&mut self) -> Option<&mut C> {
        let any: &mut dyn Any = self.constraint.as_mut();
        any.downcast_mut()
    }

    /// Whether it can break.
    pub(crate) fn is_breakable(&self) -> bool {
        self.break_force.is_finite() || self.break_torque.is_finite()
    }

    /// Checks the numbers and the equations at a state.
    pub(crate) fn check(&self, path: &str, count: usize, motions: Motions<'_>) -> Result<(), SimError> {
        let value = |field: &str, value: f64, allowed: &'static str| SimError::Value {
            path: format!("{path}.{field}"),
            value,
            allowed,
        };
        let bodies = self.bodies();
        for (k, body) in bodies.iter().enumerate() {
            if let Some(index) = body.index().filter(|&i| i >= count) {
                return Err(SimError::UnknownBody { path: format!("{path}.bodies[{k}]"), index, count });
            }
            if bodies[..k].contains(body) {
                let problem = "a constraint cannot connect a body with itself: name two bodies";
                return Err(SimError::Unsupported { path: format!("{path}.bodies[{k}]"), problem });
            }
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            return Err(value("restitution", self.restitution, "must lie in [0, 1]"));
        }
        for (field, limit) in [("break_force", self.break_force), ("break_torque", self.break_torque)] {
            if !(limit > 0.0) {
                return Err(value(field, limit, "must be > 0 (infinite: it never breaks)"));
            }
        }
        if let Err(bad) = self.constraint.check() {
            return Err(value(bad.what, bad.value, bad.allowed));
        }
        let mut equations = Vec::new();
        self.constraint.equations(motions, &mut equations);
        for (k, e) in equations.iter().enumerate() {
            check_equation(&format!("{path}.equations[{k}]"), e)?;
        }
        Ok(())
    }
}

fn check_equation(path: &str, e: &Equation) -> Result<(), SimError> {
    let numbers = [e.position_error, e.velocity_error, e.acceleration_bias];
    if let Some(&value) = numbers.iter().chain(e.row.jacobian.as_flattened()).find(|v| !v.is_finite()) {
        return Err(SimError::Value { path: path.to_owned(), value, allowed: "must be a finite number" });
    }
    match e.kind {
        RowKind::Boxed { lo, hi } if !(lo <= 0.0 && 0.0 <= hi) => {
            let allowed = "the limits of a force must include 0";
            Err(SimError::Value { path: path.to_owned(), value: if lo > 0.0 { lo } else { hi }, allowed })
        }
        RowKind::Friction { .. } => {
            let problem = "friction rows are not solved in a world yet: use a mechanism";
            Err(SimError::Unsupported { path: path.to_owned(), problem })
        }
        _ => Ok(()),
    }
}

impl<C: Constraint + Clone + 'static> From<C> for Joint {
    fn from(constraint: C) -> Self {
        Self::new(constraint)
    }
}

/// Force and torque that a joint exerts on a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Reaction {
    /// Force (world).
    pub force: Vec2,
    /// Torque about the joint's point (counter-clockwise).
    pub torque: f64,
}
