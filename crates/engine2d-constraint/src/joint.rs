//! A constraint with what surrounds it: a name, whether it acts, springs, restitution of its limits, strength.

use crate::answer::Reaction;
use crate::compliance::Compliance;
use crate::constraint::{AnyConstraint, BadValue, Constraint};
use crate::equation::Equation;
use crate::motion::Motions;
use engine2d_geometry::BodyRef;
use engine2d_math::Vec2;
use std::any::Any;

/// A named constraint that can be switched, held by springs, bounce at its limits and break. A
/// [`Mechanism`](crate::Mechanism) keeps its constraints as joints; so can whatever moves bodies through time.
///
/// ```
/// use engine2d_constraint::{BodyId, Joint, Mass, Mechanism, Pose, Revolute, SpringDamper};
///
/// let mut m = Mechanism::new();
/// let bar = m.add_body(Mass::new(1.0, 0.1), Pose::IDENTITY)?;
/// let pin = Revolute::new(bar, [0.5, 0.0], BodyId::GROUND, [0.5, 0.1]);
/// let soft = Joint::new(pin).named("bearing").compliant(SpringDamper { compliance: 1e-3, damping: 2.0 });
/// let bearing = m.add_joint(soft.break_force(80.0))?;
/// let answer = m.solve_accelerations()?;
/// let reaction = m.reaction(bearing, &answer)?;
/// assert!((reaction.force.y - 100.0).abs() < 1e-12);
/// assert!(m.joint(bearing)?.breaks_under(&reaction));
/// # Ok::<(), engine2d_constraint::MechanismError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Joint {
    name: Option<String>,
    constraint: Box<dyn AnyConstraint>,
    compliance: Compliance,
    enabled: bool,
    restitution: f64,
    strength: [f64; 2],
}

impl Joint {
    /// A rigid constraint that never breaks: one of the library, or any [`Constraint`] of your own.
    #[must_use]
    pub fn new(constraint: impl Constraint + Clone + 'static) -> Self {
        Self::boxed(Box::new(constraint))
    }

    /// As [`new`](Self::new) from a constraint whose type is not known here.
    #[must_use]
    pub fn boxed(constraint: Box<dyn AnyConstraint>) -> Self {
        Self {
            name: None,
            constraint,
            compliance: Compliance::Rigid,
            enabled: true,
            restitution: 0.0,
            strength: [f64::INFINITY; 2],
        }
    }

    /// Names it, for reports and events.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Holds its position errors by springs with dampers instead of rigidly.
    #[must_use]
    pub fn compliant(mut self, compliance: impl Into<Compliance>) -> Self {
        self.compliance = compliance.into();
        self
    }

    /// Sets the coefficient of restitution of its unilateral rows, in `[0, 1]`; 0 by default.
    #[must_use]
    pub fn restitution(mut self, restitution: f64) -> Self {
        self.restitution = restitution;
        self
    }

    /// Sets the force on a body above which it breaks (> 0); infinite by default.
    #[must_use]
    pub fn break_force(mut self, force: f64) -> Self {
        self.strength[0] = force;
        self
    }

    /// Sets the torque about the joint's point above which it breaks (> 0); infinite by default.
    #[must_use]
    pub fn break_torque(mut self, torque: f64) -> Self {
        self.strength[1] = torque;
        self
    }

    /// It does not act until it is enabled.
    #[must_use]
    pub fn disabled(mut self) -> Self {
        self.enabled = false;
        self
    }

    /// Lets it act or not.
    pub fn set_enabled(&mut self, enabled: bool) {
        self.enabled = enabled;
    }

    /// Exchanges its springs and dampers.
    pub fn set_compliance(&mut self, compliance: impl Into<Compliance>) {
        self.compliance = compliance.into();
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

    /// Its name, or its kind if it has none.
    #[must_use]
    pub fn label(&self) -> &str {
        self.name.as_deref().unwrap_or(self.kind())
    }

    /// Whether it acts.
    #[must_use]
    pub fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// Its springs and dampers.
    #[must_use]
    pub fn compliance(&self) -> &Compliance {
        &self.compliance
    }

    /// The coefficient of restitution of its unilateral rows.
    #[must_use]
    pub fn coefficient_of_restitution(&self) -> f64 {
        self.restitution
    }

    /// The force and the torque above which it breaks.
    #[must_use]
    pub fn strength(&self) -> [f64; 2] {
        self.strength
    }

    /// Whether it can break.
    #[must_use]
    pub fn is_breakable(&self) -> bool {
        self.strength.iter().any(|s| s.is_finite())
    }

    /// The share of its strength that a reaction leaves: 1 without load, negative where it breaks.
    #[must_use]
    pub fn strength_left(&self, reaction: &Reaction) -> f64 {
        let [force, torque] = self.strength;
        (1.0 - reaction.force.norm() / force).min(1.0 - reaction.torque.abs() / torque)
    }

    /// Whether a reaction breaks it.
    #[must_use]
    pub fn breaks_under(&self, reaction: &Reaction) -> bool {
        self.strength_left(reaction) < 0.0
    }

    /// The places of the bodies it connects.
    #[must_use]
    pub fn bodies(&self) -> Vec<BodyRef> {
        self.constraint.bodies().into_iter().map(BodyRef::from).collect()
    }

    /// The joint's point (world).
    #[must_use]
    pub fn anchor(&self, motions: Motions<'_>) -> Vec2 {
        self.constraint.anchor(motions)
    }

    /// Appends its equations in use at a state, springs among them; none while it is disabled.
    pub fn equations(&self, motions: Motions<'_>, out: &mut Vec<Equation>) {
        if self.enabled {
            let start = out.len();
            self.constraint.equations(motions, out);
            self.compliance.apply(&mut out[start..]);
        }
    }

    /// The constraint.
    #[must_use]
    pub fn any(&self) -> &dyn AnyConstraint {
        self.constraint.as_ref()
    }

    /// The constraint as the type it was made of; `None` if it is another.
    #[must_use]
    pub fn constraint<C: Constraint + 'static>(&self) -> Option<&C> {
        let any: &dyn Any = self.constraint.as_ref();
        any.downcast_ref()
    }

    /// The constraint as the type it was made of, to change it.
    pub fn constraint_mut<C: Constraint + 'static>(&mut self) -> Option<&mut C> {
        let any: &mut dyn Any = self.constraint.as_mut();
        any.downcast_mut()
    }

    /// Checks the numbers that surround the constraint, and those of the constraint itself.
    ///
    /// # Errors
    /// [`BadValue`].
    pub fn check(&self) -> Result<(), BadValue> {
        self.compliance.check()?;
        if !(0.0..=1.0).contains(&self.restitution) {
            let (value, allowed) = (self.restitution, "must lie in [0, 1]");
            return Err(BadValue { what: "restitution", value, allowed });
        }
        for (what, value) in ["break_force", "break_torque"].into_iter().zip(self.strength) {
            if !(value > 0.0) {
                return Err(BadValue { what, value, allowed: "must be > 0 (infinite: it never breaks)" });
            }
        }
        self.constraint.check()
    }
}

impl<C: Constraint + Clone + 'static> From<C> for Joint {
    fn from(constraint: C) -> Self {
        Self::new(constraint)
    }
}
