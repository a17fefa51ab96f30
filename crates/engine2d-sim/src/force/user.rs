//! Force laws of the user's own.

use super::{ForceContext, ForceLaw};
use crate::body::view::BodyView;
use crate::error::SimError;
use engine2d_math::Vec2;
use std::fmt;
use std::sync::Arc;

/// A force law defined outside this crate.
///
/// ```
/// use engine2d_sim::{Body, BodySet, Force, ForceLaw, Forces, SimError, World};
/// use engine2d_math::Vec2;
///
/// /// Wind that pushes every disc along x.
/// #[derive(Debug)]
/// struct Wind(f64);
///
/// impl Force for Wind {
///     fn name(&self) -> &str {
///         "wind"
///     }
///     fn apply(&self, bodies: &BodySet<'_>, forces: &mut Forces<'_>) -> Result<(), SimError> {
///         for body in bodies.iter().filter(|b| !b.is_fixed()) {
///             forces.push(body.index(), body.position(), Vec2::new(self.0, 0.0));
///         }
///         Ok(())
///     }
/// }
///
/// let mut world = World::builder().body(Body::ball(1.0)).force_law(ForceLaw::user(Wind(2.0))).build()?;
/// world.advance(0.5)?;
/// assert!((world.body(0)?.velocity().x - 1.0).abs() < 1e-12);
/// # Ok::<(), SimError>(())
/// ```
pub trait Force: fmt::Debug + Send + Sync {
    /// Short name for reports.
    fn name(&self) -> &str;

    /// Adds what the law exerts at the state shown. It must depend on that state alone: the integrator asks at
    /// trial states too.
    ///
    /// # Errors
    /// [`SimError`] where the law is not defined, which ends the advance.
    fn apply(&self, bodies: &BodySet<'_>, forces: &mut Forces<'_>) -> Result<(), SimError>;

    /// Potential energy held; 0 for laws without one.
    fn potential_energy(&self, _bodies: &BodySet<'_>) -> f64 {
        0.0
    }
}

/// A shared [`Force`] within a [`ForceLaw`]. Two are equal if they are the same object.
#[derive(Clone, Debug)]
pub struct UserForce(pub(crate) Arc<dyn Force>);

impl PartialEq for UserForce {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl UserForce {
    /// Name of the law.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.name()
    }
}

impl ForceLaw {
    /// A law of the user's own.
    #[must_use]
    pub fn user(force: impl Force + 'static) -> Self {
        Self::User(UserForce(Arc::new(force)))
    }
}

/// The bodies of a system at the state of an evaluation.
#[derive(Clone, Copy)]
pub struct BodySet<'a> {
    pub(crate) context: ForceContext<'a>,
}

impl<'a> BodySet<'a> {
    /// Simulated time of the state.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.context.time
    }

    /// Number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.context.data.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.context.data.is_empty()
    }

    /// The body of that index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<BodyView<'a>> {
        let data = self.context.data.get(index).filter(|data| data.id.is_some())?;
        Some(BodyView { index, data, collision: &self.context.bodies[index] })
    }

    /// The bodies in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = BodyView<'a>> + use<'a> {
        BodyView::all(self.context.data, self.context.bodies)
    }
}

/// Takes what a law exerts.
pub struct Forces<'a> {
    pub(super) context: ForceContext<'a>,
    pub(super) rates: &'a mut [f64],
}

impl Forces<'_> {
    /// A force at a world point of the body of that index. Immovable and unknown bodies take none.
    pub fn push(&mut self, body: usize, at: impl Into<Vec2>, force: impl Into<Vec2>) {
        let (at, force): (Vec2, Vec2) = (at.into(), force.into());
        if body < self.context.data.len() {
            self.context.push(self.rates, body, at, force, 0.0);
        }
    }

    /// A pure torque (counter-clockwise).
    pub fn push_torque(&mut self, body: usize, torque: f64) {
        if body < self.context.data.len() {
            let at = self.context.bodies[body].pose.position();
            self.context.push(self.rates, body, at, Vec2::zeros(), torque);
        }
    }
}
